"""What to call a TrainJob whose name cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.admission.rules.name import advise_name, advised, cut, name_is_too_long

RULE = "lower case letters, digits and dashes, a letter first and no dash last"


@pytest.mark.parametrize(
    ("value", "is_long"),
    [
        ({"metadata": {"name": "n" * 63}}, False),
        ({"metadata": {"name": "n" * 64}}, True),
        ({"metadata": {"name": ["n"] * 64}}, False),
        ({"metadata": {"name": 10**70}}, False),
        ({"metadata": {}}, False),
        ({"metadata": "n" * 64}, False),
        ({"name": "n" * 64}, False),
        ({}, False),
    ],
)
def test_names_that_are_longer_than_any_may_be(value: dict[str, Any], is_long: bool) -> None:
    assert name_is_too_long(value) is is_long


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("n" * 64, "cut 1 character off the TrainJob's name, or more: names of Jobs and pods are longer"),
        ("n" * 70, "cut 7 characters off the TrainJob's name, or more: names of Jobs and pods are longer"),
        ("My_Job", f"call it my-job: {RULE}"),
        ("-my--job.", f"call it my-job: {RULE}"),
        ("4x", f"call it job-4x: {RULE}"),
        ("x4", f"call it x4: {RULE}"),
        ("N" * 63, f"call it {'n' * 63}: {RULE}"),
        ("4" * 59, f"call it job-{'4' * 59}: {RULE}"),
        ("4" * 60, f"write {RULE}"),
        ("___", f"write {RULE}"),
        ("", f"write {RULE}"),
    ],
)
def test_a_name_that_can_be(name: str, advice: str) -> None:
    assert advise_name(name) == advice


def test_words_for_names() -> None:
    assert [advised(name) for name in ("a b", "A..B", "é-a", "_", "a-1_")] == ["a-b", "a-b", "a", "", "a-1"]
    assert [cut(count) for count in (0, 1, 2)] == ["cut ", "cut 1 character off the TrainJob's name", "cut 2 characters off the TrainJob's name"]
