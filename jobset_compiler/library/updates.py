"""`check --was OLD NEW`: which edits a cluster that has OLD would refuse, and which would have no effect.

The stages of the pipeline with an earlier self: schema and transition rules, webhooks, and what becomes of the JobSet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler import findings
from jobset_compiler.admission import documents as admission_documents
from jobset_compiler.admission import webhooks
from jobset_compiler.admission.documents import admit
from jobset_compiler.admission.updates import changed_place, check_jobset_update, check_overrides, check_runtime_update
from jobset_compiler.api import runtime as api_runtime
from jobset_compiler.api import trainjob as api_trainjob
from jobset_compiler.diagnostics import addresses, codes
from jobset_compiler.diagnostics.codes.code import INFO
from jobset_compiler.diagnostics.diagnostic import Diagnostic, Note
from jobset_compiler.diagnostics.place import value_at
from jobset_compiler.objects.build import build_objects
from jobset_compiler.objects.snapshot import is_kept, name_of
from jobset_compiler.passes.driver import run_passes
from jobset_compiler.pipeline import Beside, RuntimeVerdict, catalog_of, compile_trainjob, is_trainjob, read_runtime, stopped
from jobset_compiler.profiles import features
from jobset_compiler.resolve.build import build_plan
from jobset_compiler.resolve.catalog import key_of, repeated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.api.trainjob import TrainJob
    from jobset_compiler.diagnostics.place import Located, Path
    from jobset_compiler.profiles import Profile
    from jobset_compiler.request.options import Options
    from jobset_compiler.resolve.catalog import Catalog
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.source.document import Document

# Stages after which there is no TrainJob in a cluster.
BEFORE_THE_CONTROLLER = ("source", "schema", "decode", "resolve", "webhook")


def check_update(old: Sequence[Document], new: Sequence[Document], options: Options, active: tuple[str, ...] = ()) -> list[Diagnostic]:
    """Everything there is to say when a cluster that has the old documents is given the new ones.

    Documents belong together by kind, namespace and name; one without an earlier self is checked as a new object.
    active: replicatedJobs that still run although their TrainJob is suspended, as far as one knows; those of the facts count too.
    """
    active = tuple(dict.fromkeys((*active, *options.facts.active_jobs)))
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
    report += repeated((verdict.key, verdict.runtime) for verdict in runtimes)
    old_catalog, catalog = catalog_of(old_runtimes, options), catalog_of([*old_runtimes, *runtimes], options)
    given = {_key(document, options) for document in after if not is_trainjob(document)}
    beside = Beside()
    for document in after:
        if is_trainjob(document):
            was = earlier.get(_key(document, options))
            if was is None:
                unit, diagnostics = compile_trainjob(document, catalog, options)
                plan = None if unit is None else unit.plan
            else:
                plan, diagnostics = _update_trainjob(was, document, old_catalog, catalog, options, active)
                diagnostics += _without_runtime(was, old_catalog, given, options)
            report += [*diagnostics, *beside.of(document, plan)]
    return report


def _without_runtime(was: Document, old_catalog: Catalog, given: set[tuple[str, str, str]], options: Options) -> list[Diagnostic]:
    """What there is to say where the runtime that a TrainJob uses was given before, and is not now."""
    job, _ = _decoded(was, options, None)
    runtime = None if job is None else old_catalog.find(job)
    if job is None or runtime is None or runtime.bundled or _key(runtime.document, options) in given:
        return []
    return [_removed_runtime(job, runtime, options.profile)]


def _key(document: Document, options: Options) -> tuple[str, str, str]:
    kind, namespace, name = key_of(document.value)
    meta = document.value.get("metadata")
    given = isinstance(meta, dict) and meta.get("namespace")
    return kind, namespace if given or not namespace else options.namespace or namespace, name


def _update_runtime(was: Document | None, document: Document, options: Options) -> RuntimeVerdict:
    if was is None or stopped(admit(was, options).diagnostics):
        return read_runtime(document, options)
    admitted = admit(document, options, was.value)
    key = key_of(admitted.value)
    report = _with_earlier(admitted.diagnostics, was)
    if stopped(report):
        return RuntimeVerdict(key, None, report)
    typed, diagnostics = admission_documents.type_check(admitted, options.profile)
    report += diagnostics
    if stopped(report):
        return RuntimeVerdict(key, None, report)
    runtime = api_runtime.decode(document, typed, bundled=False)
    report += check_runtime_update(runtime, options.profile)
    report += findings.of_runtime(runtime, options.profile)
    return RuntimeVerdict(key, runtime, report)


def _update_trainjob(
    was: Document, document: Document, old_catalog: Catalog, catalog: Catalog, options: Options, active: tuple[str, ...]
) -> tuple[Plan | None, list[Diagnostic]]:
    """The plan, None where the edit is refused, and what there is to say."""
    profile = options.profile
    old_job, _ = _decoded(was, options, None)
    if old_job is None:
        unit, report = compile_trainjob(document, catalog, options)  # what the server would not have had is no earlier self
        return None if unit is None else unit.plan, report
    job, report = _decoded(document, options, was)
    if job is None:
        return None, report
    kept = webhooks.find_runtime(old_job, old_catalog, options)[0] if profile.has(features.UPDATES_READ_THE_SNAPSHOT) else None
    runtime, diagnostics = (kept, []) if kept is not None else webhooks.find_runtime(job, catalog, options)
    report += diagnostics
    if runtime is None:
        return None, report
    plan = build_plan(job, runtime, profile, options.facts)
    report += webhooks.check_trainjob(plan, options.passes)
    report += check_overrides(old_job, job, profile, active)
    if stopped(report):
        return None, report

    unit, before = compile_trainjob(was, old_catalog, options)
    if unit is None or any(diagnostic.prevents_objects for diagnostic in before):
        # Nothing came of it so far: its JobSet is made now, of the runtime that it keeps. A TrainJob without an error has none: its runtime was refused.
        errors = [diagnostic for diagnostic in before if diagnostic.is_error]
        kept_runtime = is_kept(profile) and bool(errors) and not any(diagnostic.stage in BEFORE_THE_CONTROLLER for diagnostic in errors)
        made, said = compile_trainjob(document, old_catalog if kept_runtime else catalog, options)
        if kept_runtime and unit is not None and stopped(said) and unit.plan.runtime.document.value != runtime.document.value:
            return None, [*report, _broken_runtime(job, unit.plan.runtime, said)]
        return None if made is None else made.plan, _merged(report, said)
    if is_kept(profile):
        plan = build_plan(job, unit.plan.runtime, profile, options.facts)
    outcome = run_passes(plan, options.passes)
    report += [*outcome.diagnostics, *findings.of_plan(outcome.plan)]
    if not stopped(report):
        found = check_jobset_update(unit.objects[0], build_objects(outcome.plan)[0], old_job, job, profile)
        report += [diagnostic.with_notes(_causes(old_job, job, unit.plan.runtime, plan.runtime)) for diagnostic in found]
    return None if stopped(report) else outcome.plan, report


def _broken_runtime(job: TrainJob, kept: Runtime, found: Sequence[Diagnostic]) -> Diagnostic:
    """The runtime was mended, and the TrainJob does not see it: what the controller goes on to be told is in the notes."""
    snapshot = name_of(job.name)
    return Diagnostic(
        codes.webhook.BROKEN_RUNTIME_KEPT,
        f"the TrainJob keeps the runtime that it was refused with, in ConfigMap {snapshot}: an edit of {kept.kind} {kept.name} changes nothing",
        document=job.document,
        at=("spec", "runtimeRef"),
        stage="jobset",
        hint=f"delete the TrainJob or ConfigMap {snapshot}",
        notes=tuple(Note(diagnostic.message, diagnostic.document, diagnostic.at) for diagnostic in found if diagnostic.is_error),
        subject=("TrainJob", job.namespace, job.name),
    )


def _removed_runtime(job: TrainJob, runtime: Runtime, profile: Profile) -> Diagnostic:
    name = f"{runtime.kind} {runtime.name}"
    goes = profile.has(features.RUNTIME_DELETED_IN_USE)
    refused, stays = "every update of the TrainJob is refused from then on, even suspending it", "it stays, being deleted, for as long as the TrainJob uses it"
    what = refused if goes else stays
    return Diagnostic(
        codes.webhook.RUNTIME_REMOVED,
        f"{name} is not among the new documents: if it is deleted, {what}",
        document=job.document,
        at=("spec", "runtimeRef", "name"),
        stage="webhook",
        severity=None if goes else INFO,
        hint="delete the TrainJob first, or keep the runtime" if goes else "",
        notes=(Note("as it was", runtime.document, ("metadata", "name")),),
        subject=("TrainJob", job.namespace, job.name),
    )


def _causes(old_job: TrainJob, job: TrainJob, old_runtime: Runtime, runtime: Runtime) -> tuple[Note, ...]:
    """What was edited: the TrainJob, whose new place the finding has, or the runtime behind it."""
    at = changed_place(old_job.typed, job.typed)
    if at:
        return (Note("as it was", old_job.document, _found_in(old_job.document, job.document, at)),)
    at = changed_place(old_runtime.document.value, runtime.document.value)
    return (
        Note("the runtime was edited here", runtime.document, at),
        Note("as it was", old_runtime.document, _found_in(old_runtime.document, runtime.document, at)),
    )


def _with_earlier(diagnostics: Sequence[Diagnostic], was: Document) -> list[Diagnostic]:
    """The same with a note where the earlier object has another value in that place."""
    report = []
    for diagnostic in diagnostics:
        document, at = diagnostic.document, diagnostic.at
        if document is not None and at:
            before = _found_in(was, document, at)
            if len(before) == len(at) and value_at(was.value, before) != value_at(document.value, at):
                diagnostic = diagnostic.with_notes((Note("as it was", was, before),))
        report.append(diagnostic)
    return report


def _found_in(was: Document, document: Located, at: Path) -> Path:
    """The place in the earlier document that belongs to one of the new document, as far as it has that; items of lists by their keys."""
    try:
        steps = addresses.keyed(document.value, at)
    except (KeyError, IndexError, TypeError):
        steps = at
    for length in range(len(steps), 0, -1):
        try:
            return addresses.resolve(was.value, steps[:length])
        except KeyError:
            continue
    return ()


def _merged(first: list[Diagnostic], second: list[Diagnostic]) -> list[Diagnostic]:
    """Both, without saying anything twice."""
    said = {(diagnostic.code, diagnostic.path, diagnostic.at, diagnostic.message) for diagnostic in first}
    return [*first, *(new for new in second if (new.code, new.path, new.at, new.message) not in said)]


def _decoded(document: Document, options: Options, was: Document | None) -> tuple[TrainJob | None, list[Diagnostic]]:
    admitted = admit(document, options, None if was is None else was.value)
    report = [*admitted.diagnostics] if was is None else _with_earlier(admitted.diagnostics, was)
    if stopped(report):
        return None, report
    typed, diagnostics = admission_documents.type_check(admitted, options.profile)
    report += diagnostics
    if stopped(report):
        return None, report
    return api_trainjob.decode(document, admitted.value, typed, options.profile.override_field), report
