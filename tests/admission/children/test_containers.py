"""Containers, their ports, and when they are started again."""

from __future__ import annotations

import pytest

from tests.admission.children.said import CONTAINER, INIT, POD, Tree, jobset_of, of_container, of_pod, refusals, said, texts

pytestmark = pytest.mark.usefixtures("whole_words")


@pytest.mark.parametrize(
    ("container", "slug", "fault"),
    [
        ({"image": ""}, "container-refused", "image: Required value"),
        ({"name": "C"}, "container-refused", 'name: Invalid value: "C": a lowercase RFC 1123 label must'),
        ({"imagePullPolicy": "x"}, "container-refused", 'imagePullPolicy: Unsupported value: "x": supported values: "Always", "IfNotPresent", "Never"'),
        (
            {"terminationMessagePolicy": "x"},
            "container-refused",
            'terminationMessagePolicy: Unsupported value: "x": supported values: "File", "FallbackToLogsOnError"',
        ),
        ({"ports": [{"containerPort": 0}]}, "port-refused", "ports[0].containerPort: Required value"),
        ({"ports": [{"containerPort": 65536}]}, "port-refused", "ports[0].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive"),
        ({"ports": [{"containerPort": 1, "hostPort": -1}]}, "port-refused", "ports[0].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive"),
        ({"ports": [{"containerPort": 1, "name": "a"}, {"containerPort": 2, "name": "a"}]}, "port-refused", 'ports[1].name: Duplicate value: "a"'),
        ({"ports": [{"containerPort": 1, "name": "A"}]}, "port-refused", 'ports[0].name: Invalid value: "A": must contain only alpha-numeric characters'),
        (
            {"ports": [{"containerPort": 1, "protocol": "x"}]},
            "port-refused",
            'ports[0].protocol: Unsupported value: "x": supported values: "SCTP", "TCP", "UDP"',
        ),
    ],
)
def test_containers(container: Tree, slug: str, fault: str) -> None:
    for path, found in ((CONTAINER, said(container=container)), (INIT, said(init=container))):
        assert found[0][0] == slug and found[0][1].startswith(f"{path}.{fault}")


def test_names_are_unique_in_both_lists() -> None:
    assert of_pod({"initContainers": [{"name": "c", "image": "i"}]}) == ['initContainers[0].name: Duplicate value: "c"']


def test_a_port_of_the_node_is_taken_once() -> None:
    ports = [
        {"containerPort": 1, "hostPort": 8080},
        {"containerPort": 2, "hostPort": 8080, "protocol": "UDP"},
        {"containerPort": 3, "hostPort": 8080, "hostIP": "1.1.1.1"},
    ]
    assert of_container({"ports": ports}) == []
    assert of_container({"ports": [*ports, ports[0]]}) == ['ports[3].hostPort: Duplicate value: "TCP//8080"']
    # The API counts an init container as the only one of its list.
    two = [{"name": "a", "image": "i"}, {"name": "b", "image": "i", "ports": [ports[0], ports[0]]}]
    assert of_pod({"initContainers": two}) == ['initContainers[0].ports[1].hostPort: Duplicate value: "TCP//8080"']


def test_in_the_network_of_the_node_ports_are_the_nodes() -> None:
    found = of_pod({"hostNetwork": True}, container={"ports": [{"containerPort": 1, "hostPort": 2}]})
    assert found == ["containers[0].ports[0].hostPort: Invalid value: 2: must match `containerPort` when `hostNetwork` is true"]


def test_a_pod_has_containers() -> None:
    assert texts(pod={"containers": []}) == [f"{POD}.containers: Required value"]


def test_no_rules_are_none() -> None:
    assert said(container={"restartPolicyRules": []}) == said(init={"restartPolicyRules": []}) == []


