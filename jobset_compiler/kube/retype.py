"""The controller's Go round trip: a JSON tree read into a typed Go struct and written out again.

What that changes: unknown fields go; fields come out in Go order and string maps sorted; empty values of `omitempty`
fields go, unless the field is a pointer (`backoffLimit: 0` stays, `hostNetwork: false` goes); structs that are no
pointers appear even where nobody wrote them (`resources: {}`, `divisor: "0"`, `status: {}`), and so do fields without
`omitempty` (`name: ""`, and `null` for a list such as `containers`); quantities and times are printed anew.

Source of the rules: encoding/json, sigs.k8s.io/json (field names are case-sensitive) and the UnmarshalJSON methods of
k8s.io/apimachinery 0.32 to 0.36. What differs: `meta.EmbeddedObjectMeta` has the fields alone that a CRD keeps of a
template's metadata, so that no `creationTimestamp: null` is written there (Go does up to Kubernetes 0.33; nothing
downstream tells that from its absence); a list of numbers is refused for bytes.

The converters are closures, made for each struct when first needed; those of the values at the leaves are in `go_values`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.kube.go_values import KEEPING, OMITTED, OMITTING, RANGES, Reading, go_type, integer, kind_of, note, omitting_null_time, time
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.go_values import Convert, NotedProblem
    from jobset_compiler.kube.table import Field, TypeTable

    _Zero = Callable[[], Any]
    # Of fields in Go's order: name, converter, what is written where the field is absent (None: nothing), and whether it is a text.
    _Rows = tuple[tuple[str, Convert, _Zero | None, bool], ...]


class DecodeProblem(Value):
    """A value that does not fit its Go type: where it stands, and Go's message."""

    __slots__ = ("message", "path")

    def __init__(self, path: Path, message: str) -> None:
        self.path: Final = path
        self.message: Final = message


# Go structs: omitempty has no effect on them.
_NEVER_EMPTY: Final = frozenset({"struct", "Quantity", "IntOrString", "Time"})
# JobSet's apply configurations hold these as plain typed structs, so that their empty fields are written (0.11, 0.12).
_TYPED_IN_APPLY_CONFIGURATIONS: Final = frozenset({"core.PersistentVolumeClaim"})


# How many sets of keys a struct's converter keeps the fields of: most are written in few ways, and have few of many fields.
MOST_SHAPES: Final = 256
TEXTS: Final = {str}
NONE_TYPED: Final[frozenset[int]] = frozenset()


class Typed(Value):
    """What Go has read and written. value: without the problems' parts; has_unset: what is not of known parts has a null, but for times, or an empty list."""

    __slots__ = ("has_unset", "problems", "value")

    def __init__(self, value: dict[str, Any], problems: tuple[DecodeProblem, ...], has_unset: bool) -> None:
        self.value: Final = value
        self.problems: Final = problems
        self.has_unset: Final = has_unset


def read_and_written(value: object, table: TypeTable, type_name: str, parts: frozenset[int] = NONE_TYPED) -> Typed:
    """A JSON value as Go writes it after reading it into the struct `type_name` (`jobset.JobSetSpec`).

    parts: maps and lists in the value, by identity, that are of a result of this already (see `Parts`); they are taken as they are. With
    anything else the result shares no container. Problems come in the order of their importance: the first is the one
    Go reports (it reports one; keys are in sorted order where it reads them).
    """
    reading = Reading(parts)
    typed = _struct(table, type_name, False)({} if value is None else value, None, None, reading)
    found = reading.found
    if found:
        found.sort(key=lambda one: (not one.is_abrupt, one.path))
    return Typed(typed, tuple([DecodeProblem(one.path, _message(one, table, type_name)) for one in found]), reading.has_unset)


def retype(value: object, table: TypeTable, type_name: str) -> tuple[dict[str, Any], tuple[DecodeProblem, ...]]:
    """The value and the problems of `read_and_written`."""
    typed = read_and_written(value, table, type_name)
    return typed.value, typed.problems


def to_apply_configuration(value: object, table: TypeTable, type_name: str) -> object:
    """What is left of a typed value (a result of `retype`) in the apply configuration that the controller submits.

    Apply configurations hold pointers everywhere and omit nil, so nulls and empty lists go, while empty structs and
    empty required strings stay. Source: Trainer's pkg/apply FromTypedObjWithFields and the applyconfiguration packages
    of client-go and JobSet. Raises ValueError for a value that is not typed.
    """
    reading = Reading()
    applied = _struct(table, type_name, True)(value, None, None, reading)
    if reading.found:
        raise ValueError(f"not a typed {type_name}: {_message(reading.found[0], table, type_name)}")
    return applied


