"""JobSet's own admission of what the controller submits: server-side apply, defaults, schema, webhook, and then the children.

The first stage that refuses is the last that runs. What the Job and Pod APIs would refuse of the children is a stage of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.admission.alike import is_known_to_be_sound, likeness_of, remember
from jobset_compiler.admission.children import refused_children
from jobset_compiler.admission.jobset_defaults import with_defaulter, with_webhook_defaults
from jobset_compiler.admission.jobset_shortcut import has_plain_metadata, has_undeclared_fields, is_plain
from jobset_compiler.admission.jobset_webhook import refusals
from jobset_compiler.admission.schema import admit_document, validate_mutated_document
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic, Note
from jobset_compiler.diagnostics.place import format_path, value_at
from jobset_compiler.resolve.places import where_it_can_be_seen

if TYPE_CHECKING:
    from jobset_compiler.admission.children import ChildRefusal
    from jobset_compiler.admission.jobset_apply import ApplyProblem
    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.diagnostic import Stage
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.structural import FieldError, SchemaVerdict
    from jobset_compiler.profiles import Profile
    from jobset_compiler.profiles.kubernetes import Kubernetes
    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]
STAGE: Final = "jobset"


def check(plan: Plan, jobset: Tree, kubernetes: Kubernetes, *, foreign: bool = False) -> list[Diagnostic]:
    """What stands against a JobSet, in the words of the stage that refuses it; where it is accepted, what stands against its Jobs and Pods.

    kubernetes: whose API server judges Jobs and Pods; foreign: passes of others wrote into it, so that nothing is known of its values.
    """
    likeness = None if foreign else likeness_of(jobset, plan.profile, kubernetes)
    is_known = is_known_to_be_sound(likeness)
    if not foreign and has_plain_metadata(jobset) and (is_known or is_plain(plan, jobset)):
        stored = with_webhook_defaults(jobset)
    else:
        stored, report = _stored(plan, jobset)
        if report:
            return report
    report = [
        _diagnostic(plan, jobset, refusal.code, refusal.path, refusal.message, refusal.at, refusal.also, refusal.hint, close=refusal.meant)
        for refusal in refusals(stored, plan.profile)
    ]
    if report or is_known:
        return report
    report = [_of_child(plan, jobset, refusal) for refusal in refused_children(stored, plan.profile, kubernetes)]
    if likeness is not None and not report:
        remember(likeness)
    return report


def _stored(plan: Plan, jobset: Tree) -> tuple[Tree, list[Diagnostic]]:
    """The JobSet as its defaulter has left it, or what apply or then the schema says against it."""
    profile = plan.profile
    verdict = admit_document(jobset, "JobSet", profile)
    if may_not_apply(verdict) or has_undeclared_fields(jobset, profile):
        from jobset_compiler.admission.jobset_apply import apply_problems

        problems = apply_problems(jobset, profile)
        if problems:
            return jobset, [_not_applied(plan, jobset, problems)]
    if any(error.kind == "FieldValueTypeInvalid" for error in verdict.errors):
        mutated = verdict  # only passes of others write what no Go type holds
    else:
        mutated = validate_mutated_document(with_defaulter(verdict.value, profile), "JobSet", profile)
    if not mutated.errors:
        return with_webhook_defaults(verdict.value), []
    return mutated.value, [
        _diagnostic(plan, jobset, codes.jobset.JOBSET_SCHEMA, error.path, error.summary, error.place, hint=_schema_hint(error, mutated.value, profile))
        for error in mutated.errors
    ]


def _schema_hint(error: FieldError, jobset: Tree, profile: Profile) -> str:
    if error.path[-1:] == ("containers",):
        name = jobset["spec"]["replicatedJobs"][error.path[2]]["name"]
        return f'replicatedJob "{name}" has no containers, in the runtime and in the patches together; a patch for a name that the runtime lacks adds a job'
    if error.path[:1] == ("metadata",):
        return "labels and annotations of the JobSet are those of the runtime's template and of the TrainJob's patches"
    from jobset_compiler.admission.hints import about_null, field_at
    from jobset_compiler.admission.jobset_skew import refused_value_hint
    from jobset_compiler.admission.value_hints import NULL

    if error.message.endswith(NULL):
        return about_null(field_at(profile.jobset_types(), "JobSet", error.path), error.path)
    return refused_value_hint(error.path, profile)


def may_not_apply(verdict: SchemaVerdict) -> bool:
    """Whether the schema saw what apply would stumble over."""
    return bool(verdict.pruned) or any(error.kind == "FieldValueDuplicate" for error in verdict.errors)


def _not_applied(plan: Plan, jobset: Tree, problems: tuple[ApplyProblem, ...]) -> Diagnostic:
    from jobset_compiler.admission.jobset_apply import apply_message

    first = problems[0]
    if first.key:
        code = codes.jobset.DUPLICATE_KEYS
        hint = f"two items have the key {first.key}"
        if "ports" in first.path:
            hint += ": give every port of the container a name, so that none replaces another"
    else:
        from jobset_compiler.admission.jobset_skew import undeclared_hint

        code, hint = codes.jobset.UNDECLARED_FIELD, undeclared_hint(first.path, plan.profile)
    return _diagnostic(plan, jobset, code, (), apply_message(jobset, problems), first.path, hint=hint)


def _of_child(plan: Plan, jobset: Tree, refusal: ChildRefusal) -> Diagnostic:
    """The server's path stands in the message."""
    return _diagnostic(plan, jobset, refusal.code, None, refusal.message, refusal.at, hint=refusal.hint, stage=refusal.stage, close=refusal.meant)


def _diagnostic(
    plan: Plan, jobset: Tree, code: Code, path: Path | None, message: str, at: Path, also: Path = (), hint: str = "", stage: Stage = STAGE, close: str = ""
) -> Diagnostic:
    """path: the server's, None for that of the line shown; at and also: places in the JobSet, which are looked up in the documents that they come from;
    close: what the value there is probably meant to be."""
    from jobset_compiler.diagnostics.fix import meant
    from jobset_compiler.provenance.places import written_at

    written, line = written_at(plan, jobset, at)
    document, place, notes = where_it_can_be_seen(plan, written, line)
    if path is None:
        path = place
    if also:
        second, second_place = written_at(plan, jobset, also)
        notes = (*notes, Note("together with this", second, second_place))
    elif document is not plan.job.document:
        notes = (Note("used by this TrainJob", plan.job.document, ("spec", "runtimeRef")),)
    return Diagnostic(
        code,
        message,
        document=document,
        at=place,
        path=format_path(path) if path else "",
        hint=hint,
        stage=stage,
        notes=notes,
        remedies=meant(place, close, value_at(document.value, place)) if close else (),
        subject=("JobSet", plan.job.namespace, plan.job.name),
    )
