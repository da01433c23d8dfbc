"""A difference for people at a terminal, as a release note: what they have to do, what behaves otherwise and why, new images, what stays.

It looks like this:

    v2.2 -> v2.3: 2 of 5 TrainJobs change, 3 do not

    you have to:
      ! ml/c: write spec.podTemplateOverrides otherwise, v2.3 drops it: ...  (jobs/c.yaml:9)

    because spec.mlPolicy.numNodes of the runtime torch changed from 2 to 4  (runtimes/torch.yaml:8)
      in ml/a, ml/b
        ~ job node: parallelism, completions: 2 -> 4

    new images, because the runtime torch-distributed that comes with v2.3 is not that of v2.2
      in ml/a
        ~ job node, container node: pytorch/pytorch 2.9 -> 2.10

    as before: ml/d, ml/e, ml/f

On a terminal lines are wrapped to its width.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.diagnostics.inert import one_line
from jobset_compiler.diff.causes import causes_of
from jobset_compiler.diff.difference import NOT_COMPARED, UNCHANGED
from jobset_compiler.diff.duties import duties_of, untold
from jobset_compiler.diff.fields import ADDED, CHANGED, REMOVED, REORDERED
from jobset_compiler.diff.words import bump_of, is_image, lines_in_words, place_of, told
from jobset_compiler.diff.workload import workload_changes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diff.difference import Difference, JobDifference, Reason
    from jobset_compiler.diff.effect import ReleaseEffect
    from jobset_compiler.diff.side import ComparedJob, Side
    from jobset_compiler.diff.values import ShownLine

SIGNS = {ADDED: "+", REMOVED: "-", REORDERED: "~"}
# Names of TrainJobs that are listed before the rest is counted.
NAMED = 12


class Style(NamedTuple):
    """What sets parts off on a terminal; empty elsewhere."""

    added: str = ""
    removed: str = ""
    changed: str = ""
    duty: str = ""
    bold: str = ""
    dim: str = ""
    reset: str = ""

    def sign(self, sign: str, text: str) -> str:
        colour = {"+": self.added, "-": self.removed, "~": self.changed, "!": self.duty}.get(sign, "")
        return f"{colour}{text}{self.reset}" if colour else text


PLAIN = Style()
COLOURED = Style("\x1b[32m", "\x1b[31m", "\x1b[33m", "\x1b[1;31m", "\x1b[1m", "\x1b[2m", "\x1b[0m")


def to_text(difference: Difference, style: Style = PLAIN, width: int = 0) -> str:
    """The whole report; ends in a line break, "" never: no difference is said too. width: to which lines are wrapped, 0 for not at all."""
    page = _Page(style, width)
    page.line(headline(difference), set_off=style.bold)
    _duties(difference, page)
    _refused(difference, page)
    for job in difference.changed:
        if job.state in (ADDED, REMOVED):
            _whole(job, page)
    for cause in causes_of(difference):
        place = f"  ({cause.place})" if cause.place else ""
        page.gap()
        page.line(f"{'new images, ' if cause.images else ''}{spoken(cause.reasons)}", set_off=style.bold, remark=place)
        for scope in cause.scopes:
            page.line(f"in {names(scope.jobs)}", indent=2)
            for effect in scope.effects:
                _effect(effect, page)
    _listed("what will run:", [str(change) for change in workload_changes(difference)], page)
    _warnings(f"new with {difference.after.label}", untold(difference, difference.only_after()), page)
    _warnings(f"gone with {difference.after.label}", untold(difference, difference.only_before()), page)
    _as_before(difference, page)
    return page.text


class _Page:
    """Lines that are written one after another, wrapped if a width is known."""

    def __init__(self, style: Style, width: int) -> None:
        self.style = style
        self._width = width
        self._parts: list[str] = []

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def gap(self) -> None:
        self._parts.append("\n")

    def line(self, text: str, *, indent: int = 0, sign: str = "", set_off: str = "", remark: str = "") -> None:
        """One line: an indent, a sign, the text in the style `set_off`, a remark that stands back."""
        style = self.style
        text, remark = one_line(text), one_line(remark)
        head = " " * indent + (f"{style.sign(sign, sign)} " if sign else "")
        room = indent + (len(sign) + 1 if sign else 0)
        pieces = [text]
        apart = False
        if self._width and room + len(text) + len(remark) > self._width:
            pieces = _wrapped(text, self._width - room, self._width - room - 4)
            apart = room + 4 + len(pieces[-1]) + len(remark) > self._width
        ending = f"{style.dim}{remark}{style.reset}" if remark and not apart else ""
        pad = " " * (room + 4)
        shown = [f"{head if not number else pad}{set_off}{piece}{style.reset if set_off else ''}" for number, piece in enumerate(pieces)]
        self._parts.append(f"{chr(10).join(shown)}{ending}".rstrip() + "\n")
        if remark and apart:
            # The blanks of the margin may be lost; those in a path may not.
            self._parts += [f"{pad}{style.dim}{piece}{style.reset}\n" for piece in _wrapped(remark.strip(), self._width - room - 4, self._width - room - 4)]

    def shown(self, line: ShownLine, indent: int) -> None:
        """A line of a value, which is not wrapped: it can be copied."""
        self._parts.append(f"{' ' * indent}{self.style.sign(line.sign, f'{line.sign} {one_line(line.text)}')}".rstrip() + "\n")


def _wrapped(text: str, first: int, rest: int) -> list[str]:
    from textwrap import wrap

    if len(text) <= first:
        return [text]
    blanks = first - rest
    lines = wrap(text, max(first, 20), subsequent_indent=" " * blanks, break_long_words=False, break_on_hyphens=False)
    return [line[blanks:] if number else line for number, line in enumerate(lines)]


def headline(difference: Difference, arrow: str = "->") -> str:
    """ "v2.0 -> v2.3: 6 of 8 TrainJobs change, 1 does not, 1 cannot be compared"."""
    total, changed = len(difference.jobs), len(difference.changed)
    refused = sum(job.state == NOT_COMPARED for job in difference.jobs)
    same = sum(job.state == UNCHANGED for job in difference.jobs)
    if changed:
        parts = [f"{changed} of {counted(total, 'TrainJob')} change{'s' if changed == 1 else ''}"]
        parts += [f"{same} do{'es' if same == 1 else ''} not"] if same else []
    else:
        parts = [f"no change in {counted(same, 'TrainJob')}"] if same or not refused else []
    parts += [f"{refused if parts else counted(refused, 'TrainJob')} cannot be compared"] if refused else []
    return f"{difference.before.label} {arrow} {difference.after.label}: {', '.join(parts)}"


def unchanged(difference: Difference) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the TrainJobs that stay as they are, and the objects that stay in those that change."""
    jobs = tuple(job.name for job in difference.jobs if job.state == UNCHANGED)
    objects = (item for job in difference.jobs if job.state == CHANGED for item in job.objects if item.state == UNCHANGED)
    return jobs, tuple(f"{item.key[1]} {item.key[2]}/{item.key[3]}" for item in objects)


