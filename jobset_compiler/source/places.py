"""Where something stands in a document's text."""

from __future__ import annotations

from typing import NamedTuple

Extent = tuple[int, int]
"""Start and end, in characters."""


class Place(NamedTuple):
    """Where a path of a document's value leads: the value, its key (the item itself in a list), the first alias on the way."""

    value: Extent
    key: Extent
    alias: Extent | None
