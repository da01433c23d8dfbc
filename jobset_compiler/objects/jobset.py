"""The JobSet: the template of the Plan with counts, containers, labels and the TrainJob's suspend written into it.

Source: Build in pkg/runtime/framework/plugins/jobset/jobset.go and builder.go (2.0: syncPodSets).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import DATASET_INITIALIZER, MODEL_INITIALIZER, TRAINER
from jobset_compiler.objects.owner import metadata
from jobset_compiler.passes.ports import final_ports
from jobset_compiler.profiles import features
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from jobset_compiler.kube.table import Struct, TypeTable
    from jobset_compiler.resolve.plan import Plan, PodContainer, PodSet

Tree = dict[str, Any]
API_VERSION = "jobset.x-k8s.io/v1alpha2"
KIND = "JobSet"
SINGLE_REPLICA_ANCESTORS = (TRAINER, DATASET_INITIALIZER, MODEL_INITIALIZER)


def build(plan: Plan) -> Tree:
    """The JobSet that the controller would submit."""
    types = plan.profile.types()
    spec = {**plan.template}
    jobs = [_replicated_job(plan, entry, pods, types) for entry, pods in zip(replicated_jobs(plan.template), plan.pod_sets, strict=True)]
    if jobs:
        spec["replicatedJobs"] = jobs
    if plan.job.suspend is not None:
        spec["suspend"] = plan.job.suspend
    else:
        spec.pop("suspend", None)
    return {
        "apiVersion": API_VERSION,
        "kind": KIND,
        "metadata": metadata(plan, plan.job.name, plan.labels, plan.annotations),
        "spec": types.struct("jobset.JobSetSpec").in_order(spec),
    }


def counted_by(plan: Plan, pods: PodSet) -> PodSet:
    """The PodSet whose count a Job of `pods` runs, as both parallelism and completions (JSC813)."""
    first = plan.trainer_pods()
    if pods.ancestor == TRAINER and first is not None and plan.profile.has(features.FIRST_TRAINER_COUNT_FOR_ALL):
        return first
    return pods


def parallel_count(plan: Plan, pods: PodSet) -> int:
    """How many pods a Job of this PodSet runs."""
    return counted_by(plan, pods).count


def _replicated_job(plan: Plan, entry: Tree, pods: PodSet, types: TypeTable) -> Tree:
    template = entry.get("template", {})
    job_spec = template.get("spec", {})
    pod_template = job_spec.get("template", {})
    count = parallel_count(plan, pods)
    job_spec = {
        **job_spec,
        "parallelism": count,
        "completions": count,
        "template": {
            "metadata": _pod_metadata(plan, pod_template.get("metadata", {})),
            "spec": _pod_spec(plan, pod_template.get("spec", {}), pods, types),
        },
    }
    out = {**entry, "template": {"metadata": template.get("metadata", {}), "spec": types.struct("batch.JobSpec").in_order(job_spec)}}
    if pods.ancestor in SINGLE_REPLICA_ANCESTORS:
        out["replicas"] = 1
    return types.struct("jobset.ReplicatedJob").in_order(out)


def _pod_metadata(plan: Plan, meta: Tree) -> Tree:
    for key, more in (("labels", plan.pod_labels), ("annotations", plan.pod_annotations)):
        if more:
            meta = {**meta, key: dict(sorted({**meta.get(key, {}), **dict(more)}.items()))}
    return meta


def _pod_spec(plan: Plan, spec: Tree, pods: PodSet, types: TypeTable) -> Tree:
    container_type = types.struct("core.Container")
    out = {**spec}
    if pods.volumes and pods.volumes != tuple(spec.get("volumes", ())):
        out["volumes"] = list(pods.volumes)
    if pods.added_dns_searches:
        config = spec.get("dnsConfig", {})
        searches = [*config.get("searches", ()), *pods.added_dns_searches]
        out["dnsConfig"] = types.struct("core.PodDNSConfig").in_order({**config, "searches": list(dict.fromkeys(searches))})
    containers = [
        _container(plan, container, state, container_type, init=False)
        for container, state in zip(spec.get("containers") or (), pods.containers, strict=True)
    ]
    if containers:
        out["containers"] = containers
    else:
        out.pop("containers", None)
    init_containers = [
        _container(plan, container, state, container_type, init=True)
        for container, state in zip(spec.get("initContainers", ()), pods.init_containers, strict=True)
    ]
    if init_containers or pods.added_init_containers:
        out["initContainers"] = [*init_containers, *pods.added_init_containers]
    return types.struct("core.PodSpec").in_order(out)


def _container(plan: Plan, container: Tree, state: PodContainer, struct: Struct, *, init: bool) -> Tree:
    changes: Tree = {}
    if state.image is not None:
        changes["image"] = state.image
    if state.command is not None:
        changes["command"] = list(state.command)
    if state.args is not None:
        changes["args"] = list(state.args)
    if state.resources is not None:
        changes["resources"] = state.resources
    if state.env:
        changes["env"] = list(state.env)
    if state.ports:
        changes["ports"] = list(final_ports(plan, container, state, init=init))
    if state.mounts and state.mounts != tuple(container.get("volumeMounts", ())):
        changes["volumeMounts"] = list(state.mounts)
    if state.env_from:
        changes["envFrom"] = [*container.get("envFrom", ()), *state.env_from]
    if not changes:
        return container
    # An empty command or args clears the runtime's: apply configurations leave out empty lists.
    return struct.in_order({key: value for key, value in {**container, **changes}.items() if value != []})
