"""What the Job API takes with a warning, as far as the warning says that something has no effect or another one than it says.

Nobody reads these warnings: the JobSet controller gets them. What is only deprecated and still works is left out. What JobSet's schema refuses before (two
variables or host aliases of one name) cannot be here. Source: warningsForPodSpecAndMeta in pkg/api/pod/warnings.go of Kubernetes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.checks import containers_of
from jobset_compiler.admission.children.faults import fault
from jobset_compiler.diagnostics.place import Key, format_path
from jobset_compiler.kube.structural.errors import quoted
from jobset_compiler.profiles.kubernetes import GIT_REPO_DISABLED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.admission.children.checks import Tree
    from jobset_compiler.admission.children.faults import Fault
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.profiles.kubernetes import Kubernetes

NO_SELECTOR = "a null labelSelector results in matching no pod"
SELECT = "write a labelSelector, such as matchLabels: {jobset.sigs.k8s.io/replicatedjob-name: ...}"
# Volumes that no kubelet of a release that is compiled for can mount, in the API's words.
GONE_VOLUMES = {
    "photonPersistentDisk": "deprecated in v1.11, non-functional in v1.16+",
    "scaleIO": "deprecated in v1.16, non-functional in v1.22+",
    "flocker": "deprecated in v1.22, non-functional in v1.25+",
    "storageos": "deprecated in v1.22, non-functional in v1.25+",
    "quobyte": "deprecated in v1.22, non-functional in v1.25+",
    "glusterfs": "deprecated in v1.25, non-functional in v1.26+",
    "cephfs": "deprecated in v1.28, non-functional in v1.31+",
    "rbd": "deprecated in v1.28, non-functional in v1.31+",
}
NO_GIT = "deprecated in v1.11, and disabled by default in v1.33+"
CALLED = {"storageos": "storageOS"}
GONE_ANNOTATIONS = {
    "scheduler.alpha.kubernetes.io/critical-pod": 'non-functional in v1.16+; use the "priorityClassName" field instead',
    "security.alpha.kubernetes.io/sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
    "security.alpha.kubernetes.io/unsafe-sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
}
SECCOMP_OF_POD = "seccomp.security.alpha.kubernetes.io/pod"
SECCOMP_OF_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/"
NO_SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead'
POD_SPEC: Path = ("spec",)


def warned(pod: Tree, metadata: Tree, kubernetes: Kubernetes) -> Iterator[Fault]:
    """Warnings for a pod template; paths begin at the template, texts are the API's."""
    if metadata.get("annotations"):
        yield from of_annotations(metadata["annotations"], pod)
    for index, constraint in enumerate(pod.get("topologySpreadConstraints") or ()):
        if constraint.get("labelSelector") is None:
            yield fault(NO_SELECTOR, *POD_SPEC, "topologySpreadConstraints", index, "labelSelector", hint=SELECT)
    if pod.get("affinity"):
        yield from affinities(pod["affinity"])
    if pod.get("volumes"):
        yield from volumes(pod["volumes"], kubernetes)
    for index, secret in enumerate(pod.get("imagePullSecrets") or ()):
        if not secret.get("name"):
            yield fault('invalid empty name ""', *POD_SPEC, "imagePullSecrets", index, "name", hint="name the Secret, or leave the item out")
    seconds = pod.get("terminationGracePeriodSeconds")
    if seconds is not None and seconds < 0:
        message = "must be >= 0; negative values are invalid and will be treated as 1"
        yield fault(message, *POD_SPEC, "terminationGracePeriodSeconds", hint="write the seconds that the program needs to end")
    yield from ports(pod)


def of_annotations(found: Tree, pod: Tree) -> Iterator[Fault]:
    texts = {key: text for key, text in GONE_ANNOTATIONS.items() if key in found}
    if SECCOMP_OF_POD in found and not (pod.get("securityContext") or {}).get("seccompProfile"):
        texts[SECCOMP_OF_POD] = NO_SECCOMP
    for _, container in containers_of(pod):
        key = SECCOMP_OF_CONTAINER + container["name"]
        if key in found and not (container.get("securityContext") or {}).get("seccompProfile"):
            texts[key] = NO_SECCOMP
    for key, text in texts.items():
        yield fault(text, "metadata", "annotations", Key(key), hint="write the field of the pod, and leave the annotation out")


