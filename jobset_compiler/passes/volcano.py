"""volcano: the PodGroup, with queue, priority class and network topology, and the annotation that ties every pod to it.

Source: pkg/runtime/framework/plugins/volcano/volcano.go (2.1, #2729). schedulerName stays the runtime's business (JSC818).
Where coscheduling makes a PodGroup as well, either may be built first (JSC842): here always coscheduling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import pod_spec_of
from jobset_compiler.passes import causes
from jobset_compiler.passes.api import AddObject, Edit, OfMetadata, OfRuntime, OfTemplate, Parts, SetPodAnnotation, Several
from jobset_compiler.passes.podgroup import counted, min_member, min_resources
from jobset_compiler.passes.required import missing
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.resolve.record import Because

POLICY = ("spec", "podGroupPolicy", "volcano")
GROUP_ANNOTATION = "scheduling.k8s.io/group-name"
QUEUE_ANNOTATION = "scheduling.volcano.sh/queue-name"


def priority_class_names(plan: Plan) -> tuple[str, ...]:
    """The priority classes of the pod templates, in the order of the replicatedJobs; jobs without one are left out."""
    pods = (pod_spec_of(job) for job in replicated_jobs(plan.template))
    return tuple(pod["priorityClassName"] for pod in pods if "priorityClassName" in pod)


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    yield SetPodAnnotation(GROUP_ANNOTATION, plan.job.name, because=Several((("metadata", "name"), OfRuntime(POLICY))))


def run_group(plan: Plan) -> Iterator[Edit | Diagnostic]:
    policy = plan.pod_group_policy
    assert policy is not None and policy.volcano is not None
    topology = policy.volcano.network_topology
    if topology is not None and topology.get("highestTierAllowed") is None:
        yield missing(plan, (*POLICY, "networkTopology", "highestTierAllowed"), "1")
        return
    spec: dict[str, Any] = {"minMember": min_member(plan)}
    if QUEUE_ANNOTATION in plan.annotations:
        spec["queue"] = plan.annotations[QUEUE_ANNOTATION]
    names = priority_class_names(plan)
    if names:
        # Upstream lets each replicatedJob overwrite the one before (JSC844, #4084).
        spec["priorityClassName"] = names[-1]
    spec["minResources"] = min_resources(plan, multiplied_before=policy.coscheduling is not None)
    if topology is not None:
        spec["networkTopology"] = {"mode": topology.get("mode", ""), "highestTierAllowed": topology["highestTierAllowed"]}
    group = {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup", "metadata": {"name": plan.job.name}, "spec": spec}
    topology_place = (("spec", "networkTopology"), OfRuntime((*POLICY, "networkTopology")))
    yield AddObject(group, because=Parts((*counted(plan), topology_place, _queue(), _priority(plan)), OfRuntime(POLICY)))


def _queue() -> tuple[Path, Because]:
    return ("spec", "queue"), OfMetadata(("annotations", QUEUE_ANNOTATION))


def _priority(plan: Plan) -> tuple[Path, Because]:
    jobs = range(len(replicated_jobs(plan.template)))
    return ("spec", "priorityClassName"), Several(tuple(OfTemplate(("replicatedJobs", index, *causes.POD, "priorityClassName")) for index in jobs))
