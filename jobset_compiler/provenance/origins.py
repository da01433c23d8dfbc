"""Where a field of an output object comes from, told: the layers behind it with the lines that they stand on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.diagnostics import addresses
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.provenance.layers import CONTROLLER, DEFAULT, INPUT, PASS, PATCH, layers_of

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.provenance.layers import Layer

__all__ = ["CONTROLLER", "DEFAULT", "INPUT", "PASS", "PATCH", "Origin", "headings_at", "origin_of", "origins_at"]


class Origin(NamedTuple):
    """One layer behind a value.

    kind: one of the constants above; by: name of the pass, builder or override; path: in the document at file:line:column."""

    kind: str
    by: str = ""
    note: str = ""
    path: str = ""
    file: str = ""
    line: int = 0
    column: int = 0

    def __repr__(self) -> str:
        """What is known of it."""
        known = {name: value for name, value in self._asdict().items() if value}
        return f"Origin({', '.join(f'{name}={value!r}' for name, value in known.items())})"

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        parts = [self.kind, self.by, place, self.path, self.note]
        return "  ".join(part for part in parts if part)


def origin_of(unit: Unit, manifest: dict[str, Any], address: str) -> tuple[Origin, ...]:
    """The chain of origins of the field at `address`, nearest first; KeyError where the object has no such field."""
    return origins_at(unit, manifest, addresses.resolve(manifest, addresses.parse(address)))


def origins_at(unit: Unit, manifest: dict[str, Any], path: Path) -> tuple[Origin, ...]:
    """The same of a place that the object is known to have."""
    return tuple(map(_told, layers_of(unit.plan, manifest, path)))


def headings_at(unit: Unit, manifest: dict[str, Any], path: Path) -> tuple[Origin, ...]:
    """Of a map or a list: where documents have its key; () where none has, since what is in it says more."""
    return tuple(_told(layer, on_key=True) for layer in layers_of(unit.plan, manifest, path) if layer.document is not None)


def _told(layer: Layer, *, on_key: bool = False) -> Origin:
    if layer.document is None:
        return Origin(layer.kind, layer.by, layer.note)
    span = (layer.document.locate_key if on_key else layer.document.locate)(layer.path)
    return Origin(layer.kind, layer.by, layer.note, format_path(layer.document.written_as(layer.path)), span.file, span.line, span.column)
