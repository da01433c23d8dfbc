"""Compiling inputs of any length, one TrainJob at a time.

Two passes over the text: the first finds the runtimes, because one may stand after the TrainJobs that use it; the second
compiles each TrainJob on its own and forgets it. What comes out is what `pipeline.compile_documents` makes of the whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jobset_compiler.admission.documents import (
    TRAIN_JOB,
    about_skipped,
    is_older,
    kind_of,
    may_be_runtime,
    not_an_object,
    of_older_api,
    skipped_kinds,
)
from jobset_compiler.library.sources import Reader
from jobset_compiler.pipeline import Beside, catalog_of, compile_trainjob, read_runtime
from jobset_compiler.resolve.catalog import repeated
from jobset_compiler.source.document import Document
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.library.sources import Source
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.pipeline import RuntimeVerdict
    from jobset_compiler.request.options import Options
    from jobset_compiler.resolve.catalog import Catalog
    from jobset_compiler.source.document import SourceProblem

NO_KIND = "without a kind"


class Step(Value):
    """What came of one document: `unit` for a TrainJob that compiled, `document` None for what concerns no document that was read.

    A step with nothing but its source ends that source.
    """

    __slots__ = ("diagnostics", "document", "source", "unit")

    def __init__(self, source: Source | None, document: Document | None, unit: Unit | None, diagnostics: Sequence[Diagnostic]) -> None:
        self.source: Final = source
        self.document: Final = document
        self.unit: Final = unit
        self.diagnostics: Final = diagnostics


def compile_stream(
    sources: Sequence[Source],
    options: Options,
    reader: Reader | None = None,
    judge: Callable[[Document, Options], RuntimeVerdict] = read_runtime,
    build: Callable[[Document, Catalog, Options], tuple[Unit | None, list[Diagnostic]]] = compile_trainjob,
) -> Iterator[Step]:
    """Documents in the order of the input, each with its diagnostics; holds all runtimes, but only one TrainJob.

    A text that cannot be read gives a diagnostic, as everything that is wrong with the input does. reader: where the documents of the sources come
    from, their texts by default; judge and build: `read_runtime` and `compile_trainjob`, or what knows some of their answers.
    """
    if options.problems:
        yield Step(None, None, None, options.problems)
    reader = reader or Reader()
    if options.convert is not None:
        reader = _converting(sources, options, reader)
    runtimes = _Runtimes(options, reader, judge)
    for source in sources:
        yield from runtimes.find(source)
    yield Step(None, None, None, repeated((verdict.key, verdict.runtime) for verdict in runtimes.verdicts))
    catalog = catalog_of(runtimes.verdicts, options, is_whole=runtimes.is_whole)
    skipped: dict[str, int] = {}
    beside = Beside()
    for source in sources:
        if source.runtimes_only:
            continue
        for found in reader.read(source):
            if not isinstance(found, Document):
                yield Step(source, None, None, _diagnosed(found, options))
                continue
            problem = not_an_object(found)
            if problem is not None and not source.from_folder:
                yield Step(source, found, None, (problem,))
                continue
            if problem is None and is_older(found):
                yield Step(source, found, None, reader.notes(found) or (of_older_api(found),))
                continue
            kind = kind_of(found.value)
            if kind == TRAIN_JOB:
                try:
                    unit, diagnostics = build(found, catalog, options)
                except Exception as error:
                    error.add_note(f"while compiling {found.locate(())}")
                    raise
                others = beside.of(found, None if unit is None else unit.plan)
                yield Step(source, found, unit, [*reader.notes(found), *diagnostics, *others])
            elif kind:
                yield Step(source, found, None, [*reader.notes(found), *runtimes.diagnostics_of(found)])
            else:
                kind = NO_KIND if problem else found.value["kind"]
                skipped[kind] = skipped.get(kind, 0) + 1
                yield Step(source, found, None, () if problem else about_skipped(found))
        yield Step(source, None, None, ())
    yield Step(None, None, None, skipped_kinds(skipped))


def _converting(sources: Sequence[Source], options: Options, reader: Reader) -> Reader:
    from jobset_compiler.library.converting import ConvertingReader

    return ConvertingReader(sources, options, reader)


class _Runtimes:
    """The runtimes of all sources, and what is to be said about each when its turn comes."""

    def __init__(self, options: Options, reader: Reader, judge: Callable[[Document, Options], RuntimeVerdict]) -> None:
        self.options = options
        self.reader = reader
        self.judge = judge
        self.verdicts: list[RuntimeVerdict] = []
        self.is_whole = True
        self._diagnostics: dict[tuple[str, int, tuple[str | int, ...]], list[Diagnostic]] = {}

    def find(self, source: Source) -> Iterator[Step]:
        """Reads one source; yields what there is to say now, because the source is not read again."""
        for found in self.reader.read(source, only_runtimes=not source.runtimes_only):
            if not isinstance(found, Document):
                self.is_whole = self.is_whole and not (found.is_error and (found.text is None or may_be_runtime(found.text.text)))
                if source.runtimes_only:
                    yield Step(source, None, None, _diagnosed(found, self.options))
                continue
            problem = not_an_object(found)
            if problem is None and is_older(found):
                if source.runtimes_only:
                    yield Step(source, found, None, self.reader.notes(found) or (of_older_api(found),))
                continue
            if kind_of(found.value) not in ("", TRAIN_JOB):
                verdict = self.judge(found, self.options)
                self.verdicts.append(verdict)
                self._diagnostics[_place(found)] = verdict.diagnostics
            if source.runtimes_only:
                said = [problem] if problem and not source.from_folder else self.diagnostics_of(found)
                yield Step(source, found, None, [*self.reader.notes(found), *said])

    def diagnostics_of(self, document: Document) -> list[Diagnostic]:
        return self._diagnostics.get(_place(document), [])


def _diagnosed(found: SourceProblem, options: Options) -> Sequence[Diagnostic]:
    from jobset_compiler.source.diagnose import diagnose

    return diagnose((found,), options.validate)


def _place(document: Document) -> tuple[str, int, tuple[str | int, ...]]:
    return document.file, document.start, document.prefix
