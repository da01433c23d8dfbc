"""The job `initializer` with its init containers, as one job for each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import ANCESTOR_LABEL, DATASET_INITIALIZER, MODEL_INITIALIZER
from jobset_compiler.dialects.notes import in_runtime
from jobset_compiler.dialects.preview.words import BUSYBOX, JOBS, POD
from jobset_compiler.dialects.tree import At, Carried, Made, get, parts

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.source.document import Document

STEPS = (DATASET_INITIALIZER, MODEL_INITIALIZER)


def split_initializer(document: Document, path: Path, first: int, notes: Notes) -> list[tuple[str, At]]:
    """(name, tree) of each new job, the dataset first; `first` is the index of the first of them. Each waits for the one before."""
    value = document.value
    pod = (*path, *POD)
    positions: dict[str, int] = {}
    for index, container in enumerate(get(value, *pod, "initContainers") or ()):
        name = get(container, "name")
        if name in STEPS:
            positions[name] = index
        else:
            notes.no_equivalent((*pod, "initContainers", index), f"init container {name} has no place in a job of one initialiser", "move its work")
    for index, container in enumerate(get(value, *pod, "containers") or ()):
        if get(container, "name") != BUSYBOX:
            message = f"container {get(container, 'name')} of the initialisers would be lost: only {BUSYBOX}, which does nothing, may be there"
            notes.no_equivalent((*pod, "containers", index), message, "give it a replicatedJob of its own")
    jobs: list[tuple[str, At]] = []
    for name in STEPS:
        if name in positions:
            jobs.append((name, _job(document, path, name, positions[name], jobs[-1][0] if jobs else "")))
    notes.remark(in_runtime(*JOBS, first), "the initialisers were init containers of one job, initializer", inline=False)
    return jobs


def _job(document: Document, path: Path, name: str, position: int, after: str) -> At:
    value = document.value
    pod = (*path, *POD)
    spec: dict[str, Any] = parts(value, pod, "initContainers")
    spec["containers"] = At((*pod, "initContainers"), [Carried((*pod, "initContainers", position))])
    template = At(pod[:-1], {**parts(value, pod[:-1]), "spec": At(pod, spec)})
    job = At(pod[:-2], {**parts(value, pod[:-2]), "template": template})
    at = (*path, "template")
    labels = {**parts(value, (*at, "metadata", "labels")), ANCESTOR_LABEL: Made(name, path)}
    metadata = Made({**parts(value, (*at, "metadata")), "labels": labels}, path)
    tree: dict[str, Any] = {"name": Made(name, (*pod, "initContainers", position, "name"))}
    if after:
        tree["dependsOn"] = Made([{"name": after, "status": "Complete"}], path)
    rest = parts(value, path, "name", "template")
    return At(path, {**tree, **rest, "template": At(at, {"metadata": metadata, **parts(value, at, "metadata"), "spec": job})})
