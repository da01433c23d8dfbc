"""Runtimes in which nothing runs, starts too early or cannot be reached: jobs, initializers, completion indexes, numbers of processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.rules.initializers import checks_mounts
from jobset_compiler.api.runtime import DATASET_INITIALIZER, LAUNCHER, MODEL_INITIALIZER, NODE, TRAINER, ancestor_of, pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.initializers import CACHE_IMAGE
from jobset_compiler.findings.words import COUNTS_PROCESSES, JOBS, POD, TEMPLATE, TRAINER_SPEC, containers_of, in_runtime, listed, on_trainjob
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]
INITIALIZERS = (DATASET_INITIALIZER, MODEL_INITIALIZER)
ONE_OR_MORE = "write 1 or more, or leave it out"


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    number = plan.job.trainer.num_proc_per_node if plan.job.trainer else None
    if plan.policy_name in COUNTS_PROCESSES and isinstance(number, int) and number < 1:
        yield on_trainjob(plan, codes.silent.NO_PROCESSES, _no_process(number), (*TRAINER_SPEC, "numProcPerNode"), ONE_OR_MORE)


def of_runtime(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    if not replicated_jobs(runtime.template):
        hint = "write the jobs under replicatedJobs: {name: node, template: {spec: {template: {spec: {containers: [...]}}}}}"
        yield in_runtime(runtime, codes.silent.RUNTIME_WITHOUT_JOBS, "the runtime has no replicatedJobs: nothing runs", TEMPLATE, hint)
        return
    yield from _not_awaited(runtime, profile)
    yield from _without_volume(runtime, profile)
    yield from _without_index(runtime)
    yield from _no_processes(runtime)


def _not_awaited(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    """A trainer that starts although an initializer is not complete."""
    jobs = replicated_jobs(runtime.template)
    initializers = [job["name"] for job in jobs if ancestor_of(job) in INITIALIZERS]
    if not initializers:
        return
    last = max(index for index, job in enumerate(jobs) if job["name"] in initializers)
    waits = {job["name"]: [(target["name"], target.get("status", "Complete")) for target in job.get("dependsOn", ())] for job in jobs}
    for index, job in enumerate(jobs):
        if ancestor_of(job) != TRAINER:
            continue
        complete = _completed_before(job["name"], waits)
        missing = [name for name in initializers if name not in complete]
        if missing:
            early = [name for name, status in waits[job["name"]] if name in missing and status != "Complete"]
            until = f"waits until {listed(early)} is ready, not until it is complete" if early == missing else f"does not wait for {listed(missing)}"
            yield in_runtime(
                runtime,
                codes.silent.INITIALIZER_NOT_AWAITED,
                f"{job['name']} {until}: training starts before the data is there",
                (*JOBS, index, "dependsOn") if early == missing else (*JOBS, index),
                _dependencies(job["name"], initializers, profile) + (f", and put {job['name']} after them" if index < last else ""),
            )


def _completed_before(name: str, waits: dict[str, list[tuple[str, str]]]) -> set[str]:
    """The jobs that are complete before that one starts, those that others waited for included."""
    complete: set[str] = set()
    seen = {name}
    ahead = [name]
    while ahead:
        for other, status in waits.get(ahead.pop(), ()):
            if status == "Complete":
                complete.add(other)
            if other not in seen:
                seen.add(other)
                ahead.append(other)
    return complete


def _dependencies(name: str, initializers: list[str], profile: Profile) -> str:
    """What to write, in a chain where a job may depend on one other only."""
    most = profile.types().struct("jobset.ReplicatedJob").fields["dependsOn"].constraints.get("maxItems", len(initializers))
    if len(initializers) > most:
        first, *_, last = initializers
        return f"write dependsOn: [{{name: {last}, status: Complete}}] in {name}, and let {last} depend on {first} (this release takes one entry)"
    return f"write dependsOn: [{', '.join(f'{{name: {other}, status: Complete}}' for other in initializers)}] in {name}"


def _without_volume(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    checked = checks_mounts(profile)
    for index, job in enumerate(replicated_jobs(runtime.template)):
        ancestor, pod = ancestor_of(job), pod_spec_of(job)
        if ancestor not in INITIALIZERS:
            continue
        own = {volume["name"] for volume in pod.get("volumes", ()) if "emptyDir" in volume}
        for place, container in enumerate(containers_of(pod)):
            if container["name"] != ancestor or any(entry["name"] == CACHE_IMAGE for entry in container.get("env", ())):
                continue
            mounts = [mount["name"] for mount in container.get("volumeMounts", ())]
            if any(name not in own for name in mounts) or (not mounts and checked):
                continue
            lost = "downloads into an emptyDir, which its pod takes along" if mounts else "mounts no volume: its download is lost, unless a patch mounts one"
            message = f"{ancestor} {lost}"
            hint = "mount a volume called initializer at /workspace here and in the trainer, such as a persistentVolumeClaim"
            yield in_runtime(runtime, codes.silent.INITIALIZER_WITHOUT_VOLUME, message, (*JOBS, index, *POD, "containers", place), hint)


def _without_index(runtime: Runtime) -> Iterator[Diagnostic]:
    policy = runtime.ml_policy.name if runtime.ml_policy else ""
    for index, job in enumerate(replicated_jobs(runtime.template)):
        spec = job.get("template", {}).get("spec", {})
        if policy and spec.get("completionMode") == "NonIndexed" and (ancestor_of(job) == TRAINER or job["name"] in (LAUNCHER, NODE)):
            message = f"the pods of {job['name']} have no index: no rank, and no host names"
            yield in_runtime(
                runtime, codes.silent.PODS_WITHOUT_INDEX, message, (*JOBS, index, "template", "spec", "completionMode"), "leave completionMode out"
            )


def _no_processes(runtime: Runtime) -> Iterator[Diagnostic]:
    policy = runtime.ml_policy
    for name in COUNTS_PROCESSES:
        settings = getattr(policy, name) if policy is not None else None
        number = settings.num_proc_per_node if settings is not None else None
        if isinstance(number, int) and number < 1:
            at = ("spec", "mlPolicy", name, "numProcPerNode")
            yield in_runtime(runtime, codes.silent.NO_PROCESSES, _no_process(number), at, ONE_OR_MORE)


def _no_process(number: int) -> str:
    return f"{number} processes on each node: nothing can be started"
