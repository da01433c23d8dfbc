"""The quick lane: plain block YAML read line by line, without a YAML library.

Most manifests are nothing but `key: value`, `- item`, quotes on one line, literal blocks, flow collections on one line and comments. To read
those takes no parser, and above all no import of one, which costs more than the interpreter's own start. Whatever is not plainly
one of these is left to the complete lane (`complete`). Both give the same value for a document that passes here: tests compare them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from jobset_compiler.source.scalars import is_finite, resolve, through_json
from jobset_compiler.value import Value

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_IN_KEYS = _LETTERS + "./-$"
_IN_FLOW = frozenset(_LETTERS + "./-+=: ")
# What a plain scalar cannot start with here; of those that YAML allows before a letter only "-" is understood.
_STARTS = frozenset("?:,]}#&*!>%@`")
_ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t", "r": "\r"}
_LONGEST_KEY = 256
_LONGEST_FLOW = 1024
# Real manifests have thirty levels at most.
_MAX_DEPTH = 64
_MANY_DASHES = "- " * 8
# How many lines are remembered, and how long the longest of them is.
_REMEMBERED_LINES = 8192
_LONGEST_REMEMBERED = 256

# What follows a key or a dash.
VALUE, BELOW, INNER, LITERAL, FLOW, ODD = range(6)

# A line, or what follows its dash: its column, its key (None for an item), one of the above, and the value; for INNER the
# line after the dash, for LITERAL the text of the header. Then three more columns: after the colon or dash, and start and end of the value.
Line = tuple[int, str | None, int, Any, int, int, int]

# A column that no line has: whatever is being read when such a line comes does not go on, and nothing begins with it.
_NOWHERE = 1 << 40
_ODD: Line = (_NOWHERE, None, ODD, None, 0, 0, 0)
_BLANK: Line = (_NOWHERE, None, ODD, "", 0, 0, 0)
_END: Line = (-1, None, ODD, None, 0, 0, 0)

# Where the first member of a collection stands, by the collection's `id`: the index of its line, and the line.
Noted = dict[int, tuple[int, Line]]


class _LeftError(Exception):
    """The document holds something that only the complete lane knows. Never leaves this module."""


class Plain(Value):
    """The value of a plain document, and where its block collections begin (`line_places`)."""

    __slots__ = ("noted", "value")

    def __init__(self, value: dict[str, Any], noted: Noted) -> None:
        self.value: Final = value
        self.noted: Final = noted


def read_plain(text: str) -> Plain | None:
    """A document that is a block mapping of plain lines; None for any other."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    # Tabs, other carriage returns, Unicode's other line breaks, byte order marks and bytes that are no UTF-8 are all not printable.
    if not text.replace("\n", "").isprintable():
        return None
    if not text.isascii():
        from jobset_compiler.source.typography import OPENING_QUOTES

        # The complete lane has something to say about them.
        if not OPENING_QUOTES.keys().isdisjoint(text):
            return None
    try:
        document = _Document(text.split("\n"))
        return Plain(document.value(), document.noted)
    except _LeftError:
        return None


class _Lines(dict[str, Line]):
    """What lines mean. Manifests are alike, so that most lines have been seen before."""

    def __missing__(self, line: str) -> Line:
        meaning = _meaning(line)
        if len(line) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED_LINES:
                self.clear()
            self[line] = meaning
        return meaning


_LINES = _Lines()


def meaning_of(line: str) -> Line:
    return _LINES[line]


