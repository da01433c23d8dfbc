"""Which language a document speaks: that of v1.9, or that of v2.0 and later."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.api.runtime import ANCESTOR_LABEL, DATASET_INITIALIZER, LAUNCHER, MODEL_INITIALIZER, NODE
from jobset_compiler.dialects.preview.words import GONE, INITIALIZER_JOB, JOBS, POD, TRAINER, TRAINER_JOB
from jobset_compiler.dialects.tree import get

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.source.document import Document

OLD, NEW = "old", "new"
INITIALIZERS = (DATASET_INITIALIZER, MODEL_INITIALIZER)


class Hit(NamedTuple):
    """One word that only one of the languages has. mend: what to write where the other one is meant."""

    language: str
    path: Path
    text: str
    mend: str = ""


class Vocabulary(NamedTuple):
    hits: tuple[Hit, ...]

    def first(self, language: str) -> Hit | None:
        return next((hit for hit in self.hits if hit.language == language), None)


def vocabulary_of(document: Document) -> Vocabulary:
    return Vocabulary(tuple(_of_trainjob(document) if document.value["kind"] == "TrainJob" else _of_runtime(document)))


def _of_trainjob(document: Document) -> Iterator[Hit]:
    spec = document.value.get("spec")
    for field, now in (("datasetConfig", "initializer.dataset"), ("modelConfig", "initializer.model")):
        if get(spec, field) is not None:
            yield Hit(OLD, ("spec", field), f"spec.{field}", f"write spec.{now}")
    for field in ("initializer", "podTemplateOverrides", "runtimePatches"):
        if get(spec, field) is not None:
            yield Hit(NEW, ("spec", field), f"spec.{field}")
    overrides = get(spec, "podSpecOverrides")
    for index, override in enumerate(overrides if isinstance(overrides, list) else ()):
        for kind in ("containers", "initContainers"):
            containers = get(override, kind)
            for position, container in enumerate(containers if isinstance(containers, list) else ()):
                for field in GONE:
                    if get(container, field) is not None:
                        path: Path = ("spec", "podSpecOverrides", index, kind, position, field)
                        yield Hit(OLD, path, f"{field} of a container override", "leave it out")


def _of_runtime(document: Document) -> Iterator[Hit]:
    jobs = get(document.value, *JOBS)
    for index, job in enumerate(jobs if isinstance(jobs, list) else ()):
        path: Path = (*JOBS, index)
        name = get(job, "name")
        label = get(job, "template", "metadata", "labels", ANCESTOR_LABEL)
        if name == TRAINER_JOB:
            yield Hit(OLD, (*path, "name"), f"replicatedJobs[{index}].name {TRAINER_JOB}", f"rename the job to {NODE}")
        if name in (NODE, LAUNCHER, *INITIALIZERS):
            yield Hit(NEW, (*path, "name"), f"replicatedJobs[{index}].name {name}")
        if label is not None:
            yield Hit(NEW, (*path, "template", "metadata", "labels", ANCESTOR_LABEL), "its label trainjob-ancestor-step")
        inits = get(job, *POD, "initContainers")
        names = {get(container, "name") for container in (inits if isinstance(inits, list) else ())}
        if name == INITIALIZER_JOB and names & set(INITIALIZERS):
            yield Hit(OLD, (*path, "name"), f"replicatedJobs[{index}].name {name}", "give each initialiser a job of its own")
        containers = get(job, *POD, "containers")
        for position, container in enumerate(containers if isinstance(containers, list) else ()):
            if get(container, "name") == TRAINER and label is None:
                where = (*path, *POD, "containers", position, "name")
                yield Hit(OLD, where, f"a container called {TRAINER}", f"rename the container to {NODE}")
