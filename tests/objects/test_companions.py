"""The smaller objects beside the JobSet: SSH Secret, Volcano PodGroup, sums in the form they were written in, and objects of others."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import pytest

from jobset_compiler.passes.api import COMPANIONS, AddObject, Pass
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.resolve.facts import Facts, SSHKeys
from tests.passes.plans import UID, compiled, container, job, runtime, the, trainjob

Tree = dict[str, Any]
OWNER = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "TrainJob",
    "name": "job",
    "uid": UID,
    "controller": True,
    "blockOwnerDeletion": True,
}
BOTH: Tree = {"coscheduling": {}, "volcano": {}}


@pytest.mark.parametrize("profile", ["v2.0", "v2.1", "v2.2", "v2.3"])
def test_ssh_secret_has_a_placeholder_that_is_no_key(profile: str) -> None:
    secret = the(compiled(runtime({"mpi": {}}, job("launcher"), job("node", None)), trainjob({}), profile), "Secret")
    assert (secret["metadata"], secret["immutable"], secret["type"]) == (
        {"name": "job-mpi-ssh-auth", "namespace": "ns", "ownerReferences": [OWNER]},
        True,
        "kubernetes.io/ssh-auth",
    )
    for key in ("ssh-privatekey", "ssh-publickey"):
        text = secret["data"][key]
        assert text.startswith("PLACEHOLDER, not a key") and "BEGIN" not in text and "ecdsa" not in text


def test_ssh_secret_takes_given_keys() -> None:
    facts = Facts(ssh_keys=SSHKeys("private text\n", "public text\n"))
    result = compiled(runtime({"mpi": {}}, job("launcher"), job("node", None)), trainjob({}), facts=facts)
    data = the(result, "Secret")["data"]
    assert [b64decode(data[key]).decode() for key in ("ssh-privatekey", "ssh-publickey")] == ["private text\n", "public text\n"]
    assert not [d for d in result.diagnostics if d.code == "JSC320"]


# podGroupPolicy.volcano, the JobSet's annotations, priority classes -> spec without members
VOLCANO: tuple[tuple[Tree, Tree, list[str | None], Tree], ...] = (
    ({}, {}, [None], {}),
    ({}, {"scheduling.volcano.sh/queue-name": "gpu"}, [None], {"queue": "gpu"}),
    ({}, {}, ["low", "high"], {"priorityClassName": "high"}),
    ({}, {}, ["low", None], {"priorityClassName": "low"}),
    ({"networkTopology": {}}, {}, [None], {"networkTopology": {"mode": "hard", "highestTierAllowed": 1}}),
    ({"networkTopology": {"mode": "soft", "highestTierAllowed": 0}}, {}, [None], {"networkTopology": {"mode": "soft", "highestTierAllowed": 0}}),
)


@pytest.mark.parametrize(("volcano", "annotations", "classes", "expected"), VOLCANO)
def test_volcano_pod_group(volcano: Tree, annotations: Tree, classes: list[str | None], expected: Tree) -> None:
    pods: list[Tree] = [{"schedulerName": "volcano", **({"priorityClassName": name} if name else {})} for name in classes]
    jobs = [job(f"j{index}", None if index else "trainer", **pod) for index, pod in enumerate(pods)]
    facts = Facts(priority_classes=frozenset({"low", "high"}))
    result = compiled(runtime({}, *jobs, gang={"volcano": volcano}, metadata={"annotations": annotations}), trainjob({"numNodes": 3}), facts=facts)
    group = the(result, "PodGroup")
    assert group["apiVersion"] == "scheduling.volcano.sh/v1beta1" and group["metadata"]["ownerReferences"] == [OWNER]
    assert group["spec"] == {"minMember": 2 + len(jobs), "minResources": {}, **expected}


def test_members_are_counted_with_32_bits() -> None:
    result = compiled(runtime({}, job(), job("more", None), gang={"coscheduling": {}}), trainjob({"numNodes": 2**31 - 1}))
    assert the(result, "PodGroup")["spec"]["minMember"] == -(2**31)


def sums(result: Any) -> list[Tree]:
    return [item["spec"]["minResources"] for item in result.objects if item["kind"] == "PodGroup"]


# Requests as written, nodes -> minResources of coscheduling and of Volcano
SUMS: tuple[tuple[Tree, int, Tree, Tree], ...] = (
    ({"cpu": "1500m"}, 3, {"cpu": "4500m"}, {"cpu": "4500m"}),
    ({"cpu": "1e1"}, 3, {"cpu": "30"}, {"cpu": "30"}),
    ({"x.io/a": "1e3"}, 2, {"x.io/a": "2e3"}, {"x.io/a": "2e3"}),
    ({"memory": "512Mi"}, 3, {"memory": "1536Mi"}, {"memory": "1536Mi"}),
    ({"memory": "0.5Gi"}, 3, {"memory": "1536Mi"}, {"memory": "4608Mi"}),
    ({"memory": "0.5Gi"}, 1, {"memory": "512Mi"}, {"memory": "512Mi"}),
)


@pytest.mark.parametrize(("requests", "nodes", "first", "second"), SUMS)
def test_sums_of_two_pod_groups(requests: Tree, nodes: int, first: Tree, second: Tree) -> None:
    """Ran upstream (with either built first): what Go holds as a decimal is multiplied in place, once for each PodGroup."""
    given = runtime({}, job(containers=[container(resources={"requests": requests})]), gang=BOTH)
    assert sums(compiled(given, trainjob({"numNodes": nodes}))) == [first, second]


@pytest.mark.parametrize(("profile", "text"), [("v2.2", "10e3"), ("v2.3", "10k")])
def test_a_patch_makes_the_controller_read_quantities_anew(profile: str, text: str) -> None:
    """The form of `1e1` is lost where the job went through JSON once more: in 2.3 all jobs, in 2.2 the patched one."""
    other = {"name": "other", "template": {"metadata": {"labels": {"a": "b"}}}}
    patch = {"manager": "acme.io/x", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": [other]}}}}
    given = runtime({}, job(containers=[container(resources={"requests": {"x.io/a": "1e1"}})]), job("other", None), gang={"coscheduling": {}})
    assert sums(compiled(given, trainjob({"numNodes": 1000}), profile)) == [{"x.io/a": "10e3"}]
    assert sums(compiled(given, trainjob({"numNodes": 1000}, runtimePatches=[patch]), profile)) == [{"x.io/a": text}]


# metadata of an object that somebody's pass adds -> what is added to it
ADDED: tuple[tuple[Tree, Tree], ...] = (
    ({"name": "x"}, {"namespace": "ns", "ownerReferences": [OWNER]}),
    ({"name": "x", "namespace": "ns", "labels": {"a": "b"}}, {"ownerReferences": [OWNER]}),
    ({"name": "x", "namespace": "shared"}, {}),
    ({"name": "x", "ownerReferences": []}, {"namespace": "ns"}),
)


@pytest.mark.parametrize(("metadata", "added"), ADDED)
def test_objects_of_others_belong_to_the_trainjob_unless_they_say_otherwise(metadata: Tree, added: Tree) -> None:
    manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": "b"}}
    step = Pass("acme.extra", COMPANIONS, lambda plan: True, lambda plan: iter([AddObject(manifest)]), distribution="acme")
    result = compiled(runtime({"mpi": {}}, job("launcher"), job("node", None)), trainjob({}), passes=(*BUILTIN, step))
    assert [item["kind"] for item in result.objects] == ["JobSet", "Secret", "ConfigMap", "ConfigMap"], "after the built-in ones"
    assert result.objects[-1] == {**manifest, "metadata": {**metadata, **added}} and manifest["metadata"] is metadata


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": 5}}, "needs texts as its kind, name and namespace, not 'ConfigMap', 5 and ''"),
        ({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "namespace": None}}, "not 'ConfigMap', 'x' and None"),
        ({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {}}, "KeyError: 'name'"),
        ({"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "job"}}, "JobSet job is what the TrainJob comes to"),
        ({"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "job", "namespace": "ns"}}, "JobSet job is what"),
    ],
)
def test_what_is_no_further_object_is_refused(manifest: Tree, message: str) -> None:
    step = Pass("acme.any", COMPANIONS, lambda plan: True, lambda plan: iter((AddObject(manifest),)), distribution="acme")
    result = compiled(runtime({"torch": {}}, job("node")), trainjob({}), passes=(*BUILTIN, step))
    (error,) = [diagnostic for diagnostic in result.diagnostics if diagnostic.is_error]
    assert error.slug == "pass-failed" and message in error.message and result.objects == ()
