"""Changes of a text that know nothing of its meaning: letters, tokens, lines, indentation, parts of another text."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.fuzz.odd import LETTERS, TOKENS

Mutation = Callable[[str, str, Random], str]


def mutate(text: str, other: str, rng: Random) -> str:
    """The text after one to five changes; `other` is where foreign lines come from."""
    for _ in range(min(rng.randint(1, 5), rng.randint(1, 5))):
        text = rng.choice(MUTATIONS)(text, other, rng)
    return text


def cut(text: str, _: str, rng: Random) -> str:
    start, end = place(text, rng), place(text, rng)
    return text[: min(start, end)] + text[max(start, end) :] if rng.random() < 0.2 else text[:start] + text[start + rng.randint(1, 4) :]


def insert_letter(text: str, _: str, rng: Random) -> str:
    at = place(text, rng)
    return text[:at] + rng.choice(LETTERS) + text[at:]


def insert_token(text: str, _: str, rng: Random) -> str:
    at = place(text, rng)
    return text[:at] + rng.choice(TOKENS) + text[at:]


def replace_word(text: str, _: str, rng: Random) -> str:
    """What stands between two blanks becomes something else."""
    at = place(text, rng)
    start = max(text.rfind(" ", 0, at), text.rfind("\n", 0, at)) + 1
    ends = [end for end in (text.find(" ", at), text.find("\n", at)) if end >= 0]
    return text[:start] + rng.choice(TOKENS) + text[min(ends, default=len(text)) :]


def repeat(text: str, _: str, rng: Random) -> str:
    start = place(text, rng)
    part = text[start : start + rng.choice((1, 2, 5, 20, 100))]
    return text[:start] + part * rng.choice((1, 2, 3, 10)) + text[start:]


def drop_line(text: str, _: str, rng: Random) -> str:
    return with_lines(text, rng, lambda lines, at: lines[:at] + lines[at + 1 :])


def repeat_line(text: str, _: str, rng: Random) -> str:
    return with_lines(text, rng, lambda lines, at: lines[: at + 1] + lines[at:])


def move_line(text: str, _: str, rng: Random) -> str:
    lines = text.split("\n")
    line = lines.pop(rng.randrange(len(lines)))
    lines.insert(rng.randint(0, len(lines)), line)
    return "\n".join(lines)


def indent_line(text: str, _: str, rng: Random) -> str:
    def change(lines: list[str], at: int) -> list[str]:
        by = rng.choice((-4, -2, -1, 1, 2, 4))
        for index in range(at, min(len(lines), at + rng.choice((1, 1, 2, 5)))):
            lines[index] = " " * by + lines[index] if by > 0 else lines[index][min(-by, len(lines[index]) - len(lines[index].lstrip(" "))) :]
        return lines

    return with_lines(text, rng, change)


def graft_lines(text: str, other: str, rng: Random) -> str:
    foreign = other.split("\n")
    start = rng.randrange(len(foreign))
    part = foreign[start : start + rng.randint(1, 8)]
    return with_lines(text, rng, lambda lines, at: lines[:at] + part + lines[at:])


def end_lines(text: str, _: str, rng: Random) -> str:
    return text.replace("\n", rng.choice(("\r\n", "\r", "\n\n", " \n", "\t\n", "\x85", " # x\n")), rng.choice((-1, 1, 3)))


def append_document(text: str, other: str, rng: Random) -> str:
    return text + rng.choice(("\n---\n", "\n--- \n", "---\n", "\n...\n", "\n---", "\n--- # x\n")) + other


def truncate(text: str, _: str, rng: Random) -> str:
    return text[: place(text, rng)]


MUTATIONS: tuple[Mutation, ...] = (
    cut,
    insert_letter,
    insert_token,
    insert_token,
    replace_word,
    replace_word,
    repeat,
    drop_line,
    repeat_line,
    move_line,
    indent_line,
    indent_line,
    graft_lines,
    end_lines,
    append_document,
    truncate,
)


def place(text: str, rng: Random) -> int:
    return rng.randint(0, len(text))


def with_lines(text: str, rng: Random, change: Callable[[list[str], int], list[str]]) -> str:
    lines = text.split("\n")
    return "\n".join(change(lines, rng.randrange(len(lines))))
