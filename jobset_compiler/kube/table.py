"""The type table: which fields the Kubernetes, JobSet and Trainer types of a release have, in order, and what holds for them.

One table drives everything that depends on types: pruning, defaults and schema rules (`structural`), the controller's
Go round trip (`retype`), strategic merge (`merge`), field order, and the JSON Schemas. The rows stand in
`jobset_compiler/kube/tables/`, one module a release, each the types that differ from the release before.

A row is `(json name, type, omit)` or `(json name, type, omit, constraints)`:

* type: `*` before it means a Go pointer (zero values are kept); `[]T` a list, `{}T` a string-keyed map; then a struct
  (`core.Container`) or a scalar: string, bool, int, int32, int64, float64, bytes, Quantity, IntOrString, Time, FieldsV1.
* omit: `omitempty` (empty values vanish on re-marshalling; a struct that is no pointer stays), `omitzero` (a zero
  struct vanishes as well), or nothing (always written).
* constraints: what the CRD schema adds (required, default, enum, minimum, maximum, minLength, maxLength, minItems,
  maxItems, minProperties, format, pattern; list: "map" with keys, or "set"; rules: (predicate name, message) of CEL
  rules; item: constraints of the elements) and how a strategic merge patch treats the list (merge: the merge key).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from jobset_compiler.kube import tables

NO_CONSTRAINTS: dict[str, Any] = {}


class Field:
    """One field (or list element, or map value) of a Go type."""

    __slots__ = ("_table", "constraints", "default", "elem", "has_default", "kind", "merge_key", "name", "omit", "pointer", "required", "type_name")

    def __init__(self, table: TypeTable, name: str, text: str, omit: str, constraints: dict[str, Any]) -> None:
        self._table = table
        self.name = name
        self.omit = omit
        self.constraints = constraints
        self.required: bool = "required" in constraints
        self.has_default: bool = "default" in constraints
        self.default: Any = constraints.get("default")
        # The strategic merge key of a list of structs, "" for a merged list of scalars, None for a list that a patch replaces.
        self.merge_key: str | None = constraints.get("merge")
        self.pointer = text[0] == "*"
        if self.pointer:
            text = text[1:]
        self.type_name = text
        self.elem: Field | None = None
        if text[:2] in ("[]", "{}"):
            self.kind = "list" if text[0] == "[" else "map"
            self.elem = Field(table, "", text[2:], "", constraints.get("item", NO_CONSTRAINTS))
        elif "." in text:
            self.kind = "struct"
        else:
            self.kind = text

    @property
    def struct(self) -> Struct:
        """The struct behind a field of kind "struct"."""
        return self._table.struct(self.type_name)

    def __repr__(self) -> str:
        return f"Field({self.name!r}, {'*' if self.pointer else ''}{self.type_name})"


class Struct:
    """A Go struct type: its fields by JSON name, in Go order."""

    __slots__ = ("_places", "fields", "name", "required")

    def __init__(self, name: str, fields: dict[str, Field]) -> None:
        self.name = name
        self.fields = fields
        self.required = tuple(sorted(field.name for field in fields.values() if field.required))
        self._places: dict[str, int] = {}

    def in_order(self, value: dict[str, Any]) -> dict[str, Any]:
        """A value of this type with its keys in Go's order, without those that the type has not: what a pass wrote by mistake is not submitted."""
        if not self._places:
            self._places = {name: place for place, name in enumerate(self.fields)}
        try:
            return {name: value[name] for name in sorted(value, key=self._places.__getitem__)}
        except KeyError:
            return {name: value[name] for name in self.fields if name in value}

    def __repr__(self) -> str:
        return f"Struct({self.name!r})"


class TypeTable:
    """All types of one release. Structs are built from their rows when first asked for."""

    __slots__ = ("_root_rules", "_rows", "_structs", "release")

    def __init__(self, release: str, rows: dict[str, tuple[tuple[Any, ...], ...]], root_rules: dict[str, tuple[tuple[str, str], ...]]) -> None:
        self.release = release
        self._rows = rows
        self._root_rules = root_rules
        self._structs: dict[str, Struct] = {}

    def struct(self, name: str) -> Struct:
        """The struct of that name (`trainer.TrainJob`, `core.PodSpec`); KeyError for a name that the release has not."""
        found = self._structs.get(name)
        if found is None:
            fields = {row[0]: Field(self, row[0], row[1], row[2], row[3] if len(row) > 3 else NO_CONSTRAINTS) for row in self._rows[name]}
            found = self._structs[name] = Struct(name, fields)
        return found

    def admitting(self, values: tuple[tuple[str, str, tuple[str, ...]], ...]) -> TypeTable:
        """The same types with more values in the enums of some fields: (struct, field, values). What a release has no enum for is left alone."""
        rows = dict(self._rows)
        for struct, field, more in values:
            rows[struct] = tuple(_with_values(row, more) if row[0] == field else row for row in rows.get(struct, ()))
        return TypeTable(self.release, {name: rows[name] for name in self._rows}, self._root_rules)

    def rows(self, name: str) -> tuple[tuple[Any, ...], ...]:
        """The rows of a struct, which say everything about it."""
        return self._rows[name]

    def has(self, name: str) -> bool:
        return name in self._rows

    def root_rules(self, name: str) -> tuple[tuple[str, str], ...]:
        """CEL rules on a whole object: (predicate name, message)."""
        return self._root_rules.get(name, ())

    def names(self) -> tuple[str, ...]:
        return tuple(self._rows)


def _with_values(row: tuple[Any, ...], values: tuple[str, ...]) -> tuple[Any, ...]:
    if len(row) < 4 or "enum" not in row[3]:
        return row
    return (*row[:3], {**row[3], "enum": (*row[3]["enum"], *values)})


@cache
def load(release: str) -> TypeTable:
    """The table of a release, by its profile name ("v2.3")."""
    name = release.replace(".", "_")
    module = __import__(f"{tables.__name__}.{name}", fromlist=["TYPES"])
    return TypeTable(release, module.TYPES, module.ROOT_RULES)