class _Document:
    """The reading of one document; `position` is the index of the current line."""

    __slots__ = ("lines", "meanings", "noted", "position")

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.meanings = [*map(_LINES.__getitem__, lines), _END]
        self.noted: Noted = {}
        self.position = 0

    def value(self) -> dict[str, Any]:
        line = self.meanings[0]
        if line is _BLANK or (self.lines[0].startswith("---") and _ends(self.lines[0].rstrip(" "), 3)):
            line = self.next_line()
        value = self.mapping(line, 0)
        if self.meanings[self.position] is not _END:
            raise _LeftError
        return value

    def next_line(self) -> Line:
        """The next line that is neither empty nor a comment."""
        position = self.position + 1
        while (line := self.meanings[position]) is _BLANK:
            position += 1
        self.position = position
        return line

    def mapping(self, line: Line, depth: int) -> dict[str, Any]:
        """The mapping that `line` begins; the current line is then the first that is not part of it."""
        column = line[0]
        result: dict[str, Any] = {}
        meanings = self.meanings
        position = self.position
        self.noted[id(result)] = position, line
        while True:
            _, key, what, value, _, _, _ = line
            if key is None or key in result:
                raise _LeftError
            if what == VALUE:
                result[key] = value
                position += 1
                while (line := meanings[position]) is _BLANK:
                    position += 1
            else:
                self.position = position
                if what == BELOW:
                    line = self.next_line()
                    # A list may stand at the indentation of its key.
                    if line[0] > column or (line[0] == column and line[1] is None):
                        result[key] = self.block(line, depth)
                    else:
                        result[key] = None
                else:
                    result[key] = self.special(what, value, column)
                position = self.position
                line = meanings[position]
            if line[0] != column or line[1] is None:
                break
        if line[0] > column:
            raise _LeftError
        self.position = position
        return result

    def sequence(self, line: Line, depth: int) -> list[Any]:
        """The list that `line` begins; the current line is then the first that is not part of it."""
        column = line[0]
        result: list[Any] = []
        self.noted[id(result)] = self.position, line
        while True:
            _, _, what, value, _, _, _ = line
            if what == VALUE:
                result.append(value)
                line = self.next_line()
            else:
                if what == INNER:
                    result.append(self.block(value, depth))
                elif what == BELOW:
                    line = self.next_line()
                    result.append(self.block(line, depth) if line[0] > column else None)
                else:
                    result.append(self.special(what, value, column))
                line = self.meanings[self.position]
            if line[0] != column or line[1] is not None:
                break
        if line[0] > column:
            raise _LeftError
        return result

    def block(self, line: Line, depth: int) -> Any:
        if line[2] == ODD or depth >= _MAX_DEPTH:
            raise _LeftError
        return self.sequence(line, depth + 1) if line[1] is None else self.mapping(line, depth + 1)

    def special(self, what: int, value: Any, column: int) -> Any:
        if what == LITERAL:
            return self.literal(value, column)
        if what != FLOW:
            raise _LeftError
        self.next_line()
        return _fresh(value)

    def literal(self, header: str, column: int) -> str:
        """A literal block, `|` or `|-`; its lines are those that are indented as far as the first of them."""
        lines = self.lines
        first = position = self.position + 1
        width = 0
        last = -1
        while position < len(lines):
            line = lines[position]
            content = line.lstrip(" ")
            if content:
                indent = len(line) - len(content)
                if not width:
                    width = indent
                    if width <= column:
                        raise _LeftError
                if indent < width:
                    break
                last = position
            elif len(line) > width:
                # Blanks beyond the indentation are part of the text, or an error before its first line.
                raise _LeftError
            position += 1
        if last < 0:
            raise _LeftError
        text = "\n".join([line[width:] for line in lines[first : last + 1]])
        self.position = position - 1
        self.next_line()
        return text + "\n" if header == "|" else text


def _fresh(value: Any) -> Any:
    """A value of its own for every document, of one that is remembered."""
    if type(value) is dict:
        return {key: _fresh(item) for key, item in value.items()}
    return [_fresh(item) for item in value] if type(value) is list else value


def _meaning(line: str) -> Line:
    content = line.lstrip(" ")
    if not content or content[0] == "#":
        return _BLANK
    column = len(line) - len(content)
    content = content.rstrip(" ")
    if content[0] == "-" and _is_item(content):
        return _ODD if content.startswith(_MANY_DASHES) else _item(content, column)
    return _entry(content, column) or _ODD


def _is_item(content: str) -> bool:
    return content == "-" or content.startswith("- ")


def _item(content: str, column: int) -> Line:
    """`- ...`, where what follows the dash may be a line of its own, further in."""
    rest = content[1:].lstrip(" ")
    start = column + len(content) - len(rest)
    if rest and rest[0] not in "#[{|":
        inner = _item(rest, start) if _is_item(rest) else _entry(rest, start)
        if inner is not None:
            return column, None, INNER, inner, column + 1, start, start
    return _after(column, None, column + 1, rest, start)


def _entry(content: str, column: int) -> Line | None:
    """`key: ...`; None where there is no key."""
    if content[0] in "\"'":
        key, end = _quoted(content, 0)
        if content[end : end + 1] != ":":
            return None
        if content[end + 1 : end + 2] not in ("", " "):
            return _ODD
    else:
        end = content.find(": ")
        if end < 0:
            end = len(content) - 1
            if content[end] != ":":
                return None
        key = content[:end]
        if not _is_plain_key(key):
            return _ODD
    if end > _LONGEST_KEY:
        return _ODD
    rest = content[end + 1 :].lstrip(" ")
    return _after(column, key, column + end + 1, rest, column + len(content) - len(rest))


@lru_cache(maxsize=1024)
def _is_plain_key(key: str) -> bool:
    """Whether a key without quotes needs no thought. The same few stand in all manifests."""
    return bool(key) and not key.strip(_IN_KEYS) and type(resolve(key)) is str and key != "-" and not key.startswith(("---", "..."))


