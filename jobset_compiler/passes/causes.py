"""What computed values go back to, for the `because` of an edit: counts and resources that several inputs decide.

A cause is a place, not a value: whether it is there, and who wrote it, is for `provenance.layers` to find.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import NODE, TRAINER, ancestor_of, containers_of, pod_spec_of
from jobset_compiler.resolve.plan import replicated_jobs
from jobset_compiler.resolve.record import RESOURCES_PER_NODE, OfCount, OfTemplate, Several

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.resolve.record import Because

POD = ("template", "spec", "template", "spec")


def all_counts(plan: Plan) -> Several:
    """The numbers of pods of all PodSets."""
    return Several(tuple(OfCount(pods.name) for pods in plan.pod_sets))


def hosts(plan: Plan, jobs: tuple[str, ...]) -> Several:
    """How many hosts there are of those replicatedJobs, and their domain."""
    counts = tuple(OfCount(pods.name) for pods in plan.pod_sets if pods.name in jobs)
    replicas = tuple(OfTemplate(("replicatedJobs", index, "replicas")) for index, pods in enumerate(plan.pod_sets) if pods.name in jobs)
    return Several((*counts, *replicas, OfTemplate(("network", "subdomain"))))


def node_resources(plan: Plan) -> Because:
    """The resources of one node: see `Plan.node_resources`."""
    trainer = plan.job.trainer
    if trainer is not None and trainer.resources_per_node is not None:
        return RESOURCES_PER_NODE
    path = node_container(plan)
    return OfTemplate((*path, "resources")) if path else ()


def node_container(plan: Plan) -> Path:
    """The place in the template of the container that upstream takes for the runtime's node; () without one."""
    for index, job in enumerate(replicated_jobs(plan.template)):
        if job["name"] == NODE or ancestor_of(job) == TRAINER:
            for number, container in enumerate(containers_of(job)):
                if container["name"] == NODE:
                    return ("replicatedJobs", index, *POD, "containers", number)
    return ()


def at(plan: Plan, path: Path) -> dict[str, Any]:
    """What the template has there, a mapping."""
    value: Any = plan.template
    for step in path:
        value = value[step]
    found: dict[str, Any] = value
    return found


def all_resources(plan: Plan) -> Several:
    """The resources of all pods."""
    places: list[Because] = [RESOURCES_PER_NODE]
    for index, job in enumerate(replicated_jobs(plan.template)):
        pod = pod_spec_of(job)
        places += [OfTemplate(("replicatedJobs", index, *POD, field)) for field in ("overhead", "resources")]
        for number in range(len(pod.get("containers") or ())):
            places.append(OfTemplate(("replicatedJobs", index, *POD, "containers", number, "resources")))
        for number in range(len(pod.get("initContainers") or ())):
            # One that always restarts runs beside the others.
            places += [OfTemplate(("replicatedJobs", index, *POD, "initContainers", number, field)) for field in ("resources", "restartPolicy")]
    return Several(tuple(places))
