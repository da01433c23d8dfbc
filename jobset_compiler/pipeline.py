"""READ FIRST: the stages of a compile, as calls.

    text --source--> documents --admission.schema--> admitted --kube.retype--> typed --api--> TrainJob, Runtime
         --resolve--> Plan --admission.webhooks--> (verdict) --passes--> Plan --objects--> JobSet, PodGroup, ...
         --admission.jobset--> (verdict) --emit--> text

A pure function: nothing here reads the clock, the network, randomness, the environment or a cluster. Everything between
the stages is frozen. What is wrong is returned as diagnostics; all of a stage is collected before it stops.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from jobset_compiler import findings, runtimes
from jobset_compiler.admission import documents as admission_documents
from jobset_compiler.admission import jobset as admission_jobset
from jobset_compiler.admission import webhooks
from jobset_compiler.admission.documents import admit
from jobset_compiler.admission.given import Given
from jobset_compiler.admission.rules.name import name_is_too_long
from jobset_compiler.api import runtime as api_runtime
from jobset_compiler.api import trainjob as api_trainjob
from jobset_compiler.diagnostics.codes.code import ERROR, WARNING
from jobset_compiler.objects.build import build_objects
from jobset_compiler.objects.owner import owner_unknown
from jobset_compiler.objects.unit import Unit
from jobset_compiler.passes.driver import run_passes
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.request.options import Options
from jobset_compiler.resolve.build import build_plan
from jobset_compiler.resolve.catalog import NONE_BROUGHT, NOT_FOUND, Catalog, key_of, make_catalog, repeated
from jobset_compiler.source.reader import read_text
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.dialects.wishes import Target
    from jobset_compiler.findings.beside import Subdomains
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.catalog import BroughtRuntime, Key
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.result.compilation import Compilation
    from jobset_compiler.source.document import Document

    # The objects of a TrainJob, None where it was refused, and what there is to say.
    Outcome = tuple[Unit | None, list[Diagnostic]]

# TrainJobs that pass through the stages side by side: the code of a stage is longer than that of most programs' hot loops, and a processor that
# runs it for several in turn has it at hand (benchmarks/yardstick.py: a sixth of the time).
SIDE_BY_SIDE: Final = 32


def compile_documents(
    documents: Sequence[Document], problems: Sequence[Diagnostic], options: Options, read: Callable[[Document, Options], RuntimeVerdict] | None = None
) -> Compilation:
    """Documents (and what the reader found wrong with them) -> objects and diagnostics.

    Every document is judged on its own, as a server does with the documents of one `kubectl apply`: a fault in one hides nothing
    that is wrong with another. `streaming` does the same without holding more than one TrainJob.
    read: `read_runtime`, or what knows some of its verdicts.
    """
    from jobset_compiler.result.compilation import Compilation

    read = read or read_runtime
    report: list[Diagnostic] = [*options.problems, *problems]
    if options.convert is not None:
        documents, diagnostics = converted(documents, options)
        report += diagnostics
    ours, diagnostics = admission_documents.select(documents)
    report += diagnostics
    verdicts = [read(document, options) for document in ours if not is_trainjob(document)]
    for verdict in verdicts:
        report += verdict.diagnostics
    report += repeated((verdict.key, verdict.runtime) for verdict in verdicts)
    catalog = catalog_of(verdicts, options, is_whole=not any(map(may_hide_a_runtime, problems)))
    units = []
    beside = Beside()
    jobs = [document for document in ours if is_trainjob(document)]
    for document, (unit, diagnostics) in zip(jobs, compile_trainjobs(jobs, catalog, options), strict=True):
        report += [*diagnostics, *beside.of(document, None if unit is None else unit.plan)]
        if unit is not None:
            units.append(unit)
    return Compilation(options.profile, tuple(units), tuple(report))


class Beside:
    """What there is to say about a TrainJob because of those before it in one input, whatever face of the compiler reads that."""

    def __init__(self) -> None:
        self._given = Given()
        self._subdomains: Subdomains = {}

    def of(self, document: Document, plan: Plan | None) -> list[Diagnostic]:
        """To be asked of every TrainJob, in order; plan: None for one that is refused."""
        shared = findings.together(plan, self._subdomains) if plan is not None else ()
        return [*admission_documents.defined_again(document, self._given), *shared]


def converted(documents: Sequence[Document], options: Options) -> tuple[list[Document], list[Diagnostic]]:
    """The documents with those of older APIs as documents of ours, as far as they can be."""
    from jobset_compiler.dialects.conversion import convert

    results = convert(documents, target_of(options))
    return [document for result in results for document in result.documents], [found for result in results for found in result.diagnostics]


def target_of(options: Options) -> Target:
    """What documents of older APIs are converted to."""
    from jobset_compiler.dialects.wishes import Target, Wishes

    return Target(options.profile, options.bundled_runtimes, options.extensions, options.convert or Wishes())


def may_hide_a_runtime(problem: Diagnostic) -> bool:
    """Whether a runtime may stand in what could not be read."""
    document = problem.document
    return problem.rule.severity == ERROR and (document is None or admission_documents.may_be_runtime(document.text))


def is_trainjob(document: Document) -> bool:
    return bool(document.value["kind"] == admission_documents.TRAIN_JOB)


class RuntimeVerdict(Value):
    """What became of a runtime document: the runtime, or None where its schema refuses it; `key` is what a runtimeRef would find."""

    __slots__ = ("diagnostics", "key", "runtime")

    def __init__(self, key: Key, runtime: Runtime | None, diagnostics: list[Diagnostic]) -> None:
        self.key: Final = key
        self.runtime: Final = runtime
        self.diagnostics: Final = diagnostics

    @property
    def is_stored(self) -> bool:
        """Whether the server would have it."""
        return not stopped(self.diagnostics)


def read_runtime(document: Document, options: Options) -> RuntimeVerdict:
    """One runtime, on its own: schema and CEL, Go types, webhook."""
    admitted = admit(document, options)
    report = [*admitted.diagnostics]
    key = key_of(admitted.value)
    if stopped(report):
        return RuntimeVerdict(key, None, report)
    typed, diagnostics = admission_documents.type_check(admitted, options.profile)
    report += diagnostics
    if stopped(report):
        # Stored, but no controller or webhook can read it: for them, and so for TrainJobs, it does not exist.
        return RuntimeVerdict(NOT_FOUND, None, report)
    runtime = api_runtime.decode(document, typed, bundled=False)
    report += webhooks.check_runtime(runtime, options.profile)
    report += findings.of_runtime(runtime, options.profile)
    return RuntimeVerdict(key, runtime, report)


def catalog_of(verdicts: Iterable[RuntimeVerdict], options: Options, *, is_whole: bool = True) -> Catalog:
    """Where TrainJobs look for their runtimes; those that the server refuses are known to be missing. is_whole: all of the input could be read."""
    profile, verdicts = options.profile, tuple(verdicts)
    return make_catalog(
        [(verdict.key, verdict.runtime, verdict.is_stored) for verdict in verdicts],
        profile,
        lambda name: bundled_runtime(profile, name),
        bundled=options.bundled_runtimes,
        brought=NONE_BROUGHT if options.passes is BUILTIN else brought_runtimes(options),
        is_whole=is_whole and all(verdict.key != NOT_FOUND for verdict in verdicts),
    )


def brought_runtimes(options: Options) -> Mapping[str, BroughtRuntime]:
    """The runtimes that passes bring, by name."""
    from jobset_compiler.admission.brought import read_all

    return read_all(options, stored_runtime)


def stored_runtime(document: Document, options: Options) -> tuple[Runtime | None, list[Diagnostic]]:
    """A runtime on its own where the server would have it, and what it says about it."""
    verdict = read_runtime(document, options)
    return verdict.runtime if verdict.is_stored else None, verdict.diagnostics


def compile_trainjobs(documents: Sequence[Document], catalog: Catalog, options: Options) -> Iterator[Outcome]:
    """What `compile_trainjob` makes of each, in their order."""
    for start in range(0, len(documents), SIDE_BY_SIDE):
        together = documents[start : start + SIDE_BY_SIDE]
        outcomes = side_by_side([stages_of(document, catalog, options) for document in together])
        yield from (with_room(document, catalog, options, outcome) for document, outcome in zip(together, outcomes, strict=True))


def compile_trainjob(document: Document, catalog: Catalog, options: Options) -> Outcome:
    """One TrainJob, on its own: schema, webhook, build, JobSet admission. The first of them that refuses it is the last that runs."""
    (outcome,) = side_by_side([stages_of(document, catalog, options)])
    return with_room(document, catalog, options, outcome)


def side_by_side(jobs: Sequence[Generator[None, None, Outcome]]) -> list[Outcome]:
    """Each stage for all of the TrainJobs before the next one, until none has another."""
    outcomes: dict[int, Outcome] = {}
    while len(outcomes) < len(jobs):
        for index, job in enumerate(jobs):
            if index not in outcomes:
                try:
                    next(job)
                except StopIteration as end:
                    outcomes[index] = end.value
    return [outcomes[index] for index in range(len(jobs))]


def with_room(document: Document, catalog: Catalog, options: Options, outcome: Outcome) -> Outcome:
    """The outcome; of a TrainJob that was refused and has a long name, with one number of characters for all that is too long."""
    unit, report = outcome
    if unit is None and name_is_too_long(document.value):
        from jobset_compiler.admission import room

        ((short, _),) = side_by_side([stages_of(room.with_short_name(document), catalog, options)])
        if short is not None:
            report = room.for_all_names(report, document, short.objects[0])
    return unit, report


def stages_of(document: Document, catalog: Catalog, options: Options) -> Generator[None, None, Outcome]:
    """The stages of one TrainJob; yields between them."""
    profile = options.profile
    admitted = admit(document, options)
    report = [*admitted.diagnostics]
    if stopped(report):
        # The server decodes a TrainJob after the schema has refused its runtime: what it would say then is told, and decides nothing.
        return None, demoted(report, "decode") if catalog.refuses_ref_of(admitted.value) else report
    yield
    typed, diagnostics = admission_documents.type_check(admitted, profile)
    report += diagnostics
    if stopped(report):
        return None, report
    job = api_trainjob.decode(document, admitted.value, typed, profile.override_field)
    refused = catalog.refuses(job)
    if refused and catalog.find(job) is None:
        return None, report  # its runtime's own diagnostics say why
    runtime, diagnostics = webhooks.find_runtime(job, catalog, options)
    report += diagnostics
    if runtime is None:
        return None, report

    plan = build_plan(job, runtime, profile, options.facts)
    yield
    report += webhooks.check_trainjob(plan, options.passes)
    if stopped(report) or refused:
        return None, report

    yield
    outcome = run_passes(plan, options.passes)
    yield
    report += outcome.diagnostics
    for few in findings.steps_of_plan(outcome.plan):
        report += few
        yield
    if stopped(report):
        return None, report
    objects = build_objects(outcome.plan)
    yield
    report += admission_jobset.check(outcome.plan, objects[0], options.judged_by, foreign=outcome.foreign)
    if outcome.plan.pod_group_policy is not None:
        from jobset_compiler.admission.podgroup import check

        report += check(outcome.plan, objects)
    report += owner_unknown(outcome.plan)
    return Unit(outcome.plan, objects), report


def demoted(diagnostics: Sequence[Diagnostic], stage: str) -> list[Diagnostic]:
    """The same with what a stage says as warnings."""
    return [diagnostic.with_severity(WARNING) if diagnostic.stage == stage else diagnostic for diagnostic in diagnostics]


def stopped(diagnostics: Sequence[Diagnostic]) -> bool:
    return any(diagnostic.is_error for diagnostic in diagnostics)


@cache
def bundled_runtime(profile: Profile, name: str) -> Runtime:
    """A community runtime of that release: read, admitted and typed like any other, once."""
    documents, _ = read_text(runtimes.text_of(profile.name, name), f"<bundled {profile.name}/{name}.yaml>")
    admitted = admit(documents[0], Options(profile=profile))
    typed: dict[str, Any] = admission_documents.type_check(admitted, profile)[0]
    return api_runtime.decode(documents[0], typed, bundled=True)
