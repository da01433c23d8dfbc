"""render --passthrough: objects in place of TrainJobs, everything else byte for byte."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from jobset_compiler import compile_yaml
from jobset_compiler.emit.yaml import to_yaml
from jobset_compiler.result.forms import ADMITTED, in_form
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Here = Callable[..., Any]

BEFORE = "# of the platform\napiVersion: v1\nkind:   ConfigMap   # blanks stay\nmetadata: {name: a}\ndata: {x: 'ü', y: \"\\t\"}\n"
AFTER = "apiVersion: v1\nkind: Service\nmetadata:\n    name: b\n"


def applied(text: str) -> str:
    """What an input comes to, in the form that can be applied twice."""
    return to_yaml(manifest for unit in compile_yaml(text).units for manifest in in_form(unit, ADMITTED))


def test_other_documents_stay_byte_for_byte_and_in_place(here: Here, job: str) -> None:
    code, out, err = here("render", "--passthrough", "-", stdin=f"{BEFORE}---\n{job}---\n{AFTER}")
    assert (code, out) == (0, f"{BEFORE}---\n{applied(job)}---\n{AFTER}")
    assert "JSC210" not in err


def test_several_objects_stand_where_the_trainjob_stood(here: Here, job: str) -> None:
    mpi = job.replace("torch-distributed", "deepspeed-distributed")
    assert here("render", "--passthrough", "-", stdin=f"{mpi}---\n{AFTER}").out == f"{applied(mpi)}---\n{AFTER}"


def test_runtimes_are_left_out_or_kept(here: Here, job_of_mine: str, runtime: str) -> None:
    text = f"{BEFORE}---\n{runtime}---\n{job_of_mine}---\n{AFTER}"
    objects = applied(f"{runtime}---\n{job_of_mine}")
    assert here("render", "--passthrough", "-", stdin=text).out == f"{BEFORE}---\n{objects}---\n{AFTER}"
    assert here("render", "--passthrough", "--keep-runtimes", "-", stdin=text).out == f"{BEFORE}---\n{runtime}---\n{objects}---\n{AFTER}"


def test_comments_above_a_trainjob_stay(here: Here, job: str) -> None:
    out = here("render", "--passthrough", "-", stdin=f"---\n# Source: chart/templates/job.yaml\n{job}").out
    assert out == f"---\n# Source: chart/templates/job.yaml\n{applied(job)}"


@pytest.mark.parametrize(
    "text",
    ["", "\n", "# only a comment\n", "---\n", "--- # x\n---\n", BEFORE, f"---\n---\n{BEFORE}---\n", BEFORE.rstrip("\n"), f"\ufeff{BEFORE}"],
    ids=["empty", "line", "comment", "separator", "separators", "document", "empty documents", "no line break at the end", "byte order mark"],
)
def test_without_trainjobs_the_output_is_the_input(here: Here, text: str) -> None:
    assert here("render", "--passthrough", "-", stdin=text).out == text


@settings(deadline=None)
@given(st.lists(st.sampled_from(["---\n", "--- # x\n", "\n", "# c\n", "a: b\nkind: X\n", "kind: Y\nc: |\n  d\n\n", "{}\n", "...\n"]), max_size=12))
def test_any_stream_of_other_documents_is_copied(pieces: list[str]) -> None:
    import io

    from jobset_compiler.cli import main
    from jobset_compiler.cli.streams import Streams

    text = "".join(pieces)
    out = io.BytesIO()
    code = main(["render", "--passthrough", "--no-config", "-"], Streams(io.BytesIO(text.encode()), out, io.StringIO(), {}))
    assert out.getvalue().decode() == (text if code == 0 else "")


def test_a_stream_of_json_stays_one(here: Here, job: str) -> None:
    config_map = '{"apiVersion": "v1",   "kind": "ConfigMap"}'
    trainjob = json.dumps(read_text(job)[0][0].value)
    out = here("render", "--passthrough", "-", stdin=f"{config_map}\n{trainjob}\n{config_map}\n").out
    assert out.startswith(f'{config_map}\n{{\n    "apiVersion": "jobset.x-k8s.io/v1alpha2"')
    assert out.endswith(f"}}\n\n{config_map}\n")
    assert [document.value["kind"] for document in read_text(out)[0]] == ["ConfigMap", "JobSet", "ConfigMap"]


def test_a_list_with_trainjobs_is_written_as_single_documents(here: Here, job: str, runtime: str) -> None:
    indented = ["- " + text.replace("\n", "\n  ").rstrip() + "\n" for text in (AFTER, job, runtime)]
    out = here("render", "--passthrough", "-", stdin="apiVersion: v1\nkind: List\nitems:\n" + "".join(indented)).out
    assert [document.value["kind"] for document in read_text(out)[0]] == ["Service", "JobSet"]


def test_a_list_without_trainjobs_stays_as_it_is(here: Here) -> None:
    text = "apiVersion: v1\nkind: List\nitems:\n- {kind: A,   x: 1}\n- kind: B\n"
    assert here("render", "--passthrough", "-", stdin=text).out == text


def test_a_trainjob_that_is_left_alone_stays(here: Here, job: str, job_of_mine: str) -> None:
    text = f"{BEFORE}---\n{job_of_mine}---\n"
    assert here("render", "--passthrough", "--ignore-missing-runtime", "-", stdin=text + job).out == text + applied(job)


def test_files_become_one_stream(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(BEFORE.rstrip("\n"))
    (tmp_path / "b.yaml").write_text(job)
    (tmp_path / "c.yaml").write_text(f"---\n{AFTER}")
    (tmp_path / "d.yaml").write_text("# nothing\n")
    assert here("render", "--passthrough", ".").out == f"{BEFORE}---\n{applied(job)}---\n{AFTER}---\n# nothing\n"


def test_documents_of_a_file_stay_together_behind_another_file(here: Here, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("kind: A")
    (tmp_path / "b.json").write_text('{"kind": "B"}\n{"kind": "C"}\n')
    assert here("render", "--passthrough", "a.yaml", "b.json").out == 'kind: A\n---\n{"kind": "B"}\n{"kind": "C"}\n'


def test_runtimes_given_beside_are_not_part_of_the_output(here: Here, job_of_mine: str, runtime: str, tmp_path: Path) -> None:
    (tmp_path / "runtime.yaml").write_text(f"{runtime}---\n{AFTER}")
    out = here("render", "--passthrough", "-", "-r", "runtime.yaml", stdin=job_of_mine).out
    assert out == applied(f"{runtime}---\n{job_of_mine}")


def test_nothing_is_written_when_something_is_wrong(here: Here, job: str) -> None:
    code, out, _ = here("render", "--passthrough", "-", stdin=f"{BEFORE}---\n{job.replace('torch-distributed', 'nothing')}")
    assert (code, out) == (1, "")


def test_no_other_form_of_output(here: Here, job: str) -> None:
    assert here("render", "--passthrough", "-o", "json", "-", stdin=job).code == 2


def test_kinds_of_another_group_pass_through(here: Here, job: str) -> None:
    theirs = "apiVersion: ml.example.com/v1\nkind: TrainJob # theirs\n---\napiVersion: ml.example.com/v1\nkind: TrainingRuntime\nspec: []\n"
    result = here("render", "--passthrough", "-", stdin=f"{theirs}---\n{job}")
    assert (result.code, result.out) == (0, f"{theirs}---\n{applied(job)}")
    assert result.err.count("other-group") == 2 and "TrainJob of ml.example.com/v1 is none of Kubeflow Trainer's: skipped" in result.err
    items = [*yaml.safe_load_all(theirs), yaml.safe_load(job)]
    resources = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items}
    out = yaml.safe_load(here("fn", stdin=yaml.safe_dump(resources)).out)
    assert out["items"][:2] == items[:2] and out["items"][2]["kind"] == "JobSet"
    checked = here("check", "-", stdin=theirs)
    assert checked.code == 0 and "no TrainJobs or runtimes" in checked.out
