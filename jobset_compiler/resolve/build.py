"""TrainJob and runtime -> Plan.

Source: newRuntimeInfo and WithPodSet in pkg/runtime/core/trainingruntime.go and pkg/runtime/runtime.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import TRAINER, ancestor_of, pod_spec_of, template_resources
from jobset_compiler.kube.retype import to_apply_configuration
from jobset_compiler.profiles import features
from jobset_compiler.resolve.patches import apply_patches, merged_metadata
from jobset_compiler.resolve.plan import Plan, PodContainer, PodSet, replicated_jobs
from jobset_compiler.resolve.record import Record

if TYPE_CHECKING:
    from jobset_compiler.api.runtime import MLPolicy, Runtime
    from jobset_compiler.api.trainjob import TrainJob
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.facts import Facts

Tree = dict[str, Any]


def build_plan(job: TrainJob, runtime: Runtime, profile: Profile, facts: Facts) -> Plan:
    """The Plan before any policy has acted: template patched, resources merged, PodSets read off the template."""
    labels, annotations = merged_metadata(runtime.template_labels, runtime.template_annotations, job.patches)
    patched = apply_patches(runtime, job.patches, profile)
    template = patched.template
    lost_lists = runtime.has_unset or patched.has_unset
    if lost_lists:
        template = _applied(template, profile)
    resources = job.trainer.resources_per_node if job.trainer else None
    record = patched.record
    resources_merged = resources is not None and profile.has(features.RESOURCES_MERGED)
    if resources is not None and resources_merged:
        from jobset_compiler.resolve.resources import merge_resources_per_node

        template, merged = merge_resources_per_node(template, runtime.ml_policy, resources)
        record = Record(record.late, record.overrides, merged, features.RESOURCES_MERGED.slug)
    return Plan(
        profile=profile,
        facts=facts,
        job=job,
        runtime=runtime,
        labels=labels,
        annotations=annotations,
        template=template,
        record=record,
        pod_sets=tuple(_pod_set(entry, runtime.ml_policy) for entry in replicated_jobs(template)),
        trainer=job.trainer,
        policy_name=runtime.ml_policy.name if runtime.ml_policy else "",
        node_resources=template_resources(template) if resources is None else resources,
        reread=patched.reread,
        resources_merged=resources_merged,
        lost_lists=lost_lists,
        unmergeable=patched.problem,
    )


def _applied(template: Tree, profile: Profile) -> Tree:
    """The template as an apply configuration, which is what upstream makes of it here: FromTypedObjWithFields."""
    applied = to_apply_configuration(template, profile.types(), "jobset.JobSetSpec")
    assert isinstance(applied, dict)
    return applied


def _pod_set(entry: Tree, policy: MLPolicy | None) -> PodSet:
    pod = pod_spec_of(entry)
    ancestor = ancestor_of(entry)
    count = entry.get("template", {}).get("spec", {}).get("parallelism")
    if ancestor == TRAINER and policy is not None:
        count = policy.num_nodes
    return PodSet(
        name=entry["name"],
        ancestor=ancestor,
        # Counts below one are raised here, but not those that a policy sets later (JSC841).
        count=1 if count is None else max(count, 1),
        replicas=entry.get("replicas", 1),
        containers=tuple(map(_container, pod.get("containers") or ())),
        init_containers=tuple(map(_container, pod.get("initContainers", ()))),
        volumes=tuple(pod.get("volumes", ())),
    )


def _container(container: Tree) -> PodContainer:
    return PodContainer(
        name=container["name"],
        env=tuple(container.get("env", ())),
        ports=tuple(container.get("ports", ())),
        mounts=tuple(container.get("volumeMounts", ())),
    )
