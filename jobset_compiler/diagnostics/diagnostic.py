"""One thing to tell the user: what, how bad, where, and the way out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from jobset_compiler.diagnostics.codes.code import ERROR
from jobset_compiler.diagnostics.place import Path, Span, format_path
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.codes.code import Code, Severity
    from jobset_compiler.diagnostics.fix import Fix, Remedy
    from jobset_compiler.diagnostics.place import Located

Stage = Literal[
    "source", "convert", "schema", "decode", "resolve", "webhook", "build", "passes", "objects", "jobset", "children", "advice", "plugins", "krm", ""
]
"""Which part of the compile found it, in their order; "" for a pass of somebody else that does not say."""

UNKNOWN = Span("", 0, 0, 0, 0)
CHILDREN: Final = "children"
"""The stage after the controller's part: the Jobs of an accepted JobSet and their pods, at their own APIs."""


class Note(Value):
    """A second place that belongs to the message: the other half of a conflict, the target of a reference. place: of what stands in no document."""

    __slots__ = ("at", "document", "message", "place")

    def __init__(self, message: str, document: Located | None, at: Path, place: Span = UNKNOWN) -> None:
        self.message: Final = message
        self.document: Final = document
        self.at: Final = at
        self.place: Final = place

    @property
    def span(self) -> Span:
        return self.document.locate(self.at) if self.document else self.place


class Diagnostic:
    """Immutable. Lines and columns are found when somebody asks for them.

    path and message are the server's own where a server says it; `at` is the place in the document, which may be
    another one (the server's path of a whole list, our place at its second item).
    """

    __slots__ = {  # noqa: RUF023  # in the order in which people need them
        "severity": '"error": it will not run; "warning": it runs, but hardly as meant; "info": worth knowing once.',
        "message": "What is wrong; the server's own words where a server says it.",
        "path": 'The field, as the server names it: "spec.trainer.env".',
        "hint": 'The way out, "" where there is none to tell.',
        "stage": "Which part of the compile found it.",
        "object_kind": "Kind of the object that it is about.",
        "namespace": "Namespace of that object.",
        "name": "Name of that object.",
        "notes": "Further places that belong to it.",
        "remedies": "What would mend it, as far as a machine can; `fixes` has it as edits of the text.",
        "rule": "The code with its documentation.",
        "document": "The document that it is about, None for an input that could not be read.",
        "at": "The place in that document.",
        "on_key": "Whether the key is meant rather than its value.",
        "_span": "The place in the text, where it is not to be found by `at`.",
    }

    def __init__(
        self,
        rule: Code,
        message: str,
        *,
        document: Located | None = None,
        at: Path = (),
        path: str = "",
        hint: str = "",
        stage: Stage = "",
        notes: tuple[Note, ...] = (),
        on_key: bool = False,
        span: Span | None = None,
        severity: Severity | None = None,
        subject: tuple[str, str, str] = ("", "", ""),
        remedies: tuple[Remedy | Fix, ...] = (),
    ) -> None:
        self.rule = rule
        self.message = message
        self.document = document
        self.at = at
        self.path = path
        self.hint = hint
        self.stage: Stage = stage
        self.notes = notes
        self.on_key = on_key
        self.remedies = remedies
        self.severity: Severity = rule.severity if severity is None else severity
        self.object_kind, self.namespace, self.name = subject
        self._span = span

    @property
    def code(self) -> str:
        """"JSC" and three digits; `jobset-compiler codes` explains it."""
        return self.rule.code

    @property
    def slug(self) -> str:
        """The code in words: "runtime-not-found"."""
        return self.rule.slug

    @property
    def is_error(self) -> bool:
        """Whether it stands in the way of the objects."""
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
    def fixes(self) -> tuple[Fix, ...]:
        """Edits of the text that would mend it, each on its own; none where only a person can, or there is no text."""
        if not self.remedies:
            return ()
        from jobset_compiler.diagnostics.fix import Fix

        placed = (remedy if isinstance(remedy, Fix) else remedy.placed(self.document) for remedy in self.remedies)
        return tuple(fix for fix in placed if fix is not None)

    @property
    def file(self) -> str:
        """The file, or what the caller called the text: "<input>", "<object 0>"."""
        return self.span.file

    @property
    def line(self) -> int:
        """From 1; 0 for an object that came without text."""
        return self.span.line

    @property
    def column(self) -> int:
        """From 1; 0 for an object that came without text."""
        return self.span.column

    def with_severity(self, severity: Severity) -> Diagnostic:
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
            remedies=self.remedies,
        )

    def with_hint(self, hint: str) -> Diagnostic:
        """The same finding with another way out."""
        changed = self.with_severity(self.severity)
        changed.hint = hint
        return changed

    def with_notes(self, notes: tuple[Note, ...]) -> Diagnostic:
        """The same finding with further places."""
        changed = self.with_severity(self.severity)
        changed.notes = (*self.notes, *notes)
        return changed

    def moved(self, was: Located, now: Located) -> Diagnostic:
        """The same finding about another document with the same content; what it says about third documents stays."""
        changed = self.with_severity(self.severity)
        changed.document = now if self.document is was else self.document
        changed.notes = tuple(Note(note.message, now, note.at) if note.document is was else note for note in self.notes)
        return changed

    def seen_from(self, document: Located, at: Path, message: str = "") -> Diagnostic:
        """The same finding at a place of a document that it concerns, in its own words or in those that are understood there; where it stands is
        in the notes. Nothing is mended from there."""
        changed = self.with_severity(self.severity)
        changed.message = message or self.message
        changed.document, changed.at, changed.path = document, at, format_path(at)
        changed.on_key, changed._span, changed.remedies = False, None, ()
        changed.notes = (Note("it stands here", self.document, self.at), *(note for note in self.notes if note.document is not document))
        return changed

    def _told(self) -> tuple[Any, ...]:
        """All that a reader is told."""
        subject = (self.object_kind, self.namespace, self.name)
        notes = tuple((note.message, note.span) for note in self.notes)
        return (self.rule, self.severity, self.stage, self.message, self.path, self.hint, self.at, subject, self.span, notes)

    def __eq__(self, other: object) -> bool:
        """Diagnostics that say the same of the same place are equal."""
        if self is other:
            return True
        return self._told() == other._told() if isinstance(other, Diagnostic) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.rule.code, self.message, self.path, self.at))

    def __str__(self) -> str:
        """One line, as compilers print it: `job.yaml:3:9: error JSC301: spec.trainer: ...`."""
        path = f"{self.path}: " if self.path else ""
        return f"{self.span}: {self.severity} {self.code}: {path}{self.message}"

    def __repr__(self) -> str:
        return f"<Diagnostic {self}>"


def counted(count: int, noun: str) -> str:
    """"1 pod", "2 pods"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
