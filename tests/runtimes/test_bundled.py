"""The bundled runtimes: the index, the files, and that their values are upstream's."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from ruamel.yaml import YAML

import answers
from jobset_compiler import runtimes

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = Path(runtimes.__file__).parent

RELEASES: Final = {"v2.0": "v2.0.1", "v2.1": "v2.1.0", "v2.2": "v2.2.1", "v2.3": "v2.3.0"}
BUNDLED: Final = [(profile, name) for profile in RELEASES for name in runtimes.names(profile)]

FRAMEWORKS: Final = {
    "deepspeed-distributed": "deepspeed",
    "jax-distributed": "jax",
    "mlx-distributed": "mlx",
    "torch-distributed": "torch",
    "torch-distributed-with-cache": "torch",
    "torchtune-llama3.2-1b": "torchtune",
    "torchtune-llama3.2-3b": "torchtune",
    "torchtune-qwen2.5-1.5b": "torchtune",
    "xgboost-distributed": "xgboost",
}

# The first 16 digits of the SHA-256 of upstream's own manifests, rendered with kustomize at the release's tag and
# written as JSON with sorted keys and no spaces. A release never changes, so neither do these.
UPSTREAM_DIGESTS: Final = {
    "v2.0": {
        "deepspeed-distributed": "e25c77f24ef65a92",
        "mlx-distributed": "d17a43faa7d5e622",
        "mpi-distributed": "080a77324b180c05",
        "torch-distributed": "9ab28b4edd250c18",
        "torchtune-llama3.2-1b": "7d0298bf82379c3b",
        "torchtune-llama3.2-3b": "51c2a8c29fdaeedd",
    },
    "v2.1": {
        "deepspeed-distributed": "0d48ab0ad1f2ebfc",
        "mlx-distributed": "5add0d98a859601c",
        "torch-distributed": "de3b187de983459f",
        "torch-distributed-with-cache": "94854ca5bc7f3180",
        "torchtune-llama3.2-1b": "852b3dde3694e366",
        "torchtune-llama3.2-3b": "8f7eda097a1d9dbe",
        "torchtune-qwen2.5-1.5b": "7062d7900dfb9e5c",
    },
    "v2.2": {
        "deepspeed-distributed": "f3765d9ff92cbe15",
        "jax-distributed": "9da3b9ed5f50a07a",
        "mlx-distributed": "7884364242e3b3bc",
        "torch-distributed": "b4626957864ae833",
        "torch-distributed-with-cache": "64db723d858b9de7",
        "torchtune-llama3.2-1b": "2e689868df24eb38",
        "torchtune-llama3.2-3b": "e4f88d191f8df998",
        "torchtune-qwen2.5-1.5b": "fa3f4f40f5d00c19",
        "xgboost-distributed": "ee0ba3cfd5692587",
    },
    "v2.3": {
        "deepspeed-distributed": "aca3209e220ff870",
        "jax-distributed": "b098c13c6fa297d4",
        "mlx-distributed": "bbf50cf8d308171a",
        "torch-distributed": "7d64095aae6a3db1",
        "torch-distributed-with-cache": "373ae034b79ba4d5",
        "torchtune-llama3.2-1b": "421d396006817697",
        "torchtune-llama3.2-3b": "4707e56be69d6f1d",
        "torchtune-qwen2.5-1.5b": "d21a811c99bf5dca",
        "xgboost-distributed": "3c31131deb612313",
    },
}


def load_all(text: str) -> list[Any]:
    return [document for document in YAML(typ="safe", pure=True).load_all(text) if document is not None]


def load(profile: str, name: str) -> Any:
    (document,) = load_all(runtimes.text_of(profile, name))
    return document


def replicated_jobs(runtime: Any) -> list[Any]:
    jobs: list[Any] = runtime["spec"]["template"]["spec"]["replicatedJobs"]
    return jobs


def containers(runtime: Any) -> Iterator[Any]:
    for job in replicated_jobs(runtime):
        yield from job["template"]["spec"]["template"]["spec"]["containers"]


@pytest.mark.parametrize("profile", RELEASES)
def test_the_index_is_the_folder(profile: str) -> None:
    assert list(runtimes.names(profile)) == sorted(
        path.name.removesuffix(".yaml") for path in (FOLDER / profile).iterdir()
    )


def test_every_folder_is_indexed() -> None:
    folders = {path.name for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == {*RELEASES, "next"}


def test_every_bundled_runtime_has_a_one_sentence_summary() -> None:
    assert set(runtimes.SUMMARY) == {name for _, name in BUNDLED}
    for sentence in runtimes.SUMMARY.values():
        assert sentence.endswith(".") and "\n" not in sentence and len(sentence) < 100


def test_unknown_profiles_and_names() -> None:
    assert runtimes.names("v1.9") == ()
    assert runtimes.path_of("v1.9", "torch-distributed") is None
    assert runtimes.path_of("v2.3", "mpi-distributed") is None
    with pytest.raises(KeyError, match=r"^'profile v2\.3 bundles no runtime named mpi-distributed'$"):
        runtimes.text_of("v2.3", "mpi-distributed")


def test_a_name_cannot_reach_another_file() -> None:
    assert runtimes.path_of("v2.3", "../v2.0/mpi-distributed") is None
    assert runtimes.path_of("../runtimes/v2.3", "torch-distributed") is None


def test_paths_are_absolute_from_anywhere(tmp_path: Path) -> None:
    program = "from jobset_compiler import runtimes; print(runtimes.path_of('v2.3', 'torch-distributed'))"
    environment = {**os.environ, "PYTHONPATH": os.path.relpath(ROOT, tmp_path)}
    answer = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    path = answer.stdout.strip()
    assert os.path.isabs(path) and os.path.isfile(path)


@pytest.mark.parametrize(("profile", "name"), BUNDLED)
def test_the_file_is_the_runtime_it_is_named_after(profile: str, name: str) -> None:
    document = load(profile, name)
    assert document["apiVersion"] == "trainer.kubeflow.org/v1alpha1"
    assert document["kind"] == "ClusterTrainingRuntime"
    assert document["metadata"]["name"] == name
    assert "namespace" not in document["metadata"]
    assert document["spec"]["mlPolicy"]["numNodes"] == 1


@pytest.mark.parametrize(("profile", "name"), BUNDLED)
def test_the_text_is_tidy_and_says_what_it_mirrors(profile: str, name: str) -> None:
    text = runtimes.text_of(profile, name)
    assert "\t" not in text and "\r" not in text and text.endswith("\n") and text.isascii()
    assert max(map(len, text.splitlines())) <= 120
    comments = [line for line in text.splitlines() if line.startswith("#")]
    assert text.startswith("#")
    assert any(f"Kubeflow Trainer {RELEASES[profile].removeprefix('v')}." in line for line in comments)


@pytest.mark.parametrize(("profile", "name"), BUNDLED)
def test_the_values_are_those_of_upstream(profile: str, name: str) -> None:
    canonical = json.dumps(load(profile, name), sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(canonical.encode()).hexdigest()[:16] == UPSTREAM_DIGESTS[profile][name]


@pytest.mark.parametrize("profile", RELEASES)
def test_the_set_is_that_of_upstream(profile: str) -> None:
    assert list(runtimes.names(profile)) == list(UPSTREAM_DIGESTS[profile])


@pytest.mark.parametrize(("profile", "name"), BUNDLED)
def test_labels(profile: str, name: str) -> None:
    expected = {}
    if name != "mpi-distributed":
        expected["trainer.kubeflow.org/framework"] = FRAMEWORKS[name]
    if profile == "v2.3":
        expected["trainer.kubeflow.org/webhook-validation"] = "disabled"
    assert load(profile, name)["metadata"].get("labels", {}) == expected


@pytest.mark.parametrize(("profile", "name"), BUNDLED)
def test_images_of_the_project_carry_the_release(profile: str, name: str) -> None:
    values = [container["image"] for container in containers(load(profile, name))]
    values += [
        entry.get("value", "") for container in containers(load(profile, name)) for entry in container.get("env", ())
    ]
    own = [value for value in values if value.startswith("ghcr.io/kubeflow/trainer/")]
    assert [value for value in own if not value.endswith(":" + RELEASES[profile])] == []
    assert all(":" in container["image"] for container in containers(load(profile, name)))


@pytest.mark.parametrize(("profile", "name"), BUNDLED)
def test_exactly_one_job_is_the_trainer(profile: str, name: str) -> None:
    step = "trainer.kubeflow.org/trainjob-ancestor-step"
    steps = {
        job["name"]: job["template"].get("metadata", {}).get("labels", {}).get(step)
        for job in replicated_jobs(load(profile, name))
    }
    trainer = "launcher" if "launcher" in steps else "node"
    assert [job for job, value in steps.items() if value == "trainer"] == [trainer]


def as_shipped_inputs_write_it(runtime: Any, profile: str) -> Any:
    """Without the three things that the conformance inputs write in their own words.

    None of them is a fact those inputs are about: an explicit default, a label that upstream's mpi-distributed does not
    have, and the demonstration scripts of 2.0 that run when a TrainJob has no command.
    """
    runtime = copy.deepcopy(runtime)
    name = runtime["metadata"]["name"]
    if name == "mpi-distributed":
        runtime["metadata"].pop("labels", None)
    for job in replicated_jobs(runtime):
        if job.get("replicas") == 1:
            del job["replicas"]
        demonstrates = name in ("torch-distributed", "deepspeed-distributed", "mlx-distributed")
        if profile == "v2.0" and demonstrates and job["template"].get("metadata"):
            for container in job["template"]["spec"]["template"]["spec"]["containers"]:
                container.pop("command", None)
                container.pop("args", None)
    return runtime


def test_the_shipped_family_of_the_conformance_set_uses_the_same_runtimes() -> None:
    seen = set()
    for case in answers.cases("compile", "shipped"):
        for document in load_all(case["input"]):
            if document["kind"] != "ClusterTrainingRuntime":
                continue
            name = document["metadata"]["name"]
            for profile in case["results"]:
                if name in runtimes.names(profile):
                    seen.add((profile, name))
                    ours = as_shipped_inputs_write_it(load(profile, name), profile)
                    assert as_shipped_inputs_write_it(document, profile) == ours, (case["id"], profile)
    assert seen == set(BUNDLED)
