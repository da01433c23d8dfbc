"""What can be wrong with a text before anything Kubernetes-like is looked at; problems are returned, never raised."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Span
    from jobset_compiler.source.document import DocumentText


class SourceProblem(NamedTuple):
    """One fault of the text. `slug` is a key of `SLUGS`; `message` keeps the words of the Go parsers where they have some.

    `text` is the document it was found in, as far as there is one.
    """

    slug: str
    message: str
    span: Span
    hint: str
    text: DocumentText | None = None


# Every slug with the severity it deserves: errors are texts that kubectl and the API server refuse to read.
SLUGS: tuple[tuple[str, str], ...] = (
    ("unreadable", "error"),
    ("link-not-followed", "info"),
    ("not-utf8", "error"),
    ("control-character", "error"),
    ("yaml-syntax", "error"),
    ("json-syntax", "error"),
    ("tab-indentation", "error"),
    ("helm-template", "error"),
    ("placeholder", "error"),
    ("merge-conflict", "error"),
    ("markdown-fence", "error"),
    ("document-separator", "error"),
    ("bad-key", "error"),
    ("bad-tag", "error"),
    ("bad-merge", "error"),
    ("bad-number", "error"),
    ("unknown-anchor", "error"),
    ("alias-cycle", "error"),
    ("alias-bomb", "error"),
    ("too-deep", "error"),
    ("too-large", "error"),
    ("duplicate-key", "warning"),
    ("merge-override", "info"),
    ("colliding-keys", "warning"),
    ("ignored-text", "warning"),
)


class SourceError(Exception):
    """Inside the package only: a document cannot be read; offsets are characters of that document's text."""

    def __init__(self, slug: str, message: str, start: int, end: int, hint: str = "") -> None:
        super().__init__(message)
        self.slug = slug
        self.message = message
        self.start = start
        self.end = end
        self.hint = hint


class Finding(NamedTuple):
    """Inside the package only: a problem that does not stop the reading, at character offsets of the document's text.

    `other` is the offset of a second place, such as the first of two equal keys.
    """

    slug: str
    message: str
    start: int
    end: int
    hint: str
    other: int = -1
