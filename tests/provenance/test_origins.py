"""Where fields come from: the chain of each kind, down to line and column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler.passes.api import COMPANIONS, AddObject, Edit, Pass
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.resolve.plan import Plan

TEXT = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: rt
spec:
  mlPolicy:
    numNodes: 2
    torch: {}
  podGroupPolicy:
    coscheduling: {}
  template:
    metadata:
      labels:
        team: a
    spec:
      network:
        subdomain: pods
      replicatedJobs:
      - name: node
        template:
          metadata:
            labels:
              trainer.kubeflow.org/trainjob-ancestor-step: trainer
          spec:
            template:
              spec:
                priorityClassName: low
                containers:
                - name: node
                  image: old
                  env:
                  - name: RUNTIME
                    value: "1"
                  resources:
                    limits:
                      memory: 64Gi
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: job
spec:
  runtimeRef:
    name: rt
  trainer:
    image: new
    args: [a, b]
    env:
    - name: MINE
      value: "2"
    resourcesPerNode:
      limits:
        nvidia.com/gpu: 8
  runtimePatches:
  - manager: kueue.x-k8s.io/manager
    trainingRuntimeSpec:
      template:
        metadata:
          labels:
            queue: q
        spec:
          replicatedJobs:
          - name: node
            template:
              spec:
                template:
                  spec:
                    nodeSelector:
                      pool: gpu
"""
POD = "spec.replicatedJobs[name=node].template.spec.template"
NODE = f"{POD}.spec.containers[name=node]"
RESULT = jc.compile_yaml(TEXT, bundled_runtimes=False, file="in.yaml")


def chain(address: str, manifest: int = 0) -> list[tuple[str, str, int, str]]:
    return [(origin.kind, origin.by, origin.line, origin.path) for origin in RESULT.origin_of(RESULT.objects[manifest], address)]


ROWS: list[tuple[str, list[tuple[str, str, int, str]]]] = [
    ("metadata.name", [("input", "jobset", 41, "metadata.name")]),
    ("metadata.namespace", [("default", "jobset", 0, "")]),
    ("metadata.labels.team", [("input", "rt", 14, "spec.template.metadata.labels.team")]),
    (
        "metadata.labels.queue",
        [("patch", "kueue.x-k8s.io/manager", 60, "spec.runtimePatches[0].trainingRuntimeSpec.template.metadata.labels.queue")],
    ),
    ("spec.network.subdomain", [("input", "rt", 17, "spec.template.spec.network.subdomain")]),
    ("spec.suspend", [("default", "jobset", 0, "")]),
    ("spec.replicatedJobs[0].groupName", [("default", "", 0, "")]),
    ("spec.replicatedJobs[name=node].template.spec.parallelism", [("input", "rt", 7, "spec.mlPolicy.numNodes")]),
    (f"{POD}.spec.priorityClassName", [("input", "rt", 27, "spec.template.spec.replicatedJobs[0].template.spec.template.spec.priorityClassName")]),
    (
        f"{POD}.spec.nodeSelector.pool",
        [
            (
                "patch",
                "kueue.x-k8s.io/manager",
                69,
                "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec.template.spec.nodeSelector.pool",
            )
        ],
    ),
    (
        f'{POD}.metadata.labels["scheduling.x-k8s.io/pod-group"]',
        [("pass", "coscheduling", 0, ""), ("input", "", 41, "metadata.name"), ("input", "rt", 10, "spec.podGroupPolicy.coscheduling")],
    ),
    (
        f"{NODE}.image",
        [
            ("pass", "user", 0, ""),
            ("input", "", 46, "spec.trainer.image"),
            ("input", "rt", 30, "spec.template.spec.replicatedJobs[0].template.spec.template.spec.containers[0].image"),
        ],
    ),
    (f"{NODE}.args[1]", [("pass", "user", 0, ""), ("input", "", 47, "spec.trainer.args[1]")]),
    (
        f"{NODE}.env[name=RUNTIME].value",
        [("input", "rt", 33, "spec.template.spec.replicatedJobs[0].template.spec.template.spec.containers[0].env[0].value")],
    ),
    (f"{NODE}.env[name=MINE].value", [("pass", "user", 0, ""), ("input", "", 50, "spec.trainer.env[0].value")]),
    (f"{NODE}.env[name=PET_NNODES].value", [("pass", "torch", 0, ""), ("input", "rt", 7, "spec.mlPolicy.numNodes")]),
    (f"{NODE}.ports[containerPort=29500].containerPort", [("pass", "torch", 0, ""), ("input", "", 46, "spec.trainer")]),
    (f'{NODE}.resources.limits["nvidia.com/gpu"]', [("input", "resolve", 53, "spec.trainer.resourcesPerNode.limits.nvidia.com/gpu")]),
    (
        f"{NODE}.resources.limits.memory",
        [("input", "rt", 36, "spec.template.spec.replicatedJobs[0].template.spec.template.spec.containers[0].resources.limits.memory")],
    ),
]


