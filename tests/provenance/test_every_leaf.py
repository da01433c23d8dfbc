"""Every field of every golden's output stands for the right line of its input: tried by changing one line after the other.

A field that was taken over from a line changes with it. And where a line is changed, every field that changes has it among its origins.
Documents of other APIs, which are converted first, are left to the tests of `dialects`.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import jobset_compiler as jc
from jobset_compiler.diagnostics import addresses
from jobset_compiler.provenance.layers import INPUT, ON_ACCOUNT, PATCH, layers_of
from jobset_compiler.provenance.places import PRESENCE
from jobset_compiler.source.reader import read_text
from tests.golden.cases import Case, all_cases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.provenance.layers import Layer
    from jobset_compiler.result.compilation import Compilation

AREAS = sorted({case.area for case in all_cases()})
# Lines that decide what is what, and not what stands in it: names, kinds, who plays which part.
STRUCTURE = {"name", "kind", "apiVersion", "apiGroup", "mountPath", "manager", "jobName", "trainer.kubeflow.org/trainjob-ancestor-step", "runLauncherAsNode"}


class Leaf(NamedTuple):
    """A field of the output: its value and what stands behind it."""

    value: Any
    layers: tuple[Layer, ...]


def leaves_of(result: Compilation) -> dict[tuple[str, str, str], Leaf]:
    """By kind, name and address with list keys."""
    return {
        (manifest["kind"], manifest["metadata"]["name"], addresses.text(addresses.keyed(manifest, path))): Leaf(
            at(manifest, path), layers_of(unit.plan, manifest, path)
        )
        for unit in result.units
        for manifest in unit.objects
        for path in addresses.leaves(manifest)
    }


def at(tree: Any, path: Path) -> Any:
    for step in path:
        tree = tree[step]
    return tree


def another(value: Any) -> Any:
    """A value of that kind that means something else; None where there is none. A boolean that becomes false is one that Go does not write."""
    if isinstance(value, bool):
        return None if value else True
    if isinstance(value, int):
        return value + 7
    if isinstance(value, str) and value:
        return value[:-1] + ("3" if value[-1] != "3" else "4") if value[-1].isdigit() else value + "z"
    return None


def edits(documents: list[dict[str, Any]]) -> Iterator[tuple[int, Path, list[dict[str, Any]]]]:
    """The documents with one line changed: which one, where, and all of them then."""
    for index, document in enumerate(documents):
        for path in addresses.leaves(document):
            changed = another(at(document, path))
            if path[:1] == ("spec",) and path[1] != "runtimeRef" and path[-1] not in STRUCTURE and changed is not None:
                edited = deepcopy(documents)
                at(edited[index], path[:-1])[path[-1]] = changed
                yield index, path, edited


def is_of(layer: Layer, document: dict[str, Any], path: Path) -> bool:
    """Whether the layer speaks of that line, or of what is around it."""
    return layer.document is not None and layer.document.value == document and layer.path != PRESENCE and path[: len(layer.path)] == layer.path


def is_taken_over(leaf: Leaf, document: dict[str, Any], path: Path) -> bool:
    first = leaf.layers[0] if leaf.layers else None
    return first is not None and first.kind in (INPUT, PATCH) and first.note != ON_ACCOUNT and first.path == path and is_of(first, document, path)


def tried(case: Case) -> Iterator[str]:
    """What is wrong with the origins of a case."""
    release = case.accepting[-1]

    def compile_(documents: list[dict[str, Any]]) -> Compilation:
        return jc.compile_objects(documents, trainer_version=release, **case.options)

    documents = [deepcopy(dict(document.value)) for document in read_text(case.text)[0]]
    before = leaves_of(compile_(documents))
    for index, path, edited in edits(documents):
        result = compile_(edited)
        after = leaves_of(result) if result.is_submitted else {}
        line = f"{case.id}: {documents[index]['kind']} {'.'.join(map(str, path))}"
        for key in before.keys() & after.keys():
            if before[key].value != after[key].value:
                if not any(is_of(layer, documents[index], path) for layer in before[key].layers):
                    yield f"{line} changes {key[2]}, which does not have it among its origins"
            elif is_taken_over(before[key], documents[index], path):
                yield f"{line} is said to be the origin of {key[2]}, which does not change with it"


@pytest.mark.parametrize("area", AREAS)
def test_every_field_stands_for_its_line(area: str) -> None:
    assert [wrong for case in all_cases() if case.area == area and case.accepting and not case.settings.get("convert") for wrong in tried(case)] == []
