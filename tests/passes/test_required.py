"""Fields that a server fills in: a policy whose field is missing says so, and makes nothing that needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import Coscheduling, FluxPolicy, MLPolicy, MPIPolicy, PodGroupPolicy, Volcano
from jobset_compiler.diagnostics.place import format_path
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
    policy = MLPolicy("flux", None, torch=None, mpi=None, flux=FluxPolicy(num_proc_per_node=None))
    gang = PodGroupPolicy(Coscheduling(schedule_timeout_seconds=None), Volcano({"mode": "hard"}))
    bare = plan._replace(runtime=plan.runtime._replace(ml_policy=policy, pod_group_policy=gang))
    assert missing(bare) == ["numProcPerNode", "scheduleTimeoutSeconds", "highestTierAllowed"]
    told = [diagnostic for diagnostic in run_passes(bare, BUILTIN).diagnostics if diagnostic.code == "JSC313"]
    assert {(diagnostic.stage, diagnostic.object_kind, diagnostic.name) for diagnostic in told} == {("build", "TrainJob", "job")}
    assert [(diagnostic.hint, format_path(diagnostic.at)) for diagnostic in told] == [
        ("write numProcPerNode: 1, the server's default (#4053)", "spec.mlPolicy.flux.numProcPerNode"),
        ("write scheduleTimeoutSeconds: 60, the server's default (#4053)", "spec.podGroupPolicy.coscheduling.scheduleTimeoutSeconds"),
        ("write highestTierAllowed: 1, the server's default (#4053)", "spec.podGroupPolicy.volcano.networkTopology.highestTierAllowed"),
    ]
    assert "PodGroup" not in kinds(bare)


def test_mpi() -> None:
    plan = plan_of(runtime({"mpi": {}}), trainjob({}))
    mpi = plan.runtime.ml_policy and plan.runtime.ml_policy.mpi
    assert missing(plan) == [] and mpi
    bare = MPIPolicy(None, mpi.implementation, mpi.ssh_auth_mount_path, mpi.run_launcher_as_node)
    without = MLPolicy("mpi", None, torch=None, mpi=bare, flux=None)
    bare_plan = plan._replace(runtime=plan.runtime._replace(ml_policy=without))
    assert missing(bare_plan) == ["numProcPerNode"]
    assert [found.hint for found in run_passes(bare_plan, BUILTIN).diagnostics if found.code == "JSC313"] == [
        "write numProcPerNode: 1, the server's default (#4053)"
    ]
