"""What the objects refer to and only a cluster can have: listed, never an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.api.runtime import pod_spec_of
from jobset_compiler.objects.snapshot import is_kept, name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.objects.unit import Unit

Tree = dict[str, Any]
VOLCANO = "scheduling.volcano.sh/v1beta1"
VOLCANO_DEFAULT = "default"
# Labels of a TrainJob that Kueue reads: kind that they name, and whether it has a namespace.
KUEUE = (("kueue.x-k8s.io/queue-name", "LocalQueue", True), ("kueue.x-k8s.io/priority-class", "WorkloadPriorityClass", False))
CRD = ("CustomResourceDefinition", "jobsets.jobset.x-k8s.io")


class Requirement(NamedTuple):
    """Something that must exist in the cluster and that the compiler cannot know: a PriorityClass, a Secret, a PVC."""

    kind: str
    namespace: str
    name: str
    why: str


def requirements_of(unit: Unit) -> tuple[Requirement, ...]:
    """Secrets, ConfigMaps, claims, service accounts, priority classes and queues, each once, but for those among the objects; then the JobSet, where
    it is not the one that the release comes with; last the place of the runtime's snapshot, which must be free."""
    namespace = unit.plan.job.namespace
    made = {(manifest["kind"], manifest["metadata"]["name"]) for manifest in unit.objects}
    claims = {
        f"{template.get('metadata', {}).get('name', '')}-{unit.plan.job.name}"
        for policy in unit.objects[0]["spec"].get("volumeClaimPolicies", ())
        for template in policy.get("templates", ())
    }
    found: dict[tuple[str, str], Requirement] = {}
    for job in unit.objects[0]["spec"].get("replicatedJobs", ()):
        for kind, name, why in _of_pod(pod_spec_of(job)):
            if name and (kind, name) not in made and not (kind == "PersistentVolumeClaim" and name in claims):
                scope = "" if kind in ("PriorityClass", "RuntimeClass") else namespace
                found.setdefault((kind, name), Requirement(kind, scope, name, f"{why} of replicatedJob {job['name']}"))
    for kind, scope, name, why in _queues(unit):
        found.setdefault((kind, name), Requirement(kind, scope, name, why))
    profile = unit.plan.profile
    if not profile.is_paired:
        why = f"of JobSet {profile.jobset.version}, for which this was compiled; {profile.title} comes with {profile.comes_with.version}"
        found[CRD] = Requirement(*CRD[:1], "", CRD[1], why)
    if is_kept(profile):
        why = "the runtime as the controller keeps it; none of another TrainJob may be there, such as a deleted one of that name"
        snapshot = Requirement("ConfigMap", namespace, name_of(unit.plan.job.name), why)
        return (*found.values(), snapshot)
    return tuple(found.values())


def _queues(unit: Unit) -> Iterator[tuple[str, str, str, str]]:
    """Queues of schedulers and queue controllers. Volcano's own webhook refuses the PodGroup unless its queue is there and open; one called default
    comes with Volcano."""
    for manifest in unit.objects:
        queue = manifest["spec"].get("queue") if manifest["apiVersion"] == VOLCANO else None
        if queue and queue != VOLCANO_DEFAULT:
            yield "Queue", "", queue, "queue of the Volcano PodGroup, which is refused unless the queue is there and open"
    job = unit.plan.job
    for label, kind, has_namespace in KUEUE:
        if job.labels.get(label):
            yield kind, job.namespace if has_namespace else "", job.labels[label], f"label {label} of the TrainJob"


def _of_pod(pod: Tree) -> Iterator[tuple[str, str, str]]:
    yield "PriorityClass", pod.get("priorityClassName", ""), "priorityClassName"
    yield "RuntimeClass", pod.get("runtimeClassName", ""), "runtimeClassName"
    yield "ServiceAccount", pod.get("serviceAccountName", ""), "serviceAccountName"
    for secret in pod.get("imagePullSecrets", ()):
        yield "Secret", secret.get("name", ""), "imagePullSecrets"
    for volume in pod.get("volumes", ()):
        yield from _of_volume(volume)
    for container in (*pod.get("initContainers", ()), *(pod.get("containers") or ())):
        for source in container.get("envFrom", ()):
            for key, kind in (("secretRef", "Secret"), ("configMapRef", "ConfigMap")):
                if key in source and not source[key].get("optional"):
                    yield kind, source[key].get("name", ""), f"envFrom of container {container['name']}"
        for entry in container.get("env", ()):
            for key, kind in (("secretKeyRef", "Secret"), ("configMapKeyRef", "ConfigMap")):
                source = entry.get("valueFrom", {}).get(key)
                if source and not source.get("optional"):
                    yield kind, source.get("name", ""), f"env {entry['name']} of container {container['name']}"


def _of_volume(volume: Tree) -> Iterator[tuple[str, str, str]]:
    why = f"volume {volume['name']}"
    yield "PersistentVolumeClaim", volume.get("persistentVolumeClaim", {}).get("claimName", ""), why
    for key, kind, field in (("secret", "Secret", "secretName"), ("configMap", "ConfigMap", "name")):
        source = volume.get(key)
        if source and not source.get("optional"):
            yield kind, source.get(field, ""), why
