"""A Pod beside its template: what its API fills in before it looks at it.

Source: SetDefaults_Pod, defaultHugePagePodLimits and defaultPodRequests in pkg/apis/core/v1/defaults.go; PrepareForCreate of pkg/registry/core/pod.
"""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.admission.children.checks import PodScope
from jobset_compiler.admission.children.pod_defaults import as_created
from jobset_compiler.profiles.kubernetes import MINORS, V1_36, find_kubernetes
from tests.admission.children.said import Tree

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
PAGES = "hugepages-2Mi"


def created(pod: Tree, labels: dict[str, str] | None = None, kubernetes: str = "1.36") -> Tree:
    judge = find_kubernetes(kubernetes)
    assert judge is not None
    return as_created(pod, labels or {}, PodScope(judge, pod, {}))


def container(limits: Tree | None = None, requests: Tree | None = None, **more: Any) -> Tree:
    given = {name: amounts for name, amounts in (("limits", limits), ("requests", requests)) if amounts is not None}
    return {"name": "c", "resources": given, **more} if given else {"name": "c", **more}


def test_what_a_container_does_not_request_is_its_limit() -> None:
    some = container({"cpu": "2", "memory": "1Gi", "x.io/gpu": "1"}, {"cpu": "1"})
    none, requesting = container(), container(None, {"cpu": "1"})
    found = created({"containers": [some, none, requesting], "initContainers": [some], "hostname": "h"})
    filled = {**some, "resources": {"limits": some["resources"]["limits"], "requests": {"cpu": "1", "memory": "1Gi", "x.io/gpu": "1"}}}
    assert found == {"containers": [filled, none, requesting], "initContainers": [filled], "hostname": "h"}
    assert created({"containers": None, "initContainers": []}) == {"containers": None, "initContainers": []}


@pytest.mark.parametrize(
    ("own", "containers", "limits", "requests"),
    [
        # The limits stand for what no container requests,
        ({"limits": {"cpu": "4", "memory": "8Gi"}}, [container()], {"cpu": "4", "memory": "8Gi"}, {"cpu": "4", "memory": "8Gi"}),
        # and what they request together for the rest.
        ({"limits": {"cpu": "4"}}, [container(None, {"cpu": "1"}), container({"cpu": "2"})], {"cpu": "4"}, {"cpu": "3"}),
        ({"limits": {"cpu": "4"}}, [container(None, {"memory": "1Gi"})], {"cpu": "4"}, {"memory": "1Gi", "cpu": "4"}),
        ({"limits": {"cpu": "4"}, "requests": {"cpu": "2"}}, [container(None, {"cpu": "1"})], {"cpu": "4"}, {"cpu": "2"}),
        # Of what a pod as a whole does not have, nothing is taken.
        ({"limits": {"cpu": "4"}}, [container({"x.io/gpu": "1", "ephemeral-storage": "1Gi"})], {"cpu": "4"}, {"cpu": "4"}),
        ({"limits": {"cpu": "4", "ephemeral-storage": "1Gi"}}, [container()], {"cpu": "4", "ephemeral-storage": "1Gi"}, {"cpu": "4"}),
        # Huge pages of containers make a limit, and that a request; not where the pod requests some.
        ({"limits": {"cpu": "4"}}, [container({PAGES: "2Mi"}), container({PAGES: "4Mi"})], {"cpu": "4", PAGES: "6Mi"}, {"cpu": "4", PAGES: "6Mi"}),
        ({"limits": {"cpu": "4", PAGES: "8Mi"}}, [container({PAGES: "2Mi"})], {"cpu": "4", PAGES: "8Mi"}, {"cpu": "4", PAGES: "8Mi"}),
        ({"requests": {"cpu": "1"}}, [container({PAGES: "2Mi"})], {PAGES: "2Mi"}, {"cpu": "1", PAGES: "2Mi"}),
        ({"requests": {"cpu": "1", PAGES: "4Mi"}}, [container({PAGES: "2Mi"})], {}, {"cpu": "1", PAGES: "4Mi"}),
        # Without limits nothing is requested.
        ({"requests": {"cpu": "1"}}, [container(None, {"cpu": "1", "memory": "1Gi"})], {}, {"cpu": "1"}),
    ],
)
def test_resources_of_the_pod_as_a_whole(own: Tree, containers: list[Tree], limits: Tree, requests: Tree) -> None:
    assert created({"containers": containers, "resources": own})["resources"] == {"limits": limits, "requests": requests}


@pytest.mark.parametrize("own", [None, {}, {"limits": {}}, {"limits": {}, "requests": {}}])
def test_resources_that_say_nothing_stay_as_they_are(own: Tree | None) -> None:
    assert created({"containers": [container({PAGES: "2Mi"}, {"cpu": "1"})], "resources": own})["resources"] == own


