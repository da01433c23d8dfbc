"""What the compiler says of one open text: its documents, and per document the outcome and the diagnostics.

It is worked out in steps, so that a newer text, or a request that is quick to answer, need not wait for one that is long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.admission.documents import RUNTIME_WORD, TRAIN_JOB, kind_of
from jobset_compiler.api.runtime import CLUSTER_KIND
from jobset_compiler.diagnostics.codes.code import INFO
from jobset_compiler.diagnostics.diagnostic import Note, counted
from jobset_compiler.diagnostics.report import by_place
from jobset_compiler.library.sources import Reader, Source, may_be_ours
from jobset_compiler.library.streaming import compile_stream
from jobset_compiler.resolve.catalog import key_of
from jobset_compiler.source.document import Document
from jobset_compiler.source.reader import iter_documents

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.library.streaming import Step
    from jobset_compiler.lsp.memory import Memory
    from jobset_compiler.lsp.positions import Lines
    from jobset_compiler.lsp.setup import Setup
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.resolve.catalog import Key
    from jobset_compiler.source.document import SourceProblem
    from jobset_compiler.source.reader import Found

RUNTIME_REF = ("spec", "runtimeRef", "name")
NOT_FOUND = "runtime-not-found"
# Runtimes of other files that a text is compiled with, at most; those that it names come first.
MOST_RUNTIMES = 30


class AnalysedJob(NamedTuple):
    """A TrainJob of the text (or what one of another API was converted to); unit: None where it is refused."""

    document: Document
    unit: Unit | None

    @property
    def name(self) -> str:
        """Namespace and name, as the document has them."""
        meta = self.document.value.get("metadata")
        meta = meta if isinstance(meta, dict) else {}
        return f"{meta.get('namespace', '')}/{meta.get('name', '')}"


class Analysis(NamedTuple):
    """Of one version of a text. documents: those that can be read, as they are written; diagnostics: judged by the policy of the project,
    of this file only, by place; what comes of a runtime in another file stands where a TrainJob names that."""

    file: str
    lines: Lines
    setup: Setup
    documents: tuple[Document, ...] = ()
    jobs: tuple[AnalysedJob, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def units(self) -> tuple[Unit, ...]:
        return tuple(job.unit for job in self.jobs if job.unit is not None)

    def units_of(self, document: Document) -> tuple[Unit, ...]:
        """The TrainJobs that compiled and were made from that document, be it the job or the runtime."""
        return tuple(unit for unit in self.units if any(each.written is document for each in (unit.plan.job.document, unit.plan.runtime.document)))


def read(file: str, text: str) -> list[Found]:
    """The documents of a text that may be ours, and what is wrong with them; nothing of a text with none."""
    return list(iter_documents((text,), file, wanted=may_be_ours)) if may_be_ours(text) else []


def analyse(
    file: str, lines: Lines, setup: Setup, found: Sequence[Found], around: Sequence[Found], memory: Memory
) -> Generator[None, None, Analysis]:
    """found: what `read` makes of the text; around: that of other files, whose runtimes are there as well: those named first win."""
    if not found:
        return Analysis(file, lines, setup)
    yield
    documents = tuple(item for item in found if isinstance(item, Document))
    runtimes = chosen_runtimes(documents, (item for item in around if isinstance(item, Document)))
    texts = _Texts(file, found, [*runtimes, *(item for item in around if not isinstance(item, Document) and _hides_a_runtime(item))])
    jobs: list[AnalysedJob] = []
    said: list[Diagnostic] = []
    refused: dict[Key, list[Diagnostic]] = {}
    unread: list[Diagnostic] = []
    for step in compile_stream(texts.sources, setup.options, texts, memory.read_runtime, memory.compile_trainjob):
        job = step.document if step.document is not None and step.document.file == file and kind_of(step.document.value) == TRAIN_JOB else None
        if job is not None:
            jobs.append(AnalysedJob(job, _unit_of(step)))
        elif step.document is not None and _is_runtime(step.document):
            errors = [each for each in step.diagnostics if each.is_error and each.file != file]
            if errors:
                refused[key_of(step.document.value)] = errors
        elif step.document is None and step.source is not None and step.source.file != file:
            unread += step.diagnostics
        here = [each if each.file == file else None if job is None else _from_elsewhere(each, job) for each in step.diagnostics]
        if job is not None:
            here = [_with_unread(each, job, unread) for each in here]
            here += _of_runtime(job, refused, is_explained=step.unit is not None or any(each is not None and each.is_error for each in here))
        said += [judged for each in here if each is not None and (judged := setup.policy.judge(each)) is not None]
        yield
    return Analysis(file, lines, setup, documents, tuple(jobs), tuple(by_place(said)))


def _from_elsewhere(diagnostic: Diagnostic, job: Document) -> Diagnostic | None:
    """What is wrong with a TrainJob because of its runtime in another file, where it names that; None for what is only worth knowing there."""
    if diagnostic.severity == INFO or diagnostic.document is None:
        return None
    return diagnostic.seen_from(job, RUNTIME_REF, f"{diagnostic.message} ({_place(diagnostic)})")


def _of_runtime(job: Document, refused: Mapping[Key, Sequence[Diagnostic]], *, is_explained: bool) -> Iterator[Diagnostic]:
    """Why a runtime in another file is refused, where a TrainJob names it: while that file is not open nobody would know why there is no JobSet.
    refused: their errors; is_explained: no error is needed to say why there is no JobSet, so that it is no runtime without a name."""
    kind, namespace, name = named_by(job)
    errors = refused.get((kind, namespace, name)) or (() if is_explained else refused.get((kind, namespace, ""), ()))
    if errors:
        first, more = errors[0], f", and {counted(len(errors) - 1, 'further error')}" if errors[1:] else ""
        yield first.seen_from(job, RUNTIME_REF, f"{kind} {name} is refused: {first.message} ({_place(first)}{more})")


def _with_unread(diagnostic: Diagnostic | None, job: Document, unread: Sequence[Diagnostic]) -> Diagnostic | None:
    """That a runtime is not found, with the files that it may be in, first those that have its name: nobody would look in one that is not open."""
    if diagnostic is None or diagnostic.slug != NOT_FOUND or not unread:
        return diagnostic
    name = named_by(job)[2]
    unread = sorted(unread, key=lambda each: each.document is None or name not in each.document.text)
    first, more = unread[0], f", nor can {counted(len(unread) - 1, 'other')}" if unread[1:] else ""
    hinted = diagnostic.with_hint(f"{diagnostic.hint} ({_place(first)} cannot be read: {first.message}{more})")
    return hinted.with_notes(tuple(Note(f"this cannot be read: {each.message}", None, (), each.span) for each in unread))


def _hides_a_runtime(problem: SourceProblem) -> bool:
    """Whether it is an error in a text that speaks of a runtime."""
    return problem.is_error and problem.text is not None and RUNTIME_WORD in problem.text.text


def _place(diagnostic: Diagnostic) -> str:
    """File and line."""
    return f"{diagnostic.file}:{diagnostic.line}" if diagnostic.line else diagnostic.file


def _unit_of(step: Step) -> Unit | None:
    return None if any(diagnostic.prevents_objects for diagnostic in step.diagnostics) else step.unit


class _Texts(Reader):
    """The open text, and what there is of other files before it."""

    def __init__(self, file: str, found: Sequence[Found], elsewhere: Sequence[Found]) -> None:
        others: dict[str, list[Found]] = {}
        for item in elsewhere:
            others.setdefault(item.file if isinstance(item, Document) else item.span.file, []).append(item)
        self._found: dict[str, Sequence[Found]] = {**others, file: found}
        self.sources = [*(Source(name, tuple, runtimes_only=True) for name in others), Source(file, tuple, from_folder=True)]

    def read(self, source: Source, *, only_runtimes: bool = False) -> Sequence[Found]:
        return self._found[source.file]


def chosen_runtimes(documents: Sequence[Document], around: Iterable[Document]) -> list[Document]:
    """The runtimes of other files that go with the documents: one of each name, none that is among them, those that they refer to first."""
    here = {key_of(document.value) for document in documents if _is_runtime(document)}
    others: dict[Key, Document] = {}
    for document in around:
        if _is_runtime(document):
            key = key_of(document.value)
            if key not in here:
                others.setdefault(key, document)
    if len(others) <= MOST_RUNTIMES:
        return list(others.values())
    named = [key for document in documents if (key := named_by(document)) in others]
    return [others[key] for key in list(dict.fromkeys((*named, *others)))[:MOST_RUNTIMES]]


def named_by(document: Document) -> Key:
    """The key of the runtime that a TrainJob refers to, as far as it says so."""
    value = document.value if isinstance(document.value, dict) else {}
    spec = value.get("spec")
    ref = spec.get("runtimeRef") if isinstance(spec, dict) else None
    if not isinstance(ref, dict):
        return "", "", ""
    return key_of({"kind": ref.get("kind") or CLUSTER_KIND, "metadata": {"name": ref.get("name"), "namespace": _namespace(value)}})


def _namespace(value: dict[str, object]) -> object:
    meta = value.get("metadata")
    return meta.get("namespace") if isinstance(meta, dict) else None


def _is_runtime(document: Document) -> bool:
    return isinstance(document.value, dict) and kind_of(document.value) not in ("", TRAIN_JOB)
