"""What stands against changing an object that is there: the webhooks of Trainer, then those of JobSet.

The rules of the API server itself (immutable fields) are in admission/changes.py; jobset_compiler/library/updates.py runs them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.jobset_defaults import admitted_form, with_defaulter
from jobset_compiler.admission.rules.runtime import check_jobs
from jobset_compiler.admission.schema import admit_document, validate_mutated_document
from jobset_compiler.api.runtime import CLUSTER_KIND
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic, Note
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.kube.retype import retype
from jobset_compiler.kube.same import same_values
from jobset_compiler.kube.structural.errors import go_json_in_order
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.api.trainjob import TrainJob
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.profiles import Profile

Tree = dict[str, Any]
# What a suspended JobSet, or one that gets suspended, may change in the pod templates of its jobs.
MUTABLE_METADATA = ("labels", "annotations")
MUTABLE_POD_SPEC = ("nodeSelector", "tolerations", "schedulingGates")
REPLICATED_JOBS = ("spec", "replicatedJobs")


def check_runtime_update(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    """A changed runtime: only a ClusterTrainingRuntime is looked at again (#3686), and without a word of its deprecation."""
    if runtime.kind == CLUSTER_KIND:
        yield from check_jobs(runtime, profile)


def check_overrides(old: TrainJob, new: TrainJob, profile: Profile, active: tuple[str, ...] = ()) -> Iterator[Diagnostic]:
    """Overrides may change only while nothing runs; `active`: the replicatedJobs that are known to be still running.

    Source: checkRuntimePatchesImmutability and its predecessors in pkg/runtime/framework/plugins/jobset/jobset.go.
    """
    field = profile.override_field
    at = _changed_override(old, new, field)
    if at is None:
        return
    on_resume = profile.has(features.OVERRIDES_CHANGE_ON_RESUME)
    name = field[0].upper() + field[1:]
    if new.suspend or (on_resume and old.suspend):
        code, hint = codes.webhook.OVERRIDES_WHILE_ACTIVE, "wait until its pods are gone"
        messages = [f"{name} cannot be modified when the JobSet's ReplicatedJob {job} is still active" for job in active]
    else:
        code, hint = codes.webhook.OVERRIDES_WHILE_RUNNING, "set spec.suspend: true as well, and false again afterwards"
        messages = [f"{name} can only be modified when the TrainJob is suspended" + (" before or after the update" if on_resume else "")]
    for message in messages:
        yield Diagnostic(
            code,
            message,
            document=new.document,
            at=at,
            path=f"spec.{field}",
            hint=hint,
            stage="webhook",
            notes=(Note("as it was", old.document, ("spec", field)),),
            subject=("TrainJob", new.namespace, new.name),
        )


def _changed_override(old: TrainJob, new: TrainJob, field: str) -> Path | None:
    """Where the overrides differ first; None where they do not. The time is the server's own."""
    before, after = ([{**entry, "time": None} for entry in job.typed.get("spec", {}).get(field, ())] for job in (old, new))
    if before == after:
        return None
    first = next((index for index, entry in enumerate(after) if index >= len(before) or before[index] != entry), None)
    return ("spec", field) if first is None else ("spec", field, first)


def check_jobset_update(old: Tree, new: Tree, old_job: TrainJob, job: TrainJob, profile: Profile) -> Iterator[Diagnostic]:
    """What becomes of the JobSet (as submitted for the old and the new TrainJob) when the update has been admitted.

    The controller leaves it alone while neither the TrainJob nor the JobSet is suspended; otherwise it applies the new one,
    and JobSet's webhook lets only a few fields of the pod templates change.
    Source: Build in pkg/runtime/framework/plugins/jobset/jobset.go; ValidateUpdate in JobSet's pkg/webhooks/jobset_webhook.go.
    """
    before, after = admitted_form(old, profile), admitted_form(new, profile)
    at = changed_place(old_job.typed, job.typed) or ("spec", "runtimeRef")
    if not (old_job.suspend or job.suspend):
        if before["spec"] != after["spec"]:
            what = format_path(first_difference(before["spec"], after["spec"]))
            yield _finding(
                codes.webhook.EDIT_WITHOUT_EFFECT,
                f"admitted, but the JobSet stays as it is while the TrainJob runs: {what} would change",
                "",
                at,
                job,
                "create a new TrainJob",
            )
        return
    for what, message, path in refused_changes(before, after, profile):
        hint = f"{what} cannot change: create a new TrainJob, or delete the JobSet while the TrainJob is suspended"
        yield _finding(codes.webhook.JOBSET_CHANGE_REFUSED, message, path, at, job, hint)
    sent, had = (admit_document(manifest, "JobSet", profile).value for manifest in (new, old))
    for error in validate_mutated_document(with_defaulter(sent, profile), "JobSet", profile, with_defaulter(had, profile)).errors:
        yield _finding(codes.webhook.JOBSET_CHANGE_REFUSED, error.summary, format_path(error.path), at, job, "create a new TrainJob")


def refused_changes(before: Tree, after: Tree, profile: Profile) -> Iterator[tuple[str, str, str]]:
    """What JobSet's webhook has against storing the second JobSet in place of the first: (the field that differs, message, path).

    Both as stored: on an update nothing fills in defaults (seen on live servers), so that a JobSet without them differs from one that has them.
    """
    jobs, wanted = before["spec"].get("replicatedJobs", []), after["spec"].get("replicatedJobs", [])
    munged = [_with_mutable_parts_of(_named(jobs, entry["name"]), entry) for entry in wanted]
    types = profile.jobset_types()
    if not same_values(jobs, munged, types.struct("jobset.JobSetSpec").fields["replicatedJobs"]):
        yield format_path(("replicatedJobs", *first_difference(jobs, munged))), *_immutable_jobs(jobs, munged, profile)
    if before["spec"].get("managedBy") != after["spec"].get("managedBy"):
        yield "managedBy", "field is immutable", "spec.managedBy"


def _immutable_jobs(jobs: list[Tree], munged: list[Tree], profile: Profile) -> tuple[str, str]:
    """The webhook's words about replicatedJobs that differ, and their path: up to 0.11 it crashes over jobs that are new."""
    path = format_path(REPLICATED_JOBS)
    if profile.has(features.JOBSET_UPDATE_SHOWS_JOBS):
        typed, _ = retype({"replicatedJobs": munged}, profile.jobset_types(), "jobset.JobSetSpec")
        return f"Invalid value: {go_json_in_order(typed['replicatedJobs'])}: field is immutable", path
    if len(munged) > len(jobs):
        return f"runtime error: index out of range [{len(jobs)}] with length {len(jobs)}", ""
    return "field is immutable", path


def _named(jobs: list[Tree], name: str) -> Tree | None:
    return next((job for job in jobs if job["name"] == name), None)


def _with_mutable_parts_of(old: Tree | None, new: Tree) -> Tree:
    """The new job with those parts that may change taken from the old one."""
    if old is None:
        return new
    pod_template, was = new["template"]["spec"]["template"], old["template"]["spec"]["template"]
    munged = {
        **pod_template,
        "metadata": _taken(was.get("metadata", {}), pod_template.get("metadata", {}), MUTABLE_METADATA),
        "spec": _taken(was.get("spec", {}), pod_template.get("spec", {}), MUTABLE_POD_SPEC),
    }
    template = new["template"]
    if not munged["metadata"] and "metadata" not in was:
        del munged["metadata"]
    return {**new, "template": {**template, "spec": {**template["spec"], "template": munged}}}


def _taken(old: Tree, new: Tree, keys: tuple[str, ...]) -> Tree:
    kept = {key: value for key, value in new.items() if key not in keys}
    return {**kept, **{key: old[key] for key in keys if key in old}}


def _finding(code: Any, message: str, path: str, at: Path, job: TrainJob, hint: str) -> Diagnostic:
    subject = ("JobSet", job.namespace, job.name)
    return Diagnostic(code, message, document=job.document, at=at, path=path, hint=hint, stage="jobset", subject=subject)


def changed_place(old: Tree, new: Tree) -> Path:
    """The first place below spec, in the new TrainJob, that differs from the old one; () where none does."""
    before, after = old.get("spec", {}), new.get("spec", {})
    return ("spec", *first_difference(before, after)) if before != after else ()


def first_difference(old: Any, new: Any) -> Path:
    """The path to the first difference of two unequal JSON values, in the order of the new one."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in (*new, *old):
            if old.get(key) != new.get(key):
                return (key, *first_difference(old.get(key), new.get(key)))
    if isinstance(old, list) and isinstance(new, list):
        for index, (before, after) in enumerate(zip(old, new, strict=False)):
            if before != after:
                return (index, *first_difference(before, after))
        return (min(len(old), len(new)),)
    return ()
