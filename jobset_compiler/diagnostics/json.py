"""Diagnostics as JSON for programs. The format is a contract: fields are added, never renamed or removed within a version.

    {
      "format": "jobset-compiler.report/v1",
      "tool": {"name": "jobset-compiler", "version": "0.1.0", "trainerVersion": "2.3.0"},
      "findings": [
        {
          "code": "JSC201",                  stable code
          "slug": "runtime-not-found",       the same in words
          "severity": "error",               error, warning or info
          "message": "...",                  the server's own words where a server says it
          "path": "spec.runtimeRef.name",    field path as the server prints it, of the line shown where that is about the JobSet; "" for none
          "hint": "...",                     what to do, "" for none
          "stage": "webhook",                which part of the compile found it
          "file": "job.yaml",                "" where no file is concerned; "<stdin>" for standard input
          "line": 9, "column": 11,           from 1; null where unknown; columns count characters
          "endLine": 9, "endColumn": 21,     just behind the last character
          "object": {"kind": "TrainJob", "namespace": "default", "name": "train"},    null where none is concerned
          "notes": [{"message": "...", "file": "...", "line": 3, "column": 5}],       further places
          "fixes": [                         what would mend it, each on its own
            {"title": "...", "safe": true, "edits": [{"line": 9, "column": 11, "endLine": 9, "endColumn": 21, "text": "..."}]}
          ]
        }
      ],
      "summary": {"errors": 1, "warnings": 0, "infos": 0, "files": 1, "documents": 1, "trainJobs": 1, "runtimes": 0, "exitCode": 1}
    }

Findings come in the order of the input: file by file, by line, column and code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics.inert import json_text
from jobset_compiler.diagnostics.settled import settle

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Edit
    from jobset_compiler.diagnostics.report import Subject, Summary
    from jobset_compiler.diagnostics.settled import SettledDiagnostic

FORMAT = "jobset-compiler.report/v1"


class JsonWriter:
    """Writes each finding as it comes."""

    in_order = True

    def __init__(self, write: Callable[[str], object], *, version: str, trainer: str) -> None:
        self._write = write
        tool = {"name": "jobset-compiler", "version": version, "trainerVersion": trainer}
        self._write(f'{{\n  "format": {json_text(FORMAT)},\n  "tool": {json_text(tool)},\n  "findings": [')
        self._separator = "\n"

    def subject(self, subject: Subject) -> None:
        pass

    def add(self, diagnostic: Diagnostic) -> None:
        text = json_text(as_json(settle(diagnostic)), 2)
        self._write(self._separator + indented(text, "    "))
        self._separator = ",\n"

    def finish(self, summary: Summary) -> None:
        end = "\n  ]" if self._separator == ",\n" else "]"
        self._write(f'{end},\n  "summary": {json_text(summary_as_json(summary))}\n}}\n')


def indented(text: str, pad: str) -> str:
    return "\n".join(pad + line for line in text.split("\n"))


def as_json(finding: SettledDiagnostic) -> dict[str, Any]:
    placed = finding.line > 0
    subject = {"kind": finding.kind, "namespace": finding.namespace, "name": finding.name}
    return {
        "code": finding.code,
        "slug": finding.slug,
        "severity": finding.severity,
        "message": finding.message,
        "path": finding.path,
        "hint": finding.hint,
        "stage": finding.stage,
        "file": finding.file,
        "line": finding.line if placed else None,
        "column": finding.column if placed else None,
        "endLine": finding.end_line if placed else None,
        "endColumn": finding.end_column if placed else None,
        "object": subject if finding.kind else None,
        "notes": [
            {"message": note.message, "file": note.file, "line": note.line or None, "column": note.column or None}
            for note in finding.notes
        ],
        "fixes": [{"title": fix.title, "safe": fix.safe, "edits": list(map(_edit_as_json, fix.edits))} for fix in finding.fixes],
    }


def _edit_as_json(edit: Edit) -> dict[str, Any]:
    span = edit.span
    return {"line": span.line, "column": span.column, "endLine": span.end_line, "endColumn": span.end_column, "text": edit.replacement}


def summary_as_json(summary: Summary) -> dict[str, int]:
    return {
        "errors": summary.errors,
        "warnings": summary.warnings,
        "infos": summary.infos,
        "files": summary.files,
        "documents": summary.documents,
        "trainJobs": summary.trainjobs,
        "runtimes": summary.runtimes,
        "exitCode": summary.exit_code,
    }
