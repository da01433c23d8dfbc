"""Values of a TrainJob that change nothing: empty ones that clear nothing, those beside another that counts, overrides before later ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.api.runtime import NODE, TRAINER, ancestor_of, containers_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.codes.code import INFO
from jobset_compiler.diagnostics.place import format_path, value_at
from jobset_compiler.emit.json import compact
from jobset_compiler.findings.words import JOBS_OF_SPEC, TRAINER_SPEC, job_patches, on_trainjob, patch_path
from jobset_compiler.resolve.plan import replicated_jobs
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.trainjob import JobPatch
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.table import Struct
    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]
CODE = codes.silent.WITHOUT_EFFECT
JOB = "batch.JobTemplateSpec"
LONGEST = 60
# What leads to the values of an override, and is not one itself.
SKELETON = ("metadata", "spec", "template")
# What a JobSet has from its TrainJob, or from nobody.
NAMES = ("name", "namespace", "finalizers")


class Leaf(Value):
    """A value of a patch that has no parts which are merged: where it stands in the patch, and what the finished template has in its place."""

    __slots__ = ("at", "final", "place", "value")

    def __init__(self, at: Path, value: Any, place: Path, final: Any) -> None:
        self.at: Final = at
        self.value: Final = value
        self.place: Final = place
        self.final: Final = final


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    """JSC742."""
    yield from _two_values(plan)
    if plan.trainer is not None:
        yield from _empty_words(plan)
    yield from _empty_sections(plan)
    yield from _metadata(plan)
    yield from _patches(plan)


def _two_values(plan: Plan) -> Iterator[Diagnostic]:
    """A value beside a source: the controller takes the source, where the Pod API would refuse both."""
    job = plan.job
    for at, given in ((TRAINER_SPEC, job.trainer), (("spec", "initializer", "dataset"), job.dataset), (("spec", "initializer", "model"), job.model)):
        for index, entry in enumerate(given.env if given is not None else ()):
            if entry.get("value") and entry.get("valueFrom") is not None:
                message = f"{entry['name']} gets what valueFrom says, and its value is dropped"
                yield on_trainjob(plan, CODE, message, (*at, "env", index, "value"), "write value or valueFrom")


def _empty_words(plan: Plan) -> Iterator[Diagnostic]:
    """An empty command or args, which clears that of the runtime, and has nothing to clear."""
    given = value_at(plan.job.document.value, TRAINER_SPEC) or {}
    for field in ("command", "args"):
        if given.get(field) != []:
            continue
        trainers = [job for job in replicated_jobs(plan.template) if ancestor_of(job) == TRAINER]
        if not any(container.get(field) for job in trainers for container in containers_of(job) if container["name"] == NODE):
            message = f"{field}: [] clears nothing: the runtime's node has no {field}"
            yield on_trainjob(plan, CODE, message, (*TRAINER_SPEC, field), "leave it out", INFO)


def _empty_sections(plan: Plan) -> Iterator[Diagnostic]:
    """An initializer of nothing, overrides of no job."""
    job = plan.job
    at: Path = ("spec", "initializer")
    if value_at(plan.job.document.value, ("spec", "initializer")) is not None and job.dataset is None and job.model is None:
        yield on_trainjob(plan, CODE, "initializer changes nothing: it names neither a dataset nor a model", at, "write dataset or model, or leave it out")
    for name, source in (("dataset", job.dataset), ("model", job.model)):
        if source is not None and source.storage_uri is None and not source.env and source.secret is None:
            message = f"{name} changes nothing: the initializer runs as the runtime says"
            yield on_trainjob(plan, CODE, message, (*at, name), "write storageUri, or leave it out", INFO)
    for patch in job.patches:
        if not patch.jobs and not patch.labels and not patch.annotations:
            message = "this override changes nothing: it names no replicatedJob"
            yield on_trainjob(plan, CODE, message, patch.origin, "name the replicatedJob that is meant, or leave it out")


def _patches(plan: Plan) -> Iterator[Diagnostic]:
    final = {job["name"]: (index, job) for index, job in enumerate(replicated_jobs(plan.template))}
    struct = plan.profile.types().struct(JOB)
    patches = list(job_patches(plan))
    for patch in patches:
        if patch.job not in final:
            continue
        index, job = final[patch.job]
        place = (*JOBS_OF_SPEC, index, "template")
        given = _given(plan, patch)
        if not given:
            message = f"the override of {patch.job} is empty, and changes nothing"
            yield on_trainjob(plan, CODE, message, patch.origin if patch.template is not None else patch.origin[:-1], "leave it out")
        # What says something, and has nobody beside it to say otherwise, is as it says.
        if len(patches) > 1 or _has_nothing(given):
            for leaf in _leaves(struct, given, patch.template or {}, job.get("template", {}), (), place):
                yield from _told(plan, patch, leaf)


def _has_nothing(value: Any) -> bool:
    """Whether an empty value is in it, or it is one."""
    pending = [value]
    while pending:
        part = pending.pop()
        if not part:
            return True
        if type(part) is dict:
            pending.extend(part.values())
        elif type(part) is list:
            pending.extend(part)
    return False


def _metadata(plan: Plan) -> Iterator[Diagnostic]:
    """What overrides say of the metadata of the JobSet; in the releases that take labels and annotations of pods alone, of pods."""
    for patch in plan.job.patches:
        given = {} if patch.metadata_origin == ("spec",) else _written(plan, patch.metadata_origin)
        of_pods = (*patch.origin, "metadata")
        for at, metadata in ((patch.metadata_origin, given), (of_pods, _written(plan, of_pods))):
            for field in NAMES:
                if metadata.get(field):
                    message = f"{field} {_shown(metadata[field])} changes nothing: of an override's metadata labels and annotations alone are taken over"
                    yield on_trainjob(plan, CODE, message, (*at, field), "leave it out")
        for field, final in (("labels", plan.labels), ("annotations", plan.annotations)):
            if given.get(field) == {} and final:
                message = f"{{}} says nothing here: {field} of the JobSet stay {_shown(final)}, since a patch takes nothing away"
                yield on_trainjob(plan, CODE, message, (*patch.metadata_origin, field), "change it in the runtime")


def _written(plan: Plan, at: Path) -> Tree:
    """What the TrainJob has there, with the values that Go leaves out; {} for nothing."""
    return value_at(plan.job.document.value, at) or {}


def _given(plan: Plan, patch: JobPatch) -> Tree:
    """The override as it is written, as a JobTemplateSpec; {} for none."""
    tree: Tree = {key: value for key, value in _written(plan, patch.origin).items() if key != "targetJobs"}
    for step in reversed(patch.at) if tree else ():
        tree = {str(step): tree}
    return tree


def _leaves(struct: Struct, given: Tree, typed: Tree, final: Tree, at: Path, place: Path) -> Iterator[Leaf]:
    for key, value in given.items():
        field, have = struct.fields.get(key), final.get(key)
        if field is None:
            continue
        here, there = (*at, key), (*place, key)
        known = typed.get(key) if isinstance(typed, dict) else None
        if field.kind == "struct" and isinstance(value, dict) and value:
            yield from _leaves(field.struct, value, known or {}, have or {}, here, there)
        elif field.kind == "map" and isinstance(value, dict) and value and known is not None:
            for name, item in value.items():
                yield Leaf((*here, name), item, (*there, name), (have or {}).get(name))
        elif isinstance(value, list) and value and field.merge_key and field.elem is not None and field.elem.kind == "struct":
            items, merged = known or [], have or []
            positions = {other.get(field.merge_key): position for position, other in reversed(list(enumerate(merged)))}
            for index, item in enumerate(value):
                position = positions.get(item.get(field.merge_key))
                if position is not None:
                    written = items[index] if index < len(items) else {}
                    yield from _leaves(field.elem.struct, item, written, merged[position], (*here, index), (*there, position))
        elif known is not None if value else key not in SKELETON:  # what the release does not know is dropped, and told of elsewhere
            yield Leaf(here, known if value else value, there, have)


def _told(plan: Plan, patch: JobPatch, leaf: Leaf) -> Iterator[Diagnostic]:
    at = patch_path(patch, leaf.at)
    if leaf.final == leaf.value:
        return
    if leaf.value in (None, "", 0, [], {}):
        if leaf.final:
            message = f"{_shown(leaf.value)} says nothing here: {leaf.at[-1]} stays {_shown(leaf.final)}, since a patch takes nothing away"
            yield on_trainjob(plan, CODE, message, at, "change it in the runtime")
        return
    spoken = next((spoken for spoken in plan.record.spoken(leaf.place) if spoken.override is not None), None)
    if spoken is not None and spoken.path[: len(patch.origin)] != patch.origin:
        message = f"{leaf.at[-1]} {_shown(leaf.value)} of this override is written over by {format_path(spoken.path)}: {_shown(leaf.final)}"
        yield on_trainjob(plan, CODE, message, at, "keep one of the two")


def _shown(value: Any) -> str:
    text = compact(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
