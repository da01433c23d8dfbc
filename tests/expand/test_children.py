"""What the JobSet controller creates, and what has to wait."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.admission.jobset_defaults import admitted_form
from jobset_compiler.diagnostics import addresses
from jobset_compiler.diagnostics.place import Path
from jobset_compiler.diff.fields import MISSING, look_up
from jobset_compiler.expand import Child, expand
from jobset_compiler.expand.of_objects import place_in_jobset
from jobset_compiler.profiles import PROFILES, find

Tree = dict[str, Any]
JOBSET = "jobset.sigs.k8s.io/"
ALPHA = "alpha.jobset.sigs.k8s.io/"


def replicated(name: str, replicas: int = 1, completions: int = 1, annotations: Tree | None = None, pod: Tree | None = None, **fields: Any) -> Tree:
    template = {
        "metadata": {"annotations": annotations or {}},
        "spec": {"parallelism": completions, "completions": completions, "template": {"spec": {"containers": [{"name": "c", "image": "i"}], **(pod or {})}}},
    }
    return {"name": name, "replicas": replicas, "template": template, **fields}


def children(*jobs: Tree, profile: str = "v2.3", annotations: Tree | None = None, **spec: Any) -> tuple[Child, ...]:
    found = find(profile)
    assert found is not None
    meta = {"name": "demo", "namespace": "default", "uid": "u-1", "annotations": annotations or {}}
    jobset = {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": meta, "spec": {"replicatedJobs": list(jobs), **spec}}
    return expand(admitted_form(jobset, found), found)


def names(found: tuple[Child, ...]) -> list[str]:
    """`Kind name`, with a star where it waits."""
    return [f"{child.manifest['kind']} {child.manifest['metadata']['name']}{'*' * child.waits}" for child in found]


def test_labels_of_leader_and_workers() -> None:
    found = children(replicated("leader"), replicated("worker", 2, 2), coordinator={"replicatedJob": "leader"})
    assert names(found) == ["Job demo-leader-0", "Job demo-worker-0", "Job demo-worker-1", "Service demo"]
    keys = ("job-index", "job-global-index", "global-replicas", "replicatedjob-replicas", "job-group-index", "job-key")
    rows = [tuple(child.manifest["metadata"]["labels"][JOBSET + key] for key in keys) for child in found[:3]]
    assert rows == [
        ("0", "0", "3", "1", "0", "0c627f6b97a34f0cf6c6f35810afa9ca8d49f795"),
        ("0", "1", "3", "2", "1", "9ff0aa686f10664fd41b00f8e208a115053b624b"),
        ("1", "2", "3", "2", "2", "7e60a0b07a9b530351aae63fd0087276f5dc5700"),
    ]
    for child in found[:3]:
        job = child.manifest
        pod = job["spec"]["template"]["metadata"]
        assert job["metadata"]["labels"] == job["metadata"]["annotations"] == pod["labels"] == pod["annotations"]
        assert pod["labels"][f"{JOBSET}coordinator"] == "demo-leader-0-0.demo"
        assert pod["labels"][f"{JOBSET}jobset-uid"] == job["metadata"]["ownerReferences"][0]["uid"] == "u-1"
        assert job["spec"]["template"]["spec"]["subdomain"] == "demo"


def test_groups_are_counted_by_themselves() -> None:
    found = children(replicated("a", 2, groupName="x"), replicated("b", 1, groupName="y"), replicated("c", 1, groupName="x"))
    labels = [child.manifest["metadata"]["labels"] for child in found[:4]]
    assert [(one[f"{JOBSET}job-group-index"], one[f"{JOBSET}group-replicas"], one[f"{JOBSET}group-name"]) for one in labels] == [
        ("0", "3", "x"),
        ("1", "3", "x"),
        ("0", "1", "y"),
        ("2", "3", "x"),
    ]
    assert not any("group" in key or "uid" in key for key in children(replicated("a"), profile="v2.0")[0].manifest["metadata"]["labels"])


def test_generated_keys_win_and_the_rest_of_the_template_stays() -> None:
    job = replicated("a", annotations={f"{JOBSET}job-index": "7", "mine": "1"}, pod={"subdomain": "other", "hostname": "h"})
    manifest = children(job, suspend=True)[0].manifest
    assert manifest["metadata"]["annotations"][f"{JOBSET}job-index"] == "0" and manifest["metadata"]["annotations"]["mine"] == "1"
    assert "mine" not in manifest["spec"]["template"]["metadata"]["annotations"], "a Job's annotations do not reach its pods"
    assert manifest["spec"]["suspend"] is True
    assert manifest["spec"]["template"]["spec"]["subdomain"] == "demo" and manifest["spec"]["template"]["spec"]["hostname"] == "h"


def test_the_service() -> None:
    service = children(replicated("a"), network={"subdomain": "net", "publishNotReadyAddresses": False})[-1].manifest
    assert (service["metadata"]["name"], service["spec"]) == ("net", {"selector": {f"{JOBSET}jobset-name": "demo"}, "clusterIP": "None"})
    assert names(children(replicated("a"), network={"enableDNSHostnames": False})) == ["Job demo-a-0"]


def test_dependencies_wait_and_so_do_they_while_suspended() -> None:
    first, then = replicated("a"), replicated("b", 2, dependsOn=[{"name": "a", "status": "Complete"}])
    for suspend in (False, True):
        assert names(children(first, then, replicated("c"), suspend=suspend)) == [
            "Job demo-a-0",
            "Job demo-b-0*",
            "Job demo-b-1*",
            "Job demo-c-0",
            "Service demo",
        ]
    assert "ownerReferences" not in children(first, then)[1].manifest["metadata"]
    nobody = replicated("a", 0)
    assert names(children(nobody, then)) == ["Job demo-b-0", "Job demo-b-1", "Service demo"], "a target without Jobs has reached every status"


def test_in_order_starts_one_after_the_other_unless_suspended() -> None:
    jobs, order = (replicated("a", 0), replicated("b"), replicated("c")), {"startupPolicyOrder": "InOrder"}
    assert names(children(*jobs, startupPolicy=order)) == ["Job demo-b-0", "Job demo-c-0*", "Service demo"]
    assert names(children(*jobs, startupPolicy=order, suspend=True)) == ["Job demo-b-0", "Job demo-c-0", "Service demo"]


def test_another_manager_creates_them() -> None:
    assert children(replicated("a"), managedBy="acme.io/other") == ()
    assert len(children(replicated("a"), managedBy="jobset.sigs.k8s.io/jobset-controller")) == 2


def test_exclusive_placement_by_node_selector() -> None:
    exclusive = {f"{ALPHA}exclusive-topology": "rack", f"{ALPHA}node-selector": "true"}
    pod = {"nodeSelector": {"a": "b"}, "tolerations": [{"key": "t"}]}
    for found in (children(replicated("a", pod=pod), annotations=exclusive), children(replicated("a", annotations=exclusive, pod=pod))):
        template = found[0].manifest["spec"]["template"]
        assert template["spec"]["nodeSelector"] == {"a": "b", f"{ALPHA}namespaced-job": "default_demo-a-0"}
        assert template["spec"]["tolerations"] == [{"key": "t"}, {"key": f"{ALPHA}no-schedule", "operator": "Exists", "effect": "NoSchedule"}]
        assert template["metadata"]["annotations"].items() >= exclusive.items()
    affinity = children(replicated("a"), annotations={f"{ALPHA}exclusive-topology": "rack"})[0].manifest
    assert "nodeSelector" not in affinity["spec"]["template"]["spec"]


def test_claims() -> None:
    def policy(name: str, **fields: Any) -> Tree:
        return {"templates": [{"metadata": {"name": name, "labels": {"l": "1"}}, "spec": {"accessModes": ["ReadWriteOnce"]}}], **fields}

    mounting = replicated("a", pod={"containers": [{"name": "c", "image": "i", "volumeMounts": [{"name": "data", "mountPath": "/d"}]}]})
    found = children(mounting, replicated("b"), volumeClaimPolicies=[policy("data"), policy("kept", retentionPolicy={"whenDeleted": "Retain"})])
    assert names(found)[-2:] == ["PersistentVolumeClaim data-demo", "PersistentVolumeClaim kept-demo"]
    assert [("ownerReferences" in child.manifest["metadata"]) for child in found[-2:]] == [True, False]
    assert found[-1].manifest["metadata"]["labels"] == {"l": "1", f"{JOBSET}jobset-name": "demo"}
    volumes = [child.manifest["spec"]["template"]["spec"].get("volumes") for child in found[:2]]
    assert volumes == [[{"name": "data", "persistentVolumeClaim": {"claimName": "data-demo"}}], None]



def test_every_release_expands() -> None:
    for profile in PROFILES:
        assert names(children(replicated("a"), profile=profile.name)) == ["Job demo-a-0", "Service demo"]


def test_what_children_have_from_the_jobset() -> None:
    found = find("v2.3")
    assert found is not None
    second = replicated("a-0", 2, 3, pod={"containers": [{"name": "c", "image": "i", "volumeMounts": [{"name": "data", "mountPath": "/d"}]}]})
    second["template"]["spec"]["template"]["metadata"] = {"labels": {"team": "a"}}
    claims = {"templates": [{"metadata": {"name": "data", "labels": {"kept": "yes"}}, "spec": {"accessModes": ["ReadWriteOnce"]}}]}
    spec = {
        "suspend": True,
        "replicatedJobs": [replicated("a", annotations={"b": "c"}), second],
        "network": {"subdomain": "sub"},
        "volumeClaimPolicies": [claims],
    }
    jobset = {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "demo", "namespace": "default", "uid": "u-1"}, "spec": spec}
    stored = admitted_form(jobset, found)
    copied = []
    for child in expand(stored, found):
        kind, name = child.manifest["kind"], child.manifest["metadata"]["name"]
        for path in addresses.leaves(child.manifest):
            place = place_in_jobset(stored, kind, name, path)
            value = look_up(stored, place) if place else MISSING
            if value is not MISSING:
                assert value == look_up(child.manifest, path), (kind, name, path)
                copied.append((kind, name, addresses.text(path)))
    assert {
        ("Job", "demo-a-0", "spec.suspend"),
        ("Job", "demo-a-0", "metadata.annotations.b"),
        ("Job", "demo-a-0-1", "spec.completions"),
        ("Job", "demo-a-0-1", "spec.template.metadata.labels.team"),
        ("Job", "demo-a-0-1", "spec.template.spec.containers[0].image"),
        ("Job", "demo-a-0-1", "spec.template.spec.subdomain"),
        ("Service", "sub", "spec.publishNotReadyAddresses"),
        ("PersistentVolumeClaim", "data-demo", "metadata.labels.kept"),
        ("PersistentVolumeClaim", "data-demo", "spec.accessModes[0]"),
    } <= set(copied)
    added = {("Job", "demo-a-0", "metadata.name"), ("Job", "demo-a-0-1", "spec.template.spec.volumes[0].name"), ("Service", "sub", "metadata.name")}
    assert not added & set(copied)


CLAIMED: Tree = {
    "metadata": {"name": "demo"},
    "spec": {
        "replicatedJobs": [{"name": "a"}, {"name": "a-b"}],
        "volumeClaimPolicies": [{}, {"templates": [{"metadata": {"name": "x"}}, {"metadata": {"name": "y"}}]}],
    },
}
IN_JOB = ("spec", "replicatedJobs", 1, "template")
IN_CLAIM = ("spec", "volumeClaimPolicies", 1, "templates", 1)
BARE: Tree = {"metadata": {"name": "demo"}, "spec": {}}


@pytest.mark.parametrize(
    ("kind", "name", "path", "place"),
    [
        ("Job", "demo-a-b-0", ("spec", "suspend"), ("spec", "suspend")),
        ("Job", "demo-a-b-0", ("spec", "parallelism"), (*IN_JOB, "spec", "parallelism")),
        ("Job", "demo-a-b-12", ("metadata", "labels", "x"), (*IN_JOB, "metadata", "labels", "x")),
        ("Job", "demo-a-b-12", ("metadata", "annotations", "x"), (*IN_JOB, "metadata", "annotations", "x")),
        ("Job", "demo-a-b-0", ("metadata", "name"), ()),
        ("Job", "demo-c-0", ("spec", "parallelism"), ()),
        ("Job", "demo-a-b-0", ("spec", "template", "spec", "subdomain"), ("spec", "network", "subdomain")),
        ("Job", "demo-a-b-0", ("spec", "template", "spec", "hostname"), (*IN_JOB, "spec", "template", "spec", "hostname")),
        ("Service", "demo", ("spec", "publishNotReadyAddresses"), ("spec", "network", "publishNotReadyAddresses")),
        ("Service", "demo", ("spec", "selector"), ()),
        ("PersistentVolumeClaim", "y-demo", ("spec", "accessModes"), (*IN_CLAIM, "spec", "accessModes")),
        ("PersistentVolumeClaim", "y-demo", ("metadata", "labels", "x"), (*IN_CLAIM, "metadata", "labels", "x")),
        ("PersistentVolumeClaim", "y-demo", ("metadata", "annotations", "x"), (*IN_CLAIM, "metadata", "annotations", "x")),
        ("PersistentVolumeClaim", "y-demo", ("metadata", "namespace"), ()),
        ("PersistentVolumeClaim", "z-demo", ("spec", "accessModes"), ()),
        ("Pod", "demo-a-b-0", ("spec", "suspend"), ()),
    ],
)
def test_where_the_jobset_has_what_its_children_have(kind: str, name: str, path: Path, place: Path) -> None:
    assert place_in_jobset(CLAIMED, kind, name, path) == place
    assert place_in_jobset(BARE, kind, name, path) == (place if place[1:2] in (("suspend",), ("network",)) else ())
