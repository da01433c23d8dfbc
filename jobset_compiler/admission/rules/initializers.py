"""spec.initializer: the runtime must have the job, the container and the mount that it needs.

Source: Validate in pkg/runtime/framework/plugins/jobset/jobset.go. Jobs are matched by name here, by ancestor label
where the values are injected (JSC837).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.rules.rule import Plugin, Refusal, Rule, listed, runtime_note, runtime_place
from jobset_compiler.api.runtime import DATASET_INITIALIZER, MODEL_INITIALIZER, pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.profiles import features
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan

CITES = ("pkg/runtime/framework/plugins/jobset/jobset.go",)
VOLUME = "initializer"


def checks_mounts(profile: Profile) -> bool:
    """Whether an initialiser must mount the volume that it fills."""
    return profile.has(features.INITIALIZER_MOUNT_CHECKED)


def requirements(plan: Plan) -> Iterator[Refusal]:
    """What the runtime lacks for each initializer of the TrainJob: the first thing in the order job, container, mount."""
    if plan.job.dataset is not None:
        yield from _missing(plan, DATASET_INITIALIZER, "dataset", "datasetConfig")
    if plan.job.model is not None:
        yield from _missing(plan, MODEL_INITIALIZER, "model", "modelConfig")


def _missing(plan: Plan, name: str, field: str, old_field: str) -> Iterator[Refusal]:
    at = ("spec", "initializer", field)
    place = runtime_place(plan, name)
    jobs = {job["name"]: pod_spec_of(job) for job in replicated_jobs(plan.template)}
    pod = jobs.get(name)
    if pod is None:
        yield Refusal(
            codes.webhook.INITIALIZER_JOB_MISSING,
            f"must have {name} job when trainJob is configured with input {old_field}",
            "spec.runtimeRef",
            at,
            f"the runtime's jobs are {listed(jobs)}: use a runtime with a replicatedJob called {name}, or leave spec.initializer.{field} out",
            runtime_note(plan, "the runtime's jobs", place),
        )
    elif not any(container["name"] == name for kind in ("containers", "initContainers") for container in pod.get(kind) or ()):
        yield Refusal(
            codes.webhook.INITIALIZER_CONTAINER_MISSING,
            f"must have container with name - {name} in the {name} job",
            "spec.runtimeRef",
            at,
            f"rename the container in the runtime's job {name} to {name}",
            runtime_note(plan, "the job in the runtime", place),
        )
    elif checks_mounts(plan.profile) and not any(
        mount["name"] == VOLUME for container in pod.get("containers") or () if container["name"] == name for mount in container.get("volumeMounts", ())
    ):
        yield Refusal(
            codes.webhook.INITIALIZER_MOUNT_MISSING,
            f"must have volumeMount with name - {VOLUME} in container {name} of the {name} job",
            "spec.runtimeRef",
            at,
            f"give the runtime's container {name} a volumeMount with name: {VOLUME} (mountPath: /workspace), and the pod or volumeClaimPolicies such a volume",
            runtime_note(plan, "the job in the runtime", place),
        )


INITIALIZERS = Plugin("JobSet: initializers", (Rule(requirements, (*CITES, "#3714")),))
