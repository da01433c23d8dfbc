"""Python objects as JSON trees: mappings, pydantic models, and models of the Kubernetes clients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jobset_compiler.source.limits import MAX_DEPTH, MAX_VALUES


class ObjectError(ValueError):
    """An object that JSON cannot hold; `slug` names a code of `diagnostics.codes.source`."""

    def __init__(self, slug: str, message: str) -> None:
        super().__init__(message)
        self.slug = slug


def as_tree(item: object) -> Any:
    """A JSON tree that shares nothing mutable with the item; the item is not changed.

    Mappings of any kind (those of kopf among them), models of the Kubernetes clients (`attribute_map`), models with `to_dict()`
    (openapi-generator, lightkube, kr8s), pydantic models. A moment becomes its RFC 3339 text, whatever else has no JSON form its text.
    Raises ObjectError for numbers that JSON does not have, for what is nested too deeply or holds itself, and for more than MAX_VALUES values.
    """
    return _Walk().tree(item, 0)


class _Walk:
    """Of one object, which may hold a part of it in many places: the tree has it in each of them, so that values are counted."""

    def __init__(self) -> None:
        self._left = MAX_VALUES

    def tree(self, item: object, level: int) -> Any:
        if item is None or isinstance(item, (bool, str)):
            return item
        if isinstance(item, (int, float)):
            return _number(item)
        if level >= MAX_DEPTH:
            raise ObjectError("too-deep", f"object is nested more than {MAX_DEPTH} levels deep")
        below = level + 1
        if isinstance(item, Mapping):
            self._count(len(item))
            return {str(key): self.tree(value, below) for key, value in item.items()}
        if isinstance(item, (list, tuple, set, frozenset)):
            self._count(len(item))
            return [self.tree(value, below) for value in item]
        names = getattr(item, "attribute_map", None)
        if isinstance(names, Mapping):
            # `to_dict()` of these gives the names of Python's attributes, which no server knows.
            values = [(name, getattr(item, attribute, None)) for attribute, name in names.items()]
            self._count(len(values))
            return {str(name): self.tree(value, below) for name, value in values if value is not None}
        if isinstance(item, type):
            return str(item)
        if hasattr(item, "to_dict"):
            return self.tree(item.to_dict(), below)
        if hasattr(item, "model_dump"):
            return self.tree(item.model_dump(by_alias=True, exclude_none=True, mode="json"), below)
        if hasattr(item, "isoformat"):
            return str(item.isoformat()).replace("+00:00", "Z")
        return str(item)

    def _count(self, values: int) -> None:
        self._left -= values
        if self._left < 0:
            raise ObjectError("too-large", f"object has more than {MAX_VALUES:,} values")


def _number(value: float) -> float:
    """A number as a JSON decoder of Kubernetes has it: a float where 64 bits are too few for an integer."""
    if isinstance(value, int):
        if -(2**63) <= value < 2**63:
            return value
        try:
            return float(value)
        except OverflowError:
            value = float("inf") if value > 0 else float("-inf")
    if float("-inf") < value < float("inf"):
        return value
    name = "NaN" if value != value else "+Inf" if value > 0 else "-Inf"
    raise ObjectError("bad-number", f"json: unsupported value: {name}")
