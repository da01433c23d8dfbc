"""Parity notices: what upstream does that its users hardly expect, said on the line that causes it.

The passes in notices_*.py only read: they compare a few tuples of the finished Plan and of the runtime.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics.diagnostic import Diagnostic, Note
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.trainjob import JobPatch
    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.source.document import Document

Tree = dict[str, Any]
TEMPLATE: Path = ("spec", "template", "spec")
POD: Path = ("template", "spec", "template", "spec")
TRAINER_SPEC: Path = ("spec", "trainer")
RUNTIME_REF: Path = ("spec", "runtimeRef", "name")


def on_trainjob(plan: Plan, code: Code, message: str, at: Path, hint: str, severity: str | None = None) -> Diagnostic:
    """A notice about a line of the TrainJob."""
    return Diagnostic(code, message, document=plan.job.document, at=at, hint=hint, stage="build", severity=severity, subject=_subject(plan))


def on_runtime(plan: Plan, code: Code, message: str, at: Path, hint: str, severity: str | None = None) -> Diagnostic:
    """A notice about a line of the runtime, in so far as this TrainJob uses it."""
    document, place, notes = where_it_can_be_seen(plan, plan.runtime.document, at)
    return Diagnostic(code, message, document=document, at=place, hint=hint, stage="build", severity=severity, notes=notes, subject=_subject(plan))


def where_it_can_be_seen(plan: Plan, document: Document, at: Path) -> tuple[Document, Path, tuple[Note, ...]]:
    """A place that the user can open and comment on: for a runtime that comes with the compiler the reference to it, with a note of the line."""
    if plan.runtime.bundled and document is plan.runtime.document:
        return plan.job.document, RUNTIME_REF, (Note("in the runtime that comes with the compiler", document, at),)
    return document, at, ()


def _subject(plan: Plan) -> tuple[str, str, str]:
    return "TrainJob", plan.job.namespace, plan.job.name


def job_path(plan: Plan, name: str) -> Path:
    """Where the runtime has that replicatedJob; the whole template for one that a patch has added."""
    for index, job in enumerate(replicated_jobs(plan.runtime.template)):
        if job["name"] == name:
            return *TEMPLATE, "replicatedJobs", index
    return TEMPLATE


def pod_path(plan: Plan, job: str) -> Path:
    path = job_path(plan, job)
    return path if path == TEMPLATE else (*path, *POD)


def container_path(plan: Plan, job: str, container: str, field: str = "containers") -> Path:
    """Where the runtime has that container (of `containers` or `initContainers`); its job's pod for one that a patch has added."""
    for entry in replicated_jobs(plan.runtime.template):
        if entry["name"] == job:
            pod: Tree = entry.get("template", {}).get("spec", {}).get("template", {}).get("spec", {})
            for index, have in enumerate(pod.get(field) or ()):
                if have["name"] == container:
                    return *pod_path(plan, job), field, index
    return pod_path(plan, job)


def job_patches(plan: Plan) -> Iterator[JobPatch]:
    for patch in plan.job.patches:
        yield from patch.jobs


def patch_path(patch: JobPatch, path: Path) -> Path:
    """Where the TrainJob has what stands at `path` in the JobTemplateSpec that a patch was decoded into."""
    return *patch.origin, *path[len(patch.at) :]


def listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names)
