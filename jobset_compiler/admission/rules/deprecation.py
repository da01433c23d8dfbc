"""Runtimes marked as deprecated: a warning when one is created and when one is used (2.1, #2791).

Source: ValidateCreate in pkg/webhooks/clustertrainingruntime_webhook.go, ValidateObjects in
pkg/runtime/core/clustertrainingruntime.go. Only ClusterTrainingRuntimes are looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import CLUSTER_KIND
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan

LABEL = "trainer.kubeflow.org/support"
PAGE = "https://trainer.kubeflow.org/en/latest/operator-guides/runtime.html#runtime-deprecation-policy"
OLD_PAGE = "https://www.kubeflow.org/docs/components/trainer/operator-guides/runtime/#runtime-deprecation-policy"


def is_deprecated(runtime: Runtime, profile: Profile) -> bool:
    return runtime.kind == CLUSTER_KIND and runtime.labels.get(LABEL) == "deprecated" and profile.has(features.DEPRECATION_WARNED)


def _policy(profile: Profile) -> str:
    page = PAGE if profile.has(features.DEPRECATION_PAGE_MOVED) else OLD_PAGE
    return f"is deprecated and will be removed in a future release of Kubeflow Trainer. See runtime deprecation policy: {page}"


def warn_of_given(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    """The warning when the runtime itself is created."""
    if is_deprecated(runtime, profile):
        yield Diagnostic(
            codes.webhook.DEPRECATED_RUNTIME_GIVEN,
            f'ClusterTrainingRuntime "{runtime.name}" {_policy(profile)}',
            document=runtime.document,
            at=("metadata", "labels", LABEL),
            stage="webhook",
            subject=(runtime.kind, runtime.namespace, runtime.name),
        )


def warn_of_used(plan: Plan) -> Iterator[Diagnostic]:
    """The warning about each TrainJob that refers to it."""
    runtime, job = plan.runtime, plan.job
    if is_deprecated(runtime, plan.profile):
        yield Diagnostic(
            codes.resolve.RUNTIME_DEPRECATED,
            f'Referenced ClusterTrainingRuntime "{runtime.name}" {_policy(plan.profile)}',
            document=job.document,
            at=("spec", "runtimeRef", "name"),
            stage="webhook",
            subject=("TrainJob", job.namespace, job.name),
        )
