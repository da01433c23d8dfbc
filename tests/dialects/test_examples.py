"""Whole jobs and what becomes of them, worked out by hand from the rules of both sides: the same documents, and where bytes matter the same bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import jobset_compiler as jc

FOLDER = Path(__file__).parent / "examples"
MARK = "--- # BECOMES\n"
# Of each example: the release that it was worked out for, and what was asked for.
EXAMPLES: dict[str, tuple[str, dict[str, Any]]] = {
    "pytorchjob-over-the-community-runtime": ("v2.3", {}),
    "pytorchjob-with-everything": ("v2.3", {"gang": "coscheduling", "keep_ttl": True}),
    "elastic-pytorchjob": ("v2.3", {}),
    "mpijob-of-the-mpi-operator": ("v2.3", {"keep_ttl": True}),
    "tfjob-with-parameter-server": ("v2.3", {}),
    "xgboostjob": ("v2.3", {}),
    "jaxjob": ("v2.3", {}),
    "overrides-of-2.1": ("v2.3", {"manager": "example.com/migrated"}),
    "preview-with-two-initialisers": ("v2.3", {}),
    "ome-basic": ("v2.1", {}),
}


def example(name: str) -> tuple[str, list[Any], str, jc.Wishes]:
    old, _, new = (FOLDER / f"{name}.yaml").read_text().partition(MARK)
    release, wishes = EXAMPLES[name]
    return old, list(yaml.safe_load_all(new)), release, jc.Wishes(**wishes)


def rendered(name: str) -> tuple[dict[str, Any], ...]:
    old, _, release, wishes = example(name)
    result = jc.compile_yaml(jc.migrate(old, trainer_version=release, wishes=wishes).text, trainer_version=release)
    assert result.ok, result.diagnostics
    return result.objects


def pods(jobset: dict[str, Any], name: str) -> dict[str, Any]:
    return next(entry["template"]["spec"] for entry in jobset["spec"]["replicatedJobs"] if entry["name"] == name)


def env(jobset: dict[str, Any], name: str = "node") -> list[tuple[str, str | None]]:
    return [(entry["name"], entry.get("value")) for entry in pods(jobset, name)["template"]["spec"]["containers"][0]["env"]]


def test_every_file_is_an_example() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == EXAMPLES.keys()


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_becomes_what_was_worked_out(name: str) -> None:
    old, documents, release, wishes = example(name)
    migration = jc.migrate(old, trainer_version=release, wishes=wishes)
    assert migration.ok, migration.diagnostics
    assert list(migration.documents) == documents
    assert list(yaml.safe_load_all(migration.text)) == documents


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_compiles_as_it_does_after_convert_and_is_migrated_once(name: str) -> None:
    old, documents, release, wishes = example(name)
    text = jc.migrate(old, trainer_version=release, wishes=wishes).text
    assert jc.migrate(text, trainer_version=release).text == text
    assert jc.compile_objects(documents, trainer_version=release).objects == rendered(name)
    if not wishes.keep_ttl and wishes.gang == "none":
        assert jc.compile_yaml(old, trainer_version=release, convert=True).objects == rendered(name)


def test_host_file_of_mpi() -> None:
    (config,) = (made for made in rendered("mpijob-of-the-mpi-operator") if made["kind"] == "ConfigMap")
    assert config["metadata"]["name"] == "pi-mpi-hostfile"
    assert config["data"] == {"hostfile": "pi-node-0-0.pi slots=1\npi-node-0-1.pi slots=1\n"}


def test_counts_and_success_of_tensorflow() -> None:
    jobset = rendered("tfjob-with-parameter-server")[0]
    assert [(name, pods(jobset, name)["parallelism"], pods(jobset, name)["completions"]) for name in ("ps", "worker")] == [("ps", 1, 1), ("worker", 2, 2)]
    assert pods(jobset, "worker")["successPolicy"] == {"rules": [{"succeededIndexes": "0"}]}
    given = dict(env(jobset, "worker"))["TF_CONFIG"] or ""
    assert given == (
        '{"cluster":{"ps":["tf-ps-0-0.tf:2222"],"worker":["tf-worker-0-0.tf:2222","tf-worker-0-1.tf:2222"]},'
        '"task":{"type":"worker","index":$(TF_TASK_INDEX)},"environment":"cloud"}'
    )
    assert json.loads(given.replace("$(TF_TASK_INDEX)", "1"))["task"] == {"type": "worker", "index": 1}


def test_flags_of_an_elastic_job_stand_beside_the_variables_of_the_release() -> None:
    jobset = rendered("elastic-pytorchjob")[0]
    assert ("PET_NNODES", "2") in env(jobset)
    assert pods(jobset, "node")["template"]["spec"]["containers"][0]["command"][1] == "--nnodes=1:3"


def test_variables_of_the_preview_and_of_ome() -> None:
    (jobset,) = rendered("preview-with-two-initialisers")
    assert ("PET_MASTER_ADDR", "ft-node-0-0.ft") in env(jobset) and ("PET_NPROC_PER_NODE", "2") in env(jobset)
    assert [env(jobset, f"{what}-initializer") for what in ("dataset", "model")] == [[("STORAGE_URI", "hf://d/s")], [("STORAGE_URI", "hf://m/x")]]
    jobset, group = rendered("ome-basic")
    assert env(jobset) == [
        ("PET_NNODES", "4"),
        ("PET_NPROC_PER_NODE", "1"),
        ("PET_NODE_RANK", None),
        ("PET_MASTER_ADDR", "ft-llama-node-0-0.ft-llama"),
        ("PET_MASTER_PORT", "29500"),
    ]
    assert group["spec"] == {"minMember": 4, "minResources": {}, "scheduleTimeoutSeconds": 300}


@pytest.mark.parametrize("group", ["kubeflow.org", "ome.io"])
def test_a_runtime_of_another_group_is_none(group: str) -> None:
    spec = {"runtimeRef": {"apiGroup": group, "name": "torch-distributed"}}
    job = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": {"name": "j"}, "spec": spec}
    (error,) = [found for found in jc.compile_objects([job]).diagnostics if found.is_error]
    assert f"unsupported runtime: ClusterTrainingRuntime.{group}" in error.message and "trainer.kubeflow.org" in error.hint
