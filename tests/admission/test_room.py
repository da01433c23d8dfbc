"""A name that is too long: one number, and it is right for everything that is made of the name."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jobset_compiler as jc
from tests.admission.rules.cases import ALL, compiled, job, runtime, trainjob

CUT = re.compile(r"cut (\d+) characters? off the TrainJob's name(?!, or more)")
NODE = job("node", "trainer")


def cuts(profile: str, of_runtime: dict[str, Any], length: int, nodes: int = 1) -> set[int]:
    """What the diagnostics of a TrainJob with a name of that length say is to be cut off."""
    found = compiled(profile, of_runtime, trainjob(name="j" * length, trainer={"numNodes": nodes})).diagnostics
    assert all(d.stage != "children" or "coordinator" in d.message for d in found if d.is_error)
    return {int(match[1]) for d in found if d.is_error and (match := CUT.match(d.hint))}


@given(
    profile=st.sampled_from(ALL),
    length=st.integers(40, 80),
    nodes=st.sampled_from([1, 10, 11, 1000]),
    other=st.sampled_from(["a", "launcher", "a-very-long-name-of-a-job"]),
    replicas=st.sampled_from([1, 11]),
    extra=st.sampled_from([{}, {"coordinator": {"replicatedJob": "node"}}, {"coordinator": {"replicatedJob": "node"}, "network": {"subdomain": "s"}}]),
)
def test_one_number_for_all_limits(profile: str, length: int, nodes: int, other: str, replicas: int, extra: dict[str, Any]) -> None:
    template = runtime(NODE, {**job(other), "replicas": replicas})
    template["spec"]["template"]["spec"].update(extra)
    said = cuts(profile, template, length, nodes)
    assert len(said) <= 1
    for number in said:
        assert cuts(profile, template, length - number, nodes) == set()
        assert cuts(profile, template, length - number + 1, nodes) == {1}


def test_a_claim_counts_as_well() -> None:
    with_claim = runtime(NODE)
    pod = NODE["template"]["spec"]["template"]["spec"]
    container = {**pod["containers"][0], "volumeMounts": [{"name": "a-claim-with-a-long-name", "mountPath": "/data"}]}
    spec = with_claim["spec"]["template"]["spec"]
    spec["replicatedJobs"] = [job("node", "trainer")]
    spec["replicatedJobs"][0]["template"]["spec"]["template"]["spec"] = {**pod, "containers": [container]}
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    spec["volumeClaimPolicies"] = [{"templates": [{"metadata": {"name": "a-claim-with-a-long-name"}, "spec": claim}]}]
    assert cuts("v2.3", with_claim, 45) == {7}
    assert cuts("v2.3", with_claim, 38) == set()


def test_pods_count_only_where_they_have_an_index() -> None:
    """Those of a Job that is not Indexed have names of one length, and room for it is made by the server."""
    plain = job("node", "trainer")
    plain["template"]["spec"]["completionMode"] = "NonIndexed"
    assert cuts("v2.3", runtime(NODE), 50, nodes=10_000) == {5}
    assert cuts("v2.3", runtime(plain), 50, nodes=10_000) == set()
    assert cuts("v2.3", runtime(plain), 60, nodes=10_000) == {4}


def test_where_the_rest_is_too_long_no_number_is_told() -> None:
    found = compiled("v2.3", runtime(NODE, job("b" * 63)), trainjob(name="j")).diagnostics
    hints = {d.hint for d in found if d.is_error}
    assert hints
    assert all("shorten the other names in it" in hint for hint in hints)


def test_with_other_errors_nobody_knows_what_is_made_of_it() -> None:
    (found,) = compiled("v2.3", trainjob(name="j" * 64)).diagnostics
    assert found.hint == "cut 1 character off the TrainJob's name, or more: names of Jobs and pods are longer"


@pytest.mark.parametrize(("name", "better"), [("Bert_Large", "bert-large"), ("8b", "job-8b"), ("a.b", "a-b"), ("a-", "a")])
def test_a_name_of_wrong_letters_gets_one_of_right_ones(name: str, better: str) -> None:
    found = [d for d in jc.compile_objects([trainjob(name=name)]).diagnostics if d.at == ("metadata", "name")]
    assert found
    assert all(d.hint.startswith(f"call it {better}: ") for d in found)


def test_full_names_count_only_where_pods_have_them() -> None:
    def named(fqdn: bool, network: dict[str, Any]) -> dict[str, Any]:
        tree = runtime(job("node", "trainer", setHostnameAsFQDN=fqdn))
        tree["spec"]["template"]["spec"]["network"] = network
        return tree

    usual = {(length, frozenset(cuts("v2.3", named(False, {}), length))) for length in (56, 58, 62)}
    without = {(length, frozenset(cuts("v2.3", named(True, {"enableDNSHostnames": False}), length))) for length in (56, 58, 62)}
    assert without == usual
    full = [cuts("v2.3", named(True, {"subdomain": "s"}), length) for length in (56, 58, 62)]
    assert full != [set(found) for _, found in sorted(usual)]
