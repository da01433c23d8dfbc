"""Whole explanations, in each form. Read the text below `__snapshots__`; `--snapshot-update` writes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import jobset_compiler as jc
from jobset_compiler.explain import explanation
from jobset_compiler.explain.fields import fields_of, line_of, lines
from jobset_compiler.explain.layout import lay_out
from jobset_compiler.explain.mermaid import flowchart
from jobset_compiler.explain.text import names, story
from jobset_compiler.source.reader import read_text
from tests.explain.inputs import INPUTS, compiled

Tree = dict[str, Any]


@pytest.mark.parametrize("name", INPUTS)
def test_a_story(name: str, snapshot: SnapshotAssertion) -> None:
    (unit,) = compiled(name).units
    told = explanation(unit)
    shown = [*lay_out(story(told, gitops=True), 120), "", *lay_out(names(told), 100), "", *flowchart([told])]
    assert "\n".join(shown) == snapshot


def flat(tree: Any, place: str = "") -> Iterator[str]:
    """A line for each value; chains of origins, and what has no parts but texts, on one."""
    members = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    is_small = all(not isinstance(value, (dict, list)) for _, value in members)
    if is_small or place.endswith(".origin"):
        yield f"{place} {json.dumps([list(each.values()) for each in tree] if place.endswith('.origin') else tree)}"
        return
    for key, value in members:
        yield from flat(value, f"{place}.{key}")


@pytest.mark.parametrize("name", ["three patches", "a launcher that is a node", "a tuning recipe", "a queue", "overrides of 2.0"])
def test_an_explanation_for_programs(name: str, snapshot: SnapshotAssertion) -> None:
    (unit,) = compiled(name).units
    assert "\n".join(flat(explanation(unit))) == snapshot


def test_objects_that_stand_on_no_line(snapshot: SnapshotAssertion) -> None:
    documents = [document.value for document in read_text(INPUTS["three patches"][0])[0]]
    (unit,) = jc.compile_objects(documents, trainer_version="v2.3").units
    assert "\n".join([*flat(explanation(unit)), *lay_out(story(explanation(unit)), 100)]) == snapshot
    (image,) = fields_of(unit, "spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node].image")
    assert [(origin["line"], origin["column"]) for origin in image["origin"]] == [(None, None)]


@pytest.mark.parametrize("name", ["everything that a pod can say", "three patches", "overrides of 2.1", "a launcher that is a node"])
def test_what_each_line_comes_to(name: str, snapshot: SnapshotAssertion) -> None:
    (unit,) = compiled(name).units
    text, _, _ = INPUTS[name]
    shown = []
    for number, line in enumerate(text.splitlines(), 1):
        shown += [f"{number:>3} | {line}", *lay_out(lines(unit, line_of(unit, "job.yaml", number)), 120)]
    assert line_of(unit, "another.yaml", 1) == []
    assert "\n".join(shown) == snapshot


NODE = "spec.replicatedJobs[name=node].template.spec"
FIELDS = [
    *("metadata", "metadata.name", "spec.suspend", "spec.trainer", "spec.trainer.env[name=LEVEL]", "spec.trainer.args", "spec.runtimeRef.name", "kind"),
    *("spec.mlPolicy.numNodes", "spec.minMember", "spec.replicatedJobs", NODE, f"{NODE}.parallelism", f"{NODE}.template.spec.nodeSelector"),
    *(f"{NODE}.template.spec.containers[name=node]{field}" for field in (".image", ".args[1]", ".env[name=PET_NNODES].value", ".resources", ".env[4]")),
]


@pytest.mark.parametrize("field", FIELDS)
def test_what_has_a_field(field: str, snapshot: SnapshotAssertion) -> None:
    (unit,) = compiled("everything that a pod can say").units
    found = fields_of(unit, field)
    assert "\n".join([*lay_out(lines(unit, found), 100), *flat(found)]) == snapshot


@pytest.mark.parametrize(
    ("address", "message"),
    [("", "it is empty"), ("spec.a[", "no closing bracket in 'spec.a['"), ("spec..a", "empty step in 'spec..a'")],
)
def test_no_address(address: str, message: str) -> None:
    (unit,) = compiled("jax").units
    with pytest.raises(ValueError) as raised:
        fields_of(unit, address)
    assert str(raised.value) == message


def test_an_address_of_nothing() -> None:
    (unit,) = compiled("jax").units
    assert fields_of(unit, "no.such.field") == []
