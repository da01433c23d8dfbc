"""What one pod of a PodSet requests: the sum that gang schedulers and queues see.

Source: PodRequests of k8s.io/component-helpers, called by WithPodSet (pkg/runtime/runtime.go). Limits never count (JSC816).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import NODE, TRAINER, pod_spec_of
from jobset_compiler.kube.quantity import Quantity, from_json
from jobset_compiler.profiles import features
from jobset_compiler.resolve.plan import replicated_jobs
from jobset_compiler.resolve.resources import gets_node_resources

if TYPE_CHECKING:
    from jobset_compiler.resolve.plan import Plan, PodSet
    from jobset_compiler.source.document import Document

Requests = dict[str, Quantity]


def pod_requests(plan: Plan, pod_set: PodSet) -> Requests:
    """Resource name -> exact quantity of one pod; initialisers and sidecars as Kubernetes adds them up.

    The controller adds up what it parsed from the documents, where `1e1` is still a power of ten and `0.5Gi` a decimal;
    the template has them as they are printed. So the quantities are taken from the documents where nothing came between.
    """
    entry = next(job for job in replicated_jobs(plan.template) if job["name"] == pod_set.name)
    pod = pod_spec_of(entry)
    written = {} if pod_set.name in plan.reread else _written_pod(plan.runtime.document, pod_set.name)
    trainer = plan.job.trainer
    resources = trainer.resources_per_node if trainer is not None else None
    if resources is not None and counts_resources_per_node(plan):
        if pod_set.ancestor == TRAINER and plan.policy is not None:
            pod = _with_node_resources(pod, resources)
            written = {**written, NODE: _walk(plan.job.document.value, "spec", "trainer", "resourcesPerNode", "requests", default={})}
    elif plan.resources_merged and gets_node_resources(pod_set.name, pod_set.ancestor, plan.policy):
        # Merged as JSON, hence read anew.
        written = {**written, NODE: {}}
    return requests_of_pod(pod, hugepages=plan.profile.has(features.POD_LEVEL_HUGEPAGES), written=written)


def requests_of_template(plan: Plan, pod: dict[str, Any]) -> Requests:
    """What a pod of that finished template requests, whatever the gang scheduler is told."""
    return requests_of_pod(pod, hugepages=plan.profile.has(features.POD_LEVEL_HUGEPAGES))


def counts_resources_per_node(plan: Plan) -> bool:
    """Whether the sums use the TrainJob's resourcesPerNode although the template has the runtime's (2.2)."""
    return plan.profile.has(features.GANG_COUNTS_RESOURCES_PER_NODE)


Written = dict[str, dict[str, Any]]
NOTHING_WRITTEN: Written = {}


def requests_of_pod(pod: dict[str, Any], *, hugepages: bool, written: Written = NOTHING_WRITTEN) -> Requests:
    """The requests of a pod spec: containers added up, sidecars included, the largest init phase, pod level, overhead.

    written: the same quantities as the document has them, by container (see _written_pod).
    """
    total: Requests = {}
    for container in pod.get("containers") or ():
        _add(total, _requests(container, written.get(container["name"])))
    sidecars: Requests = {}
    initial: Requests = {}
    for container in pod.get("initContainers", ()):
        requests = _requests(container, written.get(container["name"]))
        if container.get("restartPolicy") == "Always":
            _add(total, requests)
            _add(sidecars, requests)
            phase = dict(sidecars)
        else:
            phase = dict(requests)
            _add(phase, sidecars)
        _raise_to(initial, phase)
    _raise_to(total, initial)
    for name, quantity in _requests(pod, written.get(POD_LEVEL)).items():
        if name in ("cpu", "memory") or (hugepages and name.startswith("hugepages-")):
            total[name] = quantity
    _add(total, _quantities(pod.get("overhead", {}), written.get(OVERHEAD)))
    return total


def _requests(holder: dict[str, Any], written: dict[str, Any] | None) -> Requests:
    return _quantities(holder.get("resources", {}).get("requests", {}), written)


def _quantities(listed: dict[str, str], written: dict[str, Any] | None) -> Requests:
    quantities = {name: Quantity.parse(text) for name, text in listed.items()}
    for name in quantities.keys() & (written or {}).keys():
        assert written is not None
        original = from_json(written[name])
        if original == quantities[name]:
            quantities[name] = original
    return quantities


# Keys that no container can have as its name.
POD_LEVEL, OVERHEAD = "(pod)", "(overhead)"


def _written_pod(document: Document, job_name: str) -> Written:
    """Requests by container name (names are unique among containers and init containers), pod level and overhead."""
    for job in _walk(document.value, "spec", "template", "spec", "replicatedJobs", default=[]):
        if job["name"] == job_name:
            pod = _walk(job, "template", "spec", "template", "spec", default={})
            containers = [*(pod.get("containers") or ()), *(pod.get("initContainers") or ())]
            out = {container["name"]: _walk(container, "resources", "requests", default={}) for container in containers}
            return {**out, POD_LEVEL: _walk(pod, "resources", "requests", default={}), OVERHEAD: pod.get("overhead") or {}}
    return {}


def _walk(value: Any, *path: str, default: Any) -> Any:
    """What a document has at that path; the default where it has nothing or null."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return default if value is None else value


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
    containers = list(pod.get("containers") or ())
    for index, container in enumerate(containers):
        if container["name"] == NODE:
            containers[index] = {**container, "resources": resources}
            break
    return {**pod, "containers": containers}
