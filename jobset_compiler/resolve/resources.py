"""resourcesPerNode merged into the template, before any plugin runs (upstream 2.3, #3602).

Earlier releases replace the container's resources at the very end instead: passes/user.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import NODE, TRAINER, ancestor_of, pod_spec_of

if TYPE_CHECKING:
    from jobset_compiler.api.runtime import MLPolicy

Tree = dict[str, Any]


def merge_resources_per_node(template: Tree, policy: MLPolicy | None, wanted: Tree) -> tuple[Tree, frozenset[tuple[int, int]]]:
    """The JobSet spec with the TrainJob's limits and requests laid over the node containers' by resource name, and which those are:
    (index of the replicatedJob, index of the container).

    Applies to trainer-labelled jobs and, with runLauncherAsNode, to the one called node; without an mlPolicy to none
    (JSC808). Claims, the runtime's as well, are dropped (JSC809). Only the first container called node of a job is meant.
    """
    jobs = list(template.get("replicatedJobs", ()))
    merged: set[tuple[int, int]] = set()
    for index, job in enumerate(jobs):
        if gets_node_resources(job["name"], ancestor_of(job), policy):
            containers = pod_spec_of(job).get("containers") or ()
            place = next((place for place, container in enumerate(containers) if container["name"] == NODE), None)
            if place is not None:
                jobs[index] = _with_resources(job, place, wanted)
                merged.add((index, place))
    return ({**template, "replicatedJobs": jobs} if merged else template), frozenset(merged)


def gets_node_resources(name: str, ancestor: str | None, policy: MLPolicy | None) -> bool:
    """Whether the node container of a job gets resourcesPerNode merged in."""
    if policy is None:
        return False
    return ancestor == TRAINER or (name == NODE and policy.mpi is not None and policy.mpi.run_launcher_as_node)


def _with_resources(job: Tree, place: int, wanted: Tree) -> Tree:
    pod = pod_spec_of(job)
    containers = list(pod["containers"])
    containers[place] = {**containers[place], "resources": _merged(containers[place].get("resources", {}), wanted)}
    template = job["template"]
    spec = template["spec"]
    pod_template = {**spec["template"], "spec": {**pod, "containers": containers}}
    return {**job, "template": {**template, "spec": {**spec, "template": pod_template}}}


def _merged(have: Tree, wanted: Tree) -> Tree:
    out: Tree = {}
    for key in ("limits", "requests"):
        both = {**have.get(key, {}), **wanted.get(key, {})}
        if both:
            out[key] = dict(sorted(both.items()))
    return out
