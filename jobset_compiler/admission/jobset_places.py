"""Where a place of the JobSet was written: in a patch of the TrainJob, or in the runtime's template."""

from __future__ import annotations

from jobset_compiler.lean import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.source.document import Document

TEMPLATE: Path = ("spec", "template")
RUNTIME_REF: Path = ("spec", "runtimeRef")


def written_at(plan: Plan, jobset: dict[str, Any], path: Path) -> tuple[Document, Path]:
    """The document and the path in it that a path of the JobSet comes from, as far as it goes there."""
    job, runtime = plan.job, plan.runtime
    if path[:1] == ("metadata",):
        return _metadata_at(plan, path)
    if path[:2] != ("spec", "replicatedJobs") or len(path) < 3:
        return runtime.document, (*TEMPLATE, *path)
    entry = jobset["spec"]["replicatedJobs"][path[2]]
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
