"""A difference as unified diffs of the objects' YAML, one an object; the reasons stand in front as lines that `patch` passes over."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

from jobset_compiler.diff.difference import NOT_COMPARED
from jobset_compiler.diff.text import headline, spoken, verdict
from jobset_compiler.emit.yaml import Emitter

if TYPE_CHECKING:
    from jobset_compiler.diff.difference import Difference, ObjectDifference


def to_unified(difference: Difference, context: int = 3) -> str:
    """One diff an object that differs, from the YAML of the first side to that of the second. Comments start with "#"."""
    parts = [f"# {headline(difference)}\n"]
    emitter = Emitter()
    for job in difference.jobs:
        if job.state == NOT_COMPARED:
            parts.append(f"# TrainJob {job.name} cannot be compared\n")
            for side, member in ((difference.before, job.before), (difference.after, job.after)):
                parts += [f"# {line.strip()}\n" for line in verdict(side, member)]
        for item in job.changed_objects:
            parts += _comments(item)
            before, after = (emitter.document(manifest).splitlines(keepends=True) if manifest else [] for manifest in (item.before, item.after))
            parts += unified_diff(before, after, _name(item, "a", bool(before)), _name(item, "b", bool(after)), n=context)
    for side in (difference.before, difference.after):
        parts += [f"# {side.label}: {diagnostic.severity} {diagnostic.code} {diagnostic.message}\n" for diagnostic in side.other if diagnostic.is_error]
    return "".join(parts)


def _comments(item: ObjectDifference) -> list[str]:
    lines = []
    for field in item.fields:
        if field.reasons:
            place = "".join(f" ({reason.place})" for reason in field.reasons[:1] if reason.place)
            lines.append(f"# {field.change.address}: {spoken(field.reasons)}{place}\n")
    return lines


def _name(item: ObjectDifference, prefix: str, exists: bool) -> str:
    _, kind, namespace, name = item.key
    return f"{prefix}/{namespace}/{kind.lower()}-{name}.yaml" if exists else "/dev/null"
