"""XGBoostJob, LightGBM included: plain pods with the variables of v1, or, if asked for, the xgboost policy.

Source: kubeflow/trainer v1.9.2 pkg/controller.v1/xgboost/xgboost.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.notes import in_job
from jobset_compiler.dialects.v1.differences import one_role
from jobset_compiler.dialects.v1.hosts import host
from jobset_compiler.dialects.v1.kinds import MASTER, WORKER
from jobset_compiler.dialects.v1.pods import NODE, Variable
from jobset_compiler.dialects.v1.ranked import Ranked, convert

if TYPE_CHECKING:
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.v1.job import V1Job
    from jobset_compiler.dialects.wishes import Target

SHIPPED, POLICY = "xgboost-distributed", "xgboost"


def convert_xgboost(job: V1Job, target: Target, notes: Notes) -> list[Any]:
    """The trees of the new documents; [] where the job cannot be converted."""
    role = one_role(job, target, notes)
    if notes.failed:
        return []
    if target.wishes.native:
        if POLICY not in target.profile.policies:
            message = f"{target.profile.name} has no xgboost policy"
            notes.no_equivalent(("kind",), message, "leave --native out")
            return []
        message = "DMLC_TRACKER_URI, DMLC_TASK_ID and their like are set now: a script that starts the tracker from MASTER_ADDR must be changed"
        notes.works_otherwise(role.trainer, message, in_job("spec", "trainer"))
        return convert(job, Ranked(role, (), POLICY, SHIPPED, rank_decides=False), target, notes)
    if target.wishes.v1_env:
        names = "MASTER_ADDR, MASTER_PORT, WORLD_SIZE, RANK and WORKER_ADDRS" if job.total > 1 else "MASTER_ADDR, MASTER_PORT, WORLD_SIZE and RANK"
        message = f"{names} are set as v1 did"
        notes.variables_written(role.trainer, message, in_job("spec", "trainer", "env"))
    return convert(job, Ranked(role, _variables(job), "", rank_decides=True), target, notes)


def _variables(job: V1Job) -> tuple[Variable, ...]:
    master, worker = job.roles[MASTER], job.roles.get(WORKER)
    found = [
        Variable("MASTER_PORT", str(job.port(master)), master.path),
        Variable("MASTER_ADDR", host(job.name, NODE, 0), master.path),
        Variable("WORLD_SIZE", str(job.total), job.replicas),
        Variable("RANK", None, job.replicas),
        Variable("PYTHONUNBUFFERED", "1", job.replicas),
    ]
    if worker is not None:
        addresses = ",".join(host(job.name, NODE, index) for index in range(1, job.total))
        found += [Variable("WORKER_PORT", str(job.port(worker)), worker.path), Variable("WORKER_ADDRS", addresses, worker.path)]
    return tuple(found)
