"""`explain` as a command: its forms, and what can be asked of it alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Here = Callable[..., Any]

FIELD = "spec.replicatedJobs[name=node].template.spec.parallelism"


def test_the_story(here: Here, tmp_path: Path, runtime: str, job_of_mine: str) -> None:
    (tmp_path / "rt.yaml").write_text(runtime)
    (tmp_path / "job.yaml").write_text(job_of_mine + "  trainer:\n    numNodes: 3\n")
    code, out, _ = here("explain", "job.yaml", "-r", "rt.yaml")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "TrainJob default/train-mine  (job.yaml:1)"
    assert "  runtime   ClusterTrainingRuntime mine  (rt.yaml:1)" in lines
    assert any(line.startswith("    pods      3 ") and line.endswith("<- pass sizing, job.yaml:9 spec.trainer.numNodes") for line in lines)
    assert "      - the TrainJob does not set numProcPerNode  (job.yaml:9 spec.trainer)" in lines
    assert "    /spec/runtimeRef/kind" in lines


def test_json_has_the_same_for_programs(here: Here, job: str) -> None:
    found = json.loads(here("explain", "-", "-o", "json", stdin=f"{job}---\n{job.replace('name: train', 'name: other')}").out)
    assert found["format"] == "jobset-compiler.explanation/v1"
    assert [told["trainJob"]["name"] for told in found["trainJobs"]] == ["train", "other"]
    assert found["trainJobs"][0]["jobs"][0]["containers"][0]["name"] == "node"
    assert json.loads(here("explain", "-", "-o", "json", stdin="").out) == {"format": "jobset-compiler.explanation/v1", "trainJobs": []}


def test_only_the_names(here: Here, job: str) -> None:
    out = here("explain", "-", "--names", stdin=job).out
    assert out.splitlines()[1].split() == ["JobSet", "train", "5", "of", "63", "by", "Trainer"]
    assert "train-node-0-0-xxxxx" in out and "image" not in out
    (told,) = json.loads(here("explain", "-", "--names", "-o", "json", stdin=job).out)["trainJobs"]
    assert set(told) == {"trainJob", "names"}


def test_only_ignore_differences(here: Here, job: str) -> None:
    parsed = yaml.safe_load(here("explain", "-", "--ignore-differences", stdin=f"{job}---\n{job.replace('name: train', 'name: other')}").out)
    first, second = parsed["ignoreDifferences"]
    assert (first["group"], first["kind"], first["name"], second["name"]) == ("trainer.kubeflow.org", "TrainJob", "train", "other")
    assert "/spec/runtimeRef/kind" in first["jsonPointers"]


def test_only_a_field(here: Here, job: str) -> None:
    out = here("explain", "-", "--field", FIELD, "--field", "spec.network", stdin=job + "  trainer: {numNodes: 2}\n")
    assert out.code == 2, "there is no network in it"
    out = here("explain", "-", "--field", FIELD, stdin=job + "  trainer: {numNodes: 2}\n").out
    assert out.startswith(f"{FIELD} of JobSet default/train\n  pass  sizing") and "spec.trainer.numNodes" in out
    found = json.loads(here("explain", "-", "--field", FIELD, "-o", "json", stdin=job + "  trainer: {numNodes: 2}\n").out)
    assert [origin["kind"] for origin in found["trainJobs"][0]["fields"][0]["origin"]] == ["pass", "input"]


def test_only_one_thing_alone(here: Here, job: str) -> None:
    code, out, err = here("explain", "-", "--names", "--field", FIELD, stdin=job)
    assert (code, out) == (2, "") and "exclude each other" in err


def test_errors_leave_standard_output_empty(here: Here, job: str) -> None:
    for arguments in ((), ("-o", "json"), ("--names",), ("--ignore-differences",)):
        code, out, err = here("explain", "-", *arguments, stdin=f"{job}---\n{job.replace('torch-distributed', 'nope')}")
        assert (code, out) == (1, "") and "runtime-not-found" in err
