"""What small values have in common: attributes in `__slots__`, `Final` in `__init__`; equal where these are, and shown with them."""

from __future__ import annotations


class Value:
    """A `NamedTuple` would do the same, and take ten times as long to be made when the program starts (tests/test_start.py)."""

    __slots__: tuple[str, ...] = ()

    def _contents(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._contents() == other._contents() if isinstance(other, Value) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._contents()))

    def __repr__(self) -> str:
        contents = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({contents})"
