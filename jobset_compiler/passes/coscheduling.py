"""coscheduling: the label that ties every pod to its PodGroup (objects/podgroup.py makes the group itself).

Source: pkg/runtime/framework/plugins/coscheduling/coscheduling.go. schedulerName stays the runtime's business (Q18).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.passes.api import SCHEDULING, Edit, Pass, SetPodLabel
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

POD_GROUP_LABEL = "scheduling.x-k8s.io/pod-group"


def applies(plan: Plan) -> bool:
    policy = plan.pod_group_policy
    return policy is not None and (policy.coscheduling is not None or plan.profile.has(features.GANG_LABEL_FOR_ANY_POLICY))


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    yield SetPodLabel(POD_GROUP_LABEL, plan.job.name, because=("metadata", "name"))


COSCHEDULING = Pass("coscheduling", SCHEDULING, applies, run, cites=("pkg/runtime/framework/plugins/coscheduling/coscheduling.go",))
