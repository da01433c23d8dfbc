"""Paths and standard input as sources that can be read twice."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, BinaryIO

from jobset_compiler.library.sources import Source
from jobset_compiler.source.files import STDIN, expand, is_excluded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from jobset_compiler.source.document import SourceProblem

BLOCK = 1 << 18
# A pipe with less than this is held in memory, one with more goes to a temporary file.
HELD = 4 << 20


def sources_of(paths: Sequence[str], runtimes: Sequence[str], stdin: BinaryIO, exclude: Sequence[str] = ()) -> list[Source]:
    """The sources of a command: files, folders and "-" in the order given, after those that are only looked through for runtimes.

    A file that is named twice is read once; one that is among the paths need not be given as a runtime.
    """
    found = []
    seen: set[str] = set()
    for group, runtimes_only in ((paths, False), (runtimes, True)):
        for file, from_folder in _files(group, exclude):
            identity = _identity(file) if isinstance(file, str) else ""
            if identity not in seen:
                seen.update((identity,) if identity else ())
                found.append(_source(file, from_folder, stdin)._replace(runtimes_only=runtimes_only))
    return sorted(found, key=lambda source: not source.runtimes_only)


def _files(paths: Sequence[str], exclude: Sequence[str]) -> Iterator[tuple[str | SourceProblem, bool]]:
    """Every file (or why it cannot be read), and whether it was found in a folder rather than named."""
    for path in paths:
        is_folder = path != "-" and os.path.isdir(path)
        for file in expand(path) if is_folder else (path,):
            if not (is_folder and is_excluded(file if isinstance(file, str) else file.span.file, exclude)):
                yield file, is_folder


def _identity(file: str) -> str:
    if file == "-":
        return file
    try:
        return os.path.realpath(file)
    except (OSError, RecursionError):  # no working directory; a chain of a thousand links
        return file


def _source(file: str | SourceProblem, from_folder: bool, stdin: BinaryIO) -> Source:
    if not isinstance(file, str):
        return Source(file.span.file, tuple, from_folder, problem=file)
    if file == "-":
        return Source(STDIN, _replayed(stdin))
    try:
        regular = stat.S_ISREG(os.stat(file).st_mode) or os.path.isdir(file)
    except OSError:
        regular = True
    if regular:
        return Source(file, lambda: _blocks_of(file), from_folder)
    return Source(file, _once(file), from_folder)


def _blocks_of(file: str) -> Iterator[bytes]:
    with open(file, "rb") as stream:
        while block := stream.read(BLOCK):
            yield block


def _once(file: str) -> Callable[[], Iterable[bytes]]:
    """The blocks of something that can be read only once, such as `<(helm template ...)` of a shell; opened at the first use."""
    replay: list[Callable[[], Iterable[bytes]]] = []

    def blocks() -> Iterable[bytes]:
        if not replay:
            with open(file, "rb") as stream:
                replay.append(_replayed(stream))
        return replay[0]()

    return blocks


def _replayed(stream: BinaryIO) -> Callable[[], Iterable[bytes]]:
    """Reads a stream to its end and returns what gives its blocks any number of times."""
    blocks: list[bytes] = []
    size = 0
    while size < HELD:
        block = stream.read(BLOCK)
        if not block:
            return lambda: blocks
        blocks.append(block)
        size += len(block)
    from tempfile import TemporaryFile

    spool = TemporaryFile()  # noqa: SIM115  # lives as long as the sources
    spool.writelines(blocks)
    while block := stream.read(BLOCK):
        spool.write(block)

    def replay() -> Iterator[bytes]:
        spool.seek(0)
        while block := spool.read(BLOCK):
            yield block

    return replay
