from __future__ import annotations

from typing import Any

import pytest

from tests.passes.plans import compiled, container, edits, env_of, job, plan_of, runtime, step, trainjob

INDEX = {"fieldRef": {"fieldPath": "metadata.annotations['batch.kubernetes.io/job-completion-index']"}}


@pytest.mark.parametrize("profile", ["v2.2", "v2.3"])
def test_variables_follow_the_users(profile: str) -> None:
    result = compiled(runtime({"xgboost": {}}), trainjob({"numNodes": 2, "env": [{"name": "A", "value": "a"}]}), profile)
    assert env_of(result, "node") == [
        ("A", "a"),
        ("DMLC_TRACKER_URI", "job-node-0-0.job"),
        ("DMLC_TRACKER_PORT", "29500"),
        ("DMLC_TASK_ID", INDEX),
        ("DMLC_NUM_WORKER", "2"),
    ]


# The runtime's resources, resourcesPerNode -> workers of two nodes
WORKERS: tuple[tuple[dict[str, Any], dict[str, Any] | None, int], ...] = (
    ({}, None, 2),
    ({"limits": {"nvidia.com/gpu": 4}}, None, 8),
    ({"requests": {"amd.com/gpu": 3}}, None, 6),
    ({"limits": {"nvidia.com/gpu": 4}}, {"limits": {"nvidia.com/gpu": 1}}, 2),
    ({"limits": {"nvidia.com/gpu": 4}}, {"limits": {"cpu": 1}}, 2),
    ({"limits": {"nvidia.com/mig-1g.5gb": 4}}, None, 2),
    ({"limits": {"nvidia.com/gpu": 0}}, None, 2),
    ({}, {"requests": {"nvidia.com/gpumem": "10Gi"}}, 0),
    ({}, {"requests": {"nvidia.com/gpumem": "1Gi"}}, -2147483648),
)


@pytest.mark.parametrize(("resources", "per_node", "workers"), WORKERS)
def test_workers(resources: dict[str, Any], per_node: dict[str, Any] | None, workers: int) -> None:
    trainer: dict[str, Any] = {"numNodes": 2}
    if per_node is not None:
        trainer["resourcesPerNode"] = per_node
    result = compiled(runtime({"xgboost": {}}, job(containers=[container(resources=resources)])), trainjob(trainer))
    assert dict(env_of(result, "node"))["DMLC_NUM_WORKER"] == str(workers)


def test_nothing_without_trainer_section_trainer_job_or_node_container() -> None:
    assert edits(step("xgboost"), plan_of(runtime({"xgboost": {}}), trainjob())) == []
    assert edits(step("xgboost"), plan_of(runtime({"xgboost": {}}, job("node", None)), trainjob({}))) == []
    assert edits(step("xgboost"), plan_of(runtime({"xgboost": {}}, job(containers=[container("main")])), trainjob({}))) == []
