"""What will run, in numbers: for queue controllers, quota checks and reviewers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.api.runtime import ancestor_of, pod_spec_of
from jobset_compiler.resolve.requests import requests_of_template

if TYPE_CHECKING:
    from jobset_compiler.objects.unit import Unit

Tree = dict[str, Any]


class PodSetSummary(NamedTuple):
    """count: pods of this PodSet over all its Jobs; requests: of one pod; total: of all of them. Quantities as canonical text."""

    trainjob: str
    namespace: str
    name: str
    ancestor: str | None
    count: int  # type: ignore[assignment]  # Kubernetes' own word hides tuple.count
    requests: dict[str, str]
    total: dict[str, str]


def summarise(unit: Unit) -> tuple[PodSetSummary, ...]:
    """One summary a replicatedJob of the JobSet, in its order: what a scheduler counts when the pods are there.

    Requests are added up as Kubernetes does it, after its own default: a limit without a request is the request too. The
    PodGroup that the controller makes may say less (JSC816, #2980).
    """
    return tuple(_summary(unit, job) for job in unit.objects[0]["spec"].get("replicatedJobs") or ())


def _summary(unit: Unit, job: Tree) -> PodSetSummary:
    plan = unit.plan
    count = job.get("replicas", 1) * (job["template"]["spec"].get("parallelism") or 0)
    requests = requests_of_template(plan, _defaulted(pod_spec_of(job)))
    names = sorted(requests)
    return PodSetSummary(
        trainjob=plan.job.name,
        namespace=plan.job.namespace,
        name=job["name"],
        ancestor=ancestor_of(job),
        count=count,
        requests={name: requests[name].text for name in names},
        total={name: (requests[name] * count).text for name in names},
    )


def _defaulted(pod: Tree) -> Tree:
    """The pod spec with requests filled in from limits (SetDefaults_Pod in pkg/apis/core/v1/defaults.go of Kubernetes)."""
    lists = {name: [_with_requests(container) for container in pod[name]] for name in ("containers", "initContainers") if pod.get(name)}
    return _with_requests({**pod, **lists})


def _with_requests(holder: Tree) -> Tree:
    resources = holder.get("resources") or {}
    limits = resources.get("limits")
    if not limits:
        return holder
    return {**holder, "resources": {**resources, "requests": {**limits, **(resources.get("requests") or {})}}}
