"""The files under examples/: readable on their own, and about runtimes that exist."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from ruamel.yaml import YAML

from jobset_compiler import runtimes

FILES: Final = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.yaml"))
API_VERSION: Final = "trainer.kubeflow.org/v1alpha1"


def load_all(path: Path) -> list[Any]:
    return list(YAML(typ="safe", pure=True).load_all(path.read_text(encoding="utf-8")))


def test_they_are_numbered_without_gaps() -> None:
    assert [path.name[:3] for path in FILES] == [f"{number:02}-" for number in range(1, len(FILES) + 1)]
    assert len(FILES) >= 6


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_first_line_says_what_it_shows(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ") and lines[0].endswith(".")
    assert max(map(len, lines)) <= 120 and not any("\t" in line for line in lines)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_one_trainjob_whose_runtime_can_be_found(path: Path) -> None:
    documents = load_all(path)
    assert {document["apiVersion"] for document in documents} == {API_VERSION}
    (job,) = [document for document in documents if document["kind"] == "TrainJob"]
    assert job["metadata"]["namespace"] == "ml-team"

    beside = {(d["kind"], d["metadata"]["name"]) for d in documents if d["kind"] != "TrainJob"}
    reference = job["spec"]["runtimeRef"]
    wanted = (reference.get("kind", "ClusterTrainingRuntime"), reference["name"])
    if beside:
        assert beside == {wanted}
    else:
        assert wanted[0] == "ClusterTrainingRuntime"
        assert runtimes.path_of("v2.3", wanted[1])


def test_names_are_unique() -> None:
    named = [(d["kind"], d["metadata"]["name"]) for path in FILES for d in load_all(path)]
    assert len(named) == len(set(named))
