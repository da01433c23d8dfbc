"""Values on one line, in brackets: whatever is written reads as it was."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.emit.flow import in_flow
from jobset_compiler.source.reader import read_text


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"a": [1, "x", {"b": None}], "c": {}}, "{a: [1, x, {b: null}], c: {}}"),
        ([], "[]"),
        ([[], [1, [2]]], "[[], [1, [2]]]"),
        ("a, b", '"a, b"'),
        ("a]", '"a]"'),
        ("{a", "'{a'"),
        ("a\nb", '"a\\nb"'),
        ("'a, b", "'''a, b'"),
        ("yes", '"yes"'),
        (["a,b", "c d"], '["a,b", c d]'),
        ({"a, b": 1.5, "c": True}, '{"a, b": 1.5, c: true}'),
    ],
)
def test_a_value_on_one_line(value: Any, written: str) -> None:
    assert in_flow(value) == written
    (document,), _ = read_text(f"a: {written}\n")
    assert document.value == {"a": value}


def test_a_caller_may_spell_values_by_their_keys() -> None:
    def spelled(key: str, value: Any) -> str | None:
        return f"<{value}>" if key == "a" else None

    assert in_flow({"a": 1, "b": [{"a": "x", "c": "a"}], "d": {"a": None}}, spelled) == "{a: <1>, b: [{a: <x>, c: a}], d: {a: <None>}}"
    assert in_flow(["a"], spelled) == "[a]"