@pytest.mark.parametrize(("address", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_chain(address: str, expected: list[tuple[str, str, int, str]]) -> None:
    assert RESULT.ok, RESULT.diagnostics
    assert chain(address) == expected


def test_the_feature_that_decided_is_named() -> None:
    (origin, *_) = RESULT.origin_of(RESULT.objects[0], f"{NODE}.env[name=PET_NPROC_PER_NODE].value")
    assert origin.note == "feature nproc-from-requests-then-limits"


def test_a_companion_names_its_pass_and_the_policy() -> None:
    built, nodes, policy = RESULT.origin_of(RESULT.objects[1], "spec.minMember")
    assert (built.kind, built.by) == ("pass", "coscheduling-podgroup")
    assert (nodes.path, nodes.line) == ("spec.mlPolicy.numNodes", 7)
    assert (policy.path, policy.line) == ("spec.podGroupPolicy.coscheduling", 10)
    (name,) = RESULT.origin_of(RESULT.objects[1], "metadata.name")
    assert (name.kind, name.by, name.path) == ("input", "coscheduling-podgroup", "metadata.name")


def test_a_companion_of_somebody_else_goes_back_to_its_own_reason() -> None:
    """The runtime has an mlPolicy and a podGroupPolicy, which have nothing to do with it."""
    policy = {"apiVersion": "acme.example/v1", "kind": "PodGroup", "metadata": {"name": "fixed", "labels": {"team": "x"}}, "spec": {"rules": []}}

    def run(plan: Plan) -> Iterator[Edit]:
        yield AddObject(policy, because=("spec", "trainer", "image"))

    step = Pass("acme.group", COMPANIONS, lambda plan: True, run)
    result = jc.compile_yaml(TEXT, passes=(*BUILTIN, step))
    (added,) = [manifest for manifest in result.objects if manifest["metadata"]["name"] == "fixed"]
    for address in ("spec.rules", "metadata.name", "metadata.labels.team", "kind"):
        built, reason = result.origin_of(added, address)
        assert (built.kind, built.by, reason.path) == ("pass", "acme.group", "spec.trainer.image")
    (namespace,) = result.origin_of(added, "metadata.namespace")
    assert (namespace.kind, namespace.by) == ("default", "acme.group")


@pytest.mark.parametrize(("address", "error"), [("spec.nothing", KeyError), ("spec.replicatedJobs[name=x]", KeyError), ("spec..x", ValueError)])
def test_a_field_that_is_not_there(address: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        RESULT.origin_of(RESULT.objects[0], address)


def test_objects_of_another_compilation_are_refused() -> None:
    other: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x", "namespace": "y"}}
    with pytest.raises(KeyError):
        RESULT.origin_of(other, "metadata.name")


def test_objects_without_text_have_paths_but_no_lines() -> None:
    from jobset_compiler.source.reader import read_text

    result = jc.compile_objects([document.value for document in read_text(TEXT)[0]], bundled_runtimes=False)
    (origin,) = result.origin_of(result.objects[0], "metadata.labels.team")
    assert (origin.file, origin.line, origin.path) == ("<object 0>", 0, "spec.template.metadata.labels.team")
