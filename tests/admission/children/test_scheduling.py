"""Tolerations, affinities and spread constraints."""

from __future__ import annotations

import pytest

from tests.admission.children.said import Tree, of_pod, said

pytestmark = pytest.mark.usefixtures("whole_words")

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


@pytest.mark.parametrize(
    ("toleration", "fault"),
    [
        ({"key": "a", "operator": "Exists", "value": "v"}, "operator: Invalid value: \"v\": value must be empty when `operator` is 'Exists'"),
        ({"value": "v"}, 'operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"'),
        ({"key": "a", "tolerationSeconds": 1}, "effect: Invalid value: \"\": effect must be 'NoExecute' when `tolerationSeconds` is set"),
        ({"key": "a", "operator": "Lt", "value": "5"}, 'operator: Unsupported value: "Lt": supported values: "Equal", "Exists", "Lt", "Gt"'),
        ({"key": "a", "operator": "Maybe"}, 'operator: Unsupported value: "Maybe": supported values: "Equal", "Exists"'),
        ({"key": "a b"}, 'key: Invalid value: "a b": name part must consist of alphanumeric characters'),
        ({"key": "a", "value": "a b"}, 'operator: Invalid value: "a b": a valid label must be an empty string or consist of'),
        ({"key": "a", "effect": "Never"}, 'effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"'),
    ],
)
def test_a_toleration(toleration: Tree, fault: str) -> None:
    (found,) = of_pod({"tolerations": [{"operator": "Exists"}, toleration]})
    assert found.startswith(f"tolerations[1].{fault}")


def test_a_toleration_of_everything() -> None:
    assert said(pod={"tolerations": [{"operator": "Exists"}, {"key": "x.io/gpu", "effect": "NoExecute", "tolerationSeconds": 0}]}) == []


