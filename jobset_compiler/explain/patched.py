"""What each patch or override of a TrainJob did to the JobSet: what it added, changed, replaced, and what came to nothing.

It reads the origins of the JobSet's fields; nothing is compared to find out who wrote a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.diagnostics import addresses
from jobset_compiler.diagnostics.place import format_path, value_at
from jobset_compiler.diagnostics.redaction import hidden
from jobset_compiler.provenance.layers import INPUT, PASS, PATCH, has, layers_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.trainjob import Patch
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.provenance.layers import Layer

Tree = dict[str, Any]
# What an override of older releases says about itself, beside what it merges.
TARGETS = ("targetJobs",)
# Maps of which each entry is told by itself, like the items of lists.
APART = ("template", "spec", "metadata", "labels", "annotations", "nodeSelector")
ADDED, CHANGED, REPLACED, OVERRULED, NOTHING = "added", "changed", "replaced", "overruled", "nothing"


class Deed(NamedTuple):
    """What a patch did to one field. patch: its number; address: in the JobSet, or (of what came to nothing) in the TrainJob; was: the value
    before, None for none; by: who overruled it; at: where the patch says it."""

    patch: int
    what: str
    address: str
    value: Any
    was: Any
    by: str
    at: Path


def patches_of(unit: Unit) -> list[Tree]:
    """{"manager", "path", "file", "line", "changes"} of every patch, in their order; of a change {"what", "path", "value", "was", "by", "line"}."""
    job = unit.plan.job
    if not job.patches:
        return []
    deeds, seen = _Walk(unit).deeds()
    out = []
    for number, patch in enumerate(job.patches):
        mine = [deed for deed in deeds if deed.patch == number]
        mine += [Deed(number, NOTHING, format_path(path), value_at(hidden(job.document.value), path), None, "", path) for path in _unseen(unit, patch, seen)]
        span = job.document.locate(patch.origin)
        path = format_path(job.document.written_as(patch.origin))
        out.append({"manager": patch.manager, "path": path, "file": span.file, "line": span.line or None, "changes": [_told(unit, deed) for deed in mine]})
    return out


def _told(unit: Unit, deed: Deed) -> Tree:
    line = unit.plan.job.document.locate(deed.at).line or None
    return {"what": deed.what, "path": deed.address, "value": deed.value, "was": deed.was, "by": deed.by, "line": line}


class _Walk:
    """Through the JobSet, from the leaves up: what one patch alone has added is told as a whole."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.jobset = unit.objects[0]
        self.shown = hidden(self.jobset)
        self.seen: set[Path] = set()

    def deeds(self) -> tuple[list[Deed], set[Path]]:
        """All deeds in the order of the JobSet, and the places of the TrainJob that patches spoke from."""
        return [deed for part in ("metadata", "spec") for deed in self._below((part,), self.jobset[part])], self.seen

    def _below(self, path: Path, value: Any) -> list[Deed]:
        layers = [layer for layer in layers_of(self.unit.plan, self.jobset, path) if layer.document is not None or layer.kind == PASS]
        patched = [layer for layer in layers if layer.kind == PATCH]
        if not isinstance(value, (dict, list)) or not value:
            return self._of_leaf(path, layers, patched)
        members = list(value.items() if isinstance(value, dict) else enumerate(value))
        below = [self._below((*path, step), item) for step, item in members]
        if patched and layers[0] is patched[0] and isinstance(value, list) and self._is_replaced(path, members, patched[0]):
            older = next((layer for layer in layers[1:] if layer.document is not None and _value(layer)), None)
            if older is not None:
                self.seen.update(layer.path for layer in patched)
                lost = [self._deed(OVERRULED, path, layer, by=_name(patched[0])) for layer in patched[1:]]
                return [self._deed(REPLACED, path, patched[0], older, _name(older) if older.kind == PATCH else ""), *lost]
        whole = [deed for deeds in below for deed in deeds]
        if path[-1] in APART or (isinstance(value, list) and isinstance(value[0], dict)):
            return whole
        alone = len(below) == len(whole) and all(deeds and deeds[0].what == ADDED and deeds[0].patch == whole[0].patch for deeds in below)
        if alone and patched and all(layer.kind == PATCH for layer in layers) and len(patched) == 1:
            return [self._deed(ADDED, path, patched[0])]
        return whole

    def _is_replaced(self, path: Path, members: list[tuple[Any, Any]], by: Layer) -> bool:
        """Whether all items of a list are of one patch: in a list that Kubernetes merges those of others stay."""
        mine = self._number(by)
        behind = [layer for step, _ in members for layer in layers_of(self.unit.plan, self.jobset, (*path, step)) if layer.document is not None]
        return all(layer.kind == PATCH and self._number(layer) == mine for layer in behind)

    def _of_leaf(self, path: Path, layers: list[Layer], patched: list[Layer]) -> list[Deed]:
        if not patched:
            return []
        self.seen.update(layer.path for layer in patched)
        deeds = []
        for layer in patched:
            place = layers.index(layer)
            behind = next((other for other in layers[place + 1 :] if other.kind in (INPUT, PATCH)), None)
            if place:
                if _value(layer) != value_at(self.shown, path):
                    deeds.append(self._deed(OVERRULED, path, layer, by=_name(layers[0])))
            elif behind is None:
                deeds.append(self._deed(ADDED, path, layer))
            elif _value(behind) != _value(layer):
                deeds.append(self._deed(CHANGED, path, layer, behind))
        return deeds

    def _deed(self, what: str, path: Path, layer: Layer, older: Layer | None = None, by: str = "") -> Deed:
        was = None if older is None else _value(older)
        address = addresses.text(addresses.keyed(self.jobset, path))
        value = value_at(self.shown, path) if what != OVERRULED else _value(layer)
        return Deed(self._number(layer), what, address, value, was, by, layer.path)

    def _number(self, layer: Layer) -> int:
        """Which patch a layer is of: the innermost that stands around it (spec.labels are one as well)."""
        patches = self.unit.plan.job.patches
        around = [number for number, patch in enumerate(patches) if layer.path[: len(patch.origin)] == patch.origin]
        return max(around, key=lambda number: len(patches[number].origin))


def _name(layer: Layer) -> str:
    """Who overruled a patch: another patch, by its manager; else by the place."""
    if layer.kind == PATCH:
        return layer.by or "a later override"
    return f"pass {layer.by}" if layer.kind == PASS else format_path(layer.path)


def _value(layer: Layer) -> Any:
    assert layer.document is not None
    return value_at(hidden(layer.document.value), layer.path)


def _unseen(unit: Unit, patch: Patch, seen: set[Path]) -> Iterator[Path]:
    """What the patch says to no effect at all: a later one, or the server, has dropped it."""
    value = unit.plan.job.document.value
    starts = [job.origin for job in patch.jobs] + [(*patch.metadata_origin, field) for field in ("labels", "annotations")]
    told: list[Path] = []
    for start in starts:
        if has(value, start):
            for leaf in addresses.leaves(value_at(value, start), start):
                if leaf[len(start) : len(start) + 1] == TARGETS:
                    continue
                if not any(leaf[: len(place)] == place for place in (*seen, *told)):
                    told.append(leaf)
                    yield leaf
