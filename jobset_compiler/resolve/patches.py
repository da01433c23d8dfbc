"""A TrainJob's overrides merged into the runtime's JobSet spec, as each release merges them.

Whatever their spelling, overrides arrive as JobPatches (api/trainjob.py). Releases differ in how far a patch reaches:
pod spec, pod template, Job template, or (from 2.3, #3709) the whole JobSet spec, where an unknown job is added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.kube.lineage import UNTOLD, Late
from jobset_compiler.kube.retype import read_and_written
from jobset_compiler.profiles import features
from jobset_compiler.resolve.record import AS_IN_RUNTIME, AS_IT_STANDS, Override, Record
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.api.trainjob import JobPatch, Patch
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.lineage import Lineage
    from jobset_compiler.kube.table import TypeTable
    from jobset_compiler.profiles import Profile

Tree = dict[str, Any]


class Unmergeable(Value):
    """An override that could not be merged, and the words of the merge."""

    __slots__ = ("message", "origin")

    def __init__(self, origin: Path, message: str) -> None:
        self.origin: Final = origin
        self.message: Final = message


class Patched(Value):
    """The merged JobSet spec, and where each part of it comes from.

    reread: the jobs that the controller has read anew from JSON, so that their quantities lost the form they were written in.
    has_unset: what patches touched holds, or held on the way, a null or an empty list. problem: why nothing was merged from some override on.
    """

    __slots__ = ("has_unset", "problem", "record", "reread", "template")

    def __init__(
        self,
        template: Tree,
        record: Record = AS_IT_STANDS,
        reread: frozenset[str] = frozenset(),
        has_unset: bool = False,
        problem: Unmergeable | None = None,
    ) -> None:
        self.template: Final = template
        self.record: Final = record
        self.reread: Final = reread
        self.has_unset: Final = has_unset
        self.problem: Final = problem


def apply_patches(runtime: Runtime, patches: tuple[Patch, ...], profile: Profile) -> Patched:
    """The runtime's JobSet spec after all patches, in their order (the last one wins). What no patch touches is shared with the runtime.

    Source: mergePodSpecOverrides (2.0), mergePodTemplateOverrides (2.1), mergeRuntimePatches (2.2, 2.3) in
    pkg/runtime/core/trainingruntime.go.
    """
    jobs = [patch for patch in patches if patch.jobs]
    if not jobs:
        return Patched(runtime.template)
    merge = _whole_jobset if profile.has(features.PATCHES_WHOLE_JOBSET) else _job_by_job
    return merge(runtime, jobs, profile.types())


def _job_by_job(runtime: Runtime, patches: list[Patch], types: TypeTable) -> Patched:
    template = runtime.template
    names = [job["name"] for job in template.get("replicatedJobs", ())]
    steps = [
        _Step(patch.manager, job_patch, job_patch.template, index)
        for patch in patches
        for job_patch in patch.jobs
        if job_patch.template is not None
        for index, name in enumerate(names)
        if name == job_patch.job
    ]
    jobs, _, has_unset, problem = _merged_jobs(runtime, steps, types, UNTOLD)
    if problem is not None:
        return Patched(template, problem=problem)

    def lineage() -> Lineage:
        as_in_runtime = AS_IN_RUNTIME.lineage
        return _with_jobs(as_in_runtime, _merged_jobs(runtime, steps, types, as_in_runtime)[1])

    record = Record(Late(lineage), tuple(Override(step.manager, step.patch.at, step.patch.origin) for step in steps))
    reread = frozenset(names[step.index] for step in steps)
    return Patched({**template, "replicatedJobs": jobs} if jobs else template, record, reread, has_unset)


class _Step(Value):
    """A template that is merged into the job at an index."""

    __slots__ = ("index", "manager", "patch", "template")

    def __init__(self, manager: str, patch: JobPatch, template: Tree, index: int) -> None:
        self.manager: Final = manager
        self.patch: Final = patch
        self.template: Final = template
        self.index: Final = index


def _merged_jobs(runtime: Runtime, steps: list[_Step], types: TypeTable, lineage: Lineage) -> tuple[list[Tree], list[Lineage], bool, Unmergeable | None]:
    """The jobs after all steps, where each comes from, and whether a step left something unset; `lineage` is that of the template."""
    from jobset_compiler.kube.merge import MergeError, merge_with_lineage

    jobs: list[Tree] = list(runtime.template.get("replicatedJobs", ()))
    lineages = [lineage.below("replicatedJobs").below(index) for index in range(len(jobs))]
    has_unset = False
    for place, step in enumerate(steps):
        job, held = jobs[step.index], lineages[step.index]
        try:
            merged, source = merge_with_lineage(job["template"], held.below("template"), step.template, (place,), types, "batch.JobTemplateSpec")
        except MergeError as error:
            return jobs, lineages, has_unset, Unmergeable(step.patch.origin, str(error))
        typed = read_and_written(merged, types, "batch.JobTemplateSpec", runtime.parts.known)
        jobs[step.index] = {**job, "template": typed.value}
        lineages[step.index] = held.with_below({"template": source})
        has_unset = has_unset or typed.has_unset
    return jobs, lineages, has_unset, None


def _whole_jobset(runtime: Runtime, patches: list[Patch], types: TypeTable) -> Patched:
    template, _, has_unset, problem = _merged_jobset(runtime, patches, types, UNTOLD)
    if problem is not None:
        return Patched(template, problem=problem)
    order = {job["name"]: index for index, job in enumerate(runtime.template.get("replicatedJobs", ()))}
    jobs = template.get("replicatedJobs", ())
    # An unknown name sorts like the first job (Go's zero value for a missing key): JSC810.
    places = sorted(range(len(jobs)), key=lambda place: order.get(jobs[place]["name"], 0))

    def lineage() -> Lineage:
        whole = _merged_jobset(runtime, patches, types, AS_IN_RUNTIME.lineage)[1]
        listed = whole.below("replicatedJobs")
        return _with_jobs(whole, [listed.below(place) for place in places])

    record = Record(Late(lineage), tuple(Override(patch.manager, (), patch.spec_origin) for patch in patches))
    reread: frozenset[str] = frozenset(str(job["name"]) for job in jobs)
    return Patched({**template, "replicatedJobs": [jobs[place] for place in places]} if jobs else template, record, reread, has_unset)


def _merged_jobset(runtime: Runtime, patches: list[Patch], types: TypeTable, lineage: Lineage) -> tuple[Tree, Lineage, bool, Unmergeable | None]:
    """The template after all patches, where it comes from, and whether a patch left something unset; `lineage` is that of the runtime's."""
    from jobset_compiler.kube.merge import MergeError, merge_with_lineage

    template, has_unset = runtime.template, False
    for index, patch in enumerate(patches):
        wanted = [{"name": job.job} if job.template is None else {"name": job.job, "template": job.template} for job in patch.jobs]
        try:
            merged, lineage = merge_with_lineage(template, lineage, {"replicatedJobs": wanted}, (index,), types, "jobset.JobSetSpec")
        except MergeError as error:
            return template, lineage, has_unset, Unmergeable(patch.origin, str(error))
        typed = read_and_written(merged, types, "jobset.JobSetSpec", runtime.parts.known)
        template, has_unset = typed.value, has_unset or typed.has_unset
    return template, lineage, has_unset, None


def _with_jobs(lineage: Lineage, jobs: list[Lineage]) -> Lineage:
    """The lineage of a template whose replicatedJobs come from there."""
    listed = lineage.below("replicatedJobs").with_below(dict(enumerate(jobs)))
    return lineage.with_below({**(lineage.children or {}), "replicatedJobs": listed})


def merged_metadata(labels: dict[str, str], annotations: dict[str, str], patches: tuple[Patch, ...]) -> tuple[dict[str, str], dict[str, str]]:
    """The JobSet's labels and annotations: the runtime template's, overlaid by each patch in order."""
    for patch in patches:
        if patch.labels:
            labels = {**labels, **patch.labels}
        if patch.annotations:
            annotations = {**annotations, **patch.annotations}
    return dict(sorted(labels.items())), dict(sorted(annotations.items()))
