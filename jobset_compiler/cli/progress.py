"""Progress: one line on a terminal while a run takes long, which is gone when anything else is said, and at the end."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TextIO

from jobset_compiler.diagnostics.inert import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jobset_compiler.library.sources import Source

# Seconds that a run may take in silence, and between two lines.
PATIENCE = 2.0
PAUSE = 0.1
ERASE = "\r\x1b[K"


class Progress:
    """The line on `terminal`. `clock` gives seconds, as time.monotonic does; what is told is held until PATIENCE is over."""

    def __init__(self, terminal: TextIO, clock: Callable[[], float]) -> None:
        self._terminal = terminal
        self._clock = clock
        self._due = clock() + PATIENCE
        self._shown = False
        self._file = ""
        self._number = self._files = self._trainjobs = 0

    def trainjob(self) -> None:
        """One more TrainJob is done."""
        self._trainjobs += 1
        self._tick()

    def watched(self, sources: list[Source]) -> list[Source]:
        """The same sources, of which each says when it is read."""
        self._files = len(sources)
        return [source._replace(blocks=self._watched(source.blocks, source.file, number)) for number, source in enumerate(sources, start=1)]

    def _watched(self, blocks: Callable[[], Iterable[bytes]], file: str, number: int) -> Callable[[], Iterator[bytes]]:
        def read() -> Iterator[bytes]:
            for block in blocks():
                self._file, self._number = file, number
                self._tick()
                yield block

        return read

    def hide(self) -> None:
        """Take the line away: something else is written, or the run is over."""
        if self._shown:
            self._shown = False
            self._terminal.write(ERASE)
            self._terminal.flush()

    def _tick(self) -> None:
        now = self._clock()
        if now < self._due:
            return
        self._due = now + PAUSE
        self._shown = True
        self._terminal.write(f"\r{self._line()[: self._width() - 1]}\x1b[K")
        self._terminal.flush()

    def _line(self) -> str:
        done = f"{self._trainjobs:,} TrainJob{'' if self._trainjobs == 1 else 's'} done"
        if not self._file:
            return f"{done} ..."
        of = f", file {self._number:,} of {self._files:,}" if self._files > 1 else ""
        return f"{done}{of}: {one_line(self._file)}"

    def _width(self) -> int:
        try:
            return os.get_terminal_size(self._terminal.fileno()).columns or 80
        except (OSError, ValueError):
            return 80