def spoken(reasons: Sequence[Reason], sentence: Callable[[Reason], str] = attrgetter("sentence")) -> str:
    """ "because X; and since v2.3: Y": a feature says itself since when."""
    told = "; and ".join(map(sentence, reasons)) or "both inputs are different as a whole"
    return told if reasons and reasons[0].kind == "feature" else f"because {told}"


def names(jobs: Sequence[str]) -> str:
    listed = ", ".join(jobs[:NAMED])
    return f"{listed} and {len(jobs) - NAMED} more" if len(jobs) > NAMED else listed


def remarks(effect: ReleaseEffect) -> str:
    """Who writes the field, and where it goes back to."""
    parts = [part for part in (f"pass {effect.written_by}" if effect.written_by else "", effect.place) if part]
    return f"  ({', '.join(parts)})" if parts else ""


def _effect(effect: ReleaseEffect, page: _Page) -> None:
    sign = SIGNS.get(effect.kind, "~")
    lines = lines_in_words(effect) if not is_short(effect) else ()
    place = place_of(effect).removesuffix(": image") if is_image(effect) else place_of(effect)
    page.line(f"{place}:" if lines else f"{place}: {told(effect)}", indent=4, sign=sign, remark=remarks(effect))
    for line in lines:
        page.shown(line, 8)


def is_short(effect: ReleaseEffect) -> bool:
    """An image of which only the tag is new fits on a line, however long both are."""
    return bump_of(effect) is not None


def _duties(difference: Difference, page: _Page) -> None:
    duties = duties_of(difference)
    if duties:
        page.gap()
        page.line("you have to:", set_off=page.style.bold)
    for duty in duties:
        page.line(f"{duty.job}: {duty.text}" if duty.job else duty.text, indent=2, sign="!", remark=f"  ({duty.place})" if duty.place else "")


def _as_before(difference: Difference, page: _Page) -> None:
    jobs, objects = unchanged(difference)
    if not difference.changed or not (jobs or objects):
        return
    page.gap()
    if jobs:
        page.line(f"as before: {names(jobs)}")
    if objects:
        page.line(f"as before in what changes: {names(objects)}")


def _whole(job: JobDifference, page: _Page) -> None:
    """A TrainJob that only one side has."""
    side = job.after or job.before
    assert side is not None
    sign, verb = ("+", "is new") if job.state == ADDED else ("-", "is gone")
    pods = job.pods[1 if job.state == ADDED else 0]
    running = ", ".join(f"{summary.name} {counted(summary.count, 'pod')}" for summary in pods)
    page.gap()
    line = f"TrainJob {job.name} {verb}: {', '.join(item.name for item in job.objects)}{f' ({running})' if running else ''}"
    page.line(line, sign=sign, remark=_place(side))


def _refused(difference: Difference, page: _Page) -> None:
    for job in difference.jobs:
        if job.state == NOT_COMPARED:
            page.gap()
            page.line(f"TrainJob {job.name} cannot be compared")
            for side, member in ((difference.before, job.before), (difference.after, job.after)):
                for line in verdict(side, member):
                    page.line(line, indent=2)
    for side in (difference.before, difference.after):
        errors = [diagnostic for diagnostic in side.other if diagnostic.is_error]
        _listed(f"{side.label} has errors outside of TrainJobs", [described(diagnostic) for diagnostic in errors], page)


def _listed(title: str, lines: Sequence[str], page: _Page) -> None:
    if lines:
        page.gap()
        page.line(title)
    for line in lines:
        page.line(line, indent=2)


def verdict(side: Side, job: ComparedJob | None) -> list[str]:
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


def _warnings(title: str, diagnostics: Sequence[Diagnostic], page: _Page) -> None:
    _listed(f"{title}:", list(map(described, diagnostics)), page)


def _place(job: ComparedJob) -> str:
    span = job.document.locate(())
    return f"  ({span.file}:{span.line})" if span.line else ""
