"""A difference for people at a terminal: by cause, with the TrainJobs and fields that it concerns.

It looks like this:

    main -> HEAD: 2 of 5 TrainJobs change

    because spec.mlPolicy.numNodes of the runtime torch changed from 2 to 4  (runtimes/torch.yaml:8)
      in ml/a, ml/b
        ~ JobSet spec.replicatedJobs[name=node].template.spec.parallelism: 2 -> 4
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.diagnostics.inert import one_line
from jobset_compiler.diff.causes import causes_of
from jobset_compiler.diff.difference import NOT_COMPARED
from jobset_compiler.diff.fields import ADDED, REMOVED, REORDERED
from jobset_compiler.diff.values import inline, lines_of
from jobset_compiler.diff.workload import workload_changes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diff.causes import Effect
    from jobset_compiler.diff.difference import Difference, JobDifference, Reason
    from jobset_compiler.diff.side import Job, Side

SIGNS = {ADDED: "+", REMOVED: "-", REORDERED: "~"}
# Names of TrainJobs that are listed before the rest is counted.
NAMED = 12


class Style(NamedTuple):
    """What sets parts off on a terminal; empty elsewhere."""

    added: str = ""
    removed: str = ""
    changed: str = ""
    bold: str = ""
    dim: str = ""
    reset: str = ""

    def sign(self, sign: str, text: str) -> str:
        colour = {"+": self.added, "-": self.removed, "~": self.changed}.get(sign, "")
        return f"{colour}{text}{self.reset}" if colour else text


PLAIN = Style()
COLOURED = Style("\x1b[32m", "\x1b[31m", "\x1b[33m", "\x1b[1m", "\x1b[2m", "\x1b[0m")


def to_text(difference: Difference, style: Style = PLAIN) -> str:
    """The whole report; ends in a line break, "" never: no difference is said too."""
    parts = [f"{style.bold}{one_line(headline(difference))}{style.reset}\n"]
    parts += _refused(difference)
    parts += [_whole(job, style) for job in difference.changed if job.state in (ADDED, REMOVED)]
    for cause in causes_of(difference):
        place = f"  ({cause.place})" if cause.place else ""
        parts.append(f"\n{style.bold}{one_line(spoken(cause.reasons))}{style.reset}{style.dim}{one_line(place)}{style.reset}\n")
        for scope in cause.scopes:
            parts.append(f"  in {one_line(names(scope.jobs))}\n")
            parts += [_effect(effect, style) for effect in scope.effects]
    changes = workload_changes(difference)
    if changes:
        parts.append("\nwhat will run:\n")
        parts += [f"  {one_line(str(change))}\n" for change in changes]
    parts += _warnings(f"new with {difference.after.label}", difference.only_after(), style)
    parts += _warnings(f"gone with {difference.after.label}", difference.only_before(), style)
    return "".join(parts)


def headline(difference: Difference, arrow: str = "->") -> str:
    """ "v2.0 -> v2.3: 7 of 8 TrainJobs change, 1 cannot be compared"."""
    total, changed = len(difference.jobs), len(difference.changed)
    refused = sum(job.state == NOT_COMPARED for job in difference.jobs)
    what = f"{changed} of {counted(total, 'TrainJob')} change{'s' if changed == 1 else ''}" if changed else f"no change in {counted(total, 'TrainJob')}"
    more = f", {refused} cannot be compared" if refused else ""
    return f"{difference.before.label} {arrow} {difference.after.label}: {what}{more}"


def spoken(reasons: Sequence[Reason], sentence: Callable[[Reason], str] = attrgetter("sentence")) -> str:
    """ "because X; and since v2.3: Y": a feature says itself since when."""
    told = "; and ".join(map(sentence, reasons)) or "both inputs are different as a whole"
    return told if reasons and reasons[0].kind == "feature" else f"because {told}"


def names(jobs: Sequence[str]) -> str:
    listed = ", ".join(jobs[:NAMED])
    return f"{listed} and {len(jobs) - NAMED} more" if len(jobs) > NAMED else listed


def told(effect: Effect) -> str:
    """What happens to the value, where that fits on a line."""
    if effect.kind == ADDED:
        return inline(effect.after)
    if effect.kind == REMOVED:
        return f"{inline(effect.before)} is gone"
    if effect.kind == REORDERED:
        return f"order {', '.join(effect.before)} -> {', '.join(effect.after)}"
    return f"{inline(effect.before)} -> {inline(effect.after)}"


def remarks(effect: Effect) -> str:
    """Who writes the field, and where it goes back to."""
    parts = [part for part in (f"pass {effect.written_by}" if effect.written_by else "", effect.place) if part]
    return f"  ({', '.join(parts)})" if parts else ""


def _effect(effect: Effect, style: Style) -> str:
    sign = SIGNS.get(effect.kind, "~")
    head = f"    {style.sign(sign, sign)} {one_line(f'{effect.object} {effect.address}')}".rstrip()
    tail = f"{style.dim}{one_line(remarks(effect))}{style.reset}"
    lines = lines_of(effect.kind, effect.before, effect.after)
    if not lines:
        return f"{head}: {one_line(told(effect))}{tail}\n"
    return f"{head}:{tail}\n" + "".join(f"        {style.sign(line.sign, f'{line.sign} {one_line(line.text)}')}".rstrip() + "\n" for line in lines)


def _whole(job: JobDifference, style: Style) -> str:
    """A TrainJob that only one side has."""
    side = job.after or job.before
    assert side is not None
    sign, verb = ("+", "is new") if job.state == ADDED else ("-", "is gone")
    pods = job.pods[1 if job.state == ADDED else 0]
    running = ", ".join(f"{summary.name} {counted(summary.count, 'pod')}" for summary in pods)
    line = f"{sign} TrainJob {job.name} {verb}: {', '.join(item.name for item in job.objects)}"
    more = f" ({running})" if running else ""
    return f"\n{style.sign(sign, one_line(line))}{one_line(more)}{style.dim}{one_line(_place(side))}{style.reset}\n"


def _refused(difference: Difference) -> list[str]:
    parts = []
    for job in difference.jobs:
        if job.state == NOT_COMPARED:
            parts.append(f"\nTrainJob {one_line(job.name)} cannot be compared\n")
            for side, member in ((difference.before, job.before), (difference.after, job.after)):
                parts += [f"  {one_line(line)}\n" for line in verdict(side, member)]
    for side in (difference.before, difference.after):
        errors = [diagnostic for diagnostic in side.other if diagnostic.is_error]
        if errors:
            parts.append(f"\n{one_line(side.label)} has errors outside of TrainJobs\n")
            parts += [f"  {one_line(described(diagnostic))}\n" for diagnostic in errors]
    return parts


def verdict(side: Side, job: Job | None) -> list[str]:
    """What one side makes of a TrainJob that cannot be compared; lines."""
    if job is None:
        return [f"{side.label}: has no such TrainJob"]
    if job.unit is not None:
        return [f"{side.label}: {', '.join(manifest['kind'] + ' ' + manifest['metadata']['name'] for manifest in job.unit.objects)}"]
    # A field that is dropped may be why the rest is refused, and its hint has the spelling to use.
    told = [diagnostic for diagnostic in job.diagnostics if diagnostic.is_error or diagnostic.slug in ("unknown-field", "runtime-missing-ignored")]
    return [f"{side.label}: {described(diagnostic)}" for diagnostic in sorted(told, key=lambda diagnostic: not diagnostic.is_error)]


def described(diagnostic: Diagnostic) -> str:
    """A diagnostic on one line, its place at the end."""
    hint = f" (hint: {diagnostic.hint})" if diagnostic.hint else ""
    path = f"{diagnostic.path}: " if diagnostic.path else ""
    place = f"  ({diagnostic.file}:{diagnostic.line})" if diagnostic.line else f"  ({diagnostic.file})" if diagnostic.file else ""
    return " ".join(f"{diagnostic.severity} {diagnostic.code} {path}{diagnostic.message}{hint}{place}".split("\n"))


def _warnings(title: str, diagnostics: Sequence[Diagnostic], style: Style) -> list[str]:
    listed = [diagnostic for diagnostic in diagnostics if diagnostic.severity == "warning"]
    return [f"\n{one_line(title)}:\n", *(f"  {one_line(described(diagnostic))}\n" for diagnostic in listed)] if listed else []


def _place(job: Job) -> str:
    span = job.document.locate(())
    return f"  ({span.file}:{span.line})" if span.line else ""


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
