"""What a Plan tells about itself, and which places speak of a part of its template."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.resolve.plan import Plan, is_left_to_multikueue, replicated_jobs
from tests.admission.rules.cases import ALL, NODE, Tree, compiled, job, runtime, trainjob

SIDE: list[Tree] = [{"name": name, "image": "i"} for name in ("side", "node", "last")]


def plan(release: str, *objects: Tree) -> Plan:
    (unit,) = compiled(release, *objects).units
    return unit.plan


def test_pods_and_containers_are_found_by_name_and_ancestor() -> None:
    first = job("first", "trainer", SIDE, initContainers=[{"name": "a", "image": "i"}, {"name": "b", "image": "i"}])
    found = plan("v2.3", runtime(job("other"), first, job("second", "trainer")), trainjob())
    assert [pods.name for pods in found.pod_sets] == ["other", "first", "second"] == [entry["name"] for entry in replicated_jobs(found.template)]
    assert found.pod_set("second") is found.pod_sets[2] and found.pod_set("third") is None
    pods = found.trainer_pods()
    assert pods is found.by_ancestor("trainer") is found.pod_sets[1] and found.by_ancestor("model-initializer") is None
    assert pods.container("node") is pods.containers[1] is found.trainer_node() and pods.container("a") is None
    assert pods.init_container("b") is pods.init_containers[1] and pods.init_container("node") is None
    assert replicated_jobs({}) == []


def test_a_plan_without_a_trainer_has_no_node() -> None:
    found = plan("v2.3", runtime(job("node")), trainjob())
    assert found.trainer_pods() is None and found.trainer_node() is None
    assert plan("v2.3", runtime(job("node", "trainer", SIDE[1:])), trainjob()).trainer_node() is not None


@pytest.mark.parametrize(("network", "subdomain"), [(None, "job"), ({}, "job"), ({"subdomain": ""}, "job"), ({"subdomain": "net"}, "net")])
def test_pods_are_named_below_the_subdomain_or_the_jobset(network: Tree | None, subdomain: str) -> None:
    given = runtime()
    given["spec"]["template"]["spec"] |= {} if network is None else {"network": network}
    assert plan("v2.3", given, trainjob()).subdomain == subdomain


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize("manager", ["kueue.x-k8s.io/multikueue", "trainer.kubeflow.org/trainjob-controller"])
def test_trainjobs_of_multikueue_are_left_alone_since_2_3(release: str, manager: str) -> None:
    found = plan(release, runtime(), trainjob(managedBy=manager))
    assert is_left_to_multikueue(found) is (release == "v2.3" and manager.endswith("multikueue"))


JOB: tuple[str | int, ...] = ("replicatedJobs", 0)
POD = (*JOB, "template", "spec", "template", "spec")
IN_RUNTIME: tuple[str | int, ...] = ("spec", "template", "spec")


def spoken(of: Plan, path: tuple[str | int, ...]) -> list[tuple[str | None, Any]]:
    """(the manager of the override, None for the runtime; the place)."""
    return [(None if said.override is None else said.override.manager, said.path) for said in of.record.spoken(path)]


@pytest.mark.parametrize("path", [(), ("network",), (*JOB, "name"), (*JOB, "template", "metadata"), ("replicatedJobs", 1, "template", "spec")])
def test_what_no_override_touches_is_the_runtimes(path: tuple[str | int, ...]) -> None:
    overrides: Tree = {"podTemplateOverrides": [{"targetJobs": [{"name": "node"}], "spec": {"serviceAccountName": "x"}}]}
    given: list[tuple[str, Tree]] = [("v2.0", {}), ("v2.1", overrides)]
    for release, spec in given:
        assert spoken(plan(release, runtime(NODE, job("other")), trainjob(**spec)), path) == [(None, (*IN_RUNTIME, *path))]


def test_an_override_speaks_of_what_is_around_it_and_below() -> None:
    given = {"targetJobs": [{"name": "node"}], "spec": {"serviceAccountName": "x"}}
    found = plan("v2.1", runtime(NODE, job("other")), trainjob(podTemplateOverrides=[given]))
    at: tuple[str | int, ...] = ("spec", "podTemplateOverrides", 0)
    for path in ((*JOB, "template"), (*JOB, "template", "spec"), (*JOB, "template", "spec", "template")):
        assert spoken(found, path) == [("", at), (None, (*IN_RUNTIME, *path))]
    assert spoken(found, POD) == [("", (*at, "spec")), (None, (*IN_RUNTIME, *POD))]
    assert spoken(found, (*POD, "serviceAccountName")) == [("", (*at, "spec", "serviceAccountName"))]


def test_the_last_override_that_speaks_wins() -> None:
    def patch(manager: str, **pod: Any) -> Tree:
        entry = {"name": "node", "template": {"spec": {"template": {"spec": pod}}}}
        return {"manager": manager, "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": [entry]}}}}

    patches = [patch("a.io/b", serviceAccountName="x"), patch("c.io/d", serviceAccountName="y"), patch("e.io/f", hostNetwork=True)]
    found = plan("v2.3", runtime(), trainjob(runtimePatches=patches))
    at = ("spec", "runtimePatches", 1, "trainingRuntimeSpec", "template", "spec", *POD, "serviceAccountName")
    assert spoken(found, (*POD, "serviceAccountName"))[0] == ("c.io/d", at)


def test_where_resources_of_the_trainjob_were_merged_in() -> None:
    wanted = trainjob(trainer={"resourcesPerNode": {"limits": {"cpu": "1"}}})
    objects = runtime(job("other"), job("workers", "trainer", SIDE), policy={"torch": {}}), wanted
    pod = ("replicatedJobs", 1, "template", "spec", "template", "spec", "containers")
    merged, replaced = plan("v2.3", *objects).record, plan("v2.2", *objects).record
    place = ("spec", "trainer", "resourcesPerNode")
    assert merged.resources_per_node((*pod, 1, "resources")) == place
    assert merged.resources_per_node((*pod, 1, "resources", "limits", "cpu")) == (*place, "limits", "cpu")
    for path in ((*pod, 0, "resources"), (*pod, 1, "image"), (*pod, 1), ("replicatedJobs", 0, *pod[2:], 1, "resources")):
        assert merged.resources_per_node(path) == ()
    assert replaced.resources_per_node((*pod, 1, "resources")) == ()
