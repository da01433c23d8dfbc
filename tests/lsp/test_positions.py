"""Places as the protocol counts them: its line ends, and units of UTF-16, UTF-8 or characters."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from jobset_compiler.diagnostics.place import Span
from jobset_compiler.lsp.positions import UTF8, UTF16, UTF32, Lines, units
from jobset_compiler.source.document import DocumentText
from jobset_compiler.source.reader import read_text

ENCODINGS = {UTF8: ("utf-8", 1), UTF16: ("utf-16-le", 2), UTF32: ("utf-32-le", 4)}
TEXTS = st.text(alphabet="ab\n\r\t\x0b\x0c\x85\u2028äß€🦊\U0001f468\u200d\ud83e", max_size=40)


@given(TEXTS, st.sampled_from([*ENCODINGS]), st.data())
def test_there_and_back(text: str, encoding: str, data: st.DataObject) -> None:
    lines = Lines(text, encoding)
    offset = data.draw(st.integers(0, len(text)))
    place = lines.position(offset)
    codec, size = ENCODINGS[types.PositionEncodingKind(encoding)]
    before = re.split(r"\r\n|\r|\n", text[:offset])
    if text[offset - 1 : offset + 1] != "\r\n":  # between the two halves of a line end there is no place
        assert place == types.Position(len(before) - 1, len(before[-1].encode(codec, "surrogatepass")) // size)
        assert lines.offset(place) == offset


@given(TEXTS, st.integers(0, 60), st.integers(0, 60), st.sampled_from([*ENCODINGS]))
def test_any_place_is_somewhere(text: str, line: int, character: int, encoding: str) -> None:
    assert 0 <= Lines(text, encoding).offset(types.Position(line, character)) <= len(text)


@given(st.text(alphabet="ab\n\r\u2028🦊ä", max_size=30), st.data())
def test_spans_of_the_compiler(text: str, data: st.DataObject) -> None:
    """They count lines by line feeds alone."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    span = DocumentText("a.yaml", text, 1, 0).span(start, end)
    lines = Lines(text)
    assert lines.range_of(span) == lines.range(start, end)


def test_an_unknown_place_is_the_first_line() -> None:
    assert Lines("ab\ncd").range_of(Span("", 0, 0, 0, 0)) == types.Range(types.Position(0, 0), types.Position(0, 2))


@pytest.mark.parametrize("character, expected", [(0, 0), (1, 0), (2, 1), (9, 1)])
def test_inside_of_a_character_is_before_it(character: int, expected: int) -> None:
    assert Lines("🦊\n").offset(types.Position(0, character)) == expected


@pytest.mark.parametrize(("encoding", "expected"), [(UTF8, [1, 2, 3, 4, 3]), (UTF16, [1, 1, 1, 2, 1]), (UTF32, [1, 1, 1, 1, 1])])
def test_units_of_a_character(encoding: str, expected: list[int]) -> None:
    assert [units(character, encoding) for character in "aä€🦊\ud83e"] == expected


@pytest.mark.parametrize(("number", "text"), [(-1, ""), (0, "ab"), (1, ""), (2, "c\u2028d"), (3, "e"), (4, "f"), (5, "")])
def test_a_line_without_its_end(number: int, text: str) -> None:
    assert Lines("ab\n\r\nc\u2028d\re\nf").line(number) == text


@pytest.mark.parametrize(
    ("encoding", "line", "character", "offset"),
    [
        (UTF16, 0, 0, 0),
        (UTF16, 0, 2, 2),
        (UTF16, 0, 9, 2),
        (UTF16, 1, 1, 4),
        (UTF16, 1, 3, 5),
        (UTF16, 1, 4, 6),
        (UTF16, 1, 9, 6),
        (UTF8, 1, 2, 4),
        (UTF8, 1, 6, 5),
        (UTF8, 1, 9, 6),
        (UTF32, 1, 2, 5),
        (UTF32, 1, 9, 6),
        (UTF16, 2, 0, 7),
        (UTF16, 2, 7, 7),
        (UTF16, 3, 0, 7),
    ],
)
def test_the_offset_of_a_place(encoding: str, line: int, character: int, offset: int) -> None:
    assert Lines("ab\nä🦊c\n", encoding).offset(types.Position(line, character)) == offset


def place(line: int, character: int) -> types.Position:
    return types.Position(line, character)


def test_offsets_that_are_out_of_the_text_are_its_ends() -> None:
    lines = Lines("ab\ncd")
    assert [lines.position(offset) for offset in (-1, 0, 2, 3, 5, 6)] == [place(0, 0), place(0, 0), place(0, 2), place(1, 0), place(1, 2), place(1, 2)]
    assert lines.range(1, 4) == types.Range(place(0, 1), place(1, 1)) and lines.range(4, 1) == types.Range(place(1, 1), place(1, 1))
    assert lines.whole == types.Range(place(0, 0), place(1, 2))


def test_a_span_of_a_line_that_is_not_there_is_in_the_last() -> None:
    assert Lines("ab\ncd").range_of(Span("", 1, 2, 9, 2)) == types.Range(place(0, 1), place(1, 1))
    assert Lines("ab\rcd\nef").range_of(Span("", 1, 4, 2, 2)) == types.Range(place(1, 0), place(2, 1)), "spans count lines by line feeds alone"


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        ((), "a: &x {b: 1}\nc: *x\nd: [1, *x]\ne: *x", "a: &x {b: 1}\nc: *x\nd: [1, *x]\ne: *x"),
        (("a",), "{b: 1}", "a"),
        (("a", "b"), "1", "b"),
        (("c",), "*x", "c"),
        (("c", "b"), None, None),
        (("d", 0), "1", "1"),
        (("d", 1), "*x", "*x"),
        (("d", 1, "b"), None, None),
        (("e",), "*x", "e"),
    ],
)
@pytest.mark.parametrize("above", ["", "# ä\n", "x: 1\n---\n", "x: 1\r\n--- # y\r\n", "---\n---\n"])
def test_the_text_of_a_value_and_of_its_key(path: tuple[str | int, ...], value: str | None, key: str | None, above: str) -> None:
    """Of a value that an alias stands for it is the alias; what is below that stands somewhere else."""
    text = f"{above}a: &x {{b: 1}}\nc: *x\nd: [1, *x]\ne: *x\n"
    document, lines = read_text(text)[0][-1], Lines(text)

    def shown(found: tuple[int, int] | None) -> str | None:
        return None if found is None else text[found[0] : found[1]]

    assert (shown(lines.extent_of(document, path)), shown(lines.extent_of(document, path, on_key=True))) == (value, key)


def test_where_documents_begin() -> None:
    first_lines = ("\ufeffa: 1\n---\nb: 2", '{"a": 1}\n  {"b": 2} {"c": 3}')
    for text in (*first_lines, "a: 1\n---\nb: 2\n", "---\na: 1\n--- # x\nb: 2\n", '{"a": 1}\n{"b": 2}', "a: 1\r\n---\r\nb: 2\r\n"):
        documents = read_text(text)[0]
        assert [Lines(text).start_of(document) for document in documents] == [document.start for document in documents]
