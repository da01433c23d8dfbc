"""Diagnostics as SARIF 2.1.0, which GitHub code scanning and many editors show at the line.

What concerns no file (documents that were skipped, a failing third-party pass) is no result but a notification of the run:
code scanning refuses results without a place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, WARNING
from jobset_compiler.diagnostics.inert import json_text, well_formed
from jobset_compiler.diagnostics.json import indented
from jobset_compiler.diagnostics.pages import page_of, site
from jobset_compiler.diagnostics.settled import settle

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.fix import Fix
    from jobset_compiler.diagnostics.place import Span
    from jobset_compiler.diagnostics.report import Subject, Summary
    from jobset_compiler.diagnostics.settled import RelatedPlace, SettledDiagnostic

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {ERROR: "error", WARNING: "warning", INFO: "note"}


class SarifWriter:
    """Writes each result as it comes, and the tool with the rules that were met at the end."""

    in_order = True

    def __init__(self, write: Callable[[str], object], *, version: str) -> None:
        self._write = write
        self._version = version
        self._rules: dict[str, tuple[int, Code]] = {}
        self._notifications: list[dict[str, Any]] = []
        self._write(f'{{\n  "$schema": "{SCHEMA}",\n  "version": "2.1.0",\n  "runs": [\n    {{\n      "columnKind": "unicodeCodePoints",\n      "results": [')
        self._separator = "\n"

    def subject(self, subject: Subject) -> None:
        pass

    def add(self, diagnostic: Diagnostic) -> None:
        rule = diagnostic.rule
        index, _ = self._rules.setdefault(rule.code, (len(self._rules), rule))
        finding = settle(diagnostic)
        if not finding.file:
            self._notifications.append(_notification(finding, index))
            return
        text = json_text(_result(finding, index), 2)
        self._write(self._separator + indented(text, "        "))
        self._separator = ",\n"

    def finish(self, summary: Summary) -> None:
        driver = {
            "name": "jobset-compiler",
            "version": self._version,
            "semanticVersion": self._version,
            **({"informationUri": site()} if site() else {}),
            "rules": [_rule(rule) for _, rule in self._rules.values()],
        }
        invocation: dict[str, Any] = {"executionSuccessful": True}
        if self._notifications:
            invocation["toolExecutionNotifications"] = self._notifications
        end = "\n      ]" if self._separator == ",\n" else "]"
        rest = json_text({"tool": {"driver": driver}, "invocations": [invocation]}, 2)
        self._write(f"{end},\n" + indented(rest[2:-2], "    ") + "\n    }\n  ]\n}\n")


def _rule(rule: Code) -> dict[str, Any]:
    page = page_of(rule.code)
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.slug.split("-")),
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.text},
        "help": {"text": f"{rule.text}\n\njobset-compiler codes explain {rule.code}"},
        **({"helpUri": page} if page else {}),
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {"tags": [rule.slug]},
    }


def _result(finding: SettledDiagnostic, index: int) -> dict[str, Any]:
    message = finding.message + (f"\n{finding.hint}" if finding.hint else "")
    location: dict[str, Any] = {"physicalLocation": _physical(finding)}
    logical = [part for part in (finding.kind, finding.namespace, finding.name) if part]
    if logical or finding.path:
        location["logicalLocations"] = [{"fullyQualifiedName": "/".join(logical) + (f":{finding.path}" if finding.path else "")}]
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": LEVELS[finding.severity],
        "message": {"text": _without_links(message)},
        "locations": [location],
        # Lines move when a file is edited; object, field and words do not.
        "partialFingerprints": {"objectAndField/v1": "|".join((finding.code, *logical, finding.path, finding.message))},
    }
    if finding.notes:
        result["relatedLocations"] = [_related(note) for note in finding.notes if note.file]
    if finding.fixes:
        result["fixes"] = list(map(_fix, finding.fixes))
    return result


def _notification(finding: SettledDiagnostic, index: int) -> dict[str, Any]:
    return {
        "associatedRule": {"id": finding.code, "index": index},
        "level": LEVELS[finding.severity],
        "message": {"text": _without_links(finding.message)},
    }


def _physical(finding: SettledDiagnostic) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri_of(finding.file)}}
    if finding.line:
        region: dict[str, Any] = {"startLine": finding.line, "startColumn": finding.column, "endLine": finding.end_line, "endColumn": finding.end_column}
        if finding.source:
            region["snippet"] = {"text": finding.source}
        physical["region"] = region
    return physical


def _fix(fix: Fix) -> dict[str, Any]:
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {
                "artifactLocation": {"uri": uri_of(fix.edits[0].span.file)},
                "replacements": [{"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.replacement}} for edit in fix.edits],
            }
        ],
        "properties": {"safe": fix.safe},
    }


def _region(span: Span) -> dict[str, Any]:
    return {"startLine": span.line, "startColumn": span.column, "endLine": span.end_line, "endColumn": span.end_column}


def _related(note: RelatedPlace) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri_of(note.file)}}
    if note.line:
        physical["region"] = {"startLine": note.line, "startColumn": note.column}
    return {"physicalLocation": physical, "message": {"text": _without_links(note.message)}}


def _without_links(text: str) -> str:
    """SARIF makes links of `[words](target)` in messages (3.11.6); a blank of no width takes them apart."""
    return text.replace("](", "]\u200b(")


def uri_of(file: str) -> str:
    """A path as a URI reference: relative ones stay relative (to the root of the repository, for code scanning)."""
    path = quote(_bytes_of(file), safe="/")
    return f"file://{path}" if path.startswith("/") else path.removeprefix("./")


def _bytes_of(file: str) -> bytes:
    try:
        return file.encode("utf-8", "surrogateescape")  # what the file system has
    except UnicodeEncodeError:
        return well_formed(file).encode()
