"""The files of the workspace that are not open: those of their documents that have to do with Trainer, and what of them cannot be read.

A file is read again only where its size or time has changed. Nothing here is told of files that are hidden, excluded or not YAML or JSON.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.library.sources import may_be_ours
from jobset_compiler.source.decode import decode_blocks
from jobset_compiler.source.files import SUFFIXES, expand, is_excluded
from jobset_compiler.source.reader import collect, iter_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from jobset_compiler.source.document import Document, SourceProblem

# Files of a workspace that are looked at, and how long (bytes) one of them may be: an editor has to stay quick in any folder.
MOST, LONGEST = 20_000, 4 << 20
WORDS = (b"TrainJob", b"TrainingRuntime", b"trainer.kubeflow.org")


class Kept(NamedTuple):
    """What is known of a file."""

    stamp: tuple[int, int]
    documents: tuple[Document, ...]
    problems: tuple[SourceProblem, ...]


class Shelf:
    """The documents of files by the file's path; `generation` is another number after every change. name: what a file is called in messages."""

    def __init__(self, name: Callable[[str], str] = str) -> None:
        self.generation = 0
        self._name = name
        self._kept: dict[str, Kept] = {}

    def documents(self, without: Iterable[str] = ()) -> Iterator[Document]:
        """All of them, but for those of some files."""
        for kept in self._all_but(without):
            yield from kept.documents

    def problems(self, without: Iterable[str] = ()) -> Iterator[SourceProblem]:
        """What is wrong with the texts of their documents."""
        for kept in self._all_but(without):
            yield from kept.problems

    def _all_but(self, without: Iterable[str]) -> Iterator[Kept]:
        left_out = set(without)
        return (kept for file, kept in self._kept.items() if file not in left_out)

    def refresh(self, folders: Sequence[str], exclude: Sequence[str] = ()) -> Generator[None, None, None]:
        """Looks at folders and files again, a file a step."""
        seen: set[str] = set()
        for folder in folders:
            for file in expand(folder):
                if len(seen) >= MOST:
                    break
                if isinstance(file, str) and not is_excluded(file, exclude):
                    seen.add(file)
                    self.look_at(file)
                yield
        for gone in self._kept.keys() - seen:
            self._forget(gone)

    def clear(self) -> None:
        """Files are called something else now."""
        self._kept.clear()
        self.generation += 1

    def look_at(self, file: str) -> None:
        """Reads a file if it has changed."""
        try:
            status = os.stat(file)
            stamp = (status.st_mtime_ns, status.st_size)
            known = self._kept.get(file)
            if known is not None and known.stamp == stamp:
                return
            now = Kept(stamp, *self._read(file)) if status.st_size <= LONGEST and file.endswith(SUFFIXES) else Kept(stamp, (), ())
        except OSError:
            self._forget(file)
            return
        self._kept[file] = now
        self._note_change(known, now)

    def _read(self, file: str) -> tuple[tuple[Document, ...], tuple[SourceProblem, ...]]:
        with open(file, "rb") as stream:
            data = stream.read()
        if not any(word in data for word in WORDS):
            return (), ()
        return collect(iter_documents(decode_blocks((data,)), self._name(file), wanted=may_be_ours))

    def _forget(self, file: str) -> None:
        self._note_change(self._kept.pop(file, None))

    def _note_change(self, *states: Kept | None) -> None:
        """Of a file that had nothing to tell, and has nothing, nobody needs to know."""
        if any(kept.documents or kept.problems for kept in states if kept is not None):
            self.generation += 1
