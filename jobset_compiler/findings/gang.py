"""PodGroups: what they wait for, what they count, and settings that do not reach them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.words import TEMPLATE, TRAINER_SPEC, container_path, job_path, listed, on_runtime, on_trainjob, pod_path
from jobset_compiler.passes.registry import has_volcano
from jobset_compiler.passes.volcano import QUEUE_ANNOTATION
from jobset_compiler.resolve.plan import replicated_jobs
from jobset_compiler.resolve.requests import counts_resources_per_node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    policy = plan.pod_group_policy
    if policy is None or (policy.coscheduling is None and policy.volcano is None):
        return
    jobs = replicated_jobs(plan.template)
    yield from _deadlock(plan, jobs)
    yield from _sums(plan, jobs)
    nameless = [job["name"] for job in jobs if not pod_spec_of(job).get("schedulerName")]
    if nameless:
        message = f"the pods of {listed(nameless)} have no schedulerName, which the controller never sets"
        scheduler = "volcano" if has_volcano(plan) else "that of the scheduler with the coscheduling plugin"
        hint = f"set schedulerName: {scheduler} in the runtime, unless a webhook or the cluster's default scheduler sees to it"
        yield on_runtime(plan, codes.parity.SCHEDULER_NAME_UNSET, message, pod_path(plan, nameless[0]), hint)
    if has_volcano(plan):
        yield from _volcano(plan, jobs)


def _deadlock(plan: Plan, jobs: list[Tree]) -> Iterator[Diagnostic]:
    """JSC815."""
    members = sum(pods.count for pods in plan.pod_sets)
    waiting = next((job for job in jobs if job.get("dependsOn")), None)
    if waiting is not None:
        yield on_runtime(
            plan,
            codes.parity.GANG_DEADLOCK,
            f"the PodGroup waits for all {members} pods, but {waiting['name']} is not made before {waiting['dependsOn'][0].get('name', '')} has run",
            (*job_path(plan, waiting["name"]), "dependsOn"),
            "leave dependsOn out, or run without podGroupPolicy",
        )
    elif len(jobs) > 1 and plan.template.get("startupPolicy", {}).get("startupPolicyOrder") == "InOrder":
        message = f"the PodGroup waits for all {members} pods, but startupPolicy InOrder makes them one job after the other"
        yield on_runtime(plan, codes.parity.GANG_DEADLOCK, message, (*TEMPLATE, "startupPolicy"), "start in any order, or run without podGroupPolicy")


def _sums(plan: Plan, jobs: list[Tree]) -> Iterator[Diagnostic]:
    """JSC816, JSC817."""
    trainer = plan.job.trainer
    resources = trainer.resources_per_node if trainer is not None else None
    counted = plan.resources_merged or counts_resources_per_node(plan)
    if resources and not counted:
        message = "minResources are the runtime's, not those of resourcesPerNode (#2980)"
        yield on_trainjob(
            plan, codes.parity.GANG_IGNORES_RESOURCES, message, (*TRAINER_SPEC, "resourcesPerNode"), "put the requests into the runtime, or use 2.2 or later"
        )
    if resources and counted:
        missing = [name for name in resources.get("limits", {}) if name not in resources.get("requests", {})]
        if missing:
            message = f"minResources leave out {listed(missing)}, which is limited but not requested"
            at = (*TRAINER_SPEC, "resourcesPerNode", "limits")
            yield on_trainjob(plan, codes.parity.GANG_IGNORES_LIMITS, message, at, "repeat the limits under requests")
            return
    for job in jobs:
        for container in pod_spec_of(job).get("containers") or ():
            listing = container.get("resources", {})
            missing = [name for name in listing.get("limits", {}) if name not in listing.get("requests", {})]
            if missing:
                message = f"minResources leave out {listed(missing)} of {job['name']}, which is limited but not requested"
                at = (*container_path(plan, job["name"], container["name"]), "resources", "limits")
                yield on_runtime(plan, codes.parity.GANG_IGNORES_LIMITS, message, at, "repeat the limits under requests")
                return


def _volcano(plan: Plan, jobs: list[Tree]) -> Iterator[Diagnostic]:
    """JSC844."""
    classes = {job["name"]: name for job in jobs if (name := pod_spec_of(job).get("priorityClassName"))}
    if len(set(classes.values())) > 1:
        *others, last = classes
        message = f"the PodGroup has the priority class of {last}, {classes[last]}; that of {listed(others)} does not count (#4084)"
        yield on_runtime(
            plan, codes.parity.VOLCANO_SETTINGS, message, (*pod_path(plan, others[0]), "priorityClassName"), "give all replicatedJobs the same class"
        )
    queue = plan.job.annotations.get(QUEUE_ANNOTATION)
    if queue is not None and plan.annotations.get(QUEUE_ANNOTATION) != queue:
        yield on_trainjob(
            plan,
            codes.parity.VOLCANO_SETTINGS,
            f"queue {queue} in the TrainJob's own annotations has no effect",
            ("metadata", "annotations", QUEUE_ANNOTATION),
            "annotate the JobSet: in the runtime's template, in spec.annotations (2.1) or in the metadata of a runtimePatch (from 2.2)",
        )
