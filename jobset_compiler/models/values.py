"""The types of single values, and the rules on lists and objects, that the models are made of.

Nothing is converted but what has one meaning: a whole float is an integer (JSON knows no difference), a datetime is its RFC 3339
text, and an amount of a resource may be a number, which is written as a text where the API server wants one (0.5 is "0.5").
`"2"` is no number of nodes, `1` no value of an environment variable.
"""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, ValidationInfo, WithJsonSchema
from pydantic_core import PydanticCustomError

from jobset_compiler.admission.cel import PREDICATES, EvaluationError
from jobset_compiler.kube import quantity, quantity_text
from jobset_compiler.kube.structural.misfit import is_date_time
from jobset_compiler.kube.structural.nodes import QUANTITY_PATTERN

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

T = TypeVar("T")

JSON_TREE = {"read": "a JSON tree"}
"""The validation context of `from_dict`: the tree is what would be sent, so that a number is no amount where the server wants a text."""


def refused(kind: str, message: str) -> PydanticCustomError:
    """An error of validation whose message stands alone, without pydantic's "Value error"."""
    # The template is only filled in where there is a context; pydantic wants literals so that they can be translated.
    return PydanticCustomError(kind, message)


def hold(name: str, message: str, value: Any) -> Any:
    """The value, if the CEL rule of that name holds for it; an error with the server's message otherwise."""
    to_dict = getattr(value, "to_dict", None)
    try:
        if PREDICATES[name](value if to_dict is None else to_dict()):
            return value
    except EvaluationError as error:
        message = f"{error}{message}"
    raise refused("rule", message)


def rule(name: str, message: str) -> AfterValidator:
    """A CEL rule of the API on a field."""
    return AfterValidator(partial(hold, name, message))


def unique_by(keys: tuple[str, ...], defaults: dict[str, str]) -> AfterValidator:
    """No two items of the list may have the same values in these attributes; `defaults` are those of the server, for keys that are not set."""

    def check(items: list[Any]) -> list[Any]:
        refuse_repeated(tuple(getattr(item, key) or defaults.get(key) for key in keys) for item in items)
        return items

    return AfterValidator(check)


def check_set(items: list[Any]) -> list[Any]:
    refuse_repeated(items)
    return items


def refuse_repeated(keys: Iterable[Hashable]) -> None:
    seen: set[Hashable] = set()
    for index, key in enumerate(keys):
        if key in seen:
            shown = ", ".join(map(str, key)) if isinstance(key, tuple) else str(key)
            raise refused("duplicate", f"item {index}: Duplicate value: {shown}")
        seen.add(key)


def check_not_empty(value: Any) -> Any:
    if not value.to_dict():
        raise refused("too_few_properties", "should have at least 1 properties")
    return value


def whole(value: Any) -> Any:
    """A whole float, or a number of another library (numpy), as an integer, which is what it is in JSON."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    return int(value) if not isinstance(value, (bool, int)) and hasattr(value, "__index__") else value


def without_nulls(value: Any) -> Any:
    """A mapping without its nulls, which the API server drops."""
    if isinstance(value, dict) and None in value.values():
        return {key: item for key, item in value.items() if item is not None}
    return value


def int_or_string(value: Any) -> int | str:
    value = whole(value)
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return in_bits(value, 31)
    raise refused("int_or_string", "Input should be a whole number or a text")


def amount(value: Any, info: ValidationInfo) -> int | str:
    """An amount of a resource as the API server takes it: a whole number or a text."""
    value = whole(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return in_bits(value, 63)
    if info.context is not JSON_TREE and isinstance(value, (float, Decimal)):
        value = str(value)
    elif isinstance(value, quantity.Quantity):
        value = value.text
    if not isinstance(value, str):
        raise refused("quantity", "Input should be a whole number or a text such as '500m' or '16Gi'")
    if not quantity_text.matches_schema(value):
        raise refused("quantity", f"Input should be an amount such as 2, '500m' or '16Gi': should match '{QUANTITY_PATTERN}'")
    return value


def in_bits(value: int, bits: int) -> int:
    if not -(2**bits) <= value < 2**bits:
        raise refused("out_of_range", f"Input should be a number of at most {bits + 1} bits")
    return value


def time_text(value: Any) -> Any:
    """RFC 3339 for a datetime; one without time zone is taken for UTC."""
    if isinstance(value, datetime):
        moment = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
        return moment.isoformat().replace("+00:00", "Z")
    return value


def check_time(text: str) -> str:
    if not is_date_time(text):
        raise refused("date_time", "must be of type date-time: a time in RFC 3339, such as 2026-01-31T12:00:00Z")
    return text


not_empty = AfterValidator(check_not_empty)
unique_items = AfterValidator(check_set)

Bool = Annotated[bool, Field(strict=True)]
Int32 = Annotated[int, Field(strict=True, ge=-(2**31), le=2**31 - 1), BeforeValidator(whole)]
Int64 = Annotated[int, Field(strict=True, ge=-(2**63), le=2**63 - 1), BeforeValidator(whole)]
IntOrString = Annotated[int | str, PlainValidator(int_or_string), WithJsonSchema({"type": ["integer", "string"]})]
"""A number or a text: a port by number or name."""
Quantity = Annotated[int | str, PlainValidator(amount), WithJsonSchema({"type": ["integer", "string"], "pattern": QUANTITY_PATTERN})]
"""An amount of a resource: 2, "500m", "16Gi". `jobset_compiler.kube.quantity` computes with it."""
Map = Annotated[dict[str, T], BeforeValidator(without_nulls)]
Time = Annotated[str, AfterValidator(check_time), BeforeValidator(time_text), Field(json_schema_extra={"format": "date-time"})]
"""A point in time in RFC 3339; a datetime is accepted and becomes text."""
