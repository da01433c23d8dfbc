"""How a piece of advice becomes a diagnostic, and where things stand in a runtime's document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.diagnostic import Note
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]
STAGE = "advice"
TEMPLATE: Path = ("spec", "template")
JOBS: Path = ("spec", "template", "spec", "replicatedJobs")
POD_TEMPLATE: Path = ("template", "spec", "template")
POD_SPEC: Path = (*POD_TEMPLATE, "spec")


def on_trainjob(plan: Plan, code: Code, message: str, at: Path, hint: str, notes: tuple[Note, ...] = ()) -> Diagnostic:
    """Advice about a line of the TrainJob."""
    job = plan.job
    subject = ("TrainJob", job.namespace, job.name)
    return Diagnostic(code, message, document=job.document, at=at, hint=hint, stage=STAGE, notes=notes, subject=subject)


def on_runtime(runtime: Runtime, code: Code, message: str, at: Path, hint: str, severity: str | None = None) -> Diagnostic:
    """Advice about a line of the runtime."""
    subject = (runtime.kind, runtime.namespace, runtime.name)
    return Diagnostic(code, message, document=runtime.document, at=at, hint=hint, stage=STAGE, severity=severity, subject=subject)


def pod_template_of(job: Tree) -> Tree:
    template: Tree = job.get("template", {}).get("spec", {}).get("template", {})
    return template


def labels_of(holder: Tree) -> dict[str, str]:
    """metadata.labels of a template."""
    labels: dict[str, str] = holder.get("metadata", {}).get("labels", {})
    return labels


def containers_of(pod: Tree) -> list[Tree]:
    return pod.get("containers") or []
