"""Two conversions one after another as one: from the first document straight to the last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.dialects.document import ConvertedDocument
from jobset_compiler.dialects.results import Output
from jobset_compiler.dialects.tree import OldPlace, Places, translate

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path


def composed(outer: Output, inner: Output) -> Output:
    """`outer` is what became of the document of `inner`; the result stands for both: places of the first document, comments of either."""
    places = _composed(outer.document.places, inner.document.places)
    document = ConvertedDocument(inner.document.old, outer.document.value, places)
    moved = tuple(comment._replace(path=_now(comment.path, outer.document.places)) for comment in inner.comments)
    return Output(document, (*moved, *outer.comments), inner.respelt)


def _composed(outer: Places, inner: Places) -> Places:
    places: Places = {}
    for path in sorted(outer, key=len):
        place = outer[path]
        first = translate(inner, place.path)
        if not place.carried:
            places[path] = OldPlace(first.path, carried=False)
            continue
        places[path] = first
        depth = len(place.path)
        for below, found in inner.items():
            if len(below) > depth and below[:depth] == place.path:
                places[(*path, *below[depth:])] = found
    return places


def _now(path: Path, outer: Places) -> Path:
    """Where a path of the document in between stands now: what was carried from it, or what encloses that."""
    for depth in range(len(path), -1, -1):
        for new, place in outer.items():
            if place.path == path[:depth] and (place.carried or depth == len(path)):
                return (*new, *path[depth:]) if place.carried else new
    return ()
