"""The Trainer webhooks: does the runtime exist, what do its own rules say, what do the plugins say about the TrainJob."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.rules.deprecation import warn_of_given, warn_of_used
from jobset_compiler.admission.rules.name import check_name
from jobset_compiler.admission.rules.rule import judge
from jobset_compiler.admission.rules.runtime import check_jobs, opts_out
from jobset_compiler.admission.rules.trainjob import plugins_for
from jobset_compiler.api.runtime import CLUSTER_KIND, NAMESPACED_KIND
from jobset_compiler.api.trainjob import GROUP
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic, Note
from jobset_compiler.kube.structural.errors import quoted
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.resolve.catalog import is_supported, registry_key
from jobset_compiler.resolve.plan import is_left_to_multikueue

if TYPE_CHECKING:
    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.api.trainjob import TrainJob
    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.passes.api import Pass
    from jobset_compiler.profiles import Profile
    from jobset_compiler.request.options import Options
    from jobset_compiler.resolve.catalog import Catalog
    from jobset_compiler.resolve.patches import Unmergeable
    from jobset_compiler.resolve.plan import Plan

NAME = ("spec", "runtimeRef", "name")


def find_runtime(job: TrainJob, catalog: Catalog, options: Options) -> tuple[Runtime | None, list[Diagnostic]]:
    """The runtime that runtimeRef means, and the webhook's own words when there is none (or, in 2.0, about the name).

    Source: ValidateCreate in pkg/webhooks/trainjob_webhook.go, ValidateObjects in pkg/runtime/core/*.go.
    """
    if not is_supported(job):
        return None, [_unsupported(job)]
    report = list(check_name(job, options.profile))
    runtime = catalog.find(job)
    brought = catalog.brought_for(job)
    if brought is not None:
        message = f"{_named(job)} comes with {brought.by}: no release of Trainer ships it"
        report.append(_told(job, codes.extensions.BROUGHT_RUNTIME_USED, message))
        report += [_of_brought(job, found, brought.by) for found in brought.diagnostics]
    elif runtime is None:
        report.append(_ignored(job) if options.ignore_missing_runtime else _not_found(job, catalog, options.profile))
    elif runtime.bundled:
        report.append(_told(job, codes.resolve.BUNDLED_RUNTIME_USED, f"{_named(job)} comes with the compiler (Kubeflow Trainer {options.profile.trainer})"))
    elif runtime.kind == CLUSTER_KIND and runtime.name in catalog.bundled_names:
        report.append(_told(job, codes.resolve.RUNTIME_USED, f"{_named(job)} is the one of {runtime.document.file}, not the one that comes with the compiler"))
    return runtime, report


def check_runtime(runtime: Runtime, profile: Profile) -> list[Diagnostic]:
    """What the webhooks of TrainingRuntime and ClusterTrainingRuntime say when it is created."""
    report = list(check_jobs(runtime, profile))
    if not opts_out(runtime, profile):
        report += warn_of_given(runtime, profile)
    return report


def check_trainjob(plan: Plan, passes: tuple[Pass, ...] = BUILTIN) -> list[Diagnostic]:
    """What the TrainJob webhook says when it is created: the runtime's deprecation, then every plugin's rules, and those of passes that bring some.

    Upstream validates a freshly built Info, so the Plan must be the one before any pass.
    """
    if plan.unmergeable is not None:
        return [_unmergeable(plan.job, plan.unmergeable)]
    report = list(warn_of_used(plan))
    report += judge(plan, plugins_for(plan))
    if passes is not BUILTIN:
        from jobset_compiler.admission.rules.reserved import check_reserved

        report += check_reserved(plan, passes)
    if is_left_to_multikueue(plan):
        report.append(_not_ours(plan.job))
    return report


def _named(job: TrainJob) -> str:
    return f"{job.runtime_ref.kind} {job.runtime_ref.name}"


def _subject(job: TrainJob) -> tuple[str, str, str]:
    return ("TrainJob", job.namespace, job.name)


def _told(job: TrainJob, code: Code, message: str) -> Diagnostic:
    return Diagnostic(code, message, document=job.document, at=NAME, stage="resolve", subject=_subject(job))


def _ignored(job: TrainJob) -> Diagnostic:
    return _told(job, codes.resolve.RUNTIME_MISSING_IGNORED, f"{_named(job)} is not among the inputs; the TrainJob was not compiled")


def _of_brought(job: TrainJob, found: Diagnostic, by: str) -> Diagnostic:
    """What is wrong with a runtime that nobody can open: at the reference to it."""
    notes = (Note(f"in the runtime that comes with {by}", found.document, found.at),) if found.document is not None else ()
    return Diagnostic(
        found.rule,
        found.message,
        document=job.document,
        at=NAME,
        path=found.path,
        hint=found.hint,
        stage=found.stage,
        notes=notes,
        severity=found.severity,
        subject=_subject(job),
    )


def _unsupported(job: TrainJob) -> Diagnostic:
    from jobset_compiler.diagnostics.fix import replace

    kind, name = job.runtime_ref.kind, job.runtime_ref.name
    meant = tuple(known for known in (CLUSTER_KIND, NAMESPACED_KIND) if kind.lower() == known.lower())
    return Diagnostic(
        codes.resolve.UNSUPPORTED_RUNTIME,
        f"unsupported runtime: {registry_key(job)}",
        document=job.document,
        at=("spec", "runtimeRef"),
        stage="webhook",
        hint=f"runtimeRef.kind is {CLUSTER_KIND} or {NAMESPACED_KIND}, runtimeRef.apiGroup {GROUP}; leave both out for a {CLUSTER_KIND}"
        if kind or name
        else "add runtimeRef: {name: torch-distributed}, or the name of another runtime",
        remedies=tuple(replace(("spec", "runtimeRef", "kind"), known, safe=True) for known in meant),
        subject=_subject(job),
    )


def _not_found(job: TrainJob, catalog: Catalog, profile: Profile) -> Diagnostic:
    from jobset_compiler.admission.search import where_to_look

    ref, advice = job.runtime_ref, where_to_look(job, catalog, profile)
    kind = ref.kind[0].lower() + ref.kind[1:]
    return Diagnostic(
        codes.resolve.RUNTIME_NOT_FOUND,
        f"{ref.kind}.{GROUP} {quoted(ref.name)} not found: specified {kind} must be created before the TrainJob is created",
        document=job.document,
        at=NAME,
        # The capital letter is upstream's.
        path="spec.RuntimeRef" if ref.kind == CLUSTER_KIND else "spec.runtimeRef",
        stage="webhook",
        hint=advice.hint,
        remedies=advice.remedies,
        subject=_subject(job),
    )


def _unmergeable(job: TrainJob, problem: Unmergeable) -> Diagnostic:
    return Diagnostic(
        codes.resolve.PATCH_UNMERGEABLE,
        problem.message,
        document=job.document,
        at=problem.origin,
        stage="build",
        hint="keys that begin with $ are directives of a strategic merge: write the values themselves",
        subject=_subject(job),
    )


def _not_ours(job: TrainJob) -> Diagnostic:
    return Diagnostic(
        codes.resolve.TRAINJOB_NOT_OURS,
        f"managed by {job.managed_by}: the controller of this cluster creates nothing; these objects appear where MultiKueue sends the TrainJob",
        document=job.document,
        at=("spec", "managedBy"),
        stage="build",
        subject=_subject(job),
    )
