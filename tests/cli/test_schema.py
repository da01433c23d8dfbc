"""`schema --validate`: documents against the JSON Schema, with places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Here = Callable[..., Any]

JOB = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: a}\nspec:\n  runtimeRef: {name: rt}\n  trainer: {TRAINER}\n"


def test_a_valid_document(here: Here, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(JOB.replace("TRAINER", "numNodes: 2"))
    assert here("schema", "TrainJob", "--validate", "job.yaml") == (0, "", "1 TrainJob document, no faults\n")


def test_faults_have_places(here: Here, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(JOB.replace("TRAINER", "numNodes: two, imge: x"))
    answer = here("schema", "TrainJob", "--validate", "job.yaml")
    assert (answer.code, answer.out) == (1, "")
    lines = answer.err.splitlines()
    assert lines[0].startswith("job.yaml:6:12: spec.trainer: ") and "'imge' was unexpected" in lines[0]
    assert lines[1].startswith("job.yaml:6:23: spec.trainer.numNodes: 'two' is not of type")
    assert lines[2] == "1 TrainJob document, 2 faults"


def test_unknown_fields_pass_the_lenient_schema(here: Here, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(JOB.replace("TRAINER", "imge: x"))
    assert here("schema", "TrainJob", "--lenient", "--validate", "job.yaml").code == 0


def test_other_kinds_are_left_alone(here: Here, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(JOB.replace("TRAINER", "imge: x"))
    assert here("schema", "JobSet", "--validate", "job.yaml") == (0, "", "0 JobSet documents, no faults\n")


@pytest.mark.parametrize(("text", "code"), [(None, 2), ("a: [", 1)])
def test_what_cannot_be_read(here: Here, tmp_path: Path, text: str | None, code: int) -> None:
    if text is not None:
        (tmp_path / "job.yaml").write_text(text)
    answer = here("schema", "TrainJob", "--validate", "job.yaml")
    assert answer.code == code and "job.yaml" in answer.err


def test_the_schema_is_not_printed_beside_a_verdict(here: Here, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(JOB.replace("TRAINER", ""))
    assert here("schema", "TrainJob", "--validate", "job.yaml").out == ""
