"""JSON, SARIF, JUnit and GitHub: well formed for any text, with everything that a finding has."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, SEVERITIES, WARNING, Code, Severity
from jobset_compiler.diagnostics.diagnostic import Diagnostic, Note
from jobset_compiler.diagnostics.github import GithubWriter
from jobset_compiler.diagnostics.json import FORMAT, JsonWriter
from jobset_compiler.diagnostics.junit import JunitWriter
from jobset_compiler.diagnostics.place import Span
from jobset_compiler.diagnostics.report import Subject, Summary
from jobset_compiler.diagnostics.sarif import SarifWriter, uri_of
from jobset_compiler.diagnostics.settled import settle
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

DOCUMENT = read_text("kind: TrainJob\nspec:\n  a: 1\n", "dir/job.yaml")[0][0]
TRAINJOB = ("TrainJob", "default", "train")


def diagnostic(severity: Severity = ERROR, message: str = "message", **more: Any) -> Diagnostic:
    number = 1 + SEVERITIES.index(severity)
    return Diagnostic(Code(f"JSC00{number}", f"{severity}-code", severity, "Title.", "Text."), message, **more)


PLACED = diagnostic(
    document=DOCUMENT, at=("spec", "a"), hint="hint", stage="schema", subject=TRAINJOB, notes=(Note("also", DOCUMENT, ("kind",)),), path="spec.a"
)
EVERYTHING = (
    PLACED,
    diagnostic(WARNING, document=DOCUMENT, at=("spec",), subject=TRAINJOB),
    diagnostic(INFO),
    diagnostic(ERROR, "unreadable", span=Span("missing.yaml", 0, 0, 0, 0)),
)
WRITERS: dict[str, Callable[[Callable[[str], object]], Any]] = {
    "json": lambda write: JsonWriter(write, version="1.2.3", trainer="2.3.0"),
    "sarif": lambda write: SarifWriter(write, version="1.2.3"),
    "junit": lambda write: JunitWriter(write),
    "github": lambda write: GithubWriter(write),
}
SUMMARY = Summary(2, 1, 1, files=2, documents=1, trainjobs=1, runtimes=0)


def written(name: str, diagnostics: Iterable[Diagnostic], subjects: Iterable[Subject] = ()) -> str:
    parts: list[str] = []
    writer = WRITERS[name](parts.append)
    for subject in subjects:
        writer.subject(subject)
    for item in diagnostics:
        writer.add(item)
    writer.finish(SUMMARY)
    return "".join(parts)


def test_json_has_every_field() -> None:
    report = json.loads(written("json", EVERYTHING))
    assert report["format"] == FORMAT
    assert report["tool"] == {"name": "jobset-compiler", "version": "1.2.3", "trainerVersion": "2.3.0"}
    assert report["summary"] == {"errors": 2, "warnings": 1, "infos": 1, "files": 2, "documents": 1, "trainJobs": 1, "runtimes": 0, "exitCode": 0}
    assert report["findings"][0] == {
        "code": "JSC001",
        "slug": "error-code",
        "severity": "error",
        "message": "message",
        "path": "spec.a",
        "hint": "hint",
        "stage": "schema",
        "file": "dir/job.yaml",
        "line": 3,
        "column": 6,
        "endLine": 3,
        "endColumn": 7,
        "object": {"kind": "TrainJob", "namespace": "default", "name": "train"},
        "notes": [{"message": "also", "file": "dir/job.yaml", "line": 1, "column": 7}],
        "fixes": [],
    }
    unplaced = report["findings"][2]
    assert (unplaced["file"], unplaced["line"], unplaced["column"], unplaced["object"]) == ("", None, None, None)


def test_the_place_in_its_line() -> None:
    """What is before it, at it and after it; of several lines the first one, of nothing the next character."""
    document = read_text("kind: TrainJob  # one\nspec:\n  a: {b: 1,\n    c: 2}\n", "job.yaml")[0][0]
    found = {at: settle(diagnostic(document=document, at=at)).excerpt for at in (("kind",), ("spec", "a", "b"), ("spec", "a"))}
    assert found == {("kind",): ("kind: ", "TrainJob", "  # one"), ("spec", "a", "b"): ("  a: {b: ", "1", ","), ("spec", "a"): ("  a: ", "{b: 1,", "")}
    assert settle(diagnostic(document=document, span=Span("job.yaml", 1, 1, 1, 1))).excerpt == ("", "k", "ind: TrainJob  # one")
    assert settle(diagnostic()).excerpt == ("", "", "")


def test_json_of_nothing() -> None:
    assert json.loads(written("json", ()))["findings"] == []


def closed(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": {**required, **(optional or {})}, "additionalProperties": False}


# What the standard says (SARIF 2.1.0, sections 3.13 to 3.52) about the parts that are written here.
TEXT = closed({"text": {"type": "string"}})
POSITIVE = {"type": "integer", "minimum": 1}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
URI = {"type": "string", "pattern": r"^([A-Za-z0-9._~/:-]|%[0-9A-F]{2})+$"}
PHYSICAL = closed(
    {"artifactLocation": closed({"uri": URI})},
    {"region": closed({"startLine": POSITIVE}, {"startColumn": POSITIVE, "endLine": POSITIVE, "endColumn": POSITIVE, "snippet": TEXT})},
)
LOGICAL = {"type": "array", "items": closed({"fullyQualifiedName": {"type": "string"}})}
RULE = closed(
    {"id": {"type": "string", "pattern": "^JSC[0-9]{3}$"}},
    {
        "name": {"type": "string", "pattern": "^[A-Z][A-Za-z0-9]*$"},
        "shortDescription": TEXT,
        "fullDescription": TEXT,
        "help": TEXT,
        "helpUri": URI,
        "defaultConfiguration": closed({}, {"level": LEVEL}),
        "properties": closed({}, {"tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True}}),
    },
)
RESULT = closed(
    {"message": TEXT},
    {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": LEVEL,
        "locations": {"type": "array", "minItems": 1, "items": closed({}, {"physicalLocation": PHYSICAL, "logicalLocations": LOGICAL})},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
        "relatedLocations": {"type": "array", "uniqueItems": True, "items": closed({}, {"physicalLocation": PHYSICAL, "message": TEXT})},
    },
)
NOTIFICATION = closed({"message": TEXT}, {"level": LEVEL, "associatedRule": closed({}, {"id": {"type": "string"}, "index": {"type": "integer", "minimum": 0}})})
DRIVER = closed(
    {"name": {"const": "jobset-compiler"}},
    {
        "version": {"type": "string"},
        "semanticVersion": {"type": "string"},
        "informationUri": URI,
        "rules": {"type": "array", "uniqueItems": True, "items": RULE},
    },
)
RUN = closed(
    {"tool": closed({"driver": DRIVER})},
    {
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "results": {"type": "array", "items": RESULT},
        "invocations": {
            "type": "array",
            "items": closed({"executionSuccessful": {"type": "boolean"}}, {"toolExecutionNotifications": {"type": "array", "items": NOTIFICATION}}),
        },
    },
)
SARIF = closed({"version": {"const": "2.1.0"}, "runs": {"type": "array", "items": RUN}}, {"$schema": {"type": "string", "format": "uri"}})


def test_sarif_is_as_the_standard_has_it() -> None:
    log = json.loads(written("sarif", EVERYTHING))
    jsonschema.validate(log, SARIF)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["JSC001", "JSC002", "JSC003"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert [result["level"] for result in run["results"]] == ["error", "warning", "error"]
    # Code scanning refuses results without a place.
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert (notification["level"], rules[notification["associatedRule"]["index"]]["id"]) == ("note", "JSC003")


def test_sarif_places() -> None:
    (run,) = json.loads(written("sarif", EVERYTHING))["runs"]
    (location,) = run["results"][0]["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "dir/job.yaml"},
        "region": {"startLine": 3, "startColumn": 6, "endLine": 3, "endColumn": 7, "snippet": {"text": "  a: 1"}},
    }
    assert location["logicalLocations"] == [{"fullyQualifiedName": "TrainJob/default/train:spec.a"}]
    assert run["results"][0]["relatedLocations"][0]["message"] == {"text": "also"}
    assert run["results"][2]["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "missing.yaml"}}


def test_what_sarif_says_of_a_finding() -> None:
    """A fingerprint has no line in it: that moves when a file is edited."""
    info = diagnostic(INFO, document=DOCUMENT, at=("spec",))
    placed, other = json.loads(written("sarif", (PLACED, info)))["runs"][0]["results"]
    assert (placed["ruleId"], placed["level"], placed["message"]) == ("JSC001", "error", {"text": "message\nhint"})
    assert placed["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "TrainJob/default/train:spec.a"}]
    assert placed["partialFingerprints"] == {"objectAndField/v1": "JSC001|TrainJob|default|train|spec.a|message"}
    assert (other["level"], other["message"], other["partialFingerprints"]) == (
        "note",
        {"text": "message"},
        {"objectAndField/v1": "JSC003|spec|message"},
    )
    assert other["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": ":spec"}] and "relatedLocations" not in other
    (nameless,) = json.loads(written("sarif", [diagnostic(document=DOCUMENT, subject=("TrainJob", "", ""), path="spec")]))["runs"][0]["results"]
    assert nameless["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "TrainJob:spec"}]
    assert nameless["partialFingerprints"] == {"objectAndField/v1": "JSC001|TrainJob|spec|message"}


def test_sarif_of_nothing() -> None:
    log = json.loads(written("sarif", ()))
    jsonschema.validate(log, SARIF)
    assert log["runs"][0]["results"] == []


@pytest.mark.parametrize(
    ("file", "uri"),
    [("a/b.yaml", "a/b.yaml"), ("./a.yaml", "a.yaml"), ("/tmp/a b.yaml", "file:///tmp/a%20b.yaml"), ("<stdin>", "%3Cstdin%3E"), ("a\udcff", "a%FF")],
)
def test_uris(file: str, uri: str) -> None:
    assert uri_of(file) == uri


def test_junit_has_a_suite_a_file_and_a_case_an_object() -> None:
    subjects = [Subject("dir/job.yaml", *TRAINJOB), Subject("dir/job.yaml", "TrainingRuntime", "default", "fine")]
    root = ElementTree.fromstring(written("junit", EVERYTHING, subjects))
    assert (root.tag, root.get("tests"), root.get("failures"), root.get("errors")) == ("testsuites", "4", "2", "0")
    suite, unplaced, missing = list(root)
    assert [(s.get("name"), s.get("tests"), s.get("failures")) for s in (suite, unplaced, missing)] == [
        ("dir/job.yaml", "2", "1"), ("input", "1", "0"), ("missing.yaml", "1", "1"),
    ]  # fmt: skip
    assert [case.get("name") for case in (*unplaced, *missing)] == ["readable", "readable"]
    wrong, fine = list(suite)
    assert (wrong.get("name"), wrong.get("classname")) == ("TrainJob default/train", "dir/job.yaml")
    failure, output = list(wrong)
    assert (failure.tag, failure.get("type"), failure.get("message")) == ("failure", "error-code", "JSC001 message")
    assert failure.text is not None
    assert failure.text.startswith("dir/job.yaml:3:6: error JSC001 error-code: message\n  3 |   a: 1\n")
    assert output.tag == "system-out"
    assert list(fine) == []


JUNIT = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="jobset-compiler" tests="2" failures="1" errors="0">
  <testsuite name="dir/job.yaml" tests="2" failures="1" errors="0" skipped="0">
    <testcase name="TrainJob default/fine" classname="dir/job.yaml"/>
    <testcase name="TrainJob default/train" classname="dir/job.yaml">
      <failure type="error-code" message="JSC001 a &lt; &quot;b&quot;; JSC001 c">dir/job.yaml:3:6: error JSC001 error-code: a &lt; "b"
  3 |   a: 1
    |      ^
  path: spec.a
dir/job.yaml:1:7: error JSC001 error-code: c
  1 | kind: TrainJob
    |       ^^^^^^^^
  path: kind
</failure>
      <system-out>dir/job.yaml:1:7: warning JSC002 warning-code: w
  1 | kind: TrainJob
    |       ^^^^^^^^
  path: kind
dir/job.yaml:1:7: info JSC003 info-code: i
  1 | kind: TrainJob
    |       ^^^^^^^^
  path: kind
</system-out>
    </testcase>
  </testsuite>
</testsuites>
"""


