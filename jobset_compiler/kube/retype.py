"""The controller's Go round trip: a JSON tree read into a typed Go struct and written out again.

What that changes: unknown fields go; fields come out in Go order and string maps sorted; empty values of `omitempty`
fields go, unless the field is a pointer (`backoffLimit: 0` stays, `hostNetwork: false` goes); structs that are no
pointers appear even where nobody wrote them (`resources: {}`, `divisor: "0"`, `status: {}`), and so do fields without
`omitempty` (`name: ""`, and `null` for a list such as `containers`); quantities and times are printed anew.

Source of the rules: encoding/json, sigs.k8s.io/json (field names are case-sensitive) and the UnmarshalJSON methods of
k8s.io/apimachinery 0.32 to 0.36. What differs: `meta.EmbeddedObjectMeta` has the fields alone that a CRD keeps of a
template's metadata, so that no `creationTimestamp: null` is written there (Go does up to Kubernetes 0.33; nothing
downstream tells that from its absence); a list of numbers is refused for bytes.

The converters are closures, made for each struct when first needed.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.kube.quantity import QuantityError, from_json, json_number_text
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.table import Field, TypeTable

    # A converter takes a value that is not null, the place of its parent (nested pairs, outermost None), its own step
    # and the list of problems, and gives what Go would write, or _OMITTED.
    _Convert = Callable[[Any, Any, Any, list["_Found"]], Any]
    _Zero = Callable[[], Any]


class DecodeProblem(Value):
    """A value that does not fit its Go type: where it stands, and Go's message."""

    __slots__ = ("message", "path")

    def __init__(self, path: Path, message: str) -> None:
        self.path: Final = path
        self.message: Final = message


class _Found(Value):
    """A problem as the converters note it. An abrupt one ends Go's decoding there and then."""

    __slots__ = ("is_abrupt", "path", "text", "type_text")

    def __init__(self, path: Path, text: str, type_text: str, is_abrupt: bool) -> None:
        self.path: Final = path
        self.text: Final = text
        self.type_text: Final = type_text
        self.is_abrupt: Final = is_abrupt


class _Omitted:
    __slots__ = ()


_OMITTED: Final = _Omitted()

_GO_PACKAGES: Final = {
    "autoscaling": "v2",
    "batch": "v1",
    "core": "v1",
    "coscheduling": "v1alpha1",
    "jobset": "v1alpha2",
    "meta": "v1",
    "trainer": "v1alpha1",
    "volcano": "v1beta1",
}
_GO_TYPES: Final = {
    "Quantity": "resource.Quantity",
    "IntOrString": "intstr.IntOrString",
    "Time": "v1.Time",
    "FieldsV1": "v1.FieldsV1",
    "bytes": "[]uint8",
    "{}Quantity": "v1.ResourceList",
    "meta.EmbeddedObjectMeta": "v1.ObjectMeta",
}
# Go structs: omitempty has no effect on them.
_NEVER_EMPTY: Final = frozenset({"struct", "Quantity", "IntOrString", "Time"})
_RANGES: Final = {"int32": 2**31, "int64": 2**63, "int": 2**63}
# JobSet's apply configurations hold these as plain typed structs, so that their empty fields are written (0.11, 0.12).
_TYPED_IN_APPLY_CONFIGURATIONS: Final = frozenset({"core.PersistentVolumeClaim"})


def retype(value: object, table: TypeTable, type_name: str) -> tuple[object, tuple[DecodeProblem, ...]]:
    """A JSON value as Go writes it after reading it into the struct `type_name` (`jobset.JobSetSpec`).

    The result shares no container with the input. Problems come in the order of their importance: the first is the one
    Go reports (it reports one; keys are in sorted order where it reads them). With problems the result is incomplete.
    """
    found: list[_Found] = []
    typed = _struct(table, type_name, False)({} if value is None else value, None, None, found)
    if not found:
        return typed, ()
    found.sort(key=lambda one: (not one.is_abrupt, one.path))
    return typed, tuple(DecodeProblem(one.path, _message(one, table, type_name)) for one in found)


def to_apply_configuration(value: object, table: TypeTable, type_name: str) -> object:
    """What is left of a typed value (a result of `retype`) in the apply configuration that the controller submits.

    Apply configurations hold pointers everywhere and omit nil, so nulls and empty lists go, while empty structs and
    empty required strings stay. Source: Trainer's pkg/apply FromTypedObjWithFields and the applyconfiguration packages
    of client-go and JobSet. Raises ValueError for a value that is not typed.
    """
    found: list[_Found] = []
    applied = _struct(table, type_name, True)(value, None, None, found)
    if found:
        raise ValueError(f"not a typed {type_name}: {_message(found[0], table, type_name)}")
    return applied


