"""A TrainJob's overrides merged into the runtime's JobSet spec, as each release merges them.

Whatever their spelling, overrides arrive as JobPatches (api/trainjob.py). Releases differ in how far a patch reaches:
pod spec, pod template, Job template, or (from 2.3, #3709) the whole JobSet spec, where an unknown job is added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.kube.origin import Origin
from jobset_compiler.kube.retype import retype
from jobset_compiler.profiles import features
from jobset_compiler.resolve.record import AS_IN_RUNTIME, AS_IT_STANDS, Override, Record
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.api.trainjob import Patch
    from jobset_compiler.diagnostics.place import Path
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
    problem: why nothing was merged from some override on.
    """

    __slots__ = ("problem", "record", "reread", "template")

    def __init__(self, template: Tree, record: Record = AS_IT_STANDS, reread: frozenset[str] = frozenset(), problem: Unmergeable | None = None) -> None:
        self.template: Final = template
        self.record: Final = record
        self.reread: Final = reread
        self.problem: Final = problem


def apply_patches(runtime: Runtime, patches: tuple[Patch, ...], profile: Profile) -> Patched:
    """The runtime's JobSet spec after all patches, in their order (the last one wins). What no patch touches is shared with the runtime.

    Source: mergePodSpecOverrides (2.0), mergePodTemplateOverrides (2.1), mergeRuntimePatches (2.2, 2.3) in
    pkg/runtime/core/trainingruntime.go.
    """
    jobs = [patch for patch in patches if patch.jobs]
    if not jobs:
        return Patched(runtime.template)
    if profile.has(features.PATCHES_WHOLE_JOBSET):
        return _whole_jobset(runtime.template, runtime.parts, jobs, profile.types())
    return _job_by_job(runtime.template, runtime.parts, jobs, profile.types())


def _job_by_job(template: Tree, parts: frozenset[int], patches: list[Patch], types: TypeTable) -> Patched:
    from jobset_compiler.kube.merge import MergeError, merge_with_origins

    jobs = list(template.get("replicatedJobs", ()))
    origins = [AS_IN_RUNTIME.below("replicatedJobs").below(index) for index in range(len(jobs))]
    overrides: list[Override] = []
    reread: set[str] = set()
    for patch in patches:
        for job_patch in patch.jobs:
            if job_patch.template is None:
                continue
            for index, job in enumerate(jobs):
                if job["name"] == job_patch.job:
                    held, place = origins[index].below("template"), (len(overrides),)
                    try:
                        merged, origin = merge_with_origins(job["template"], held, job_patch.template, place, types, "batch.JobTemplateSpec")
                    except MergeError as error:
                        return Patched(template, problem=Unmergeable(job_patch.origin, str(error)))
                    jobs[index] = {**job, "template": retype(merged, types, "batch.JobTemplateSpec", parts)[0]}
                    origins[index] = Origin((), {"template": origin}, origins[index])
                    overrides.append(Override(patch.manager, job_patch.at, job_patch.origin))
                    reread.add(job_patch.job)
    record = Record(_with_jobs(AS_IN_RUNTIME, origins), tuple(overrides))
    return Patched({**template, "replicatedJobs": jobs} if jobs else template, record, frozenset(reread))


def _whole_jobset(template: Tree, parts: frozenset[int], patches: list[Patch], types: TypeTable) -> Patched:
    from jobset_compiler.kube.merge import MergeError, merge_with_origins

    order = {job["name"]: index for index, job in enumerate(template.get("replicatedJobs", ()))}
    origin = AS_IN_RUNTIME
    for index, patch in enumerate(patches):
        wanted = [{"name": job.job} if job.template is None else {"name": job.job, "template": job.template} for job in patch.jobs]
        try:
            merged, origin = merge_with_origins(template, origin, {"replicatedJobs": wanted}, (index,), types, "jobset.JobSetSpec")
        except MergeError as error:
            return Patched(template, problem=Unmergeable(patch.origin, str(error)))
        typed = retype(merged, types, "jobset.JobSetSpec", parts)[0]
        assert isinstance(typed, dict)
        template = typed
    jobs = template.get("replicatedJobs", ())
    # An unknown name sorts like the first job (Go's zero value for a missing key): JSC810.
    places = sorted(range(len(jobs)), key=lambda place: order.get(jobs[place]["name"], 0))
    listed = origin.below("replicatedJobs")
    record = Record(_with_jobs(origin, [listed.below(place) for place in places]), tuple(Override(patch.manager, (), patch.spec_origin) for patch in patches))
    reread: frozenset[str] = frozenset(str(job["name"]) for job in jobs)
    return Patched({**template, "replicatedJobs": [jobs[place] for place in places]} if jobs else template, record, reread)


def _with_jobs(origin: Origin, jobs: list[Origin]) -> Origin:
    """The record of a template whose replicatedJobs come from there."""
    return Origin((), {**(origin.children or {}), "replicatedJobs": Origin((), dict(enumerate(jobs)), origin.below("replicatedJobs"))}, origin)


def merged_metadata(labels: dict[str, str], annotations: dict[str, str], patches: tuple[Patch, ...]) -> tuple[dict[str, str], dict[str, str]]:
    """The JobSet's labels and annotations: the runtime template's, overlaid by each patch in order."""
    for patch in patches:
        if patch.labels:
            labels = {**labels, **patch.labels}
        if patch.annotations:
            annotations = {**annotations, **patch.annotations}
    return dict(sorted(labels.items())), dict(sorted(annotations.items()))
