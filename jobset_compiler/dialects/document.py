"""A converted document: a value of ours whose places are those of the old text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.tree import get, translate
from jobset_compiler.source.document import Document

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path, Span
    from jobset_compiler.dialects.tree import Places

_NOTHING = object()


class ConvertedDocument(Document):
    """`value` is of our API; wherever it is asked where something stands, it answers with the place in `old` that it comes from.

    `places` leads from paths of `value` to paths of `old`.
    """

    __slots__ = ("old", "places")

    old: Document
    places: Places

    def __init__(self, old: Document, value: Any, places: Places) -> None:
        super().__init__(old.file, old.index, value, old.prefix, None)
        object.__setattr__(self, "old", old)
        object.__setattr__(self, "places", places)

    @property
    def written(self) -> Document:
        return self.old.written

    def written_as(self, path: Path) -> Path:
        path = translate(self.places, path).path
        while path and get(self.old.value, *path, default=_NOTHING) is _NOTHING:
            path = path[:-1]
        return self.old.written_as(path)

    @property
    def text(self) -> str:
        return self.old.text

    @property
    def start_line(self) -> int:
        return self.old.start_line

    @property
    def start(self) -> int:
        return self.old.start

    @property
    def end(self) -> int:
        return self.old.end

    @property
    def is_json(self) -> bool:
        return self.old.is_json

    def source_line(self, line: int) -> str:
        return self.old.source_line(line)

    def offsets(self, path: Path) -> tuple[int, int]:
        place = translate(self.places, path)
        return self.old.offsets(place.path) if place.carried else (0, 0)  # the text of another value

    def locate(self, path: Path) -> Span:
        return self.old.locate(translate(self.places, path).path)

    def locate_key(self, path: Path) -> Span:
        return self.old.locate_key(translate(self.places, path).path)

    def alias_site(self, path: Path) -> Span | None:
        return self.old.alias_site(translate(self.places, path).path)
