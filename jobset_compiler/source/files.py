"""Paths to documents. The only module here that touches the file system."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, BinaryIO

from jobset_compiler.diagnostics.place import Span
from jobset_compiler.source.decode import decode_blocks
from jobset_compiler.source.problems import SourceProblem
from jobset_compiler.source.reader import Found, collect, iter_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jobset_compiler.source.document import Document

SUFFIXES = (".yaml", ".yml", ".json")
STDIN = "<stdin>"
_BLOCK = 1 << 18


def read_files(
    paths: Sequence[str], stdin: BinaryIO | None = None, *, parser: Any = None
) -> tuple[tuple[Document, ...], tuple[SourceProblem, ...]]:
    """All documents of files, folders (their YAML and JSON files, recursively, sorted) and "-" for `stdin`.

    What cannot be read becomes a problem "unreadable".
    """
    return collect(iter_files(paths, stdin, parser=parser))


def iter_files(paths: Sequence[str], stdin: BinaryIO | None = None, *, parser: Any = None) -> Iterator[Found]:
    """The same one by one, holding one document at a time."""
    for path in paths:
        if path == "-":
            if stdin is not None:
                yield from _read_stream(stdin, STDIN, parser)
            continue
        for file in expand(path):
            if isinstance(file, SourceProblem):
                yield file
            else:
                yield from _read_file(file, parser)


def expand(path: str) -> Iterator[str | SourceProblem]:
    """The path of a file itself; of a folder its YAML and JSON files, recursively, sorted, without hidden ones."""
    if not os.path.isdir(path):
        yield path
        return
    try:
        names = sorted(os.listdir(path))
    except OSError as error:
        yield unreadable(path, error)
        return
    for name in names:
        if name.startswith("."):
            continue
        member = os.path.join(path, name).removeprefix(os.curdir + os.sep)
        if os.path.isdir(member):
            if not os.path.islink(member):  # a link may lead back up
                yield from expand(member)
        elif name.endswith(SUFFIXES):
            yield member


def _read_file(path: str, parser: Any) -> Iterator[Found]:
    try:
        with open(path, "rb") as stream:
            yield from _read_stream(stream, path, parser)
    except OSError as error:
        yield unreadable(path, error)


def _read_stream(stream: BinaryIO, file: str, parser: Any) -> Iterator[Found]:
    try:
        yield from iter_documents(decode_blocks(_blocks(stream)), file, parser=parser)
    except OSError as error:
        yield unreadable(file, error)


def _blocks(stream: BinaryIO) -> Iterable[bytes]:
    while block := stream.read(_BLOCK):
        yield block


def unreadable(path: str, error: OSError) -> SourceProblem:
    return SourceProblem("unreadable", error.strerror or str(error), Span(path, 0, 0, 0, 0), "")
