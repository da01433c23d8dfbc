"""Whatever a document of an older API looks like, converting it ends with documents or with diagnostics."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import jobset_compiler as jc
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.emit.yaml import to_yaml

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "migrate"
JUNK: list[Any] = [None, [], {}, "", "text", 3, -1, 1.5, True, [None], [3], [[]], [{}], {"name": 3}, {"": None}, "a" * 300]


def inputs() -> list[list[Any]]:
    texts = [file.read_text().split("--- # INPUT\n", 1)[-1].split("--- # ")[0] for file in sorted(GOLDEN.glob("*.yaml"))]
    return [[tree for tree in yaml.safe_load_all(text) if isinstance(tree, dict)] for text in texts]


INPUTS = inputs()


def paths(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    members = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [path, *(below for key, value in members for below in paths(value, (*path, key)))]


@st.composite
def damaged(draw: st.DrawFn) -> list[Any]:
    trees = deepcopy(draw(st.sampled_from(INPUTS)))
    for _ in range(draw(st.integers(1, 2))):
        places = [path for path in paths(trees) if len(path) > 1 and path[1:] not in (("apiVersion",), ("kind",))]
        path = draw(st.sampled_from(places))
        inner = trees
        for step in path[:-1]:
            inner = inner[step]
        if draw(st.booleans()):
            inner[path[-1]] = deepcopy(draw(st.sampled_from(JUNK)))
        else:
            del inner[path[-1]]
    return [tree for tree in trees if isinstance(tree, dict)]


@settings(max_examples=300)
@given(damaged(), st.sampled_from(("v2.0", "v2.3")))
def test_no_shape_is_too_odd(trees: list[Any], release: str) -> None:
    text = to_yaml(tuple(trees))
    migration = jc.migrate(text, trainer_version=release)
    if migration.ok:
        assert not jc.migrate(migration.text, trainer_version=release).changed
    else:
        assert migration.text == text
    result = jc.compile_objects(trees, trainer_version=release, convert=True)
    assert result.ok or result.diagnostics


def replaced(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    tree = deepcopy(tree)
    inner = tree
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return tree


def places() -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Each field of each kind of object once: a document and a path in it."""
    seen = set()
    for tree in (tree for trees in INPUTS for tree in trees):
        for path in paths(tree)[1:]:
            names = tuple("[]" if isinstance(step, int) else step for step in path[-3:])
            if (tree.get("kind"), names) not in seen and path not in (("apiVersion",), ("kind",)):
                seen.add((tree.get("kind"), names))
                yield tree, path


def test_fields_of_another_type_are_refused_by_their_paths(snapshot: SnapshotAssertion) -> None:
    lines = []
    for tree, path in places():
        for found in jc.migrate(to_yaml((replaced(tree, path, 5),))).diagnostics:
            if "must be of type" in found.message:
                assert format_path(found.at) in found.message
                lines.append(f"{tree['kind']}: {found.message}")
    assert "\n".join(dict.fromkeys(lines)) == snapshot


@pytest.mark.parametrize(
    ("version", "kind"),
    [
        (["kubeflow.org/v1"], "PyTorchJob"),
        ("kubeflow.org/v1", ["PyTorchJob"]),
        (1, {"a": 2}),
        (None, "TrainJob"),
        ("kubeflow.org/v1", None),
        ("kubeflow.org/v1", "Service"),
        ("apps/v1", "PyTorchJob"),
        ("kubeflow.org/v2alpha1", "Service"),
        ("ome.io/v1beta1", "Service"),
        ("ome.io/v1", "TrainingJob"),
    ],
)
def test_objects_of_others_are_left_alone(version: Any, kind: Any) -> None:
    """Whatever they hold: a field of a wrong type is theirs."""
    text = to_yaml(({"apiVersion": version, "kind": kind, "metadata": {"name": 5}, "spec": {"containers": {}}},))
    migration = jc.migrate(text)
    assert (migration.ok, migration.changed, migration.text, migration.diagnostics) == (True, False, text, ())
