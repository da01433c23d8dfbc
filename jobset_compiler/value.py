"""What values have in common: equal where their attributes are, shown with them, and never changed.

A `NamedTuple` would do the same, and take ten times as long to be made when the program starts (tests/test_start.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, dataclass_transform

if TYPE_CHECKING:
    from typing import Self


class Value:
    """A small value, or one that is made many times a job: attributes in `__slots__`, `Final` in an `__init__` of its own."""

    __slots__: tuple[str, ...] = ()

    def _contents(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self._names())

    def _names(self) -> tuple[str, ...]:
        return self.__slots__

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._contents() == other._contents() if isinstance(other, Value) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._contents()))

    def __repr__(self) -> str:
        contents = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._names())
        return f"{type(self).__name__}({contents})"


@dataclass_transform(frozen_default=True)
class Frozen(Value):
    """A wide value, made a few times a job: its fields are declared as in a frozen dataclass, and are what `__init__` takes."""

    _fields: ClassVar[tuple[str, ...]] = ()
    _known: ClassVar[frozenset[str]] = frozenset()
    _required: ClassVar[frozenset[str]] = frozenset()
    # The names that values were made with, in their order: few, since each stands in the code.
    _accepted: ClassVar[set[tuple[str, ...]]] = set()

    def __init_subclass__(cls) -> None:
        cls._fields = (*cls._fields, *cls.__annotations__)
        cls._known = frozenset(cls._fields)
        cls._required = frozenset(name for name in cls._fields if not hasattr(cls, name))
        cls._accepted = set()

    def __init__(self, *values: Any, **named: Any) -> None:
        if values:
            placed = dict(zip(self._fields, values, strict=False))
            if len(values) > len(placed) or not placed.keys().isdisjoint(named):
                raise self._misuse(len(values), named)
            named = {**placed, **named}
        names = tuple(named)
        if names not in self._accepted:
            if not (self._known.issuperset(names) and self._required.issubset(names)):
                raise self._misuse(len(values), named)
            self._accepted.add(names)
        object.__setattr__(self, "__dict__", named)

    def _misuse(self, values: int, named: dict[str, Any]) -> TypeError:
        return TypeError(f"{type(self).__name__} takes {', '.join(self._fields)}; not {values} values and {', '.join(named) or 'no names'}")

    def _replace(self, **changes: Any) -> Self:
        """The same with other values for some fields."""
        if not self._known.issuperset(changes):
            raise TypeError(f"{type(self).__name__} has no {', '.join(changes.keys() - self._known)}")
        new = object.__new__(type(self))
        object.__setattr__(new, "__dict__", {**self.__dict__, **changes})
        return new

    def _asdict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._fields}

    def _names(self) -> tuple[str, ...]:
        return self._fields

    def __setattr__(self, name: str, _value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")
