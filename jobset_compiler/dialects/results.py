"""What a conversion comes to: documents, comments for them, diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.document import ConvertedDocument
    from jobset_compiler.source.document import Document


class Comment(NamedTuple):
    """A comment above what stands at `path` of a new document, or, if `inline`, behind it; about: what of the old one it speaks of."""

    path: Path
    text: str
    inline: bool = False
    about: Path = ()


class Output(NamedTuple):
    """One new document. `respelt`: it is the old one in other words, so that blank lines and comments stay where they are."""

    document: ConvertedDocument
    comments: tuple[Comment, ...] = ()
    respelt: bool = False


class Converted(NamedTuple):
    """What became of one document: `outputs` in the order to be written, () where it cannot be converted, None where it stays as it is."""

    old: Document
    outputs: tuple[Output, ...] | None = None
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents that take its place."""
        return (self.old,) if self.outputs is None else tuple(output.document for output in self.outputs)
