"""What becomes of a document that a server took: every field in its place, and what stands for those that are not there."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.api import runtime as of_runtime
from jobset_compiler.api import trainjob as of_trainjob
from jobset_compiler.api.env import applied
from jobset_compiler.api.runtime import Coscheduling, FluxPolicy, InjectionTarget, MLPolicy, MPIPolicy, PodGroupPolicy, Runtime, TorchPolicy, Volcano
from jobset_compiler.api.trainjob import InitializerSource, JobPatch, Patch, RuntimeRef, Trainer, TrainJob, generated_name
from jobset_compiler.source.document import Document

Tree = dict[str, Any]
DOCUMENT = Document.from_object({})
ENV = [{"name": "A", "value": "b"}]
SPELLINGS = ("podSpecOverrides", "podTemplateOverrides", "runtimePatches")


def trainjob(typed: Tree, *, admitted: Tree | None = None, spelling: str = "runtimePatches") -> TrainJob:
    return of_trainjob.decode(DOCUMENT, typed if admitted is None else admitted, typed, spelling)


def runtime(typed: Tree, *, bundled: bool = False) -> Runtime:
    return of_runtime.decode(DOCUMENT, typed, bundled=bundled)


def policy(**fields: Any) -> MLPolicy | None:
    return runtime({"spec": {"mlPolicy": fields}}).ml_policy


def pod_groups(**fields: Any) -> PodGroupPolicy | None:
    return runtime({"spec": {"podGroupPolicy": fields}}).pod_group_policy


# ---------------------------------------------------------------------------------------- TrainJobs


def test_every_field_of_a_trainjob_has_its_place() -> None:
    source = {"storageUri": "hf://a/b", "env": ENV, "secretRef": {"name": "s"}}
    typed: Tree = {
        "metadata": {"name": "a", "namespace": "team", "uid": "u", "labels": {"l": "1"}, "annotations": {"n": "2"}},
        "spec": {
            "runtimeRef": {"apiGroup": "trainer.kubeflow.org", "kind": "TrainingRuntime", "name": "rt"},
            "trainer": {"image": "i", "command": ["c"], "args": ["d"], "env": ENV, "numNodes": 2, "numProcPerNode": "auto", "resourcesPerNode": {"limits": {}}},
            "initializer": {"dataset": source, "model": {**source, "storageUri": "s3://c"}},
            "suspend": False,
            "managedBy": "kueue.x-k8s.io/multikueue",
            "activeDeadlineSeconds": 60,
        },
    }
    assert trainjob(typed) == TrainJob(
        document=DOCUMENT,
        name="a",
        namespace="team",
        uid="u",
        labels={"l": "1"},
        annotations={"n": "2"},
        runtime_ref=RuntimeRef("trainer.kubeflow.org", "TrainingRuntime", "rt"),
        trainer=Trainer("i", ("c",), ("d",), tuple(ENV), 2, "auto", {"limits": {}}),
        dataset=InitializerSource("hf://a/b", tuple(ENV), "s"),
        model=InitializerSource("s3://c", tuple(ENV), "s"),
        patches=(),
        suspend=False,
        managed_by="kueue.x-k8s.io/multikueue",
        active_deadline_seconds=60,
        typed=typed,
    )


def test_what_stands_for_the_fields_that_a_trainjob_lacks() -> None:
    none = TrainJob(DOCUMENT, "", "default", "", {}, {}, RuntimeRef("", "", ""), None, None, None, (), None, "", None, {})
    assert trainjob({}) == none
    bare: Tree = {"metadata": {}, "spec": {"runtimeRef": {}, "initializer": {}}}
    assert trainjob(bare) == none._replace(typed=bare)
    empty: Tree = {"spec": {"trainer": {}, "initializer": {"dataset": {}, "model": {"secretRef": {}}}}}
    assert trainjob(empty) == none._replace(trainer=Trainer(), dataset=InitializerSource(None, (), None), model=InitializerSource(None, (), ""), typed=empty)


def test_an_empty_command_and_empty_limits_are_not_the_same_as_none() -> None:
    """The typed value has lost them; the admitted one tells."""
    given: Tree = {"command": [], "args": [], "resourcesPerNode": {"limits": {}, "requests": None}}
    job = trainjob({"spec": {"trainer": {"resourcesPerNode": {}}}}, admitted={"spec": {"trainer": given}})
    assert job.trainer == Trainer(command=(), args=(), resources_per_node={"limits": {}})
    given = {"command": None, "args": None, "resourcesPerNode": {"limits": {"cpu": 1}, "requests": {}}}
    job = trainjob({"spec": {"trainer": {"resourcesPerNode": {"limits": {"cpu": "1"}}}}}, admitted={"spec": {"trainer": given}})
    assert job.trainer == Trainer(resources_per_node={"limits": {"cpu": "1"}, "requests": {}})


def test_a_generated_name_has_room_for_the_five_characters_of_the_server() -> None:
    """SimpleNameGenerator of k8s.io/apiserver: 63 characters at most."""
    assert generated_name("a" * 57) == "a" * 57 + "xxxxx"
    assert generated_name("a" * 58) == generated_name("a" * 59) == "a" * 58 + "xxxxx"
    assert generated_name("") == ""
    assert trainjob({"metadata": {"generateName": "train-"}}).name == "train-xxxxx"
    assert trainjob({"metadata": {"generateName": "train-", "name": "b"}}).name == "b"


# ---------------------------------------------------------------------------------------- overrides


def patches(spelling: str, *overrides: Tree, **spec: Any) -> tuple[Patch, ...]:
    return trainjob({"spec": {spelling: list(overrides), **spec}}, spelling=spelling).patches


def test_an_override_of_pod_specs() -> None:
    first, second = patches(
        "podSpecOverrides",
        {"targetJobs": None, "nodeSelector": {"a": "b"}},
        {"targetJobs": [{"name": "node"}, {"name": "launcher"}], "nodeSelector": {"a": "b"}, "containers": []},
    )
    origin = ("spec", "podSpecOverrides", 0)
    assert first == Patch("", {}, {}, (), origin, origin, origin)
    origin, at = ("spec", "podSpecOverrides", 1), ("spec", "template", "spec")
    template = {"spec": {"template": {"spec": {"nodeSelector": {"a": "b"}, "containers": []}}}}
    jobs = tuple(JobPatch(name, template, at, origin) for name in ("node", "launcher"))
    assert second == Patch("", {}, {}, jobs, origin, origin, origin)


def test_an_override_of_pod_templates() -> None:
    metadata = {"labels": {"l": "1"}, "annotations": {"n": "2"}}
    whole, bare, untargeted = patches(
        "podTemplateOverrides",
        {"targetJobs": [{"name": "node"}], "metadata": {**metadata, "name": "dropped"}, "spec": {"hostNetwork": True}},
        {"targetJobs": [{"name": "node"}], "metadata": {"name": "dropped"}},
        {"metadata": metadata},
    )
    origin, at = ("spec", "podTemplateOverrides", 0), ("spec", "template")
    template = {"spec": {"template": {"metadata": metadata, "spec": {"hostNetwork": True}}}}
    assert whole == Patch("", {}, {}, (JobPatch("node", template, at, origin),), origin, origin, origin)
    origin = ("spec", "podTemplateOverrides", 1)
    assert bare == Patch("", {}, {}, (JobPatch("node", {"spec": {"template": {}}}, at, origin),), origin, origin, origin)
    assert untargeted.jobs == ()


def test_a_patch_of_the_runtime() -> None:
    job: Tree = {"name": "node", "template": {"spec": {"backoffLimit": 1}}}
    template = {"metadata": {"labels": {"l": "1"}, "annotations": {"n": "2"}}, "spec": {"replicatedJobs": [{"name": "other"}, job]}}
    whole, bare, metadata = patches(
        "runtimePatches",
        {"manager": "acme.io/queue", "trainingRuntimeSpec": {"template": template}},
        {"manager": "b"},
        {"trainingRuntimeSpec": {"template": {"spec": {}}}},
    )
    origin = ("spec", "runtimePatches", 0)
    below = (*origin, "trainingRuntimeSpec", "template")
    jobs = (
        JobPatch("other", None, (), (*below, "spec", "replicatedJobs", 0, "template")),
        JobPatch("node", job["template"], (), (*below, "spec", "replicatedJobs", 1, "template")),
    )
    assert whole == Patch("acme.io/queue", {"l": "1"}, {"n": "2"}, jobs, origin, (*below, "metadata"), (*below, "spec"))
    assert (bare.manager, bare.labels, bare.annotations, bare.jobs) == ("b", {}, {}, ())
    assert (metadata.manager, metadata.jobs, metadata.origin) == ("", (), ("spec", "runtimePatches", 2))


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_labels_and_annotations_of_the_spec_come_first(spelling: str) -> None:
    """v2.0 and v2.1 have them; every later override can write over them."""
    at = ("spec",)
    assert patches(spelling) == ()
    for given in ({"labels": {"l": "1"}}, {"annotations": {"n": "2"}}, {"labels": {"l": "1"}, "annotations": {"n": "2"}}):
        first, second = patches(spelling, {}, **given)
        assert first == Patch("", given.get("labels", {}), given.get("annotations", {}), (), at, at, at)
        assert second.origin == ("spec", spelling, 0)


# ----------------------------------------------------------------------------------------- runtimes


def test_every_field_of_a_runtime_has_its_place() -> None:
    template: Tree = {"metadata": {"labels": {"a": "1"}, "annotations": {"b": "2"}}, "spec": {"replicatedJobs": [{"name": "node"}], "network": {}}}
    typed: Tree = {
        "kind": "TrainingRuntime",
        "metadata": {"name": "rt", "namespace": "team", "labels": {"l": "1"}},
        "spec": {"mlPolicy": {"numNodes": 2}, "podGroupPolicy": {}, "template": template},
    }
    found = runtime(typed, bundled=True)
    assert found == Runtime(
        document=DOCUMENT,
        kind="TrainingRuntime",
        name="rt",
        namespace="team",
        labels={"l": "1"},
        ml_policy=MLPolicy("", 2, None, None, None),
        pod_group_policy=PodGroupPolicy(None, None),
        template_labels={"a": "1"},
        template_annotations={"b": "2"},
        template=template["spec"],
        typed=typed,
        bundled=True,
        has_unset=False,
        parts=found.parts,
    )
    assert found.parts.value is template["spec"]


@pytest.mark.parametrize(("kind", "namespace"), [("TrainingRuntime", "default"), ("ClusterTrainingRuntime", "")])
def test_what_stands_for_the_fields_that_a_runtime_lacks(kind: str, namespace: str) -> None:
    typed = {"kind": kind}
    found = runtime(typed)
    assert found == Runtime(DOCUMENT, kind, "", namespace, {}, None, None, {}, {}, {}, typed, False, False, found.parts)
    assert runtime({"kind": kind, "metadata": {"namespace": "team"}}).namespace == ("team" if namespace else "")
    assert runtime({}).kind == "" and runtime({"spec": {"template": {"spec": {"replicatedJobs": []}}}}).has_unset


def test_the_policy_is_the_key_beside_the_number_of_nodes() -> None:
    assert policy() == MLPolicy("", None, None, None, None)
    assert policy(numNodes=2, jax={}) == MLPolicy("jax", 2, None, None, None)
    assert policy(xgboost={}, numNodes=2) == MLPolicy("xgboost", 2, None, None, None)
    assert policy(torch={}) == MLPolicy("torch", None, TorchPolicy(None, ()), None, None)
    assert policy(flux={}) == MLPolicy("flux", None, None, None, FluxPolicy(None))
    assert policy(flux={"numProcPerNode": 3}) == MLPolicy("flux", None, None, None, FluxPolicy(3))
    assert policy(mpi={}) == MLPolicy("mpi", None, None, MPIPolicy(None, None, "", False), None)
    told = {"numProcPerNode": 4, "mpiImplementation": "OpenMPI", "sshAuthMountPath": "/s", "runLauncherAsNode": True}
    assert policy(mpi=told) == MLPolicy("mpi", None, None, MPIPolicy(4, "OpenMPI", "/s", True), None)


def test_what_torch_can_be_told() -> None:
    targets = [{"jobName": "a", "containerNames": ["b", "c"]}, {}]
    told = {"numProcPerNode": "gpu", "envInjection": {"targets": targets}}
    assert policy(torch=told) == MLPolicy("torch", None, TorchPolicy("gpu", (InjectionTarget("a", ("b", "c")), InjectionTarget("", ()))), None, None)
    assert policy(torch={"envInjection": {}}) == policy(torch={})


def test_gangs_of_both_kinds() -> None:
    assert pod_groups() == PodGroupPolicy(None, None)
    assert pod_groups(coscheduling={}, volcano={}) == PodGroupPolicy(Coscheduling(None), Volcano(None))
    topology = {"mode": "hard"}
    told: Tree = {"coscheduling": {"scheduleTimeoutSeconds": 30}, "volcano": {"networkTopology": topology}}
    assert pod_groups(**told) == PodGroupPolicy(Coscheduling(30), Volcano(topology))


def node(name: str = "node", ancestor: str | None = None, *containers: Tree) -> Tree:
    template: Tree = {"spec": {"template": {"spec": {"containers": list(containers)}}}}
    return {"name": name, "template": template if ancestor is None else {**template, "metadata": {"labels": {of_runtime.ANCESTOR_LABEL: ancestor}}}}


def test_what_a_replicated_job_may_lack() -> None:
    pod = {"containers": [{"name": "a"}]}
    full = {"template": {"metadata": {"labels": {of_runtime.ANCESTOR_LABEL: "trainer"}}, "spec": {"template": {"spec": pod}}}}
    assert (of_runtime.ancestor_of(full), of_runtime.pod_spec_of(full), of_runtime.containers_of(full)) == ("trainer", pod, [{"name": "a"}])
    metadata: Tree = {"metadata": {}, "spec": {}}
    no_labels: Tree = {"metadata": {"labels": {}}, "spec": {"template": {}}}
    lacking: list[Tree] = [{}, {"template": {}}, {"template": metadata}, {"template": no_labels}]
    for less in lacking:
        assert (of_runtime.ancestor_of(less), of_runtime.pod_spec_of(less), of_runtime.containers_of(less)) == (None, {}, [])
    assert of_runtime.containers_of({"template": {"spec": {"template": {"spec": {"containers": None}}}}}) == []


def test_the_resources_of_a_node_are_those_of_the_first_node_container_that_has_some() -> None:
    """ExtractResourcePerNodeFromRuntime in pkg/runtime/runtime.go."""
    one, two = {"limits": {"cpu": "1"}}, {"limits": {"cpu": "2"}}

    def found(*jobs: Tree) -> Tree:
        return of_runtime.template_resources({"replicatedJobs": list(jobs)})

    assert found(node("node", None, {"name": "node", "resources": one})) == one
    assert found(node("workers", "trainer", {"name": "node", "resources": one})) == one
    assert found(node("workers", "model-initializer", {"name": "node", "resources": one})) == {}
    assert found(node("workers", None, {"name": "node", "resources": one})) == {}
    assert found(node("node", None, {"name": "side", "resources": one}, {"name": "node"}, {"name": "node", "resources": two})) == two
    assert found(node("node", None, {"name": "node"}), node("other", "trainer", {"name": "node", "resources": two})) == two
    assert found(node("node", "trainer", {"name": "node", "resources": one}), node("other", "trainer", {"name": "node", "resources": two})) == one
    assert found() == of_runtime.template_resources({}) == {}


# ---------------------------------------------------------------------------------------- variables


@pytest.mark.parametrize(
    ("entry", "written"),
    [
        ({"name": "A", "value": "b"}, {"name": "A", "value": "b"}),
        ({"name": "A"}, {"name": "A", "value": ""}),
        (
            {"name": "A", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}},
            {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
        ),
        (
            {"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}},
            {"name": "A", "valueFrom": {"resourceFieldRef": {"containerName": "", "resource": "limits.cpu", "divisor": "0"}}},
        ),
        (
            {"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "containerName": "c", "divisor": "1m"}}},
            {"name": "A", "valueFrom": {"resourceFieldRef": {"containerName": "c", "resource": "limits.cpu", "divisor": "1m"}}},
        ),
        (
            {"name": "A", "valueFrom": {"configMapKeyRef": {"key": "k"}, "secretKeyRef": {"name": "s", "key": "l", "optional": False}}},
            {"name": "A", "valueFrom": {"configMapKeyRef": {"name": "", "key": "k"}, "secretKeyRef": {"name": "s", "key": "l", "optional": False}}},
        ),
        ({"name": "A", "valueFrom": {"fileKeyRef": {"volumeName": "v", "path": "p", "key": "k"}}}, {"name": "A", "valueFrom": {}}),
        ({"name": "A", "value": "lost", "valueFrom": {}}, {"name": "A", "valueFrom": {}}),
    ],
)
def test_variables_of_a_trainjob_as_the_controller_writes_them(entry: Tree, written: Tree) -> None:
    assert applied(entry) == written
    assert list(applied(entry)) == list(written)
