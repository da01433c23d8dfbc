"""Diagnostics on their way to the user: which are taken how seriously, in what order, counted, and handed to writers."""

from functools import lru_cache
from typing import TYPE_CHECKING

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, SEVERITIES, WARNING
from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.value import Frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    from jobset_compiler.diagnostics.diagnostic import Diagnostic

    class Writer(Protocol):
        """Puts diagnostics into one format, one by one; `finish` ends the text.

        `subject` announces a TrainJob or runtime before its diagnostics, whether it has any or not. `in_order` is False for a writer
        that does not mind in which order the notices of one document come, so that nobody has to look up where they are.
        """

        in_order: bool

        def subject(self, subject: "Subject") -> None: ...

        def add(self, diagnostic: "Diagnostic") -> None: ...

        def finish(self, summary: "Summary") -> None: ...

SILENCER = "jobset-compiler: ignore"
UNREADABLE = "unreadable"


class Policy(Frozen):
    """What the user wants taken more or less seriously: codes ("JSC801") or slugs; `fail_on` is "error" or "warning".

    With `errors_stand` an error cannot be ignored or lowered: where objects are wanted, there are none. `least` is the least severity
    that is told of (all are counted); `verbose` tells also what is told only to those who ask.
    """

    ignore: frozenset[str] = frozenset()
    error_on: frozenset[str] = frozenset()
    warn_on: frozenset[str] = frozenset()
    fail_on: str = ERROR
    errors_stand: bool = False
    least: str = INFO
    verbose: bool = False

    def tells(self, severity: str) -> bool:
        """Whether it is severe enough to be told of."""
        return SEVERITIES.index(severity) <= SEVERITIES.index(self.least)

    def judge(self, diagnostic: "Diagnostic") -> "Diagnostic | None":
        """The diagnostic as the user wants it, None for one to leave out."""
        if diagnostic.is_error and self.errors_stand:
            return diagnostic
        if self.ignore and _named(diagnostic, self.ignore):
            return None
        wanted = diagnostic.severity
        if self.warn_on and _named(diagnostic, self.warn_on):
            wanted = WARNING
        if self.error_on and _named(diagnostic, self.error_on):
            wanted = ERROR
        if diagnostic.rule.asked and wanted == INFO and not self.verbose:
            return None
        if _silenced(diagnostic):
            return None
        return diagnostic if wanted == diagnostic.severity else diagnostic.with_severity(wanted)


def _named(diagnostic: "Diagnostic", codes: frozenset[str]) -> bool:
    return diagnostic.code in codes or diagnostic.slug in codes


def _silenced(diagnostic: "Diagnostic") -> bool:
    """Whether a comment on the line of the diagnostic, or alone on the line above it, names its code or slug."""
    document = diagnostic.document
    if document is None or not _has_silencers(document.text):
        return False
    line = diagnostic.line
    above = document.source_line(line - 1).strip()
    comments = [document.source_line(line), above if above.startswith("#") else ""]
    return any(_named(diagnostic, _codes_in(comment)) for comment in comments)


@lru_cache(maxsize=4)
def _has_silencers(text: str) -> bool:
    """Asked for each finding; nearly all texts have none."""
    return SILENCER in text


def _codes_in(comment: str) -> frozenset[str]:
    return frozenset(comment.partition(SILENCER)[2].partition("#")[0].replace(",", " ").split())


class Subject(Frozen):
    """A document that was looked at, as far as it says what it is."""

    file: str
    kind: str
    namespace: str
    name: str


class WithoutNotices:
    """A writer that is told errors and warnings only: for reviews and test results, where a notice would look like a finding."""

    def __init__(self, writer: "Writer") -> None:
        self._writer = writer
        self.in_order = writer.in_order

    def subject(self, subject: Subject) -> None:
        self._writer.subject(subject)

    def add(self, diagnostic: "Diagnostic") -> None:
        if diagnostic.severity != INFO:
            self._writer.add(diagnostic)

    def finish(self, summary: "Summary") -> None:
        self._writer.finish(summary)


