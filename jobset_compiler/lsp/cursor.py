"""Which place of a document stands at an offset of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.lsp.positions import Lines
    from jobset_compiler.source.document import Document


class Cursor(NamedTuple):
    """start and end: of the key, or of the value, in the file."""

    document: Document
    path: Path
    start: int
    end: int


def cursor_at(documents: Iterable[Document], lines: Lines, offset: int) -> Cursor | None:
    """The innermost place that holds the offset; None where no document that can be read does."""
    for document in documents:
        within = lines.extent_of(document, ())
        if within is not None and within[0] <= offset <= within[1]:
            return _descend(document, lines, offset, within)
    return None


def _descend(document: Document, lines: Lines, offset: int, extent: tuple[int, int]) -> Cursor:
    path: Path = ()
    value: Any = document.value
    while True:
        # Of the members that begin before it the last one: a collection may be written in another order than it is kept.
        nearest: tuple[int, int, Path, Any] | None = None
        for step, item in _members(value):
            key = lines.extent_of(document, (*path, step), on_key=True)
            if key is not None and key[0] <= offset and (nearest is None or key[0] >= nearest[0]):
                nearest = (*key, (*path, step), item)
        if nearest is None:
            break
        start, end, below, item = nearest
        if isinstance(below[-1], str) and offset <= end:
            return Cursor(document, below, start, end)
        found = lines.extent_of(document, below)
        if found is None or not found[0] <= offset <= found[1]:
            break
        path, value, extent = below, item, found
    return Cursor(document, path, *extent)


def _members(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)
