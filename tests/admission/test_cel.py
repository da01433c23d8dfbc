"""The CEL rules of the CRDs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobset_compiler.admission.cel import PREDICATES, rule_errors
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.kube.structural import PendingRule
from jobset_compiler.profiles import PROFILES, find


def texts(rule: str, value: Any, schema_type: str, release: str) -> list[str]:
    profile = find(release)
    assert profile is not None
    return [entry.text for entry in rule_errors([PendingRule(((rule, "no"),), ("spec", "x"), schema_type, value)], profile)]


def test_every_rule_of_the_tables_has_a_predicate() -> None:
    named = set()
    for profile in PROFILES:
        table = profile.types()
        named |= {rule for name in table.names() for rule, _ in table.root_rules(name)}
        for name in table.names():
            for field in table.struct(name).fields.values():
                for place in (field.constraints, field.constraints.get("item", {})):
                    named |= {rule for rule, _ in place.get("rules", ())}
    assert named - {"immutable"} == PREDICATES.keys()


@pytest.mark.parametrize(
    ("rule", "holds", "fails"),
    [
        ("at-least-one", [1, 8], [0, -1]),
        ("last-updated-time-required", [{"lastUpdatedTime": "t"}], [{}]),
        ("managed-by", ["kueue.x-k8s.io/multikueue", "trainer.kubeflow.org/trainjob-controller"], ["", "me"]),
        ("name-is-dns-1035", [{"metadata": {"name": "a-1"}}], [{"metadata": {"name": name}} for name in ("1a", "a-", "A", "a.b", "a\n")]),
        ("name-length", [{"metadata": {"name": "a" * 63}}], [{"metadata": {"name": "a" * 64}}]),
        ("not-the-node-container", [[], ["side"]], [["node"], ["side", "node"]]),
        (
            "num-nodes-excludes-elastic-policy",
            [{}, {"numNodes": 1, "torch": {}}, {"torch": {"elasticPolicy": {}}}],
            [{"numNodes": 1, "torch": {"elasticPolicy": {}}}],
        ),
        ("one-policy", [{}, {"torch": {}}, {"numNodes": 2, "mpi": {}}], [{"torch": {}, "mpi": {}}, {"jax": {}, "flux": {}}]),
        ("torch-num-proc-per-node", [1, "auto", "cpu", "gpu"], [0, -3]),
        ("storage-uri", ["", "hf://x", "s3+a.b-c://bucket/key"], ["acme/data", "://x", "s3://", "3s://x", "é://x", "s3://a\nb"]),
        ("in-order-excludes-depends-on", [{}, {"startupPolicy": {"startupPolicyOrder": "AnyOrder"}, "replicatedJobs": [{"dependsOn": []}]}], []),
        (
            "claim-template-without-namespace",
            [{"templates": []}, {"templates": [{"metadata": {"namespace": ""}}]}],
            [{"templates": [{}, {"metadata": {"namespace": "x"}}]}],
        ),
    ],
)
def test_predicates(rule: str, holds: list[Any], fails: list[Any]) -> None:
    for value in holds:
        assert texts(rule, value, "object", "v2.3") == [], value
    for value in fails:
        assert texts(rule, value, "object", "v2.3") == ["spec.x: Invalid value: no"], value


def test_in_order_with_a_job_that_depends_on_another() -> None:
    spec = {"startupPolicy": {"startupPolicyOrder": "InOrder"}, "replicatedJobs": [{}, {"dependsOn": []}]}
    assert texts("in-order-excludes-depends-on", spec, "object", "v2.1") == ['spec.x: Invalid value: "object": no']


@pytest.mark.parametrize(
    ("schema_type", "value", "release", "shown"),
    [
        ("object", {}, "v2.1", '"object": '),
        ("object", {}, "v2.2", ""),
        ("string", "me", "v2.1", '"string": '),
        ("string", "me", "v2.2", '"me": '),
        ("array", ["node"], "v2.3", ""),
    ],
)
def test_the_value_is_printed_as_the_release_does(schema_type: str, value: Any, release: str, shown: str) -> None:
    rule = {"object": "last-updated-time-required", "string": "managed-by", "array": "not-the-node-container"}[schema_type]
    assert texts(rule, value, schema_type, release) == [f"spec.x: Invalid value: {shown}no"]


@pytest.mark.parametrize(
    ("rule", "value", "schema_type", "message"),
    [
        (
            "torch-num-proc-per-node",
            "four",
            "",
            "'no such overload': call arguments did not match a supported operator, function or macro signature for rule: no",
        ),
        ("claim-template-without-namespace", {}, "object", "no such key: templates evaluating rule: no"),
        ("claim-template-without-namespace", {"templates": [{}]}, "object", "no such key: metadata evaluating rule: no"),
        ("in-order-excludes-depends-on", {"startupPolicy": {"startupPolicyOrder": "InOrder"}}, "object", "no such key: replicatedJobs evaluating rule: no"),
    ],
)
def test_a_rule_that_cannot_be_evaluated_refuses(rule: str, value: Any, schema_type: str, message: str) -> None:
    assert texts(rule, value, schema_type, "v2.3") == [f'spec.x: Invalid value: "{schema_type}": {message}']


@given(st.text(alphabet="aZ3+.-:/é\n", max_size=12))
def test_storage_uris_match_as_the_expression_of_the_crd(uri: str) -> None:
    expected = uri == "" or re.match(r"[A-Za-z][A-Za-z0-9+.-]*://.+\Z", uri) is not None
    assert PREDICATES["storage-uri"](uri) is expected


@given(st.text(alphabet="aZ3-.é\n", min_size=1, max_size=8))
def test_names_match_as_the_expression_of_the_crd(name: str) -> None:
    assert PREDICATES["name-is-dns-1035"]({"metadata": {"name": name}}) is (re.match(r"[a-z]([-a-z0-9]*[a-z0-9])?\Z", name) is not None)


def test_a_generated_name_is_not_judged() -> None:
    for rule in ("name-is-dns-1035", "name-length"):
        assert PREDICATES[rule]({"metadata": {"generateName": "Job-"}})


def test_the_root_has_the_empty_path() -> None:
    profile = PROFILES[-1]
    rule = PendingRule((("name-length", "too long"),), (), "object", {"metadata": {"name": "a" * 64}})
    entry = rule_errors([rule], profile)[0]
    assert (entry.path, format_path(entry.path)) == ((), "<nil>")
