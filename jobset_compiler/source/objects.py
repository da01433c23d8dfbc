"""Python objects as JSON trees: mappings, pydantic models, and models of the Kubernetes clients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def as_tree(item: object) -> Any:
    """A JSON tree that shares nothing mutable with the item; the item is not changed.

    Mappings of any kind (those of kopf among them), models of the Kubernetes clients (`attribute_map`), models with `to_dict()`
    (openapi-generator, lightkube, kr8s), pydantic models. A moment becomes its RFC 3339 text, whatever else has no JSON form its text.
    """
    if item is None or isinstance(item, (bool, int, float, str)):
        return item
    if isinstance(item, Mapping):
        return {str(key): as_tree(value) for key, value in item.items()}
    if isinstance(item, (list, tuple, set, frozenset)):
        return [as_tree(value) for value in item]
    names = getattr(item, "attribute_map", None)
    if isinstance(names, Mapping):
        # `to_dict()` of these gives the names of Python's attributes, which no server knows.
        values = ((name, getattr(item, attribute, None)) for attribute, name in names.items())
        return {str(name): as_tree(value) for name, value in values if value is not None}
    if hasattr(item, "to_dict"):
        return as_tree(item.to_dict())
    if hasattr(item, "model_dump"):
        return as_tree(item.model_dump(by_alias=True, exclude_none=True, mode="json"))
    if hasattr(item, "isoformat"):
        return str(item.isoformat()).replace("+00:00", "Z")
    return str(item)
