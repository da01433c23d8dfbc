"""Queues of Kueue and KAI: the labels that they read, and those that they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.trainjob_defaulter import has_defaulter, stamps
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Note
from jobset_compiler.diagnostics.place import value_at
from jobset_compiler.emit.json import compact
from jobset_compiler.findings.words import JOBS, POD_TEMPLATE, labels_of, on_trainjob, pod_template_of
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.api.trainjob import TrainJob
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.findings.words import Tree
    from jobset_compiler.resolve.plan import Plan

KUEUE_LABELS = ("kueue.x-k8s.io/queue-name", "kueue.x-k8s.io/priority-class")
KAI_QUEUE = "kai.scheduler/queue"
KAI_SCHEDULER = "kai-scheduler"


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    yield from _kueue_labels(plan)
    yield from _kai_queue(plan)
    if KUEUE_LABELS[0] in plan.job.labels:
        yield _kueue_releases(plan)
        if has_defaulter(plan.profile):
            yield from _quantities(plan)


def _kueue_labels(plan: Plan) -> Iterator[Diagnostic]:
    """A Kueue label anywhere but in the TrainJob's metadata.labels (kueue.sigs.k8s.io, Run A TrainJob)."""
    job = plan.job
    for label in KUEUE_LABELS:
        if label in job.labels:
            continue
        hint = f"write it into the TrainJob's own metadata.labels: {{{label}: ...}}"
        message = f"{label} has no effect here: Kueue reads the TrainJob's metadata.labels"
        at = next(_in_trainjob(job, label), None)
        if at is not None:
            yield on_trainjob(plan, codes.advice.KUEUE_LABEL_MISPLACED, message, at, hint)
            continue
        place = next(_in_runtime(plan.runtime, label), None)
        if place is not None:
            note = (Note("the label in the runtime", plan.runtime.document, place),)
            message = f"the runtime's {label} does not queue the TrainJob: Kueue reads the TrainJob's metadata.labels"
            yield on_trainjob(plan, codes.advice.KUEUE_LABEL_MISPLACED, message, ("metadata",), hint, notes=note)


def _kueue_releases(plan: Plan) -> Diagnostic:
    """Kueue reads TrainJobs through the types of one release of Trainer (its go.mod), and writes overrides in the spelling of that one."""
    profile = plan.profile
    message = f"{profile.title} needs Kueue {profile.kueue}: another one writes its overrides in words that this release drops"
    at = ("metadata", "labels", KUEUE_LABELS[0])
    return on_trainjob(plan, codes.advice.KUEUE_RELEASES, message, at, "a TrainJob that Kueue cannot start stays suspended")


def _quantities(plan: Plan) -> Iterator[Diagnostic]:
    """What the defaulter would write otherwise when Kueue's patch comes; an override of the TrainJob's own makes it do so on creation."""
    if stamps(plan.job.document.value):
        return
    written = value_at(plan.job.document.value, ("spec", "trainer", "resourcesPerNode")) or {}
    canonical = plan.job.typed.get("spec", {}).get("trainer", {}).get("resourcesPerNode", {})
    for key in ("limits", "requests"):
        for name, quantity in canonical.get(key, {}).items():
            given = (written.get(key) or {}).get(name)
            if given is not None and given != quantity:
                message = f"{name} {given} becomes {compact(quantity)} when Kueue adds its patch, which is refused: spec.trainer is immutable"
                at = ("spec", "trainer", "resourcesPerNode", key, name)
                yield on_trainjob(plan, codes.silent.QUANTITY_NOT_CANONICAL, message, at, f"write {compact(quantity)}, with the quotes")


def _in_trainjob(job: TrainJob, label: str) -> Iterator[Path]:
    if label in job.annotations:
        yield ("metadata", "annotations", label)
    for patch in job.patches:
        for field, values in (("labels", patch.labels), ("annotations", patch.annotations)):
            if label in values:
                yield (*patch.metadata_origin, field, label)
        for job_patch in patch.jobs:
            for below in ((), ("spec", "template")):
                tree: Tree = job_patch.template or {}
                for step in below:
                    tree = tree.get(step, {})
                if label in labels_of(tree) and len(below) >= len(job_patch.at):
                    yield (*job_patch.origin, *below[len(job_patch.at) :], "metadata", "labels", label)


def _in_runtime(runtime: Runtime, label: str) -> Iterator[Path]:
    if label in runtime.labels:
        yield ("metadata", "labels", label)
    if label in runtime.template_labels:
        yield ("spec", "template", "metadata", "labels", label)
    for index, job in enumerate(replicated_jobs(runtime.template)):
        if label in labels_of(job.get("template", {})):
            yield (*JOBS, index, "template", "metadata", "labels", label)
        if label in labels_of(pod_template_of(job)):
            yield (*JOBS, index, *POD_TEMPLATE, "metadata", "labels", label)


def _kai_queue(plan: Plan) -> Iterator[Diagnostic]:
    """Pods for the KAI scheduler whose queue is neither on the TrainJob nor on themselves."""
    if KAI_QUEUE in plan.job.labels or any(name == KAI_QUEUE for name, _ in plan.pod_labels):
        return
    for job in replicated_jobs(plan.template):
        template = pod_template_of(job)
        if template.get("spec", {}).get("schedulerName") == KAI_SCHEDULER and KAI_QUEUE not in labels_of(template):
            elsewhere = KAI_QUEUE in plan.job.annotations or KAI_QUEUE in plan.labels or KAI_QUEUE in plan.annotations
            message = f"pods of {job['name']} go to KAI's default queue: " + (
                f"{KAI_QUEUE} is read from the labels of the TrainJob or of pods only" if elsewhere else f"there is no label {KAI_QUEUE}"
            )
            yield on_trainjob(plan, codes.advice.KAI_QUEUE_MISSING, message, ("metadata",), f"write metadata.labels: {{{KAI_QUEUE}: ...}} on the TrainJob")
            return
