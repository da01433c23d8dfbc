"""Lines for a terminal: nothing is wider than asked for but single words, nothing is lost, colours are only put around."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from jobset_compiler.diagnostics.text import columns
from jobset_compiler.explain.layout import ADDED, COLOURED, Line, lay_out

# Of 16 columns at most, which there is room for behind every indent and label.
WORDS = st.lists(st.text(alphabet="ab./漢é", min_size=1, max_size=8), max_size=16).map(" ".join)
LINES = st.builds(
    Line,
    indent=st.integers(0, 8),
    label=st.sampled_from(["", "env", "annotation", "a label of many words"]),
    text=WORDS,
    origin=WORDS,
    tone=st.sampled_from(["", "heading", "added"]),
    room=st.sampled_from([0, 2, 11]),
)


def words(text: str) -> list[str]:
    return [word for word in text.split() if word != "<-"]


@given(LINES, st.sampled_from([40, 80, 120]))
def test_nothing_is_wider_and_nothing_is_lost(line: Line, width: int) -> None:
    shown = list(lay_out([line], width))
    assert all(columns(one) <= width for one in shown)
    assert words(" ".join(shown)) == words(f"{line.label} {line.text} {line.origin}")
    assert all(one == one.rstrip() for one in shown)


@given(LINES, st.sampled_from([40, 80]))
def test_colours_change_no_character(line: Line, width: int) -> None:
    coloured = [re.sub(r"\x1b\[[0-9;]*m", "", one).rstrip() for one in lay_out([line], width, COLOURED)]
    assert coloured == list(lay_out([line], width))


def test_a_long_word_is_not_taken_apart() -> None:
    image = "registry.example.com/" + "a" * 90
    first, *rest = lay_out([Line(2, "image", image, "job.yaml:3")], 80)
    assert first == f"  image      {image}" and rest == ["               <- job.yaml:3"]


def test_nothing_of_the_input_acts_on_a_terminal() -> None:
    (shown,) = lay_out([Line(0, "a\x1b[31m", "b\nc", "d\u202e")], 80)
    assert shown == r"a\x1b[31m  b\nc".ljust(48) + r"<- d\u202e"
    wrapped = list(lay_out([Line(4, "", f"{'x' * 30} ::set-output name=a::b ##[error]c", room=0)], 40))
    assert wrapped == [f"    {'x' * 30}", r"    \x3a:set-output name=a::b", r"    \x23#[error]c"]


def test_tones() -> None:
    """A label has the tone of its line, else the text has it; where something comes from is dim."""
    green, dim, reset = COLOURED.tones[ADDED], COLOURED.dim, COLOURED.reset
    (labelled,) = lay_out([Line(2, "env", "A=1", "a:1", ADDED)], 80, COLOURED)
    assert labelled == f"  {green}env{reset}        A=1".ljust(48 + len(green + reset)) + f"{dim}<- a:1{reset}"
    (bare,) = lay_out([Line(2, "", "A=1", tone=ADDED, room=0)], 80, COLOURED)
    assert bare == f"  {green}A=1{reset}"
    first, second = lay_out([Line(0, "x" * 30, "text", tone=ADDED)], 40, COLOURED)
    assert (first, second) == (f"{green}{'x' * 30}{reset}", "    text"), "a label for which there is no room has a line of its own"
    below = list(lay_out([Line(2, "x" * 30, "b" * 20 + " " + "c" * 20, tone=ADDED)], 40, COLOURED))
    assert below == [f"  {green}{'x' * 30}{reset}", f"      {'b' * 20}", f"      {'c' * 20}"]
    wrapped = list(lay_out([Line(0, "", "a" * 30 + " " + "b" * 30, tone=ADDED, room=0)], 40, COLOURED))
    assert wrapped == [f"{green}{'a' * 30}{reset}", f"{green}{'b' * 30}{reset}"]
    assert list(lay_out([Line(2, "", "", tone=ADDED)], 80, COLOURED)) == [""]
    assert list(lay_out([Line(0, "", "a", tone="no such", room=0)], 80, COLOURED)) == ["a"]


def test_origins_stand_below_where_there_is_no_room_beside() -> None:
    origin = "this is where it comes from, and it is long"
    assert list(lay_out([Line(2, "env", "A=" + "1" * 20, origin)], 60)) == [
        f"  env        A={'1' * 20}",
        "               <- this is where it comes from, and it is",
        "                  long",
    ]
