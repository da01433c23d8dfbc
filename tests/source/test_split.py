from __future__ import annotations

from jobset_compiler.source.split import Piece, split


def test_pieces_carry_their_place() -> None:
    assert list(split(("a\nb\n---\nc\n--- # d\ne",))) == [Piece("a\nb\n", 0, 1), Piece("c\n", 8, 4), Piece("e", 18, 6)]


def test_a_separator_with_nothing_before_it_belongs_to_the_document() -> None:
    assert list(split(("---\na\n",))) == [Piece("---\na\n", 0, 1)]
    assert list(split(("a\n---\n---\nb\n",))) == [Piece("a\n", 0, 1), Piece("---\nb\n", 6, 3)]


def test_a_separator_needs_the_start_of_a_line() -> None:
    assert list(split(("a\n ---\nb---\n",))) == [Piece("a\n ---\nb---\n", 0, 1)]


def test_a_fault_stays_with_the_text_that_starts_with_it() -> None:
    assert list(split(("a\n---b\nc\n---\nd\n",))) == [Piece("a\n", 0, 1), Piece("---b\nc\n", 2, 2, "b"), Piece("d\n", 13, 5)]
    assert list(split(("--- b\n",))) == [Piece("--- b\n", 0, 1, "b")]


def test_carriage_returns_are_blanks_after_a_separator() -> None:
    assert list(split(("a\r\n---\r\nb\r\n",))) == [Piece("a\r\n", 0, 1), Piece("b\r\n", 8, 3)]
