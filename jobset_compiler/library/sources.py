"""Texts that hold documents, and the reading of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from jobset_compiler.admission.documents import RUNTIME_WORD, TRAIN_JOB, may_be_runtime
from jobset_compiler.api.trainjob import GROUP
from jobset_compiler.dialects.known import WORDS
from jobset_compiler.source.decode import decode_blocks
from jobset_compiler.source.document import Document, SourceProblem
from jobset_compiler.source.files import unreadable
from jobset_compiler.source.reader import iter_documents
from jobset_compiler.value import Frozen

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.source.reader import Found

class Source(Frozen):
    """A text that can be read more than once: `blocks()` starts again at its beginning, and may raise OSError.

    from_folder: nobody named the file, so that documents that have nothing to do with Trainer are nothing to complain of;
    runtimes_only: its TrainJobs are not compiled; problem: there is nothing to read, and this is to be said.
    """

    file: str
    blocks: Callable[[], Iterable[bytes]]
    from_folder: bool = False
    runtimes_only: bool = False
    problem: SourceProblem | None = None


class Reader:
    """Where the documents of the sources come from: their texts, read anew each time."""

    def read(self, source: Source, *, only_runtimes: bool = False) -> "Iterable[Found]":
        """The documents and problems of a source, in order."""
        return read(source, only_runtimes=only_runtimes)

    def notes(self, document: Document) -> "Sequence[Diagnostic]":
        """What there is to say about a document before it is looked at."""
        return ()


def read(source: Source, *, only_runtimes: bool = False) -> "Iterator[Found]":
    """The documents and problems of a source, or of those documents of it that may be a runtime."""
    if source.problem is not None:
        yield source.problem
        return
    wanted = may_be_runtime if only_runtimes else may_be_ours if source.from_folder else None
    try:
        yield from iter_documents(decode_blocks(source.blocks()), source.file, wanted=wanted)
    except OSError as error:
        yield unreadable(source.file, error)


def may_be_ours(text: str) -> bool:
    """Whether a text names one of our kinds, or our group, or a kind of an older API, at all."""
    return TRAIN_JOB in text or RUNTIME_WORD in text or GROUP in text or any(word in text for word in WORDS)
