"""Lines for a terminal: a label, what it says, and where that comes from, wrapped to a width and coloured."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.diagnostics.inert import one_line
from jobset_compiler.diagnostics.text import BOLD, DIM, RESET, columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Columns where the output is no terminal, the least that is wrapped to, and the most that one reads with ease.
USUAL, LEAST, MOST = 80, 40, 140
ARROW = "<- "
# A text that would have fewer columns begins below its label.
NARROW = 20
LABEL = 11
HEADING, ADDED, CHANGED, LOST = "heading", "added", "changed", "lost"


class Style(NamedTuple):
    """What sets parts off on a terminal, by tone; empty elsewhere."""

    tones: dict[str, str]
    dim: str
    reset: str


PLAIN = Style({}, "", "")
COLOURED = Style({HEADING: BOLD, ADDED: "\x1b[32m", CHANGED: "\x1b[33m", LOST: "\x1b[31m"}, DIM, RESET)


class Line(NamedTuple):
    """indent: in columns; label: in front of the text, which begins `room` columns behind the indent; origin: where it comes from, set off
    at the right or below; tone: how the text (with a label: the label) is coloured."""

    indent: int = 0
    label: str = ""
    text: str = ""
    origin: str = ""
    tone: str = ""
    room: int = LABEL


BLANK = Line()


def heading(text: str, origin: str = "", indent: int = 0) -> Line:
    return Line(indent, "", text, origin, HEADING, 0)


def lay_out(lines: Iterable[Line], width: int = USUAL, style: Style = PLAIN) -> Iterator[str]:
    """Lines of at most `width` columns, but for words that are longer; without line breaks.

    Nothing in them acts on a terminal: what comes from the input is made inert here.
    """
    for line in lines:
        yield from _laid_out(line, max(width, LEAST), style)


def _laid_out(line: Line, width: int, style: Style) -> Iterator[str]:
    label, text, origin = map(_inert, (line.label, line.text, line.origin))
    pad = " " * line.indent
    start = line.indent + (max(line.room, columns(label) + 1) if label else line.room)
    if label and start > width - NARROW:
        yield pad + _toned(label, line.tone, style)
        label, pad, start = "", pad + "    ", line.indent + 4
        line = line._replace(label="", room=0, tone="")
    before = pad + (f"{_toned(label, line.tone, style)}{' ' * (start - line.indent - columns(label))}" if label else " " * line.room)
    *pieces, last = _wrapped(text, width - start)
    for piece in pieces:
        yield before + _shown(piece, line, style)
        before = " " * start
    full = before + _shown(last, line, style)
    end = start + columns(last)
    column = max(end + 2, min(width * 3 // 5, width - columns(ARROW + origin)))
    if not origin:
        yield full.rstrip()
    elif column + columns(ARROW + origin) <= width:
        yield f"{full}{' ' * (column - end)}{style.dim}{ARROW}{origin}{style.reset}"
    else:
        yield full.rstrip()
        for number, piece in enumerate(_wrapped(origin, width - start - len(ARROW) - 2)):
            yield f"{' ' * (start + 2)}{style.dim}{' ' * len(ARROW) if number else ARROW}{piece}{style.reset}"


def _inert(text: str) -> str:
    """Word by word, since each may come to stand at the beginning of a line."""
    return " ".join(map(one_line, text.split(" ")))


def _shown(piece: str, line: Line, style: Style) -> str:
    return piece if line.label else _toned(piece, line.tone, style)


def _toned(text: str, tone: str, style: Style) -> str:
    colour = style.tones.get(tone, "")
    return f"{colour}{text}{style.reset}" if colour and text else text


def _wrapped(text: str, width: int) -> list[str]:
    """The text in pieces of that many columns, at least one; a word that is longer has a piece for itself."""
    if columns(text) <= width:
        return [text]
    pieces: list[str] = []
    current = ""
    for word in text.split(" "):
        longer = f"{current} {word}" if current else word
        if current and columns(longer) > width:
            pieces.append(current.rstrip())
            current = word
        else:
            current = longer
    return [*pieces, current]