def affinities(affinity: Tree) -> Iterator[Fault]:
    for kind in ("podAffinity", "podAntiAffinity"):
        given = affinity.get(kind) or {}
        for field, below in (("requiredDuringSchedulingIgnoredDuringExecution", ()), ("preferredDuringSchedulingIgnoredDuringExecution", ("podAffinityTerm",))):
            for index, term in enumerate(given.get(field) or ()):
                selects = term.get(below[0]) if below else term
                if selects is not None and selects.get("labelSelector") is None:
                    yield fault(NO_SELECTOR, *POD_SPEC, "affinity", kind, field, index, *below, "labelSelector", hint=SELECT)


def volumes(given: list[Tree], kubernetes: Kubernetes) -> Iterator[Fault]:
    for index, volume in enumerate(given):
        if "gitRepo" in volume and kubernetes.has(GIT_REPO_DISABLED):
            yield fault(NO_GIT, *POD_SPEC, "volumes", index, "gitRepo", hint="clone in an init container, into an emptyDir")
        if volume.get("projected"):
            yield from without_source(index, volume)
        for kind in GONE_VOLUMES.keys() & volume.keys():
            at = (*POD_SPEC, "volumes", index, kind)
            yield fault(GONE_VOLUMES[kind], *at[:-1], CALLED.get(kind, kind), at=at, hint="use a CSI driver: its volumes come through a persistentVolumeClaim")
        yield from overlapping(index, volume)


def without_source(index: int, volume: Tree) -> Iterator[Fault]:
    from jobset_compiler.admission.children.projections import KINDS

    for position, source in enumerate(volume["projected"].get("sources") or ()):
        if all(source.get(kind) is None for kind in KINDS):
            at = (*POD_SPEC, "volumes", index, "projected", "sources", position)
            yield fault(f'volume {quoted(volume["name"])} (Projected) has no sources provided', at=at, hint="write what is to be in the volume")


def overlapping(index: int, volume: Tree) -> Iterator[Fault]:
    """Two items of a ConfigMap or Secret that are written to one file."""
    for kind, title, named in (("configMap", "ConfigMap", "name"), ("secret", "Secret", "secretName")):
        source = volume.get(kind) or {}
        taken: list[str] = []
        for position, item in enumerate(source.get("items") or ()):
            path = item["path"].rstrip("/")
            other = next((known for known in taken if path == known or path.startswith(f"{known}/") or known.startswith(f"{path}/")), None)
            if other is not None:
                text = f'volume {quoted(volume["name"])} ({title} {quoted(source.get(named, ""))}): overlapping paths: {quoted(path)} with {quoted(other)}'
                yield fault(text, at=(*POD_SPEC, "volumes", index, kind, "items", position, "path"), hint="give every item a path of its own")
            taken.append(path)


def ports(pod: Tree) -> Iterator[Fault]:
    """Containers of a pod have one network: only one of them gets a port."""
    taken: dict[tuple[int, str], list[tuple[Path, Tree]]] = {}
    for path, container in containers_of(pod):
        for index, port in enumerate(container.get("ports") or ()):
            here = (*POD_SPEC, *path, "ports", index)
            key = (port["containerPort"], port.get("protocol", "TCP"))
            for other, before in taken.get(key, ()):
                if same_host(port, before):
                    hint = "all containers of a pod share its ports: give each one of its own"
                    yield fault(f"duplicate port definition with {format_path(('spec', 'template', *other))}", *here, hint=hint)
            taken.setdefault(key, []).append((here, port))


def same_host(one: Tree, other: Tree) -> bool:
    return all((one.get(field) or None) == (other.get(field) or None) for field in ("hostIP", "hostPort"))
