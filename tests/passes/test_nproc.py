"""PET_NPROC_PER_NODE by release: the truth table of upstream, one row a case (read off by running each release)."""

from __future__ import annotations

import json
from typing import Any

import pytest

import jobset_compiler as jc

ABSENT = object()
V20, V21, V22, V23 = "v2.0", "v2.1", "v2.2", "v2.3"


def compiled_nproc(profile: str, trainer: Any, runtime_resources: Any = None, runtime_npp: Any = None) -> str | None:
    torch = {} if runtime_npp is None else {"numProcPerNode": runtime_npp}
    container: dict[str, Any] = {"name": "node", "image": "x"}
    if runtime_resources:
        container["resources"] = runtime_resources
    job = {
        "name": "node",
        "template": {
            "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
            "spec": {"template": {"spec": {"containers": [container]}}},
        },
    }
    api = "trainer.kubeflow.org/v1alpha1"
    runtime = {
        "apiVersion": api,
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": "rt"},
        "spec": {"mlPolicy": {"numNodes": 1, "torch": torch}, "template": {"spec": {"replicatedJobs": [job]}}},
    }
    spec: dict[str, Any] = {"runtimeRef": {"name": "rt"}}
    if trainer is not ABSENT:
        spec["trainer"] = trainer
    trainjob = {"apiVersion": api, "kind": "TrainJob", "metadata": {"name": "job"}, "spec": spec}
    result = jc.compile_objects([runtime, trainjob], trainer_version=profile, bundled_runtimes=False)
    assert result.is_submitted, [d.message for d in result.diagnostics]
    (container,) = result.objects[0]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"]
    return next((entry["value"] for entry in container.get("env", []) if entry["name"] == "PET_NPROC_PER_NODE"), None)


