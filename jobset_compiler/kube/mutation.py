"""What a server has of an object that a mutating webhook has changed.

The webhook reads the object into its Go types, changes it, writes it as JSON and answers with a patch from what it was sent to that
(controller-runtime; removals are dropped since 0.20, so that explicit zero values survive). What it touched has therefore been through
Go's types: fields without `omitempty` that nobody wrote are there, as "" or, lists and pointers, as null. The server validates that,
and there a null is a value of the wrong type, while the nulls of a request are dropped before anybody looks.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jobset_compiler.kube.table import Field, TypeTable

# What Go writes as null where nobody wrote it, unless `omitempty` leaves it out.
NIL_KINDS = frozenset({"list", "map", "bytes"})


def patched(sent: Any, written: Any) -> Any:
    """The object that was sent with what the webhook wrote laid over it, key by key and item by item; what only `sent` has stays."""
    if isinstance(sent, dict) and isinstance(written, dict):
        return {**sent, **{key: patched(sent[key], item) if key in sent else item for key, item in written.items()}}
    if isinstance(sent, list) and isinstance(written, list) and len(sent) == len(written):
        return [patched(*pair) for pair in zip(sent, written, strict=True)]
    return written


def comes_back_null(value: Any, table: TypeTable, type_name: str) -> bool:
    """Whether Go would write a null into a value of that struct which has none there.

    Looks only where such a field can be, which is in few of the types of a pod.
    """
    unset, ways = _nulls_below(table, type_name)
    for name in unset:
        if value.get(name) is None:
            return True
    for name, type_below in ways:
        item = value.get(name)
        if item is not None:
            items = (item,) if type(item) is dict else item
            if type(items) in (list, tuple):
                for one in items:
                    if type(one) is dict and comes_back_null(one, table, type_below):
                        return True
    return False


@cache
def _nulls_below(table: TypeTable, type_name: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The fields of a struct that Go may write as null, and its fields with structs that have such fields in or below them."""
    fields = table.struct(type_name).fields.values()
    ways = tuple((field.name, below) for field in fields if (below := _struct_of(field)) and _has_nulls(table, below))
    return tuple(field.name for field in fields if _is_nil_by_default(field)), ways


@cache
def _has_nulls(table: TypeTable, type_name: str) -> bool:
    """Whether a null can be in or below a struct; no type that is looked at here holds itself."""
    fields = table.struct(type_name).fields.values()
    return any(_is_nil_by_default(field) or ((below := _struct_of(field)) and _has_nulls(table, below)) for field in fields)


def _is_nil_by_default(field: Field) -> bool:
    return not field.omit and not field.has_default and (field.pointer or field.kind in NIL_KINDS)


def _struct_of(field: Field) -> str:
    """The struct that a field holds, itself or as its items; "" for others."""
    held = field.elem if field.kind == "list" and field.elem is not None else field
    return held.type_name if held.kind == "struct" else ""
