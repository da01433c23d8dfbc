"""Diagnostics as JUnit XML: a suite a file, a test a TrainJob or runtime, a failure for what must not be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, WARNING
from jobset_compiler.diagnostics.inert import lines
from jobset_compiler.diagnostics.report import Subject
from jobset_compiler.diagnostics.settled import settle
from jobset_compiler.diagnostics.text import render

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.report import Summary
    from jobset_compiler.diagnostics.settled import SettledDiagnostic


class JunitWriter:
    """Holds what it was told until the end, since the counts stand first. `fail_on` "warning" makes warnings failures as well."""

    in_order = True

    def __init__(self, write: Callable[[str], object], *, fail_on: str = ERROR) -> None:
        self._write = write
        self._failing = (ERROR, WARNING) if fail_on == WARNING else (ERROR,)
        self._cases: dict[Subject, list[SettledDiagnostic]] = {}

    def subject(self, subject: Subject) -> None:
        self._cases.setdefault(subject, [])

    def add(self, diagnostic: Diagnostic) -> None:
        finding = settle(diagnostic)
        subject = Subject(finding.file, finding.kind, finding.namespace, finding.name)
        self._cases.setdefault(subject, []).append(finding)

    def finish(self, summary: Summary) -> None:
        suites: dict[str, list[Subject]] = {}
        for subject in self._cases:
            suites.setdefault(subject.file, []).append(subject)
        tests, failures = len(self._cases), self._failures(self._cases)
        self._write('<?xml version="1.0" encoding="UTF-8"?>\n')
        self._write(f'<testsuites name="jobset-compiler" tests="{tests}" failures="{failures}" errors="0">\n')
        for file, subjects in suites.items():
            failed = self._failures(subjects)
            self._write(f'  <testsuite name="{_attribute(file or "input")}" tests="{len(subjects)}" failures="{failed}" errors="0" skipped="0">\n')
            for subject in subjects:
                self._case(subject)
            self._write("  </testsuite>\n")
        self._write("</testsuites>\n")

    def _failures(self, subjects: object) -> int:
        assert isinstance(subjects, (dict, list))
        return sum(any(finding.severity in self._failing for finding in self._cases[subject]) for subject in subjects)

    def _case(self, subject: Subject) -> None:
        findings = self._cases[subject]
        name = " ".join(part for part in (subject.kind, "/".join(part for part in (subject.namespace, subject.name) if part)) if part)
        opening = f'    <testcase name="{_attribute(name or "readable")}" classname="{_attribute(subject.file or "input")}"'
        if not findings:
            self._write(f"{opening}/>\n")
            return
        self._write(f"{opening}>\n")
        failed = [finding for finding in findings if finding.severity in self._failing]
        if failed:
            # One failure a test case is all that the common readers show.
            message = "; ".join(f"{finding.code} {finding.message}" for finding in failed)
            text = "".join(render(finding) for finding in failed)
            self._write(f'      <failure type="{failed[0].slug}" message="{_attribute(message)}">{_text(text)}</failure>\n')
        others = [finding for finding in findings if finding.severity not in self._failing and finding.severity != INFO]
        others += [finding for finding in findings if finding.severity == INFO]
        if others:
            self._write(f"      <system-out>{_text(''.join(render(finding) for finding in others))}</system-out>\n")
        self._write("    </testcase>\n")


def _text(text: str) -> str:
    """Text of an element. What XML cannot hold is not printable, and so an escape already."""
    return lines(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _attribute(text: str) -> str:
    return _text(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