def test_ports_in_the_network_of_the_node_are_ports_of_the_node() -> None:
    ports = [{"containerPort": 80}, {"containerPort": 81, "hostPort": 82}, {"containerPort": 83, "hostPort": 0}]
    pod = {"hostNetwork": True, "containers": [container(ports=ports), container()], "initContainers": [container(ports=ports[:1])]}
    found = created(pod)
    on_node = [{"containerPort": 80, "hostPort": 80}, {"containerPort": 81, "hostPort": 82}, {"containerPort": 83, "hostPort": 83}]
    assert found == {"hostNetwork": True, "containers": [container(ports=on_node), container()], "initContainers": [container(ports=on_node[:1])]}
    for network in ({}, {"hostNetwork": False}):
        inside = {**network, "containers": [container(ports=ports)]}
        assert created(inside) == inside


LABELS = {"a": "1", "b": "2"}
EXPRESSION = {"key": "x", "operator": "Exists"}


def one_of(key: str, operator: str = "In") -> Tree:
    return {"key": key, "operator": operator, "values": [LABELS[key]]}


@pytest.mark.parametrize("kind", ["podAffinity", "podAntiAffinity"])
@pytest.mark.parametrize(
    ("term", "expressions"),
    [
        ({"matchLabelKeys": ["a"]}, [one_of("a")]),
        ({"mismatchLabelKeys": ["b"]}, [one_of("b", "NotIn")]),
        ({"matchLabelKeys": ["b", "other", "a"], "mismatchLabelKeys": ["a"]}, [one_of("b"), one_of("a"), one_of("a", "NotIn")]),
        ({"matchLabelKeys": ["a"], "labelSelector": {"matchExpressions": [EXPRESSION], "matchLabels": {"c": "d"}}}, [EXPRESSION, one_of("a")]),
        ({"matchLabelKeys": ["a"], "labelSelector": {"matchExpressions": None}}, [one_of("a")]),
    ],
)
def test_a_term_selects_the_values_of_the_pod(kind: str, term: Tree, expressions: list[Tree]) -> None:
    given = {"topologyKey": "zone", "labelSelector": {}, **term}
    selecting = {**given, "labelSelector": {**given["labelSelector"], "matchExpressions": expressions}}
    untouched = {"topologyKey": "rack", "labelSelector": {}, "matchLabelKeys": ["other"]}
    affinity = {kind: {REQUIRED: [given, untouched], PREFERRED: [{"weight": 1, "podAffinityTerm": given}]}, "nodeAffinity": {}}
    found = created({"containers": [], "affinity": affinity}, LABELS)
    assert found["affinity"] == {kind: {REQUIRED: [selecting, untouched], PREFERRED: [{"weight": 1, "podAffinityTerm": selecting}]}, "nodeAffinity": {}}


@pytest.mark.parametrize(
    "affinity",
    [
        {"podAffinity": {REQUIRED: [{"topologyKey": "zone", "matchLabelKeys": ["a"]}]}},
        {"podAffinity": {REQUIRED: []}, "podAntiAffinity": {}},
        {"podAntiAffinity": {PREFERRED: []}, "podAffinity": None},
        {"podAffinity": {PREFERRED: [{"weight": 1, "podAffinityTerm": {}}]}},
        {"nodeAffinity": {}},
    ],
)
def test_an_affinity_without_a_selector_or_keys_stays_as_it_is(affinity: Tree) -> None:
    assert created({"containers": [], "affinity": affinity}, LABELS)["affinity"] == affinity


@pytest.mark.parametrize("kubernetes", [minor.name for minor in MINORS])
def test_a_spread_selects_the_values_of_the_pod_since_1_34(kubernetes: str) -> None:
    given = {"maxSkew": 1, "labelSelector": {}, "matchLabelKeys": ["a", "other"]}
    found = created({"containers": [], "topologySpreadConstraints": [given, {"maxSkew": 2}]}, LABELS, kubernetes)
    selecting = {**given, "labelSelector": {"matchExpressions": [one_of("a")]}}
    assert found["topologySpreadConstraints"] == [given if kubernetes in ("1.32", "1.33") else selecting, {"maxSkew": 2}]


def test_the_template_is_left_alone() -> None:
    pod = {"hostNetwork": True, "containers": [container({"cpu": "1"}, ports=[{"containerPort": 80}])], "resources": {"limits": {"cpu": "1"}}}
    before = repr(pod)
    as_created(pod, LABELS, PodScope(V1_36, pod, {}))
    assert repr(pod) == before
