"""What somebody has to do before the second side can take the place of the first: inputs that it refuses, fields that it drops."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.diff.difference import NOT_COMPARED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diff.difference import Difference, JobDifference

DROPPED = "unknown-field"


class Duty(NamedTuple):
    """text: what to do and why; place: file:line, "" for none; job: the TrainJob as `JobDifference.name`, "" for none."""

    text: str
    place: str
    job: str = ""


def duties_of(difference: Difference) -> tuple[Duty, ...]:
    """In the order of the second side; what the first side refuses or drops too is no news."""
    found = [duty for job in difference.jobs for duty in _of_job(difference, job)]
    after = difference.after.label
    known = {(diagnostic.code, diagnostic.message) for diagnostic in difference.before.other}
    new = [diagnostic for diagnostic in difference.after.other if diagnostic.is_error and (diagnostic.code, diagnostic.message) not in known]
    return (*found, *(Duty(f"mend what {after} refuses: {_told(diagnostic)}", _place(diagnostic)) for diagnostic in new))


def untold(difference: Difference, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The warnings among them that stand in the report neither as a duty, nor as a cause, nor as why a TrainJob cannot be compared."""
    told = {duty.place for duty in duties_of(difference)}
    refused = {job.key[:2] for job in difference.jobs if job.state == NOT_COMPARED}
    for job in difference.jobs:
        told.update(reason.place for item in job.objects for field in item.fields for reason in field.reasons if reason.kind == "dropped")
    warnings = [diagnostic for diagnostic in diagnostics if diagnostic.severity == "warning"]
    return [one for one in warnings if one.slug != DROPPED or (_place(one) not in told and (one.namespace, one.name) not in refused)]


def _of_job(difference: Difference, job: JobDifference) -> Iterator[Duty]:
    if job.after is None or (job.before is not None and job.before.unit is None):
        return
    before = {diagnostic.path for diagnostic in job.before.diagnostics} if job.before else set()
    after = difference.after.label
    if job.after.unit is None:
        error = next((diagnostic for diagnostic in job.after.diagnostics if diagnostic.is_error), None)
        if error is None:
            return  # what is wrong with its runtime is told of that
        yield Duty(f"mend it, {after} refuses it ({error.code} {error.slug}, below)", _place(error), job.name)
    elif job.before is not None:
        for diagnostic in job.after.diagnostics:
            if diagnostic.slug == DROPPED and diagnostic.path not in before:
                way_out = f": {diagnostic.hint}" if diagnostic.hint else ""
                yield Duty(f"write {diagnostic.path} otherwise, {after} drops it{way_out}", _place(diagnostic), job.name)


def _told(diagnostic: Diagnostic) -> str:
    hint = f" ({diagnostic.hint})" if diagnostic.hint else ""
    return " ".join(f"{diagnostic.code} {diagnostic.message}{hint}".split("\n"))


def _place(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.file}:{diagnostic.line}" if diagnostic.line else diagnostic.file
