"""What recent calls were passed is remembered, and no result can be told from one without that."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import jobset_compiler as jc
from jobset_compiler import models
from jobset_compiler.library import calls, known
from jobset_compiler.library.known import LONGEST, MOST, MOST_VERDICTS, RuntimeMemory
from jobset_compiler.pipeline import read_runtime
from jobset_compiler.profiles import PROFILES
from jobset_compiler.runtimes import text_of
from jobset_compiler.source.reader import read_text
from tests.golden.cases import Case, all_cases

RUNTIME = text_of("v2.3", "torch-distributed").replace("name: torch-distributed", "name: mine")
JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: job, namespace: default}
spec: {runtimeRef: {name: mine}}
"""
# A runtime that is told something, with a place.
DOUBTFUL = RUNTIME.replace("numNodes: 1", "numNodes: 1\n    numNode: 2")


@pytest.fixture(autouse=True)
def memory(monkeypatch: pytest.MonkeyPatch) -> RuntimeMemory:
    fresh = RuntimeMemory()
    monkeypatch.setattr(calls, "RUNTIMES", fresh)
    return fresh


def without_memory(call: Any, *arguments: Any, **options: Any) -> jc.Compilation:
    before, calls.RUNTIMES = calls.RUNTIMES, RuntimeMemory()
    try:
        result: jc.Compilation = call(*arguments, **options)
        return result
    finally:
        calls.RUNTIMES = before


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the runtimes that were judged, not remembered."""
    names: list[str] = []

    def counted(document: Any, options: Any) -> Any:
        names.append(document.value["metadata"]["name"])
        return read_runtime(document, options)

    monkeypatch.setattr(known, "read_runtime", counted)
    return names


def test_a_runtime_is_read_and_judged_once(judged: list[str]) -> None:
    objects = list(yaml.safe_load_all(f"{RUNTIME}\n---\n{JOB}"))
    expected = jc.compile_objects(objects)
    assert expected.ok
    for number in range(3):
        objects[1]["metadata"]["name"] = f"job-{number}"
        assert jc.compile_objects(copy.deepcopy(objects)).objects[0]["metadata"]["name"] == f"job-{number}"
        assert jc.compile_objects([models.TrainJob.from_dict(objects[1]), models.ClusterTrainingRuntime.from_dict(objects[0])]).ok
    assert judged == ["mine"]
    judged.clear()
    for number in range(3):
        assert jc.compile_yaml(f"{RUNTIME}\n---\n{JOB.replace('name: job', f'name: job-{number}')}").ok
    assert judged == ["mine"]


@pytest.mark.parametrize("case", all_cases()[::3], ids=lambda case: case.id)
def test_what_is_remembered_makes_no_difference(case: Case) -> None:
    release = case.releases[-1]
    cold = case.compile(release)
    assert case.compile(release) == cold
    for moved in (f"# one line\n# and another\n---\n{case.text}", f"{JOB}\n---\n{case.text}"):
        assert case.compile(release, moved) == without_memory(case.compile, release, moved)
    if any(diagnostic.slug == "alias-bomb" for diagnostic in cold.diagnostics):
        return  # no tree that anybody can hold
    try:
        documents = [document for document in yaml.safe_load_all(case.text) if document is not None]
    except (yaml.YAMLError, ValueError):
        return
    cold = jc.compile_objects(documents, trainer_version=release, **case.options)
    assert jc.compile_objects(documents, trainer_version=release, **case.options) == cold
    turned = documents[::-1]
    again = jc.compile_objects(turned, trainer_version=release, **case.options)
    assert again == without_memory(jc.compile_objects, turned, trainer_version=release, **case.options)


def test_places_are_those_of_this_call() -> None:
    for lines in (0, 3, 1):
        result = jc.compile_yaml("# a comment\n" * lines + DOUBTFUL + "\n---\n" + JOB, file=f"{lines}.yaml")
        (found,) = (diagnostic for diagnostic in result.diagnostics if diagnostic.slug == "unknown-field")
        line = next(number for number, text in enumerate(DOUBTFUL.splitlines(), 1) if "numNode:" in text)
        assert (found.file, found.line) == (f"{lines}.yaml", line + lines)
        origins = result.origin_of(result.objects[0], "spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node].image")
        image = next(number for number, text in enumerate(DOUBTFUL.splitlines(), 1) if "image:" in text)
        assert (origins[0].file, origins[0].line) == (f"{lines}.yaml", image + lines)


def test_the_same_runtime_twice_in_one_input() -> None:
    text = f"{RUNTIME}\n---\n{JOB}\n---\n{RUNTIME}"
    first = jc.compile_yaml(text)
    assert [diagnostic.slug for diagnostic in first.diagnostics if diagnostic.severity != "info"] == ["runtime-given-twice"]
    assert jc.compile_yaml(text) == first == without_memory(jc.compile_yaml, text)


def test_values_that_only_look_alike_are_told_apart() -> None:
    runtime = yaml.safe_load(RUNTIME)
    answers = []
    for number in (1, 1.0, True, "1", 2):
        runtime["spec"]["mlPolicy"]["numNodes"] = number
        result = jc.compile_objects([runtime, yaml.safe_load(JOB)])
        assert result == without_memory(jc.compile_objects, [runtime, yaml.safe_load(JOB)]), number
        answers.append(result.ok)
    assert answers == [True, True, False, False, True]


def test_releases_and_options_have_verdicts_of_their_own(memory: RuntimeMemory) -> None:
    for _ in range(2):
        for profile in PROFILES:
            assert jc.compile_yaml(f"{DOUBTFUL}\n---\n{JOB}", trainer_version=profile.name).trainer_version == profile.name
            result = jc.compile_yaml(f"{DOUBTFUL}\n---\n{JOB}", trainer_version=profile.name)
            assert result == without_memory(jc.compile_yaml, f"{DOUBTFUL}\n---\n{JOB}", trainer_version=profile.name)
    assert len(memory._by_content) == 1


def test_nothing_that_a_caller_is_given_or_keeps_belongs_to_the_memory() -> None:
    objects = list(yaml.safe_load_all(f"{DOUBTFUL}\n---\n{JOB}"))
    expected = without_memory(jc.compile_objects, objects)
    for _ in range(3):
        result = jc.compile_objects(objects)
        assert result == expected
        for manifest in result.objects:
            spoil(manifest)
        for pods in result.podsets:
            pods.total.clear()
            pods.requests["cpu"] = "1"
        for diagnostic in result.diagnostics:
            diagnostic.message = diagnostic.hint = "spoilt"
            diagnostic.severity = "error"
    spoil(objects[0]["spec"]["template"])
    assert jc.compile_objects(objects) == without_memory(jc.compile_objects, objects) != expected


def spoil(tree: Any) -> None:
    for item in tree.values() if isinstance(tree, dict) else tree:
        if isinstance(item, (dict, list)):
            spoil(item)
    tree.clear()


def test_it_is_bounded(memory: RuntimeMemory, judged: list[str]) -> None:
    for number in range(3 * MOST):
        runtime = RUNTIME.replace("name: mine", f"name: mine-{number}")
        for text in (RUNTIME, runtime):
            jc.compile_yaml(text)
        jc.compile_objects([{**yaml.safe_load(runtime), "x": [1]}])
    assert judged.count("mine") == 1, "what is asked for often stays"
    assert len(memory._by_content) == len(memory._by_value) == MOST
    assert {id(entry.value) for entry in memory._by_content.values()} == set(memory._by_value)
    for number in range(3 * MOST_VERDICTS):
        options = calls._options(None, None, None, True, None, None, None, (), "warn")._replace(namespace=f"team-{number}")
        memory.read_runtime(read_text(RUNTIME, earlier=memory)[0][0], options)
    assert max(len(entry.verdicts) for entry in memory._by_content.values()) <= MOST_VERDICTS


def test_verdicts_under_several_options_are_known_until_there_are_too_many(memory: RuntimeMemory, judged: list[str]) -> None:
    (document,) = read_text(RUNTIME)[0]
    memory.remember_texts([document])

    def ask(number: int) -> None:
        memory.read_runtime(document, calls._options(None, None, None, True, None, None, None, (), "warn")._replace(namespace=f"team-{number}"))

    for _ in range(2):
        for number in range(MOST_VERDICTS):
            ask(number)
    assert len(judged) == MOST_VERDICTS
    ask(MOST_VERDICTS)
    ask(0)
    assert len(judged) == MOST_VERDICTS + 2, "all were forgotten"


@pytest.mark.parametrize(
    "text",
    [
        JOB,
        RUNTIME + "# " + "x" * LONGEST,
        RUNTIME.replace("kind: ClusterTrainingRuntime", "kind: [a]"),
        RUNTIME + "kind: ClusterTrainingRuntime\n",
        json.dumps({"kind": "List", "items": [yaml.safe_load(RUNTIME)]}),
        "a: [",
    ],
    ids=["trainjob", "too long", "strange kind", "key twice", "list", "broken"],
)
def test_what_is_not_remembered(text: str, memory: RuntimeMemory) -> None:
    first = jc.compile_yaml(text)
    assert jc.compile_yaml(text) == first
    assert not memory._by_content


def test_objects_that_have_no_plain_form_are_read_each_time(memory: RuntimeMemory) -> None:
    class Text(str):
        __slots__ = ()

    circle = yaml.safe_load(RUNTIME)
    circle["spec"]["x"] = circle
    for runtime in (circle, {**yaml.safe_load(RUNTIME), "metadata": {"name": Text("mine")}}):
        first = jc.compile_objects([runtime])
        assert jc.compile_objects([runtime]) == first
    assert not memory._by_content


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([RUNTIME, DOUBTFUL, RUNTIME + "# a comment\n", JOB]), st.booleans(), st.booleans()), min_size=2, max_size=6))
def test_any_history_of_calls_leaves_no_trace(history: list[tuple[str, bool, bool]]) -> None:
    for runtime, first, as_objects in history:
        text = f"{runtime}\n---\n{JOB}" if first else f"{JOB}\n---\n{runtime}"
        if as_objects:
            objects = list(yaml.safe_load_all(text))
            assert jc.compile_objects(objects) == without_memory(jc.compile_objects, objects)
        else:
            assert jc.compile_yaml(text) == without_memory(jc.compile_yaml, text)
