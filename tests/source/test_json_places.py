"""JSON documents: where each part stands, how deep they may be, and what becomes of halves of characters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from jobset_compiler.source.limits import MAX_DEPTH
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path

TEXT = """{ "a" : [ 1 , -2.5e3,true, null ,"x\\"y", [ ], {} , [[ "deep" ]] ],
\t"b":{"c":{"d":"e"},"f\\u00e9":[{"g": 0},{"g":"\\ud83d\\ude00"}]} , "":false }
"""


def paths(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    yield path, value
    for step, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from paths(item, (*path, step))


def test_each_part_stands_where_its_text_does() -> None:
    (document,), problems = read_text(TEXT)
    assert document.is_json and not problems and document.value == json.loads(TEXT)
    lines = TEXT.split("\n")
    for path, value in paths(document.value):
        start, end = document.offsets(path)
        assert json.loads(TEXT[start:end]) == value and TEXT[start:end] == TEXT[start:end].strip(), path
        place = document.locate(path)
        assert lines[place.line - 1][place.column - 1] == TEXT[start] and lines[place.end_line - 1][place.end_column - 2] == TEXT[end - 1], path
    assert (document.locate_key(("b", "f\u00e9")).line, document.locate_key(("b", "f\u00e9")).column) == (2, 21)
    assert document.offsets(("b", "absent")) == document.offsets(("b",))


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_as_deep_as_any_document(opening: str, closing: str) -> None:
    def nested(depth: int) -> str:
        return '{"a":' + opening * (depth - 1) + "1" + closing * (depth - 1) + "}\n"

    documents, problems = read_text(nested(MAX_DEPTH))
    assert len(documents) == 1 and not problems
    documents, problems = read_text(nested(MAX_DEPTH + 1))
    assert [(problem.slug, problem.span.line, problem.span.column) for problem in problems] == [("too-deep", 1, 1)] and not documents
    assert problems[0].message == f"document is nested more than {MAX_DEPTH} levels deep"


def test_much_beside_each_other_is_not_deep() -> None:
    text = json.dumps({"a": [{"b": [index]} for index in range(MAX_DEPTH)], "c": [[]] * MAX_DEPTH})
    documents, problems = read_text(text)
    assert len(documents) == 1 and not problems


def test_half_a_character_becomes_the_sign_for_what_is_none() -> None:
    (document,), problems = read_text('{"a\\ud83d": ["\\ud83d", {"b": "x\\ude00y"}, "\\ud83d\\ude00", 1]}\n')
    assert not problems
    assert document.value == {"a\ufffd": ["\ufffd", {"b": "x\ufffdy"}, "\U0001f600", 1]}
