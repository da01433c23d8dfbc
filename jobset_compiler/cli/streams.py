"""Where a command reads and writes: bytes in, bytes out, text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TextIO

from jobset_compiler.diagnostics.inert import lines

if TYPE_CHECKING:
    from collections.abc import Mapping

# More than this of output is held in a temporary file, until it is known that all of it may be written.
HELD = 8 << 20


class Streams(NamedTuple):
    """stdout takes only the product, stderr only messages; `environment` is the process's, for colours and debugging."""

    stdin: BinaryIO
    stdout: BinaryIO
    stderr: TextIO
    environment: Mapping[str, str]

    def say(self, text: str) -> None:
        """A message for people: plain text, of which nothing acts on a terminal or in a log."""
        self.say_styled(lines(text))

    def say_styled(self, text: str) -> None:
        """A message whose writer has taken care of that and put colours into it, as far as the terminal has the characters."""
        encoding = self.stderr.encoding or "utf-8"
        self.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding))

    def put(self, text: str) -> None:
        """A part of the product. Always UTF-8: manifests are, whatever the terminal is."""
        self.stdout.write(text.encode("utf-8", "surrogateescape"))

    def colour(self, choice: str, *, product: bool = False) -> bool:
        """Whether messages (or the product) are coloured: "always", "never", or "auto" for a terminal without NO_COLOR."""
        if choice != "auto":
            return choice == "always"
        stream = self.stdout if product else self.stderr
        return stream.isatty() and not self.environment.get("NO_COLOR") and self.environment.get("TERM") != "dumb"


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

    def release(self, stdout: BinaryIO) -> None:
        """Write everything, once."""
        if self._file is not None:
            self._spill()
            self._file.seek(0)
            while block := self._file.read(HELD):
                stdout.write(block)
        else:
            stdout.write(b"".join(self._parts))
        self.close()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        self._parts.clear()
