"""What the quick readers share: values of scalars seen before, and how they decline."""

from __future__ import annotations

from typing import Any


class RareError(Exception):
    """The document holds something that only a more complete reader knows."""


class ScalarMemory:
    """Values of plain scalars seen before: manifests repeat themselves. Bounded; one for each reading of a file.

    keys: those of earlier readings, which this one adds to.
    """

    __slots__ = ("keys", "values")

    def __init__(self, keys: dict[str, str] | None = None) -> None:
        self.values: dict[str, Any] = {}
        self.keys: dict[str, str] = {} if keys is None else keys