class TypedParts(Value):
    """The maps and lists of a typed value, `known` by identity for as long as the value is there; a copy knows those of the copied value."""

    __slots__ = ("known", "value")

    def __init__(self, value: object) -> None:
        known: set[int] = set()
        pending = [value]
        while pending:
            part = pending.pop()
            if type(part) is dict or type(part) is list:
                known.add(id(part))
                pending.extend(part.values() if type(part) is dict else part)
        self.known: Final = frozenset(known)
        self.value: Final = value

    def _names(self) -> tuple[str, ...]:
        return ("value",)

    def __reduce__(self) -> tuple[type[TypedParts], tuple[object]]:
        return TypedParts, (self.value,)


def has_unset(value: object) -> bool:
    """Whether a typed value holds a null or an empty list: what `to_apply_configuration` would leave out."""
    pending = [value]
    while pending:
        part = pending.pop()
        items: Any = ()
        if type(part) is dict:
            items = part.values()
        elif type(part) is list:
            if not part:
                return True
            items = part
        for item in items:
            if item is None:
                return True
            if type(item) in (dict, list):
                pending.append(item)
    return False


# ----------------------------------------------------------------------------------------------- structs


@cache
def _struct(table: TypeTable, name: str, applies: bool) -> Convert:
    """The converter of a struct; `applies`: for an apply configuration."""
    shapes: dict[tuple[str, ...], _Rows] = {}
    type_text = go_type(name)

    def rows_of(value: dict[str, Any], shape: tuple[str, ...]) -> _Rows:
        every = _rows(table, name, applies)
        rows = tuple(row for row in every if row[0] in value or row[2] is not None)
        if len(shapes) < MOST_SHAPES and table.struct(name).fields.keys() >= value.keys():
            shapes[shape] = rows
        return rows

    def convert(value: Any, where: Any, key: Any, reading: Reading) -> Any:
        if type(value) is not dict:
            note(reading, where, key, kind_of(value), type_text)
            return {}
        if id(value) in reading.typed:
            return value
        here = (where, key)
        out = {}
        get = value.get
        shape = tuple(value)
        rows = shapes.get(shape)
        if rows is None:
            rows = rows_of(value, shape)
        for field_name, convert_field, zero, is_text in rows:
            item = get(field_name)
            if is_text and type(item) is str and item:
                out[field_name] = item
            elif item is not None:
                converted = convert_field(item, here, field_name, reading)
                if converted is not OMITTED:
                    out[field_name] = converted
            elif zero is not None:
                written = out[field_name] = zero()
                if zero is _null or (written and has_unset(written)):
                    reading.has_unset = True
        return out

    return convert


@cache
def _rows(table: TypeTable, name: str, applies: bool) -> _Rows:
    """Every field of the struct."""
    if name in _TYPED_IN_APPLY_CONFIGURATIONS:
        applies = False
    rows = []
    for field in table.struct(name).fields.values():
        zero = _zero(table, field, applies)
        is_written = not field.omit or (field.omit == "omitempty" and field.kind in _NEVER_EMPTY and not field.pointer)
        omits_empty = not field.pointer and not is_written
        if applies and zero in (_null, _no_time):
            is_written = False
            omits_empty = not field.pointer
        rows.append((field.name, _converter(table, field, omits_empty, applies), zero if is_written else None, field.kind == "string"))
    return tuple(rows)


def _zero(table: TypeTable, field: Field, applies: bool) -> _Zero:
    """What Go writes for the zero value of the field's type."""
    kind = field.kind
    if field.pointer:
        return _null
    if kind == "struct":
        struct_name = field.type_name

        def zero_struct() -> dict[str, Any]:
            return {name: zero() for name, _, zero, _ in _rows(table, struct_name, applies) if zero is not None}

        return zero_struct
    return _ZEROS.get(kind, _null)


def _null() -> None:
    return None


def _no_time() -> None:
    return None


def _empty() -> str:
    return ""


def _number() -> int:
    return 0


def _false() -> bool:
    return False


def _no_quantity() -> str:
    return "0"


_ZEROS: Final[dict[str, _Zero]] = {
    "string": _empty,
    "bool": _false,
    "int": _number,
    "int32": _number,
    "int64": _number,
    "float64": _number,
    "IntOrString": _number,
    "Quantity": _no_quantity,
    "Time": _no_time,
}


# ------------------------------------------------------------------------------------------------ fields


