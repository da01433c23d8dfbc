"""Origins of fields of the JobSet as JSON, and in a few words."""

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


def in_words(chain: list[Tree]) -> str:
    """Who wrote it, on account of which line: the chain up to the first origin that is no pass."""
    parts = []
    for origin in chain[:3]:
        place = f"{origin['file']}:{origin['line']}" if origin["line"] else origin["file"]
        where = f"{place} {origin['path']}".strip()
        if origin["kind"] == origins.PASS:
            note = origin["note"]
            # What "written by the pass" says the name of the pass says already.
            parts.append(f"pass {origin['by']}" + (f" ({note})" if note and note != WRITTEN else ""))
            continue
        if origin["kind"] == origins.INPUT:
            parts.append(where)
        elif origin["kind"] == origins.PATCH:
            parts.append(f"patch {where}")
        else:
            parts.append(f"{origin['kind']} {origin['by']}".strip())
        break
    return ", ".join(parts)


WRITTEN = "written by the pass"
