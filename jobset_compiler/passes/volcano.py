"""volcano: the annotation that ties every pod to its PodGroup (objects/volcano.py makes the group itself).

Source: pkg/runtime/framework/plugins/volcano/volcano.go (2.1, #2729). schedulerName stays the runtime's business (Q18).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import pod_spec_of
from jobset_compiler.passes.api import SCHEDULING, Edit, Pass, SetPodAnnotation
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

GROUP_ANNOTATION = "scheduling.k8s.io/group-name"
QUEUE_ANNOTATION = "scheduling.volcano.sh/queue-name"


def applies(plan: Plan) -> bool:
    return plan.pod_group_policy is not None and plan.pod_group_policy.volcano is not None


def priority_class_names(plan: Plan) -> tuple[str, ...]:
    """The priority classes of the pod templates, in the order of the replicatedJobs; jobs without one are left out."""
    pods = (pod_spec_of(job) for job in replicated_jobs(plan.template))
    return tuple(pod["priorityClassName"] for pod in pods if "priorityClassName" in pod)


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    yield SetPodAnnotation(GROUP_ANNOTATION, plan.job.name, because=("metadata", "name"))


VOLCANO = Pass("volcano", SCHEDULING, applies, run, cites=("pkg/runtime/framework/plugins/volcano/volcano.go",))
