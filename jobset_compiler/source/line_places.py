"""Where the parts of a plain document stand, from where its collections begin, which the quick lane has noted while it read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.source.lines import BELOW, INNER, LITERAL, flow_key, flow_value, meaning_of, skip_blanks
from jobset_compiler.source.places import Extent, Place

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.source.lines import Line, Plain


class LinePlaces:
    """The places of one document; `starts` are the offsets of its lines."""

    __slots__ = ("_extents", "_indexes", "_meanings", "_noted", "_positions", "_root", "_starts", "_text")

    def __init__(self, text: str, starts: list[int], plain: Plain) -> None:
        self._text = text
        self._starts = starts
        self._root = plain.value
        self._noted = plain.noted
        # What was found once: whoever asks for one place of a document often asks for all.
        self._indexes: dict[int, dict[str, int]] = {}
        self._extents: dict[int, Extent] = {}
        self._meanings: dict[int, Line] = {}
        self._positions: dict[int, list[int]] = {}

    def find(self, path: Path) -> Place:
        """The place of a path, of its nearest ancestor where the document has no such member."""
        value: Any = self._root
        member: tuple[int, Line] | None = None
        rest: Path = ()
        for depth, step in enumerate(path):
            if id(value) not in self._noted:
                rest = path[depth:]
                break
            number = self._number(value, step)
            if number is None:
                break
            member = self._member(value, number)
            value = value[step]
        place = self._place(member, value)
        return self._within_line(place, rest) if rest and isinstance(value, (dict, list)) else place

    def _place(self, member: tuple[int, Line] | None, value: Any) -> Place:
        """The place of a member of a collection, of the whole document for None."""
        if member is None:
            extent = self._collection(value)
            return Place(extent, extent, None)
        position, line = member
        extent = self._value(position, line, value)
        start = self._starts[position]
        return Place(extent, extent if line[1] is None else (start + line[0], start + line[4] - 1), None)

    def _number(self, container: Any, step: str | int) -> int | None:
        """Which member of a collection a step of a path leads to."""
        if isinstance(container, list):
            return step if isinstance(step, int) and 0 <= step < len(container) else None
        index = self._indexes.get(id(container))
        if index is None:
            index = self._indexes[id(container)] = {key: number for number, key in enumerate(container)}
        return index.get(step)  # type: ignore[arg-type]  # an index is no key

    def _member(self, container: Any, number: int) -> tuple[int, Line]:
        """The index of its line, and the line, or that part of it."""
        if number == 0:
            return self._noted[id(container)]
        position = self._positions_of(container)[number]
        return position, self._meaning(position)

    def _positions_of(self, container: Any) -> list[int]:
        """The index of the line of each member: of a mapping the lines with a key, of a list those with a dash, that begin where its first one does."""
        positions = self._positions.get(id(container))
        if positions is None:
            position, (column, first_key, *_) = self._noted[id(container)]
            positions = self._positions[id(container)] = [position]
            while len(positions) < len(container):
                position += 1
                start, key, *_ = self._meaning(position)
                if start == column and (key is None) == (first_key is None):
                    positions.append(position)
        return positions

    def _meaning(self, position: int) -> Line:
        meaning = self._meanings.get(position)
        if meaning is None:
            meaning = self._meanings[position] = meaning_of(self._line(position))
        return meaning

    def _line(self, position: int) -> str:
        end = self._starts[position + 1] - 1 if position + 1 < len(self._starts) else len(self._text)
        return self._text[self._starts[position] : end].removesuffix("\r")

    def _value(self, position: int, line: Line, value: Any) -> Extent:
        _, _, what, header, _, start, end = line
        if what == INNER or (what == BELOW and value is not None):
            return self._collection(value)
        offset = self._starts[position]
        if what == LITERAL:
            last = position + value.count("\n") + (header == "|-")
            return offset + start, self._starts[last] + len(self._line(last).rstrip(" "))
        return offset + start, offset + end

    def _collection(self, value: Any) -> Extent:
        """From its first member to the end of its last."""
        known = self._extents.get(id(value))
        if known is not None:
            return known
        position, first = self._member(value, 0)
        number = len(value) - 1
        _, end = self._value(*self._member(value, number), value[number] if isinstance(value, list) else value[next(reversed(value))])
        extent = self._extents[id(value)] = self._starts[position] + first[0], end
        return extent

    def _within_line(self, place: Place, path: Path) -> Place:
        """The place of a path within a flow collection, whose own place is given."""
        text = self._text
        for step in path:
            position = place.value[0]
            if text[position] not in "[{":
                break
            is_list = text[position] == "["
            position = skip_blanks(text, position + 1)
            number = 0
            while text[position] not in "]}":
                key = position
                if not is_list:
                    name, position = flow_key(text, position)
                _, end = flow_value(text, position, 0)
                if step == (number if is_list else name):
                    break
                position = skip_blanks(text, end)
                if text[position] == ",":
                    position = skip_blanks(text, position + 1)
                number += 1
            else:
                break
            extent = position, end
            place = Place(extent, extent if is_list else (key, text.rindex(":", key, position)), None)
        return place
