"""JSON as Go's decoders read it, for streams that start with `{`: kubectl takes those as JSON first, as YAML otherwise."""

from __future__ import annotations

import json
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, NoReturn

from jobset_compiler.source.limits import MAX_DEPTH
from jobset_compiler.source.nodes import MAPPING, SCALAR, SEQUENCE, Node
from jobset_compiler.source.problems import SourceError
from jobset_compiler.source.scalars import INT64_MAX, INT64_MIN, is_finite, plain_number, replace_surrogates

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path

_SPACE = " \t\r\n"


class _OverflowError(ValueError):
    """A number that Go cannot hold."""


class RepeatedKeys:
    """Tells whether an object of the last document had a key twice."""

    __slots__ = ("seen",)

    def __init__(self) -> None:
        self.seen = False

    def __call__(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            self.seen = True
        return members


def _integer(text: str) -> int | float:
    if len(text) < 19:
        return int(text)
    value = int(text) if len(text) < 40 else None
    return value if value is not None and INT64_MIN <= value <= INT64_MAX else _float(text)


def _float(text: str) -> int | float:
    number = float(text)
    if not is_finite(number):
        raise _OverflowError(f"json: cannot unmarshal number {text} into Go value of type float64")
    return plain_number(number)


def _constant(text: str) -> NoReturn:
    raise _OverflowError(f"invalid character '{text[0]}' looking for beginning of value")


class JsonDecoder:
    """Reads one JSON value after another out of a text."""

    def __init__(self) -> None:
        self.repeated = RepeatedKeys()
        self._decode = json.JSONDecoder(
            object_pairs_hook=self.repeated, parse_int=_integer, parse_float=_float, parse_constant=_constant
        ).raw_decode

    def read(self, text: str, start: int) -> tuple[Any, int]:
        """The value at `start` and the offset after it; raises `SourceError`."""
        self.repeated.seen = False
        try:
            value, end = self._decode(text, start)
        except json.JSONDecodeError as error:
            raise SourceError("json-syntax", f"json: {error.msg}", error.pos, error.pos + 1) from None
        except _OverflowError as error:
            raise SourceError("bad-number", str(error), start, start + 1) from None
        except RecursionError:
            raise _too_deep(start) from None
        if text.count("[", start, end) + text.count("{", start, end) > MAX_DEPTH and _height(value) > MAX_DEPTH:
            raise _too_deep(start)
        if text.find("\\u", start, end) >= 0:
            value = _without_surrogates(value)
        return value, end


def skip_space(text: str, start: int) -> int:
    while start < len(text) and text[start] in _SPACE:
        start += 1
    return start


def _too_deep(start: int) -> SourceError:
    return SourceError("too-deep", f"document is nested more than {MAX_DEPTH} levels deep", start, start + 1)


def _height(value: Any) -> int:
    height = 0
    level = [value]
    while level := [item for item in level if type(item) is dict or type(item) is list]:
        height += 1
        level = [member for item in level for member in (item.values() if type(item) is dict else item)]
    return height


def _without_surrogates(value: Any) -> Any:
    """Go writes U+FFFD for an escaped half of a surrogate pair that stands alone."""
    if type(value) is str:
        return replace_surrogates(value)
    if type(value) is dict:
        return {replace_surrogates(key): _without_surrogates(member) for key, member in value.items()}
    if type(value) is list:
        return [_without_surrogates(item) for item in value]
    return value


def compose(text: str, start: int) -> Node:
    """The node of the JSON value at `start`, which `JsonDecoder` has accepted; keys keep their place in the text."""
    parents: list[Node] = []
    position = start
    while True:
        position = skip_space(text, position)
        character = text[position]
        if character in ",:":
            position += 1
            continue
        if character in "]}":
            node = parents.pop()
            position += 1
            node.end = position
        else:
            node = Node(SCALAR, position, position + 1)
            if parents:
                parents[-1].children.append(node)
            if character in "[{":
                node.kind = SEQUENCE if character == "[" else MAPPING
                position += 1
                parents.append(node)
                continue
            if character == '"':
                node.text, position = scanstring(text, position + 1, True)
                node.text = replace_surrogates(node.text)
            else:
                while position < len(text) and text[position] not in ",]}" + _SPACE:
                    position += 1
                node.text = text[node.start : position]
            node.end = position
        if not parents:
            return node


def repetitions(root: Node) -> list[tuple[Path, Node, Node]]:
    """The repeated keys below a node: path, the key's repetition and its first place."""
    found: list[tuple[Path, Node, Node]] = []

    def visit(node: Node, path: Path) -> None:
        if node.kind == SEQUENCE:
            for index, child in enumerate(node.children):
                visit(child, (*path, index))
        elif node.kind == MAPPING:
            first: dict[str, Node] = {}
            for position in range(0, len(node.children), 2):
                key = node.children[position]
                if key.text in first:
                    found.append(((*path, key.text), key, first[key.text]))
                first.setdefault(key.text, key)
                visit(node.children[position + 1], (*path, key.text))

    visit(root, ())
    return found
