"""What a line comes to, in words: grouped by what has the field, cut where it gets long."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.lsp.effects import LONGEST, MOST_GROUPS, MOST_VALUES, in_words
from jobset_compiler.objects.unit import Unit
from jobset_compiler.provenance.effects import Effect
from tests.lsp.conftest import JOB
from tests.lsp.test_every_place import TEXT, analysis_of

CONTAINER = "spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node]"


@pytest.fixture(scope="module")
def unit() -> Unit:
    (unit,) = analysis_of(JOB).units
    return unit


def words(unit: Unit, *effects: tuple[str, Any], kind: str = "JobSet", replaced: bool = False) -> list[str]:
    return in_words(unit, [Effect(kind, "default", "train", address, value, replaced) for address, value in effects])


@pytest.mark.parametrize(
    ("address", "value", "line"),
    [
        ("metadata.name", "train", "JobSet `train`: `metadata.name: train`"),
        ("spec.suspend", True, "JobSet `train`: `spec.suspend: true`"),
        ("spec.replicatedJobs", 2, "JobSet `train`: `spec.replicatedJobs: 2`"),
        ("spec.replicatedJobs[name=node]", 2, "JobSet `train`: `spec.replicatedJobs[name=node]: 2`"),
        ("spec.other[name=node].replicas", 2, "JobSet `train`: `spec.other[name=node].replicas: 2`"),
        ("status.replicatedJobs[name=node].ready", 2, "JobSet `train`: `status.replicatedJobs[name=node].ready: 2`"),
        ("spec.replicatedJobs[name=node].replicas", 1, "job `node`: `replicas: 1`"),
        ("spec.replicatedJobs[1].replicas", 1, "job `1`: `replicas: 1`"),
        ("spec.replicatedJobs[name=node].template.spec.backoffLimit", 0, "job `node`: `template.spec.backoffLimit: 0`"),
        ("spec.replicatedJobs[name=node].template.spec.parallelism", 4, "**4 pods** of `node`"),
        ("spec.replicatedJobs[name=node].template.spec.completions", 4, "**4 pods** of `node`"),
        ("spec.replicatedJobs[name=node].template.spec.x.parallelism", 4, "job `node`: `template.spec.x.parallelism: 4`"),
        ("spec.replicatedJobs[name=node].template.spec.template.metadata.labels.a", "b", "job `node`, its pods: `metadata.labels.a: b`"),
        ("spec.replicatedJobs[name=node].template.spec.template.spec.hostNetwork", False, "job `node`, its pods: `spec.hostNetwork: false`"),
        (
            "spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node]",
            1,
            "job `node`, its pods: `spec.containers[name=node]: 1`",
        ),
        ("spec.replicatedJobs[name=node].template.spec.template.other.containers[name=a].b", 1, "job `node`, its pods: `other.containers[name=a].b: 1`"),
        ("spec.replicatedJobs[name=node].template.spec.template.spec.volumes[name=a].b", 1, "job `node`, its pods: `spec.volumes[name=a].b: 1`"),
        (f"{CONTAINER}.image", "a:1", "job `node`, container `node`: `image: a:1`"),
        (f"{CONTAINER.replace('containers', 'initContainers')}.image", "a:1", "job `node`, container `node`: `image: a:1`"),
        (f"{CONTAINER}.env[name=A].value", "b", "job `node`, container `node`: `A=b`"),
        (f"{CONTAINER}.env[name=A].value", True, "job `node`, container `node`: `A=true`"),
        (f"{CONTAINER}.env[0].value", "b", "job `node`, container `node`: `env[0].value: b`"),
        (f"{CONTAINER}.ports[name=A].value", "b", "job `node`, container `node`: `ports[name=A].value: b`"),
        (f"{CONTAINER}.env[name=A].valueFrom.x", "b", "job `node`, container `node`: `env[name=A].valueFrom.x: b`"),
    ],
)
def test_a_field_with_what_has_it(unit: Unit, address: str, value: Any, line: str) -> None:
    assert words(unit, (address, value)) == [line]
    assert words(unit, (address, value), replaced=True) == [f"{line} (something else has the last word)"]


def test_other_objects_have_their_kind_and_name(unit: Unit) -> None:
    address = "spec.replicatedJobs[name=node].template.spec.parallelism"
    assert words(unit, (address, 3), kind="PodGroup") == [f"PodGroup `train`: `{address}: 3`"]


def test_the_name_of_a_variable_comes_with_its_value(unit: Unit) -> None:
    assert words(unit, (f"{CONTAINER}.env[name=A].name", "A")) == []
    assert words(unit, (f"{CONTAINER}.env[name=A].name", "A"), (f"{CONTAINER}.env[name=A].value", "b")) == ["job `node`, container `node`: `A=b`"]


def test_pods_come_first_and_what_is_said_twice_is_said_once(unit: Unit) -> None:
    pods = "spec.replicatedJobs[name=node].template.spec."
    image = (f"{CONTAINER}.image", "a")
    found = words(unit, image, (f"{pods}parallelism", 4), image, (f"{pods}completions", 4))
    assert found == ["**4 pods** of `node`", "job `node`, container `node`: `image: a`"]


def test_pods_of_several_jobs_stand_on_one_line() -> None:
    (unit,) = analysis_of(TEXT).units
    effects = [(f"spec.replicatedJobs[name={name}].template.spec.parallelism", 1) for name in ("dataset-initializer", "node")]
    assert words(unit, *effects) == ["**1 pod** of `dataset-initializer`, **3 pods** of `node`"]


@pytest.mark.parametrize(("number", "end"), [(MOST_VALUES, ""), (MOST_VALUES + 1, ", and 1 more"), (MOST_VALUES + 2, ", and 2 more")])
def test_some_of_many_values(unit: Unit, number: int, end: str) -> None:
    shown = ", ".join(f"`spec.f{index}: 1`" for index in range(MOST_VALUES))
    assert words(unit, *((f"spec.f{index}", 1) for index in range(number))) == [f"JobSet `train`: {shown}{end}"]


@pytest.mark.parametrize(("number", "end"), [(MOST_GROUPS, []), (MOST_GROUPS + 1, ["and 1 other place"]), (MOST_GROUPS + 2, ["and 2 other places"])])
def test_some_of_many_places(unit: Unit, number: int, end: list[str]) -> None:
    lines = [f"job `{index}`: `replicas: 1`" for index in range(MOST_GROUPS)]
    assert words(unit, *((f"spec.replicatedJobs[{index}].replicas", 1) for index in range(number))) == [*lines, *end]


@pytest.mark.parametrize(("length", "shown"), [(LONGEST, "x" * LONGEST), (LONGEST + 1, "x" * (LONGEST - 3) + "...")])
def test_long_values_are_cut(unit: Unit, length: int, shown: str) -> None:
    assert words(unit, ("spec.a", "x" * length)) == [f"JobSet `train`: `spec.a: {shown}`"]