def has_unset(value: object) -> bool:
    """Whether a typed value holds a null or an empty list: what `to_apply_configuration` would leave out."""
    if type(value) is dict:
        return any(item is None or (type(item) in (dict, list) and has_unset(item)) for item in value.values())
    return type(value) is list and (not value or any(type(item) in (dict, list) and has_unset(item) for item in value))


# ----------------------------------------------------------------------------------------------- structs


@cache
def _struct(table: TypeTable, name: str, applies: bool) -> _Convert:
    """The converter of a struct; `applies`: for an apply configuration."""
    rows: tuple[tuple[str, _Convert, _Zero | None], ...] = ()
    is_ready = False
    type_text = _go_type(name)

    def convert(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
        nonlocal rows, is_ready
        if not is_ready:
            rows, is_ready = _rows(table, name, applies), True
        if type(value) is not dict:
            _note(found, where, key, _kind_of(value), type_text)
            return {}
        here = (where, key)
        get = value.get
        out = {}
        for field_name, convert_field, zero in rows:
            item = get(field_name)
            if item is not None:
                converted = convert_field(item, here, field_name, found)
                if converted is not _OMITTED:
                    out[field_name] = converted
            elif zero is not None:
                out[field_name] = zero()
        return out

    return convert


@cache
def _rows(table: TypeTable, name: str, applies: bool) -> tuple[tuple[str, _Convert, _Zero | None], ...]:
    """For each field: name, converter, and what is written where the field is absent (None: nothing)."""
    if name in _TYPED_IN_APPLY_CONFIGURATIONS:
        applies = False
    rows = []
    for field in table.struct(name).fields.values():
        zero = _zero(table, field, applies)
        is_written = not field.omit or (field.omit == "omitempty" and field.kind in _NEVER_EMPTY and not field.pointer)
        omits_empty = not field.pointer and not is_written
        if applies and zero is _null:
            is_written = False
            omits_empty = not field.pointer
        rows.append((field.name, _converter(table, field, omits_empty, applies), zero if is_written else None))
    return tuple(rows)


def _zero(table: TypeTable, field: Field, applies: bool) -> _Zero:
    """What Go writes for the zero value of the field's type."""
    kind = field.kind
    if field.pointer:
        return _null
    if kind == "struct":
        struct_name = field.type_name

        def zero_struct() -> dict[str, Any]:
            return {name: zero() for name, _, zero in _rows(table, struct_name, applies) if zero is not None}

        return zero_struct
    return _ZEROS.get(kind, _null)


def _null() -> None:
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
}


# ------------------------------------------------------------------------------------------------ fields


def _converter(table: TypeTable, field: Field, omits_empty: bool, applies: bool) -> _Convert:
    """The converter of a field or element; `omits_empty`: gives _OMITTED for the zero value."""
    kind = field.kind
    if kind == "struct":
        convert = _struct(table, field.type_name, applies)
        return _omitting_zero(table, field, convert) if omits_empty else convert
    if kind == "list":
        return _list(table, field, omits_empty, applies)
    if kind == "map":
        return _map(table, field, omits_empty, applies)
    if kind in _RANGES:
        return _integer(kind, omits_empty)
    if kind == "Time":
        return _omitting_null_time if omits_empty else _time
    return (_OMITTING if omits_empty else _KEEPING)[kind]


