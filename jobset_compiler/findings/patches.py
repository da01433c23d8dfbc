"""Overrides: jobs and containers that they add, sources that they double, metadata that they pass on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.fix import meant
from jobset_compiler.emit.json import compact
from jobset_compiler.findings.words import POD, job_patches, listed, on_trainjob, patch_path
from jobset_compiler.resolve.catalog import near
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.trainjob import JobPatch
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.table import Struct
    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]
REPLACED_ON_PURPOSE = frozenset({"command", "args"})
LONGEST = 60
POD_IN_JOB: Path = POD[1:]


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    if not any(patch.jobs for patch in plan.job.patches):
        return
    before = {job["name"]: job for job in replicated_jobs(plan.runtime.template)}
    after = {job["name"]: job for job in replicated_jobs(plan.template)}
    for patch in job_patches(plan):
        if patch.job not in after:
            continue
        pod = pod_spec_of({"template": patch.template or {}})
        if patch.job not in before:
            message = f"the runtime has no replicatedJob {patch.job}: the patch adds one ({listed(list(after))}) (#3948)"
            close = near(patch.job, before) or (next(iter(before)) if len(before) == 1 else "")
            hint = (f"did you mean {close}? " if close else "") + f"the runtime has {listed(list(before)) or 'no jobs'}"
            # The name stands beside the template that is patched.
            yield on_trainjob(plan, codes.parity.GHOST_JOB, message, patch.origin, hint, remedies=meant((*patch.origin[:-1], "name"), close))
        else:
            yield from _containers(plan, patch, pod, pod_spec_of(before[patch.job]))
            struct = plan.profile.types().struct("batch.JobTemplateSpec")
            for at, lost in _replaced(struct, patch.template or {}, before[patch.job].get("template", {}), ()):
                message = f"{at[-1]} of the patch replaces that of the runtime: {listed([shown(item) for item in lost])} lost"
                yield on_trainjob(plan, codes.silent.LIST_REPLACED, message, patch_path(patch, at), "repeat it in the patch")
        yield from _sources(plan, patch, pod, pod_spec_of(after[patch.job]))
        yield from _metadata(plan, patch)


def _replaced(struct: Struct, patch: Tree, before: Tree, at: Path) -> Iterator[tuple[Path, list[Any]]]:
    """Lists that a patch replaces as a whole, with what it does not repeat; command and args are meant to be replaced."""
    for key, value in patch.items():
        kind = type(value)
        if kind is not dict and kind is not list:
            continue
        field, have = struct.fields.get(key), before.get(key)
        if field is None or not have or key in REPLACED_ON_PURPOSE:
            continue
        if kind is dict:
            if field.kind == "struct":
                yield from _replaced(field.struct, value, have, (*at, key))
        elif field.merge_key is None:
            lost = [item for item in have if item not in value]
            if lost:
                yield (*at, key), lost
        elif field.merge_key and field.elem is not None and field.elem.kind == "struct":
            by_key = {item.get(field.merge_key): item for item in have}
            for index, item in enumerate(value):
                if item.get(field.merge_key) in by_key:
                    yield from _replaced(field.elem.struct, item, by_key[item[field.merge_key]], (*at, key, index))


def shown(item: Any) -> str:
    """An item of a list in a message: short, whatever it holds."""
    text = compact(item) if isinstance(item, (dict, list)) else str(item)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _containers(plan: Plan, patch: JobPatch, pod: Tree, runtime: Tree) -> Iterator[Diagnostic]:
    """JSC811."""
    for field in ("containers", "initContainers"):
        known = [container["name"] for container in runtime.get(field) or ()]
        for index, container in enumerate(pod.get(field) or ()):
            if container["name"] not in known:
                at = patch_path(patch, (*POD_IN_JOB, field, index, "name"))
                message = f"{patch.job} of the runtime has no {container['name']} among its {field}: the override adds one without an image (#3948)"
                close = near(container["name"], known) or ""
                hint = (f"did you mean {close}? " if close else "") + f"it has {listed(known) or 'none'}"
                yield on_trainjob(plan, codes.parity.GHOST_CONTAINER, message, at, hint, remedies=meant(at, close))


def _sources(plan: Plan, patch: JobPatch, pod: Tree, merged: Tree) -> Iterator[Diagnostic]:
    """JSC839."""
    given = pod.get("volumes", ())
    doubled = {volume["name"]: sorted(volume.keys() - {"name"}) for volume in merged.get("volumes", ()) if len(volume) > 2} if given else {}
    if doubled:
        for index, volume in enumerate(given):
            if volume["name"] in doubled:
                message = f"volume {volume['name']} of {patch.job} now has {' and '.join(doubled[volume['name']])}; a pod with both is refused"
                at = patch_path(patch, (*POD_IN_JOB, "volumes", index))
                yield on_trainjob(plan, codes.parity.TWO_SOURCES, message, at, "give the override's volume another name")
    for field in ("containers", "initContainers"):
        patched = pod.get(field) or ()
        both = {
            (container["name"], entry["name"])
            for container in (merged.get(field) or () if any("env" in container for container in patched) else ())
            for entry in container.get("env", ())
            if "value" in entry and "valueFrom" in entry
        }
        if both:
            for index, container in enumerate(patched):
                for position, entry in enumerate(container.get("env", ())):
                    if (container["name"], entry["name"]) in both:
                        message = f"variable {entry['name']} of {container['name']} in {patch.job} now has value and valueFrom; a pod with both is refused"
                        at = patch_path(patch, (*POD_IN_JOB, field, index, "env", position))
                        yield on_trainjob(plan, codes.parity.TWO_SOURCES, message, at, "change the variable in the runtime")


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
            message = f"{listed(passed)} of the patch {'is' if passed in (['name'], ['namespace']) else 'are'} written into the {what} template of {patch.job}"
            yield on_trainjob(plan, codes.parity.PATCH_METADATA_PASSED, message, patch_path(patch, (*path, passed[0])), "patch labels and annotations only")
