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
    from jobset_compiler.kube.table import TypeTable

    # As in `kube.table`: name, type, omit, and constraints if there are any.
    Row = tuple[Any, ...]

NIL_TYPES = ("*", "[]", "{}", "bytes")


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
    rows = table.rows(type_name)
    ways = tuple((row[0], below) for row in rows if (below := _struct_of(row)) and _has_nulls(table, below))
    return tuple(row[0] for row in rows if _is_nil_by_default(row)), ways


@cache
def _has_nulls(table: TypeTable, type_name: str) -> bool:
    """Whether a null can be in or below a struct; no type that is looked at here holds itself.

    Read off the rows, since this comes to most types of a pod, and a render needs few of them.
    """
    return any(_is_nil_by_default(row) or ((below := _struct_of(row)) and _has_nulls(table, below)) for row in table.rows(type_name))


def _is_nil_by_default(row: Row) -> bool:
    """Whether Go writes null where nobody wrote the field: for pointers, lists, maps and bytes that no `omitempty` leaves out."""
    _, type_text, omit, *constraints = row
    return not omit and type_text.startswith(NIL_TYPES) and not any("default" in each for each in constraints)


def _struct_of(row: Row) -> str:
    """The struct that a field holds, itself or as its items; "" for others."""
    held: str = row[1].removeprefix("*").removeprefix("[]").removeprefix("*")
    return held if "." in held and not held.startswith("{}") else ""
