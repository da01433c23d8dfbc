"""A difference as unified diffs of the objects' YAML, one an object; the reasons stand in front as lines that `patch` passes over."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

from jobset_compiler.diagnostics.inert import lines, one_line
from jobset_compiler.diff.difference import NOT_COMPARED
from jobset_compiler.diff.text import headline, spoken, verdict
from jobset_compiler.emit.yaml import Emitter

if TYPE_CHECKING:
    from jobset_compiler.diff.difference import Difference, ObjectDifference


def to_unified(difference: Difference, context: int = 3) -> str:
    """One diff an object that differs, from the YAML of the first side to that of the second. Comments start with "#"."""
    parts = [_comment(headline(difference))]
    emitter = Emitter()
    for job in difference.jobs:
        if job.state == NOT_COMPARED:
            parts.append(_comment(f"TrainJob {job.name} cannot be compared"))
            for side, member in ((difference.before, job.before), (difference.after, job.after)):
                parts += map(_comment, verdict(side, member))
        for item in job.changed_objects:
            parts += _reasons(item)
            before, after = (emitter.document(manifest).splitlines(keepends=True) if manifest else [] for manifest in (item.before, item.after))
            diff = unified_diff(before, after, _name(item, "a", bool(before)), _name(item, "b", bool(after)), n=context)
            parts += [lines(line) for line in diff]
    for side in (difference.before, difference.after):
        parts += [_comment(f"{side.label}: {diagnostic.severity} {diagnostic.code} {diagnostic.message}") for diagnostic in side.other if diagnostic.is_error]
    return "".join(parts)


def _comment(text: str) -> str:
    return f"# {one_line(text)}\n"


def _reasons(item: ObjectDifference) -> list[str]:
    told = []
    for field in item.fields:
        if field.reasons:
            place = field.reasons[0].place
            told.append(_comment(f"{field.change.address}: {spoken(field.reasons)}" + (f" ({place})" if place else "")))
    return told


def _name(item: ObjectDifference, prefix: str, exists: bool) -> str:
    _, kind, namespace, name = item.key
    return f"{prefix}/{namespace}/{kind.lower()}-{name}.yaml" if exists else "/dev/null"
