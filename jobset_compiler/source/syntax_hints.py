"""What to write instead, by what the parser complains of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from jobset_compiler.source.faults import Mending

_ENTRY = re.compile(r"\s*(?:- +)*(?:[\w./$-]+|\"[^\"]*\"|'[^']*') *:(?= |$)")
_WORD = r"[\w./-]+"


class SyntaxCause(NamedTuple):
    """What is wrong, as a slug, from where to where in the text, and what to do about it; `mendings` as far as that is mechanical."""

    slug: str
    start: int
    end: int
    hint: str
    mendings: tuple[Mending, ...] = ()


class Trouble(NamedTuple):
    """A complaint, and the line in question with the one before it that is neither empty nor a comment."""

    text: str
    offset: int
    context: int | None
    problem: str
    start: int
    line: str
    before_start: int
    before: str

    @classmethod
    def at(cls, text: str, offset: int, context: int | None, problem: str) -> Trouble:
        start, line = line_at(text, offset)
        before_start, before = start, ""
        while before_start and (not before.strip() or before.lstrip().startswith("#")):
            before_start, before = line_at(text, before_start - 1)
        if not line.strip() and before:  # the end of the text
            start, line, before_start, before = before_start, before, before_start, ""
        return cls(text, offset, context, problem, start, line, before_start, before)

    @property
    def lines(self) -> tuple[tuple[int, str], ...]:
        return (self.start, self.line), (self.before_start, self.before)

    def line_at(self, offset: int) -> tuple[int, str]:
        return line_at(self.text, offset)

    def number(self, offset: int) -> int:
        """The line's number within the document."""
        return self.text.count("\n", 0, offset) + 1


