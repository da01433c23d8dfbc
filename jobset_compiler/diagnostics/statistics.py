"""Findings counted by code, for people and for programs: what is wrong most often comes first.

    12  error    JSC103  unknown-field     [*] 9 mended by --fix
     3  warning  JSC725  placeholder-left

As JSON, where the report (`diagnostics.json`) has its findings:

    "statistics": [{"code": "JSC103", "slug": "unknown-field", "severity": "error", "count": 12, "fixable": 9}]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.diagnostics.inert import json_text
from jobset_compiler.diagnostics.json import summary_as_json
from jobset_compiler.diagnostics.text import COLOURED, PLAIN, summary_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.report import Subject, Summary

FORMAT = "jobset-compiler.statistics/v1"


class Row(NamedTuple):
    """One code at one severity; `fixable` of the findings are mended by --fix."""

    code: str
    slug: str
    severity: str
    findings: int
    fixable: int

    def as_json(self) -> dict[str, str | int]:
        return {"code": self.code, "slug": self.slug, "severity": self.severity, "count": self.findings, "fixable": self.fixable}


class _Counter:
    """Counts what it is told; nothing is written before the end."""

    in_order = False

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._counted: dict[tuple[str, str, str], list[int]] = {}

    def subject(self, subject: Subject) -> None:
        pass

    def add(self, diagnostic: Diagnostic) -> None:
        counts = self._counted.setdefault((diagnostic.code, diagnostic.slug, diagnostic.severity), [0, 0])
        counts[0] += 1
        counts[1] += any(fix.safe for fix in diagnostic.fixes)

    @property
    def rows(self) -> list[Row]:
        """The most frequent first, then by code."""
        rows = [Row(*key, *counts) for key, counts in self._counted.items()]
        return sorted(rows, key=lambda row: (-row.findings, row.code, row.severity))


class StatisticsText(_Counter):
    """A line a code, and the summary."""

    def __init__(self, write: Callable[[str], object], *, colour: bool = False) -> None:
        super().__init__(write)
        self._style = COLOURED if colour else PLAIN

    def finish(self, summary: Summary) -> None:
        rows = self.rows
        digits = len(str(rows[0].findings)) if rows else 0
        widest = max((len(row.slug) for row in rows), default=0)
        for row in rows:
            mended = f"  [*] {row.fixable} mended by --fix" if row.fixable else ""
            blanks = " " * (len("warning") - len(row.severity))
            line = f"{row.findings:>{digits}}  {self._style.severity(row.severity)}{blanks}  {row.code}  {row.slug:<{widest}}{mended}"
            self._write(line.rstrip() + "\n")
        self._write(summary_line(summary) + "\n")


class StatisticsJson(_Counter):
    """One object."""

    def __init__(self, write: Callable[[str], object], *, version: str, trainer: str) -> None:
        super().__init__(write)
        self._tool = {"name": "jobset-compiler", "version": version, "trainerVersion": trainer}

    def finish(self, summary: Summary) -> None:
        report = {
            "format": FORMAT,
            "tool": self._tool,
            "statistics": [row.as_json() for row in self.rows],
            "summary": summary_as_json(summary),
        }
        self._write(json_text(report, 2) + "\n")
