"""resourcesPerNode laid over the template's resources: what upstream 2.3 does before any plugin runs."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.api.runtime import ANCESTOR_LABEL, MLPolicy, MPIPolicy
from jobset_compiler.resolve.resources import gets_node_resources, merge_resources_per_node

Tree = dict[str, Any]
PLAIN = MLPolicy("torch", None, None, None, None)
APART = MLPolicy("mpi", None, None, MPIPolicy(None, None, "", False), None)
LAUNCHER = MLPolicy("mpi", None, None, MPIPolicy(None, None, "", True), None)
WANTED: Tree = {"limits": {"cpu": "4", "x.io/gpu": "1"}, "claims": [{"name": "dropped"}]}
HAD: Tree = {"limits": {"memory": "1Gi", "cpu": "1"}, "requests": {"cpu": "1"}, "claims": [{"name": "lost"}]}
BOTH: Tree = {"limits": {"cpu": "4", "memory": "1Gi", "x.io/gpu": "1"}, "requests": {"cpu": "1"}}


def entry(name: str, ancestor: str | None, *containers: Tree | None) -> Tree:
    template: Tree = {
        "spec": {"parallelism": 1, "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": list(containers), "hostNetwork": True}}}
    }
    if ancestor is not None:
        template["metadata"] = {"labels": {ANCESTOR_LABEL: ancestor}}
    return {"name": name, "replicas": 1, "template": template}


def container(name: str = "node", resources: Tree | None = None) -> Tree:
    return {"name": name, "image": "i", **({} if resources is None else {"resources": resources})}


@pytest.mark.parametrize(
    ("name", "ancestor", "policy", "gets"),
    [
        ("node", "trainer", PLAIN, True),
        ("other", "trainer", PLAIN, True),
        ("node", None, PLAIN, False),
        ("node", "model-initializer", PLAIN, False),
        ("node", "trainer", None, False),
        ("node", None, None, False),
        ("node", None, APART, False),
        ("node", None, LAUNCHER, True),
        ("other", None, LAUNCHER, False),
        ("launcher", "trainer", LAUNCHER, True),
    ],
)
def test_whose_container_gets_the_resources(name: str, ancestor: str | None, policy: MLPolicy | None, gets: bool) -> None:
    assert gets_node_resources(name, ancestor, policy) is gets


@pytest.mark.parametrize(
    ("had", "wanted", "merged"),
    [
        (HAD, WANTED, BOTH),
        (None, WANTED, {"limits": {"cpu": "4", "x.io/gpu": "1"}}),
        (HAD, {}, {"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "1"}}),
        ({}, {"limits": {}, "requests": {"memory": "1Gi"}}, {"requests": {"memory": "1Gi"}}),
        ({"claims": [{"name": "lost"}]}, {}, {}),
    ],
)
def test_limits_and_requests_are_merged_by_name(had: Tree | None, wanted: Tree, merged: Tree) -> None:
    """Claims are dropped, the names are in order."""
    template = {"replicatedJobs": [entry("node", "trainer", container("node", had))], "network": {}}
    found, places = merge_resources_per_node(template, PLAIN, wanted)
    assert found == {"replicatedJobs": [entry("node", "trainer", container("node", merged))], "network": {}}
    (job,) = found["replicatedJobs"]
    resources = job["template"]["spec"]["template"]["spec"]["containers"][0]["resources"]
    assert [list(resources.get(side, {})) for side in ("limits", "requests")] == [list(merged.get(side, {})) for side in ("limits", "requests")]
    assert places == {(0, 0)}


def test_the_first_node_container_of_each_job_is_meant() -> None:
    jobs = [
        entry("first", None, container()),
        entry("node", "trainer", container("side"), container("node", HAD), container("node")),
        entry("third", "trainer", container("other")),
        entry("fourth", "trainer", container()),
    ]
    before = repr(jobs)
    found, places = merge_resources_per_node({"replicatedJobs": jobs}, PLAIN, WANTED)
    merged = {"limits": WANTED["limits"]}
    expected = [
        jobs[0],
        entry("node", "trainer", container("side"), container("node", BOTH), container("node")),
        jobs[2],
        entry("fourth", "trainer", container("node", merged)),
    ]
    assert found == {"replicatedJobs": expected} and places == {(1, 1), (3, 0)}
    assert repr(jobs) == before


@pytest.mark.parametrize(
    "template", [{}, {"replicatedJobs": []}, {"replicatedJobs": [{"name": "node"}]}, {"replicatedJobs": [entry("node", None, container())]}]
)
def test_a_template_without_such_a_container_is_left_alone(template: Tree) -> None:
    found, places = merge_resources_per_node(template, PLAIN, WANTED)
    assert found is template and places == frozenset()
    trainer = {"replicatedJobs": [entry("node", "trainer", container())]}
    assert merge_resources_per_node(trainer, None, WANTED) == (trainer, frozenset())
