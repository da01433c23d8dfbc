"""What will run, in numbers: for queue controllers, quota checks and reviewers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.objects.jobset import SINGLE_REPLICA_ANCESTORS, parallel_count
from jobset_compiler.resolve.requests import pod_requests

if TYPE_CHECKING:
    from jobset_compiler.resolve.plan import Plan


class PodSetSummary(NamedTuple):
    """count: pods of this PodSet over all its Jobs; requests: of one pod; total: of all of them. Quantities as canonical text."""

    trainjob: str
    namespace: str
    name: str
    ancestor: str | None
    count: int  # type: ignore[assignment]  # Kubernetes' own word hides tuple.count
    requests: dict[str, str]
    total: dict[str, str]


def summarise(plan: Plan) -> tuple[PodSetSummary, ...]:
    """One summary a replicatedJob, in template order. Requests as Kubernetes adds them up; limits do not count."""
    out = []
    for pods in plan.pod_sets:
        replicas = 1 if pods.ancestor in SINGLE_REPLICA_ANCESTORS else pods.replicas
        count = parallel_count(plan, pods) * replicas
        requests = pod_requests(plan, pods)
        names = sorted(requests)
        out.append(
            PodSetSummary(
                trainjob=plan.job.name,
                namespace=plan.job.namespace,
                name=pods.name,
                ancestor=pods.ancestor,
                count=count,
                requests={name: requests[name].text for name in names},
                total={name: (requests[name] * count).text for name in names},
            )
        )
    return tuple(out)