def _after(column: int, key: str | None, after: int, rest: str, start: int) -> Line:
    """What follows a key or a dash: `rest`, which stands at the column `start`."""
    if not rest or rest[0] == "#":
        return column, key, BELOW, None, after, after, after
    first = rest[0]
    value: Any
    if first in "\"'":
        what = VALUE
        value, end = _quoted(rest, 0)
    elif first in "[{":
        what = FLOW
        if len(rest) > _LONGEST_FLOW:
            return _ODD
        try:
            value, end = _flow(rest, 0, 0)
        except _LeftError:
            return _ODD
    elif first == "|":
        what, value, end = LITERAL, rest, len(rest)
        if rest not in ("|", "|-"):
            return _ODD
    else:
        end = rest.find(" #")
        text = rest if end < 0 else rest[:end].rstrip(" ")
        value = resolve(text)
        if first in _STARTS or (first == "-" and _is_item(text)) or text[-1] == ":" or ": " in text or not is_finite(value):
            return _ODD
        return column, key, VALUE, through_json(value), after, start, start + len(text)
    return (column, key, what, value, after, start, start + end) if _ends(rest, end) else _ODD


def _ends(text: str, end: int) -> bool:
    """Whether nothing but a comment follows; `end` is negative where not even that far is understood."""
    return end == len(text) or (end > 0 and text[end] == " " and text[end:].lstrip(" ")[0] == "#")


def _quoted(text: str, start: int) -> tuple[str, int]:
    """The text in the quotes at `start`, and where they end: on the same line, or -1 for anything unusual."""
    quote = text[start]
    end = text.find(quote, start + 1)
    if quote == "'":
        while end > 0 and text[end + 1 : end + 2] == "'":
            end = text.find("'", end + 2)
        return text[start + 1 : end].replace("''", "'"), end + 1 if end > 0 else -1
    slash = text.find("\\", start, end)
    if slash < 0:
        return text[start + 1 : end], end + 1 if end > 0 else -1
    pieces: list[str] = []
    position = start + 1
    while 0 <= slash < end:
        letter = _ESCAPES.get(text[slash + 1])
        if letter is None:
            return "", -1
        pieces += (text[position:slash], letter)
        position = slash + 2
        if end < position:
            end = text.find('"', position)
        slash = text.find("\\", position, end)
    pieces.append(text[position:end])
    return "".join(pieces), end + 1 if end > 0 else -1


def _flow(text: str, position: int, depth: int) -> tuple[Any, int]:
    """The list or mapping in brackets that begins at `position`, and where it ends, on the same line."""
    if depth >= _MAX_DEPTH:
        raise _LeftError
    is_list = text[position] == "["
    closing = "]" if is_list else "}"
    items: list[Any] = []
    mapping: dict[str, Any] = {}
    position = skip_blanks(text, position + 1)
    while text[position : position + 1] != closing:
        if is_list:
            value, position = flow_value(text, position, depth)
            items.append(value)
        else:
            key, position = flow_key(text, position)
            if key in mapping:
                raise _LeftError
            mapping[key], position = flow_value(text, position, depth)
        position = skip_blanks(text, position)
        if text[position : position + 1] == ",":
            position = skip_blanks(text, position + 1)
            if text[position : position + 1] == closing:
                raise _LeftError
        elif text[position : position + 1] != closing:
            raise _LeftError
    return items if is_list else mapping, position + 1


def flow_key(text: str, position: int) -> tuple[str, int]:
    """A key, and where its value begins."""
    if text[position : position + 1] in ('"', "'"):
        key, end = _quoted(text, position)
        if end < 0 or text[end : end + 2] != ": ":
            raise _LeftError
    else:
        end = text.find(": ", position)
        key = text[position:end]
        if end < 0 or not _is_plain_key(key):
            raise _LeftError
    if end - position > _LONGEST_KEY:
        raise _LeftError
    return key, skip_blanks(text, end + 1)


def flow_value(text: str, position: int, depth: int) -> tuple[Any, int]:
    first = text[position : position + 1]
    if first == "[" or first == "{":
        return _flow(text, position, depth + 1)
    if first == '"' or first == "'":
        value, end = _quoted(text, position)
        if end < 0:
            raise _LeftError
        return value, end
    end = position
    while text[end : end + 1] and text[end] in _IN_FLOW:
        end += 1
    word = text[position:end].rstrip(" ")
    if not word or word[0] in "=:" or word[-1] == ":" or ": " in word or text[end : end + 1] not in (",", "]", "}"):
        raise _LeftError
    if word[0] == "-" and (word[1:2] in ("", " ") or word[:3] == "---"):
        raise _LeftError
    scalar = resolve(word)
    if not is_finite(scalar):
        raise _LeftError
    return through_json(scalar), position + len(word)


def skip_blanks(text: str, position: int) -> int:
    while text[position : position + 1] == " ":
        position += 1
    return position
