"""Runs passes stage by stage: collects what each yields, applies it, remembers who wrote what, refuses conflicts and what comes too late."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic, Note
from jobset_compiler.passes.api import MAY_YIELD, in_stages
from jobset_compiler.passes.draft import Draft
from jobset_compiler.passes.edits import SETTLED
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.resolve.places import where_it_can_be_seen
from jobset_compiler.resolve.record import OfCount, OfFeature, OfMetadata, OfRuntime, OfTemplate, Parts, Several, Write
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.passes.api import Edit, Pass
    from jobset_compiler.passes.container_edits import Slot
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.resolve.record import Because
    from jobset_compiler.source.document import Document

OURS = frozenset(map(id, BUILTIN))

NUM_NODES = ("spec", "trainer", "numNodes")


class Outcome(Value):
    """What the passes came to; `plan.writes` tells what each wrote. `foreign`: a pass that is not built in has run, so that any value may be anywhere."""

    __slots__ = ("diagnostics", "foreign", "plan")

    def __init__(self, plan: Plan, diagnostics: tuple[Diagnostic, ...], foreign: bool = False) -> None:
        self.plan: Final = plan
        self.diagnostics: Final = diagnostics
        self.foreign: Final = foreign


def run_passes(plan: Plan, passes: tuple[Pass, ...]) -> Outcome:
    """The Plan after all passes that apply to it: stage by stage, inside a stage in the order given.

    A pass that yields a diagnostic of error severity does not stop the others: all problems are reported at once.
    """
    writes: list[Write] = []
    latest: dict[Slot, Write] = {}
    diagnostics: list[Diagnostic] = []
    foreign = False
    for step in passes if passes is BUILTIN else in_stages(passes):
        # By identity: whoever hands over a Pass without saying whose it is has not made it one of ours.
        is_ours = id(step) in OURS
        if not (step.when(plan) if is_ours else acts(step, plan, diagnostics)):
            continue
        foreign = foreign or not is_ours
        try:
            plan = _act(step, plan, passes, writes, latest, diagnostics)
        except Exception as error:
            if not step.distribution:
                raise
            diagnostics.append(_failed(step, error))
    plan = plan._replace(writes=tuple(writes))
    if foreign:
        wrote = {write.pass_name for write in writes}
        plan = plan._replace(extensions=tuple(sorted({step.extension for step in passes if step.extension and step.name in wrote})))
        if not any(diagnostic.is_error for diagnostic in diagnostics):
            diagnostics += _by_extensions(plan)
    return Outcome(plan, tuple(diagnostics), foreign)


def acts(step: Pass, plan: Plan, diagnostics: list[Diagnostic]) -> bool:
    """Whether a pass of others has to do with the Plan. One that cannot say has not; why goes into `diagnostics`."""
    try:
        return step.when(plan)
    except Exception as error:
        if not step.distribution:
            raise
        diagnostics.append(_failed(step, error))
        return False


def _by_extensions(plan: Plan) -> list[Diagnostic]:
    """Once for every extension that has written something: no release does so."""
    job = plan.job
    return [
        Diagnostic(
            codes.extensions.WRITTEN_BY_EXTENSION,
            f"extension {name} has a part in what is rendered: no release of Trainer does what it does",
            document=job.document,
            at=("spec", "runtimeRef", "name"),
            stage="passes",
            subject=("TrainJob", job.namespace, job.name),
        )
        for name in plan.extensions
    ]


def _act(
    step: Pass, plan: Plan, passes: tuple[Pass, ...], writes: list[Write], latest: dict[Slot, Write], diagnostics: list[Diagnostic]
) -> Plan:
    """The Plan after one pass; what it wrote goes into `writes` (and `latest`), what it had to say (and what is refused) into `diagnostics`."""
    allowed = MAY_YIELD[step.stage]
    edits: list[Edit] = []
    for item in step.run(plan):
        if isinstance(item, Diagnostic):
            diagnostics.append(item)
        elif type(item) in allowed:
            edits.append(item)
        else:
            assert id(step) not in OURS, f"pass {step.name} of stage {step.stage} yields {item!r}"
            diagnostics.append(_out_of_stage(step, item))
    if not edits:
        return plan
    draft = Draft(plan)
    name = step.name
    for edit in edits:
        slot, value = edit.slot, edit.value
        earlier = latest.get(slot)
        if earlier is None:
            write = Write(slot, value, name, edit.because)
            edit.apply(draft)
        else:
            slot = earlier.slot
            write = Write(slot, value, name, edit.because)
            if earlier.value is not value or type(edit) not in SETTLED:
                if earlier.value != value and not _may_replace(step, earlier, passes):
                    diagnostics.append(_conflict(plan, step, earlier, write))
                    continue
                edit.apply(draft)
        latest[slot] = write
        writes.append(write)
    return draft.frozen()


def _may_replace(step: Pass, earlier: Write, passes: tuple[Pass, ...]) -> bool:
    """Whether a pass may put a value in place of an earlier one: its own, or that of a pass, or of a stage, that it names."""
    if earlier.pass_name in (step.name, *step.overrides):
        return True
    return any(other.name == earlier.pass_name and other.stage in step.overrides for other in passes)


def _conflict(plan: Plan, step: Pass, earlier: Write, later: Write) -> Diagnostic:
    what = " ".join(part for part in later.slot if part)
    document, at, notes = _place(plan, later.because)
    return Diagnostic(
        codes.policy.PASS_CONFLICT,
        f"pass {step.name} wants {what} to be {later.value!r}, but pass {earlier.pass_name} has set it to {earlier.value!r}",
        document=document,
        at=at,
        stage="passes",
        hint=f"let {step.name} name {earlier.pass_name} in its `overrides` if it is meant to win",
        notes=(*notes, Note(f"set by {earlier.pass_name} on account of this", *_place(plan, earlier.because)[:2])),
    )


def _place(plan: Plan, because: Because) -> tuple[Document, Path, tuple[Note, ...]]:
    match because:
        case OfRuntime(path):
            return where_it_can_be_seen(plan, plan.runtime.document, path)
        case Several(places):
            return _place(plan, places[0] if places else ())
        case Parts(_, whole):
            return _place(plan, whole)
        case OfCount():
            of_trainjob = plan.job.trainer is not None and plan.job.trainer.num_nodes is not None
            return _place(plan, NUM_NODES if of_trainjob else OfRuntime(("spec", "mlPolicy", "numNodes")))
        case OfMetadata() | OfTemplate() | OfFeature():
            return plan.job.document, (), ()
    return plan.job.document, because, ()


def _out_of_stage(step: Pass, item: object) -> Diagnostic:
    whose = f" of distribution {step.distribution}" if step.distribution else ""
    return Diagnostic(
        codes.policy.PASS_OUT_OF_STAGE,
        f"pass {step.name}{whose} yields {type(item).__name__}, which a pass of stage {step.stage} may not",
        stage="passes",
        hint=_report_it(step) if whose else "give it an earlier stage, or split it in two",
    )


def _failed(step: Pass, error: Exception) -> Diagnostic:
    return Diagnostic(
        codes.policy.PASS_FAILED,
        f"pass {step.name} of distribution {step.distribution} failed: {type(error).__name__}: {error}",
        stage="passes",
        hint=_report_it(step),
    )


def _report_it(step: Pass) -> str:
    return f"report it to {step.distribution}, or leave its passes out with --no-plugins"
