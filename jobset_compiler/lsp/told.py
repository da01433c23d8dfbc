"""Findings of the compiler as diagnostics of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, WARNING
from jobset_compiler.diagnostics.inert import one_line
from jobset_compiler.diagnostics.pages import page_of
from jobset_compiler.diagnostics.settled import settle

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.lsp.positions import Lines

SOURCE = "jobset-compiler"
SEVERITIES = {ERROR: types.DiagnosticSeverity.Error, WARNING: types.DiagnosticSeverity.Warning, INFO: types.DiagnosticSeverity.Information}


def told(diagnostic: Diagnostic, lines: Lines, uri_of: Callable[[str], str]) -> types.Diagnostic:
    """What a finding says, at its place in the text; what is secret is hidden as everywhere. uri_of: the address of a file, "" for none."""
    finding = settle(diagnostic)
    message = one_line(finding.message) + (f"\n{one_line(finding.hint)}" if finding.hint else "")
    return types.Diagnostic(
        range=lines.range_of(diagnostic.span),
        severity=SEVERITIES[diagnostic.severity],
        code=finding.code,
        code_description=types.CodeDescription(page) if (page := page_of(finding.code)) else None,
        source=SOURCE,
        message=message,
        related_information=[
            types.DiagnosticRelatedInformation(types.Location(uri, _place(note.line, note.column)), one_line(note.message))
            for note in finding.notes
            if note.file and note.line and (uri := uri_of(note.file))
        ]
        or None,
    )


def _place(line: int, column: int) -> types.Range:
    """A place in a file that need not be open."""
    start = types.Position(line - 1, column - 1)
    return types.Range(start, start)
