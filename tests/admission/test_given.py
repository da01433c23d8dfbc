"""Names are remembered in a few bytes each, and none is mistaken for another."""

from __future__ import annotations

import sys

from hypothesis import given
from hypothesis import strategies as st

from jobset_compiler.admission.given import Given

NAMES = st.tuples(st.sampled_from(["a.yaml", "b.yaml"]), st.just("TrainJob"), st.sampled_from(["", "ml"]), st.text(max_size=2))


@given(st.lists(NAMES))
def test_as_a_dict_would(names: list[tuple[str, ...]]) -> None:
    table = Given()
    lines: dict[tuple[str, ...], int] = {}
    for line, name in enumerate(names):
        assert table.first_line(name, line) == lines.get(name)
        lines.setdefault(name, line)
    assert len(table) == len(lines)


def test_any_number_of_names() -> None:
    table = Given()
    for number in range(5000):
        assert table.first_line(("a.yaml", str(number)), number) is None
    assert [table.first_line(("a.yaml", str(number)), 0) for number in range(5000)] == list(range(5000))


def test_of_names_that_fall_together() -> None:
    class Name(tuple[str, ...]):
        __slots__ = ()

        def __hash__(self) -> int:
            return int(self[0]) * 1024  # one slot for all

    table = Given()
    for number in range(400):
        assert table.first_line(Name([str(number)]), number) is None
    assert [table.first_line(Name([str(number)]), 0) for number in range(400)] == list(range(400))


def test_a_name_takes_few_bytes() -> None:
    table = Given()
    for number in range(100_000):
        table.first_line(("a.yaml", "TrainJob", "ml", f"job-{number}"), number)
    size = sum(sys.getsizeof(part.obj) for part in (table._digests, table._lines))
    assert size / len(table) < 64
