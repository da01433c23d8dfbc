"""What became of one TrainJob."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from jobset_compiler.resolve.plan import Plan


class Unit(NamedTuple):
    """One compiled TrainJob: the Plan after all passes, and the objects."""

    plan: Plan
    objects: tuple[dict[str, Any], ...]
