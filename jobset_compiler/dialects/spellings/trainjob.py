"""A TrainJob in the words of a release: overrides, labels of the JobSet, the number of processes, the group of its runtime."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.trainjob import GROUP
from jobset_compiler.dialects.notes import Notes, in_job
from jobset_compiler.dialects.overrides import PATCHES, POD_SPEC, POD_TEMPLATE
from jobset_compiler.dialects.results import Converted
from jobset_compiler.dialects.settled import outputs_of
from jobset_compiler.dialects.spellings.patches import patches_of
from jobset_compiler.dialects.spellings.processes import trainer_processes
from jobset_compiler.dialects.tree import At, Carried, Made, get, items, parts

if TYPE_CHECKING:
    from jobset_compiler.dialects.wishes import Target
    from jobset_compiler.source.document import Document

FORMS = (POD_SPEC, POD_TEMPLATE, PATCHES)
OLD_GROUP = "kubeflow.org"
SPEC = ("spec",)


def respell_trainjob(document: Document, target: Target, processes: int | None) -> Converted:
    """What becomes of a TrainJob; processes: what its runtime said of numProcPerNode and cannot say any more, None for nothing."""
    notes = Notes(document)
    spec = document.value["spec"]
    tree: dict[str, Any] = parts(document.value, SPEC)
    changed = [_overrides(spec, tree, target, notes, document), _trainer(spec, tree, target, processes, notes), _group(spec, tree, notes)]
    if not any(changed):
        return Converted(document)
    whole = At((), {**parts(document.value, ()), "spec": At(SPEC, tree)})
    return Converted(document, outputs_of(document, [whole], notes, respelt=True), tuple(notes.diagnostics))


def _overrides(spec: dict[str, Any], tree: dict[str, Any], target: Target, notes: Notes, document: Document) -> bool:
    """Puts the overrides into the form of the release, where they are in an older one."""
    form = target.profile.override_field
    older = [field for field in FORMS[: FORMS.index(form)] if isinstance(spec.get(field), list)]
    maps = [field for field in ("labels", "annotations") if form == PATCHES and isinstance(spec.get(field), dict)]
    fields = [field for field in spec if field in (*older, *maps)]
    if not fields:
        return False
    if form == POD_TEMPLATE:
        _replace(tree, POD_SPEC, form, At((*SPEC, POD_SPEC), [*_templates(document), *items(document.value, (*SPEC, form))]))
        return True
    written = patches_of(document, [field for field in older if spec[field]], [field for field in maps if spec[field]], target, notes)
    if spec.get(PATCHES):
        tree[PATCHES] = At((*SPEC, PATCHES), [*written, *items(document.value, (*SPEC, PATCHES))])
    elif written:
        first = fields.pop(0)
        _replace(tree, first, PATCHES, At((*SPEC, next(iter(older), first)), written))
    for field in fields:
        del tree[field]
    return True


def _replace(tree: dict[str, Any], old: str, new: str, value: Any) -> None:
    """Puts a member in the place of another one."""
    renamed = {new if key == old else key: value if key == old else given for key, given in tree.items() if key == old or key != new}
    tree.clear()
    tree.update(renamed)


def _templates(document: Document) -> list[Any]:
    """podSpecOverrides as podTemplateOverrides."""
    elements = []
    for index in range(len(document.value["spec"][POD_SPEC])):
        path = (*SPEC, POD_SPEC, index)
        rest = parts(document.value, path, "targetJobs")
        targets = {"targetJobs": Carried((*path, "targetJobs"))} if get(document.value, *path, "targetJobs") is not None else {}
        elements.append(At(path, {**targets, **({"spec": Made(rest, path)} if rest else {})}))
    return elements


def _trainer(spec: dict[str, Any], tree: dict[str, Any], target: Target, processes: int | None, notes: Notes) -> bool:
    trainer = spec.get("trainer")
    at = (*SPEC, "trainer")
    if not isinstance(trainer, dict):
        return False  # nothing is injected without it, whatever the runtime said
    if trainer.get("numProcPerNode") is None:
        if processes is None:
            return False
        tree["trainer"] = At(at, {**parts({"spec": spec}, at), "numProcPerNode": Made(processes, (*SPEC, "runtimeRef"))})
        notes.remark(in_job(*at, "numProcPerNode"), "said by the runtime before")
        return True
    said = trainer_processes(trainer, at, target, notes)
    if isinstance(said, Carried):
        return False
    fields = parts({"spec": spec}, at)
    if said is None:
        del fields["numProcPerNode"]
    else:
        fields["numProcPerNode"] = said
    # Without spec.trainer no variable is injected, so that an empty one stays.
    tree["trainer"] = At(at, fields)
    return True


def _group(spec: dict[str, Any], tree: dict[str, Any], notes: Notes) -> bool:
    """runtimeRef.apiGroup of the preview, which no release knows."""
    at = (*SPEC, "runtimeRef", "apiGroup")
    if get({"spec": spec}, *at) != OLD_GROUP:
        return False
    tree["runtimeRef"] = At(at[:-1], {**parts({"spec": spec}, at[:-1]), "apiGroup": Made(GROUP, at)})
    notes.relabelled(at, f"runtimeRef.apiGroup {OLD_GROUP} was that of the preview; the runtimes of {GROUP} are meant")
    return True
