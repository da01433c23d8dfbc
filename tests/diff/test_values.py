"""Values on one line or on several, and trees that are changed: at the bounds, and where nothing is."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.diagnostics.addresses import Keyed, Step
from jobset_compiler.diff.fields import ADDED, CHANGED, MISSING, REMOVED, REORDERED, FieldChange, apply, compare, key_field, look_up, same
from jobset_compiler.diff.values import brief, inline, lines_of

Lines = list[tuple[str, str]]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (MISSING, "nothing"),
        (None, "null"),
        ("", '""'),
        ("a b", "a b"),
        ("true", '"true"'),
        ("a\nb", '"a\\nb"'),
        (True, "true"),
        (1, "1"),
        ([], "[]"),
        ({}, "{}"),
        (["a", {"b": "1"}], '[a, {b: "1"}]'),
    ],
)
def test_one_line(value: Any, text: str) -> None:
    assert inline(value) == text == brief(value)


def test_what_is_cut() -> None:
    assert brief("a" * 72) == "a" * 72
    assert brief("a" * 73) == "a" * 69 + "..."


WIDE, WIDER = "a" * 80, "a" * 81
HALF, HALVES = "b" * 40, "b" * 41


@pytest.mark.parametrize(
    ("kind", "before", "after", "lines"),
    [
        (ADDED, MISSING, WIDE, []),
        (ADDED, MISSING, WIDER, [("+", WIDER)]),
        (ADDED, MISSING, "a\nb", [("+", "|-"), ("+", "  a"), ("+", "  b")]),
        (ADDED, MISSING, {"x": ["a\nb"]}, [("+", "x:"), ("+", "- |-"), ("+", "  a"), ("+", "  b")]),
        (REMOVED, WIDE, MISSING, []),
        (REMOVED, {"x": WIDER}, MISSING, [("-", f"x: {WIDER}")]),
        (REORDERED, ["a", "b"], ["b", "a"], []),
        (CHANGED, HALF, HALF[1:] + "c", []),
        (CHANGED, HALF, HALVES, [("-", HALF), ("+", HALVES)]),
        (CHANGED, "a\n", "b", [("-", "a"), ("+", "b")]),
        (CHANGED, "a\nb", "a\nc", [(" ", "a"), ("-", "b"), ("+", "c")]),
        (CHANGED, "a\n", "a", [("-", '"a\\n"'), ("+", "a")]),
        (CHANGED, ["a", 1, WIDER], ["a", 2, WIDER], [(" ", "a"), ("-", "1"), ("+", "2"), (" ", WIDER)]),
        (CHANGED, ["a\nb", WIDER], ["a\nc", WIDER], [(" ", "a"), ("-", "b"), ("+", "c"), (" ", WIDER)]),
        (CHANGED, [{"a": 1}, WIDER], [{"a": 2}, WIDER], [("-", "- a: 1"), ("+", "- a: 2"), (" ", f"- {WIDER}")]),
        (CHANGED, {"a": 1, "b": WIDER}, {"a": 2, "b": WIDER}, [("-", "a: 1"), ("+", "a: 2"), (" ", f"b: {WIDER}")]),
        (CHANGED, [WIDER], WIDER, [("-", f"[{WIDER}]"), ("+", WIDER)]),
    ],
)
def test_several_lines(kind: str, before: Any, after: Any, lines: Lines) -> None:
    assert [tuple(line) for line in lines_of(kind, before, after)] == lines


def test_lines_far_from_what_changes_are_left_out() -> None:
    before = [f"line {number}" for number in range(12)]
    after = ["first", *before[1:-1], "last"]
    assert [tuple(line) for line in lines_of(CHANGED, "\n".join(before), "\n".join(after))] == [
        *[("-", "line 0"), ("+", "first"), (" ", "line 1"), (" ", "line 2"), (" ", "...")],
        *[(" ", "line 9"), (" ", "line 10"), ("-", "line 11"), ("+", "last")],
    ]


A, B, C = {"name": "a"}, {"name": "b"}, {"name": "c"}
OF_A: Step = Keyed("name", "a")
OF_Z: Step = Keyed("name", "z")


@pytest.mark.parametrize(
    ("tree", "steps", "value"),
    [
        ({"x": 1}, (), {"x": 1}),
        ({"x": 1}, ("x",), 1),
        ({"x": 1}, ("y",), MISSING),
        ({"x": 1}, ("x", "y"), MISSING),
        ({"x": [1, 2]}, ("x", 1), 2),
        ({"x": [1, 2]}, ("x", 2), MISSING),
        ({"x": {"1": 2}}, ("x", 1), MISSING),
        ({"x": ["a", B, A]}, ("x", OF_A), A),
        ({"x": [B, A]}, ("x", OF_A, "name"), "a"),
        ({"x": [B, A]}, ("x", OF_Z), MISSING),
        ({"x": [{"port": 1}]}, ("x", Keyed("port", "1")), {"port": 1}),
        ({"x": A}, ("x", OF_A), MISSING),
        ([1], ("x",), MISSING),
        (MISSING, ("x",), MISSING),
    ],
)
def test_what_stands_at_an_address(tree: Any, steps: tuple[Step, ...], value: Any) -> None:
    assert look_up(tree, steps) == value


def change(kind: str, steps: tuple[Step, ...], after: Any) -> FieldChange:
    return FieldChange(kind, steps, None, after, None, None)


@pytest.mark.parametrize(
    ("tree", "made", "result"),
    [
        ({"x": 1}, change(CHANGED, (), 2), 2),
        ({"x": 1, "y": 2}, change(CHANGED, ("x",), 3), {"x": 3, "y": 2}),
        ({"x": 1}, change(REMOVED, ("x",), MISSING), {}),
        ({"x": 1}, change(REMOVED, ("y",), MISSING), {"x": 1}),
        ({"x": 1}, change(ADDED, ("y", "z"), 2), {"x": 1, "y": {"z": 2}}),
        (None, change(ADDED, ("y",), 2), {"y": 2}),
        ({"x": [1, 2]}, change(CHANGED, ("x", 1), 3), {"x": [1, 3]}),
        ({"x": [1, 2]}, change(REMOVED, ("x", 0), MISSING), {"x": [2]}),
        ({"x": [1, 2]}, change(REMOVED, ("x", 2), MISSING), {"x": [1, 2]}),
        ({"x": [1, 2]}, change(ADDED, ("x", 2), 3), {"x": [1, 2, 3]}),
        ({"x": [A, B]}, change(CHANGED, ("x", OF_A, "value"), "1"), {"x": [{"name": "a", "value": "1"}, B]}),
        ({"x": ["s", A]}, change(REMOVED, ("x", OF_A), MISSING), {"x": ["s"]}),
        ({"x": [A]}, change(ADDED, ("x", OF_Z), C), {"x": [A, C]}),
        ({"x": [A]}, change(REMOVED, ("x", OF_Z), MISSING), {"x": [A]}),
        ({}, change(ADDED, ("x", OF_A), A), {"x": [A]}),
        ({"x": [A, B, C]}, change(REORDERED, ("x",), ["c", "a"]), {"x": [C, A, B]}),
        ({"x": 3}, change(REORDERED, ("x",), ["c", "a"]), {"x": 3}),
        ({}, change(REORDERED, ("x",), ["c", "a"]), {}),
        ({"x": [1, 2]}, change(REORDERED, ("x",), ["2", "1"]), {"x": [1, 2]}),
    ],
)
def test_a_change_is_made(tree: Any, made: FieldChange, result: Any) -> None:
    before = repr(tree)
    assert apply(tree, made) == result
    assert repr(tree) == before, "what is given is not altered"


@pytest.mark.parametrize(
    ("one", "other", "are"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1}, {"a": 2}, False),
        ([1, 2], [2, 1], False),
        ([1], [1, 2], False),
        ([1, 2], [1, 2], True),
        ([], {}, False),
        (0, False, False),
        ("1", 1, False),
        (None, None, True),
        ({"a": [True]}, {"a": [1]}, False),
    ],
)
def test_the_same(one: Any, other: Any, are: bool) -> None:
    assert same(one, other) is are and same(other, one) is are


@pytest.mark.parametrize(
    ("name", "before", "after", "field"),
    [
        ("env", [], [], None),
        ("env", [A], [], "name"),
        ("env", [], [A], "name"),
        ("env", [A, A], [], None),
        ("env", [A, {}], [B], None),
        ("env", [A], ["b"], None),
        ("ports", [{"name": "a", "containerPort": 1}, {"name": "b", "containerPort": 1}], [], "name"),
        ("ports", [{"port": 1}], [{"port": 2}], "port"),
        ("items", [{"key": "k", "path": "p"}], [], "path"),
        ("items", [{"key": "k"}], [], "key"),
        ("hostAliases", [{"ip": "1"}], [], "ip"),
        ("topologySpreadConstraints", [{"topologyKey": "z", "name": "a"}], [], "topologyKey"),
        ("tolerations", [{"key": "k", "name": "a"}], [], "key"),
        ("volumeDevices", [{"devicePath": "/d", "name": "a"}], [], "devicePath"),
        ("runtimePatches", [{"manager": "m", "name": "a"}], [], "manager"),
        ("others", [{"topologyKey": "z"}], [], "topologyKey"),
        ("others", [{"manager": "m"}], [], "manager"),
        ("others", [{"name": True}], [], "name"),
        ("others", [{"name": 1}, {"name": "1"}], [], None),
        ("others", [{"name": ["a"]}], [], None),
    ],
)
def test_what_tells_items_apart(name: str, before: list[Any], after: list[Any], field: str | None) -> None:
    assert key_field(name, before, after) == field


def test_all_that_is_known_of_a_change() -> None:
    before = {"gone": 1, "env": [A, B], "rules": [A, B], "words": ["a", "b"], "deep": [[1], [2]]}
    after = {"env": [C, {**B, "value": "x"}], "rules": [B, C, A], "words": ["a"], "deep": [[1], [3]], "new": {"x": 1}}
    assert compare(before, after) == (
        FieldChange(REMOVED, ("gone",), 1, MISSING, ("gone",), None),
        FieldChange(REMOVED, ("env", OF_A), A, MISSING, ("env", 0), None),
        FieldChange(ADDED, ("env", Keyed("name", "c")), MISSING, C, None, ("env", 0)),
        FieldChange(ADDED, ("env", Keyed("name", "b"), "value"), MISSING, "x", None, ("env", 1, "value")),
        FieldChange(ADDED, ("rules", Keyed("name", "c")), MISSING, C, None, ("rules", 1)),
        FieldChange(REORDERED, ("rules",), ["a", "b"], ["b", "c", "a"], ("rules",), ("rules",)),
        FieldChange(CHANGED, ("words",), ["a", "b"], ["a"], ("words",), ("words",)),
        FieldChange(CHANGED, ("deep", 1), [2], [3], ("deep", 1), ("deep", 1)),
        FieldChange(ADDED, ("new",), MISSING, {"x": 1}, None, ("new",)),
    )


def test_nothing_has_a_name() -> None:
    assert repr(MISSING) == "MISSING"
