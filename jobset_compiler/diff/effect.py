"""What a cause does to one field, or to the same field of several items of a list."""

from __future__ import annotations

from typing import Any, NamedTuple


class ReleaseEffect(NamedTuple):
    """One change of one field, or of the same field in several items of a list. place: the lines of input it goes back to."""

    object: str
    address: str
    kind: str
    before: Any
    after: Any
    written_by: str
    place: str