def _converter(table: TypeTable, field: Field, omits_empty: bool, applies: bool) -> Convert:
    """The converter of a field or element; `omits_empty`: gives OMITTED for the zero value."""
    kind = field.kind
    if kind == "struct":
        convert = _struct(table, field.type_name, applies)
        return _omitting_zero(table, field, convert) if omits_empty else convert
    if kind == "list":
        return _list(table, field, omits_empty, applies)
    if kind == "map":
        return _map(table, field, omits_empty, applies)
    if kind in RANGES:
        return integer(kind, omits_empty)
    if kind == "Time":
        return omitting_null_time if omits_empty else time
    return (OMITTING if omits_empty else KEEPING)[kind]


def _omitting_zero(table: TypeTable, field: Field, inner: Convert) -> Convert:
    def convert(value: Any, where: Any, key: Any, reading: Reading) -> Any:
        converted = inner(value, where, key, reading)
        return OMITTED if _is_zero(value, table, field) else converted

    return convert


def _is_zero(value: Any, table: TypeTable, field: Field) -> bool:
    """Whether Go's zero value is what a value decodes to: an empty list or map is not nil, so not zero."""
    if value is None:
        return True
    if field.pointer or field.kind in ("list", "map"):
        return False
    if type(value) is dict:
        if field.kind != "struct":
            return False  # which has been found already
        fields = table.struct(field.type_name).fields
        return all(_is_zero(item, table, fields[name]) for name, item in value.items() if name in fields)
    if field.kind == "Quantity":
        return False  # a parsed quantity has a format, even for 0
    return value in ("", 0, False)


def _list(table: TypeTable, field: Field, omits_empty: bool, applies: bool) -> Convert:
    element = field.elem
    assert element is not None
    type_text = go_type(field.type_name)
    convert_element = _converter(table, element, False, applies)
    zero = _zero(table, element, applies)
    is_of_texts = element.kind == "string"

    def convert(value: Any, where: Any, key: Any, reading: Reading) -> Any:
        if type(value) is not list:
            note(reading, where, key, kind_of(value), type_text)
            return OMITTED
        if id(value) in reading.typed:
            return value
        if not value:
            if omits_empty:
                return OMITTED
            reading.has_unset = True
            return []
        if is_of_texts and set(map(type, value)) == TEXTS:
            return [*value]
        if zero is _null and None in value:
            reading.has_unset = True
        here = (where, key)
        return [zero() if item is None else convert_element(item, here, index, reading) for index, item in enumerate(value)]

    return convert


def _map(table: TypeTable, field: Field, omits_empty: bool, applies: bool) -> Convert:
    element = field.elem
    assert element is not None
    type_text = go_type(field.type_name)
    convert_element = _converter(table, element, False, applies)
    zero = _zero(table, element, applies)
    is_of_texts = element.kind == "string"

    def convert(value: Any, where: Any, key: Any, reading: Reading) -> Any:
        if type(value) is not dict:
            note(reading, where, key, kind_of(value), type_text)
            return OMITTED
        if id(value) in reading.typed:
            return value
        if not value:
            return OMITTED if omits_empty else {}
        if is_of_texts and set(map(type, value.values())) == TEXTS:
            return {name: value[name] for name in sorted(value)}
        if zero is _null and None in value.values():
            reading.has_unset = True
        here = (where, key)
        out = {}
        for name in sorted(value):
            item = value[name]
            out[name] = zero() if item is None else convert_element(item, here, name, reading)
        return out

    return convert


# ---------------------------------------------------------------------------------------------- messages


def _message(found: NotedProblem, table: TypeTable, type_name: str) -> str:
    """Go's text. Its place is made of field names alone, embedded structs among them, and begins with the struct that has the last field."""
    if not found.type_text:
        return found.text
    from jobset_compiler.kube.go_names import EMBEDDED, NAMED_STRINGS

    struct = owner = type_name
    names: list[str] = []
    field: Field | None = None
    for step in found.path:
        if field is not None and field.kind in ("list", "map"):
            field = field.elem
        else:
            owner = struct
            field = table.struct(owner).fields[str(step)]
            last = str(step)
            names += [embedded for embedded, fields in EMBEDDED.get(owner, {}).items() if last in fields]
            names.append(last)
        if field is not None and field.kind == "struct":
            struct = field.type_name
    if not names:
        return f"json: cannot unmarshal {found.text} into Go value of type {found.type_text}"
    place = ".".join((go_type(owner).partition(".")[2], *names))
    type_text = NAMED_STRINGS.get(owner, {}).get(names[-1], found.type_text) if found.type_text == "string" else found.type_text
    return f"json: cannot unmarshal {found.text} into Go struct field {place} of type {type_text}"
