"""Compiling inputs of any length, one TrainJob at a time.

Two passes over the text: the first finds the runtimes, because one may stand after the TrainJobs that use it; the second
compiles each TrainJob on its own and forgets it. What comes out is what `pipeline.compile_documents` makes of the whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.admission.documents import KINDS, TRAIN_JOB, about_skipped, defined_again, not_an_object, skipped_kinds
from jobset_compiler.api.trainjob import API_VERSION
from jobset_compiler.pipeline import catalog_of, compile_trainjob, read_runtime
from jobset_compiler.resolve.catalog import repeated
from jobset_compiler.source.decode import decode_blocks
from jobset_compiler.source.diagnose import diagnose
from jobset_compiler.source.document import Document
from jobset_compiler.source.files import unreadable
from jobset_compiler.source.reader import iter_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.pipeline import RuntimeVerdict
    from jobset_compiler.request.options import Options
    from jobset_compiler.source.document import SourceProblem
    from jobset_compiler.source.reader import Found

NO_KIND = "without a kind"
RUNTIME_WORD = "TrainingRuntime"


class Source(NamedTuple):
    """A text that can be read more than once: `blocks()` starts again at its beginning, and may raise OSError.

    from_folder: nobody named the file, so that documents that have nothing to do with Trainer are nothing to complain of;
    runtimes_only: its TrainJobs are not compiled; problem: there is nothing to read, and this is to be said.
    """

    file: str
    blocks: Callable[[], Iterable[bytes]]
    from_folder: bool = False
    runtimes_only: bool = False
    problem: SourceProblem | None = None


class Step(NamedTuple):
    """What came of one document: `unit` for a TrainJob that compiled, `document` None for what concerns no document that was read.

    A step with nothing but its source ends that source.
    """

    source: Source | None
    document: Document | None
    unit: Unit | None
    diagnostics: Sequence[Diagnostic]


def compile_stream(sources: Sequence[Source], options: Options) -> Iterator[Step]:
    """Documents in the order of the input, each with its diagnostics; holds all runtimes, but only one TrainJob.

    A text that cannot be read gives a diagnostic, as everything that is wrong with the input does.
    """
    if options.problems:
        yield Step(None, None, None, options.problems)
    runtimes = _Runtimes(options)
    for source in sources:
        yield from runtimes.find(source)
    yield Step(None, None, None, repeated((verdict.key, verdict.runtime) for verdict in runtimes.verdicts))
    catalog = catalog_of(runtimes.verdicts, options)
    skipped: dict[str, int] = {}
    seen: dict[tuple[str, ...], int] = {}
    for source in sources:
        if source.runtimes_only:
            continue
        for found in read(source):
            if not isinstance(found, Document):
                yield Step(source, None, None, diagnose((found,), options.validate))
                continue
            problem = not_an_object(found)
            if problem is not None and not source.from_folder:
                yield Step(source, found, None, (problem,))
                continue
            kind = NO_KIND if problem else found.value["kind"]
            if kind == TRAIN_JOB:
                try:
                    unit, diagnostics = compile_trainjob(found, catalog, options)
                except Exception as error:
                    error.add_note(f"while compiling {found.locate(())}")
                    raise
                yield Step(source, found, unit, [*defined_again(found, seen), *diagnostics])
            elif kind in KINDS:
                yield Step(source, found, None, runtimes.diagnostics_of(found))
            else:
                skipped[kind] = skipped.get(kind, 0) + 1
                yield Step(source, found, None, () if problem else about_skipped(found))
        yield Step(source, None, None, ())
    yield Step(None, None, None, skipped_kinds(skipped))


def read(source: Source, *, only_runtimes: bool = False) -> Iterator[Found]:
    """The documents and problems of a source, or of those documents of it that may be a runtime."""
    if source.problem is not None:
        yield source.problem
        return
    wanted = may_be_runtime if only_runtimes else may_be_ours if source.from_folder else None
    try:
        yield from iter_documents(decode_blocks(source.blocks()), source.file, wanted=wanted)
    except OSError as error:
        yield unreadable(source.file, error)


def may_be_runtime(text: str) -> bool:
    """False only where no document in the text can be a runtime: the word is not there, nor anything that could spell it otherwise."""
    return RUNTIME_WORD in text or "\\" in text or "!" in text


def may_be_ours(text: str) -> bool:
    """Whether a text names one of our kinds, or our group, at all."""
    return TRAIN_JOB in text or RUNTIME_WORD in text or API_VERSION in text


class _Runtimes:
    """The runtimes of all sources, and what is to be said about each when its turn comes."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.verdicts: list[RuntimeVerdict] = []
        self._diagnostics: dict[tuple[str, int, tuple[str | int, ...]], list[Diagnostic]] = {}

    def find(self, source: Source) -> Iterator[Step]:
        """Reads one source; yields what there is to say now, because the source is not read again."""
        for found in read(source, only_runtimes=not source.runtimes_only):
            if not isinstance(found, Document):
                if source.runtimes_only:
                    yield Step(source, None, None, diagnose((found,), self.options.validate))
                continue
            problem = not_an_object(found)
            if problem is None and found.value["kind"] in KINDS and found.value["kind"] != TRAIN_JOB:
                verdict = read_runtime(found, self.options)
                self.verdicts.append(verdict)
                self._diagnostics[_place(found)] = verdict.diagnostics
            if source.runtimes_only:
                yield Step(source, found, None, [problem] if problem and not source.from_folder else self.diagnostics_of(found))

    def diagnostics_of(self, document: Document) -> list[Diagnostic]:
        return self._diagnostics.get(_place(document), [])


def _place(document: Document) -> tuple[str, int, tuple[str | int, ...]]:
    return document.file, document.start, document.prefix
