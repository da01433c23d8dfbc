"""Objects as JSON, laid out as `kubectl -o json` does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from jobset_compiler.emit.numbers import number
from jobset_compiler.emit.scalars import NOT_RAW, well_formed

try:
    from _json import encode_basestring  # the json package brings re, which costs more than everything here
except ImportError:
    from json.encoder import encode_basestring

_INDENT = "    "


def to_json(objects: Iterable[Mapping[str, Any]]) -> str:
    """One object as itself; none or several as a v1 List, which is what `kubectl -o json` prints and `kubectl -f` reads.

    Four blanks of indentation, keys in the order of the mappings, characters as they are (no "\\u003c" for "<"), except
    those a YAML reader would refuse raw, so that the text is YAML too. Ends in a line break. Raises as `to_yaml`.
    """
    items = list(objects)
    value: object = items[0] if len(items) == 1 else {"apiVersion": "v1", "kind": "List", "items": items}
    return f"{_value(value, '')}\n"


class ListWriter:
    """Writes what `to_json` returns, from objects that come one by one."""

    __slots__ = ("_first", "_separator", "_write")

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._first: Mapping[str, Any] | None = None
        self._separator = ""

    def add(self, item: Mapping[str, Any]) -> None:
        if self._separator:
            self._item(item)
        elif self._first is None:
            self._first = item
        else:
            self._separator = _LIST_START
            self._item(self._first)
            self._item(item)

    def _item(self, item: Mapping[str, Any]) -> None:
        pad = 2 * _INDENT
        self._write(f"{self._separator}{pad}{_value(item, pad)}")
        self._separator = ",\n"

    def finish(self) -> None:
        if self._separator:
            self._write(f"\n{_INDENT}]\n}}\n")
        else:
            self._write(to_json(() if self._first is None else (self._first,)))


_LIST_START = f'{{\n{_INDENT}"apiVersion": "v1",\n{_INDENT}"kind": "List",\n{_INDENT}"items": [\n'


def compact(value: object) -> str:
    """One value on one line without blanks, keys sorted: as Go's JSON encoder prints a map."""
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, (dict, Mapping)):  # to ask a dict whether it is a Mapping takes long
        return "{" + ",".join([f"{_string(key)}:{compact(value[key])}" for key in sorted(value)]) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(compact, value)) + "]"
    return _value(value, "")


def _value(value: object, pad: str) -> str:
    if isinstance(value, str):
        return _string(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return number(value)
    deeper = pad + _INDENT
    if isinstance(value, Mapping):
        entries = [f"{deeper}{_string(key)}: {_value(item, deeper)}" for key, item in value.items()]
        return _bracketed("{", entries, pad, "}")
    if isinstance(value, (list, tuple)):
        return _bracketed("[", [f"{deeper}{_value(item, deeper)}" for item in value], pad, "]")
    raise TypeError(f"JSON has no {type(value).__name__}: {value!r}")


def _bracketed(opening: str, entries: list[str], pad: str, closing: str) -> str:
    if not entries:
        return opening + closing
    content = ",\n".join(entries)
    return f"{opening}\n{content}\n{pad}{closing}"


def _string(text: object) -> str:
    if not isinstance(text, str):
        raise TypeError(f"a key of a JSON object is a string, not {text!r}")
    quoted: str = encode_basestring(well_formed(text))
    if quoted.isascii() and quoted.isprintable():
        return quoted
    return quoted.translate(_ESCAPES)


# encode_basestring has escaped everything below U+0020; the others are JSON raw, but not YAML.
_ESCAPES: dict[int, str] = {code: f"\\u{code:04x}" for code in NOT_RAW if code >= 0x7F}