def line_at(text: str, offset: int) -> tuple[int, str]:
    """Where the line at that offset starts, and the line without its end."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    return start, text[start : len(text) if end < 0 else end].rstrip("\r")


def _cause(start: int, end: int, hint: str) -> SyntaxCause:
    return SyntaxCause("yaml-syntax", start, end, hint)


def by_complaint(trouble: Trouble) -> SyntaxCause:
    problem = trouble.problem
    cause = None
    if "end of stream" in problem and trouble.context is not None:  # said of quotes alone
        cause = _never_closed(trouble, trouble.context)
    elif "escape character" in problem:
        cause = _escape(trouble)
    elif "comment or" in problem or "indentation indicator" in problem:
        cause = _block_header(trouble)
    elif "cannot start any token" in problem or "alphabetic or numeric" in problem:
        cause = _indicator(trouble)
    elif "mapping values are not allowed" in problem:
        cause = _second_colon(trouble) or _no_entry(trouble, trouble.before_start, trouble.before) or _further_in(trouble)
    elif "expected ':'" in problem:
        cause = _no_colon(trouble)
    elif "',' or" in problem:
        cause = _in_brackets(trouble)
    elif "expected key" in problem or "'-' indicator" in problem or "<block end>" in problem:
        cause = _closed_late(trouble) or _after_quote(trouble) or _extra_bracket(trouble) or _level(trouble)
    return cause or _cause(trouble.offset, trouble.offset + 1, "")


def _never_closed(trouble: Trouble, opening: int) -> SyntaxCause:
    quote = trouble.text[opening]
    return _cause(opening, opening + 1, f"The {quote} that opens here is never closed: put a {quote} at the end of the value.")


def _escape(trouble: Trouble) -> SyntaxCause:
    hint = "In double quotes a \\ begins an escape: write \\\\ for the character itself, or put the value in single quotes."
    position = trouble.text.rfind("\\", 0, trouble.offset + 1)
    return _cause(position, position + 2, hint) if position >= trouble.start else _cause(trouble.offset, trouble.offset + 1, hint)


def _block_header(trouble: Trouble) -> SyntaxCause | None:
    match = re.search(r"(?:^|[:-] )([|>])(.*)$", trouble.line)
    if match is None:
        return None
    hint = f"After {match[1]} the text begins on the next line, further in. On one line: {_in_quotes(trouble.line[match.start(1) :].strip())}"
    return _cause(trouble.start + match.start(1), trouble.start + match.end(), hint)


def _indicator(trouble: Trouble) -> SyntaxCause | None:
    """A value that begins with a character that means something to YAML."""
    match = re.match(r"\s*(?:- +)*(?:[\w./-]+: +)?(?=[*&@`%])", trouble.line)
    if match is None:
        character = trouble.text[trouble.offset : trouble.offset + 1]
        return _cause(trouble.offset, trouble.offset + 1, f"A value that starts with {character!r} needs quotes.")
    value = trouble.line[match.end() :].rstrip()
    hint = f"A value that starts with {value[0]} needs quotes: {_in_quotes(value)}"
    return _cause(trouble.start + match.end(), trouble.start + match.end() + len(value), hint)


def _second_colon(trouble: Trouble) -> SyntaxCause | None:
    """`key: value: more` on one line."""
    match = re.match(rf"\s*(?:- +)*({_WORD}): +(\S.*)$", trouble.line)
    if match is None or not re.search(r":(?: |$)", match[2]):
        return None
    start, value = trouble.start + match.start(2), match[2].rstrip()
    second = re.match(rf"(.*\S) +({_WORD}:(?: .*)?)$", value)
    hint = f"A value that contains `: ` needs quotes: {match[1]}: {_in_quotes(value)}"
    if second is not None and not second[1].endswith((":", ",")) and re.fullmatch(r"[\w./:-]+", second[1]):
        hint = f"One key a line: put `{second[2]}` on a line of its own, below `{match[1]}`. If it is part of the value: {match[1]}: {_in_quotes(value)}"
    return _cause(start, start + len(value), hint)


def _no_entry(trouble: Trouble, start: int, line: str) -> SyntaxCause | None:
    """A line that should be `key: value` or `- item` and is not, so that the next one does not fit."""
    content = line.strip()
    position = start + len(line) - len(line.lstrip())
    if re.match(r"-[A-Za-z\"']", content):
        return _cause(position, position + 1, f"A blank is missing after the dash: - {content[1:]}")
    if not content or _ENTRY.match(line):
        return None
    end = position + len(content)
    if content.startswith("//"):
        return _cause(position, position + 2, "A comment begins with #.")
    if content[0] in "\u2013\u2014\u2022\xb7\u25cf" or (content[0] == "*" and content[1:2] == " "):
        return _cause(position, position + 1, f"An item of a list begins with a minus sign and a blank: - {content[1:].strip()}")
    dashes = re.match(r"(?:- +)*", content)
    entry = content[dashes.end() :] if dashes else content
    prefix = content[: len(content) - len(entry)]
    match = re.match(rf"({_WORD}?)([:=])(\S.*)$", entry)
    if match is not None and match[1] and not match[3].startswith("//"):
        position += len(prefix) + match.start(2)
        what = "A blank is missing after the colon" if match[2] == ":" else "A colon and a blank, no equals sign"
        return _cause(position, position + 1, f"{what}: {prefix}{match[1]}: {match[3]}")
    match = re.fullmatch(rf"({_WORD})(?: +(\S+))?", entry)
    if match is not None and match[1][0].isalpha():
        return _cause(position, end, f"A colon is missing: {prefix}{match[1]}:{' ' + match[2] if match[2] else ''}")
    return _cause(position, end, "This line is neither `key: value` nor `- item`; text goes into quotes or behind a #.")


def _no_colon(trouble: Trouble) -> SyntaxCause | None:
    """A line without a colon: mostly the one before the place where the parser gave up, at the end of the text its last."""
    at_end = not trouble.text[trouble.offset :].strip()
    places = trouble.lines if at_end or trouble.offset > trouble.start + len(trouble.line) - len(trouble.line.lstrip()) else reversed(trouble.lines)
    for start, line in places:
        cause = _no_entry(trouble, start, line)
        if cause is not None:
            return cause
    return _cause(trouble.offset, trouble.offset + 1, "A key needs `: ` after it, and text over several lines quotes or a block (`|`).")


def _further_in(trouble: Trouble) -> SyntaxCause | None:
    """A key below one that has its value already, further in than that."""
    column, above = indentation(trouble.line), indentation(trouble.before)
    if not trouble.before.strip() or column <= above:
        return None
    key = trouble.line.strip().partition(":")[0]
    known = trouble.before.strip().removeprefix("- ").partition(":")[0]
    hint = f"`{key}` is indented by {column}, `{known}` above it by {above} and has a value: indent both by the same number of blanks."
    return _cause(trouble.start + column, trouble.start + column + len(key), hint)


def _in_brackets(trouble: Trouble) -> SyntaxCause | None:
    """Something is missing in [...] or {...}."""
    text, offset, opening = trouble.text, trouble.offset, trouble.context
    cause = _closed_late(trouble)
    if cause is not None:
        return cause
    if opening is None or text[opening : opening + 1] not in ("[", "{"):
        return None
    bracket = text[opening]
    comment = re.search(r"^\s*//|\s//\s", text[opening:offset], re.MULTILINE)
    if comment is not None:
        start = opening + comment.end() - len(comment[0].lstrip())
        return _cause(start, start + 2, "There are no comments with // in JSON or YAML; take them away, or begin them with #, which JSON does not know.")
    closing = "]" if bracket == "[" else "}"
    is_same_line = "\n" not in text[opening:offset] and text[offset : offset + 1] not in ("\n", "")
    if is_same_line and text[offset] != ":":
        return _cause(offset, offset + 1, f"A comma is missing here, or a {closing}.")
    if is_same_line and closing in text[offset:].partition("\n")[0]:
        return _cause(offset, offset + 1, "This is the second colon of one item: put quotes around the text that has a colon in it.")
    return _cause(opening, opening + 1, f"The {bracket} that opens here is not closed: put a {closing} where it ends.")


def _closed_late(trouble: Trouble) -> SyntaxCause | None:
    """A quote that was meant to open a value has closed one that began on a line, or in an item, before."""
    text, position = trouble.text, trouble.offset - 1
    while position > 0 and text[position] == " ":
        position -= 1
    quote = text[position : position + 1]
    if quote not in ("'", '"') or not re.search(r"(?:[:\-,\[{] *|^\s*)$", text[line_at(text, position)[0] : position]):
        return None
    opening = text.rfind(quote, 0, position)
    if opening < 0:
        return None
    hint = f"The {quote} that opens here is closed only in line {trouble.number(position)}: put a {quote} at the end of the value."
    if "\n" not in text[opening:position]:
        hint = f"The {quote} that opens here is closed only by the next one: put a {quote} at the end of the value."
    return _cause(opening, opening + 1, hint)


def _after_quote(trouble: Trouble) -> SyntaxCause | None:
    """Text after the closing quote of a value."""
    match = re.match(rf"\s*(?:- +)*(?:{_WORD}: +)?((['\"]).*)$", trouble.line)
    if match is None:
        return None
    value, quote, start = match[1].rstrip(), match[2], trouble.start + match.start(1)
    if trouble.offset <= start:
        return None
    if quote == "'" and value.endswith("'") and value.count("'") % 2:
        inner = value[1:-1].replace("'", "''")
        return _cause(start, start + len(value), f"A ' within single quotes is written twice: '{inner}'")
    end = len(value)
    return _cause(trouble.offset, start + end, f"Text follows the closing {quote}: put all of it within the quotes, or take it away.")


def _extra_bracket(trouble: Trouble) -> SyntaxCause | None:
    bracket = trouble.text[trouble.offset : trouble.offset + 1]
    return _cause(trouble.offset, trouble.offset + 1, f"There is one {bracket} too many.") if bracket and bracket in "]}" else None


def _level(trouble: Trouble) -> SyntaxCause | None:
    """A line that is indented as none above it; where one is, that one or this is no entry."""
    column = indentation(trouble.line)
    levels: list[int] = []
    for line in reversed(trouble.text[: trouble.start].split("\n")):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        dash = re.match(r"\s*- +", line)
        for width in (len(dash[0]) if dash else -1, indentation(line)):
            if width >= 0 and (not levels or width < levels[-1]):
                levels.append(width)
    if column in levels:
        return _no_entry(trouble, trouble.before_start, trouble.before) or _no_entry(trouble, trouble.start, trouble.line)
    known = [str(level) for level in reversed(levels)]
    counts = " or ".join((", ".join(known[:-1]), known[-1])) if len(known) > 1 else "".join(known)
    hint = f"This line is indented by {column}, which fits no line above: indent it by {counts}." if counts else ""
    return _cause(trouble.start + column, trouble.start + len(trouble.line.rstrip()), hint)


def indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _in_quotes(value: str) -> str:
    """A value in quotes that need no escapes, where there are such."""
    if '"' not in value and "\\" not in value:
        return f'"{value}"'
    return "'" + value.replace("'", "''") + "'"
