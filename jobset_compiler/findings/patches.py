"""Overrides: jobs and containers that they add, sources that they double, metadata that they pass on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import pod_spec_of
from jobset_compiler.diagnostics.codes.parity import GHOST_CONTAINER, GHOST_JOB, PATCH_METADATA_PASSED, TWO_SOURCES
from jobset_compiler.findings.words import POD, job_patches, listed, on_trainjob, patch_path
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.trainjob import JobPatch
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]
POD_IN_JOB: Path = POD[1:]


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    if not any(patch.jobs for patch in plan.job.patches):
        return
    before = {job["name"]: job for job in replicated_jobs(plan.runtime.template)}
    after = {job["name"]: job for job in replicated_jobs(plan.template)}
    for patch in job_patches(plan):
        if patch.job not in after:
            continue
        if patch.job not in before:
            message = f"the runtime has no replicatedJob {patch.job}: the patch adds one ({listed(list(after))}) (#3948)"
            yield on_trainjob(plan, GHOST_JOB, message, patch.origin, f"the runtime has {listed(list(before)) or 'no jobs'}")
        else:
            yield from _containers(plan, patch, pod_spec_of(before[patch.job]))
        yield from _sources(plan, patch, pod_spec_of(after[patch.job]))
        yield from _metadata(plan, patch)


def _pod_of(patch: JobPatch) -> Tree:
    pod: Tree = pod_spec_of({"template": patch.template or {}})
    return pod


def _containers(plan: Plan, patch: JobPatch, runtime: Tree) -> Iterator[Diagnostic]:
    """JSC811."""
    for field in ("containers", "initContainers"):
        known = [container["name"] for container in runtime.get(field) or ()]
        for index, container in enumerate(_pod_of(patch).get(field) or ()):
            if container["name"] not in known:
                at = patch_path(patch, (*POD_IN_JOB, field, index, "name"))
                message = f"{patch.job} of the runtime has no {container['name']} among its {field}: the override adds one without an image (#3948)"
                yield on_trainjob(plan, GHOST_CONTAINER, message, at, f"it has {listed(known) or 'none'}")


def _sources(plan: Plan, patch: JobPatch, merged: Tree) -> Iterator[Diagnostic]:
    """JSC839."""
    doubled = {volume["name"]: sorted(volume.keys() - {"name"}) for volume in merged.get("volumes", ()) if len(volume) > 2}
    if doubled:
        for index, volume in enumerate(_pod_of(patch).get("volumes", ())):
            if volume["name"] in doubled:
                message = f"volume {volume['name']} of {patch.job} now has {' and '.join(doubled[volume['name']])}; a pod with both is refused"
                at = patch_path(patch, (*POD_IN_JOB, "volumes", index))
                yield on_trainjob(plan, TWO_SOURCES, message, at, "give the override's volume another name")
    for field in ("containers", "initContainers"):
        both = {
            (container["name"], entry["name"])
            for container in merged.get(field) or ()
            for entry in container.get("env", ())
            if "value" in entry and "valueFrom" in entry
        }
        if both:
            for index, container in enumerate(_pod_of(patch).get(field) or ()):
                for position, entry in enumerate(container.get("env", ())):
                    if (container["name"], entry["name"]) in both:
                        message = f"variable {entry['name']} of {container['name']} in {patch.job} now has value and valueFrom; a pod with both is refused"
                        at = patch_path(patch, (*POD_IN_JOB, field, index, "env", position))
                        yield on_trainjob(plan, TWO_SOURCES, message, at, "change the variable in the runtime")


def _metadata(plan: Plan, patch: JobPatch) -> Iterator[Diagnostic]:
    """JSC840."""
    template = patch.template or {}
    pod_template = template.get("spec", {}).get("template", {})
    for what, metadata, path in (
        ("Job", template.get("metadata", {}), ("metadata",)),
        ("pod", pod_template.get("metadata", {}), ("spec", "template", "metadata")),
    ):
        passed = [key for key in ("name", "namespace", "finalizers") if key in metadata]
        if passed:
            message = f"{listed(passed)} of the patch {'is' if len(passed) == 1 else 'are'} written into the {what} template of {patch.job}"
            yield on_trainjob(plan, PATCH_METADATA_PASSED, message, patch_path(patch, (*path, passed[0])), "patch labels and annotations only")
