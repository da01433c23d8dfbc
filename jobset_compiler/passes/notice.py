"""Parity notices: what upstream does that its users hardly expect, said on the line that causes it.

The passes in notices_*.py only read: they compare a few tuples of the finished Plan and of the runtime.
"""

from __future__ import annotations

from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.lean import TYPE_CHECKING, Any
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.trainjob import JobPatch
    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]
TEMPLATE: Path = ("spec", "template", "spec")
POD: Path = ("template", "spec", "template", "spec")
TRAINER_SPEC: Path = ("spec", "trainer")


def on_trainjob(plan: Plan, code: Code, message: str, at: Path, hint: str, severity: str | None = None) -> Diagnostic:
    """A notice about a line of the TrainJob."""
    return Diagnostic(code, message, document=plan.job.document, at=at, hint=hint, stage="build", severity=severity, subject=_subject(plan))


def on_runtime(plan: Plan, code: Code, message: str, at: Path, hint: str, severity: str | None = None) -> Diagnostic:
    """A notice about a line of the runtime, in so far as this TrainJob uses it."""
    return Diagnostic(code, message, document=plan.runtime.document, at=at, hint=hint, stage="build", severity=severity, subject=_subject(plan))


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
