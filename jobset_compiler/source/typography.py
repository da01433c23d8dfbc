"""Characters that look like YAML's own and are letters to it: no-break spaces and their like, curly quotes."""

from __future__ import annotations

from typing import NamedTuple

# Blanks and invisible characters that come from word processors and web pages. The byte order mark is one where it stands inside of a text.
ODD_BLANKS = "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d\u202f\u205f\u2060\u3000\ufeff"
# With what to write instead.
OPENING_QUOTES = {**dict.fromkeys("\u201c\u201d\u201e\u201f\xab\uff02", '"'), **dict.fromkeys("\u2018\u2019\u201a\u201b\uff07", "'")}
CLOSING_QUOTES = frozenset(OPENING_QUOTES) | {"\xbb"}
_ODD = f"[{ODD_BLANKS}]"


class Lookalike(NamedTuple):
    """Where in a text it stands, and what to write."""

    position: int
    hint: str


def odd_blank_in_line(line: str) -> Lookalike | None:
    """The first of these characters where YAML has or could have a blank: in front, after a colon or dash, at the end."""
    return _odd_blank(rf"^[ ]*(?:-[ ]+)*({_ODD})|[:-][ ]*({_ODD})|({_ODD})[ ]*(?:$|[:#])", line)


def odd_blank_in_scalar(text: str) -> Lookalike | None:
    """The first of them in a scalar without quotes that nobody puts there on purpose: at its ends, as if after a key or a dash, or invisible."""
    return _odd_blank(rf"^({_ODD})|^-({_ODD})|^[\w./-]+:({_ODD})|({_ODD})$|([\u200b\u2060\ufeff])", text)


def _odd_blank(pattern: str, text: str) -> Lookalike | None:
    import re
    import unicodedata

    match = re.search(pattern, text)
    if match is None:
        return None
    position = match.start(match.lastindex or 0)
    name = unicodedata.name(text[position], "byte order mark").lower()
    return Lookalike(position, f"U+{ord(text[position]):04X} ({name}) is a letter to YAML: write an ordinary blank, or nothing, instead.")


def curly_quote(text: str) -> str:
    """What to write instead of a scalar that begins with a curly quote; empty for any other."""
    quote = OPENING_QUOTES.get(text[:1])
    if quote is None:
        return ""
    end = next((position for position, character in enumerate(text[1:], 1) if character in CLOSING_QUOTES), 0)
    inner = text[1:end]
    example = f": {quote}{inner}{quote}" if inner and len(inner) < 60 and quote not in inner else f" {quote} instead."
    return f"{text[0]} is a letter to YAML, no quote. Write{example}"