class Summary(Frozen):
    """What a run came to: counts of findings and of what was looked at, the exit code, and why it is that one ("" where all is well)."""

    errors: int
    warnings: int
    infos: int
    files: int = 0
    documents: int = 0
    trainjobs: int = 0
    runtimes: int = 0
    exit_code: int = 0
    why: str = ""

    @property
    def findings(self) -> str:
        """"2 errors, 1 warning", "no findings"."""
        counted = [counted_as(self.errors, "error"), counted_as(self.warnings, "warning")]
        return ", ".join(part for part in counted if part) or "no errors or warnings"


def counted_as(count: int, noun: str) -> str:
    """"1 error", "2 errors", "" for none."""
    return counted(count, noun) if count else ""


class Report:
    """Takes the diagnostics of one document after another and hands them on, sorted by place, without repetitions."""

    def __init__(self, policy: Policy, writers: "Sequence[Writer]") -> None:
        self._policy = policy
        self._writers = writers
        self._in_order = any(writer.in_order for writer in writers)
        self._counts = {ERROR: 0, WARNING: 0, INFO: 0}
        self.unreadable = False

    def subject(self, subject: Subject) -> None:
        """A TrainJob or runtime that is looked at now; its diagnostics follow."""
        for writer in self._writers:
            writer.subject(subject)

    def add(self, diagnostics: "Iterable[Diagnostic]") -> None:
        """The diagnostics of one document (or of none), in any order."""
        kept = [judged for diagnostic in diagnostics if (judged := self._policy.judge(diagnostic)) is not None]
        if len(kept) > 1 and (self._in_order or any(diagnostic.severity != INFO for diagnostic in kept)):
            kept = by_place(kept)
        for diagnostic in kept:
            self._counts[diagnostic.severity] += 1
            self.unreadable = self.unreadable or diagnostic.slug == UNREADABLE
            if self._policy.tells(diagnostic.severity):
                for writer in self._writers:
                    writer.add(diagnostic)

    @property
    def failed(self) -> bool:
        """Whether there is something that the run must not succeed with."""
        return self._counts[ERROR] > 0 or (self._policy.fail_on == WARNING and self._counts[WARNING] > 0)

    @property
    def exit_code(self) -> int:
        """2 where something could not be read, 1 where something is wrong, else 0; the same whatever the format."""
        return 2 if self.unreadable else int(self.failed)

    def _why(self) -> str:
        """What decides the exit code, in words."""
        errors, warnings = self._counts[ERROR], self._counts[WARNING]
        if self.unreadable:
            return "exit code 2: not everything could be read"
        if errors:
            return f"exit code 1 for the error{'s' if errors > 1 else ''}"
        if not warnings:
            return ""
        return f"exit code 1 by fail-on {WARNING}" if self._policy.fail_on == WARNING else f"exit code 0, or 1 with --fail-on {WARNING}"

    def finish(self, *, files: int = 0, documents: int = 0, trainjobs: int = 0, runtimes: int = 0, exit_code: int | None = None, why: str = "") -> Summary:
        """End the writers' texts. `exit_code` and `why`: of the command, where it is something else than the findings that decides."""
        counts = self._counts
        code = self.exit_code if exit_code is None else exit_code
        summary = Summary(counts[ERROR], counts[WARNING], counts[INFO], files, documents, trainjobs, runtimes, code, why or self._why())
        for writer in self._writers:
            writer.finish(summary)
        return summary


def by_place(diagnostics: "Iterable[Diagnostic]") -> "list[Diagnostic]":
    """By place and code, each finding once."""
    seen = set()
    unique = []
    for diagnostic in sorted(diagnostics, key=_order):
        identity = (*_order(diagnostic), diagnostic.path, diagnostic.message)
        if identity not in seen:
            seen.add(identity)
            unique.append(diagnostic)
    return unique


def _order(diagnostic: "Diagnostic") -> tuple[str, int, int, str]:
    span = diagnostic.span
    return span.file, span.line, span.column, diagnostic.code
