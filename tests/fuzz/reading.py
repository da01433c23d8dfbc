"""What holds of the reading of any text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from jobset_compiler.diagnostics.place import Path, Span
from jobset_compiler.source.document import Document
from jobset_compiler.source.events import has_libyaml, libyaml_parser, pure_parser
from jobset_compiler.source.reader import read_bytes, read_text

FILE = "fuzz.yaml"
_PLACES = 15  # of one document that are looked up


def check_reading(text: str, rng: Random) -> None:
    """Both lanes, both parsers and the bytes of the text give the same documents at the same places, and the same problems."""
    documents, problems = read_text(text, FILE)
    for problem in problems:
        assert is_inside(problem.span, text), ("span of a problem", problem)
    for document in documents:
        json.dumps(document.value, allow_nan=False)
    data = text.encode("utf-8", "surrogatepass")
    if is_text(data):
        as_bytes = read_bytes(data, FILE)
        assert same_documents(documents, as_bytes[0]) and told(problems) == told(as_bytes[1]), ("bytes", problems, as_bytes[1])
    for parser in (libyaml_parser, pure_parser) if has_libyaml() else (pure_parser,):
        others, other_problems = read_text(text, FILE, parser=parser)
        assert same_documents(documents, others), ("lanes", parser.__name__, problems, other_problems)
        if parser is pure_parser and has_libyaml():
            # The words of a parser are its own, and so is what it takes for the fault of a text that has two.
            assert [p.is_error or p.slug for p in problems] == [p.is_error or p.slug for p in other_problems], ("parsers", problems, other_problems)
        else:
            assert told(problems) == told(other_problems), ("problems of the lanes", problems, other_problems)
        for mine, theirs in zip(documents, others, strict=True):
            same_places(mine, theirs, text, rng)


def is_text(data: bytes) -> bool:
    """Whether these bytes are the text again: UTF-8, and no other encoding by their mark."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return not data.startswith(b"\xef\xbb\xbf")


def told(problems: Sequence[Any]) -> list[tuple[Any, ...]]:
    return [(problem.slug, problem.message, problem.span, problem.hint) for problem in problems]


def same_documents(ours: Sequence[Document], theirs: Sequence[Document]) -> bool:
    return [(d.index, d.prefix, exact(d.value)) for d in ours] == [(d.index, d.prefix, exact(d.value)) for d in theirs]


def exact(value: Any) -> Any:
    """A value with its types and the order of its keys."""
    if isinstance(value, dict):
        return [(key, exact(item)) for key, item in value.items()]
    if isinstance(value, list):
        return [exact(item) for item in value]
    return type(value), repr(value)


def same_places(ours: Document, theirs: Document, text: str, rng: Random) -> None:
    paths = list(paths_of(ours.value, 2000))
    for path in rng.sample(paths, min(_PLACES, len(paths))):
        for find in ("locate", "locate_key", "alias_site"):
            mine, other = getattr(ours, find)(path), getattr(theirs, find)(path)
            assert mine == other, ("places", find, path, mine, other)
            assert mine is None or is_inside(mine, text), ("place", find, path, mine)


def paths_of(value: Any, most: int) -> Iterator[Path]:
    """Paths of a value, so many at most, and behind each one that it does not have."""
    waiting: list[tuple[Path, Any]] = [((), value)]
    while waiting and most > 0:
        path, item = waiting.pop()
        most -= 2
        yield path
        yield (*path, "absent")
        steps = item.items() if isinstance(item, dict) else enumerate(item) if isinstance(item, list) else ()
        waiting += [((*path, step), inner) for step, inner in steps]


def is_inside(span: Span, text: str) -> bool:
    """Whether the place begins and ends in the text, not before it begins; or is unknown."""
    if span.line == 0:
        return True
    lines = text.split("\n")
    begins_before_its_end = (span.line, span.column) <= (span.end_line, span.end_column)
    ends = ((span.line, span.column), (span.end_line, span.end_column))
    return begins_before_its_end and all(1 <= line <= len(lines) and 1 <= column <= len(lines[line - 1]) + 1 for line, column in ends)
