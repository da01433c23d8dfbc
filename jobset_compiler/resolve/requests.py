"""What one pod of a PodSet requests: the sum that gang schedulers and queues see.

Source: PodRequests of k8s.io/component-helpers, called by WithPodSet (pkg/runtime/runtime.go). Limits never count (Q16).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import NODE, TRAINER, pod_spec_of
from jobset_compiler.kube.quantity import Quantity
from jobset_compiler.profiles import features
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from jobset_compiler.resolve.plan import Plan, PodSet

Requests = dict[str, Quantity]


def pod_requests(plan: Plan, pod_set: PodSet) -> Requests:
    """Resource name -> exact quantity of one pod; initialisers and sidecars as Kubernetes adds them up."""
    entry = next(job for job in replicated_jobs(plan.template) if job["name"] == pod_set.name)
    pod = pod_spec_of(entry)
    trainer = plan.job.trainer
    if (
        plan.profile.has(features.GANG_COUNTS_RESOURCES_PER_NODE)
        and pod_set.ancestor == TRAINER
        and plan.policy is not None
        and trainer is not None
        and trainer.resources_per_node is not None
    ):
        pod = _with_node_resources(pod, trainer.resources_per_node)
    return requests_of_pod(pod, hugepages=plan.profile.has(features.POD_LEVEL_HUGEPAGES))


def requests_of_pod(pod: dict[str, Any], *, hugepages: bool) -> Requests:
    """The requests of a pod spec: containers added up, sidecars included, the largest init phase, pod level, overhead."""
    total: Requests = {}
    for container in pod.get("containers", ()):
        _add(total, _requests(container))
    sidecars: Requests = {}
    initial: Requests = {}
    for container in pod.get("initContainers", ()):
        requests = _requests(container)
        if container.get("restartPolicy") == "Always":
            _add(total, requests)
            _add(sidecars, requests)
            phase = dict(sidecars)
        else:
            phase = dict(requests)
            _add(phase, sidecars)
        _raise_to(initial, phase)
    _raise_to(total, initial)
    for name, quantity in _requests(pod).items():
        if name in ("cpu", "memory") or (hugepages and name.startswith("hugepages-")):
            total[name] = quantity
    _add(total, {name: Quantity.parse(text) for name, text in pod.get("overhead", {}).items()})
    return total


def _requests(holder: dict[str, Any]) -> Requests:
    return {name: Quantity.parse(text) for name, text in holder.get("resources", {}).get("requests", {}).items()}


def _add(total: Requests, more: Requests) -> None:
    for name, quantity in more.items():
        have = total.get(name)
        total[name] = quantity if have is None else have + quantity


def _raise_to(total: Requests, other: Requests) -> None:
    for name, quantity in other.items():
        have = total.get(name)
        if have is None or have < quantity:
            total[name] = quantity


def _with_node_resources(pod: dict[str, Any], resources: dict[str, Any]) -> dict[str, Any]:
    containers = list(pod.get("containers", ()))
    for index, container in enumerate(containers):
        if container["name"] == NODE:
            containers[index] = {**container, "resources": resources}
            break
    return {**pod, "containers": containers}
