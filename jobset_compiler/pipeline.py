"""READ FIRST: the stages of a compile, as calls.

    text --source--> documents --admission.schema--> admitted --kube.retype--> typed --api--> TrainJob, Runtime
         --resolve--> Plan --admission.webhooks--> (verdict) --passes--> Plan --objects--> JobSet, PodGroup, ...
         --admission.jobset--> (verdict) --emit--> text

A pure function: nothing here reads the clock, the network, randomness, the environment or a cluster. Everything between
the stages is frozen. What is wrong is returned as diagnostics; all of a stage is collected before it stops.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from jobset_compiler import runtimes
from jobset_compiler.admission import documents as admission_documents
from jobset_compiler.admission import jobset as admission_jobset
from jobset_compiler.admission import webhooks
from jobset_compiler.admission.documents import Admitted, admit
from jobset_compiler.api import runtime as api_runtime
from jobset_compiler.api import trainjob as api_trainjob
from jobset_compiler.compilation import Compilation, Unit
from jobset_compiler.objects import build_objects
from jobset_compiler.options import Options
from jobset_compiler.passes.driver import run_passes
from jobset_compiler.resolve.build import build_plan
from jobset_compiler.resolve.catalog import Catalog, make_catalog
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.profiles import Profile
    from jobset_compiler.source.document import Document


def compile_documents(documents: Sequence[Document], problems: Sequence[Diagnostic], options: Options) -> Compilation:
    """Documents (and what the reader found wrong with them) -> objects and diagnostics."""
    report: list[Diagnostic] = list(problems)
    ours, diagnostics = admission_documents.select(documents)
    report += diagnostics
    if stopped(diagnostics):
        return Compilation(options.profile, (), tuple(report))

    admitted = [admit(document, options) for document in ours]
    for document in admitted:
        report += document.diagnostics
    if stopped(report):
        return Compilation(options.profile, (), tuple(report))

    catalog, diagnostics = read_runtimes(admitted, options)
    report += diagnostics
    units = []
    for document in admitted:
        if document.kind == admission_documents.TRAIN_JOB:
            unit, diagnostics = compile_trainjob(document, catalog, options)
            report += diagnostics
            if unit is not None:
                units.append(unit)
    return Compilation(options.profile, tuple(units), tuple(report))


def read_runtimes(admitted: Sequence[Admitted], options: Options) -> tuple[Catalog, list[Diagnostic]]:
    """The runtimes that the server would store, and what their webhooks say."""
    report: list[Diagnostic] = []
    given: list[Runtime] = []
    for document in admitted:
        if document.kind != admission_documents.TRAIN_JOB:
            typed, diagnostics = admission_documents.type_check(document, options.profile)
            report += diagnostics
            if not stopped(diagnostics):
                runtime = api_runtime.decode(document.document, typed, bundled=False)
                report += webhooks.check_runtime(runtime, options.profile)
                given.append(runtime)
    return make_catalog(given, options.profile, lambda name: bundled_runtime(options.profile, name), bundled=options.bundled_runtimes), report


def compile_trainjob(document: Admitted, catalog: Catalog, options: Options) -> tuple[Unit | None, list[Diagnostic]]:
    """One TrainJob, on its own: webhook, build, JobSet admission. The first of them that refuses it is the last that runs."""
    profile = options.profile
    typed, report = admission_documents.type_check(document, profile)
    if stopped(report):
        return None, report
    job = api_trainjob.decode(document.document, document.value, typed, profile.override_field)
    runtime, diagnostics = webhooks.find_runtime(job, catalog, options)
    report += diagnostics
    if runtime is None:
        return None, report

    plan = build_plan(job, runtime, profile, options.facts)
    report += webhooks.check_trainjob(plan)
    if stopped(report):
        return None, report
    if webhooks.left_to_another_controller(plan):
        return None, report

    outcome = run_passes(plan, options.passes)
    report += outcome.diagnostics
    if stopped(report):
        return None, report
    objects = build_objects(outcome.plan)
    report += admission_jobset.check(outcome.plan, objects[0])
    return Unit(outcome.plan, outcome.writes, objects), report


def stopped(diagnostics: Sequence[Diagnostic]) -> bool:
    return any(diagnostic.is_error for diagnostic in diagnostics)


@lru_cache(maxsize=None)
def bundled_runtime(profile: Profile, name: str) -> Runtime:
    """A community runtime of that release: read, admitted and typed like any other, once."""
    documents, _ = read_text(runtimes.text_of(profile.name, name), f"<bundled {profile.name}/{name}.yaml>")
    admitted = admit(documents[0], Options(profile=profile))
    typed: dict[str, Any] = admission_documents.type_check(admitted, profile)[0]
    return api_runtime.decode(documents[0], typed, bundled=True)
