"""kubeflow.org/v2alpha1 by its words."""

from __future__ import annotations

from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler.emit.yaml import to_yaml

Tree = dict[str, Any]
OLD, TODAY = "kubeflow.org/v2alpha1", "trainer.kubeflow.org/v1alpha1"
LABEL = "trainer.kubeflow.org/trainjob-ancestor-step"


def runtime(job: str = "trainer-node", container: str = "trainer", version: str = OLD, labels: Tree | None = None, **spec: Any) -> Tree:
    template: Tree = {"spec": {"template": {"spec": {"containers": [{"name": container, "image": "registry.example/train:1"}]}}}}
    if labels is not None:
        template["metadata"] = {"labels": labels}
    jobs = {"replicatedJobs": [{"name": job, "template": template}]}
    spec = {"mlPolicy": {"numNodes": 2, "torch": {}}, "template": {"spec": jobs}, **spec}
    return {"apiVersion": version, "kind": "ClusterTrainingRuntime", "metadata": {"name": "rt"}, "spec": spec}


def trainjob(version: str = OLD, **spec: Any) -> Tree:
    return {"apiVersion": version, "kind": "TrainJob", "metadata": {"name": "job"}, "spec": {"runtimeRef": {"name": "rt"}, **spec}}


def migrated(*trees: Tree, release: str = "v2.3") -> jc.Migration:
    return jc.migrate(to_yaml(trees), trainer_version=release)


@pytest.mark.parametrize("version", [OLD, "trainer.kubeflow.org/v2alpha1", TODAY])
@pytest.mark.parametrize("release", ["v2.0", "v2.1", "v2.2", "v2.3"])
def test_old_words_become_those_of_today(version: str, release: str) -> None:
    migration = migrated(runtime(version=version), trainjob(version, trainer={"numNodes": 3, "env": [{"name": "A", "value": "1"}]}), release=release)
    assert migration.ok, migration.diagnostics
    of_runtime, of_job = migration.documents
    (job,) = of_runtime["spec"]["template"]["spec"]["replicatedJobs"]
    assert (job["name"], job["template"]["metadata"]["labels"]) == ("node", {LABEL: "trainer"})
    assert {of_runtime["apiVersion"], of_job["apiVersion"]} == {TODAY}
    result = jc.compile_yaml(migration.text, trainer_version=release)
    spec = result.objects[0]["spec"]["replicatedJobs"][0]["template"]["spec"]
    env = {entry["name"]: entry.get("value") for entry in spec["template"]["spec"]["containers"][0]["env"]}
    assert (spec["parallelism"], env["A"], env["PET_MASTER_ADDR"]) == (3, "1", "job-node-0-0.job")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"apiGroup": "kubeflow.org"}, {"name": "rt", "apiGroup": "trainer.kubeflow.org"}),
        ({}, {"name": "rt"}),
        ({"kind": "TrainingRuntime"}, {"name": "rt", "kind": "TrainingRuntime"}),
    ],
)
def test_the_group_of_the_runtime_follows(given: Tree, expected: Tree) -> None:
    (document,) = migrated({**trainjob(), "spec": {"runtimeRef": {"name": "rt", **given}}}).documents
    assert document["spec"]["runtimeRef"] == expected


@pytest.mark.parametrize(
    ("release", "spec"),
    [
        ("v2.0", {"labels": {"x": "y"}, "trainer": {"numNodes": 3, "numProcPerNode": "auto"}}),
        ("v2.3", {"runtimePatches": [{"manager": "jobset-compiler/migrate", "trainingRuntimeSpec": {"template": {"metadata": {"labels": {"x": "y"}}}}}]}),
    ],
)
def test_a_trainjob_alone(release: str, spec: Tree) -> None:
    config = {"storageUri": "hf://d/s", "env": [{"name": "A", "value": "b"}]}
    tree = trainjob(datasetConfig=config, trainer={"numNodes": 3, "numProcPerNode": "auto"}, labels={"x": "y"})
    (document,) = migrated(tree, release=release).documents
    assert document["spec"] == {"runtimeRef": {"name": "rt"}, "initializer": {"dataset": config}, "trainer": {"numNodes": 3}, **spec}


def test_jobs_that_other_parts_name_are_called_by_their_new_name() -> None:
    tree = runtime()
    spec = tree["spec"]["template"]["spec"]
    report = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "registry.example/report:1"}]}}}}
    spec["replicatedJobs"].append({"name": "report", "dependsOn": [{"name": "trainer-node", "status": "Complete"}], "template": report})
    spec["successPolicy"] = {"operator": "All", "targetReplicatedJobs": ["trainer-node"]}
    spec["failurePolicy"] = {"rules": [{"name": "once", "action": "FailJobSet", "targetReplicatedJobs": ["report", "trainer-node"]}]}
    (document,) = migrated(tree).documents
    now = document["spec"]["template"]["spec"]
    assert now["replicatedJobs"][1]["dependsOn"] == [{"name": "node", "status": "Complete"}]
    assert now["successPolicy"]["targetReplicatedJobs"] == ["node"]
    assert now["failurePolicy"]["rules"][0]["targetReplicatedJobs"] == ["report", "node"]


@pytest.mark.parametrize("labels", [{LABEL: "trainer"}, {}])
def test_words_of_today_change_nothing_but_the_version(labels: Tree) -> None:
    tree = runtime("node", "node", labels=labels)
    migration = migrated(tree)
    assert migration.documents == ({**tree, "apiVersion": TODAY},)
    assert [diagnostic.slug for diagnostic in migration.diagnostics if diagnostic.stage == "convert"] == ["relabelled"]


def test_words_of_both_are_refused_with_both_places() -> None:
    migration = migrated(runtime(labels={LABEL: "trainer"}))
    (diagnostic,) = migration.diagnostics
    assert (diagnostic.slug, diagnostic.path, diagnostic.hint) == (
        "two-vocabularies",
        "spec.template.spec.replicatedJobs[0].name",
        "rename the job to node",
    )
    assert diagnostic.notes and migration.documents == ()


def test_without_convert_the_error_names_both_ways() -> None:
    (diagnostic,) = jc.compile_objects([trainjob()]).diagnostics
    assert diagnostic.code == "JSC102" and "migrate" in diagnostic.hint and "--convert" in diagnostic.hint


@pytest.mark.parametrize("tree", [trainjob(), runtime(), runtime("node", "node", labels={LABEL: "trainer"})])
def test_what_a_server_had_added_stays_behind(tree: Tree) -> None:
    added = {"uid": "3f0c8a52-6d1b-4e57-9a34-0b7d1c2e9f10", "resourceVersion": "12", "generation": 2, "creationTimestamp": "2025-01-01T00:00:00Z"}
    annotations = {"kubectl.kubernetes.io/last-applied-configuration": "{}", "example.com/why": "a"}
    given = {**tree, "metadata": {**tree["metadata"], **added, "annotations": annotations}, "status": {"conditions": []}}
    (document,) = migrated(given).documents
    assert document["metadata"] == {**tree["metadata"], "annotations": {"example.com/why": "a"}} and "status" not in document
