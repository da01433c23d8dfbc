"""What Go's JSON decoder says of a value that its type cannot hold.

Webhooks and the metadata of every object are decoded into Go types, after or beside the schema. Source: sigs.k8s.io/json
(a fork of encoding/json): a mismatch is remembered and decoding goes on, the first one is the answer; keys come sorted,
since the server writes the JSON itself. Types with a decoder of their own (Time, Quantity) fail at once.
"""

from __future__ import annotations

from typing import Any

from jobset_compiler.kube.table import Field, TypeTable

GO_TYPES = {"float64": "float64", "bytes": "[]uint8", "Time": "string", "IntOrString": "int32"}
# Named string types, which the decoder calls by their names.
NAMED_TYPES = {"uid": "types.UID"}
PACKAGES = {"core": "v1", "meta": "v1", "batch": "v1", "jobset": "v1alpha2", "trainer": "v1alpha1"}


def decode_problem(value: Any, table: TypeTable, type_name: str) -> str | None:
    """The decoder's error for a value of a struct type, in its words; None where the type holds the value."""
    root = Field(table, "", type_name, "", {})
    if value is not None and not isinstance(value, dict):
        return f"json: cannot unmarshal {json_name(value)} into Go value of type {go_type(root)}"
    return problem_in(value, root, "", ())


def problem_in(value: Any, field: Field, struct: str, names: tuple[str, ...]) -> str | None:
    kind = field.kind
    if value is None:
        return None
    if kind == "struct" and isinstance(value, dict):
        fields, name = field.struct.fields, field.type_name.rpartition(".")[2]
        name = "ObjectMeta" if name == "EmbeddedObjectMeta" else name
        for key in sorted(value):
            if key in fields and (found := problem_in(value[key], fields[key], name, (*names, key))):
                return found
        return None
    if kind == "map" and isinstance(value, dict) and field.elem is not None:
        return next((p for key in sorted(value) if (p := problem_in(value[key], field.elem, struct, names))), None)
    if kind == "list" and isinstance(value, list) and field.elem is not None:
        return next((p for item in value if (p := problem_in(item, field.elem, struct, names))), None)
    mismatch = scalar_mismatch(value, field)
    if mismatch is None:
        return None
    what, target = mismatch
    if not target:
        return what
    target = NAMED_TYPES.get(field.name, target)
    return f"json: cannot unmarshal {what} into Go struct field {struct}.{'.'.join(names)} of type {target}"


def scalar_mismatch(value: Any, field: Field) -> tuple[str, str] | None:
    """(what was found, the Go type); or (the whole message, "") for a type that words its own."""
    kind = field.kind
    if kind == "Quantity":
        from jobset_compiler.kube.quantity import QuantityError, from_json

        try:
            from_json(value)
        except QuantityError as error:
            return str(error), ""
        return None
    if kind == "IntOrString":
        if isinstance(value, str) or fits(value, 31):
            return None
        return number_name(value), "int32"
    if kind in ("int", "int32", "int64"):
        if fits(value, 31 if kind == "int32" else 63):
            return None
        return number_name(value), kind
    if kind == "float64":
        return None if isinstance(value, int | float) and not isinstance(value, bool) else (json_name(value), kind)
    if kind == "bool":
        return None if isinstance(value, bool) else (json_name(value), "bool")
    if kind == "Time" and isinstance(value, str):
        return None if is_rfc3339(value) else (time_complaint(value), "")
    if kind == "FieldsV1" or (kind in ("string", "bytes", "Time") and isinstance(value, str)):
        return None
    return json_name(value), go_type(field)


def fits(value: Any, bits: int) -> bool:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return isinstance(value, int) and not isinstance(value, bool) and -(1 << bits) <= value < 1 << bits


def json_name(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def number_name(value: Any) -> str:
    """As `json_name`, but a number that does not fit a numeric type is quoted."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return json_name(value)
    from jobset_compiler.kube.quantity import json_number_text

    return f"number {json_number_text(value)}"


def go_type(field: Field) -> str:
    """A type as Go prints it: `map[string]string`, `v1.ObjectMeta`."""
    if field.elem is not None:
        return ("[]" if field.kind == "list" else "map[string]") + go_type(field.elem)
    if field.kind == "struct":
        package, _, name = field.type_name.partition(".")
        return f"{PACKAGES.get(package, package)}.{'ObjectMeta' if name == 'EmbeddedObjectMeta' else name}"
    return GO_TYPES.get(field.kind, field.kind)


def is_rfc3339(text: str) -> bool:
    import re

    from jobset_compiler.kube.structural.misfit import is_date_time

    exact = re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.,][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})\Z", text)
    return exact is not None and is_date_time(text.replace(",", "."))


def time_complaint(text: str) -> str:
    from jobset_compiler.kube.structural.finding import quoted

    layout = "2006-01-02T15:04:05Z07:00"
    return f"parsing time {quoted(text)} as {quoted(layout)}: cannot parse {quoted(text)} as {quoted('2006')}"