def _omitting_zero(table: TypeTable, field: Field, inner: _Convert) -> _Convert:
    def convert(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
        converted = inner(value, where, key, found)
        return _OMITTED if _is_zero(value, table, field) else converted

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


def _list(table: TypeTable, field: Field, omits_empty: bool, applies: bool) -> _Convert:
    element = field.elem
    assert element is not None
    type_text = _go_type(field.type_name)
    convert_element = _converter(table, element, False, applies)
    zero = _zero(table, element, applies)

    def convert(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
        if type(value) is not list:
            _note(found, where, key, _kind_of(value), type_text)
            return _OMITTED
        if not value:
            return _OMITTED if omits_empty else []
        here = (where, key)
        return [zero() if item is None else convert_element(item, here, index, found) for index, item in enumerate(value)]

    return convert


def _map(table: TypeTable, field: Field, omits_empty: bool, applies: bool) -> _Convert:
    element = field.elem
    assert element is not None
    type_text = _go_type(field.type_name)
    convert_element = _converter(table, element, False, applies)
    zero = _zero(table, element, applies)

    def convert(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
        if type(value) is not dict:
            _note(found, where, key, _kind_of(value), type_text)
            return _OMITTED
        if not value:
            return _OMITTED if omits_empty else {}
        here = (where, key)
        out = {}
        for name in sorted(value):
            item = value[name]
            out[name] = zero() if item is None else convert_element(item, here, name, found)
        return out

    return convert


def _string(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
    if type(value) is str:
        return value
    _note(found, where, key, _kind_of(value), "string")
    return ""


def _string_if_any(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
    if type(value) is str:
        return value or _OMITTED
    _note(found, where, key, _kind_of(value), "string")
    return _OMITTED


def _bool(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
    if type(value) is bool:
        return value
    _note(found, where, key, _kind_of(value), "bool")
    return False


def _bool_if_true(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
    return _bool(value, where, key, found) or _OMITTED


def _integer(kind: str, omits_zero: bool) -> _Convert:
    limit = _RANGES[kind]

    def convert(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
        if type(value) is not int:
            if type(value) is not float:
                _note(found, where, key, _kind_of(value), kind)
                return _OMITTED if omits_zero else 0
            value = _whole(value)
        if type(value) is int and -limit <= value < limit:
            return value or (_OMITTED if omits_zero else 0)
        _note(found, where, key, f"number {json_number_text(value)}", kind)
        return _OMITTED if omits_zero else 0

    return convert


def _whole(value: float) -> int | float:
    """A float as the API server stores it: `2.0` is printed as `2`, which then reads as a whole number."""
    text = json_number_text(value)
    return int(text) if text.lstrip("-").isdigit() else value


def _float(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
    if type(value) in (int, float):
        return value
    _note(found, where, key, _kind_of(value), "float64")
    return 0


def _float_if_any(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
    return _float(value, where, key, found) or _OMITTED


def _quantity(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
    try:
        return from_json(value).text
    except QuantityError as error:
        _note(found, where, key, str(error), "", is_abrupt=True)
        return "0"


def _int_or_string(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
    if type(value) is str:
        return value
    number = _whole(value) if type(value) is float else value
    if type(number) is int and -(2**31) <= number < 2**31:
        return number
    kind = f"number {json_number_text(number)}" if type(number) in (int, float) else _kind_of(value)
    _note(found, where, key, kind, "int32", is_abrupt=True)
    return 0


def _time(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
    if type(value) is not str:
        _note(found, where, key, _kind_of(value), "string", is_abrupt=True)
        return None
    # Specs hold neither times nor bytes, so that a render rarely needs the module.
    from jobset_compiler.kube.scalars import ScalarError, normalized_time

    try:
        return normalized_time(value)
    except ScalarError as error:
        _note(found, where, key, str(error), "", is_abrupt=True)
        return None


def _omitting_null_time(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
    converted = _time(value, where, key, found)
    return _OMITTED if converted is None else converted


def _bytes(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
    if type(value) is not str:
        _note(found, where, key, _kind_of(value), "[]uint8")
        return None
    from jobset_compiler.kube.scalars import ScalarError, normalized_base64

    try:
        return normalized_base64(value)
    except ScalarError as error:
        _note(found, where, key, str(error), "")
        return None


def _bytes_if_any(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
    return _bytes(value, where, key, found) or _OMITTED


def _raw(value: Any, where: Any, key: Any, found: list[_Found]) -> Any:
    if type(value) is dict:
        return {name: _raw(value[name], where, key, found) for name in sorted(value)}
    if type(value) is list:
        return [_raw(item, where, key, found) for item in value]
    return value


_KEEPING: Final[dict[str, _Convert]] = {
    "string": _string,
    "bool": _bool,
    "float64": _float,
    "Quantity": _quantity,
    "IntOrString": _int_or_string,
    "bytes": _bytes,
    "FieldsV1": _raw,
}
_OMITTING: Final[dict[str, _Convert]] = {
    **_KEEPING,
    "string": _string_if_any,
    "bool": _bool_if_true,
    "float64": _float_if_any,
    "bytes": _bytes_if_any,
}


# ---------------------------------------------------------------------------------------------- messages


def _note(found: list[_Found], where: Any, key: Any, text: str, type_text: str, *, is_abrupt: bool = False) -> None:
    steps = [key]
    while where is not None:
        where, step = where
        steps.append(step)
    steps.pop()  # the root has no step
    found.append(_Found(tuple(reversed(steps)), text, type_text, is_abrupt))


def _kind_of(value: Any) -> str:
    """What Go calls the kind of a JSON value."""
    if type(value) is bool:
        return "bool"
    if type(value) is str:
        return "string"
    if type(value) is dict:
        return "object"
    return "array" if type(value) is list else "number"


def _go_type(text: str) -> str:
    """A type of the table as Go prints it."""
    known = _GO_TYPES.get(text)
    if known is not None:
        return known
    if text[:2] == "[]":
        return "[]" + _go_type(text[2:])
    if text[:2] == "{}":
        return "map[string]" + _go_type(text[2:])
    if text[0] == "*":
        return "*" + _go_type(text[1:])
    package, dot, name = text.partition(".")
    return f"{_GO_PACKAGES[package]}.{name}" if dot else text


def _message(found: _Found, table: TypeTable, type_name: str) -> str:
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
    place = ".".join((_go_type(owner).partition(".")[2], *names))
    type_text = NAMED_STRINGS.get(owner, {}).get(names[-1], found.type_text) if found.type_text == "string" else found.type_text
    return f"json: cannot unmarshal {found.text} into Go struct field {place} of type {type_text}"
