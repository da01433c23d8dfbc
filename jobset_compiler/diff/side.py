"""One side of a diff: what a set of inputs becomes under one release."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.admission.documents import TRAIN_JOB, kind_of
from jobset_compiler.api.trainjob import DEFAULT_NAMESPACE
from jobset_compiler.diagnostics.report import Policy
from jobset_compiler.library.sources import Source
from jobset_compiler.library.streaming import compile_stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.request.options import Options
    from jobset_compiler.source.document import Document

# Namespace and name of a TrainJob, and how many of that name stood before it on the same side.
Key = tuple[str, str, int]


DEFAULT_POLICY = Policy(errors_stand=True)


class ComparedJob(NamedTuple):
    """A TrainJob of one side: `unit` is None where it is refused, and then the diagnostics say why."""

    key: Key
    document: Document
    unit: Unit | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def name(self) -> str:
        return f"{self.key[0]}/{self.key[1]}"


class Side(NamedTuple):
    """label: how this side is called in reports; other: diagnostics that belong to no TrainJob (runtimes, unreadable text);
    children: whether what JobSet makes of the objects is compared too."""

    label: str
    options: Options
    jobs: tuple[ComparedJob, ...]
    other: tuple[Diagnostic, ...]
    children: bool = False

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return (*self.other, *(diagnostic for job in self.jobs for diagnostic in job.diagnostics))

    def quiet(self) -> Side:
        """The same with errors only."""
        jobs = tuple(job._replace(diagnostics=_errors(job.diagnostics)) for job in self.jobs)
        return self._replace(jobs=jobs, other=_errors(self.other))


def _errors(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    return tuple(diagnostic for diagnostic in diagnostics if diagnostic.is_error)


def compile_side(sources: Sequence[Source], options: Options, label: str, policy: Policy = DEFAULT_POLICY) -> Side:
    """Every TrainJob of the sources by itself: one that is refused does not hide what becomes of the others.

    policy: which diagnostics are left out, or taken more or less seriously.
    """
    jobs: list[ComparedJob] = []
    other: list[Diagnostic] = []
    seen: dict[tuple[str, str], int] = {}
    for step in compile_stream(sources, options):
        document = step.document
        diagnostics = tuple(judged for diagnostic in step.diagnostics if (judged := policy.judge(diagnostic)) is not None)
        if document is None or kind_of(document.value) != TRAIN_JOB:
            other += diagnostics
            continue
        place = _place(document, options)
        count = seen[place] = seen.get(place, -1) + 1
        refused = any(diagnostic.is_error for diagnostic in diagnostics)
        jobs.append(ComparedJob((*place, count), document, None if refused else step.unit, diagnostics))
    return Side(label, options, tuple(jobs), tuple(other))


def text_source(text: str, file: str) -> Source:
    """A text as a source."""
    return Source(file, lambda: (text.encode("utf-8", "surrogateescape"),))


def _place(document: Document, options: Options) -> tuple[str, str]:
    meta = document.value.get("metadata")
    meta = meta if isinstance(meta, dict) else {}
    name = meta.get("name") or (f"{meta['generateName']}*" if meta.get("generateName") else "")
    return str(meta.get("namespace") or options.namespace or DEFAULT_NAMESPACE), str(name)
