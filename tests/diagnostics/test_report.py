"""Which diagnostics reach the writers, in what order, and what a run comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jobset_compiler as jc
from jobset_compiler.diagnostics.codes.code import ERROR, INFO, WARNING, Code, Severity
from jobset_compiler.diagnostics.diagnostic import Diagnostic, Note
from jobset_compiler.diagnostics.place import Span
from jobset_compiler.diagnostics.report import Policy, Report, Subject, Summary
from jobset_compiler.diagnostics.settled import RelatedPlace, SettledDiagnostic, settle
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from jobset_compiler.source.document import Document

NUMBERS: dict[Severity, int] = {ERROR: 1, WARNING: 2, INFO: 3}
CODES = {severity: Code(f"JSC{number}", f"{severity}-code", severity, "Title.", "Text.") for severity, number in NUMBERS.items()}


def found(severity: Severity = ERROR, line: int = 1, column: int = 1, file: str = "a.yaml", message: str = "m") -> Diagnostic:
    return Diagnostic(CODES[severity], message, span=Span(file, line, column, line, column + 1))


class Kept:
    """A writer that remembers."""

    def __init__(self, *, in_order: bool = True) -> None:
        self.in_order = in_order
        self.seen: list[Diagnostic] = []
        self.subjects: list[Subject] = []
        self.summary: Summary | None = None

    def subject(self, subject: Subject) -> None:
        self.subjects.append(subject)

    def add(self, diagnostic: Diagnostic) -> None:
        self.seen.append(diagnostic)

    def finish(self, summary: Summary) -> None:
        self.summary = summary


def document(text: str) -> Document:
    return read_text(text, "a.yaml")[0][0]


def test_diagnostics_of_a_document_come_sorted_and_once() -> None:
    writer = Kept()
    report = Report(Policy(), (writer,))
    report.add([found(line=3), found(line=1, column=9), found(line=1, column=2), found(line=3), found(WARNING, line=3)])
    assert [(d.line, d.column, d.code) for d in writer.seen] == [(1, 2, "JSC1"), (1, 9, "JSC1"), (3, 1, "JSC1"), (3, 1, "JSC2")]


def test_every_writer_gets_everything() -> None:
    writers = Kept(), Kept(in_order=False)
    report = Report(Policy(), writers)
    report.subject(Subject("a.yaml", "TrainJob", "default", "a"))
    report.add([found(), found(INFO)])
    summary = report.finish(files=1, documents=2, trainjobs=1, runtimes=1)
    assert summary == Summary(1, 0, 1, 1, 2, 1, 1, 1, "exit code 1 for the error")
    for writer in writers:
        assert len(writer.seen) == 2
        assert writer.subjects == [Subject("a.yaml", "TrainJob", "default", "a")]
        assert writer.summary == summary


def test_notices_that_nobody_wants_in_order_are_not_looked_up() -> None:
    class Unplaced(Diagnostic):
        @property
        def span(self) -> Span:
            raise AssertionError("looked up")

    writer = Kept(in_order=False)
    Report(Policy(), (writer,)).add([Unplaced(CODES[INFO], "a"), Unplaced(CODES[INFO], "b")])
    assert [d.message for d in writer.seen] == ["a", "b"]


@pytest.mark.parametrize(
    ("severities", "fail_on", "code"),
    [([], ERROR, 0), ([INFO], WARNING, 0), ([WARNING], ERROR, 0), ([WARNING], WARNING, 1), ([ERROR], ERROR, 1), ([INFO, ERROR], WARNING, 1)],
)
def test_exit_code(severities: list[Severity], fail_on: str, code: int) -> None:
    report = Report(Policy(fail_on=fail_on), ())
    report.add([found(severity) for severity in severities])
    assert report.exit_code == code
    assert report.failed is bool(code)


def test_something_unreadable_is_more_than_an_error() -> None:
    report = Report(Policy(), ())
    report.add([Diagnostic(Code("JSC001", "unreadable", ERROR, "", ""), "m"), found()])
    assert report.exit_code == 2


@pytest.mark.parametrize("name", ["JSC2", "warning-code"])
def test_policies_know_codes_by_number_and_by_name(name: str) -> None:
    assert Policy(ignore=frozenset({name})).judge(found(WARNING)) is None
    raised = Policy(error_on=frozenset({name})).judge(found(WARNING))
    assert raised is not None
    assert raised.severity == ERROR
    assert Policy(error_on=frozenset({name})).judge(found(INFO)) is not None


def test_an_error_can_be_lowered_or_left_out_unless_errors_stand() -> None:
    names = frozenset({"JSC1"})
    lowered = Policy(warn_on=names).judge(found())
    assert lowered is not None
    assert lowered.severity == WARNING
    assert Policy(ignore=names).judge(found()) is None
    error = found()
    for policy in (Policy(warn_on=names, errors_stand=True), Policy(ignore=names, errors_stand=True)):
        assert policy.judge(error) is error


def test_what_the_policy_leaves_alone_is_the_same_object() -> None:
    error = found()
    assert Policy(ignore=frozenset({"JSC2"})).judge(error) is error


def test_a_finding_has_everything_looked_up() -> None:
    text = "kind: X\nspec:\n  a: [1, 22]\n"
    diagnostic = Diagnostic(
        CODES[WARNING],
        "message",
        document=document(text),
        at=("spec", "a", 1),
        hint="hint",
        stage="schema",
        notes=(Note("other", document(text), ("kind",)), Note("nowhere", None, ())),
        subject=("X", "default", "x"),
    )
    assert settle(diagnostic) == SettledDiagnostic(
        code="JSC2",
        slug="warning-code",
        severity=WARNING,
        title="Title.",
        message="message",
        path="spec.a[1]",
        hint="hint",
        stage="schema",
        file="a.yaml",
        line=3,
        column=10,
        end_line=3,
        end_column=12,
        source="  a: [1, 22]",
        kind="X",
        namespace="default",
        name="x",
        notes=(RelatedPlace("other", "a.yaml", 1, 7), RelatedPlace("nowhere", "", 0, 0)),
    )


def test_the_path_of_the_server_comes_before_our_place() -> None:
    assert settle(Diagnostic(CODES[ERROR], "m", document=document("a: 1\n"), at=("a",), path="spec.other")).path == "spec.other"


def test_diagnostics_of_objects_without_text_have_no_place() -> None:
    result = jc.compile_objects([{"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": {"name": "a"}, "spec": {}}])
    finding = settle(next(d for d in result.diagnostics if d.is_error))
    assert (finding.file, finding.line, finding.source) == ("<object 0>", 0, "")


@pytest.mark.parametrize(
    ("errors", "warnings", "words"),
    [(0, 0, "no errors or warnings"), (1, 0, "1 error"), (0, 2, "2 warnings"), (2, 1, "2 errors, 1 warning")],
)
def test_summary_in_words(errors: int, warnings: int, words: str) -> None:
    assert Summary(errors, warnings, 5).findings == words
