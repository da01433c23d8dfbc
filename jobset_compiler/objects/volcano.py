"""The Volcano PodGroup: members and resources as for coscheduling, with queue, priority class and network topology.

Source: Build in pkg/runtime/framework/plugins/volcano/volcano.go (2.1, #2729). Where coscheduling makes a PodGroup as well,
either may be built first (Q42): here always coscheduling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.objects.owner import metadata
from jobset_compiler.objects.podgroup import min_member, min_resources
from jobset_compiler.passes.volcano import QUEUE_ANNOTATION, priority_class_names

if TYPE_CHECKING:
    from jobset_compiler.resolve.plan import Plan


def build(plan: Plan) -> dict[str, Any]:
    policy = plan.pod_group_policy
    assert policy is not None and policy.volcano is not None
    spec: dict[str, Any] = {"minMember": min_member(plan)}
    if QUEUE_ANNOTATION in plan.annotations:
        spec["queue"] = plan.annotations[QUEUE_ANNOTATION]
    names = priority_class_names(plan)
    if names:
        # Upstream lets each replicatedJob overwrite the one before (Q44, #4084).
        spec["priorityClassName"] = names[-1]
    spec["minResources"] = min_resources(plan, multiplied_before=policy.coscheduling is not None)
    topology = policy.volcano.network_topology
    if topology is not None:
        spec["networkTopology"] = {"mode": topology.get("mode", ""), "highestTierAllowed": topology.get("highestTierAllowed")}
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": metadata(plan, plan.job.name),
        "spec": spec,
    }
