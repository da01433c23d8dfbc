"""coscheduling: the PodGroup, and the label that ties every pod to it.

Source: pkg/runtime/framework/plugins/coscheduling/coscheduling.go. schedulerName stays the runtime's business (JSC818).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.passes.api import AddObject, Edit, OfRuntime, Parts, SetPodLabel, Several
from jobset_compiler.passes.podgroup import counted, min_member, min_resources
from jobset_compiler.passes.required import missing
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

POLICY = ("spec", "podGroupPolicy", "coscheduling")
POD_GROUP_LABEL = "scheduling.x-k8s.io/pod-group"


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    gang = plan.pod_group_policy
    assert gang is not None
    if gang.coscheduling is not None or plan.profile.has(features.GANG_LABEL_FOR_ANY_POLICY):
        policy = POLICY if gang.coscheduling is not None else POLICY[:-1]
        yield SetPodLabel(POD_GROUP_LABEL, plan.job.name, because=Several((("metadata", "name"), OfRuntime(policy))))


def run_group(plan: Plan) -> Iterator[Edit | Diagnostic]:
    policy = plan.pod_group_policy.coscheduling if plan.pod_group_policy else None
    assert policy is not None
    if policy.schedule_timeout_seconds is None:
        yield missing(plan, (*POLICY, "scheduleTimeoutSeconds"), "60")
        return
    group = {
        "apiVersion": "scheduling.x-k8s.io/v1alpha1",
        "kind": "PodGroup",
        "metadata": {"name": plan.job.name},
        "spec": {
            "minMember": min_member(plan),
            "minResources": min_resources(plan),
            "scheduleTimeoutSeconds": policy.schedule_timeout_seconds,
        },
    }
    timeout = (("spec", "scheduleTimeoutSeconds"), OfRuntime((*POLICY, "scheduleTimeoutSeconds")))
    yield AddObject(group, because=Parts((timeout, *counted(plan)), OfRuntime(POLICY)))
