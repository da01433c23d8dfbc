"""Which TrainJobs were given before: a stream may have any number of them, so that each is remembered in as few bytes as can be."""

from __future__ import annotations

_FIRST_SLOTS = 1 << 10
_DIGEST = (1 << 64) - 1


class Given:
    """The names that a run has come upon, and where each stood first: 8 bytes of a digest and 8 for the line, in a hash table of our own.

    That two of a million names have one digest happens once in 37 million runs.
    """

    __slots__ = ("_count", "_digests", "_lines")

    def __init__(self) -> None:
        self._count = 0
        self._digests = _zeros(_FIRST_SLOTS)  # 0 where a slot is free
        self._lines = _zeros(_FIRST_SLOTS)

    def __len__(self) -> int:
        return self._count

    def first_line(self, name: tuple[str, ...], line: int) -> int | None:
        """The line that the name stood in first; None where it is new, and then it is remembered."""
        digest = hash(name) & _DIGEST or 1
        slot = self._slot(digest)
        if self._digests[slot]:
            return self._lines[slot]
        self._digests[slot] = digest
        self._lines[slot] = line
        self._count += 1
        if self._count * 2 > len(self._digests):
            self._grow()
        return None

    def _slot(self, digest: int) -> int:
        """Where a digest stands, or the free slot where it would."""
        digests = self._digests
        last = len(digests) - 1
        slot = digest & last
        while digests[slot] not in (0, digest):
            slot = (slot + 1) & last
        return slot

    def _grow(self) -> None:
        digests, lines = self._digests, self._lines
        self._digests, self._lines = _zeros(2 * len(digests)), _zeros(2 * len(digests))
        for digest, line in zip(digests, lines, strict=True):
            if digest:
                slot = self._slot(digest)
                self._digests[slot] = digest
                self._lines[slot] = line


def _zeros(count: int) -> memoryview[int]:
    return memoryview(bytearray(8 * count)).cast("Q")
