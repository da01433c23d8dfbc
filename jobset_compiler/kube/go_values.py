"""How Go reads values that are no structs, lists or maps, what it writes for them, and how it says that one does not fit.

Source: encoding/json, and the UnmarshalJSON methods of k8s.io/apimachinery 0.32 to 0.36.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.kube.quantity import QuantityError, from_json, json_number_text
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.diagnostics.place import Path

    # A converter takes a value that is not null, the place of its parent (nested pairs, outermost None), its own step
    # and what is known of the reading, and gives what Go would write, or OMITTED.
    Convert = Callable[[Any, Any, Any, "Reading"], Any]


class NotedProblem(Value):
    """A problem as the converters note it. An abrupt one ends Go's decoding there and then."""

    __slots__ = ("is_abrupt", "path", "text", "type_text")

    def __init__(self, path: Path, text: str, type_text: str, is_abrupt: bool) -> None:
        self.path: Final = path
        self.text: Final = text
        self.type_text: Final = type_text
        self.is_abrupt: Final = is_abrupt


class Reading:
    """One reading of a value. found: the problems so far; typed: the maps and lists, by identity, that Go has read and written before;
    has_unset: a null (no time's) or an empty list has been written."""

    __slots__ = ("found", "has_unset", "typed")

    def __init__(self, typed: frozenset[int] = frozenset()) -> None:
        self.found: Final[list[NotedProblem]] = []
        self.typed: Final = typed
        self.has_unset = False


class _Omitted:
    __slots__ = ()


OMITTED: Final = _Omitted()

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
# The integers of Go, each from -N to N - 1.
RANGES: Final = {"int32": 2**31, "int64": 2**63, "int": 2**63}


def _string(value: Any, where: Any, key: Any, reading: Reading) -> Any:
    if type(value) is str:
        return value
    note(reading, where, key, kind_of(value), "string")
    return ""


def _string_if_any(value: Any, where: Any, key: Any, reading: Reading) -> Any:
    if type(value) is str:
        return value or OMITTED
    note(reading, where, key, kind_of(value), "string")
    return OMITTED


def _bool(value: Any, where: Any, key: Any, reading: Reading) -> Any:
    if type(value) is bool:
        return value
    note(reading, where, key, kind_of(value), "bool")
    return False


def _bool_if_true(value: Any, where: Any, key: Any, reading: Reading) -> Any:
    return _bool(value, where, key, reading) or OMITTED


def integer(kind: str, omits_zero: bool) -> Convert:
    limit = RANGES[kind]

    def convert(value: Any, where: Any, key: Any, reading: Reading) -> Any:
        if type(value) is not int:
            if type(value) is not float:
                note(reading, where, key, kind_of(value), kind)
                return OMITTED if omits_zero else 0
            value = _whole(value)
        if type(value) is int and -limit <= value < limit:
            return value or (OMITTED if omits_zero else 0)
        note(reading, where, key, f"number {json_number_text(value)}", kind)
        return OMITTED if omits_zero else 0

    return convert


def _whole(value: float) -> int | float:
    """A float as the API server stores it: `2.0` is printed as `2`, which then reads as a whole number."""
    text = json_number_text(value)
    return int(text) if text.lstrip("-").isdigit() else value


def _float(value: Any, where: Any, key: Any, reading: Reading) -> Any:
    if type(value) in (int, float):
        return value
    note(reading, where, key, kind_of(value), "float64")
    return 0


def _float_if_any(value: Any, where: Any, key: Any, reading: Reading) -> Any:
    return _float(value, where, key, reading) or OMITTED


def _quantity(value: Any, where: Any, key: Any, reading: Reading) -> Any:
    try:
        return from_json(value).text
    except QuantityError as error:
        note(reading, where, key, str(error), "", is_abrupt=True)
        return "0"


def _int_or_string(value: Any, where: Any, key: Any, reading: Reading) -> Any:
    if type(value) is str:
        return value
    number = _whole(value) if type(value) is float else value
    if type(number) is int and -(2**31) <= number < 2**31:
        return number
    kind = f"number {json_number_text(number)}" if type(number) in (int, float) else kind_of(value)
    note(reading, where, key, kind, "int32", is_abrupt=True)
    return 0


def time(value: Any, where: Any, key: Any, reading: Reading) -> Any:
    if type(value) is not str:
        note(reading, where, key, kind_of(value), "string", is_abrupt=True)
        return None
    # Specs hold neither times nor bytes, so that a render rarely needs the module.
    from jobset_compiler.kube.scalars import ScalarError, normalized_time

    try:
        return normalized_time(value)
    except ScalarError as error:
        note(reading, where, key, str(error), "", is_abrupt=True)
        return None


def omitting_null_time(value: Any, where: Any, key: Any, reading: Reading) -> Any:
    converted = time(value, where, key, reading)
    return OMITTED if converted is None else converted


def _bytes(value: Any, where: Any, key: Any, reading: Reading) -> Any:
    if type(value) is not str:
        note(reading, where, key, kind_of(value), "[]uint8")
        return None
    from jobset_compiler.kube.scalars import ScalarError, normalized_base64

    try:
        return normalized_base64(value)
    except ScalarError as error:
        note(reading, where, key, str(error), "")
        return None


def _bytes_if_any(value: Any, where: Any, key: Any, reading: Reading) -> Any:
    return _bytes(value, where, key, reading) or OMITTED


def _raw(value: Any, where: Any, key: Any, reading: Reading) -> Any:
    if type(value) is dict:
        return {name: _raw(value[name], where, key, reading) for name in sorted(value)}
    if type(value) is list:
        return [_raw(item, where, key, reading) for item in value]
    return value


KEEPING: Final[dict[str, Convert]] = {
    "string": _string,
    "bool": _bool,
    "float64": _float,
    "Quantity": _quantity,
    "IntOrString": _int_or_string,
    "bytes": _bytes,
    "FieldsV1": _raw,
}
OMITTING: Final[dict[str, Convert]] = {
    **KEEPING,
    "string": _string_if_any,
    "bool": _bool_if_true,
    "float64": _float_if_any,
    "bytes": _bytes_if_any,
}



def note(reading: Reading, where: Any, key: Any, text: str, type_text: str, *, is_abrupt: bool = False) -> None:
    steps = [key]
    while where is not None:
        where, step = where
        steps.append(step)
    steps.pop()  # the root has no step
    reading.found.append(NotedProblem(tuple(reversed(steps)), text, type_text, is_abrupt))


def kind_of(value: Any) -> str:
    """What Go calls the kind of a JSON value."""
    if type(value) is bool:
        return "bool"
    if type(value) is str:
        return "string"
    if type(value) is dict:
        return "object"
    return "array" if type(value) is list else "number"


def go_type(text: str) -> str:
    """A type of the table as Go prints it."""
    known = _GO_TYPES.get(text)
    if known is not None:
        return known
    if text[:2] == "[]":
        return "[]" + go_type(text[2:])
    if text[:2] == "{}":
        return "map[string]" + go_type(text[2:])
    if text[0] == "*":
        return "*" + go_type(text[1:])
    package, dot, name = text.partition(".")
    return f"{_GO_PACKAGES[package]}.{name}" if dot else text
