"""The order of an object's fields in the output: that of the Go structs, string maps by key."""

from __future__ import annotations

from functools import cache

from jobset_compiler.lean import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.kube.table import Field, TypeTable

    _Order = Callable[[Any], Any]


def in_field_order(value: dict[str, Any], table: TypeTable, type_name: str) -> dict[str, Any]:
    """The object with its fields in the order of the Go struct `type_name` (`jobset.JobSet`), at every depth.

    Where Go has `kind` before `apiVersion`, people have it the other way round, and so it comes out. Fields that the
    type does not have come last, by name. What is in order already is shared with the input.
    """
    ordered: dict[str, Any] = _struct(table, type_name)(value)
    return ordered


@cache
def _struct(table: TypeTable, name: str) -> _Order:
    fields: dict[str, tuple[int, _Order | None]] = {}

    def order(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        if not fields:
            names = list(table.struct(name).fields)
            if names[:2] == ["kind", "apiVersion"]:
                names[:2] = ["apiVersion", "kind"]
            for rank, field_name in enumerate(names):
                fields[field_name] = rank, _field(table, table.struct(name).fields[field_name])
        changes = False
        out = {}
        highest = -1
        for key, item in value.items():
            rank, order_field = fields.get(key, _UNKNOWN)
            out[key] = ordered = order_field(item) if order_field is not None and item else item
            changes = changes or ordered is not item or rank <= highest
            highest = rank
        if not changes:
            return value
        return {key: out[key] for key in sorted(out, key=lambda key: (fields.get(key, _UNKNOWN)[0], key))}

    return order


_UNKNOWN: tuple[int, _Order | None] = (1 << 30, None)


def _field(table: TypeTable, field: Field) -> _Order | None:
    """How the field's value is put in order; None for one that has no keys."""
    if field.kind == "struct":
        return _struct(table, field.type_name)
    if field.kind == "map":
        return _by_key  # no map of these types holds structs
    if field.kind == "list" and field.elem is not None:
        order = _field(table, field.elem)
        return None if order is None else _list(order)
    return None


def _list(order: _Order) -> _Order:
    def order_list(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        ordered = [order(item) for item in value]
        return ordered if any(new is not old for new, old in zip(ordered, value, strict=True)) else value

    return order_list


def _by_key(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    keys = sorted(value)
    return value if keys == list(value) else {key: value[key] for key in keys}
