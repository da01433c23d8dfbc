"""YAML from its grammar: every way to write a value that people use, and most that nobody does, right and slightly wrong."""

from __future__ import annotations

from random import Random

from tests.fuzz.odd import LETTERS, WORDS

_KEYS = (
    "a", "b", "name", "env", "a b", "a-b", "x.y/z", '"q"', "'s'", "1", "yes", "~", "1.5", "<<", '"a: b"', "a'", "é", "- a", "[a]", "{a: b}", "? a", "!!str c",
    "&k d", "*a",
)  # fmt: skip
_PLAIN = ("a", "b c", "a:b", "a#b", "x, y", "[x", "é", "http://h:80/x", "-x", "--- x", "?x", ":x", "a'b", 'a"b', "%a", "@a", "a\tb", "a - b", "a ? b")
_PROPERTIES = (
    "&a ", "&b ", "!!str ", "!!int ", "!!float ", "!!null ", "!!bool ", "!!binary ", "!!map ", "!!seq ", "!!timestamp ", "!x ", "! ",
    "!<tag:yaml.org,2002:str> ", "&a !!str ",
)  # fmt: skip
_ESCAPES = (
    "a", "b", " ", "'", '\\"', "\\\\", "\\n", "\\t", "\\r", "\\0", "\\e", "\\x1b", "\\x7f", "\\u00e9", "\\ud83d\\ude00", "\\ud800", "\\U0001F600", "\\N", "\\_",
    "\\L", "\\P", "\\/", "\\ ", "\\q",
)  # fmt: skip


def stream(rng: Random, name: str) -> str:
    """A file of one to three objects, the first of which is called `name`, each with a field `value` of any form."""
    pieces = []
    for index in range(rng.choice((1, 1, 1, 2, 3))):
        before = rng.choice(("", "", "", "\n", "# x\n", " # x\n", "%YAML 1.1\n---\n", "\ufeff"))
        after = rng.choice(("", "", "", "\n", "...\n", "# x", "...\na: b\n"))
        pieces.append(f"{before}{head(name if not index else f'{name}-{index}')}{field('value', rng)}{after}")
    return rng.choice(("---\n", "---\n", "--- \n", "\n---\n\n", "--- # x\n", "---\r\n", "\n---")).join(pieces)


def head(name: str) -> str:
    return f"apiVersion: example.dev/v1\nkind: Probe\nmetadata: {{name: {name}}}\n"


def field(key: str, rng: Random) -> str:
    """A field of a block mapping at the left margin."""
    return f"{key}:{after_key(rng, 0, rng.randint(1, 4))}"


def after_key(rng: Random, column: int, depth: int) -> str:
    """What follows a colon or a dash: blank and value, to the end of the line of the value. `column` is that of the key."""
    blank = rng.choice((" ", " ", " ", " ", "  ", "\t", ""))
    properties = rng.choice(_PROPERTIES) if rng.random() < 0.12 else ""
    form = rng.randrange(12) if depth else rng.randrange(7)
    if form < 3:
        return f"{blank}{properties}{scalar(rng)}{line_end(rng)}"
    if form == 3:
        return f"{blank}{properties}{multi_line(rng, column)}{line_end(rng)}"
    if form == 4:
        return f"{blank}{properties}{block_scalar(rng, column)}"
    if form == 5:
        return f"{blank}*{rng.choice('ab')}{line_end(rng)}" if rng.random() < 0.4 else line_end(rng)
    if form == 6:
        return f"{blank}{properties}{flow(rng, column, depth)}{line_end(rng)}"
    if form < 10:
        return f"{blank if properties else ''}{properties.rstrip()}{line_end(rng)}{mapping(rng, column + rng.choice((1, 2, 2, 2, 4)), depth - 1)}"
    return f"{blank if properties else ''}{properties.rstrip()}{line_end(rng)}{sequence(rng, column + rng.choice((0, 0, 1, 2, 2)), depth - 1)}"


def mapping(rng: Random, column: int, depth: int) -> str:
    margin = " " * column
    entries = []
    for _ in range(rng.randint(1, 4)):
        key = rng.choice(_KEYS) if rng.random() < 0.3 else rng.choice("abcdefgh")
        colon = rng.choice((":", ":", ":", ":", " :"))
        if rng.random() < 0.03:
            entries.append(f"{margin}? {scalar(rng)}\n{margin}{colon.strip()}{after_key(rng, column, depth)}")
        else:
            entries.append(f"{margin}{key}{colon}{after_key(rng, column, depth)}")
        margin = " " * (column + rng.choice((-1, 1))) if rng.random() < 0.01 else margin
    return "".join(entries)


