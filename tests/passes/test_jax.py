from __future__ import annotations

import pytest

from tests.passes.plans import compiled, container, edits, env_of, job, messages, plan_of, pods_of, runtime, step, trainjob

PROFILES = ("v2.2", "v2.3")
INDEX = {"fieldRef": {"fieldPath": "metadata.annotations['batch.kubernetes.io/job-completion-index']"}}


@pytest.mark.parametrize("profile", PROFILES)
def test_variables_stand_between_the_runtimes_and_the_users(profile: str) -> None:
    given = runtime({"jax": {}}, job(containers=[container(env=[{"name": "R", "value": "r"}])]))
    result = compiled(given, trainjob({"numNodes": 3, "env": [{"name": "A", "value": "a"}]}), profile)
    assert env_of(result, "node") == [
        ("R", "r"),
        ("JAX_NUM_PROCESSES", "3"),
        ("JAX_PROCESS_ID", INDEX),
        ("JAX_COORDINATOR_ADDRESS", "job-node-0-0.job:29500"),
        ("A", "a"),
    ]
    assert pods_of(result, "node")["containers"][0]["ports"] == [{"containerPort": 29500}]


def test_the_users_value_wins() -> None:
    result = compiled(runtime({"jax": {}}), trainjob({"env": [{"name": "JAX_NUM_PROCESSES", "value": "9"}]}))
    assert env_of(result, "node")[0] == ("JAX_NUM_PROCESSES", "9")


@pytest.mark.parametrize("profile", PROFILES)
def test_nothing_without_a_trainer_section_or_a_node_container(profile: str) -> None:
    assert edits(step("jax"), plan_of(runtime({"jax": {}}), trainjob(), profile)) == []
    assert edits(step("jax"), plan_of(runtime({"jax": {}}, job(containers=[container("main")])), trainjob({}), profile)) == []


@pytest.mark.parametrize(("profile", "codes"), [("v2.2", ["JSC312"]), ("v2.3", [])])
def test_a_runtime_without_trainer_job_crashes_2_2_only(profile: str, codes: list[str]) -> None:
    plan = plan_of(runtime({"jax": {}}, job("node", None)), trainjob({}), profile)
    assert edits(step("jax"), plan) == []
    assert [code for code, _, _ in messages(step("jax"), plan)] == codes
