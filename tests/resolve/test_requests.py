"""What a pod requests, as Kubernetes adds it up."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobset_compiler.kube.quantity import Quantity
from jobset_compiler.resolve.requests import OVERHEAD, POD_LEVEL, requests_of_pod


def container(cpu: str | None = None, *, always: bool = False, **more: str) -> dict[str, Any]:
    requests = {**({"cpu": cpu} if cpu else {}), **more}
    out: dict[str, Any] = {"name": "c", "resources": {"requests": requests}}
    if always:
        out["restartPolicy"] = "Always"
    return out


def texts(pod: dict[str, Any], *, hugepages: bool = True) -> dict[str, str]:
    return {name: quantity.text for name, quantity in requests_of_pod(pod, hugepages=hugepages).items()}


ROWS: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    ("containers are added", {"containers": [container("1"), container("500m")]}, {"cpu": "1500m"}),
    ("limits do not count", {"containers": [{"name": "c", "resources": {"limits": {"cpu": "4"}}}]}, {}),
    ("a larger init container counts", {"containers": [container("1")], "initContainers": [container("3")]}, {"cpu": "3"}),
    ("a smaller one does not", {"containers": [container("1")], "initContainers": [container("200m")]}, {"cpu": "1"}),
    ("init containers run one by one", {"containers": [container("1")], "initContainers": [container("2"), container("2")]}, {"cpu": "2"}),
    ("a sidecar is added to the containers", {"containers": [container("1")], "initContainers": [container("2", always=True)]}, {"cpu": "3"}),
    (
        "a sidecar before an init container runs beside it",
        {"containers": [container("1")], "initContainers": [container("2", always=True), container("4")]},
        {"cpu": "6"},
    ),
    (
        "a sidecar after an init container does not",
        {"containers": [container("1")], "initContainers": [container("4"), container("2", always=True)]},
        {"cpu": "4"},
    ),
    ("overhead comes on top", {"containers": [container("1")], "overhead": {"cpu": "250m"}}, {"cpu": "1250m"}),
    ("pod-level requests replace", {"containers": [container("1", memory="1Gi")], "resources": {"requests": {"cpu": "5"}}}, {"cpu": "5", "memory": "1Gi"}),
    (
        "but not for other resources",
        {"containers": [container("1")], "resources": {"requests": {"nvidia.com/gpu": "5"}}},
        {"cpu": "1"},
    ),
]


@pytest.mark.parametrize(("what", "pod", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_pod_requests(what: str, pod: dict[str, Any], expected: dict[str, str]) -> None:
    assert texts(pod) == expected


def test_pod_level_hugepages_by_release() -> None:
    pod = {"containers": [], "resources": {"requests": {"hugepages-2Mi": "4Mi"}}}
    assert texts(pod, hugepages=True) == {"hugepages-2Mi": "4Mi"}
    assert texts(pod, hugepages=False) == {}


def test_pod_level_requests_replace_sums_and_larger_init_containers() -> None:
    pod = {"containers": [container("1")], "initContainers": [container("9")], "resources": {"requests": {"cpu": "2", "memory": "1Gi", "hugepages": "1"}}}
    assert texts({**pod, "overhead": {"cpu": "1", "x.io/y": "1"}}) == {"cpu": "3", "memory": "1Gi", "x.io/y": "1"}
    assert texts({"containers": None, "resources": {"limits": {"cpu": "1"}}}) == texts({}) == {}


def test_quantities_are_printed_as_they_are_written_where_that_is_the_same() -> None:
    """The controller parses the document, where 1e1 is still a power of ten, and so is what it adds to that."""
    pod = {
        "containers": [{**container("10"), "name": "a"}, {**container("990"), "name": "b"}],
        "initContainers": [{**container(storage="2k"), "name": "i"}],
        "resources": {"requests": {"memory": "3k"}},
        "overhead": {"x.io/y": "4k"},
    }
    written: dict[str, dict[str, Any]] = {"a": {"cpu": "1e1", "other": 5}, "i": {"storage": "2e3"}, POD_LEVEL: {"memory": 3e3}, OVERHEAD: {"x.io/y": "4e3"}}

    def printed(written: dict[str, dict[str, Any]]) -> dict[str, str]:
        return {name: quantity.text for name, quantity in requests_of_pod(pod, hugepages=True, written=written).items()}

    assert printed({}) == {"cpu": "1k", "storage": "2k", "memory": "3k", "x.io/y": "4k"}
    assert printed(written) == {"cpu": "1e3", "storage": "2e3", "memory": "3k", "x.io/y": "4e3"}
    assert printed({**written, POD_LEVEL: {"memory": "3e3"}})["memory"] == "3e3"
    assert printed({"a": {"cpu": "2e1"}, "i": {"storage": "3e3"}}) == printed({}), "another quantity is none of the template"


@given(st.lists(st.integers(0, 5000), max_size=5), st.lists(st.tuples(st.integers(0, 5000), st.booleans()), max_size=5))
def test_the_sum_is_at_least_every_phase(main: list[int], init: list[tuple[int, bool]]) -> None:
    pod = {
        "containers": [container(f"{m}m") for m in main],
        "initContainers": [container(f"{m}m", always=sidecar) for m, sidecar in init],
    }
    total = requests_of_pod(pod, hugepages=True).get("cpu", Quantity.of(0))
    sidecars = sum(m for m, sidecar in init if sidecar)
    assert total >= Quantity.parse(f"{sum(main) + sidecars}m")
    running = 0
    for m, sidecar in init:
        assert total >= Quantity.parse(f"{running + m}m")
        running += m if sidecar else 0