def sequence(rng: Random, column: int, depth: int) -> str:
    margin = " " * column
    items = []
    for _ in range(rng.randint(1, 4)):
        inner = rng.randrange(8)
        if inner == 0 and depth:
            items.append(f"{margin}- {mapping(rng, column + 2, depth - 1).lstrip(' ')}")
        elif inner == 1 and depth:
            items.append(f"{margin}- {sequence(rng, column + 2, depth - 1).lstrip(' ')}")
        else:
            items.append(f"{margin}-{after_key(rng, column, depth)}")
    return "".join(items)


def flow(rng: Random, column: int, depth: int) -> str:
    gap = rng.choice((" ", " ", "", f"\n{' ' * (column + rng.choice((1, 2)))}", " # x\n   ", "\t"))
    parts = []
    is_list = rng.random() < 0.5
    for _ in range(rng.randint(0, 3)):
        inner = flow(rng, column, depth - 1) if depth and rng.random() < 0.3 else scalar(rng, flow=True)
        key = rng.choice(("a", "b", "'c'", '"d"', "a b", "1", "?a", "? a"))
        colon = rng.choice((": ", ": ", ": ", ":", " : "))
        parts.append(inner if is_list and rng.random() < 0.9 else f"{key}{colon}{inner}" if rng.random() < 0.95 else key)
    body = f",{gap}".join(parts) + (rng.choice((",", " ,", ",,")) if rng.random() < 0.08 else "")
    return f"[{body}]" if is_list else f"{{{body}}}"


def scalar(rng: Random, *, flow: bool = False) -> str:
    form = rng.randrange(5)
    if form == 0:
        return rng.choice(WORDS).replace("\n", " ")
    if form == 1:
        return rng.choice(_PLAIN)
    if form == 2:
        text = words(rng).replace("'", "''")
        return f"'{text}'"
    if form == 3:
        return f'"{escapes(rng)}"'
    return rng.choice("abc") if flow else words(rng)


def words(rng: Random) -> str:
    text = " ".join(rng.choice(("a", "b", "c:d", "e", "it's", "#f", "g")) for _ in range(rng.randint(1, 4)))
    if rng.random() < 0.08:
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice(LETTERS) + text[at:]
    return text


def escapes(rng: Random) -> str:
    return "".join(rng.choice(_ESCAPES) for _ in range(rng.randint(0, 5)))


def multi_line(rng: Random, column: int) -> str:
    """A plain or quoted scalar over lines, folded by its reader."""
    quote = rng.choice(("", "", "'", '"'))
    lines = [words(rng).replace("'", "") if quote else words(rng) for _ in range(rng.randint(1, 4))]
    margin = rng.choice((" " * (column + 1), " " * (column + 2), " " * column, "\t", " " * (column + 1) + "\t"))
    gap = rng.choice(("\n", "\n", "\n\n", " \n", "\n \n", "\\\n" if quote == '"' else "\n"))
    return f"{quote}{(gap + margin).join(lines)}{quote}"


def block_scalar(rng: Random, column: int) -> str:
    """A literal or folded scalar with its header."""
    step = rng.choice((1, 2, 2, 2, 4))
    header = rng.choice("||>") + rng.choice(("", "", "", "-", "+", str(step), f"{step}-", f"+{step}", "0", "10")) + rng.choice(("", "", "", " # x", " ", "#x"))
    margin = " " * (column + step)
    lines = []
    for _ in range(rng.randint(0, 5)):
        content = rng.choice((f" {words(rng)}", "\tx", "# x", "  ", *(words(rng) for _ in range(4))))
        lines.append(margin + content if rng.random() < 0.9 else "")
    return f"{header}\n" + "".join(f"{line}\n" for line in lines)


def line_end(rng: Random) -> str:
    return rng.choice(("\n", "\n", "\n", "\n", "\n", "\n", " \n", " # x\n", "\n\n", "\n# x\n", "\n      # x\n", "\t\n", "\r\n", "\n \t\n", "#x\n"))
