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
    assert any(line.startswith("  runtime    ClusterTrainingRuntime mine (rt.yaml:1), fingerprint ") for line in lines)
    assert any(line.startswith("    pods       3 ") and line.endswith("<- sizing, numNodes, line 9") for line in lines)
    assert "      - the TrainJob does not set numProcPerNode  <- line 9" in lines
    assert all(len(line) <= 80 for line in lines) and "/spec/runtimeRef/kind" not in out
    assert "    /spec/runtimeRef/kind" in here("explain", "job.yaml", "-r", "rt.yaml", "--gitops").out.splitlines()


def test_width_and_colours(here: Here, job: str) -> None:
    narrow, wide = (here("explain", "-", stdin=job, environment={"COLUMNS": columns}).out.splitlines() for columns in ("80", "120"))
    assert max(map(len, narrow)) <= 80 < max(map(len, wide)) <= 120
    assert here("explain", "-", stdin=job, environment={"COLUMNS": "0"}).out == here("explain", "-", stdin=job).out
    coloured = here("explain", "-", "--color", "always", stdin=job).out
    assert "\x1b[1mTrainJob default/train" in coloured and "\x1b" not in here("explain", "-", stdin=job).out


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
    assert out.code == 2 and out.out == "" and "--field spec.network: neither" in out.err, "there is no network in it"
    out = here("explain", "-", "--field", FIELD, stdin=job + "  trainer: {numNodes: 2}\n").out
    assert out == (
        f"{FIELD} of JobSet default/train\n"
        "  value      2\n"
        "  from       pass sizing of the compiler\n"
        "             spec.trainer.numNodes              <- <stdin>:8\n"
    )
    found = json.loads(here("explain", "-", "--field", FIELD, "-o", "json", stdin=job + "  trainer: {numNodes: 2}\n").out)
    assert [origin["kind"] for origin in found["trainJobs"][0]["fields"][0]["origin"]] == ["pass", "input"]


def test_a_field_of_the_input(here: Here, tmp_path: Path, runtime: str, job_of_mine: str) -> None:
    """Where both sides have it, both are told."""
    (tmp_path / "rt.yaml").write_text(runtime)
    (tmp_path / "job.yaml").write_text(job_of_mine + "  trainer:\n    numNodes: 3\n")
    out = here("explain", "job.yaml", "-r", "rt.yaml", "--field", "spec.trainer.numNodes").out
    assert out == (
        "spec.trainer.numNodes of TrainJob train-mine    <- job.yaml:9\n"
        "  value      3\n"
        "  pods       3 of node\n"
        "  comes to   JobSet train-mine, node, container node\n"
        "             PET_NNODES=3\n"
    )
    (told,) = json.loads(here("explain", "job.yaml", "-r", "rt.yaml", "--field", "metadata.name", "-o", "json").out)["trainJobs"]
    assert [(field["of"]["kind"], "origin" in field) for field in told["fields"]] == [("JobSet", True), ("TrainJob", False), ("ClusterTrainingRuntime", False)]
    (told,) = json.loads(here("explain", "job.yaml", "-r", "rt.yaml", "--field", "spec.trainer.numNodes", "-o", "json").out)["trainJobs"]
    assert {effect["address"].rpartition(".")[2] for effect in told["fields"][0]["effects"]} == {"parallelism", "completions", "value"}


def test_a_line_of_the_input(here: Here, tmp_path: Path, runtime: str, job_of_mine: str) -> None:
    (tmp_path / "rt.yaml").write_text(runtime)
    text = job_of_mine + "  trainer:\n    numNodes: 3\n    env:\n    - name: WANDB_API_KEY\n      value: secret\n    args:\n    - |\n      a\n      b\n"
    (tmp_path / "job.yaml").write_text(text)
    told = here("explain", "--line", "job.yaml:9", "-r", "rt.yaml")
    assert here("explain", "job.yaml", "--line", "./job.yaml:9", "-r", "rt.yaml").out == told.out
    assert told.code == 0 and "  pods       3 of node\n" in told.out and "PET_NNODES=3" in told.out
    hidden = here("explain", "--line", "job.yaml:11", "--line", "job.yaml:12", "-r", "rt.yaml").out
    assert hidden.count("WANDB_API_KEY=(hidden)") == 2 and "secret" not in hidden
    inside = here("explain", "--line", "job.yaml:16", "-r", "rt.yaml").out
    assert inside.startswith("spec.trainer.args[0] of TrainJob train-mine"), "a text goes on there"
    (image,) = [number for number, line in enumerate(runtime.splitlines(), 1) if "image:" in line]
    of_runtime = here("explain", "job.yaml", "-r", "rt.yaml", "--line", f"rt.yaml:{image}").out
    assert "of ClusterTrainingRuntime mine" in of_runtime and "             image: example.com/image\n" in of_runtime
    piped = here("explain", "--line", "-:9", "-", "-r", "rt.yaml", stdin=text)
    assert piped.out.startswith("spec.trainer.numNodes of TrainJob train-mine    <- <stdin>:9\n")


def test_a_line_that_nothing_is_made_of(here: Here, tmp_path: Path, job: str) -> None:
    (tmp_path / "job.yaml").write_text("# a comment\n" + job)
    nothing, malformed = "no field of a TrainJob", "FILE:LINE"
    for line, said in (("job.yaml:1", nothing), ("job.yaml:99", nothing), ("other.yaml:2", nothing), ("job.yaml", malformed), (":3", malformed)):
        told = here("explain", "job.yaml", "--line", line)
        assert (told.code, told.out) == (2, "") and said in told.err, line
    assert here("explain", "--line", "none.yaml:3").code == 2
    for field, said in (("", "it is empty"), ("spec..a", "empty step"), ("spec.replicatedJobs[9]", "neither")):
        told = here("explain", "job.yaml", "--field", field)
        assert (told.code, told.out) == (2, "") and said in told.err, field
    assert "the choice of the runtime" in here("explain", "job.yaml", "--line", "job.yaml:8").out


def test_only_one_thing_alone(here: Here, job: str) -> None:
    code, out, err = here("explain", "-", "--names", "--field", FIELD, stdin=job)
    assert (code, out) == (2, "") and "exclude each other" in err


def test_errors_leave_standard_output_empty(here: Here, job: str) -> None:
    for arguments in ((), ("-o", "json"), ("--names",), ("--ignore-differences",)):
        code, out, err = here("explain", "-", *arguments, stdin=f"{job}---\n{job.replace('torch-distributed', 'nope')}")
        assert (code, out) == (1, "") and "runtime-not-found" in err
