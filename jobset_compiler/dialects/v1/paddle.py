"""PaddleJob: collective training as one Job with ranks, or parameter servers and trainers as two.

Source: kubeflow/trainer v1.9.2 pkg/controller.v1/paddlepaddle/envvar.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.notes import in_job
from jobset_compiler.dialects.v1.hosts import host
from jobset_compiler.dialects.v1.kinds import MASTER, WORKER
from jobset_compiler.dialects.v1.pods import NODE, Variable
from jobset_compiler.dialects.v1.policy import run_policy
from jobset_compiler.dialects.v1.ranked import Ranked, convert
from jobset_compiler.dialects.v1.roles import Pods, all_of, convert_roles

if TYPE_CHECKING:
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.v1.job import V1Job
    from jobset_compiler.dialects.wishes import Target


def convert_paddle(job: V1Job, target: Target, notes: Notes) -> list[Any]:
    """The trees of the new documents; [] where the job cannot be converted."""
    if job.spec.get("elasticPolicy") is not None:
        message = "elasticPolicy of a PaddleJob did nothing in v1 either"
        notes.not_carried(("spec", "elasticPolicy"), message, in_job("spec", "trainer", "numNodes"))
    common = [
        Variable("PYTHONUNBUFFERED", "1", job.replicas),
        Variable("PADDLE_JOB_ID", job.name, ("metadata", "name")),
        Variable("PADDLE_NNODES", str(job.total), job.replicas),
    ]
    if target.wishes.v1_env:
        first = next(iter(job.roles.values()))
        where = in_job("spec", "trainer", "env") if MASTER not in job.roles else in_job()
        notes.variables_written(first.trainer, "PADDLE_MASTER, PADDLE_NNODES and PADDLE_JOB_ID are set as v1 did", where)
    if MASTER not in job.roles:
        worker = job.roles[WORKER]
        master = Variable("PADDLE_MASTER", f"{host(job.name, NODE, 0)}:{job.port(worker)}", worker.path)
        return convert(job, Ranked(worker, (*common, master), ""), target, notes)
    servers = job.roles[MASTER]
    master = Variable("PADDLE_MASTER", f"{host(job.name, servers.word, 0)}:{job.port(servers)}", servers.path)
    number = {MASTER: "PADDLE_SERVER_NUM", WORKER: "PADDLE_TRAINER_NUM"}
    pods = [
        Pods(role, (*common, master, Variable(number[role.name], "1", role.path)) if target.wishes.v1_env else (), everywhere=True)
        for role in job.roles.values()
    ]
    policy = run_policy(job, target, notes)
    jobset: dict[str, Any] = {}
    if target.wishes.keep_success_policy:
        jobset["successPolicy"] = all_of(servers)
    else:
        message = "v1 ended with the masters; now all pods must end"
        notes.ends_otherwise(servers.path, message, in_job(), "--keep-success-policy writes the old rule into the runtime")
    return convert_roles(job, pods, job.roles.get(WORKER, servers), policy, jobset, target, notes)

