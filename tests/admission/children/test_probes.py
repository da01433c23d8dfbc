"""Probes, and the hooks of a container's life."""

from __future__ import annotations

import pytest

from tests.admission.children.said import Tree, of_container, said

pytestmark = pytest.mark.usefixtures("whole_words")

RUNS = {"exec": {"command": ["true"]}}


@pytest.mark.parametrize(
    ("probe", "fault"),
    [
        ({}, ": Required value: must specify a handler type"),
        ({**RUNS, "tcpSocket": {"port": 0}}, ".tcpSocket: Forbidden: may not specify more than 1 handler type"),
        ({"exec": {}}, ".exec.command: Required value"),
        ({"httpGet": {"port": "8080"}}, '.httpGet.port: Invalid value: "8080": must contain at least one letter (a-z)'),
        ({"httpGet": {"port": 65536}}, ".httpGet.port: Invalid value: 65536: must be between 1 and 65535, inclusive"),
        ({"httpGet": {"port": 1, "scheme": "https"}}, '.httpGet.scheme: Unsupported value: "https": supported values: "HTTP", "HTTPS"'),
        ({"httpGet": {"port": 1, "httpHeaders": [{"name": "X_Y", "value": "a"}]}}, '.httpGet.httpHeaders: Invalid value: "X_Y": a valid HTTP header must'),
        ({"grpc": {"port": 0}}, ".grpc.port: Invalid value: 0: must be between 1 and 65535, inclusive"),
        ({**RUNS, "periodSeconds": -1}, ".periodSeconds: Invalid value: -1: must be greater than or equal to 0"),
        ({**RUNS, "initialDelaySeconds": -1}, ".initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0"),
    ],
)
@pytest.mark.parametrize("kind", ["livenessProbe", "readinessProbe", "startupProbe"])
def test_a_probe(kind: str, probe: Tree, fault: str) -> None:
    (found,) = of_container({kind: probe})
    assert found.startswith(f"{kind}{fault}")


@pytest.mark.parametrize("kind", ["livenessProbe", "startupProbe"])
def test_a_probe_that_kills_succeeds_once(kind: str) -> None:
    assert of_container({kind: {**RUNS, "successThreshold": 2, "terminationGracePeriodSeconds": 0}}) == [
        f"{kind}.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0",
        f"{kind}.successThreshold: Invalid value: 2: must be 1",
    ]


def test_a_readiness_probe_kills_nothing() -> None:
    assert of_container({"readinessProbe": {**RUNS, "successThreshold": 2, "terminationGracePeriodSeconds": 1}}) == [
        "readinessProbe.terminationGracePeriodSeconds: Invalid value: 1: must not be set for readinessProbes"
    ]


def test_zeros_have_their_defaults() -> None:
    probe = {"httpGet": {"port": "http", "path": "", "scheme": ""}, "timeoutSeconds": 0, "periodSeconds": 0, "successThreshold": 0, "failureThreshold": 0}
    assert said(container={"livenessProbe": probe}) == []


@pytest.mark.parametrize(
    ("hooks", "fault"),
    [
        ({"postStart": {}}, "postStart: Required value: must specify a handler type"),
        ({"preStop": {"sleep": {"seconds": 31}}}, "preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)"),
        ({"preStop": {"tcpSocket": {"port": ""}}}, 'preStop.tcpSocket.port: Invalid value: "": must contain only alpha-numeric characters'),
    ],
)
def test_a_hook(hooks: Tree, fault: str) -> None:
    assert of_container({"lifecycle": hooks})[0].startswith(f"lifecycle.{fault}")


def test_a_hook_may_sleep_as_long_as_the_pod_may_take_to_end() -> None:
    assert said(container={"lifecycle": {"preStop": {"sleep": {"seconds": 60}}}}, pod={"terminationGracePeriodSeconds": 60}) == []
    assert of_container({"lifecycle": {"preStop": {"sleep": {"seconds": 0}}}}) == []
    (found,) = of_container({"lifecycle": {"preStop": {"sleep": {"seconds": 0}}}}, kubernetes="1.32")
    assert found.endswith("Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.")


def test_an_init_container_without_restart_policy_has_neither() -> None:
    for fields, start in (({"livenessProbe": RUNS}, "livenessProbe"), ({"lifecycle": {"preStop": RUNS}}, "lifecycle")):
        ((slug, text),) = said(init=fields)
        assert slug == "probe-refused"
        assert text == f"spec.template.spec.initContainers[0].{start}: Forbidden: may not be set for init containers without restartPolicy=Always"
    ((_, text),) = said(init={"restartPolicy": "Always", "startupProbe": {"exec": {}}})
    assert text == "spec.template.spec.initContainers[0].startupProbe.exec.command: Required value"
