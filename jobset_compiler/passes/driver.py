"""Runs passes in order: collects what each yields, applies it, remembers who wrote what, refuses conflicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.diagnostics.codes.policy import PASS_CONFLICT, PASS_FAILED
from jobset_compiler.diagnostics.diagnostic import Diagnostic, Note
from jobset_compiler.passes.apply import Slot, apply_edits, slot_of
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.resolve.places import where_it_can_be_seen
from jobset_compiler.resolve.record import OfRuntime, Write

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.passes.api import Edit, Pass
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.resolve.record import Because
    from jobset_compiler.source.document import Document

BUILT_IN = "jobset-compiler"
OURS = frozenset(map(id, BUILTIN))


class Outcome(NamedTuple):
    """What the passes came to; `plan.writes` tells what each wrote. `foreign`: a pass that is not built in has run, so that any value may be anywhere."""

    plan: Plan
    diagnostics: tuple[Diagnostic, ...]
    foreign: bool = False


def run_passes(plan: Plan, passes: Iterable[Pass]) -> Outcome:
    """The Plan after all passes that apply to it, in the order given.

    A pass that yields a diagnostic of error severity does not stop the others: all problems are reported at once.
    """
    writes: list[Write] = []
    latest: dict[Slot, Write] = {}
    diagnostics: list[Diagnostic] = []
    foreign = False
    for step in passes:
        try:
            if step.when(plan):
                # By identity: whoever hands over a Pass without saying whose it is has not made it one of ours.
                foreign = foreign or id(step) not in OURS
                plan = _act(step, plan, writes, latest, diagnostics)
        except Exception as error:
            if step.distribution == BUILT_IN:
                raise
            diagnostics.append(_failed(step, error))
    return Outcome(plan._replace(writes=tuple(writes)), tuple(diagnostics), foreign)


def _act(step: Pass, plan: Plan, writes: list[Write], latest: dict[Slot, Write], diagnostics: list[Diagnostic]) -> Plan:
    """The Plan after one pass; what it wrote goes into `writes` (and `latest`), what it had to say (and conflicts) into `diagnostics`."""
    edits: list[Edit] = []
    for item in step.run(plan):
        if isinstance(item, Diagnostic):
            diagnostics.append(item)
        else:
            edits.append(item)
    if not edits:
        return plan
    accepted = []
    for edit in edits:
        slot, value = slot_of(edit)
        earlier = latest.get(slot)
        if earlier and earlier.value != value and earlier.pass_name not in (step.name, *step.overrides):
            diagnostics.append(_conflict(plan, step, earlier, Write(slot, value, step.name, edit.because)))
            continue
        write = latest[slot] = Write(slot, value, step.name, edit.because)
        writes.append(write)
        accepted.append(edit)
    return apply_edits(plan, accepted)


def _conflict(plan: Plan, step: Pass, earlier: Write, later: Write) -> Diagnostic:
    what = " ".join(part for part in later.slot if part)
    document, at, notes = _place(plan, later.because)
    return Diagnostic(
        PASS_CONFLICT,
        f"pass {step.name} wants {what} to be {later.value!r}, but pass {earlier.pass_name} has set it to {earlier.value!r}",
        document=document,
        at=at,
        stage="passes",
        hint=f"let {step.name} name {earlier.pass_name} in its `overrides` if it is meant to win",
        notes=(*notes, Note(f"set by {earlier.pass_name} on account of this", *_place(plan, earlier.because)[:2])),
    )


def _place(plan: Plan, because: Because) -> tuple[Document, Path, tuple[Note, ...]]:
    if isinstance(because, OfRuntime):
        return where_it_can_be_seen(plan, plan.runtime.document, because.path)
    return plan.job.document, because, ()


def _failed(step: Pass, error: Exception) -> Diagnostic:
    return Diagnostic(
        PASS_FAILED,
        f"pass {step.name} of distribution {step.distribution} failed: {type(error).__name__}: {error}",
        stage="passes",
        hint=f"report it to {step.distribution}, or leave its passes out with --no-plugins",
    )
