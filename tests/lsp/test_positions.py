"""Places as the protocol counts them: its line ends, and units of UTF-16, UTF-8 or characters."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from jobset_compiler.diagnostics.place import Span
from jobset_compiler.lsp.positions import UTF8, UTF16, UTF32, Lines
from jobset_compiler.source.document import DocumentText

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
