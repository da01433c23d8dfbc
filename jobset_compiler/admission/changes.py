"""What an update adds to the checks of a new object: fields that must not change, and old faults that may stay.

Source: apiextensions-apiserver, pkg/registry/customresource (ValidateUpdate) and pkg/apiserver/schema/cel; validation
ratcheting is on by default in all releases of Kubernetes behind our profiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.cel import shown_value
from jobset_compiler.kube.structural import FieldError, field_error
from jobset_compiler.kube.structural.node import SCHEMA_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.table import Field, Struct
    from jobset_compiler.profiles import Profile

IMMUTABLE = "immutable"
# Checked on creation only; an update cannot change them.
NAMING = frozenset({("metadata", "name"), ("metadata", "namespace"), ("metadata", "generateName")})


def transition_errors(old: Any, new: Any, struct: Struct, profile: Profile) -> tuple[FieldError, ...]:
    """Where an update changes what it must not: the rules named "immutable" of the struct and below.

    A rule applies where a value is there before and after. Elements of a list are compared where the list is keyed and
    both versions have the key; elements of other lists have no earlier self.
    """
    return tuple(
        field_error(path, "FieldValueInvalid", message, shown_value(SCHEMA_TYPES[field.kind], value, profile))
        for path, field, earlier, value in changed_fields(old, new, struct, ())
        for name, message in field.constraints.get("rules", ())
        if name == IMMUTABLE and not cel_equal(earlier, value, field)
    )


def cel_equal(old: Any, new: Any, field: Field) -> bool:
    """Whether CEL takes two values for equal: the order of a list that is a map by key, or a set, does not count."""
    if old == new:
        return True
    if field.kind == "struct" and isinstance(old, dict) and isinstance(new, dict):
        fields = field.struct.fields
        return old.keys() == new.keys() and all(name in fields and cel_equal(old[name], new[name], fields[name]) for name in old)
    if isinstance(old, list) and isinstance(new, list) and field.elem is not None and len(old) == len(new):
        if field.constraints.get("list") == "set":
            return all(item in new for item in old)
        keyed = field.constraints.get("list") == "map"
        pairs = [(earlier_self(item, old, field) if keyed else old[index], item) for index, item in enumerate(new)]
        return all(cel_equal(before, item, field.elem) for before, item in pairs)
    return False


def not_ratcheted(errors: tuple[FieldError, ...], old: Any, new: Any, struct: Struct) -> tuple[FieldError, ...]:
    """The errors that stand against an update: those that are not in a part which is as it was."""
    return tuple(entry for entry in errors if not is_unchanged(entry.path, old, new, struct))


def is_unchanged(path: Path, old: Any, new: Any, struct: Struct | None) -> bool:
    """Whether the value at a path, or one that holds it, is equal in both versions."""
    if path in NAMING:
        return True
    if path[:1] == ("metadata",):
        return False
    field: Field | None = None
    for step in path:
        if old == new:
            return True
        if isinstance(step, int):
            old = earlier_self(new[step], old, field) if field is not None else None
            new, field = new[step], field.elem if field is not None else None
        else:
            old = old.get(step) if isinstance(old, dict) else None
            new = new.get(step) if isinstance(new, dict) else None
            field = struct.fields.get(step) if struct is not None else None  # no type has a map with structs or lists in it
        if old is None or new is None:
            return False
        struct = field.struct if field is not None and field.kind == "struct" else None
    return bool(old == new)


def changed_fields(old: Any, new: Any, struct: Struct, path: Path) -> Iterator[tuple[Path, Field, Any, Any]]:
    """Fields that are in both versions and differ, the containers of a change included, with their old and new values."""
    for key, field in struct.fields.items():
        if key in old and key in new:
            yield from changes_of(old[key], new[key], field, (*path, key))


def changes_of(old: Any, new: Any, field: Field, path: Path) -> Iterator[tuple[Path, Field, Any, Any]]:
    if old == new:
        return
    yield path, field, old, new
    if field.kind == "struct":
        yield from changed_fields(old, new, field.struct, path)
    elif field.kind == "list" and field.elem is not None:
        for index, item in enumerate(new):
            before = earlier_self(item, old, field)
            if before is not None:
                yield from changes_of(before, item, field.elem, (*path, index))


def earlier_self(item: Any, old: Any, field: Field) -> Any:
    """The element of the old list with the same keys; None where the list has no keys, or no such element."""
    keys = field.constraints.get("keys", ())
    if not keys or not isinstance(item, dict) or not isinstance(old, list):
        return None
    wanted = [item.get(key) for key in keys]
    return next((before for before in old if isinstance(before, dict) and [before.get(key) for key in keys] == wanted), None)
