"""What only a cluster can have: queues."""

from __future__ import annotations

from typing import Any

import pytest

import jobset_compiler as jc
from tests.admission.rules.cases import ALL, NODE, job, runtime, trainjob

QUEUE = "scheduling.volcano.sh/queue-name"


def needed(profile: str, *objects: dict[str, Any]) -> list[tuple[str, str, str]]:
    result = jc.compile_objects(objects, trainer_version=profile)
    assert result.ok, result.diagnostics
    return [(found.kind, found.namespace, found.name) for found in result.requirements if found.kind != "ConfigMap"]


@pytest.mark.parametrize("profile", ALL[1:])
@pytest.mark.parametrize(("annotations", "queue"), [({QUEUE: "train"}, [("Queue", "", "train")]), ({QUEUE: "default"}, []), ({}, [])])
def test_volcano_wants_the_queue(profile: str, annotations: dict[str, str], queue: list[tuple[str, str, str]]) -> None:
    ours = runtime(NODE, podGroupPolicy={"volcano": {}}, template={"metadata": {"annotations": annotations}})
    assert needed(profile, ours, trainjob(metadata={"namespace": "team"})) == queue


@pytest.mark.parametrize("profile", ALL)
def test_kueue_wants_its_own(profile: str) -> None:
    labels = {"kueue.x-k8s.io/queue-name": "team-queue", "kueue.x-k8s.io/priority-class": "high"}
    found = needed(profile, runtime(NODE), trainjob(metadata={"namespace": "team", "labels": labels}))
    assert found == [("LocalQueue", "team", "team-queue"), ("WorkloadPriorityClass", "", "high")]


@pytest.mark.parametrize("claim", ["scratch", "other"])
def test_a_claim_that_jobset_makes_need_not_be_there(claim: str) -> None:
    """JobSet makes one for each template, named after the template and itself; with that name it is no requirement, whoever names it."""
    name = f"{claim}-{trainjob()['metadata']['name']}"
    container = {"name": "node", "image": "a", "volumeMounts": [{"name": "scratch", "mountPath": "/s"}]}
    ours = runtime(job("node", "trainer", [container], volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": name}}]))
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    ours["spec"]["template"]["spec"]["volumeClaimPolicies"] = [{"templates": [{"metadata": {"name": "scratch"}, "spec": spec}]}]
    assert needed("v2.3", ours, trainjob()) == ([] if claim == "scratch" else [("PersistentVolumeClaim", "default", name)])
