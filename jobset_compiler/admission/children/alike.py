"""Jobs that no rule can tell apart, so that the verdict on one is that on the others.

The TrainJobs of a runtime differ in images, arguments, values of variables and of annotations: texts that Kubernetes takes as they are. What
the rules do read of a Job is put together as bytes here. Where nothing was found against a Job, nothing is to be found against the next one
with the same bytes, and looking for it once is enough.
"""

from __future__ import annotations

from marshal import dumps
from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.children.created import OTHERWISE_IN_PODS
from jobset_compiler.admission.children.labels import EXCLUSIVE, needs_a_look

if TYPE_CHECKING:
    from jobset_compiler.admission.children.job import Job
    from jobset_compiler.profiles.kubernetes import Kubernetes

Tree = dict[str, Any]
# The values of annotations that have a meaning in Kubernetes' own names; the others are of no concern to it.
OWN_NAMES = "kubernetes.io/"
NOT_READ = frozenset({"command", "args", "image", "env"})
# How many Jobs are remembered, each in one or two thousand bytes.
MOST = 1024
# marshal's newest format without references, in which equal values have equal bytes.
FORMAT = 2

_sound: dict[tuple[Kubernetes, bytes], None] = {}


def is_known_to_be_sound(likeness: tuple[Kubernetes, bytes]) -> bool:
    return likeness in _sound


def remember(likeness: tuple[Kubernetes, bytes]) -> None:
    """Nothing was found against a Job like that."""
    if len(_sound) >= MOST:
        _sound.clear()
    _sound[likeness] = None


def likeness_of(job: Job, kubernetes: Kubernetes) -> tuple[Kubernetes, bytes] | None:
    """What the rules of an API server read of a Job; None where they read more than its template has: its name, or labels that controllers write."""
    metadata, of_pod = job.metadata, job.pod_metadata
    annotations = metadata.get("annotations") or ()
    if EXCLUSIVE in annotations or not OTHERWISE_IN_PODS.isdisjoint(job.pod) or needs_a_look(job.spec, of_pod.get("labels") or {}):
        return None
    pod = {name: list(map(_container, value)) if value and name in ("containers", "initContainers") else value for name, value in job.pod.items()}
    spec = {**job.spec, "template": pod}
    try:
        return kubernetes, dumps((spec, _metadata(metadata), _metadata(of_pod)), FORMAT)
    except ValueError:
        return None  # a pass of somebody else wrote a value of some other type


def _container(container: Tree) -> Tree:
    image = container.get("image", "")
    read = {name: value for name, value in container.items() if name not in NOT_READ}
    read["image"] = image == image.strip() != ""
    read["env"] = [entry if "valueFrom" in entry else entry.get("name") for entry in container.get("env") or ()]
    return read


def _metadata(metadata: Tree) -> Tree:
    """Of annotations that are nothing to Kubernetes, the keys and how much they take."""
    annotations = metadata.get("annotations")
    if not annotations:
        return metadata
    read = [(key, value if OWN_NAMES in key else len(value.encode())) for key, value in annotations.items()]
    return {**metadata, "annotations": read}
