"""Jobs whose pods are all alike and told apart by a rank: PyTorchJob, JAXJob, XGBoostJob, PaddleJob without parameter servers.

They become one replicatedJob `node`, whose completion index is the rank; the master is its first pod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.dialects.notes import Notes, in_job, in_runtime
from jobset_compiler.dialects.tree import Made, get
from jobset_compiler.dialects.v1.aim import existing_runtime, fits
from jobset_compiler.dialects.v1.hosts import host, old_names
from jobset_compiler.dialects.v1.kinds import MASTER, WORKER
from jobset_compiler.dialects.v1.outputs import Jobs, replicated_job, resources, runtime, runtime_ref, trainer_fields, trainjob
from jobset_compiler.dialects.v1.pods import NODE, PodChanges, failure_policy, pod_template, variables_of
from jobset_compiler.dialects.v1.policy import run_policy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jobset_compiler.dialects.v1.job import Role, V1Job
    from jobset_compiler.dialects.v1.pods import Variable
    from jobset_compiler.dialects.wishes import Target

POD = ("spec", "template", "spec", "replicatedJobs", 0, "template", "spec", "template")


class Ranked(NamedTuple):
    """What differs from kind to kind. role: whose template all get; variables: what the operator set; processes: of spec.trainer.numProcPerNode;
    policy: the ML policy of a written runtime; shipped: the community runtime to aim at, "" for none; reserved: variables that a TrainJob may not
    set; container: members of the training container that change; rank_decides: whether the job is done when rank 0 is, whatever is asked."""

    role: Role
    variables: tuple[Variable, ...]
    policy: str
    shipped: str = ""
    processes: Any = None
    reserved: frozenset[str] = frozenset()
    container: Mapping[str, Any] = {}
    rank_decides: bool = False


def convert(job: V1Job, ranked: Ranked, target: Target, notes: Notes) -> list[Any]:
    """The trees of the new documents."""
    role, wishes = ranked.role, target.wishes
    policy = run_policy(job, target, notes)
    variables = ranked.variables if wishes.v1_env else ()
    env = [] if not variables else [variable.entry for variable in variables]
    old_names(job, (role,), notes, lambda word, index: _now(job, word, index))
    _about_the_end(job, ranked, target, notes)
    count = {"numNodes": Made(job.total, job.replicas if len(job.roles) > 1 else (*role.path, "replicas"))}
    if len(job.roles) > 1:
        notes.remark(in_job("spec", "trainer", "numNodes"), " + ".join(f"{each.name} {each.replicas}" for each in job.roles.values()))
    if ranked.processes is not None:
        count["numProcPerNode"] = ranked.processes
    succeeds = ranked.rank_decides or (wishes.keep_success_policy and MASTER in job.roles)
    if wishes.runtime:
        return existing_runtime(job, role, policy, target, notes, {**count, **_all_fields(job, ranked, variables, notes)})
    if ranked.shipped and not policy.needs_runtime and not succeeds and fits(job, role, ranked.shipped, target):
        return [trainjob(job, {"name": ranked.shipped}, {**count, **_all_fields(job, ranked, variables, notes)}, policy)]
    if variables and len(get(job.value, *role.pod, "containers")) > 1:
        notes.remark(in_runtime(*POD, "spec", "containers"), "v1 gave its variables to every container; the TrainJob sets them for node", inline=False)
    changes = PodChanges(env=_own_env(job, role, variables, notes), everywhere=variables, container=ranked.container, pod=policy.pod)
    template = pod_template(job, role, notes, POD, changes)
    spec = {**policy.job, **failure_policy(role)}
    if succeeds:
        spec["successPolicy"] = Made({"rules": [{"succeededIndexes": "0"}]}, job.roles[MASTER].path)
        notes.remark(in_runtime(*POD[:-1], "successPolicy"), "as in v1, the job is done when rank 0 is", inline=False)
    node = replicated_job(NODE, role, template, trainer=True, spec=spec)
    named: dict[str, Any] = {ranked.policy: {}} if ranked.policy in target.profile.policies else {}
    written = runtime(job, Jobs({"numNodes": job.total, **named}, [node]), policy)
    fields = _all_fields(job, ranked, variables, Notes(job.document)) if wishes.trainer_fields else {**({"env": env} if env else {}), **resources(job, role)}
    return [written, trainjob(job, runtime_ref(job), {**count, **fields}, policy)]


def _own_env(job: V1Job, role: Role, variables: tuple[Variable, ...], notes: Notes) -> list[Any]:
    """env of the training container in the runtime: the user's own, without what the TrainJob sets."""
    env = variables_of(job, role.trainer, variables, notes, in_runtime(*POD, "spec", "containers", role.container))
    return env[: len(env) - len(variables)]


def _all_fields(job: V1Job, ranked: Ranked, variables: tuple[Variable, ...], notes: Notes) -> dict[str, Any]:
    """spec.trainer with everything of the training container that it has a field for."""
    role = ranked.role
    env = variables_of(job, role.trainer, variables, notes, in_job("spec", "trainer"), ranked.reserved)
    fields = {**trainer_fields(job, role, env), **{key: value for key, value in ranked.container.items() if key in ("command", "args")}}
    return {**fields, **resources(job, role)}


def _now(job: V1Job, word: str, index: int | None) -> str:
    if word == MASTER.lower():
        return host(job.name, NODE, index or 0)
    if word != WORKER.lower():
        return f"{job.name}-{NODE}-0-<index>.{job.name}"
    if index is None:
        before = " (the master comes first)" if MASTER in job.roles else ""
        return f"{job.name}-{NODE}-0-<index>.{job.name}{before}"
    return host(job.name, NODE, index + (job.roles[MASTER].replicas if MASTER in job.roles else 0))


def _about_the_end(job: V1Job, ranked: Ranked, target: Target, notes: Notes) -> None:
    if MASTER in job.roles and job.total > 1 and not ranked.rank_decides and not target.wishes.keep_success_policy:
        at = job.roles[MASTER].path
        notes.ends_otherwise(at, "v1 ended with the master; now all nodes must end", in_job(), "--keep-success-policy writes the old rule into a runtime")
