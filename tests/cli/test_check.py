"""check: the same findings and the same exit code in every format, taken as seriously as the user wants."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Here = Callable[..., Any]

FORMATS = ("text", "json", "sarif", "junit", "github")
QUIET = ("--ignore", "JSC205", "--ignore", "owner-references-omitted", "--ignore", "rendezvous-not-injected")


def codes_in(format_name: str, text: str) -> list[str]:
    """Every code in a report, sorted; each as often as it was found."""
    if format_name == "json":
        return sorted(finding["code"] for finding in json.loads(text)["findings"])
    if format_name == "sarif":
        (run,) = json.loads(text)["runs"]
        notifications = run["invocations"][0].get("toolExecutionNotifications", ())
        return sorted([result["ruleId"] for result in run["results"]] + [note["associatedRule"]["id"] for note in notifications])
    if format_name == "junit":
        texts = [element.text or "" for element in ElementTree.fromstring(text).iter() if element.tag in ("failure", "system-out")]
        return sorted(re.findall(r"(?:error|warning|info) (JSC\d+)", "".join(texts)))
    if format_name == "github":
        return sorted(re.findall(r"title=(JSC\d+)", text))
    return sorted(re.findall(r"(?:error|warning|info) (JSC\d+)", text))


@pytest.fixture
def inputs(job: str) -> dict[str, str]:
    return {
        "fine": job,
        "warning": job + "  unknown: 1\n",
        "error": job.replace("torch-distributed", "torch-distribted"),
        "syntax": f"{job}---\na: [b\n---\nkind: ConfigMap\n",
        "nothing": "",
    }


@pytest.mark.parametrize("fail_on", ["error", "warning"])
@pytest.mark.parametrize("name", ["fine", "warning", "error", "syntax", "nothing"])
def test_every_format_has_the_same_findings_and_the_same_exit_code(here: Here, inputs: dict[str, str], name: str, fail_on: str) -> None:
    results = {form: here("check", "-", "--format", form, "--fail-on", fail_on, stdin=inputs[name]) for form in FORMATS}
    expected = {"fine": 0, "warning": 1, "error": 1, "syntax": 1, "nothing": 0}[name]
    assert {result.code for result in results.values()} == {expected}
    assert {result.err for result in results.values()} == {""}
    for more in ((), ("-v",), ("-q",)):
        findings = {form: codes_in(form, here("check", "-", "--format", form, *more, stdin=inputs[name]).out) for form in FORMATS}
        assert findings["json"] == findings["text"]
        assert findings["sarif"] == findings["junit"] == findings["github"]
        assert findings["github"] == findings["text"] or not more, "where nobody asks, notices do not stand beside code"


def test_unreadable_inputs_are_2_in_every_format(here: Here) -> None:
    assert {here("check", "missing.yaml", "--format", form).code for form in FORMATS} == {2}


def test_several_formats_at_once_each_to_its_file(here: Here, inputs: dict[str, str], tmp_path: Path) -> None:
    options = [f"--format={form}={form}.out" for form in FORMATS if form != "text"]
    code, out, err = here("check", "-", *options, "--format", "text", stdin=inputs["error"])
    assert (code, err) == (1, "")
    assert "JSC201" in out
    for form in FORMATS:
        if form != "text":
            assert (tmp_path / f"{form}.out").read_text() == here("check", "-", "--format", form, stdin=inputs["error"]).out
    # With nothing but files standard output stays empty.
    assert here("check", "-", "--format", "json=only.json", stdin=inputs["fine"]).out == ""


def test_text_without_a_colour_in_a_file(here: Here, inputs: dict[str, str], tmp_path: Path) -> None:
    here("check", "-", "--format", "text=report.txt", "--color", "always", stdin=inputs["error"])
    assert "\x1b[" not in (tmp_path / "report.txt").read_text()
    assert "\x1b[1;31merror\x1b[0m JSC201" in here("check", "-", "--color", "always", stdin=inputs["error"]).out


def test_a_report_that_cannot_be_written(here: Here, inputs: dict[str, str]) -> None:
    code, _, err = here("check", "-", "--format", "json=no/such/folder.json", stdin=inputs["fine"])
    assert code == 2
    assert "cannot write no/such/folder.json" in err


def test_text_ends_with_what_was_looked_at(here: Here, inputs: dict[str, str], runtime: str) -> None:
    assert here("check", "-", stdin=inputs["nothing"]).out == "no TrainJobs or runtimes in 1 file: no errors or warnings\n"
    assert here("check", "-", stdin=f"{inputs['fine']}---\n{runtime}").out.splitlines()[-1] == "1 TrainJob and 1 runtime in 1 file: no errors or warnings"
    assert here("check", "-", stdin=inputs["error"]).out.splitlines()[-1] == "1 TrainJob in 1 file: 1 error; exit code 1 for the error"


def test_what_stands_behind_a_document_of_an_older_api_or_one_that_cannot_be_read_is_found(
    here: Here, tmp_path: Path, job_of_mine: str, runtime: str
) -> None:
    older = "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: a}\nspec: {}\n"
    for first in (older, "TrainingRuntime: [\n"):
        (tmp_path / "runtimes.yaml").write_text(f"{first}---\n{runtime}")
        for told in (here("check", "-", "-r", "runtimes.yaml", stdin=job_of_mine), here("check", "-", stdin=f"{first}---\n{runtime}---\n{job_of_mine}")):
            assert "runtime-not-found" not in told.out and "1 TrainJob and 1 runtime" in told.out


def test_only_in_a_file_of_runtimes_that_is_named_what_is_no_object_is_a_mistake(here: Here, tmp_path: Path, job_of_mine: str, runtime: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "mine.yaml").write_text(f"{runtime}---\n- TrainingRuntime\n")
    assert here("check", "-", "-r", "folder", stdin=job_of_mine).code == 0
    named = here("check", "-", "-r", "folder/mine.yaml", stdin=job_of_mine)
    assert named.code == 1 and "folder/mine.yaml:26:1: error JSC101 not-an-object" in named.out


def test_quiet_leaves_errors_and_the_summary(here: Here, inputs: dict[str, str]) -> None:
    out = here("check", "-", "-q", "--validate", "warn", stdin=f"{inputs['warning']}---\n{inputs['error'].replace('name: train', 'name: other', 1)}").out
    assert codes_in("text", out) == ["JSC201"]
    assert out.splitlines()[-1].startswith("2 TrainJobs in 1 file: 1 error")


def test_findings_can_be_left_out_by_code_and_by_name(here: Here, inputs: dict[str, str]) -> None:
    for code in ("JSC103", "unknown-field"):
        out = here("check", "-", "--ignore", code, *QUIET, stdin=inputs["warning"]).out
        assert codes_in("text", out) == []
    assert here("check", "-", "--ignore", "JSC201", stdin=inputs["error"]).code == 0


def test_findings_can_be_taken_more_or_less_seriously(here: Here, inputs: dict[str, str]) -> None:
    raised = here("check", "-", "--error-on", "unknown-field", stdin=inputs["warning"])
    assert raised.code == 1
    assert "error JSC103" in raised.out
    lowered = here("check", "-", "--warn-on", "JSC201", stdin=inputs["error"])
    assert lowered.code == 0
    assert "warning JSC201" in lowered.out
    assert here("check", "-", "--warn-on", "JSC201", "--fail-on", "warning", stdin=inputs["error"]).code == 1


@pytest.mark.parametrize(
    "silenced",
    [
        "  unknown: 1  # jobset-compiler: ignore JSC103\n",
        "  unknown: 1  # jobset-compiler: ignore unknown-field\n",
        "  unknown: 1  # jobset-compiler: ignore JSC801, JSC103\n",
        "  # jobset-compiler: ignore JSC103 JSC801  # since the platform adds it\n  unknown: 1\n",
    ],
)
def test_a_comment_silences_a_code_at_its_place(here: Here, job: str, silenced: str) -> None:
    assert codes_in("text", here("check", "-", *QUIET, stdin=job + silenced).out) == []
    assert here("check", "-", "--fail-on", "warning", stdin=job + silenced).code == 0


@pytest.mark.parametrize(
    "not_silenced",
    [
        "  unknown: 1  # jobset-compiler: ignore JSC801\n",
        "  # jobset-compiler: ignore JSC103\n\n  unknown: 1\n",
        "  suspend: true  # jobset-compiler: ignore JSC103\n  unknown: 1\n",
        "  unknown: 1\n  # jobset-compiler: ignore JSC103\n",
    ],
)
def test_a_comment_elsewhere_or_for_another_code_silences_nothing(here: Here, job: str, not_silenced: str) -> None:
    assert codes_in("text", here("check", "-", *QUIET, stdin=job + not_silenced).out) == ["JSC103"]


def test_a_comment_silences_faults_of_the_text_too(here: Here, job: str) -> None:
    repeated = job + "  suspend: true\n  suspend: false"
    assert codes_in("text", here("check", "-", *QUIET, stdin=f"{repeated}\n").out) == ["JSC021"]
    assert codes_in("text", here("check", "-", *QUIET, stdin=f"{repeated}  # jobset-compiler: ignore duplicate-key\n").out) == []


def test_findings_come_in_the_order_of_the_input(here: Here, job: str, tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.yaml").write_text(f"{job}  zzz: 1\n  aaa: 2\n---\n{job.replace('name: train', 'name: other')}  mmm: 1\n")
    findings = json.loads(here("check", "b.yaml", "a.yaml", "--format", "json", *QUIET).out)["findings"]
    assert [(finding["file"], finding["line"]) for finding in findings] == [(name, line) for name in ("b.yaml", "a.yaml") for line in (8, 9, 18)]


def test_what_is_only_information_is_said_once_in_text(here: Here, job: str) -> None:
    jobs = "---\n".join(job.replace("name: train", f"name: train-{index}") for index in range(120))
    assert "JSC205" not in here("check", "-", stdin=jobs).out
    out = here("check", "-", "-v", stdin=jobs).out
    assert out.count("JSC205") == 1
    assert "(<stdin>:7:11 and 119 other places)" in out
    assert codes_in("json", here("check", "-", "-v", "--format", "json", stdin=jobs).out).count("JSC205") == 120


def test_of_one_code_text_shows_so_many_places_and_counts_the_rest(here: Here, job: str) -> None:
    jobs = "---\n".join(f"{job.replace('name: train', f'name: train-{index}')}  unknown: 1\n" for index in range(120))
    out = here("check", "-", "--validate", "warn", stdin=jobs).out
    assert out.count("warning JSC103 unknown-field") == 50
    assert "warning JSC103: 70 more like these, not shown" in out
    assert out.splitlines()[-1] == "120 TrainJobs in 1 file: 120 warnings; exit code 0, or 1 with --fail-on warning"


def test_names_of_files_with_odd_characters(here: Here, inputs: dict[str, str], tmp_path: Path) -> None:
    name = "a b%,:\n'é.yaml"
    (tmp_path / name).write_text(inputs["error"])
    (result,) = json.loads(here("check", name, "--format", "sarif", *QUIET).out)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b%25%2C%3A%0A%27%C3%A9.yaml"
    (line,) = here("check", name, "--format", "github", *QUIET).out.splitlines()
    assert line.startswith("::error file=a b%25%2C%3A%0A'é.yaml,line=7,endLine=7,col=11,endColumn=27,title=JSC201 runtime-not-found::")
    assert "a b%,:\\n'é.yaml:7:11: error" in here("check", name, *QUIET).out
    ElementTree.fromstring(here("check", name, "--format", "junit").out)


def test_check_and_render_find_the_same(here: Here, inputs: dict[str, str]) -> None:
    for text in inputs.values():
        checked, rendered = here("check", "-", stdin=text), here("render", "-", stdin=text)
        assert checked.code == rendered.code
        assert checked.out.rpartition("\n")[0].rpartition("\n")[0] == rendered.err.rstrip("\n")
