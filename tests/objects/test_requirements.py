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


def test_all_that_pods_refer_to_is_listed_once_with_who_wants_it() -> None:
    """What is optional, has no name, or is among the objects is no requirement."""
    containers = [
        {
            "name": "node",
            "image": "a",
            "envFrom": [
                {"secretRef": {"name": "from"}},
                {"configMapRef": {"name": "from"}},
                {"secretRef": {"name": "may", "optional": True}},
                {"configMapRef": {"name": "may", "optional": True}},
            ],
            "env": [
                {"name": "A", "valueFrom": {"secretKeyRef": {"name": "keys", "key": "a"}}},
                {"name": "B", "valueFrom": {"configMapKeyRef": {"name": "keys", "key": "b"}}},
                {"name": "C", "valueFrom": {"secretKeyRef": {"name": "keys", "key": "c"}}},
                {"name": "D", "valueFrom": {"secretKeyRef": {"name": "may", "key": "d", "optional": True}}},
                {"name": "E", "valueFrom": {"configMapKeyRef": {"name": "may", "key": "e", "optional": True}}},
                {"name": "F", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
                {"name": "G", "value": "plain"},
            ],
        },
    ]
    pod = {
        "priorityClassName": "high",
        "runtimeClassName": "kata",
        "serviceAccountName": "trainer",
        "imagePullSecrets": [{"name": "registry"}, {}],
        "initContainers": [{"name": "first", "image": "a", "env": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "early", "key": "a"}}}]}],
        "volumes": [
            {"name": "claim", "persistentVolumeClaim": {"claimName": "data"}},
            {"name": "secret", "secret": {"secretName": "volume"}},
            {"name": "map", "configMap": {"name": "volume"}},
            {"name": "may", "secret": {"secretName": "may", "optional": True}},
            {"name": "may2", "configMap": {"name": "may", "optional": True}},
            {"name": "empty", "emptyDir": {}},
            {"name": "nameless", "secret": {"defaultMode": 256}},
            {"name": "nameless2", "configMap": {"defaultMode": 256}},
        ],
    }
    result = jc.compile_objects([runtime(job("node", "trainer", containers, **pod)), trainjob(metadata={"namespace": "team"})], trainer_version="v2.2")
    assert [tuple(each) for each in result.requirements] == [
        ("PriorityClass", "", "high", "priorityClassName of replicatedJob node"),
        ("RuntimeClass", "", "kata", "runtimeClassName of replicatedJob node"),
        ("ServiceAccount", "team", "trainer", "serviceAccountName of replicatedJob node"),
        ("Secret", "team", "registry", "imagePullSecrets of replicatedJob node"),
        ("PersistentVolumeClaim", "team", "data", "volume claim of replicatedJob node"),
        ("Secret", "team", "volume", "volume secret of replicatedJob node"),
        ("ConfigMap", "team", "volume", "volume map of replicatedJob node"),
        ("Secret", "team", "early", "env A of container first of replicatedJob node"),
        ("Secret", "team", "from", "envFrom of container node of replicatedJob node"),
        ("ConfigMap", "team", "from", "envFrom of container node of replicatedJob node"),
        ("Secret", "team", "keys", "env A of container node of replicatedJob node"),
        ("ConfigMap", "team", "keys", "env B of container node of replicatedJob node"),
    ]


def test_what_wants_a_queue_and_the_place_of_the_snapshot_is_said() -> None:
    ours = runtime(NODE, podGroupPolicy={"volcano": {}}, template={"metadata": {"annotations": {QUEUE: "train"}}})
    labels = {"kueue.x-k8s.io/queue-name": "team-queue", "kueue.x-k8s.io/priority-class": "high"}
    result = jc.compile_objects([ours, trainjob(metadata={"namespace": "team", "labels": labels})], trainer_version="v2.3", jobset_version="0.11")
    assert [tuple(each) for each in result.requirements] == [
        ("Queue", "", "train", "queue of the Volcano PodGroup, which is refused unless the queue is there and open"),
        ("LocalQueue", "team", "team-queue", "label kueue.x-k8s.io/queue-name of the TrainJob"),
        ("WorkloadPriorityClass", "", "high", "label kueue.x-k8s.io/priority-class of the TrainJob"),
        (
            "CustomResourceDefinition",
            "",
            "jobsets.jobset.x-k8s.io",
            "of JobSet 0.11.1, for which this was compiled; Kubeflow Trainer 2.3.0 comes with 0.12.0",
        ),
        (
            "ConfigMap",
            "team",
            "job-runtime-snapshot",
            "the runtime as the controller keeps it; none of another TrainJob may be there, such as a deleted one of that name",
        ),
    ]


def test_what_the_controller_makes_itself_is_no_requirement() -> None:
    """The Secret and the ConfigMap that an MPI job mounts come with it."""
    result = jc.compile_yaml(
        "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: a}\nspec: {runtimeRef: {name: deepspeed-distributed}}\n",
        trainer_version="v2.2",
    )
    assert {each["kind"] for each in result.objects} == {"JobSet", "Secret", "ConfigMap"}
    assert result.requirements == ()
