"""A diagnostic as writers tell it: everything looked up, and nothing in it that must stay secret."""

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.diagnostics.redaction import shown_line, without

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.fix import Fix
    from jobset_compiler.diagnostics.place import Located


class RelatedPlace(NamedTuple):
    """A further place that belongs to a finding."""

    message: str
    file: str
    line: int
    column: int


class SettledDiagnostic(NamedTuple):
    """A diagnostic with everything looked up, for writers: no document behind it any more.

    Lines and columns count from 1, 0 where there is none. `source` is the text of the line, "" where there is none or
    it may not be shown; neither are `fixes` then.
    """

    code: str
    slug: str
    severity: str
    title: str
    message: str
    path: str
    hint: str
    stage: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    source: str
    kind: str
    namespace: str
    name: str
    notes: tuple[RelatedPlace, ...]
    fixes: "tuple[Fix, ...]" = ()

    @property
    def excerpt(self) -> tuple[str, str, str]:
        """The line: what is before the place, at it and after it."""
        source = self.source.replace("\t", " ")
        start = self.column - 1
        end = self.end_column - 1 if self.end_line == self.line else len(source)
        end = max(end, start + 1)
        return source[:start], source[start:end], source[end:]


def settle(diagnostic: "Diagnostic") -> SettledDiagnostic:
    """Look up where a diagnostic is; the first one of a document reads it again with positions."""
    span = diagnostic.span
    document = diagnostic.document
    source = _source_line(document, span.line) if document is not None and span.line else ""
    whole = document.source_line(span.line) if document is not None and span.line else ""
    message, path, hint = _message(diagnostic), _path(diagnostic), diagnostic.hint
    if source != whole:
        message, hint = without(message, whole, source), without(hint, whole, source)
    return SettledDiagnostic(
        code=diagnostic.code,
        slug=diagnostic.slug,
        severity=diagnostic.severity,
        title=diagnostic.rule.title,
        message=message,
        path=path,
        hint=hint,
        stage=diagnostic.stage,
        file=span.file,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        source=source,
        kind=diagnostic.object_kind,
        namespace=diagnostic.namespace,
        name=diagnostic.name,
        notes=tuple(RelatedPlace(note.message, note.span.file, note.span.line, note.span.column) for note in diagnostic.notes),
        fixes=diagnostic.fixes if source == whole else (),
    )


def _path(diagnostic: "Diagnostic") -> str:
    """The server's; of a finding about the JobSet, which nobody has written, that of the line shown."""
    if diagnostic.path and not _is_of_the_jobset(diagnostic):
        return diagnostic.path
    return format_path(diagnostic.at) if diagnostic.at else ""


def _message(diagnostic: "Diagnostic") -> str:
    """With the server's path in front, where `_path` is another one and the message does not say it."""
    path, message = diagnostic.path, diagnostic.message
    is_told = not _is_of_the_jobset(diagnostic) or path in ("<nil>", format_path(diagnostic.at)) or path in message
    return message if is_told else f"{path}: {message}"


def _is_of_the_jobset(diagnostic: "Diagnostic") -> bool:
    return diagnostic.stage == "jobset" and bool(diagnostic.path) and bool(diagnostic.at)


def _source_line(document: "Located", line: int) -> str:
    return shown_line(document.text, document.source_line(line), [document.source_line(line + distance) for distance in (-2, -1, 1, 2)])
