"""TFJob: a replicatedJob a role, and TF_CONFIG written out with today's names.

Source: kubeflow/trainer v1.9.2 pkg/controller.v1/tensorflow (tensorflow.go, tfjob_controller.go). TF_TASK_INDEX comes before TF_CONFIG, since Kubernetes
expands $(NAME) from earlier entries only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.notes import in_job, in_runtime
from jobset_compiler.dialects.tree import Made
from jobset_compiler.dialects.v1.hosts import host
from jobset_compiler.dialects.v1.kinds import CHIEF, EVALUATOR, MASTER, PS, WORKER
from jobset_compiler.dialects.v1.pods import Variable
from jobset_compiler.dialects.v1.policy import run_policy
from jobset_compiler.dialects.v1.roles import Pods, all_of, convert_roles, path_of

if TYPE_CHECKING:
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.v1.job import Role, V1Job
    from jobset_compiler.dialects.wishes import Target

TASK_INDEX, TF_CONFIG = "TF_TASK_INDEX", "TF_CONFIG"
ALL_WORKERS = "AllWorkers"


def convert_tensorflow(job: V1Job, target: Target, notes: Notes) -> list[Any]:
    """The trees of the new documents; [] where the job cannot be converted."""
    if job.spec.get("enableDynamicWorker") is True:
        hint = "with enableDynamicWorker: false a fixed TF_CONFIG is written"
        notes.no_equivalent(("spec", "enableDynamicWorker"), "enableDynamicWorker: no release of Trainer v2 adds or removes workers of a running job", hint)
        return []
    policy = run_policy(job, target, notes)
    roles = job.roles
    trainer = next(roles[name] for name in (WORKER, CHIEF, MASTER, PS, EVALUATOR) if name in roles)
    decides = next((roles[name] for name in (CHIEF, MASTER) if name in roles), trainer)
    success: dict[str, Any] = {}
    if decides.name == WORKER and job.spec.get("successPolicy") != ALL_WORKERS:
        success["successPolicy"] = Made({"rules": [{"succeededIndexes": "0"}]}, decides.path)
        at = path_of([*roles].index(WORKER))[:-1]
        notes.remark(in_runtime(*at, "successPolicy"), "as in v1, the job is done when worker 0 is", inline=False)
    pods = [Pods(role, _variables(job, role) if target.wishes.v1_env else (), spec=success if role is decides else {}) for role in roles.values()]
    if job.total > 1 and target.wishes.v1_env:
        at = path_of([*roles].index(trainer.name))
        where = in_runtime(*at, "spec", "containers", trainer.container, "env")
        notes.variables_written(trainer.trainer, f"TF_CONFIG is written as v1 did, with the pods' new names: this runtime fits TrainJob {job.name} only", where)
    elif job.total > 1:
        message = "without TF_CONFIG each pod trains alone: it was left out, and no release of Trainer v2 writes it"
        notes.works_otherwise(trainer.trainer, message, in_job(), "the extension tensorflow writes it when the job is compiled")
    return convert_roles(job, pods, trainer, policy, {"successPolicy": all_of(decides)}, target, notes)


def _variables(job: V1Job, role: Role) -> tuple[Variable, ...]:
    if job.total == 1:
        return ()
    cluster = ",".join(
        f'"{other.word}":[' + ",".join(f'"{host(job.name, other.word, index)}:{job.port(other)}"' for index in range(other.replicas)) + "]"
        for other in sorted(job.roles.values(), key=lambda other: other.word)
    )
    text = f'{{"cluster":{{{cluster}}},"task":{{"type":"{role.word}","index":$({TASK_INDEX})}},"environment":"cloud"}}'
    return Variable(TASK_INDEX, None, role.path), Variable(TF_CONFIG, text, role.path)
