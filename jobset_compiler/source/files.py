"""Paths to documents. The only module here that touches the file system."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, BinaryIO

from jobset_compiler.diagnostics.place import Span
from jobset_compiler.source.decode import decode_blocks
from jobset_compiler.source.document import SourceProblem
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


def read_file(path: str) -> tuple[tuple[Document, ...], tuple[SourceProblem, ...]]:
    """The documents of one file, where a folder of them would mean nothing: that is a problem "unreadable" as well."""
    return collect(_read_file(path, None))


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
    """The path of a file itself; of a folder its YAML and JSON files, recursively, sorted, without hidden ones.

    Of a folder only regular files count. A link to one is followed where that is a file of the same folder that may be read by its own
    name: a folder is often somebody else's, and its links must not bring in what nobody named. Links to folders may lead back up.
    """
    if not os.path.isdir(path):
        yield path
        return
    pending: list[os.DirEntry[str] | str] = [path]
    while pending:
        member = pending.pop()
        if not isinstance(member, str) and not member.is_dir(follow_symlinks=False):
            file = _path_of(member)
            yield (_leads_out(file, path) if member.is_symlink() else None) or file
            continue
        folder = member if isinstance(member, str) else _path_of(member)
        try:
            with os.scandir(folder) as entries:
                members = sorted(entries, key=lambda entry: entry.name, reverse=True)
        except OSError as error:
            yield unreadable(folder, error)
            continue
        pending += [entry for entry in members if _counts(entry)]


def is_excluded(file: str, patterns: Sequence[str]) -> bool:
    """Whether a file that was found in a folder is left out by a pattern such as `charts/**`."""
    if not patterns:
        return False
    from fnmatch import fnmatchcase

    name = os.path.normpath(file)
    return any(fnmatchcase(name, pattern) or name.startswith(f"{pattern.rstrip('/*')}/") for pattern in patterns)


def _path_of(entry: os.DirEntry[str]) -> str:
    return entry.path.removeprefix(os.curdir + os.sep)


def _counts(entry: os.DirEntry[str]) -> bool:
    """Whether a member of a folder is looked at: folders and files of the right name; no pipes, sockets and devices."""
    if entry.name.startswith("."):
        return False
    if entry.is_dir(follow_symlinks=False):
        return True
    # A link to nothing, or to itself, is no reason to say nothing.
    return entry.name.endswith(SUFFIXES) and (os.path.isfile(entry.path) or not os.path.exists(entry.path))


def _leads_out(link: str, folder: str) -> SourceProblem | None:
    """What there is to say of a link to a file that is not to be read by way of it; None for one that is, or is broken."""
    if not os.path.exists(link):
        return None
    *folders, name = os.path.relpath(os.path.realpath(link), os.path.realpath(folder)).split(os.sep)
    # A mounted ConfigMap has its files in ..data, which begins with two dots; `..` itself leads out.
    hidden = [part for part in (*folders, name) if part.startswith(".") and (part == os.pardir or not part.startswith(".."))]
    if not hidden and name.endswith(SUFFIXES):
        return None
    hint = "Name the file itself where it is meant."
    return SourceProblem("link-not-followed", "the link leads to a file that is none of the folder's", Span(link, 0, 0, 0, 0), hint)


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
