"""What a place of an input comes to: origins read backwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.diagnostics import addresses
from jobset_compiler.diagnostics.redaction import hidden
from jobset_compiler.provenance.layers import layers_of
from jobset_compiler.provenance.places import PRESENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.provenance.layers import Layer
    from jobset_compiler.source.document import Document


class Effect(NamedTuple):
    """A field of an output object: `address` with list keys, as `origin_of` takes it, and the value there; what is secret is hidden.

    replaced: the input is only behind it: what it says gave way to something else.
    """

    kind: str
    namespace: str
    name: str
    address: str
    value: Any
    replaced: bool = False

    def __str__(self) -> str:
        return f"{self.kind} {self.namespace}/{self.name}  {self.address}: {self.value}" + ("  (replaced)" if self.replaced else "")


def effects_of(unit: Unit, document: Document, path: Path) -> Iterator[Effect]:
    """The fields of the unit's objects behind which that place of that document stands, in the order of the objects.

    document: one that the unit was made from, also as it was written before it was converted from another API.
    """
    for manifest in unit.objects:
        meta, shown = manifest["metadata"], hidden(manifest)
        for leaf in addresses.leaves(manifest):
            layers = [layer for layer in layers_of(unit.plan, manifest, leaf) if layer.document is not None]
            places = [index for index, layer in enumerate(layers) if speaks_of(layer, document, path)]
            if places:
                address = addresses.text(addresses.keyed(manifest, leaf))
                yield Effect(manifest["kind"], meta["namespace"], meta["name"], address, _value(shown, leaf), replaced=places[0] > 0)


def speaks_of(layer: Layer, document: Document, path: Path) -> bool:
    """Whether the layer's place is at, below or (where the field is only computed from it) around the place."""
    if layer.document is document:
        return layer.path[: len(path)] == path or (layer.path != PRESENCE and path[: len(layer.path)] == layer.path)
    # What a conversion makes up goes back to the whole that it converts, and not to each line in it.
    return layer.document is not None and layer.document.written is document and layer.document.written_as(layer.path)[: len(path)] == path


def _value(tree: Any, path: Path) -> Any:
    for step in path:
        tree = tree[step]
    return tree
