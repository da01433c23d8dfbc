"""Where the values of a merge come from, recorded on the way and worked out when somebody asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path


class Origin:
    """Where a value comes from: the places that speak of it, the one that wins first.

    What is below the value comes from below these places, but for the keys and indexes in `children`. A place need not hold what is
    below: of the keys of two merged maps each stands in one of them, or in both. Places are paths whose first step tells the source.

    Merges make many of these for every one that is asked for its paths, so these are put together then: `first`, before those of `rest`,
    each with `step` behind it if there is one.
    """

    __slots__ = ("_first", "_paths", "_rest", "_step", "children")

    def __init__(
        self, first: tuple[Path, ...], children: dict[str | int, Origin] | None = None, rest: Origin | None = None, step: str | int | None = None
    ) -> None:
        self._first = first
        self._rest = rest
        self._step = step
        self._paths: tuple[Path, ...] | None = None
        self.children = children

    @property
    def paths(self) -> tuple[Path, ...]:
        if self._paths is None:
            step, rest = self._step, () if self._rest is None else self._rest.paths
            self._paths = (*self._first, *(rest if step is None else [(*path, step) for path in rest]))
        return self._paths

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Origin):
            return NotImplemented
        return self.paths == other.paths and (self.children or {}) == (other.children or {})

    def __hash__(self) -> int:
        return hash(self.paths)

    def below(self, step: str | int) -> Origin:
        found = self.children.get(step) if self.children else None
        return Origin((), None, self, step) if found is None else found

    def at(self, path: Path) -> tuple[Path, ...]:
        """The places that speak of what is at `path` below the value."""
        origin = self
        for step in path:
            origin = origin.below(step)
        return origin.paths
