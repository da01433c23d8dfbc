"""One thing to tell the user: what, how bad, where, and the way out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.diagnostics.codes.code import ERROR
from jobset_compiler.diagnostics.place import Path, Span

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.source.document import Document

UNKNOWN = Span("", 0, 0, 0, 0)
CHILDREN = "children"
"""The stage after the controller's part: the Jobs of an accepted JobSet and their pods, at their own APIs."""


class Note(NamedTuple):
    """A second place that belongs to the message: the other half of a conflict, the target of a reference."""

    message: str
    document: Document | None
    at: Path

    @property
    def span(self) -> Span:
        return self.document.locate(self.at) if self.document else UNKNOWN


class Diagnostic:
    """Immutable. Lines and columns are found when somebody asks for them.

    path and message are the server's own where a server says it; `at` is the place in the document, which may be
    another one (the server's path of a whole list, our place at its second item).
    """

    __slots__ = ("_span", "at", "document", "hint", "message", "name", "namespace", "notes", "object_kind", "on_key", "path", "rule", "severity", "stage")

    def __init__(
        self,
        rule: Code,
        message: str,
        *,
        document: Document | None = None,
        at: Path = (),
        path: str = "",
        hint: str = "",
        stage: str = "",
        notes: tuple[Note, ...] = (),
        on_key: bool = False,
        span: Span | None = None,
        severity: str | None = None,
        subject: tuple[str, str, str] = ("", "", ""),
    ) -> None:
        self.rule = rule
        self.message = message
        self.document = document
        self.at = at
        self.path = path
        self.hint = hint
        self.stage = stage
        self.notes = notes
        self.on_key = on_key
        self.severity = rule.severity if severity is None else severity
        self.object_kind, self.namespace, self.name = subject
        self._span = span

    @property
    def code(self) -> str:
        return self.rule.code

    @property
    def slug(self) -> str:
        return self.rule.slug

    @property
    def is_error(self) -> bool:
        return self.severity == ERROR

    @property
    def prevents_objects(self) -> bool:
        """Whether it is an error after which the controller submits nothing."""
        return self.severity == ERROR and self.stage != CHILDREN

    @property
    def span(self) -> Span:
        """Where it is: the value at `at`, its key when `on_key`, or the nearest ancestor that the document has."""
        if self._span is not None:
            return self._span
        if self.document is None:
            return UNKNOWN
        return self.document.locate_key(self.at) if self.on_key else self.document.locate(self.at)

    @property
    def file(self) -> str:
        return self.span.file

    @property
    def line(self) -> int:
        return self.span.line

    @property
    def column(self) -> int:
        return self.span.column

    def with_severity(self, severity: str) -> Diagnostic:
        """The same finding, taken more or less seriously."""
        return Diagnostic(
            self.rule,
            self.message,
            document=self.document,
            at=self.at,
            path=self.path,
            hint=self.hint,
            stage=self.stage,
            notes=self.notes,
            on_key=self.on_key,
            span=self._span,
            severity=severity,
            subject=(self.object_kind, self.namespace, self.name),
        )

    def with_notes(self, notes: tuple[Note, ...]) -> Diagnostic:
        """The same finding with further places."""
        changed = self.with_severity(self.severity)
        changed.notes = (*self.notes, *notes)
        return changed

    def __repr__(self) -> str:
        return f"<{self.code} {self.slug} {self.severity} {self.span}: {self.path}: {self.message}>"