def test_junit_as_it_stands() -> None:
    """Errors before what fails nothing, and that by its severity."""
    at = {"document": DOCUMENT, "subject": TRAINJOB}
    found = [diagnostic(INFO, "i", at=("kind",), **at), diagnostic(WARNING, "w", at=("kind",), **at)]
    found += [diagnostic(ERROR, 'a < "b"', at=("spec", "a"), **at), diagnostic(ERROR, "c", at=("kind",), **at)]
    assert written("junit", found, [Subject("dir/job.yaml", "TrainJob", "default", "fine")]) == JUNIT


@pytest.mark.parametrize(
    ("subject", "name"),
    [(("TrainJob", "", "train"), "TrainJob train"), (("TrainJob", "default", ""), "TrainJob default"), (("", "", "train"), "train")],
)
def test_what_a_case_of_junit_is_called(subject: tuple[str, str, str], name: str) -> None:
    root = ElementTree.fromstring(written("junit", (), [Subject("job.yaml", *subject)]))
    assert [case.get("name") for case in root[0]] == [name]


def test_junit_fails_on_warnings_where_the_run_does() -> None:
    parts: list[str] = []
    writer = JunitWriter(parts.append, fail_on=WARNING)
    writer.add(diagnostic(WARNING))
    writer.finish(SUMMARY)
    assert ElementTree.fromstring("".join(parts)).get("failures") == "1"


