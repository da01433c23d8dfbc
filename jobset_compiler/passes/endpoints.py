"""Names and ports under which pods find each other: the trainer port, the first node, and every pod of a PodSet.

Source: IdentifyPodNetwork in pkg/runtime/framework/plugins/jobset/jobset.go, pkg/constants/constants.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import NODE
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.resolve.plan import Plan, PodSet

TRAINER_PORT = 29500
COMPLETION_INDEX = {"fieldRef": {"fieldPath": "metadata.annotations['batch.kubernetes.io/job-completion-index']"}}


def first_node(plan: Plan) -> str:
    """The address of the first trainer pod: always the job called node and the TrainJob's name (JSC830)."""
    return f"{plan.job.name}-{NODE}-0-0.{plan.job.name}"


def endpoint_count(plan: Plan, pods: PodSet) -> int:
    """How many host names `endpoints` gives."""
    return _replicas(plan, pods) * max(pods.count, 0)


def endpoints(plan: Plan, pods: PodSet) -> Iterator[str]:
    """The host name of every pod of a PodSet; before 2.3 only those of the first replica (JSC814, #3539)."""
    for replica in range(_replicas(plan, pods)):
        for pod in range(pods.count):
            yield f"{plan.job.name}-{pods.name}-{replica}-{pod}.{plan.subdomain}"


def _replicas(plan: Plan, pods: PodSet) -> int:
    return max(pods.replicas, 0) if plan.profile.has(features.ENDPOINTS_OF_ALL_REPLICAS) else 1
