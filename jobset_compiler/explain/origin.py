"""Origins of fields of the JobSet as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics.addresses import text
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.provenance import origins

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.addresses import Step
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.provenance.origins import Origin
    from jobset_compiler.source.document import Document

Tree = dict[str, Any]


def origin_at(unit: Unit, place: tuple[Step, ...]) -> list[Tree]:
    """The chain of origins of a field of the JobSet, nearest first; [] where the JobSet has no such field."""
    try:
        chain = origins.origin_of(unit, unit.objects[0], text(place))
    except KeyError:
        return []
    return [as_json(origin) for origin in chain]


REPLACES = "replaces the runtime's list"


def of_item(whole: list[Tree], item: list[Tree]) -> list[Tree]:
    """The origin of an item of a list that Kubernetes does not merge: where a patch's list stands in the place of the runtime's, it says so.

    whole: the origin of the list.
    """
    replaces = item and item[0]["kind"] == origins.PATCH and whole and whole[0]["kind"] == origins.PATCH and any(at["kind"] == origins.INPUT for at in whole)
    return [{**item[0], "note": REPLACES}, *item[1:]] if replaces else item


def as_json(origin: Origin) -> Tree:
    return {**origin._asdict(), "line": origin.line or None, "column": origin.column or None}


def written(document: Document, path: Path, by: str = "", note: str = "") -> Tree:
    """The origin of something that stands in a document."""
    span = document.locate(path)
    return {
        "kind": origins.INPUT,
        "by": by,
        "note": note,
        "path": format_path(document.written_as(path)) if path else "",
        "file": span.file,
        "line": span.line or None,
        "column": span.column or None,
    }


def made(by: str, note: str) -> Tree:
    """The origin of something that a pass makes up."""
    return {"kind": origins.PASS, "by": by, "note": note, "path": "", "file": "", "line": None, "column": None}
