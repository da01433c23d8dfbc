"""Values of fields as people read them in a report: on one line where they are short, else as lines that come and go."""

from __future__ import annotations

from typing import Any, NamedTuple

from jobset_compiler.diff.fields import ADDED, MISSING, REMOVED, REORDERED
from jobset_compiler.emit.flow import in_flow
from jobset_compiler.emit.json import compact
from jobset_compiler.emit.scalars import flow_scalar

LONGEST = 72


def brief(value: Any) -> str:
    """The value on one line, cut where it is long."""
    text = inline(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def inline(value: Any) -> str:
    """The value as one line of YAML: a scalar as itself, anything else as JSON, which YAML reads too."""
    if value is MISSING:
        return "nothing"
    if isinstance(value, str):
        return flow_scalar(value) if "\n" not in value else compact(value)
    return in_flow(value)


class ShownLine(NamedTuple):
    """A line of a shown value: sign "+", "-" or " "."""

    sign: str
    text: str


def lines_of(kind: str, before: Any, after: Any) -> tuple[ShownLine, ...]:
    """A change that does not fit on one line, as lines that come and go; () where `old -> new` says it. kind: as in `FieldChange`."""
    from jobset_compiler.emit.yaml import document

    if kind == REORDERED:
        return ()
    if kind == ADDED:
        return () if _fits(after) else tuple(ShownLine("+", line) for line in document(after).splitlines())
    if kind == REMOVED:
        return () if _fits(before) else tuple(ShownLine("-", line) for line in document(before).splitlines())
    if _fits(before) and _fits(after) and len(inline(before)) + len(inline(after)) <= _FITS:
        return ()
    return _compared(_shown(before), _shown(after)) or (ShownLine("-", inline(before)), ShownLine("+", inline(after)))


def _shown(value: Any) -> list[str]:
    """A value as lines to compare: of a text its lines, of a list of scalars its items."""
    from jobset_compiler.emit.yaml import document

    if isinstance(value, str):
        return value.splitlines()
    if isinstance(value, list) and not any(isinstance(item, (dict, list)) for item in value):
        return [line for item in value for line in (item.splitlines() if isinstance(item, str) else [inline(item)])]
    return document(value).splitlines()


_FITS = 80
_CONTEXT = 2


def _fits(value: Any) -> bool:
    """Whether a value is a scalar, or little enough, for one line."""
    return not _has_lines(value) and len(inline(value)) <= _FITS


def _has_lines(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_lines, value.values()))
    if isinstance(value, list):
        return any(map(_has_lines, value))
    return isinstance(value, str) and "\n" in value


def _compared(before: list[str], after: list[str]) -> tuple[ShownLine, ...]:
    from difflib import SequenceMatcher

    lines: list[ShownLine] = []
    for group in SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(_CONTEXT):
        if lines:
            lines.append(ShownLine(" ", "..."))
        for tag, a, b, c, d in group:
            if tag == "equal":
                lines += [ShownLine(" ", text) for text in before[a:b]]
            else:
                lines += [ShownLine("-", text) for text in before[a:b]]
                lines += [ShownLine("+", text) for text in after[c:d]]
    return tuple(lines)
