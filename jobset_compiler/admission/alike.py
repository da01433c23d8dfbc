"""JobSets that no rule can tell apart, so that the verdict on one is that on the others.

The TrainJobs of a runtime differ in images, arguments, values of variables and of annotations: texts that Kubernetes takes as they are. What
the rules do read of the spec of a JobSet, and of the Jobs and pods that it makes, is put together as bytes here. Where nothing was found against
it, nothing is to be found against the next one with the same bytes, and looking for it once is enough. The metadata of the JobSet, and names of
Jobs and pods, differ from one to the next and are always looked at.
"""

from __future__ import annotations

from marshal import dumps
from typing import TYPE_CHECKING, Any, TypeAlias

from jobset_compiler.admission.children import created
from jobset_compiler.admission.children import labels as generated
from jobset_compiler.kube.names import is_dns1123_label

if TYPE_CHECKING:
    from jobset_compiler.profiles import Profile
    from jobset_compiler.profiles.kubernetes import Kubernetes

Tree = dict[str, Any]
Likeness: TypeAlias = "tuple[Profile, Kubernetes, bytes]"
# The values of annotations that have a meaning in Kubernetes' own names; the others are of no concern to it.
OWN_NAMES = "kubernetes.io/"
# What volumes name that policies make: ConfigMaps and Secrets.
NAMED_SOURCES = (("configMap", "name"), ("secret", "secretName"))
TEXTS_OF_CONTAINERS = frozenset({"command", "args", "image", "env"})
# How many JobSets are remembered, and in how many bytes at most; one Job takes some thousand.
MOST = 256
LONGEST = 1 << 14
# marshal's newest format without references, in which equal values have equal bytes.
FORMAT = 2

_sound: dict[Likeness, None] = {}


def is_known_to_be_sound(likeness: Likeness | None) -> bool:
    return likeness in _sound


def remember(likeness: Likeness) -> None:
    """Nothing was found against a JobSet like that."""
    if len(_sound) >= MOST:
        _sound.clear()
    _sound[likeness] = None


def likeness_of(jobset: Tree, profile: Profile, kubernetes: Kubernetes) -> Likeness | None:
    """What the rules read of the spec; None where they read more (names, or what controllers write), and where it is too long to be kept."""
    spec, name = jobset["spec"], jobset["metadata"].get("name", "")
    if "coordinator" in spec or generated.EXCLUSIVE in (jobset["metadata"].get("annotations") or ()) or is_dns1123_label(name):
        return None
    jobs = []
    for job in spec.get("replicatedJobs", ()):
        read_of_job = _job(job, name)
        if read_of_job is None:
            return None
        jobs.append(read_of_job)
    try:
        read = dumps({**spec, "replicatedJobs": jobs}, FORMAT)
    except ValueError:
        return None  # a pass of somebody else wrote a value of some other type
    return (profile, kubernetes, read) if len(read) <= LONGEST else None


def _job(job: Tree, jobset: str) -> tuple[Any, ...] | None:
    template = job["template"]
    spec = template["spec"]
    of_pod = spec["template"]
    metadata, pod_metadata, pod = template.get("metadata") or {}, of_pod.get("metadata") or {}, of_pod.get("spec") or {}
    if not created.OTHERWISE_IN_PODS.isdisjoint(pod) or generated.needs_a_look(spec, pod_metadata.get("labels") or {}):
        return None
    if _is_written_by_controllers(metadata) or _is_written_by_controllers(pod_metadata):
        return None
    read = {name: list(map(_container, value)) if value and name in ("containers", "initContainers") else value for name, value in pod.items()}
    if read.get("volumes"):
        read["volumes"] = [_volume(volume, jobset) for volume in read["volumes"]]
    return {**job, "template": None}, {**spec, "template": None}, _metadata(metadata, jobset), _metadata(pod_metadata, jobset), read


def _is_written_by_controllers(metadata: Tree) -> bool:
    """Whether a template has labels or annotations that controllers write over, or that make them write more."""
    keys = (*(metadata.get("labels") or ()), *(metadata.get("annotations") or ()))
    return any(key.startswith(generated.PREFIX) or key == generated.EXCLUSIVE for key in keys)


def _container(container: Tree) -> Tree:
    """Of an image only whether it is one; of variables the names, and sources."""
    image = container.get("image", "")
    read = {name: value for name, value in container.items() if name not in TEXTS_OF_CONTAINERS}
    read["image"] = image != "" and image == image.strip()
    read["env"] = [entry if "valueFrom" in entry else entry.get("name") for entry in container.get("env") or ()]
    return read


def _volume(volume: Tree, jobset: str) -> Tree:
    """Of what a volume holds, not the name where policies make it of the JobSet's (`JOB-mpi-hostfile`): one is as good as the other."""
    for kind, field in NAMED_SOURCES:
        source = volume.get(kind)
        if source and source.get(field, "").startswith(f"{jobset}-"):
            return {**volume, kind: {**source, field: (source[field][len(jobset) :],)}}
    return volume


def _metadata(metadata: Tree, jobset: str) -> Tree:
    """Of annotations that are nothing to Kubernetes, the keys and how much they take; of labels not the name of the JobSet, as gangs have it."""
    annotations, labels = metadata.get("annotations"), metadata.get("labels")
    read = metadata
    if annotations:
        read = {**read, "annotations": [(key, value if OWN_NAMES in key else len(value.encode())) for key, value in annotations.items()]}
    if labels and jobset in labels.values():
        read = {**read, "labels": {key: () if value == jobset else value for key, value in labels.items()}}
    return read
