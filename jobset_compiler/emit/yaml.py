"""Objects as YAML, in the style of `kubectl -o yaml`.

Keys come in the order their mapping has (it was decided when the object was built), two blanks of indentation, list
items at the indentation of their key, block style throughout, no line is ever folded. Equal values give equal bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from jobset_compiler.emit.numbers import number
from jobset_compiler.emit.scalars import block_scalar, double_quoted, flow_scalar, well_formed

# The most UTF-8 bytes a key may have before its colon; a longer one is written after "? ", as go-yaml does, since readers
# look for the colon only so far.
_SIMPLE_KEY = 128
# Texts this long are not worth remembering, and this many are enough for any object.
_REMEMBERED_LENGTH = 256
_REMEMBERED = 4096


def to_yaml(objects: Iterable[Mapping[str, Any]], shared: frozenset[int] = frozenset()) -> str:
    """The objects as a stream of documents, "---" between them; nothing for no objects.

    Values are what JSON has: dict, list (or tuple), str, int, float, bool, None. Raises TypeError for anything else and
    ValueError for a float that is not a JSON number: both are faults of whoever built the object.
    shared: maps and lists, by identity, that several of the objects hold, and that nobody changes or drops meanwhile.
    """
    emitter = Emitter(shared)
    return "---\n".join([emitter.document(value) for value in objects])


def document(value: object) -> str:
    """One value as one document, ending in a line break. Raises as `to_yaml`."""
    return Emitter().document(value)


class Emitter:
    """Writes documents, remembering how the short strings it met are spelled.

    Field names and values recur, within an object and more so between objects: who writes many of them one by one
    keeps one emitter. What it has written before never changes what it writes. shared: as in `to_yaml`, for as long as the emitter is used.
    """

    __slots__ = ("_keys", "_shared", "_texts", "_written")

    def __init__(self, shared: frozenset[int] = frozenset()) -> None:
        self._keys = _Keys()
        self._texts = _Texts()
        self._shared = shared
        self._written: dict[tuple[int, str], str] = {}

    def document(self, value: object) -> str:
        """One value as one document, ending in a line break. Raises as `to_yaml`."""
        lines: list[str] = []
        value = _plain(value)
        if type(value) is dict and value:
            self._mapping(value, "", "", lines)
        elif type(value) is list and value:
            self._sequence(value, "", "", lines)
        elif type(value) is str and "\n" in value:
            lines.append(_multi_line(value, ""))
        else:
            lines.append(f"{self._leaf(value)}\n")
        return "".join(lines)

    def _mapping(self, mapping: dict[str, Any], lead: str, pad: str, lines: list[str]) -> None:
        """Append the lines of a mapping; `lead` opens its first line ("- " in a list) and `pad` the others."""
        if id(mapping) in self._shared:
            lines.append(self._once(mapping, self._mapping, lead, pad))
            return
        keys = self._keys
        texts = self._texts
        for key, value in mapping.items():
            name = keys[key]
            if not name:
                self._explicit_entry(key, value, lead, pad, lines)
            else:
                kind = type(value)
                if kind is str:
                    text = texts[value]
                    if text:
                        lines.append(f"{lead}{name} {text}\n")
                    else:
                        lines.append(f"{lead}{name} {_multi_line(value, pad)}")
                elif kind is dict and value:
                    lines.append(f"{lead}{name}\n")
                    deeper = pad + "  "
                    self._mapping(value, deeper, deeper, lines)
                elif kind is list and value:
                    lines.append(f"{lead}{name}\n")
                    self._sequence(value, pad, pad, lines)
                elif kind is int:
                    lines.append(f"{lead}{name} {value}\n")
                elif kind in _LEAVES:
                    lines.append(f"{lead}{name} {self._leaf(value)}\n")
                else:
                    # A tuple, a read-only mapping, a str subclass: once more as the plain type it stands for.
                    self._mapping({key: _plain(value)}, lead, pad, lines)
            lead = pad

    def _sequence(self, items: list[Any], lead: str, pad: str, lines: list[str]) -> None:
        """Append the lines of a list; `lead` opens its first line ("- " in a list) and `pad` the others."""
        if id(items) in self._shared:
            lines.append(self._once(items, self._sequence, lead, pad))
            return
        texts = self._texts
        for item in items:
            kind = type(item)
            if kind is str:
                text = texts[item]
                if text:
                    lines.append(f"{lead}- {text}\n")
                else:
                    lines.append(f"{lead}- {_multi_line(item, pad)}")
            elif kind is dict and item:
                self._mapping(item, lead + "- ", pad + "  ", lines)
            elif kind is list and item:
                self._sequence(item, lead + "- ", pad + "  ", lines)
            elif kind in _LEAVES:
                lines.append(f"{lead}- {self._leaf(item)}\n")
            else:
                self._sequence([_plain(item)], lead, pad, lines)
            lead = pad

    def _once(self, part: Any, write: Callable[[Any, str, str, list[str]], None], lead: str, pad: str) -> str:
        """The text of a shared part behind that lead; what is shared within it is written with it."""
        text = self._written.get((id(part), lead))
        if text is None:
            lines: list[str] = []
            shared, self._shared = self._shared, frozenset()
            write(part, lead, pad, lines)
            self._shared = shared
            text = self._written[id(part), lead] = "".join(lines)
        return text

    def _explicit_entry(self, key: str, value: object, lead: str, pad: str, lines: list[str]) -> None:
        """Append `? key` and `: value`, each on its own line."""
        lines.append(f"{lead}? {_key(key)}\n")
        value = _plain(value)
        deeper = pad + "  "
        if type(value) is dict and value:
            lines.append(f"{pad}:\n")
            self._mapping(value, deeper, deeper, lines)
        elif type(value) is list and value:
            lines.append(f"{pad}:\n")
            self._sequence(value, deeper, deeper, lines)
        elif type(value) is str and "\n" in value:
            lines.append(f"{pad}: {_multi_line(value, pad)}")
        else:
            lines.append(f"{pad}: {self._leaf(value)}\n")

    def _leaf(self, value: Any) -> str:
        """What is written on one line whatever it is in: no mapping or list with content, no text with a line break."""
        kind = type(value)
        if kind is str:
            return self._texts[value]
        if value is None:
            return "null"
        if kind is bool:
            return "true" if value else "false"
        if kind is float:
            return number(value)
        if kind is int:
            return str(value)
        return "{}" if kind is dict else "[]"


_LEAVES = frozenset((str, int, float, bool, type(None), dict, list))


class _Keys(dict[str, str]):
    """Key -> how it opens its line, with the colon; "" for one that needs `? `."""

    __slots__ = ()

    def __missing__(self, key: str) -> str:
        if not isinstance(key, str):
            raise TypeError(f"a key of a JSON object is a string, not {key!r}")
        text = _key(key)
        if len(text) * 4 > _SIMPLE_KEY and len(text.encode()) > _SIMPLE_KEY:
            return ""
        name = f"{text}:"
        if len(self) >= _REMEMBERED:
            self.clear()
        self[key] = name
        return name


class _Texts(dict[str, str]):
    """Text -> its scalar; "" for one of several lines, whose spelling depends on where it is."""

    __slots__ = ()

    def __missing__(self, value: str) -> str:
        if "\n" in value:
            return ""
        text = flow_scalar(value)
        if len(value) <= _REMEMBERED_LENGTH:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[value] = text
        return text


def _key(key: str) -> str:
    # Quotes do not keep go-yaml from merging; only an explicit tag does.
    return '!!str "<<"' if key == "<<" else flow_scalar(key)


def _multi_line(text: str, pad: str) -> str:
    return block_scalar(text, pad) or f"{double_quoted(well_formed(text))}\n"


def _plain(value: Any) -> Any:
    """The value as one of the types JSON has (its outermost level only)."""
    kind = type(value)
    if kind in _LEAVES:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (list, tuple)):
        return list(value)
    # bool cannot be subclassed; a subclass of int or float (an enum) is its number.
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    raise TypeError(f"JSON has no {kind.__name__}: {value!r}")
