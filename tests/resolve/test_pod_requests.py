"""What gang schedulers are told that a pod requests: with the TrainJob's resourcesPerNode or without, by release."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.resolve.plan import Plan
from jobset_compiler.resolve.requests import pod_requests
from tests.admission.rules.cases import compiled, job, runtime, trainjob

Tree = dict[str, Any]
OVERHEAD = {"overhead": {"cpu": "500m"}, "runtimeClassName": "kata"}


def container(name: str, **requests: str) -> Tree:
    return {"name": name, "image": "i", "resources": {"requests": requests}}


def plan(release: str, policy: Tree | None, wanted: Tree | None, **entry: Any) -> Plan:
    node = job("node", "trainer", [container("side", cpu="1"), container("node", cpu="2", memory="1Gi")], **OVERHEAD)
    other = job("other", None, [container("node", cpu="3")])
    given = trainjob(trainer={} if wanted is None else {"resourcesPerNode": {"requests": wanted}})
    (unit,) = compiled(release, runtime({**node, **entry}, other, policy=policy), given).units
    return unit.plan


def told(of: Plan) -> dict[str, dict[str, str]]:
    return {pods.name: {name: quantity.text for name, quantity in pod_requests(of, pods).items()} for pods in of.pod_sets}


OWN = {"cpu": "3500m", "memory": "1Gi"}
OTHER = {"cpu": "3"}


@pytest.mark.parametrize(
    ("release", "policy", "wanted", "node"),
    [
        ("v2.1", {"torch": {}}, None, OWN),
        ("v2.1", {"torch": {}}, {"cpu": "10"}, OWN),
        ("v2.2", {"torch": {}}, None, OWN),
        ("v2.2", {"torch": {}}, {"cpu": "10"}, {"cpu": "11500m"}),
        ("v2.2", None, {"cpu": "10"}, OWN),
        ("v2.3", {"torch": {}}, {"cpu": "10"}, {"cpu": "11500m", "memory": "1Gi"}),
        ("v2.3", None, {"cpu": "10"}, OWN),
    ],
)
def test_the_resources_of_a_node_count_as_the_release_has_it(release: str, policy: Tree | None, wanted: Tree | None, node: dict[str, str]) -> None:
    assert told(plan(release, policy, wanted)) == {"node": node, "other": OTHER}


@pytest.mark.parametrize(
    ("release", "wanted", "cpu"),
    [
        ("v2.2", None, "1e3"),  # the first container's, as the runtime's document has it
        ("v2.2", {"cpu": "998500m"}, "1e3"),
        ("v2.3", {"cpu": "998500m"}, "1e3"),
    ],
)
def test_quantities_of_the_runtime_are_those_of_its_document(release: str, wanted: Tree | None, cpu: str) -> None:
    containers = [container("side", cpu="1e0"), container("node", cpu="998500m")]
    node = job("node", "trainer", containers, **OVERHEAD)
    (unit,) = compiled(
        release, runtime(node, policy={"torch": {}}), trainjob(trainer={} if wanted is None else {"resourcesPerNode": {"requests": wanted}})
    ).units
    assert told(unit.plan) == {"node": {"cpu": cpu}}


def test_quantities_of_the_trainjob_are_those_of_its_document() -> None:
    """2.2 puts the TrainJob's in the place of the runtime's; 2.3 merges both as JSON, and reads what it has printed."""
    node = job("node", "trainer", [container("node", cpu="2")])
    given = trainjob(trainer={"resourcesPerNode": {"requests": {"cpu": "1e3"}}})
    for release in ("v2.2", "v2.3"):
        (unit,) = compiled(release, runtime(node, policy={"torch": {}}), given).units
        assert told(unit.plan) == {"node": {"cpu": "1e3"}}
