"""Values of fields as people read them in a report: on one line where they are short."""

from __future__ import annotations

from typing import Any

from jobset_compiler.diff.fields import MISSING
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
    if isinstance(value, (dict, list)):
        return _flow(value)
    return compact(value)


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow_scalar(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, str):
        plain = flow_scalar(value) if "\n" not in value else compact(value)
        # In flow style a plain scalar ends at these.
        return compact(value) if plain == value and any(c in value for c in ",[]{}:") else plain
    return compact(value)
