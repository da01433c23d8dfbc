"""The comments of an old document: to which part of it each belongs, and where in the new documents those go that copying has left behind.

What is copied takes its comments along. A comment about a part that has another name now, or that is gone, would be lost: it goes to what became of
that part, or to the note about it, else to what stands in the place of what enclosed it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.source.nodes import MappingNode, ScalarNode, SequenceNode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.results import Output
    from jobset_compiler.dialects.writing.old_text import OldText
    from jobset_compiler.source.nodes import Node

# The pods of a role of a v1 job stand this deep: where nothing of a template was carried, other pods are taken, and its comments are theirs.
POD_TEMPLATE = 4
# More signs than this on a line are not looked at, wherever the comment begins.
MOST_SIGNS = 20


class Remark(NamedTuple):
    """A comment, from its # to the end of its line; path: of the part that it is about; is_below: whether it stands where that part ends."""

    text: str
    path: Path
    is_below: bool = False


class Left(NamedTuple):
    """A comment that was left behind: into which of the outputs it goes, above or below what."""

    output: int
    path: Path
    text: str
    is_below: bool


def left_behind(old: OldText, outputs: Sequence[Output], texts: Sequence[str]) -> list[Left]:
    """The comments of the old document that are in none of the texts of the outputs, with their new places."""
    if old.root is None:
        return []
    there = Counter(text for written in texts for line in written.split("\n") for text in _candidates(line))
    found = []
    for remark in remarks_of(old, old.root):
        if there[remark.text]:
            there[remark.text] -= 1
        elif (place := _new_place(remark.path, outputs)) is not None:
            found.append(Left(*place, remark.text, remark.is_below))
    return found


def remarks_of(old: OldText, root: Node) -> Iterator[Remark]:
    """The comments between the first and the last line of a document's value."""
    parts = sorted(_parts(root, ()), key=lambda part: part[0])
    scalars = sorted((node.start, node.end) for node in _scalars(root))
    begins = [begin for begin, _ in scalars]
    starts = list(accumulate([0, *(len(line) + 1 for line in old.source.split("\n"))]))
    for start, line in zip(starts, old.source.split("\n"), strict=False):
        if start + len(line) < root.start or start > root.end:
            continue
        for text in _candidates(line):
            offset = start + len(line.rstrip()) - len(text)
            inside = bisect_right(begins, offset) - 1
            if inside < 0 or offset >= scalars[inside][1]:
                yield Remark(text, *_about(offset, old, parts))
                break


def _candidates(line: str) -> Iterator[str]:
    """What may be a comment on a line, the longest first."""
    line = line.rstrip()
    column, signs = line.find("#"), 0
    while column >= 0 and signs < MOST_SIGNS:
        if not column or line[column - 1] in " \t":
            yield line[column:]
            signs += 1
        column = line.find("#", column + 1)


def _about(offset: int, old: OldText, parts: list[tuple[int, Path]]) -> tuple[Path, bool]:
    """What a comment is about, and whether it stands below it: what stands before it on its line or, on a line of its own, what follows;
    where that is less indented, what has ended there."""
    position = bisect_left(parts, (offset, ()))
    start = old.line_start(offset)
    if old.source[start:offset].strip():
        return (parts[position - 1][1] if position else ()), False
    if position < len(parts) and old.indent(parts[position][0]) >= offset - start:
        return parts[position][1], False
    return next(((path, True) for begin, path in reversed(parts[:position]) if _column(begin, path, old) <= offset - start), ((), False))


def _column(offset: int, path: Path, old: OldText) -> int:
    """The column of a member's key or of an item's dash."""
    return old.indent(offset) if isinstance(path[-1], int) else offset - old.line_start(offset)


def _parts(node: Node, path: Path) -> Iterator[tuple[int, Path]]:
    """Where each member and item begins."""
    if isinstance(node, MappingNode):
        for key, value in zip(node.children[::2], node.children[1::2], strict=True):
            if isinstance(key, ScalarNode):
                yield key.start, (*path, key.text)
                yield from _parts(value, (*path, key.text))
    elif isinstance(node, SequenceNode):
        for index, item in enumerate(node.children):
            yield item.start, (*path, index)
            yield from _parts(item, (*path, index))


def _scalars(node: Node) -> Iterator[Node]:
    if isinstance(node, MappingNode | SequenceNode):
        for child in node.children:
            yield from _scalars(child)
    else:
        yield node


def _new_place(path: Path, outputs: Sequence[Output]) -> tuple[int, Path] | None:
    """The output and the path in it; None for a comment in pods that are not used."""
    places = [(number, new, place) for number, output in enumerate(outputs) for new, place in output.document.places.items()]
    template = path[:POD_TEMPLATE]
    if template[-1:] == ("template",) and not any(place.path[:POD_TEMPLATE] == template for _, _, place in places):
        return None
    within = next(((number, new) for number, new, place in places if place.path[: len(path)] == path), None)
    if within is not None:
        return within
    noted = next(((number, comment.path) for number, output in enumerate(outputs) for comment in output.comments if comment.about == path), None)
    if noted is not None:
        return noted
    number, new, place = max(places, key=lambda each: _shared(each[2].path, path))
    if place.carried and place.path == path[: len(place.path)]:
        return number, (*new, *path[len(place.path) :])
    return number, new


def _shared(first: Path, second: Path) -> int:
    return next((depth for depth, (one, other) in enumerate(zip(first, second, strict=False)) if one != other), min(len(first), len(second)))