RULE = {"action": "Restart", "exitCodes": {"operator": "In", "values": [1]}}


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"restartPolicyRules": [RULE]}, "restartPolicy: Required value: must specify restartPolicy when restart rules are used"),
        ({"restartPolicy": "x"}, 'restartPolicy: Unsupported value: "x": supported values: "Always", "Never", "OnFailure"'),
        ({"restartPolicy": "Never", "restartPolicyRules": [RULE] * 21}, "restartPolicyRules: Too many: 21: must have at most 20 items"),
        (
            {"restartPolicy": "Never", "restartPolicyRules": [{**RULE, "action": "x"}]},
            'restartPolicyRules[0].action: Unsupported value: "x": supported values: "Restart", "RestartAllContainers"',
        ),
        ({"restartPolicy": "Never", "restartPolicyRules": [{"action": "Restart"}]}, "restartPolicyRules[0].exitCodes: Required value: must be specified"),
        (
            {"restartPolicy": "Never", "restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "x"}}]},
            'restartPolicyRules[0].exitCodes.operator: Unsupported value: "x": supported values: "In", "NotIn"',
        ),
        (
            {"restartPolicy": "Never", "restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": [*range(256)]}}]},
            "restartPolicyRules[0].exitCodes.values: Too many: 256: must have at most 255 items",
        ),
    ],
)
def test_restarts(fields: Tree, fault: str) -> None:
    assert of_container(fields) == [fault]
    assert texts(init=fields) == [f"{INIT}.{fault}"]


@pytest.mark.parametrize(
    ("kubernetes", "of_container_", "of_init"),
    [
        ("1.36", [], []),
        ("1.35", [], []),
        ("1.34", [], []),  # known and dropped
        (
            "1.33",
            ["restartPolicy: Forbidden: may not be set for non-init containers"],
            ['restartPolicy: Unsupported value: "Never": supported values: "Always"'],
        ),
    ],
)
def test_restart_policies_of_containers_by_minor(kubernetes: str, of_container_: list[str], of_init: list[str]) -> None:
    never = {"restartPolicy": "Never"}
    assert of_container(never, kubernetes=kubernetes) == of_container_
    assert texts(init=never, kubernetes=kubernetes) == [f"{INIT}.{fault}" for fault in of_init]


def test_rules_of_sidecars_by_minor() -> None:
    sidecar = {"restartPolicy": "Always", "restartPolicyRules": [RULE]}
    assert said(init=sidecar) == said(init=sidecar, kubernetes="1.34") == []
    assert texts(init=sidecar, kubernetes="1.35") == [
        f"{INIT}.restartPolicyRules: Forbidden: restartPolicyRules are not allowed for init containers with restart policy Always"
    ]
    many = {"restartPolicy": "Never", "restartPolicyRules": [RULE] * 21}
    assert of_container(many, kubernetes="1.35") == ["restartPolicyRules: Too long: may not be more than 20 bytes"]


def test_init_containers_are_not_restarted_to_be_resized() -> None:
    fields = {"resizePolicy": [{"resourceName": "cpu", "restartPolicy": "RestartContainer"}]}
    assert texts(init=fields) == [
        f"{INIT}.resizePolicy[0].restartPolicy: Invalid value: \"RestartContainer\": must not be set to 'RestartContainer' for non-sidecar initContainers"
    ]
    assert said(init={**fields, "restartPolicy": "Always"}) == said(init=fields, kubernetes="1.35") == []


def test_a_port_of_the_node_that_an_init_container_takes_twice() -> None:
    """The API counts every init container as the only one of its list; the place is that of the container."""
    ports = [{"containerPort": number, "hostPort": 9} for number in (1, 2)]
    init = [{"name": "a", "image": "i"}, {"name": "b", "image": "i", "ports": ports}]
    (found,) = refusals(jobset_of(pod={"initContainers": init}))
    assert 'spec.template.spec.initContainers[0].ports[1].hostPort: Duplicate value: "TCP//9"' in found.message
    assert found.at[-5:] == ("initContainers", 1, "ports", 1, "hostPort")
