"""Python objects as JSON trees: mappings, pydantic models, and models of the Kubernetes clients."""

from __future__ import annotations

from collections.abc import Mapping

from jobset_compiler.lean import Any


def as_tree(item: object) -> Any:
    """A JSON tree that shares nothing mutable with the item; the item is not changed.

    Models: `model_dump(by_alias=True, exclude_none=True, mode="json")` of pydantic, `to_dict()` of generated clients.
    Whatever has no JSON form becomes its text.
    """
    if hasattr(item, "model_dump"):
        return _plain(item.model_dump(by_alias=True, exclude_none=True, mode="json"))
    if hasattr(item, "to_dict"):
        return _plain(item.to_dict())
    return _plain(item)


def _plain(value: object) -> Any:
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "model_dump") or hasattr(value, "to_dict"):
        return as_tree(value)
    return str(value)
