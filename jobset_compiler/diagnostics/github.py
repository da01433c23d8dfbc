"""Diagnostics as GitHub Actions workflow commands, which become annotations of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, WARNING
from jobset_compiler.diagnostics.inert import lines as inert_lines
from jobset_compiler.diagnostics.settled import settle

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.report import Subject, Summary
    from jobset_compiler.diagnostics.settled import SettledDiagnostic

COMMANDS = {ERROR: "error", WARNING: "warning", INFO: "notice"}


class GithubWriter:
    in_order = True

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def subject(self, subject: Subject) -> None:
        pass

    def add(self, diagnostic: Diagnostic) -> None:
        self._write(command(settle(diagnostic)))

    def finish(self, summary: Summary) -> None:
        pass


def command(finding: SettledDiagnostic) -> str:
    """One line: `::error file=job.yaml,line=9,...,title=JSC201 runtime-not-found::message`."""
    properties = {}
    if finding.file:
        properties["file"] = finding.file
    if finding.line:
        properties["line"] = str(finding.line)
        properties["endLine"] = str(finding.end_line)
        properties["col"] = str(finding.column)
        if finding.end_line == finding.line:  # GitHub refuses an end column on another line
            properties["endColumn"] = str(finding.end_column)
    properties["title"] = f"{finding.code} {finding.slug}"
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    lines = [finding.message]
    if finding.path:
        lines.append(f"path: {finding.path}")
    if finding.hint:
        lines.append(f"hint: {finding.hint}")
    lines += [f"note: {note.file}:{note.line}: {note.message}" for note in finding.notes]
    return f"::{COMMANDS[finding.severity]} {listed}::{_text(chr(10).join(lines))}\n"


def _text(text: str) -> str:
    return inert_lines(text).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _text(text).replace(":", "%3A").replace(",", "%2C")
