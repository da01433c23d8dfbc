"""Where a place of the JobSet was written: in the TrainJob's own fields, in a patch of it, or in the runtime's template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import DATASET_INITIALIZER, MODEL_INITIALIZER, NODE, TRAINER, ancestor_of
from jobset_compiler.kube.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.api.trainjob import InitializerSource, Trainer
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.source.document import Document

TEMPLATE: Path = ("spec", "template")
RUNTIME_REF: Path = ("spec", "runtimeRef")
POD: Path = ("template", "spec", "template", "spec")
COUNTS = (("template", "spec", "parallelism"), ("template", "spec", "completions"))


def written_at(plan: Plan, jobset: dict[str, Any], path: Path) -> tuple[Document, Path]:
    """The document and the path in it that a path of the JobSet comes from, as far as it goes there."""
    job, runtime = plan.job, plan.runtime
    if path[:1] == ("metadata",):
        return _metadata_at(plan, path)
    if path[:2] != ("spec", "replicatedJobs") or len(path) < 3:
        return runtime.document, (*TEMPLATE, *path)
    entry = jobset["spec"]["replicatedJobs"][path[2]]
    own = _own_field(plan, entry, path[3:])
    if own is not None:
        return job.document, own
    name, found, depth = entry["name"], (job.document, RUNTIME_REF), -1
    for index, candidate in enumerate(runtime.template.get("replicatedJobs", ())):
        if candidate["name"] == name:
            steps = followed(candidate, entry, path[3:])
            found, depth = (runtime.document, (*TEMPLATE, "spec", "replicatedJobs", index, *steps)), len(steps)
    for patch in job.patches:
        for job_patch in patch.jobs:
            if job_patch.job == name and path[3:4] == ("template",) and job_patch.template is not None:
                steps = followed(job_patch.template, entry["template"], path[4:])
                # The last patch wins, and a patch wins over the runtime where both have the place.
                if len(steps) >= depth or len(steps) == len(path) - 4:
                    at = (*job_patch.origin, *steps[len(job_patch.at) :]) if steps[: len(job_patch.at)] == job_patch.at else job_patch.origin
                    found, depth = (job.document, at), len(steps) + 1
    return found


def _own_field(plan: Plan, entry: dict[str, Any], below: Path) -> Path | None:
    """The field of the TrainJob that a part of a replicatedJob has its value from; None for what patches and runtime say."""
    job, ancestor = plan.job, ancestor_of(entry)
    if below in COUNTS and job.trainer is not None and job.trainer.num_nodes is not None:
        counted = (
            entry["name"] == NODE if plan.policy_name == "mpi" else ancestor == TRAINER and entry["template"]["spec"][str(below[2])] == job.trainer.num_nodes
        )
        return ("spec", "trainer", "numNodes") if counted else None
    if below[:5] != (*POD, "containers") or len(below) < 7:
        return None
    container, field, rest = entry["template"]["spec"]["template"]["spec"]["containers"][below[5]], below[6], below[7:]
    if container["name"] == NODE and job.trainer is not None:
        return _of_trainer(job.trainer, container, field, rest, labelled=ancestor == TRAINER)
    for name, source in ((DATASET_INITIALIZER, job.dataset), (MODEL_INITIALIZER, job.model)):
        if container["name"] == ancestor == name and source is not None:
            return _of_initializer(source, name.removesuffix("-initializer"), container, field, rest)
    return None


def _of_trainer(trainer: Trainer, container: dict[str, Any], field: int | str, rest: Path, *, labelled: bool) -> Path | None:
    """Values are compared: passes may have rewritten them since, and not every release takes each field over."""
    given = {"image": trainer.image, "command": trainer.command, "args": trainer.args}
    if field in given:
        value = container.get(str(field))
        same = value == given[str(field)] if isinstance(value, str) else given[str(field)] == tuple(value or ())
        return ("spec", "trainer", field, *rest) if labelled and same else None
    if field == "env":
        return _of_env(trainer.env, ("spec", "trainer", "env"), container, rest)
    if field == "resources" and rest and rest[0] in (trainer.resources_per_node or ()):
        wanted = (trainer.resources_per_node or {})[str(rest[0])]
        present = container["resources"].get(rest[0], {})
        if len(rest) == 1 or (rest[1] in wanted and Quantity.parse(str(wanted[rest[1]])) == Quantity.parse(str(present.get(rest[1], "0")))):
            return ("spec", "trainer", "resourcesPerNode", *rest)
    return None


def _of_initializer(source: InitializerSource, step: str, container: dict[str, Any], field: int | str, rest: Path) -> Path | None:
    here: Path = ("spec", "initializer", step)
    if field == "env":
        own = _of_env(source.env, (*here, "env"), container, rest)
        if own is None and rest and container["env"][rest[0]] == {"name": "STORAGE_URI", "value": source.storage_uri}:
            return (*here, "storageUri")
        return own
    if field == "envFrom" and rest and source.secret is not None and rest[0] == len(container["envFrom"]) - 1:
        return (*here, "secretRef")
    return None


def _of_env(given: Sequence[dict[str, Any]], at: Path, container: dict[str, Any], rest: Path) -> Path | None:
    """By the variable's name, where it has the TrainJob's value."""
    if not rest:
        return None
    variable = container["env"][rest[0]]
    index = next((index for index, entry in enumerate(given) if entry["name"] == variable["name"]), None)
    if index is None or given[index].get("value", "") != variable.get("value", ""):
        return None
    return (*at, index, *rest[1:])


def followed(tree: Any, reference: Any, path: Path) -> Path:
    """`path` of `reference` in `tree`, as far as it goes there; items of lists are found by their names."""
    steps: list[str | int] = []
    for step in path:
        try:
            reference = reference[step]
            if isinstance(step, int) and isinstance(reference, dict) and "name" in reference:
                step = next(index for index, item in enumerate(tree) if item.get("name") == reference["name"])
            tree = tree[step]
        except (KeyError, IndexError, TypeError, StopIteration):
            break
        steps.append(step)
    return tuple(steps)


def _metadata_at(plan: Plan, path: Path) -> tuple[Document, Path]:
    """Labels and annotations come from the last patch that has any of them, else from the runtime's template."""
    if path[1:2] not in (("labels",), ("annotations",)):
        return plan.job.document, path
    for patch in reversed(plan.job.patches):
        if patch.labels if path[1] == "labels" else patch.annotations:
            return plan.job.document, (*patch.metadata_origin, *path[1:])
    return plan.runtime.document, (*TEMPLATE, *path)
