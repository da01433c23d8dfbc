"""A value on one line, with brackets: YAML's flow style."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.emit.scalars import double_quoted
from jobset_compiler.emit.yaml import document

if TYPE_CHECKING:
    from collections.abc import Callable

# A plain scalar ends at these in brackets.
_ENDS = frozenset(",[]{}")


def in_flow(value: Any, spelled: Callable[[str, Any], str | None] = lambda key, value: None, key: str = "") -> str:
    """The value in the style of one line. spelled: what to write for the value of a key, None for what is usual."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{in_flow(name)}: {in_flow(item, spelled, name)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(in_flow(item, spelled) for item in value) + "]"
    text = spelled(key, value)
    if text is not None:
        return text
    text = document(value).rstrip("\n")
    return double_quoted(value) if isinstance(value, str) and ((text[:1] not in "\"'" and not _ENDS.isdisjoint(text)) or "\n" in value) else text
