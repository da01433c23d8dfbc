"""Fields that a server fills in: a policy whose field is missing says so, and makes nothing that needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.passes.driver import run_passes
from jobset_compiler.passes.registry import BUILTIN
from tests.passes.plans import plan_of, runtime, trainjob

if TYPE_CHECKING:
    from jobset_compiler.resolve.plan import Plan


def missing(plan: Plan) -> list[str]:
    return [diagnostic.message.split()[0] for diagnostic in run_passes(plan, BUILTIN).diagnostics if diagnostic.code == "JSC313"]


def kinds(plan: Plan) -> list[str]:
    return [manifest["kind"] for manifest in run_passes(plan, BUILTIN).plan.objects]


def test_pod_groups_and_flux() -> None:
    plan = plan_of(runtime({"flux": {}}, gang={"volcano": {"networkTopology": {}}, "coscheduling": {}}), trainjob({"numNodes": 1}))
    assert missing(plan) == [] and kinds(plan) == ["PodGroup", "PodGroup", "ConfigMap", "Secret"]
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
    assert missing(bare) == ["numProcPerNode", "scheduleTimeoutSeconds", "highestTierAllowed"]
    assert "PodGroup" not in kinds(bare)


def test_mpi() -> None:
    plan = plan_of(runtime({"mpi": {}}), trainjob({}))
    policy = plan.runtime.ml_policy
    assert missing(plan) == [] and policy and policy.mpi
    without = policy._replace(mpi=policy.mpi._replace(num_proc_per_node=None))
    assert missing(plan._replace(runtime=plan.runtime._replace(ml_policy=without))) == ["numProcPerNode"]
