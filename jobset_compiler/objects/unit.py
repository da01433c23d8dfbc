"""What became of one TrainJob."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.value import Value

if TYPE_CHECKING:
    from jobset_compiler.resolve.plan import Plan


class Unit(Value):
    """One compiled TrainJob: the Plan after all passes, and the objects."""

    __slots__ = ("objects", "plan")

    def __init__(self, plan: Plan, objects: tuple[dict[str, Any], ...]) -> None:
        self.plan: Final = plan
        self.objects: Final = objects
