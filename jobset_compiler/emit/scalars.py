"""How one string is written as a YAML scalar.

The text has to be the same string to a YAML 1.1 reader (PyYAML), to a YAML 1.2 reader (ruamel.yaml) and to Go's
(go-yaml through sigs.k8s.io/yaml, which is kubectl, the API server and every controller). The three disagree on what
a plain `yes`, `y`, `0o17`, `08`, `1e3`, `12:30` or `2001-12-14` is, so a string is quoted as soon as one of them
would read it as something else. The styles are those of `kubectl -o yaml`: plain where possible, double quotes where
the plain text would be another type, single quotes where only the syntax forbids plain.
"""

from __future__ import annotations

# Words that some reader takes for a boolean, a null, YAML 1.1's value or its merge key. Compared in lower case: readers
# differ in the spellings they know (go-yaml has `yes`, `Yes`, `YES`; ruamel knows none of them).
_WORDS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))
_SIGNS = frozenset(("~", "=", "<<"))

# What the first character asks for; one that is not here asks for nothing.
_SYNTAX, _NUMBER, _SPACED, _DASH, _DOT, _SIGN = range(1, 7)
_ALONE = (_SPACED, _DASH)
_FIRST: dict[str, int] = {
    **dict.fromkeys(" #,[]{}&*!|>'\"%@`", _SYNTAX),
    # Unicode's blanks, all those Go's unicode.IsSpace knows: "\xa0{" at the start of a stream is JSON to kubectl.
    **dict.fromkeys(map(chr, (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)), _SYNTAX),
    **dict.fromkeys("0123456789+", _NUMBER),
    **dict.fromkeys("?:", _SPACED),
    **dict.fromkeys("~=<", _SIGN),
    "-": _DASH,
    ".": _DOT,
}

# Characters no reader may meet raw: those libyaml calls not printable, line breaks other than "\n", the byte order mark,
# and the bidirectional marks and overrides, which would make the text on a screen say something else than its bytes.
# Emoji and other astral characters are read alike by all three and stay (kubectl escapes them).
NOT_RAW: tuple[int, ...] = (
    *range(0x0A),
    *range(0x0B, 0x20),
    *range(0x7F, 0xA0),
    0x061C,
    0x200E,
    0x200F,
    0x2028,
    0x2029,
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
    0xFEFF,
    0xFFFE,
    0xFFFF,
)
_ESCAPED = frozenset(map(chr, (*NOT_RAW, 0x0A)))

_NUMERIC = "0123456789.eE+-"
_MOMENT = "0123456789-:.+TtZz "


def well_formed(text: str) -> str:
    """The text with its surrogates resolved as Go's JSON decoder does: a pair is its character, a lone one U+FFFD.

    No YAML or UTF-8 reader accepts a lone surrogate, and the API server could not hold one.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def flow_scalar(text: str) -> str:
    """The text on one line: plain, in single or in double quotes."""
    if text.isidentifier():
        return f'"{text}"' if text.lower() in _WORDS else text
    if not text:
        return '""'
    if not text.isprintable():
        # Only then is there anything to escape. Which other characters Unicode calls printable changes between releases
        # of Python, so that it decides nothing.
        text = well_formed(text)
        if not _ESCAPED.isdisjoint(text):
            return double_quoted(text)
    asks = _FIRST.get(text[0])
    if asks:
        if asks == _SYNTAX:
            return single_quoted(text)
        if asks == _SIGN:
            if text in _SIGNS:
                return f'"{text}"'
        else:
            # Only numbers, moments and signs get here: no quote or backslash to escape.
            if asks != _SPACED and _reads_as_number(text):
                return f'"{text}"'
            if text.startswith(("---", "...")) or (asks in _ALONE and text[1:2] in ("", " ")):
                return single_quoted(text)
    if text[-1] in ": " or ": " in text or " #" in text:
        return single_quoted(text)
    return text


def single_quoted(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"


def double_quoted(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'


def block_scalar(text: str, pad: str) -> str | None:
    """The text, which has a line break, as a literal block with its header and final line break.

    `pad` is the indentation of the mapping or list the scalar is in. None where a literal block would not do: a blank
    at the end of a line (invisible, and editors remove it; kubectl quotes it too), a character that has to be escaped, or
    nothing but line breaks. Tabs stay raw: they are the indentation of many a script.
    """
    text = well_formed(text)
    if text[-1] in " \t" or " \n" in text or "\t\n" in text:
        return None
    words = text.replace("\n", "").replace("\t", "")
    if not words.isprintable() and not _ESCAPED.isdisjoint(words):
        return None
    body = text.rstrip("\n")
    if not body:
        return None
    # Without the digit the reader would take the first line's own blanks for the block's indentation.
    indent = "2" if text[0] in " \t\n" else ""
    ends = len(text) - len(body)
    chomp = "" if ends == 1 else "+" if ends else "-"
    deeper = f"\n{pad}  "
    body = body.replace("\n", deeper)
    if f"{deeper}\n" in body or body[0] == "\n":
        # Empty lines stay empty: what would be their indentation is blanks at the end of a line.
        lines = body.split(deeper)
        body = "\n".join([f"{pad}  {line}" if line else "" for line in lines])
    else:
        body = f"{pad}  {body}"
    return f"|{indent}{chomp}\n{body}\n" + "\n" * (ends - 1)


def _reads_as_number(text: str) -> bool:
    """Whether a reader takes the plain text, which starts with a digit, a sign or a dot, for a number or a moment."""
    if text.isdecimal():
        return True
    if ":" in text and _is_sexagesimal(text):
        return True
    if text[4:5] == "-" and text.count("-") > 1 and text[:4].isdecimal() and not text.strip(_MOMENT):
        return True
    if "_" in text:
        # go-yaml removes underscores first; ruamel counts them as digits, wherever they are.
        return _is_number(text.replace("_", "")) or _is_number(text.replace("_", "0"))
    return _is_number(text)


def _is_number(text: str) -> bool:
    if not text.strip(_NUMERIC):
        try:
            float(text)
        except ValueError:
            return False
        return True
    body = text[1:] if text[:1] in ("+", "-") else text
    if body[:1] == ".":
        return body.lower() in (".inf", ".nan")
    if body[:2].lower() in ("0x", "0o", "0b"):
        try:
            int(body, 0)
        except ValueError:
            return False
        return True
    return False


def _is_sexagesimal(text: str) -> bool:
    """YAML 1.1's base 60, `12:30` and `190:20:30.15`, which PyYAML reads as a number."""
    first, *rest = text.split(":")
    if not first.lstrip("+-").replace("_", "").isdecimal():
        return False
    rest[-1], _, fraction = rest[-1].partition(".")
    return not fraction.strip("0123456789_") and all(part.isdecimal() and len(part) <= 2 for part in rest)


def _escape(code: int) -> str:
    if code < 0x100:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}"


_ESCAPES: dict[int, str] = {code: _escape(code) for code in NOT_RAW} | {
    0x00: "\\0",
    0x07: "\\a",
    0x08: "\\b",
    0x09: "\\t",
    0x0A: "\\n",
    0x0B: "\\v",
    0x0C: "\\f",
    0x0D: "\\r",
    0x1B: "\\e",
    0x22: '\\"',
    0x5C: "\\\\",
}
