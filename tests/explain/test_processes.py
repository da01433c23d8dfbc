"""Why so many processes run. Read the text below `__snapshots__`; `--snapshot-update` writes it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from jobset_compiler.explain import explanation
from tests.passes.plans import compiled, container, job, runtime, trainjob

Tree = dict[str, Any]
GPUS = {"limits": {"nvidia.com/gpu": 2}, "requests": {"nvidia.com/gpu": 2}}
ONE = {"limits": {"nvidia.com/gpu": 1}, "requests": {"nvidia.com/gpu": 1}}
CPUS = {"limits": {"cpu": 4}, "requests": {"cpu": "3500m"}}


def launched(**worker: Any) -> tuple[Tree, Tree]:
    return job("launcher"), job("node", None, containers=[container(**worker)])


CASES: dict[str, tuple[Tree, Tree]] = {
    "torch, asked by the TrainJob": (runtime({"torch": {}}), trainjob({"numProcPerNode": 4, "resourcesPerNode": GPUS})),
    "torch, one for each GPU": (runtime({"numNodes": 2, "torch": {}}), trainjob({"resourcesPerNode": GPUS})),
    "torch, one for each CPU": (runtime({"torch": {}}), trainjob({"resourcesPerNode": CPUS})),
    "torch, GPUs of the runtime": (runtime({"torch": {}}, job(containers=[container(resources=GPUS)])), trainjob({})),
    "torch, limits alone": (runtime({"torch": {}}), trainjob({"resourcesPerNode": {"limits": {"nvidia.com/gpu": 2}}})),
    "torch, nothing asked": (runtime({"torch": {}}), trainjob({})),
    "torch, no trainer": (runtime({"torch": {}}), trainjob()),
    "mpi, slots of the runtime": (runtime({"mpi": {"numProcPerNode": 3}}, *launched()), trainjob({"numNodes": 2})),
    "mpi, slots of GPUs": (runtime({"mpi": {}}, *launched(resources=GPUS)), trainjob({"numNodes": 2})),
    "mpi, slots of the TrainJob": (runtime({"mpi": {}}, *launched()), trainjob({"numNodes": 2, "numProcPerNode": 2})),
    "mpi, no trainer": (runtime({"mpi": {"numProcPerNode": 3}}, *launched()), trainjob()),
    "mpi, one GPU": (runtime({"mpi": {}}, *launched()), trainjob({"numNodes": 2, "resourcesPerNode": ONE})),
    "torch, one process": (runtime({"torch": {}}), trainjob({"numProcPerNode": 1})),
    "torch, as many as the runtime says": (runtime({"torch": {"numProcPerNode": "gpu"}}, job(containers=[container(resources=ONE)])), trainjob({})),
    "torch, other resources": (runtime({"torch": {}}), trainjob({"resourcesPerNode": {"requests": {"memory": "1Gi"}}})),
    "flux, as many as the runtime says": (runtime({"flux": {"numProcPerNode": 5}}), trainjob({"numNodes": 2})),
    "xgboost, no GPUs": (runtime({"xgboost": {}}), trainjob({"resourcesPerNode": CPUS})),
    "flux": (runtime({"flux": {}}), trainjob({"numNodes": 2, "numProcPerNode": 2})),
    "xgboost": (runtime({"numNodes": 2, "xgboost": {}}), trainjob({"resourcesPerNode": GPUS})),
    "jax": (runtime({"numNodes": 2, "jax": {}}), trainjob({})),
    "none": (runtime({}), trainjob({})),
}


def said(name: str, profile: str) -> list[str]:
    """A line for each job, and one for each reason: text, file, line and path as JSON."""
    lines = []
    for unit in compiled(*CASES[name], profile).units:
        for entry in explanation(unit)["jobs"]:
            found = entry["processes"]
            lines.append(f"{profile} {entry['name']}: " + (json.dumps([found["value"], found["per"]]) if found else "nothing said"))
            lines += [f"    {json.dumps(list(reason.values()))}" for reason in (found["because"] if found else ())]
    return lines


@pytest.mark.parametrize("name", CASES)
def test_processes(name: str, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(line for profile in ("v2.0", "v2.1", "v2.3") for line in said(name, profile)) == snapshot
