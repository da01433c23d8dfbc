"""Text of others that must stay text: names, messages and lines of the input on their way to a terminal, a log or a comment.

Every writer sends what it did not write itself through one of these. Three things are kept from happening:

- A terminal acts on control characters, and shows bidirectional text in another order than its bytes: what is not printable
  becomes an escape such as `\\x1b` or `\\u202e`.
- A CI runner acts on lines of a log: GitHub on `::name` at the start of a line, GitHub, Azure and TeamCity on `##[name]`, `##vso[...]`
  and `##teamcity[...]` anywhere. The first character of these becomes an escape too.
- Markdown, and what GitHub and GitLab make of its text afterwards: mentions, references to issues, links, emoji.

`json_text` loses nothing: JSON has its own escapes for all of this.
"""

from __future__ import annotations

from typing import Any


def one_line(text: str) -> str:
    """The text on one line; a line break is shown as `\\n`."""
    if not text.isprintable():
        text = "".join([character if character.isprintable() else _escape(character) for character in text])
    if "##" in text:
        text = _without_hash_commands(text, "\\x23")
    blank = len(text) - len(text.lstrip(" "))
    if text.startswith("::", blank):
        text = f"{text[:blank]}\\x3a{text[blank + 1 :]}"
    return text


def lines(text: str) -> str:
    """The text with its line breaks; tabs stay as well."""
    if text.isprintable():
        return one_line(text)
    return "\n".join(["\t".join(map(one_line, line.split("\t"))) for line in text.split("\n")])


def json_text(value: Any, indent: int | None = None) -> str:
    """A value as JSON that is safe to print; what reads it back has the same value. Halves of characters (which no JSON reader need
    take) are shown as escapes, so that they become text."""
    import json

    text = json.dumps(value, indent=indent, ensure_ascii=False)
    if not text.isprintable():
        # Outside of strings there are only line breaks and blanks.
        text = "\n".join([line if line.isprintable() else "".join(map(_json_character, line)) for line in text.split("\n")])
    return _without_hash_commands(text, "\\u0023") if "##" in text else text


def well_formed(text: str) -> str:
    """The text with what has no UTF-8 shown as escapes: bytes of file names, halves of characters from JSON."""
    return text.encode("utf-8", "backslashreplace").decode()


def markdown(text: str) -> str:
    """The text as nothing but text, wherever in a line of Markdown or of the HTML in it."""
    import re

    # GitHub and GitLab look for mentions, references and addresses in the finished text: a blank of no width takes them apart.
    apart = re.sub(r"(?<=[@#!$%~&])(?=\S)|(?<=:)(?=//)|(?<=www)(?=\.)|(?<=mailto:)|(?<=xmpp:)|(?<=GH-)(?=\d)", _APART, one_line(text), flags=re.IGNORECASE)
    # Entities are no markup anywhere; of the characters only those that could be some.
    marks = r"[&<>`*[\]|~\\$#]|(?<![^\W_])_|_(?![^\W_])|^ *[-+=]|^ *\d+[.)]"
    inert = re.sub(marks, lambda found: f"{found[0][:-1]}&#{ord(found[0][-1])};", apart)
    return inert.replace(_APART, "&#8203;")


# Stands for the blank of no width; `one_line` leaves none in a text.
_APART = "\0"


def code(text: str) -> str:
    """The text as a code span of Markdown, however many backticks are in it."""
    import re

    text = one_line(text) or " "
    if "`" not in text:
        return f"`{text}`"
    fence = "`" * (1 + max(map(len, re.findall("`+", text))))
    return f"{fence} {text} {fence}"


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode()


def _json_character(character: str) -> str:
    if character.isprintable():
        return character
    if "\ud800" <= character <= "\udfff":
        return f"\\{_escape(character)}"
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[index : index + 2].hex()}" for index in range(0, len(units), 2))


def _without_hash_commands(text: str, escape: str) -> str:
    import re

    return re.sub(r"#(?=#\w*\[)", lambda _: escape, text)
