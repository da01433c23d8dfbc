"""Where a command reads and writes: bytes in, bytes out, text for people."""

from __future__ import annotations

import io
import time
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TextIO

from jobset_compiler.diagnostics.inert import lines
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jobset_compiler.cli.progress import Progress

PROGRAM = "jobset-compiler"
# More than this of output is held in a temporary file, until it is known that all of it may be written.
HELD = 8 << 20

# Columns of the product where nobody says how many there are.
USUAL = 80


class OutputError(Exception):
    """What a command has to say cannot be written; the message says where and why, in one line."""


class Streams(Value):
    """stdout takes only the product, stderr only messages; `environment` is the process's, for colours and debugging.

    program: what the user calls us by; clock: seconds, for the progress of long runs; progress: where that is shown, None for nowhere.
    All methods raise OutputError where a stream takes nothing, BrokenPipeError where nobody reads it any more.
    """

    __slots__ = ("clock", "environment", "program", "progress", "stderr", "stdin", "stdout")

    def __init__(
        self,
        stdin: BinaryIO,
        stdout: BinaryIO,
        stderr: TextIO,
        environment: Mapping[str, str],
        program: str = PROGRAM,
        clock: Callable[[], float] = time.monotonic,
        progress: Progress | None = None,
    ) -> None:
        self.stdin: Final = stdin
        self.stdout: Final = stdout
        self.stderr: Final = stderr
        self.environment: Final = environment
        self.program: Final = program
        self.clock: Final = clock
        self.progress: Final = progress

    def with_progress(self) -> Streams:
        """The same, and long runs show on a terminal how far they are."""
        if not self.stderr.isatty() or self.environment.get("TERM") == "dumb":
            return self
        from jobset_compiler.cli.progress import Progress

        return Streams(self.stdin, self.stdout, self.stderr, self.environment, self.program, self.clock, Progress(self.stderr, self.clock))

    def hide_progress(self) -> None:
        if self.progress is not None:
            self.progress.hide()

    def say(self, text: str) -> None:
        """A message for people: plain text, of which nothing acts on a terminal or in a log."""
        self.say_styled(lines(text))

    def say_styled(self, text: str) -> None:
        """A message whose writer has taken care of that and put colours into it, as far as the terminal has the characters."""
        self.hide_progress()
        encoding = self.stderr.encoding or "utf-8"
        _try("standard error", self.stderr.write, text.encode(encoding, "backslashreplace").decode(encoding))

    def put(self, text: str) -> None:
        """A part of the product. Always UTF-8: manifests are, whatever the terminal is."""
        self.put_bytes(text.encode("utf-8", "surrogateescape"))

    def put_bytes(self, data: bytes) -> None:
        self.hide_progress()
        _try("standard output", self.stdout.write, data)
        if self.progress is not None and self.stdout.isatty():
            _try("standard output", self.stdout.flush)  # before the next line of progress

    def flush(self) -> None:
        _try("standard output", self.stdout.flush)
        _try("standard error", self.stderr.flush)

    def colour(self, choice: str, *, product: bool = False) -> bool:
        """Whether messages (or the product) are coloured: "always", "never", or "auto" for a terminal without NO_COLOR."""
        if choice != "auto":
            return choice == "always"
        stream = self.stdout if product else self.stderr
        return stream.isatty() and not self.environment.get("NO_COLOR") and self.environment.get("TERM") != "dumb"

    def columns(self) -> int:
        """To how many columns the product is wrapped: as COLUMNS says, else as the terminal has, else 80."""
        import os

        asked = self.environment.get("COLUMNS", "")
        if asked.isdecimal() and int(asked):
            return int(asked)
        try:
            return os.get_terminal_size(self.stdout.fileno()).columns or USUAL
        except (OSError, ValueError, AttributeError):
            return USUAL

    def links(self, choice: str, *, product: bool = False) -> bool:
        """Whether messages (or the product) may have links in them: on a terminal with colours. In a file or a log they are in the way."""
        stream = self.stdout if product else self.stderr
        return self.colour(choice, product=product) and stream.isatty() and self.environment.get("TERM") not in ("dumb", "linux")


def _try(name: str, write: Callable[..., object], *data: str | bytes) -> None:
    try:
        write(*data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write {name}: {error.strerror or error}") from None


class ClosedStream(io.RawIOBase):
    """Stands for a stream that the process was started without (`1>&-`): whoever uses it is told."""

    encoding = "utf-8"

    def __init__(self, name: str) -> None:
        self._name = name

    def _refuse(self) -> OSError:
        from errno import EBADF

        return OSError(EBADF, "it is closed", self._name)

    def write(self, data: Any) -> int:
        raise self._refuse()

    def read(self, size: int = -1) -> bytes:
        raise self._refuse()


class Held:
    """Output that waits until nothing can stop it any more: in memory while it is small, else in a temporary file."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._file: BinaryIO | None = None

    def put(self, text: str) -> None:
        data = text.encode("utf-8", "surrogateescape")
        self._parts.append(data)
        self._size += len(data)
        if self._size > HELD:
            self._spill()

    def _spill(self) -> None:
        if self._file is None:
            from tempfile import TemporaryFile

            self._file = TemporaryFile()  # noqa: SIM115  # closed by close
        self._file.write(b"".join(self._parts))
        self._parts.clear()
        self._size = 0

    def release(self, streams: Streams) -> None:
        """Write everything to standard output, once."""
        if self._file is not None:
            self._spill()
            self._file.seek(0)
            while block := self._file.read(HELD):
                streams.put_bytes(block)
        else:
            streams.put_bytes(b"".join(self._parts))
        self.close()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        self._parts.clear()
