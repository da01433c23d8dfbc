from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobset_compiler.diff.fields import ADDED, CHANGED, MISSING, REMOVED, REORDERED, apply, compare, look_up, same

KINDS = {"ports": "containerPort", "volumeMounts": "mountPath"}


def told(before: Any, after: Any) -> list[tuple[str, str]]:
    return [(change.kind, change.address) for change in compare(before, after)]


def test_lists_are_matched_by_the_name_of_their_items() -> None:
    before = {"env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}, {"name": "C", "value": "3"}]}
    after = {"env": [{"name": "C", "value": "4"}, {"name": "A", "value": "1"}, {"name": "D"}]}
    assert told(before, after) == [(CHANGED, "env[name=C].value"), (REMOVED, "env[name=B]"), (ADDED, "env[name=D]")]


def test_a_reordered_env_is_no_change_unless_values_refer_to_each_other() -> None:
    plain = [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]
    assert told({"env": plain}, {"env": plain[::-1]}) == []
    referring = [{"name": "A", "value": "1"}, {"name": "B", "value": "$(A)"}]
    assert told({"env": referring}, {"env": referring[::-1]}) == [(REORDERED, "env")]


@pytest.mark.parametrize("name", ["initContainers", "replicatedJobs", "rules", "podTemplateOverrides", "podSpecOverrides"])
def test_order_counts_where_it_decides_something(name: str) -> None:
    items = [{"name": "a"}, {"name": "b"}]
    assert told({name: items}, {name: items[::-1]}) == [(REORDERED, name)]
    # An item that comes or goes does not reorder the others.
    assert told({name: items}, {name: [{"name": "c"}, *items]}) == [(ADDED, f"{name}[name=c]")]


@pytest.mark.parametrize(("name", "key"), sorted(KINDS.items()))
def test_lists_with_a_key_of_their_own(name: str, key: str) -> None:
    before = [{"name": "same", key: 1}, {"name": "same", key: 2}]
    after = [{"name": "same", key: 2}, {"name": "other", key: 1}]
    assert told({name: before}, {name: after}) == [(CHANGED, f"{name}[{key}=1].name")]


def test_items_without_a_key_are_compared_in_place_or_as_a_whole() -> None:
    assert told({"x": [{"a": 1}, {"a": 2}]}, {"x": [{"a": 1}, {"a": 3}]}) == [(CHANGED, "x[1].a")]
    assert told({"x": [{"a": 1}]}, {"x": [{"a": 1}, {"a": 1}]}) == [(CHANGED, "x")]
    assert told({"command": ["a", "b"]}, {"command": ["b", "a"]}) == [(CHANGED, "command")]


def test_true_is_not_one() -> None:
    assert not same(True, 1)
    assert not same(1, 1.0)
    assert told({"a": True}, {"a": 1}) == [(CHANGED, "a")]


def test_paths_lead_to_the_values_on_either_side() -> None:
    before, after = {"env": [{"name": "A"}, {"name": "B", "value": "x"}]}, {"env": [{"name": "B", "value": "y"}]}
    changes = {change.address: change for change in compare(before, after)}
    assert (changes["env[name=B].value"].before_path, changes["env[name=B].value"].after_path) == (("env", 1, "value"), ("env", 0, "value"))
    assert changes["env[name=A]"].after_path is None


names = st.sampled_from(("a", "b", "c", "d"))
scalars = st.one_of(st.none(), st.booleans(), st.integers(0, 3), names)
named_items = st.lists(st.builds(lambda name, value: {"name": name, "value": value}, names, scalars), max_size=4, unique_by=lambda item: item["name"])
trees = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.dictionaries(st.sampled_from(("spec", "env", "initContainers", "args", "x")), inner, max_size=4),
        st.lists(inner, max_size=3),
        named_items,
    ),
    max_leaves=12,
)


@given(trees, trees)
def test_applying_all_changes_leaves_none(before: Any, after: Any) -> None:
    tree = before
    for change in compare(before, after):
        tree = apply(tree, change)
    # Where a new item of an ordered list goes is not part of a change.
    assert {change.kind for change in compare(tree, after)} <= {REORDERED}


@given(trees, trees)
def test_a_change_says_what_stands_on_both_sides(before: Any, after: Any) -> None:
    for change in compare(before, after):
        if change.kind != REORDERED:
            assert same(look_up(before, change.steps), change.before) or change.before is MISSING is look_up(before, change.steps)
            assert same(look_up(after, change.steps), change.after) or change.after is MISSING is look_up(after, change.steps)


@given(trees)
def test_a_tree_does_not_differ_from_itself(tree: Any) -> None:
    assert compare(tree, tree) == ()


def test_what_is_gone_stands_behind_its_former_neighbour() -> None:
    before, after = {"a": 1, "b": 1, "c": 1, "e": 1, "f": 1}, {"a": 2, "x": 1, "c": 2, "y": 1}
    assert [change.address for change in compare(before, after)] == ["a", "b", "x", "c", "e", "f", "y"]
    assert [change.address for change in compare({"b": 1, "a": 1}, {"x": 1, "a": 2})] == ["b", "x", "a"]
