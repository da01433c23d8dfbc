"""JSON as Go's decoders read it, for streams that start with `{`: kubectl takes those as JSON first, as YAML otherwise."""

from __future__ import annotations

import json
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from jobset_compiler.source.faults import TextFault
from jobset_compiler.source.limits import MAX_DEPTH
from jobset_compiler.source.nodes import MappingNode, Node, ScalarNode, SequenceNode
from jobset_compiler.source.scalars import INT64_MAX, INT64_MIN, is_finite, plain_number, replace_surrogates

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path

_SPACE = " \t\r\n"


class _OverflowError(ValueError):
    """A number that Go cannot hold."""


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


class Read(NamedTuple):
    """A value and the offset after it; where there is a `fault` there is neither."""

    value: Any
    end: int
    has_repeated_keys: bool = False
    fault: TextFault | None = None


class JsonDecoder:
    """Reads one JSON value after another out of a text."""

    def __init__(self) -> None:
        self._repeated = False
        self._decode = json.JSONDecoder(
            object_pairs_hook=self._members, parse_int=_integer, parse_float=_float, parse_constant=_constant
        ).raw_decode

    def _members(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            self._repeated = True
        return members

    def read(self, text: str, start: int) -> Read:
        """The value at `start`, which is no blank."""
        self._repeated = False
        try:
            value, end = self._decode(text, start)
        except json.JSONDecodeError as error:
            return Read(None, start, fault=TextFault("json-syntax", f"json: {error.msg}", error.pos, error.pos + 1))
        except _OverflowError as error:
            return Read(None, start, fault=TextFault("bad-number", str(error), start, start + 1))
        except RecursionError:
            return Read(None, start, fault=_too_deep(start))
        if text.count("[", start, end) + text.count("{", start, end) > MAX_DEPTH and _height(value) > MAX_DEPTH:
            return Read(None, start, fault=_too_deep(start))
        if text.find("\\u", start, end) >= 0:
            value = _without_surrogates(value)
        return Read(value, end, self._repeated)


def skip_space(text: str, start: int) -> int:
    while start < len(text) and text[start] in _SPACE:
        start += 1
    return start


def _too_deep(start: int) -> TextFault:
    return TextFault("too-deep", f"document is nested more than {MAX_DEPTH} levels deep", start, start + 1)


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


def compose(text: str) -> Node:
    """The nodes of a text that is one JSON value, which `JsonDecoder` has accepted. YAML's grammar is another: it has no `\\/`, no halves
    of surrogate pairs and no keys of more than 1,024 characters.
    """
    parents: list[SequenceNode | MappingNode] = []
    position = 0
    while True:
        position = skip_space(text, position)
        character = text[position]
        if character in ",:":
            position += 1
            continue
        node: Node
        if character in "]}":
            position += 1
            node = parents.pop()
            node.end = position
        else:
            start = position
            if character in "[{":
                position += 1
                opened = SequenceNode(start, position) if character == "[" else MappingNode(start, position)
                if parents:
                    parents[-1].children.append(opened)
                parents.append(opened)
                continue
            if character == '"':
                content, position = scanstring(text, position + 1, True)
                content = replace_surrogates(content)
            else:
                while position < len(text) and text[position] not in ",]}" + _SPACE:
                    position += 1
                content = text[start:position]
            node = ScalarNode(start, position, content, False, None)
            if parents:
                parents[-1].children.append(node)
        if not parents:
            return node


def repetitions(root: Node) -> list[tuple[Path, Node, Node]]:
    """The repeated keys below a node: path, the key's repetition and its first place."""
    found: list[tuple[Path, Node, Node]] = []

    def visit(node: Node, path: Path) -> None:
        if isinstance(node, SequenceNode):
            for index, child in enumerate(node.children):
                visit(child, (*path, index))
        elif isinstance(node, MappingNode):
            first: dict[str, Node] = {}
            for key, value in zip(node.children[::2], node.children[1::2], strict=True):
                assert isinstance(key, ScalarNode)
                if key.text in first:
                    found.append(((*path, key.text), key, first[key.text]))
                first.setdefault(key.text, key)
                visit(value, (*path, key.text))

    visit(root, ())
    return found
