"""A finding as the protocol has it."""

from __future__ import annotations

import pytest
from lsprotocol import types

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, WARNING, Code, Severity
from jobset_compiler.diagnostics.diagnostic import Diagnostic, Note
from jobset_compiler.diagnostics.pages import page_of
from jobset_compiler.lsp.positions import Lines
from jobset_compiler.lsp.told import told
from jobset_compiler.source.reader import read_text

TEXT = "a: ü\nb: {c: 1}\n"
OTHER = read_text("x: 1\nyy: {z: 2}\n", "other.yaml")[0][0]
HERE = read_text(TEXT, "a.yaml")[0][0]
CODE = Code("JSC103", "a", WARNING, "A.", "A.")


def uri_of(file: str) -> str:
    return {"other.yaml": "file:///other.yaml"}.get(file, "")


def between(line: int, column: int, end_line: int, end_column: int) -> types.Range:
    return types.Range(types.Position(line, column), types.Position(end_line, end_column))


def test_all_that_is_told() -> None:
    notes = (
        Note("there\x1b", OTHER, ("yy", "z")),
        Note("nowhere", None, ()),
        Note("without an address", HERE, ("a",)),
        Note("at its beginning", OTHER, ("x",)),
    )
    found = told(Diagnostic(CODE, "wrong\n", hint="mend\tit", document=HERE, at=("b", "c"), notes=notes), Lines(TEXT), uri_of)
    assert found == types.Diagnostic(
        range=between(1, 7, 1, 8),
        severity=types.DiagnosticSeverity.Warning,
        code="JSC103",
        code_description=types.CodeDescription(page_of("JSC103")),
        source="jobset-compiler",
        message="wrong\\n\nmend\\tit",
        related_information=[
            types.DiagnosticRelatedInformation(types.Location("file:///other.yaml", between(1, 8, 1, 8)), "there\\x1b"),
            types.DiagnosticRelatedInformation(types.Location("file:///other.yaml", between(0, 3, 0, 3)), "at its beginning"),
        ],
    )


@pytest.mark.parametrize(
    ("severity", "expected"),
    [(ERROR, types.DiagnosticSeverity.Error), (WARNING, types.DiagnosticSeverity.Warning), (INFO, types.DiagnosticSeverity.Information)],
)
def test_severities(severity: Severity, expected: types.DiagnosticSeverity) -> None:
    assert told(Diagnostic(CODE, "a", severity=severity), Lines(TEXT), uri_of).severity == expected


def test_a_finding_without_a_place_a_hint_notes_and_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobset_compiler.lsp.told.page_of", lambda _: "")
    found = told(Diagnostic(CODE, "wrong"), Lines(TEXT), uri_of)
    assert found == types.Diagnostic(
        range=between(0, 0, 0, 4), severity=types.DiagnosticSeverity.Warning, code="JSC103", source="jobset-compiler", message="wrong"
    )
