"""Which replicated job trains, which launches, which initialises: told by names, since there are no labels.

Source: pull request 5 of sgl-project/ome (trainer-node, trainer, initializer), its documentation (worker, launcher); the rest is ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import ANCESTOR_LABEL, DATASET_INITIALIZER, LAUNCHER, MODEL_INITIALIZER, NODE, TRAINER
from jobset_compiler.dialects.tree import get

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes

JOBS: Path = ("spec", "template", "spec", "replicatedJobs")
POD: Path = ("template", "spec", "template", "spec")
INITIALIZER = "initializer"
TRAINERS = ("trainer-node", NODE, "worker")
CONTAINERS = (TRAINER, NODE)
NO_TRAINERS = (LAUNCHER, INITIALIZER, DATASET_INITIALIZER, MODEL_INITIALIZER)


def jobs_of(value: Any) -> list[Any]:
    found = get(value, *JOBS)
    return found if isinstance(found, list) else []


def trainer_of(value: Any, notes: Notes) -> int:
    """The index of the job that trains; -1 where that cannot be told, which is noted."""
    jobs = jobs_of(value)
    for index, job in enumerate(jobs):
        if is_labelled(job):
            return index
    names = [get(job, "name") for job in jobs]
    for name in TRAINERS:
        if name in names:
            index = names.index(name)
            if name != NODE:
                notes.role_taken((*JOBS, index, "name"), _taken(name))
            return index
    others = [index for index, name in enumerate(names) if name not in NO_TRAINERS]
    if len(others) == 1:
        notes.role_taken((*JOBS, others[0], "name"), _taken(names[others[0]]))
        return others[0]
    notes.role_unclear(JOBS, f"cannot tell which replicated job trains: {', '.join(map(str, names)) or 'there is none'}", "call it worker")
    return -1


def is_labelled(job: Any) -> bool:
    return bool(get(job, "template", "metadata", "labels", ANCESTOR_LABEL) == TRAINER)


def _taken(name: Any) -> str:
    return f"{name} is taken for the job that trains"


def container_of(value: Any, job: int, first: tuple[str, ...], notes: Notes) -> int:
    """The index of the container of a job that does its work: one of these names, else the only one; -1 where that cannot be told."""
    at = (*JOBS, job, *POD, "containers")
    containers = get(value, *at)
    names = [get(container, "name") for container in (containers if isinstance(containers, list) else ())]
    for name in first:
        if name in names:
            return names.index(name)
    if len(names) == 1:
        return 0
    notes.role_unclear(at, f"cannot tell which container trains: {', '.join(map(str, names)) or 'there is none'}", f"call it {TRAINER}")
    return -1
