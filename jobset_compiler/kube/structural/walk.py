"""What one walk over a document collects, and the paths that it hands down."""

from __future__ import annotations

from operator import is_ as is_same
from typing import Any

from jobset_compiler.diagnostics.place import Path, format_path
from jobset_compiler.kube.structural.errors import OMITTED, FieldError, PendingRule, Pruned, Wording, field_error

# A path on the way down: (path of the parent, step); None is the root. Made for every container, turned into a
# tuple only where there is something to tell.
Trail = tuple[Any, Any] | None


def path_of(trail: Trail) -> Path:
    steps = []
    while trail is not None:
        trail, step = trail
        steps.append(step)
    return tuple(reversed(steps))


class Walk:
    """Collects errors, pruned fields and pending CEL rules.

    drops_nulls: nulls without a default are dropped before anybody looks, as those of a request are; what a mutating webhook
    writes stays.
    """

    __slots__ = ("drops_nulls", "errors", "pruned", "rules", "wording")

    def __init__(self, wording: Wording, *, drops_nulls: bool = True) -> None:
        self.drops_nulls = drops_nulls
        self.errors: list[FieldError] = []
        self.pruned: list[Pruned] = []
        self.rules: list[PendingRule] = []
        self.wording = wording

    def refuse(self, trail: Trail, kind: str, message: str, value: Any = OMITTED) -> None:
        self.errors.append(field_error(path_of(trail), kind, message, value, self.wording.values_as_go_syntax))

    def invalid(self, trail: Trail, what: str, value: Any = OMITTED, kind: str = "FieldValueInvalid") -> None:
        """An error in the words of the OpenAPI validator, which begin with the path."""
        path = path_of(trail)
        self.errors.append(field_error(path, kind, f"{body_path(path)} in body {what}", value, self.wording.values_as_go_syntax))

    def prune(self, trail: Trail) -> None:
        path = path_of(trail)
        self.pruned.append(Pruned(path, f'unknown field "{format_path(path)}"'))

    def prune_all(self, value: Any, trail: Trail) -> Any:
        """What is left of a value where the schema knows no fields: maps lose all keys, lists keep their length."""
        if isinstance(value, dict):
            for key in value:
                self.prune((trail, key))
            return {} if value else value
        if isinstance(value, list):
            kept = [self.prune_all(item, (trail, index)) for index, item in enumerate(value)]
            return value if all(map(is_same, kept, value)) else kept
        return value


def body_path(path: Path) -> str:
    return format_path(path) if path else ""
