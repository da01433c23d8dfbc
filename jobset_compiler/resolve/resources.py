"""resourcesPerNode merged into the template, before any plugin runs (upstream 2.3, #3602).

Earlier releases replace the container's resources at the very end instead: passes/user.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import NODE, TRAINER, ancestor_of, pod_spec_of

if TYPE_CHECKING:
    from jobset_compiler.api.runtime import MLPolicy


def merge_resources_per_node(template: dict[str, Any], policy: MLPolicy | None, wanted: dict[str, Any]) -> dict[str, Any]:
    """The JobSet spec with the TrainJob's limits and requests laid over the node containers' by resource name.

    Applies to trainer-labelled jobs and, with runLauncherAsNode, to the one called node; without an mlPolicy to none
    (Q8). Claims, the runtime's as well, are dropped (Q9). Only the first container called node of a job is meant.
    """
    if policy is None:
        return template
    jobs = [
        _with_resources(job, wanted) if gets_node_resources(job["name"], ancestor_of(job), policy) else job
        for job in template.get("replicatedJobs", ())
    ]
    return {**template, "replicatedJobs": jobs} if jobs else template


def gets_node_resources(name: str, ancestor: str | None, policy: MLPolicy | None) -> bool:
    """Whether the node container of a job gets resourcesPerNode merged in."""
    if policy is None:
        return False
    return ancestor == TRAINER or (name == NODE and policy.mpi is not None and policy.mpi.run_launcher_as_node)


def _with_resources(job: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    pod = pod_spec_of(job)
    containers = list(pod.get("containers") or ())
    for index, container in enumerate(containers):
        if container["name"] == NODE:
            containers[index] = {**container, "resources": _merged(container.get("resources", {}), wanted)}
            break
    else:
        return job
    template = job["template"]
    spec = template["spec"]
    pod_template = {**spec["template"], "spec": {**pod, "containers": containers}}
    return {**job, "template": {**template, "spec": {**spec, "template": pod_template}}}


def _merged(have: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key in ("limits", "requests"):
        both = {**have.get(key, {}), **wanted.get(key, {})}
        if both:
            out[key] = dict(sorted(both.items()))
    return out
