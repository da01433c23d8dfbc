"""Documents with today's words under a version of yesterday: only what names the version changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.trainjob import API_VERSION, GROUP
from jobset_compiler.dialects.exported import members
from jobset_compiler.dialects.preview.words import MANAGER, OLD_GROUP, OLD_MANAGER
from jobset_compiler.dialects.tree import At, Made, get, parts

if TYPE_CHECKING:
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.source.document import Document


def relabel(document: Document, notes: Notes, *, is_sure: bool) -> At:
    """The tree of the document; is_sure: there is a word that only today has."""
    version = document.value["apiVersion"]
    why = f"{version} was never read with these names" if is_sure else f"nothing here tells the preview {version} from today"
    notes.relabelled(("apiVersion",), f"{why}; taken as {API_VERSION}")
    return At((), {**members(document.value), "apiVersion": Made(API_VERSION, ("apiVersion",)), **spec_of(document)})


def spec_of(document: Document) -> dict[str, Any]:
    """The TrainJob's spec with the names of groups and controllers changed; {} where there are none."""
    value = document.value
    changed: dict[str, Any] = {}
    if get(value, "spec", "runtimeRef", "apiGroup") == OLD_GROUP:
        at = ("spec", "runtimeRef")
        changed["runtimeRef"] = At(at, {**parts(value, at), "apiGroup": Made(GROUP, (*at, "apiGroup"))})
    if get(value, "spec", "managedBy") == OLD_MANAGER:
        changed["managedBy"] = Made(MANAGER, ("spec", "managedBy"))
    return {"spec": At(("spec",), {**parts(value, ("spec",)), **changed})} if changed else {}
