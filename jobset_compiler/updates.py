"""`check --was OLD NEW`: which edits a cluster that has OLD would refuse, and which would have no effect.

The stages of the pipeline with an earlier self: schema and transition rules, webhooks, and what becomes of the JobSet.
"""

from __future__ import annotations

from jobset_compiler.admission import documents as admission_documents
from jobset_compiler.admission import webhooks
from jobset_compiler.admission.documents import admit
from jobset_compiler.admission.updates import check_jobset_update, check_overrides, check_runtime_update
from jobset_compiler.api import runtime as api_runtime
from jobset_compiler.api import trainjob as api_trainjob
from jobset_compiler.lean import TYPE_CHECKING
from jobset_compiler.objects import build_objects
from jobset_compiler.passes.driver import run_passes
from jobset_compiler.pipeline import RuntimeVerdict, catalog_of, compile_trainjob, is_trainjob, read_runtime, stopped
from jobset_compiler.profiles import features
from jobset_compiler.resolve.build import build_plan
from jobset_compiler.resolve.catalog import key_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.api.trainjob import TrainJob
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.options import Options
    from jobset_compiler.resolve.catalog import Catalog
    from jobset_compiler.source.document import Document


def check_update(old: Sequence[Document], new: Sequence[Document], options: Options, active: tuple[str, ...] = ()) -> list[Diagnostic]:
    """Everything there is to say when a cluster that has the old documents is given the new ones.

    Documents belong together by kind, namespace and name; one without an earlier self is checked as a new object.
    active: replicatedJobs that still run although their TrainJob is suspended, as far as one knows.
    """
    before, _ = admission_documents.select(old)
    after, report = admission_documents.select(new)
    earlier = {_key(document, options): document for document in before}
    old_runtimes = [read_runtime(document, options) for document in before if not is_trainjob(document)]
    runtimes = []
    for document in after:
        if not is_trainjob(document):
            verdict = _update_runtime(earlier.get(_key(document, options)), document, options)
            report += verdict.diagnostics
            runtimes.append(verdict)
    old_catalog, catalog = catalog_of(old_runtimes, options), catalog_of([*old_runtimes, *runtimes], options)
    for document in after:
        if is_trainjob(document):
            was = earlier.get(_key(document, options))
            if was is None:
                report += compile_trainjob(document, catalog, options)[1]
            else:
                report += _update_trainjob(was, document, old_catalog, catalog, options, active)
    return report


def _key(document: Document, options: Options) -> tuple[str, str, str]:
    kind, namespace, name = key_of(document.value)
    meta = document.value.get("metadata")
    given = isinstance(meta, dict) and meta.get("namespace")
    return kind, namespace if given or not namespace else options.namespace or namespace, name


def _update_runtime(was: Document | None, document: Document, options: Options) -> RuntimeVerdict:
    if was is None:
        return read_runtime(document, options)
    admitted = admit(document, options, was.value)
    key = key_of(admitted.value)
    report = [*admitted.diagnostics]
    if stopped(report):
        return RuntimeVerdict(key, None, report)
    typed, diagnostics = admission_documents.type_check(admitted, options.profile)
    report += diagnostics
    if stopped(report):
        return RuntimeVerdict(key, None, report)
    runtime = api_runtime.decode(document, typed, bundled=False)
    report += check_runtime_update(runtime, options.profile)
    return RuntimeVerdict(key, runtime, report)


def _update_trainjob(was: Document, document: Document, old_catalog: Catalog, catalog: Catalog, options: Options, active: tuple[str, ...]) -> list[Diagnostic]:
    profile = options.profile
    job, report = _decoded(document, options, was)
    old_job, _ = _decoded(was, options, None)
    if job is None or old_job is None:
        return report  # an object that the server would not have had is no earlier self
    runtime, diagnostics = webhooks.find_runtime(job, catalog, options)
    report += diagnostics
    if runtime is None:
        return report
    plan = build_plan(job, runtime, profile, options.facts)
    report += webhooks.check_trainjob(plan)
    report += check_overrides(old_job, job, profile, active)
    if stopped(report):
        return report

    unit, _ = compile_trainjob(was, old_catalog, options)
    if unit is None:
        return report  # nothing runs yet
    if profile.has(features.RUNTIME_SNAPSHOT):
        plan = build_plan(job, unit.plan.runtime, profile, options.facts)
    outcome = run_passes(plan, options.passes)
    report += outcome.diagnostics
    if not stopped(report):
        report += check_jobset_update(unit.objects[0], build_objects(outcome.plan)[0], old_job, job, profile)
    return report


def _decoded(document: Document, options: Options, was: Document | None) -> tuple[TrainJob | None, list[Diagnostic]]:
    admitted = admit(document, options, None if was is None else was.value)
    report = [*admitted.diagnostics]
    if stopped(report):
        return None, report
    typed, diagnostics = admission_documents.type_check(admitted, options.profile)
    report += diagnostics
    if stopped(report):
        return None, report
    return api_trainjob.decode(document, admitted.value, typed, options.profile.override_field), report
