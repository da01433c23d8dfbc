"""Where the values of a merge come from: recorded on the way, and worked out when somebody asks. A merge that nobody asks about records nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jobset_compiler.diagnostics.place import Path


class Lineage:
    """Where a value comes from: the places that speak of it, the one that wins first.

    What is below the value comes from below these places, but for the keys and indexes in `children`. A place need not hold what is
    below: of the keys of two merged maps each stands in one of them, or in both. Places are paths whose first step tells the source.

    Merges make many of these for every one that is asked for its paths, so these are put together then: `first`, before those of `rest`,
    each with `step` behind it if there is one.
    """

    __slots__ = ("_first", "_paths", "_rest", "_step", "children")

    def __init__(
        self, first: tuple[Path, ...], children: dict[str | int, Lineage] | None = None, rest: Lineage | None = None, step: str | int | None = None
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
        if not isinstance(other, Lineage):
            return NotImplemented
        return self.paths == other.paths and (self.children or {}) == (other.children or {})

    def __hash__(self) -> int:
        return hash(self.paths)

    def below(self, step: str | int) -> Lineage:
        found = self.children.get(step) if self.children else None
        return Lineage((), None, self, step) if found is None else found

    def at(self, path: Path) -> tuple[Path, ...]:
        """The places that speak of what is at `path` below the value."""
        lineage = self
        for step in path:
            lineage = lineage.below(step)
        return lineage.paths

    # What a merge makes of the lineage of what it had.

    def new(self, place: Path, children: dict[str | int, Lineage] | None = None) -> Lineage:
        """Of a value beside this one that was not there before."""
        return Lineage((place,), children)

    def under(self, place: Path, children: dict[str | int, Lineage] | None = None) -> Lineage:
        """Of a value that is laid over this one, which is still told of it."""
        return Lineage((place,), children, self)

    def with_below(self, children: dict[str | int, Lineage]) -> Lineage:
        """Of the same value, parts of which come from elsewhere."""
        return Lineage((), children, self)

    def replaced(self, place: Path, keys: Iterable[str | int]) -> Lineage:
        """Of a value that takes the whole place of this one: this one is still told of it, but of nothing below."""
        return Lineage((place,), {key: Lineage(((*place, key),)) for key in keys}, self)

    def listed(self, first: tuple[Path, ...], items: Iterable[Lineage], held: Lineage | None) -> Lineage:
        """Of a list with items from here and there; those places speak of it, and then those of `held`."""
        return Lineage(first, dict(enumerate(items)), held)


class Untold(Lineage):
    """Where everything comes from in a merge that nobody asks about."""

    __slots__ = ()

    def below(self, step: str | int) -> Lineage:
        return self

    def new(self, place: Path, children: dict[str | int, Lineage] | None = None) -> Lineage:
        return self

    def under(self, place: Path, children: dict[str | int, Lineage] | None = None) -> Lineage:
        return self

    def with_below(self, children: dict[str | int, Lineage]) -> Lineage:
        return self

    def replaced(self, place: Path, keys: Iterable[str | int]) -> Lineage:
        return self

    def listed(self, first: tuple[Path, ...], items: Iterable[Lineage], held: Lineage | None) -> Lineage:
        return self


UNTOLD = Untold(())


class Late:
    """A lineage that is made when it is first asked for; a copy has it made."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Lineage]) -> None:
        self._make = make
        self._made: Lineage | None = None

    @property
    def lineage(self) -> Lineage:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __eq__(self, other: object) -> bool:
        return self.lineage == other.lineage if isinstance(other, Late) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.lineage)

    def __reduce__(self) -> tuple[type[Late], tuple[KnownLineage]]:
        return Late, (KnownLineage(self.lineage),)


class KnownLineage:
    """What gives a lineage that is there."""

    __slots__ = ("lineage",)

    def __init__(self, lineage: Lineage) -> None:
        self.lineage = lineage

    def __call__(self) -> Lineage:
        return self.lineage
