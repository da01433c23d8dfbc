"""What the runtime webhooks refuse: replicas, and containers that an ancestor label promises.

Source: validateReplicatedJobs in pkg/webhooks/trainingruntime_webhook.go. A ClusterTrainingRuntime is checked when it is
created and changed, a TrainingRuntime only when it is created (#3686).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import DATASET_INITIALIZER, LAUNCHER, MODEL_INITIALIZER, NODE, TRAINER, ancestor_of, containers_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.profiles import features
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.profiles import Profile

CONTAINER_OF = {TRAINER: NODE, DATASET_INITIALIZER: DATASET_INITIALIZER, MODEL_INITIALIZER: MODEL_INITIALIZER}
OPT_OUT = "trainer.kubeflow.org/webhook-validation"
JOBS = ("spec", "template", "spec", "replicatedJobs")
POD_SPEC = ("template", "spec", "template", "spec")


def check_jobs(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    """Errors of the runtime's jobs; only warnings where its label keeps the webhooks away."""
    opted_out = opts_out(runtime, profile)
    for finding in _findings(runtime, profile):
        yield _skipped(finding) if opted_out else finding


def opts_out(runtime: Runtime, profile: Profile) -> bool:
    """Whether the runtime's label keeps its webhooks away (2.3, #3683)."""
    return runtime.labels.get(OPT_OUT) == "disabled" and profile.has(features.RUNTIME_WEBHOOK_OPT_OUT)


def _findings(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    launcher_checked = profile.has(features.LAUNCHER_REPLICAS_CHECKED)
    containers_checked = profile.has(features.ANCESTOR_CONTAINERS_CHECKED)
    for index, job in enumerate(replicated_jobs(runtime.template)):
        labelled = ancestor_of(job) in CONTAINER_OF
        # The Go round trip drops a zero, and the schema has filled in 1 where nothing was written.
        if job.get("replicas", 0) != 1 and (labelled or (launcher_checked and job["name"] == LAUNCHER)):
            yield _replicas(runtime, index)
        if labelled and containers_checked and not has_container(job):
            yield _container(runtime, index, job)


def has_container(job: dict[str, Any]) -> bool:
    """Whether a job with an ancestor label has the container that the controller will write to."""
    wanted = CONTAINER_OF.get(ancestor_of(job) or "")
    return any(container["name"] == wanted for container in containers_of(job))


def _replicas(runtime: Runtime, index: int) -> Diagnostic:
    at = (*JOBS, index, "replicas")
    return Diagnostic(
        codes.webhook.RUNTIME_REPLICAS,
        "always must be 1",
        document=runtime.document,
        at=at,
        path=format_path(at),
        stage="webhook",
        hint="write replicas: 1; the number of nodes is spec.mlPolicy.numNodes or the TrainJob's spec.trainer.numNodes",
        subject=_subject(runtime),
    )


def _container(runtime: Runtime, index: int, job: dict[str, Any]) -> Diagnostic:
    at = (*JOBS, index, *POD_SPEC, "containers")
    ancestor = ancestor_of(job) or ""
    there = [container["name"] for container in containers_of(job)]
    rename = f"rename {there[0]}" if len(there) == 1 else "rename the main one"
    return Diagnostic(
        codes.webhook.RUNTIME_CONTAINER_MISSING,
        f"must contain the required container for the ancestor: {ancestor}",
        document=runtime.document,
        at=at,
        path=format_path(at),
        stage="webhook",
        hint=f"the container must be called {CONTAINER_OF[ancestor]}: {rename}" if there else f"add a container called {CONTAINER_OF[ancestor]}",
        subject=_subject(runtime),
    )


def _skipped(finding: Diagnostic) -> Diagnostic:
    return Diagnostic(
        codes.webhook.RUNTIME_CHECKS_SKIPPED,
        f"not refused because of the label {OPT_OUT}: disabled, but would be: {finding.path}: {finding.message}",
        document=finding.document,
        at=finding.at,
        path=finding.path,
        stage="webhook",
        hint=finding.hint,
        subject=(finding.object_kind, finding.namespace, finding.name),
    )


def _subject(runtime: Runtime) -> tuple[str, str, str]:
    return (runtime.kind, runtime.namespace, runtime.name)
