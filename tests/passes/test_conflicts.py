"""What is said of passes that want two values in one place, or cannot say whether they act: whole diagnostics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.passes.api import COMPANIONS, CONTAINERS, SCHEDULING, AddObject, Edit, OfCount, Pass, RewriteTrainer, SetEnv, SetPodLabel
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.resolve.plan import Plan

JOB = """
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: job, namespace: ns}
spec:
  runtimeRef: {name: torch-distributed}
  trainer: {numNodes: 2, command: [a]}
"""


def written(name: str, *edits: Edit, stage: str = CONTAINERS, **fields: Any) -> Pass:
    return Pass(name, stage, lambda plan: True, lambda plan: iter(edits), distribution="acme", **fields)


def run(*passes: Pass) -> jc.Compilation:
    return jc.compile_yaml(JOB, passes=(*BUILTIN, *passes))


def told(result: jc.Compilation) -> list[tuple[Any, ...]]:
    """Of each error the code, severity, stage, path, message, hint, and the words and paths of its notes."""
    return [
        (d.code, d.severity, d.stage, format_path(d.at), d.message, d.hint, [(note.message, format_path(note.at)) for note in d.notes])
        for d in result.diagnostics
        if d.is_error
    ]


def conflict(what: str, new: object, old: object, at: str, of_first: str) -> tuple[Any, ...]:
    message = f"pass acme.two wants {what} to be {new!r}, but pass acme.one has set it to {old!r}"
    hint = "let acme.two name acme.one in its `overrides` if it is meant to win"
    return "JSC301", "error", "passes", at, message, hint, [("set by acme.one on account of this", of_first)]


MAP: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}
PLACES = (("spec", "runtimeRef"), ("spec", "trainer", "numNodes"))


@pytest.mark.parametrize(
    ("stage", "edits", "what"),
    [
        (SCHEDULING, [SetPodLabel("a", value, because=place) for value, place in zip("xy", PLACES, strict=True)], "labels a"),
        (CONTAINERS, [RewriteTrainer((value,), None, because=place) for value, place in zip("xy", PLACES, strict=True)], "trainer"),
        (COMPANIONS, [AddObject({**MAP, "data": {"a": value}}, because=place) for value, place in zip("xy", PLACES, strict=True)], "ConfigMap x"),
        (
            CONTAINERS,
            [SetEnv("node", "node", {"name": "A", "value": value}, because=place) for value, place in zip("xy", PLACES, strict=True)],
            "node containers node env A",
        ),
    ],
    ids=["a label", "the command", "an object", "a variable"],
)
def test_two_that_want_different_values(stage: str, edits: list[Edit], what: str) -> None:
    one, two = edits
    result = run(written("acme.one", one, stage=stage), written("acme.two", two, stage=stage))
    assert told(result) == [conflict(what, two.value, one.value, "spec.trainer.numNodes", "spec.runtimeRef")]
    assert result.objects == ()


def test_all_that_is_wrong_with_one_pass_is_said_at_once() -> None:
    """What comes behind a refused value is applied, or refused in its turn."""
    names = ("A", "B", "C")
    first = written("acme.one", *(SetEnv("node", "node", {"name": name, "value": "1"}, because=PLACES[0]) for name in names))
    second = written("acme.two", *(SetEnv("node", "node", {"name": name, "value": value}, because=PLACES[1]) for name, value in zip(names, "212", strict=True)))
    assert told(run(first, second)) == [
        conflict(f"node containers node env {name}", {"name": name, "value": "2"}, {"name": name, "value": "1"}, "spec.trainer.numNodes", "spec.runtimeRef")
        for name in ("A", "C")
    ]


@pytest.mark.parametrize(("overrides", "wins"), [({"acme.one"}, True), ({CONTAINERS}, True), ({SCHEDULING}, False), ({"acme.two"}, False), (set(), False)])
def test_who_may_put_a_value_in_place_of_another(overrides: set[str], wins: bool) -> None:
    """A pass names another one, or a whole stage."""
    one, two = (written(f"acme.{name}", SetEnv("node", "node", {"name": "A", "value": name})) for name in ("one", "two"))
    result = run(one, two._replace(overrides=frozenset(overrides)))
    assert result.ok is wins
    if wins:
        assert "{'name': 'A', 'value': 'two'}" in str(result.objects[0])


@pytest.mark.parametrize(("trainer", "place"), [("", "spec.runtimeRef.name"), ("  trainer: {}\n", "spec.runtimeRef.name"), (None, "spec.trainer.numNodes")])
def test_a_conflict_over_a_count_is_shown_where_the_count_stands(trainer: str | None, place: str) -> None:
    """In the TrainJob where that says it, else at the reference to the runtime, which then is shown beside it."""
    text = JOB if trainer is None else JOB[: JOB.index("  trainer")] + trainer
    steps = [written(f"acme.{name}", SetPodLabel("a", name, because=OfCount("node")), stage=SCHEDULING) for name in ("one", "two")]
    (error,) = [found for found in jc.compile_yaml(text, passes=(*BUILTIN, *steps)).diagnostics if found.is_error]
    assert format_path(error.at) == place
    assert [format_path(note.at) for note in error.notes] == ([place] if trainer is None else ["spec.mlPolicy.numNodes", place])


def test_a_pass_may_change_its_mind() -> None:
    result = run(written("acme.one", *(SetEnv("node", "node", {"name": "A", "value": value}) for value in ("first", "second"))))
    assert result.ok and "{'name': 'A', 'value': 'second'}" in str(result.objects[0]) and "first" not in str(result.objects[0])


def test_a_pass_that_cannot_say_whether_it_acts_does_not_act() -> None:
    def when(plan: Plan) -> bool:
        raise KeyError("label")

    step = written("acme.one", SetEnv("node", "node", {"name": "A", "value": "1"}))._replace(when=when)
    other = written("acme.two", SetPodLabel("a", "b"), stage=SCHEDULING)._replace(run=refusing)
    message = "pass acme.one of distribution acme failed: KeyError: 'label'"
    hint = "report it to acme, or leave its passes out with --no-plugins"
    refused: tuple[Any, ...] = ("JSC302", "error", "passes", "<nil>", "pass acme.two of distribution acme failed: ValueError: no", hint, [])
    assert told(run(step, other)) == [("JSC302", "error", "passes", "<nil>", message, hint, []), refused]
    with pytest.raises(KeyError):
        run(step._replace(distribution=""))


def refusing(plan: Plan) -> Iterator[Edit | Diagnostic]:
    yield SetPodLabel("a", "b")
    raise ValueError("no")