def test_github() -> None:
    lines = written("github", EVERYTHING).splitlines()
    assert lines[0] == (
        "::error file=dir/job.yaml,line=3,endLine=3,col=6,endColumn=7,title=JSC001 error-code::message%0Apath: spec.a%0Ahint: hint%0Anote: dir/job.yaml:1: also"
    )
    assert lines[2] == "::notice title=JSC003 info-code::message"
    assert lines[3] == "::error file=missing.yaml,title=JSC001 error-code::unreadable"


def test_github_has_no_end_column_on_another_line() -> None:
    line = written("github", (diagnostic(span=Span("a", 1, 2, 3, 4)),))
    assert line.startswith("::error file=a,line=1,endLine=3,col=2,title=")


TEXTS = st.text(st.characters() | st.sampled_from("\ud800\udcff\x00\x1b\u2028:,%\r\n"), max_size=40)


def is_name(text: str) -> bool:
    """Whether a file can be called so: halves of characters stand in names only for bytes that are no UTF-8."""
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


@settings(deadline=None)
@given(message=TEXTS, hint=TEXTS, file=TEXTS, name=TEXTS)
def test_any_text_is_well_formed_in_every_format(message: str, hint: str, file: str, name: str) -> None:
    item = diagnostic(message=message, hint=hint, span=Span(file, 1, 1, 1, 2), subject=("TrainJob", "default", name))
    texts = {form: written(form, (item,)) for form in WRITERS}
    for text in texts.values():
        text.encode()
    finding = json.loads(texts["json"])["findings"][0]
    assert finding["message"].encode() == message.encode("utf-8", "backslashreplace")
    log = json.loads(texts["sarif"])
    jsonschema.validate(log, SARIF)
    for result in log["runs"][0]["results"]:
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        shown = unquote(uri, errors="surrogateescape").removeprefix("file://")
        assert shown in (file, file.removeprefix("./"), file.encode("utf-8", "backslashreplace").decode().removeprefix("./"))
    ElementTree.fromstring(texts["junit"])
    assert len(texts["github"].splitlines()) >= 1
    assert texts["github"].count("\n") == 1
