"""podSpecOverrides, podTemplateOverrides, spec.labels and spec.annotations as runtimePatches.

An entry is written for elements in a row that aim at different jobs; two that aim at the same one stay apart, since the later one wins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.notes import in_job
from jobset_compiler.dialects.overrides import PATCHES, POD_SPEC, patch
from jobset_compiler.dialects.tree import At, Carried, Made, get, parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.wishes import Target
    from jobset_compiler.source.document import Document

KEPT = ("labels", "annotations")


def patches_of(document: Document, older: Sequence[str], maps: Sequence[str], target: Target, notes: Notes) -> list[Any]:
    """The entries. older: the fields with overrides; maps: of labels and annotations those that the TrainJob has."""
    templates: list[dict[str, Any]] = []
    begins: list[Path] = []
    if maps:
        templates.append({"metadata": {field: Carried(("spec", field)) for field in maps}})
        begins.append(("spec", maps[0]))
    jobs: set[str] = set()
    taken = _texts([get(entry, "manager") for entry in document.value["spec"].get(PATCHES) or ()])
    for field in older:
        for index in range(len(document.value["spec"][field])):
            path = ("spec", field, index)
            names = [get(job, "name") for job in get(document.value, *path, "targetJobs") or ()]
            if not templates or jobs & _texts(names):
                templates.append({})
                begins.append(path)
                jobs = set()
            elif "spec" not in templates[-1]:
                begins[-1] = path
            jobs |= _texts(names)
            entries = templates[-1].setdefault("spec", {"replicatedJobs": []})["replicatedJobs"]
            where = in_job("spec", PATCHES, len(templates) - 1)
            for position in range(len(names)):
                # What is said of several jobs is said of each; comments in it are carried with the first.
                entries.append(_job(document, path, position, field == POD_SPEC, notes if not position else None, where))
    managers = _managers(target.wishes.manager, len(templates), taken)
    return [Made(patch(manager, template), path) for manager, template, path in zip(managers, templates, begins, strict=True)]


def _texts(values: list[Any]) -> set[str]:
    """Those that are texts; of other types the schema has something to say."""
    return {value for value in values if isinstance(value, str)}


def _managers(name: str, count: int, taken: set[Any]) -> list[str]:
    """As many names as entries, none of them used already."""
    names: list[str] = []
    number = 1
    while len(names) < count:
        candidate = name if number == 1 else f"{name}-{number}"
        number += 1
        if candidate not in taken:
            names.append(candidate)
    return names


def _job(document: Document, path: Path, position: int, flat: bool, notes: Notes | None, where: Any) -> At:
    """One entry of replicatedJobs, of an element that is a pod spec itself (`flat`) or has one."""
    value = document.value
    pod: dict[str, Any] = {}
    if flat:
        spec = parts(value, path, "targetJobs")
        if spec:
            pod["spec"] = Made(spec, path)
    else:
        metadata = get(value, *path, "metadata")
        at = (*path, "metadata")
        if isinstance(metadata, dict):
            kept = {key: Carried((*at, key)) for key in metadata if key in KEPT}
            for key in metadata:
                if key not in KEPT and notes is not None:
                    message = f"metadata.{key} of an override did nothing before; it would reach the pods now"
                    notes.not_carried((*at, key), message, where)
            if kept:
                pod["metadata"] = At(at, kept)
        if get(value, *path, "spec"):
            pod["spec"] = Carried((*path, "spec"))
    name = Carried((*path, "targetJobs", position, "name"))
    return At((*path, "targetJobs", position) if position else path, {"name": name, "template": {"spec": {"template": pod}}} if pod else {"name": name})
