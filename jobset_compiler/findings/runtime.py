"""Labels, gang policies and times to live of a runtime."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import ANCESTOR_LABEL, DATASET_INITIALIZER, LAUNCHER, MODEL_INITIALIZER, NODE, TRAINER, ancestor_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.codes.code import INFO
from jobset_compiler.findings.words import JOBS, JOBSET_TEMPLATE, POD_TEMPLATE, TEMPLATE, in_runtime, labels_of, pod_template_of
from jobset_compiler.profiles import features
from jobset_compiler.resolve.catalog import near
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.profiles import Profile

ANCESTORS = (TRAINER, DATASET_INITIALIZER, MODEL_INITIALIZER)
BY_NAME = ("mpi", "flux")
FRAMEWORK_LABEL = "trainer.kubeflow.org/framework"
TIME_TO_LIVE_FIELD = "ttlSecondsAfterFinished"
LABELS: Path = ("metadata", "labels", ANCESTOR_LABEL)


def of_runtime(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    yield from _ancestor_labels(runtime)
    yield from _framework_label(runtime)
    yield from _both_gang_policies(runtime)
    yield from _time_to_live(runtime, profile)


def _ancestor_labels(runtime: Runtime) -> Iterator[Diagnostic]:
    """The label in a wrong place or with a wrong value; else, with a policy, that no job has it."""
    jobs = replicated_jobs(runtime.template)
    found = False
    for at, value in _misplaced(runtime):
        found = True
        which = f"of the replicatedJob that is the {value}" if value in ANCESTORS else "of the replicatedJob"
        message = f"the ancestor label {value} is not read here: the controller reads spec.template.spec.replicatedJobs[].template.metadata.labels"
        yield in_runtime(runtime, codes.advice.ANCESTOR_LABEL_MISPLACED, message, at, f"move it to template.metadata.labels {which}")
    for index, job in enumerate(jobs):
        ancestor = ancestor_of(job)
        if ancestor is not None and ancestor not in ANCESTORS:
            found = True
            close = near(ancestor, ANCESTORS)
            hint = f"did you mean {close}?" if close else f"the controller knows {', '.join(ANCESTORS)}"
            yield in_runtime(
                runtime, codes.advice.ANCESTOR_UNKNOWN, f'no step is called "{ancestor}": the job is left as it is', (*JOBS, index, "template", *LABELS), hint
            )
    if runtime.ml_policy is not None and jobs and not found and all(ancestor_of(job) != TRAINER for job in jobs):
        names = [job["name"] for job in jobs]
        likely = next((name for name in (LAUNCHER, NODE) if name in names), None)
        hint = f"write template.metadata.labels: {{{ANCESTOR_LABEL}: {TRAINER}}}" + (f" on the replicatedJob {likely}" if likely else "")
        # MPI and Flux find their jobs by name as well.
        lost = (
            "image, command, args and env of TrainJobs reach no container" if runtime.ml_policy.name in BY_NAME else "mlPolicy and spec.trainer have no effect"
        )
        message = f"no replicatedJob is labelled as the trainer: {lost}, unless a patch adds the label"
        yield in_runtime(runtime, codes.advice.NO_TRAINER_JOB, message, ("spec", "mlPolicy"), hint)


def _misplaced(runtime: Runtime) -> Iterator[tuple[Path, str]]:
    """Where the label stands without effect, and its value; not where the Job template of that job has it as well."""
    if ANCESTOR_LABEL in runtime.labels:
        yield LABELS, runtime.labels[ANCESTOR_LABEL]
    if ANCESTOR_LABEL in runtime.template_labels:
        yield (*JOBSET_TEMPLATE, *LABELS), runtime.template_labels[ANCESTOR_LABEL]
    for index, job in enumerate(replicated_jobs(runtime.template)):
        value = labels_of(pod_template_of(job)).get(ANCESTOR_LABEL)
        if value is not None and ancestor_of(job) is None:
            yield (*JOBS, index, *POD_TEMPLATE, *LABELS), value


def _framework_label(runtime: Runtime) -> Iterator[Diagnostic]:
    if not runtime.labels.get(FRAMEWORK_LABEL):
        policy = runtime.ml_policy.name if runtime.ml_policy else ""
        message = f"without the label {FRAMEWORK_LABEL} the Python SDK does not see this runtime"
        hint = f"metadata.labels: {{{FRAMEWORK_LABEL}: {policy or 'torch'}}}"
        yield in_runtime(runtime, codes.advice.FRAMEWORK_LABEL_MISSING, message, ("metadata",), hint)


def _both_gang_policies(runtime: Runtime) -> Iterator[Diagnostic]:
    policy = runtime.pod_group_policy
    if policy is not None and policy.coscheduling is not None and policy.volcano is not None:
        message = "coscheduling and volcano are both set: two PodGroups for the same pods, of which one is never satisfied"
        yield in_runtime(runtime, codes.advice.BOTH_GANG_POLICIES, message, ("spec", "podGroupPolicy"), "keep the one whose scheduler the cluster runs")


def _time_to_live(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    completed, failed = profile.has(features.COMPLETED_JOBSET_RECREATED), profile.has(features.FAILED_JOBSET_RECREATED)
    if failed and TIME_TO_LIVE_FIELD in runtime.template:
        when = "" if completed else " if it failed"
        message = f"the JobSet is deleted {runtime.template[TIME_TO_LIVE_FIELD]} s after it finished, and the controller creates it again{when}"
        yield in_runtime(runtime, codes.advice.TIME_TO_LIVE, message, (*TEMPLATE, TIME_TO_LIVE_FIELD), "leave it out and delete finished TrainJobs")
    jobs = replicated_jobs(runtime.template)
    for index, job in enumerate(jobs):
        if TIME_TO_LIVE_FIELD in job.get("template", {}).get("spec", {}):
            when = "while the other jobs run" if len(jobs) > 1 else "if it has not seen it finish"
            message = f"when the Job {job['name']} is deleted after it finished, JobSet creates it again {when}"
            at = (*JOBS, index, "template", "spec", TIME_TO_LIVE_FIELD)
            yield in_runtime(runtime, codes.advice.TIME_TO_LIVE, message, at, "leave it out", None if len(jobs) > 1 else INFO)
