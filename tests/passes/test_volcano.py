from __future__ import annotations

import pytest

from jobset_compiler.passes.required_fields import REQUIRED_FIELDS
from jobset_compiler.passes.volcano import VOLCANO, priority_class_names
from tests.passes.plans import compiled, edits, job, messages, plan_of, runtime, the, trainjob

GROUP = "scheduling.k8s.io/group-name"


@pytest.mark.parametrize("profile", ["v2.1", "v2.2", "v2.3"])
def test_every_pod_template_is_annotated(profile: str) -> None:
    given = runtime({}, job(), job("other", None), gang={"volcano": {}})
    jobs = the(compiled(given, trainjob({}), profile), "JobSet")["spec"]["replicatedJobs"]
    assert [entry["template"]["spec"]["template"]["metadata"]["annotations"] for entry in jobs] == [{GROUP: "job"}] * 2


def test_nothing_with_coscheduling() -> None:
    assert edits(VOLCANO, plan_of(runtime({}, gang={"coscheduling": {}}), trainjob({}))) == []


def test_priority_classes_in_the_order_of_the_jobs() -> None:
    given = runtime({}, job(priorityClassName="low"), job("b", None), job("c", None, priorityClassName="high"), gang={"volcano": {}})
    assert priority_class_names(plan_of(given, trainjob({}))) == ("low", "high")


def test_fields_that_a_server_fills_in() -> None:
    plan = plan_of(runtime({"flux": {}}, gang={"volcano": {"networkTopology": {}}, "coscheduling": {}}), trainjob({}))
    assert messages(REQUIRED_FIELDS, plan) == []
    policy, gang = plan.runtime.ml_policy, plan.runtime.pod_group_policy
    assert policy and policy.flux and gang and gang.volcano and gang.coscheduling
    bare = plan._replace(
        runtime=plan.runtime._replace(
            ml_policy=policy._replace(flux=policy.flux._replace(num_proc_per_node=None)),
            pod_group_policy=gang._replace(
                volcano=gang.volcano._replace(network_topology={"mode": "hard"}), coscheduling=gang.coscheduling._replace(schedule_timeout_seconds=None)
            ),
        )
    )
    assert [message.split()[0] for _, _, message in messages(REQUIRED_FIELDS, bare)] == ["numProcPerNode", "scheduleTimeoutSeconds", "highestTierAllowed"]
    mpi = plan_of(runtime({"mpi": {}}), trainjob({}))
    assert mpi.runtime.ml_policy and mpi.runtime.ml_policy.mpi
    without = mpi.runtime.ml_policy._replace(mpi=mpi.runtime.ml_policy.mpi._replace(num_proc_per_node=None))
    assert len(messages(REQUIRED_FIELDS, mpi._replace(runtime=mpi.runtime._replace(ml_policy=without)))) == 1
