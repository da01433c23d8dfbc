"""Trainer's mutating webhook for TrainJobs, which stands between the request and the schema (2.2 and later).

It reads every TrainJob into Go's types, so that what does not fit is refused here, in its words, and it stamps the time of the
overrides that have none. Only then has it changed anything: the object that the schema sees has been written by Go.

Source: TrainJobDefaulter in pkg/webhooks/trainjob_webhook.go (#3309); a live control plane for the order and the words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.schema import TYPES, admit_document, validate_mutated_document
from jobset_compiler.admission.subject import subject_of
from jobset_compiler.api.trainjob import API_VERSION
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.diagnostics.place import format_path, value_at
from jobset_compiler.kube.mutation import patched
from jobset_compiler.kube.retype import read_and_written, retype
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.retype import DecodeProblem
    from jobset_compiler.kube.structural import FieldError, SchemaVerdict
    from jobset_compiler.profiles import Profile
    from jobset_compiler.source.document import Document

Tree = dict[str, Any]
KIND = "TrainJob"
DENIED = 'admission webhook "defaulter.trainjob.trainer.kubeflow.org" denied the request: '


def has_defaulter(profile: Profile) -> bool:
    """Whether a webhook of the release writes TrainJobs anew that have overrides."""
    return profile.has(features.TRAINJOB_DEFAULTER)


def mutate(document: Document, verdict: SchemaVerdict, profile: Profile, was: Tree | None = None) -> tuple[SchemaVerdict, Tree, list[Diagnostic]]:
    """The verdict of the schema on what the webhook leaves, the TrainJob in Go's types, and why the webhook refuses it.

    verdict: that of the schema on what was sent, as a new object; was: the object before an update.
    """
    if is_undecodable(verdict):
        return verdict, {}, []  # no webhook sees it
    written = read_and_written(verdict.value, profile.types(), TYPES[KIND])
    typed = written.value
    if written.problems:
        return verdict, typed, _refusals(document, verdict, written.problems, profile)
    stamped = stamps(verdict.value) if was is None else stamps_update(was, typed, profile)
    if was is not None or (stamped and (verdict.errors or written.has_unset)):  # the schema may refuse a null that Go has written
        value = patched(verdict.value, typed) if stamped else verdict.value
        before = None if was is None else as_stored(was, profile)
        verdict = verdict._replace(errors=validate_mutated_document(value, KIND, profile, before).errors)
        typed, _ = retype(value, profile.types(), TYPES[KIND])
    return verdict, {"apiVersion": API_VERSION, "kind": KIND, **typed}, []


def as_stored(sent: Tree, profile: Profile) -> Tree:
    """A TrainJob that was accepted as the server has it: rewritten by the webhook where that stamped an override.

    A rewritten one has quantities in their canonical form, one that nothing was stamped on has them as they were written, and the
    server compares texts: that is how an override that comes or goes makes spec.trainer differ.
    """
    stored = admit_document(sent, KIND, profile).value
    if not stamps(stored):
        return stored
    typed, problems = retype(stored, profile.types(), TYPES[KIND])
    written: Tree = stored if problems else patched(stored, typed)
    return written


def about_quantities(error: FieldError, document: Document, sent: Tree, typed: Tree, was: Tree, profile: Profile) -> Diagnostic | None:
    """The refusal of an update of spec.trainer that changes no amount; None for any other finding.

    sent: the TrainJob of the update after pruning; typed: the same in Go's types; was: the one before.
    """
    if error.path != ("spec", "trainer") or not error.message.endswith("immutable"):
        return None
    from jobset_compiler.admission.hints import listed
    from jobset_compiler.emit.json import compact

    stored, is_stamped = as_stored(was, profile), stamps_update(was, typed, profile)
    before, _ = retype(stored, profile.types(), TYPES[KIND])
    if before["spec"].get("trainer") != typed["spec"].get("trainer"):
        return None
    places = _retold(stored, patched(sent, typed) if is_stamped else sent)
    if not places:
        return None
    then, now = (listed(tuple(f"{at[-1]} {compact(value_at(tree, at))}" for at in places)) for tree in (stored, patched(sent, typed)))
    if is_stamped and all(value_at(sent, at) == value_at(stored, at) for at in places):
        hint = f"the override makes Trainer's webhook write {now} for {then}: create the TrainJob anew with quantities in that form"
    else:
        hint = f"the amounts are the same, but the server has {then} and compares texts: write that"
    return Diagnostic(
        codes.schema.QUANTITY_RETOLD,
        error.summary,
        document=document,
        at=places[0],
        path=format_path(error.path),
        stage="schema",
        hint=hint,
        subject=subject_of(document),
    )


def _retold(before: Tree, after: Tree) -> list[Path]:
    """The places of quantities that are another text."""
    sides: list[Path] = [("spec", "trainer", "resourcesPerNode", side) for side in ("limits", "requests")]
    places = [(*side, name) for side in sides for name in value_at(after, side) or ()]
    return [at for at in places if value_at(before, at) != value_at(after, at)]


def is_undecodable(verdict: SchemaVerdict) -> bool:
    """Whether the server cannot even read the metadata."""
    return any(error.kind == "Decode" for error in verdict.errors)


def stamps(value: Tree) -> bool:
    """Whether the webhook changes a new TrainJob: an override without a time gets one."""
    patches = value.get("spec", {}).get("runtimePatches")
    # Go reads a null as an override without anything in it.
    return bool(patches) and any(patch is None or patch.get("time") is None for patch in patches)


def stamps_update(was: Tree, typed: Tree, profile: Profile) -> bool:
    """Whether the webhook changes an update: an override keeps the time that it had, unless it differs; then, or where it is new, it gets one."""
    from jobset_compiler.kube.same import same_values

    stored = as_stored(was, profile)
    before, _ = retype(stored, profile.types(), TYPES[KIND])
    earlier = {patch.get("manager"): patch for patch in before.get("spec", {}).get("runtimePatches", ())}
    field = profile.types().struct("trainer.TrainJobSpec").fields["runtimePatches"].elem
    assert field is not None
    for patch in typed.get("spec", {}).get("runtimePatches", ()):
        old = earlier.get(patch.get("manager"))
        if old is None:
            stamped = "time" not in patch
        elif same_values({**old, "time": None}, {**patch, "time": None}, field):
            # One that was stamped on creation has a time that nobody can have written.
            stamped = "time" not in old or patch.get("time") != old["time"]
        else:
            stamped = True
        if stamped:
            return True
    return False


def _refusals(document: Document, verdict: SchemaVerdict, problems: Sequence[DecodeProblem], profile: Profile) -> list[Diagnostic]:
    """One a place: the webhook tells the first, and the next one once that is mended. What the schema would have said gives code and advice."""
    from jobset_compiler.admission.value_hints import advise_value
    from jobset_compiler.kube.structural import FieldError

    by_schema = {error.path: error for error in reversed(verdict.errors)}
    report = []
    for problem in problems:
        error = by_schema.get(problem.path) or FieldError(problem.path, "FieldValueTypeInvalid", problem.message)
        advice = advise_value(error, document, KIND, profile)
        report.append(
            Diagnostic(
                codes.schema.for_kind(error.kind),
                DENIED + problem.message,
                document=document,
                at=problem.path,
                path=format_path(problem.path) if problem.path else "",
                stage="decode",
                hint=advice.hint,
                remedies=advice.remedies,
                subject=subject_of(document),
            )
        )
    return report
