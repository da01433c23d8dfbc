"""Jobs with several kinds of pods: each role becomes a replicatedJob of its own, in a runtime written for the job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.dialects.notes import in_job
from jobset_compiler.dialects.tree import At, Made
from jobset_compiler.dialects.v1.hosts import host, old_names
from jobset_compiler.dialects.v1.outputs import Jobs, replicated_job, resources, runtime, runtime_ref, trainjob
from jobset_compiler.dialects.v1.pods import NODE, PodChanges, failure_policy, pod_template

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.v1.job import Role, V1Job
    from jobset_compiler.dialects.v1.pods import Variable
    from jobset_compiler.dialects.v1.policy import RunPolicy
    from jobset_compiler.dialects.wishes import Target


class Pods(NamedTuple):
    """The pods of a role. everywhere: whether the variables go into every container; spec: further members of their Job."""

    role: Role
    variables: tuple[Variable, ...]
    everywhere: bool = False
    spec: Mapping[str, Any] = {}


def path_of(position: int) -> Path:
    """Where the pod template of a replicatedJob of the runtime stands."""
    return ("spec", "template", "spec", "replicatedJobs", position, "template", "spec", "template")


def convert_roles(job: V1Job, pods: Sequence[Pods], trainer: Role, policy: RunPolicy, jobset: dict[str, Any], target: Target, notes: Notes) -> list[Any]:
    """The runtime and the TrainJob; `trainer`: the role that TrainJobs count and configure."""
    if target.wishes.runtime:
        message = f"a {job.kind.name} has several kinds of pods, and spec.trainer speaks of one"
        notes.cannot_hold(job.replicas, message, "leave --runtime out, and a runtime is written that has all of them")
        return []
    old_names(job, job.roles.values(), notes, lambda word, index: _now(job, word, index))
    entries = []
    for position, each in enumerate(pods):
        role = each.role
        name = NODE if role is trainer else job.kind.container
        changes = PodChanges(name, variables=each.variables, everywhere=each.variables if each.everywhere else (), pod=policy.pod)
        template = pod_template(job, role, notes, path_of(position), changes)
        count: dict[str, Any] = {}
        if role is not trainer:
            count = {key: Made(role.replicas, (*role.path, "replicas")) for key in ("parallelism", "completions")}
        spec = {**count, **(policy.job if role is trainer else {}), **each.spec, **failure_policy(role, name)}
        entries.append(replicated_job(role.word, role, template, trainer=role is trainer, spec=spec))
    written = runtime(job, Jobs({"numNodes": trainer.replicas}, entries, jobset), policy)
    fields = {"numNodes": Made(trainer.replicas, (*trainer.path, "replicas")), **resources(job, trainer)}
    if len(pods) > 1:
        notes.remark(in_job("spec", "trainer", "numNodes"), f"{trainer.name} alone; the other pods are counted in the runtime")
    return [written, trainjob(job, runtime_ref(job), fields, policy)]


def _now(job: V1Job, word: str, index: int | None) -> str:
    return f"{job.name}-{word}-0-<index>.{job.name}" if index is None else host(job.name, word, index)


def all_of(role: Role) -> At:
    """The JobSet's successPolicy: it is complete when that role is."""
    return At(role.path, {"operator": "All", "targetReplicatedJobs": [role.word]})
