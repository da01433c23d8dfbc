"""A name that is too long: one number, and it is right for everything that is made of the name."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jobset_compiler as jc
from jobset_compiler.admission.jobset_view import view_of
from jobset_compiler.admission.room import HOST, NameUse, for_all_names, made_of, shorten, with_short_name
from jobset_compiler.source.document import Document
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


def jobset(name: str = "js", entry: dict[str, Any] | None = None, pod: dict[str, Any] | None = None, counts: dict[str, Any] | None = None, **spec: Any) -> Any:
    template = {"spec": {"completionMode": "Indexed", "completions": 11, **(counts or {}), "template": {"spec": pod or {}}}}
    return {"metadata": {"name": name, "namespace": "team"}, "spec": {"replicatedJobs": [{"name": "a", "template": template, **(entry or {})}], **spec}}


JOB, POD = NameUse("Job", "js-a-0"), NameUse("pod", "js-a-0-10-abcde")
FULL = {"setHostnameAsFQDN": True}


@pytest.mark.parametrize(
    ("made", "uses"),
    [
        (jobset(), [JOB, POD]),
        (jobset(entry={"replicas": 12}), [NameUse("Job", "js-a-11"), NameUse("pod", "js-a-11-10-abcde")]),
        (jobset(counts={"completionMode": "NonIndexed"}), [JOB]),
        (jobset(counts={"completions": None}), [JOB]),
        (jobset(pod=FULL), [JOB, POD, NameUse(HOST, "js-a-0-10.js.team.svc.cluster.local", 2, 64)]),
        (jobset(pod=FULL, network={"subdomain": "net"}), [JOB, POD, NameUse(HOST, "js-a-0-10.net.team.svc.cluster.local", 1, 64)]),
        (jobset(pod=FULL, network={"enableDNSHostnames": False}), [JOB, POD]),
        (jobset(pod=FULL, network={"enableDNSHostnames": True}), [JOB, POD, NameUse(HOST, "js-a-0-10.js.team.svc.cluster.local", 2, 64)]),
        (
            jobset(pod=FULL, counts={"completions": None, "parallelism": 3, "completionMode": "NonIndexed"}),
            [JOB, NameUse(HOST, "js-a-0-abcde.js.team.svc.cluster.local", 2, 64)],
        ),
        (jobset(pod=FULL, counts={"completions": None, "parallelism": 3}), [JOB, NameUse(HOST, "js-a-0-2.js.team.svc.cluster.local", 2, 64)]),
        (jobset(coordinator={"replicatedJob": "a"}), [JOB, POD, NameUse("coordinator's host", "js-a-0-0.js", 2)]),
        (
            jobset(coordinator={"replicatedJob": "a", "podIndex": 3}, network={"subdomain": "net"}),
            [JOB, POD, NameUse("coordinator's host", "js-a-0-3.net", 1)],
        ),
        (
            jobset(volumeClaimPolicies=[{}, {"templates": [{"metadata": {"name": "data"}}, {}]}]),
            [JOB, POD, NameUse("claim", "data-js"), NameUse("claim", "-js")],
        ),
    ],
)
def test_what_has_the_name_of_the_trainjob_in_it(made: dict[str, Any], uses: list[NameUse]) -> None:
    assert list(made_of(view_of(made))) == [NameUse("TrainJob", "js"), *uses]


@pytest.mark.parametrize(
    ("use", "excess"),
    [
        (NameUse("Job", "n" * 63), 0),
        (NameUse("Job", "n" * 64), 1),
        (NameUse("Job", "n" * 60), -3),
        (NameUse("host", "n" * 66, 2), 2),
        (NameUse("host", "n" * 67, 2), 2),
        (NameUse("host", "n" * 68, 2), 3),
        (NameUse("host", "n" * 62, 2), 0),
        (NameUse("host", "n" * 65, 1, 64), 1),
        (NameUse("Job", "é" * 32), 1),
    ],
)
def test_how_much_is_too_much(use: NameUse, excess: int) -> None:
    assert use.excess == excess


@pytest.mark.parametrize(
    ("made", "hint"),
    [
        (jobset("n" * 50), ""),
        (jobset("n" * 52), f'cut 2 characters off the TrainJob\'s name: the pod is called "{"n" * 52}-a-0-10-abcde", and 63 characters is the limit'),
        (jobset("n" * 64, counts={"completionMode": "NonIndexed"}, entry={"name": ""}), "cut 4 characters off the TrainJob's name: the Job is called "),
        (jobset(entry={"name": "a" * 70}), "the pod is called "),
        (jobset("n" * 20, entry={"name": "a" * 40}), "cut 9 characters off the TrainJob's name: the pod is called "),
        (jobset("n" * 9, entry={"name": "a" * 50}), "cut 8 characters off the TrainJob's name: the pod is called "),
        (jobset("n" * 8, entry={"name": "a" * 51}), "the pod is called "),
        (jobset("n" * 20, pod=FULL), "cut 4 characters off the TrainJob's name: the pod's full host is called "),
        (jobset("n" * 5, pod=FULL, network={"subdomain": "s" * 40}), ""),
    ],
)
def test_the_advice_is_about_what_is_worst(made: dict[str, Any], hint: str) -> None:
    found = shorten(view_of(made))
    assert found.startswith(hint) and bool(found) is bool(hint), found
    assert not found.startswith("the ") or found.endswith(", and 63 characters is the limit: shorten the other names in it")


def test_a_finding_about_another_place_keeps_its_hint() -> None:
    document = Document.from_object({**trainjob(name="n" * 70), "metadata": {"name": "n" * 70}}, "a.yaml", 3)
    short = with_short_name(document)
    assert (short.value["metadata"], short.value["spec"], short.file, short.index) == ({"name": "a"}, document.value["spec"], "a.yaml", 3)
    (found,) = [d for d in jc.compile_objects([document.value]).diagnostics if d.at == ("metadata", "name") and d.hint.startswith("cut 7 characters")]
    other, elsewhere = found.with_hint("call it b"), found.seen_from(document, ("spec",))
    told = for_all_names([found, other, elsewhere], document, jobset("a"))
    assert [each.hint for each in told] == [
        f'cut 20 characters off the TrainJob\'s name: the pod is called "{"n" * 70}-a-0-10-abcde", and 63 characters is the limit',
        "call it b",
        found.hint,
    ]
