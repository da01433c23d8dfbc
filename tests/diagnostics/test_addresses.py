"""Addresses: what is written is read back, and leads to the field."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobset_compiler.diagnostics.addresses import Keyed, keyed, leaves, parse, resolve, text

TREE: dict[str, Any] = {
    "metadata": {"labels": {"a.b/c": "1", "plain": "2"}},
    "spec": {"jobs": [{"name": "x", "env": [{"name": "A"}, {"name": "A"}]}, {"name": "y"}], "list": [1, [2]], "empty": {}},
}


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("metadata.labels.plain", ("metadata", "labels", "plain")),
        ('metadata.labels["a.b/c"]', ("metadata", "labels", "a.b/c")),
        ("metadata.labels[a.b/c]", ("metadata", "labels", "a.b/c")),
        ("spec.jobs[1].name", ("spec", "jobs", 1, "name")),
        ("spec.jobs[name=y].name", ("spec", "jobs", 1, "name")),
        ("spec.list[1][0]", ("spec", "list", 1, 0)),
        ("", ()),
    ],
)
def test_address_leads_to_path(address: str, path: tuple[str | int, ...]) -> None:
    assert resolve(TREE, parse(address)) == path


@pytest.mark.parametrize(
    ("address", "missing"),
    [
        ("spec.jobs[name=z]", "no item with name=z"),
        ("spec.jobs[7]", "no 7"),
        ("spec.jobs[2]", "no 2"),
        ("spec.nothing", "no nothing"),
        ("spec.nothing.more", "no nothing"),
        ("metadata.labels[x]", "no x"),
        ("metadata.labels[0]", "no 0"),
        ("spec.list.x", "no x"),
        ("words.x", "no x"),
        ("word.x", "no x"),
        ("word[0]", "no 0"),
    ],
)
def test_a_field_that_is_not_there(address: str, missing: str) -> None:
    with pytest.raises(KeyError) as caught:
        resolve({**TREE, "words": ["x"], "word": "xyz"}, parse(address))
    assert caught.value.args == (missing,)


@pytest.mark.parametrize("address", ["spec.", "spec..x", "spec[0", ".spec", 'spec["a]'])
def test_a_malformed_address(address: str) -> None:
    with pytest.raises(ValueError, match=r"^."):
        parse(address)


def test_items_with_equal_keys_are_told_by_index() -> None:
    assert keyed(TREE, ("spec", "jobs", 0, "env", 1, "name")) == ("spec", "jobs", Keyed("name", "x"), "env", 1, "name")


KEYS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters='"[]'), min_size=1, max_size=6)
SCALARS = st.one_of(st.integers(), st.booleans(), KEYS)
TREES = st.recursive(
    st.dictionaries(KEYS, SCALARS, max_size=3),
    lambda t: st.one_of(st.dictionaries(KEYS, t, max_size=3), st.dictionaries(KEYS, st.lists(t, max_size=3), max_size=3)),
    max_leaves=12,
)


@given(TREES)
def test_every_leaf_has_an_address_that_leads_back(tree: dict[str, Any]) -> None:
    for leaf in leaves(tree):
        if leaf:
            assert resolve(tree, parse(text(keyed(tree, leaf)))) == leaf


@pytest.mark.parametrize("name", ["##[error]z", 'a"b', "[", "]"])
def test_names_that_an_address_cannot_hold_are_told_by_index(name: str) -> None:
    tree = {"env": [{"name": "a", "value": "1"}, {"name": name, "value": "2"}]}
    address = text(keyed(tree, ("env", 1, "value")))
    assert address == "env[1].value"
    assert resolve(tree, parse(address)) == ("env", 1, "value")


def test_an_empty_key() -> None:
    tree = {"a": {"": [{"": 1}]}}
    address = text(("a", "", 0, ""))
    assert address == 'a[""][0][""]' and resolve(tree, parse(address)) == ("a", "", 0, "")
