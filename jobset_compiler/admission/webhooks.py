"""The Trainer webhooks: does the runtime exist, what do its own rules say, what do the plugins say about the TrainJob."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import CLUSTER_KIND
from jobset_compiler.api.trainjob import MULTIKUEUE
from jobset_compiler.diagnostics.codes import resolve as codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.profiles import features
from jobset_compiler.resolve.catalog import RESOURCE_NAMES, is_supported, near, registry_key

if TYPE_CHECKING:
    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.api.trainjob import TrainJob
    from jobset_compiler.options import Options
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.catalog import Catalog
    from jobset_compiler.resolve.plan import Plan


def find_runtime(job: TrainJob, catalog: Catalog, options: Options) -> tuple[Runtime | None, list[Diagnostic]]:
    """The runtime that runtimeRef means; the webhook's own words when there is none."""
    subject = ("TrainJob", job.namespace, job.name)
    if not is_supported(job):
        return None, [
            Diagnostic(
                codes.UNSUPPORTED_RUNTIME,
                f"unsupported runtime: {registry_key(job)}",
                document=job.document,
                at=("spec", "runtimeRef"),
                stage="webhook",
                hint="runtimeRef.kind is ClusterTrainingRuntime or TrainingRuntime, runtimeRef.apiGroup trainer.kubeflow.org",
                subject=subject,
            )
        ]
    ref = job.runtime_ref
    runtime = catalog.find(job)
    if runtime is not None:
        if runtime.bundled:
            return runtime, [
                Diagnostic(
                    codes.BUNDLED_RUNTIME_USED,
                    f"{ref.kind} {ref.name} comes with the compiler (Kubeflow Trainer {options.profile.trainer})",
                    document=job.document,
                    at=("spec", "runtimeRef", "name"),
                    stage="resolve",
                    subject=subject,
                )
            ]
        return runtime, []
    if options.ignore_missing_runtime:
        message = f"{ref.kind} {ref.name} is not among the inputs; the TrainJob was not compiled"
        at = ("spec", "runtimeRef", "name")
        return None, [Diagnostic(codes.RUNTIME_MISSING_IGNORED, message, document=job.document, at=at, stage="resolve", subject=subject)]
    cluster = ref.kind == CLUSTER_KIND
    kind = ref.kind[0].lower() + ref.kind[1:]
    return None, [
        Diagnostic(
            codes.RUNTIME_NOT_FOUND,
            f'{RESOURCE_NAMES[ref.kind]} "{ref.name}" not found: specified {kind} must be created before the TrainJob is created',
            document=job.document,
            at=("spec", "runtimeRef", "name"),
            path="spec.RuntimeRef" if cluster else "spec.runtimeRef",
            stage="webhook",
            hint=_searched(job, catalog),
            subject=subject,
        )
    ]


def _searched(job: TrainJob, catalog: Catalog) -> str:
    ref = job.runtime_ref
    cluster = ref.kind == CLUSTER_KIND
    known = catalog.names(ref.kind, "" if cluster else job.namespace)
    close = near(ref.name, known)
    if close:
        return f"did you mean {close}?"
    elsewhere = sorted((k, ns) for (k, ns, name) in catalog.given if name == ref.name)
    if elsewhere:
        kind, namespace = elsewhere[0]
        return f"there is a {kind} of that name" + (f" in namespace {namespace}" if namespace else "") + f"; runtimeRef.kind is {ref.kind}"
    return "known: " + (", ".join(known) or "none") + "; give the runtime's file with -r"


def check_runtime(runtime: Runtime, profile: Profile) -> list[Diagnostic]:
    return []


def check_trainjob(plan: Plan) -> list[Diagnostic]:
    return []


def left_to_another_controller(plan: Plan) -> bool:
    """MultiKueue's TrainJobs are not reconciled where the release honours managedBy (#3681)."""
    return plan.job.managed_by == MULTIKUEUE and plan.profile.has(features.MULTIKUEUE_LEFT_ALONE)
