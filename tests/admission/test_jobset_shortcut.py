"""Where the shortcut finds a JobSet plain, the full walk comes to the same verdict: of all goldens, of upstream's sample, and of inputs changed at random."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import answers
import jobset_compiler as jc
from jobset_compiler import runtimes
from jobset_compiler.admission import jobset as admission
from jobset_compiler.admission.jobset_shortcut import has_plain_metadata, is_plain
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.profiles import PROFILES
from jobset_compiler.profiles.kubernetes import Kubernetes
from jobset_compiler.source.reader import read_text
from tests.admission.rules.cases import Tree, compiled, job, runtime, trainjob
from tests.golden.cases import all_cases

NODE = job("node", "trainer")
Seen = list[bool]


@pytest.fixture(scope="module", autouse=True)
def seen() -> Iterator[Seen]:
    """What the shortcut said, JobSet by JobSet; every verdict of this module is compared with that of the full walk."""
    said: Seen = []
    check = admission.check

    def proved(plan: Any, jobset: Tree, kubernetes: Kubernetes, *, foreign: bool = False) -> list[Diagnostic]:
        if foreign:  # passes of an extension have written into it
            return check(plan, jobset, kubernetes, foreign=True)
        report = check(plan, jobset, kubernetes)
        said.append(has_plain_metadata(jobset) and is_plain(plan, jobset))
        if said[-1]:
            assert check(plan, jobset, kubernetes, foreign=True) == report
        return report

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(admission, "check", proved)
        yield said


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_bundled_runtimes_are_plain(profile: Any, seen: Seen) -> None:
    seen.clear()
    for name in runtimes.names(profile.name):
        jc.compile_objects([trainjob(ref=name)], trainer_version=profile.name)
    assert len(seen) >= 2 and all(seen)


def test_goldens(seen: Seen) -> None:
    seen.clear()
    for number, case in enumerate(all_cases()):
        case.compile(case.releases[number % len(case.releases)])
    assert 0.9 < sum(seen) / len(seen) < 1, "it is of use, and the goldens have something for the full walk"


def test_the_sample_of_upstreams_answers(seen: Seen) -> None:
    """A third of the cases, the releases in turn."""
    seen.clear()
    for number, case in enumerate(answers.cases("compile")):
        if number % 3 == 0:
            releases = list(case["results"])
            release = releases[number // 3 % len(releases)]
            jc.compile_yaml(case["input"], bundled_runtimes=False, trainer_version=release, feature_gates=case.get("feature_gates", {}))
    assert 0.7 < sum(seen) / len(seen) < 1


# ------------------------------------------------------------------------------------------ fuzz

# Values that schemas of runtimes take and Go writes in another way, or not at all.
VALUES: tuple[Any, ...] = ("", "x", 0, 1, True, False, None, [], {}, [""], [{}], {"a": ""}, {"": "b"}, "1Gi", -1, "a" * 64, [{"name": "x"}, {"name": "x"}])


def containers_of(value: Any) -> Iterator[Any]:
    if isinstance(value, (dict, list)):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from containers_of(item)


def put(choose: random.Random, place: Any, _all: list[Any]) -> None:
    if place:
        place[choose.choice(list(place) if isinstance(place, dict) else range(len(place)))] = copy.deepcopy(choose.choice(VALUES))


def remove(choose: random.Random, place: Any, _all: list[Any]) -> None:
    if place:
        del place[choose.choice(list(place) if isinstance(place, dict) else range(len(place)))]


def repeat(choose: random.Random, place: Any, _all: list[Any]) -> None:
    if isinstance(place, list) and place:
        place.append(copy.deepcopy(choose.choice(place)))


def borrow(choose: random.Random, place: Any, everything: list[Any]) -> None:
    """A member of another collection of the input."""
    other = choose.choice(everything)
    if isinstance(place, dict) and isinstance(other, dict) and other:
        key = choose.choice(list(other))
        place[key] = copy.deepcopy(other[key])
    elif isinstance(place, list) and isinstance(other, list) and other:
        place.append(copy.deepcopy(choose.choice(other)))


EDITS: tuple[Callable[[random.Random, Any, list[Any]], None], ...] = (put, remove, repeat, borrow)


@cache
def inputs() -> list[list[Any]]:
    accepted = (read_text(case.text)[0] for case in all_cases()[::2] if case.accepting and "&" not in case.text)
    return [[document.value for document in documents] for documents in accepted if len(documents) > 1]


@settings(max_examples=400)
@given(st.integers(min_value=0), st.sampled_from([profile.name for profile in PROFILES]), st.integers(1, 3))
def test_inputs_that_are_changed_at_random(seed: int, release: str, edits: int) -> None:
    choose = random.Random(seed)
    documents = copy.deepcopy(choose.choice(inputs()))
    everything = list(containers_of(documents))
    for _ in range(edits):
        choose.choice(EDITS)(choose, choose.choice(everything), everything)
    jc.compile_objects(documents, trainer_version=release)


@pytest.mark.parametrize(
    "given",
    [
        runtime(job("node", "trainer", [{"name": "node", "image": "a", "ports": [{"containerPort": 1}, {"containerPort": 2}]}])),
        runtime(NODE, template={"metadata": {"labels": {"a": "no label"}}}),
        runtime(job("node", "trainer", schedulingGroup={"podGroupName": "g"})),
    ],
    ids=["repeated keys", "metadata", "undeclared field"],
)
def test_the_rest_is_left_to_the_full_walk(given: Tree, seen: Seen) -> None:
    seen.clear()
    compiled("v2.2", given, trainjob())
    assert seen == [False]
