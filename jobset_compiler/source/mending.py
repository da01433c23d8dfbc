"""What would mend slips of typing that a reader cannot take for anything: tabs, blanks of word processors, curly quotes, separators.

Several lines with the same slip are mended at once, but for texts with a block (`|`, `>`), whose lines are content.
"""

from __future__ import annotations

import re
from itertools import pairwise

from jobset_compiler.source.faults import Mending
from jobset_compiler.source.typography import CLOSING_QUOTES, ODD_BLANKS, OPENING_QUOTES

WIDTH = 2
TABS = "write blanks instead of tabs"
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
_BLOCK = re.compile(r"(?:^|[:\-] +)[|>][0-9+-]*[ \t]*(?:#.*)?\r?$", re.MULTILINE)
_LEADING = re.compile(rf"^[ {ODD_BLANKS}]*[{ODD_BLANKS}][ {ODD_BLANKS}]*", re.MULTILINE)
# Behind the colon of a key.
_BEHIND_KEY = re.compile(rf"^[ {ODD_BLANKS}]*(?:-[ {ODD_BLANKS}]+)*[\w./-]+:([{ODD_BLANKS}]+)", re.MULTILINE)
_COMMENT = re.compile(r"(^|\s)#.*")
_INDENTED = re.compile(r"^([ \t]*)((?:-[ \t]+)*)(?=[^\s])", re.MULTILINE)


def tabs(text: str, position: int) -> tuple[Mending, ...]:
    """Blanks for the tab there, and for those of the lines that follow as deep. It is clear how many where nothing is indented by blanks (each tab is a
    level), or where only one level of the lines before can be meant; else it is a guess."""
    start = text.rfind("\n", 0, position) + 1
    lines = list(_INDENTED.finditer(text))
    has_block = _BLOCK.search(text) is not None
    clear = not has_block and not any(" " in line[1] for line in lines) and _steps_are_plain(text, lines)
    if clear:
        pieces = [(line.start(), line.end(), line[1].replace("\t", " " * WIDTH) + _dashes(line)) for line in lines if "\t" in line[0]]
        return (Mending(TABS, tuple(pieces), safe=True),) if pieces else ()
    here = next((index for index, line in enumerate(lines) if line.start() == start), None)
    if here is None:
        return ()
    first = lines[here]
    if "\t" not in first[1]:
        return (Mending(TABS, ((first.start(), first.end(), first[1] + _dashes(first)),), safe=True),)
    levels = _levels(text, lines[:here], len(first[1]) - len(first[1].lstrip(" ")))
    base = levels[-1] if levels else WIDTH * first[1].count("\t")
    pieces = []
    for line in lines[here:]:
        deeper = line[1].count("\t") - first[1].count("\t")
        if "\t" not in line[1] or deeper < 0:
            break
        indent = base + WIDTH * deeper + max(_behind_tabs(line) - _behind_tabs(first), 0)
        pieces.append((line.start(), line.end(), " " * indent + _dashes(line)))
    return (Mending(TABS, tuple(pieces), safe=len(levels) == 1 and not has_block),)


def _steps_are_plain(text: str, lines: list[re.Match[str]]) -> bool:
    """Whether each line that is further in than the one before it stands below a key without value or in brackets, or belongs to an item."""
    written = [line for line in lines if text[line.end() : line.end() + 1] != "#"]
    return all(
        len(line[1]) <= len(before[1]) or before[2] or _COMMENT.sub("", text[before.end() :].partition("\n")[0]).rstrip().endswith((":", ",", "[", "{"))
        for before, line in pairwise(written)
    )


def _behind_tabs(line: re.Match[str]) -> int:
    return len(line[1]) - len(line[1].rstrip(" "))


def _dashes(line: re.Match[str]) -> str:
    return "- " * line[2].count("-")


def _levels(text: str, before: list[re.Match[str]], blanks: int) -> list[int]:
    """Where a line after those may begin: at a level further in than `blanks` that is open there, or below a key without value."""
    levels: list[int] = []
    last = ""
    for line in before:
        end = text.find("\n", line.end())
        written = text[line.end() : end if end >= 0 else len(text)]
        if written.startswith("#") or "\t" in line[1]:
            continue
        column = len(line[1])
        levels = [level for level in levels if level < column]
        levels += [column, *(column + len(line[2][: index + 1]) + 1 for index, sign in enumerate(line[2]) if sign == "-")]
        last = _COMMENT.sub("", written).rstrip()
    return [levels[-1] + WIDTH] if last.endswith(":") else [level for level in levels if level > blanks]


def odd_blanks(text: str, position: int) -> tuple[Mending, ...]:
    """An ordinary blank for the one there, and for those in the indentation of any line and behind any key; nothing for what is invisible."""
    end = position + 1
    while end < len(text) and text[end] in ODD_BLANKS:
        end += 1
    extents = {(position, end)}
    if not _BLOCK.search(text):
        extents |= {found.span() for found in _LEADING.finditer(text) if not found.start() <= position < found.end()}
        extents = {found.span() if (found := _at_start(text, start)) else (start, end) for start, end in extents}
        extents |= {found.span(1) for found in _BEHIND_KEY.finditer(text) if not any(start < found.end(1) and found.start(1) < end for start, end in extents)}
    pieces = [(start, end, "".join("" if character in INVISIBLE else " " for character in text[start:end])) for start, end in sorted(extents)]
    return (Mending("write ordinary blanks", tuple(pieces), safe=True),)


def _at_start(text: str, position: int) -> re.Match[str] | None:
    """The odd indentation of the line, where the position is in it."""
    found = _LEADING.match(text, text.rfind("\n", 0, position) + 1)
    return found if found is not None and position < found.end() else None


def curly_quotes(text: str, start: int, end: int, *, at: int = 0) -> tuple[Mending, ...]:
    """Straight quotes around a value in curly ones, where it needs no escapes; `at` is where the text begins in that of the document."""
    quote = OPENING_QUOTES.get(text[start : start + 1])
    inner = text[start + 1 : end - 1]
    if quote is None or end - start < 2 or text[end - 1] not in CLOSING_QUOTES or any(character in inner for character in (quote, "\\", "\n")):
        return ()
    if any(character in CLOSING_QUOTES for character in inner):
        return ()
    return (Mending("write straight quotes", ((at + start, at + start + 1, quote), (at + end - 1, at + end, quote)), safe=True),)


def separator(text: str, start: int) -> tuple[Mending, ...]:
    """A line of --- before the one that starts there."""
    if text[start - 1 : start] not in ("\n", ""):
        return ()
    line_break = "\r\n" if text[start - 2 : start] == "\r\n" else "\n"
    return instead("put --- before it", start, start, f"---{line_break}")


def separated(text: str, position: int, fault: str) -> tuple[Mending, ...]:
    """For a line of --- with something behind it, at that position: more dashes go, a document goes to the next line."""
    if not fault.strip("-"):
        return instead("write ---", position, position + len(fault), "")
    return instead("begin the document on a line of its own", 3, position, "\n") if text[3:4] in " \t" else ()


def instead(title: str, start: int, end: int, replacement: str, *, safe: bool = True) -> tuple[Mending, ...]:
    """One piece of text for another."""
    return (Mending(title, ((start, end, replacement),), safe),)