@pytest.mark.parametrize(
    ("requirement", "fault"),
    [
        ({"operator": "In"}, "values: Required value: must be specified when `operator` is 'In' or 'NotIn'"),
        ({"operator": "Exists", "values": ["b"]}, "values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        ({"operator": "Gt", "values": ["1", "2"]}, "values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'"),
        ({"operator": "=="}, 'operator: Invalid value: "==": not a valid selector operator'),
        ({"operator": "In", "values": ["a b"]}, 'values[0]: Invalid value: "a b": a valid label must be'),
        ({"key": "/a", "operator": "Exists"}, 'key: Invalid value: "/a": prefix part must be non-empty'),
    ],
)
def test_a_requirement_on_nodes(requirement: Tree, fault: str) -> None:
    terms = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", **requirement}]}]}
    (found,) = of_pod({"affinity": {"nodeAffinity": {REQUIRED: terms}}})
    assert found.startswith(f"affinity.nodeAffinity.{REQUIRED}.nodeSelectorTerms[0].matchExpressions[0].{fault}")


def test_values_of_a_preference_are_free() -> None:
    term = {"weight": 1, "preference": {"matchExpressions": [{"key": "a", "operator": "In", "values": ["a b"]}]}}
    assert said(pod={"affinity": {"nodeAffinity": {PREFERRED: [term]}}}) == []


def test_node_affinity_needs_terms_and_knows_one_field() -> None:
    (found,) = of_pod({"affinity": {"nodeAffinity": {REQUIRED: {}}}})
    assert found == f"affinity.nodeAffinity.{REQUIRED}.nodeSelectorTerms: Required value: must have at least one node selector term"
    fields = [{"key": "metadata.name", "operator": "In", "values": ["A"]}, {"key": "spec.x", "operator": "Exists"}]
    found_of = of_pod({"affinity": {"nodeAffinity": {PREFERRED: [{"weight": 101, "preference": {"matchFields": fields}}]}}})
    starts = (
        "weight: Invalid value: 101: must be in the range 1-100",
        'preference.matchFields[0].values[0]: Invalid value: "A": a lowercase RFC 1123 subdomain must',
        'preference.matchFields[1].operator: Invalid value: "Exists": not a valid selector operator',
        'preference.matchFields[1].key: Invalid value: "spec.x": not a valid field selector key',
    )
    for text, start in zip(found_of, starts, strict=True):
        assert text.startswith(f"affinity.nodeAffinity.{PREFERRED}[0].{start}")


@pytest.mark.parametrize(
    ("term", "fault"),
    [
        ({"namespaces": ["A"]}, '.namespace: Invalid value: "A": a lowercase RFC 1123 label must'),
        ({"matchLabelKeys": ["a"]}, ".matchLabelKeys: Forbidden: must not be specified when labelSelector is not set"),
        (
            {"labelSelector": {}, "matchLabelKeys": ["a"], "mismatchLabelKeys": ["a"]},
            '.matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and mismatchLabelKeys',
        ),
        (
            {"labelSelector": {"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "a", "operator": "Exists"}]}, "matchLabelKeys": ["a"]},
            '[0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector',
        ),
        ({"namespaceSelector": {"matchLabels": {"a": "b c"}}}, '.namespaceSelector.matchLabels: Invalid value: "b c": a valid label must'),
        ({"topologyKey": "a/b/c"}, '.topologyKey: Invalid value: "a/b/c": a valid label key must'),
    ],
)
@pytest.mark.parametrize("kind", ["podAffinity", "podAntiAffinity"])
def test_a_term_about_pods(kind: str, term: Tree, fault: str) -> None:
    (found,) = of_pod({"affinity": {kind: {REQUIRED: [{"topologyKey": "zone", **term}]}}})
    assert found.startswith(f"affinity.{kind}.{REQUIRED}[0]{fault}")


def test_an_empty_topology_key_is_said_three_times() -> None:
    found = of_pod({"affinity": {"podAffinity": {PREFERRED: [{"weight": 100, "podAffinityTerm": {"topologyKey": ""}}]}}})
    assert [text.partition(": ")[2][:44] for text in found] == [
        "Required value: can not be empty",
        'Invalid value: "": name part must be non-emp',
        'Invalid value: "": name part must consist of',
    ]


@pytest.mark.parametrize(
    ("constraint", "fault"),
    [
        ({"maxSkew": 0}, "maxSkew: Invalid value: 0: must be greater than zero"),
        ({"topologyKey": ""}, "topologyKey: Required value: can not be empty"),
        ({"whenUnsatisfiable": "x"}, 'whenUnsatisfiable: Unsupported value: "x": supported values: "DoNotSchedule", "ScheduleAnyway"'),
        ({"minDomains": 0}, "minDomains: Invalid value: 0: must be greater than zero"),
        (
            {"minDomains": 1, "whenUnsatisfiable": "ScheduleAnyway"},
            "minDomains: Invalid value: 1: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway",
        ),
        ({"nodeTaintsPolicy": "x"}, 'nodeTaintsPolicy: Unsupported value: "x": supported values: "Honor", "Ignore"'),
        ({"matchLabelKeys": ["a"]}, "matchLabelKeys: Forbidden: must not be specified when labelSelector is not set"),
        ({"labelSelector": {"matchExpressions": [{"key": "a", "operator": "Gt"}]}}, "labelSelector.matchExpressions[0].operator: Invalid value"),
    ],
)
def test_a_spread_constraint(constraint: Tree, fault: str) -> None:
    (found,) = of_pod({"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", **constraint}]})
    assert found.startswith(f"topologySpreadConstraints[0].{fault}")


@pytest.mark.parametrize(
    ("constraint", "faults"),
    [
        ({"matchLabelKeys": ["a"]}, ["matchLabelKeys: Forbidden: must not be specified when labelSelector is not set"]),
        ({"matchLabelKeys": ["a"], "labelSelector": {}}, []),
        ({"matchLabelKeys": ["b", "a b"], "labelSelector": {}}, ['matchLabelKeys[1]: Invalid value: "a b": name part must consist of']),
        (
            {"matchLabelKeys": ["b", "a"], "labelSelector": {"matchLabels": {"a": "x"}}},
            ['matchLabelKeys[1]: Invalid value: "a": exists in both matchLabelKeys and labelSelector'],
        ),
        (
            {"matchLabelKeys": ["a"], "labelSelector": {"matchExpressions": [{"key": "a", "operator": "Exists"}]}},
            ['matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector'],
        ),
    ],
)
def test_label_keys_of_a_spread_before_they_were_merged(constraint: Tree, faults: list[str]) -> None:
    spread = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", **constraint}
    found = of_pod({"topologySpreadConstraints": [spread]}, kubernetes="1.33")
    assert len(found) == len(faults)
    assert all(text.startswith(f"topologySpreadConstraints[0].{fault}") for text, fault in zip(found, faults, strict=True)), found


def test_one_spread_twice() -> None:
    constraint = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
    assert of_pod({"topologySpreadConstraints": [constraint, constraint]}) == [
        'topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"'
    ]


def test_where_a_pod_runs_has_a_code_of_its_own() -> None:
    wrong: list[Tree] = [{"tolerations": [{}]}, {"nodeSelector": {"a b": "c"}}, {"nodeName": "A"}, {"schedulingGates": [{"name": ""}]}]
    for fields in wrong:
        assert {slug for slug, _ in said(pod=fields)} == {"scheduling-refused"}
