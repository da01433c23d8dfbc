"""What became of one TrainJob."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from jobset_compiler.passes.driver import Write
    from jobset_compiler.resolve.plan import Plan


class Unit(NamedTuple):
    """One compiled TrainJob: the Plan after all passes, what the passes wrote, and the objects."""

    plan: Plan
    writes: tuple[Write, ...]
    objects: tuple[dict[str, Any], ...]
