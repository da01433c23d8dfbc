"""Nothing that an input can have much of makes any line of the code run with its square. Counted, not timed."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import pytest
from dimensions import DIMENSIONS

from tests.cli.conftest import run_here

SMALL, LARGE = 15, 60
# A line that runs with the input runs four times as often, with its square sixteen times. Up to twenty runs an item are no matter:
# limits lie between the sizes (findings that are shown, items that a schema allows), so that some lines run at the larger one alone.
FACTOR, AN_ITEM = 8, 20
Line = tuple[CodeType, int]


def runs_of_lines(run: Callable[[], object]) -> Counter[Line]:
    """How often each line of the package ran."""
    runs: Counter[Line] = Counter()

    def on_line(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            runs[frame.f_code, frame.f_lineno] += 1
        return on_line

    def on_call(frame: FrameType, _event: str, _: Any) -> Any:
        return on_line if "jobset_compiler" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(on_call)
    try:
        run()
    finally:
        sys.settrace(before)
    return runs


def growing(make: Callable[[int], str], run: Callable[[str], object]) -> list[str]:
    """The lines that run with more than the size of the input."""
    run(make(LARGE))  # what is remembered is remembered
    few, many = runs_of_lines(lambda: run(make(SMALL))), runs_of_lines(lambda: run(make(LARGE)))
    return [
        f"{code.co_filename}:{line} ran {few[code, line]} and {count} times"
        for (code, line), count in many.items()
        if count > FACTOR * few[code, line] and count > AN_ITEM * LARGE
    ]


def render(text: str) -> None:
    assert run_here("render", "-v", "-", stdin=text).code in (0, 1)


@pytest.mark.parametrize("name", DIMENSIONS)
def test_no_line_runs_with_the_square_of(name: str) -> None:
    assert not growing(DIMENSIONS[name], render)


def test_a_line_that_does_is_found() -> None:
    from jobset_compiler.kube.names import is_valid_label_value

    def run(text: str) -> None:
        for _ in text:
            for letter in text:
                is_valid_label_value(letter)

    assert growing(lambda size: "a" * size, run)