def rpn(limits: dict[str, Any] | None = None, requests: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    resources: dict[str, Any] = {}
    if limits is not None:
        resources["limits"] = limits
    if requests is not None:
        resources["requests"] = requests
    return {"resourcesPerNode": resources, **more}


GPU = "nvidia.com/gpu"
# (what, trainer, runtime resources, runtime npp, 2.0, 2.1, 2.2 and 2.3)
ROWS: list[tuple[str, Any, Any, Any, str | None, str | None, str | None]] = [
    ("trainer absent", ABSENT, None, None, None, None, None),
    ("nothing anywhere", {}, None, None, "auto", "1", "1"),
    ("runtime limits gpu 2", {}, {"limits": {GPU: 2}}, None, "auto", "auto", "auto"),
    ("runtime requests gpu 2", {}, {"requests": {GPU: 2}, "limits": {GPU: 2}}, None, "auto", "auto", "auto"),
    ("runtime limits cpu 5", {}, {"limits": {"cpu": 5}}, None, "auto", "5", "5"),
    ("runtime requests cpu 2500m, limits cpu 5", {}, {"requests": {"cpu": "2500m"}, "limits": {"cpu": 5}}, None, "auto", "3", "3"),
    ("rpn {}", rpn(), None, None, "1", "1", "1"),
    ("rpn {} over a gpu runtime", rpn(), {"limits": {GPU: 2}}, None, "1", "1", "1"),
    ("rpn limits gpu 4", rpn({GPU: 4}), None, None, "1", "auto", "auto"),
    ("rpn requests gpu 4", rpn(None, {GPU: 4}), None, None, "auto", "auto", "auto"),
    ("rpn limits and requests gpu 4", rpn({GPU: 4}, {GPU: 4}), None, None, "auto", "auto", "auto"),
    ("rpn limits gpu 4 and cpu 8", rpn({GPU: 4, "cpu": 8}), None, None, "1", "auto", "auto"),
    ("rpn limits gpu 4, requests cpu 8", rpn({GPU: 4}, {"cpu": 8}), None, None, "8", "auto", "auto"),
    ("rpn limits cpu 3500m", rpn({"cpu": "3500m"}), None, None, "4", "4", "4"),
    ("rpn requests cpu 3500m", rpn(None, {"cpu": "3500m"}), None, None, "4", "4", "4"),
    ("rpn limits cpu 8, requests cpu 4", rpn({"cpu": 8}, {"cpu": 4}), None, None, "8", "4", "4"),
    ("rpn limits cpu 4, requests memory", rpn({"cpu": 4}, {"memory": "1Gi"}), None, None, "4", "4", "4"),
    ("rpn requests cpu 100m", rpn(None, {"cpu": "100m"}), None, None, "1", "1", "1"),
    ("rpn limits memory only", rpn({"memory": "1Gi"}), None, None, "1", "1", "1"),
    ("rpn limits mig 2, cpu 6: MIG is no GPU", rpn({"nvidia.com/mig-1g.5gb": 2, "cpu": 6}), None, None, "6", "6", "6"),
    ("rpn limits amd gpu 2", rpn({"amd.com/gpu": 2}), None, None, "1", "auto", "auto"),
    ("rpn limits tpu 4: a TPU is no GPU", rpn({"google.com/tpu": 4}), None, None, "1", "1", "1"),
    ("rpn limits gpu 0, cpu 4", rpn({GPU: 0, "cpu": 4}), None, None, "1", "4", "4"),
    ("runtime gpu 2, rpn requests cpu 8", rpn(None, {"cpu": 8}), {"limits": {GPU: 2}}, None, "8", "8", "8"),
    ("npp 4", {"numProcPerNode": 4}, None, None, "4", "4", "4"),
    ("npp 4, rpn {}", rpn(numProcPerNode=4), None, None, "1", "4", "4"),
    ("npp 4, rpn limits gpu 8", rpn({GPU: 8}, numProcPerNode=4), None, None, "1", "4", "4"),
    ("npp 4, rpn limits and requests gpu 8", rpn({GPU: 8}, {GPU: 8}, numProcPerNode=4), None, None, "4", "4", "4"),
    ("npp 4, rpn requests cpu 2", rpn(None, {"cpu": 2}, numProcPerNode=4), None, None, "4", "4", "4"),
    ("npp 4, rpn limits cpu 2", rpn({"cpu": 2}, numProcPerNode=4), None, None, "1", "4", "4"),
    ("npp 0", {"numProcPerNode": 0}, None, None, "0", "0", "0"),
    ("npp -5", {"numProcPerNode": -5}, None, None, "-5", "-5", "-5"),
]
# Strings and the runtime's own value exist in 2.0 and 2.1 only.
OLD_ROWS: list[tuple[str, Any, Any, Any, str, str]] = [
    ("npp cpu, no resources", {"numProcPerNode": "cpu"}, None, None, "cpu", "1"),
    ("npp cpu, rpn limits gpu 4 cpu 8", rpn({GPU: 4, "cpu": 8}, numProcPerNode="cpu"), None, None, "8", "8"),
    ("npp cpu, rpn limits cpu 8, requests cpu 3", rpn({"cpu": 8}, {"cpu": 3}, numProcPerNode="cpu"), None, None, "8", "3"),
    ("npp gpu, rpn limits gpu 4 cpu 8", rpn({GPU: 4, "cpu": 8}, numProcPerNode="gpu"), None, None, "1", "gpu"),
    ("npp gpu, rpn limits and requests gpu 4", rpn({GPU: 4}, {GPU: 4}, numProcPerNode="gpu"), None, None, "gpu", "gpu"),
    ("runtime npp cpu", {}, None, "cpu", "cpu", "1"),
    ("runtime npp 3, rpn limits gpu 4", rpn({GPU: 4}), None, 3, "1", "3"),
    ("runtime npp 3, rpn limits and requests gpu 4", rpn({GPU: 4}, {GPU: 4}), None, 3, "3", "3"),
    ("runtime npp 3, npp 5", {"numProcPerNode": 5}, None, 3, "5", "5"),
]
CASES = [
    *((what, profile, args, expected) for what, *args, v20, v21, later in ROWS for profile, expected in ((V20, v20), (V21, v21), (V22, later), (V23, later))),
    *((what, profile, args, expected) for what, *args, v20, v21 in OLD_ROWS for profile, expected in ((V20, v20), (V21, v21))),
]


@pytest.mark.parametrize(("what", "profile", "args", "expected"), CASES, ids=[f"{case[0]} {case[1]}" for case in CASES])
def test_processes_per_node(what: str, profile: str, args: list[Any], expected: str | None) -> None:
    trainer, runtime_resources, runtime_npp = args
    assert compiled_nproc(profile, trainer, runtime_resources, runtime_npp) == expected, json.dumps(what)
