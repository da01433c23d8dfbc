"""What stays behind and what is never made where a cluster takes a TrainJob and refuses something that is made of it."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.expand.refused import Fates, outcome_of
from jobset_compiler.pipeline import catalog_of, compile_trainjob, read_runtime
from jobset_compiler.profiles import find
from jobset_compiler.request.options import Options
from jobset_compiler.source.document import Document
from tests.admission.rules.cases import ALL, job, runtime, trainjob

Tree = dict[str, Any]
BAD = {"serviceAccountName": "My_SA"}


def outcome(release: str, of_runtime: Tree, **fields: Any) -> Fates:
    profile = find(release)
    assert profile is not None
    options = Options(profile=profile, bundled_runtimes=False)
    catalog = catalog_of([read_runtime(Document.from_object(of_runtime), options)], options)
    unit, diagnostics = compile_trainjob(Document.from_object(trainjob(**{"name": "j", **fields})), catalog, options)
    assert unit is not None
    return outcome_of(unit, diagnostics, options.judged_by)


def with_pod(entry: Tree, **pod: Any) -> Tree:
    entry["template"]["spec"]["template"]["spec"].update(pod)
    return entry


def kept(release: str) -> set[str]:
    return {"ConfigMap j-runtime-snapshot"} if release == "v2.3" else set()


@pytest.mark.parametrize("release", ALL)
def test_jobs_after_the_first_that_is_refused_never_exist(release: str) -> None:
    jobs = [job("a"), {**with_pod(job("b"), **BAD), "replicas": 2}, job("node", "trainer")]
    found = outcome(release, runtime(*jobs))
    assert found.refused == ("Job j-b-0", "Job j-b-1")
    assert found.never == ("Job j-node-0",)
    assert set(found.made) == {"JobSet j", "Service j", "Job j-a-0"} | kept(release)


@pytest.mark.parametrize("release", ALL)
def test_a_job_that_waits_is_refused_when_its_turn_comes(release: str) -> None:
    waiting = {**with_pod(job("b"), **BAD), "dependsOn": [{"name": "a", "status": "Complete"}]}
    last = {**job("node", "trainer"), "dependsOn": [{"name": "a", "status": "Complete"}]}
    found = outcome(release, runtime(job("a"), waiting, job("c"), last))
    assert found.refused == ("Job j-b-0",)
    assert found.never == ("Job j-node-0",)
    assert {"Job j-a-0", "Job j-c-0"} <= set(found.made)


@pytest.mark.parametrize("release", ALL)
def test_objects_stay_where_the_jobset_is_refused(release: str) -> None:
    policy = {"numNodes": 1, "mpi": {}}
    jobs = (job("launcher", "trainer"), job("node"))
    gang = runtime(*jobs, policy=policy, podGroupPolicy={"coscheduling": {}})
    found = outcome(release, gang, name="j" * 60)
    name = "j" * 60
    assert found.refused == (f"JobSet {name}",)
    assert {f"PodGroup {name}", f"Secret {name}-mpi-ssh-auth", f"ConfigMap {name}-mpi-hostfile"} <= set(found.made)
    assert not any(made.startswith(("Job ", "JobSet ", "Service ")) for made in found.made)


@pytest.mark.parametrize("release", ALL)
def test_nothing_comes_after_a_podgroup_that_is_refused(release: str) -> None:
    found = outcome(release, runtime(policy={"numNodes": 1, "torch": {}}, podGroupPolicy={"coscheduling": {}}), trainer={"numNodes": 0})
    assert (found.refused, found.never, set(found.made)) == (("PodGroup j",), ("JobSet j",), kept(release))


def test_a_pod_that_is_refused_leaves_its_job() -> None:
    image = with_pod(job("node", "trainer"), volumes=[{"name": "v", "image": {}}])
    found = outcome("v2.3", runtime(image, job("z")))
    assert found.refused == ("the pods of Job j-node-0",)
    assert {"Job j-node-0", "Job j-z-0"} <= set(found.made)
    assert found.never == ()


def test_a_jobset_of_another_controller_has_no_jobs_that_could_be_refused() -> None:
    elsewhere = runtime(with_pod(job("node", "trainer"), **BAD))
    elsewhere["spec"]["template"]["spec"]["managedBy"] = "example.com/controller"
    found = outcome("v2.3", elsewhere)
    assert fates(found) == (("ConfigMap j-runtime-snapshot", "JobSet j"), (), ())


def fates(found: Fates) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    return found.made, found.refused, found.never


def waiting(entry: Tree, on: str = "a") -> Tree:
    return {**entry, "dependsOn": [{"name": on, "status": "Complete"}]}


def of_2_1(*jobs: Tree, **fields: Any) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    return fates(outcome("v2.1", runtime(*jobs, job("node", "trainer")), **fields))


def test_each_job_that_waits_is_refused_in_its_turn() -> None:
    jobs = [job("a"), *(waiting(with_pod(job(name), **BAD)) for name in "bc"), waiting(job("d")), job("e")]
    made = ("JobSet j", "Service j", "Job j-a-0", "Job j-e-0", "Job j-node-0")
    assert of_2_1(*jobs) == (made, ("Job j-b-0", "Job j-c-0"), ("Job j-d-0",))


def test_what_waits_is_made_where_nothing_before_it_is_refused() -> None:
    jobs = [job("a"), waiting(job("b")), with_pod(job("c"), **BAD)]
    assert of_2_1(*jobs) == (("JobSet j", "Service j", "Job j-a-0", "Job j-b-0"), ("Job j-c-0",), ("Job j-node-0",))


def test_what_waits_for_pods_that_never_come_is_never_made() -> None:
    image = with_pod(job("a"), volumes=[{"name": "v", "image": {}}])
    made = ("ConfigMap j-runtime-snapshot", "JobSet j", "Service j", "Job j-a-0", "Job j-node-0")
    found = outcome("v2.3", runtime(image, waiting(job("b")), job("node", "trainer")))
    assert fates(found) == (made, ("the pods of Job j-a-0",), ("Job j-b-0",))


def test_a_coordinator_whose_name_is_no_label_stops_the_first_job() -> None:
    template = runtime(job("a"), job("node", "trainer"))
    template["spec"]["template"]["spec"] |= {"coordinator": {"replicatedJob": "node"}, "network": {"subdomain": "s" * 60}}
    found = outcome("v2.1", template)
    assert fates(found) == (("JobSet j", f"Service {'s' * 60}"), ("Job j-a-0",), ("Job j-node-0",))


def test_objects_in_the_order_in_which_they_are_made() -> None:
    """Trainer's own before the JobSet: PodGroups first, then what the policy needs."""
    gang = runtime(job("launcher", "trainer"), job("node"), policy={"numNodes": 1, "mpi": {}}, podGroupPolicy={"coscheduling": {}})
    name = "j" * 60
    others = (f"PodGroup {name}", f"Secret {name}-mpi-ssh-auth", f"ConfigMap {name}-mpi-hostfile")
    never = ("its Service, its claims and its Jobs",)
    assert fates(outcome("v2.1", gang, name=name)) == (others, (f"JobSet {name}",), never)
    assert fates(outcome("v2.3", gang, name=name)) == ((f"ConfigMap {name}-runtime-snapshot", *others), (f"JobSet {name}",), never)
    refused = outcome("v2.3", gang, trainer={"numNodes": -1})
    assert fates(refused) == (
        ("ConfigMap j-runtime-snapshot",),
        ("PodGroup j",),
        ("Secret j-mpi-ssh-auth", "ConfigMap j-mpi-hostfile", "JobSet j"),
    )
