"""A difference as Markdown, for comments on pull requests and tickets.

It starts with a line that no reader sees, by which a later run finds its own comment again. Where the text would be longer than
the limit, details go first and the summary stays; what is left out is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.diagnostics.inert import code, one_line
from jobset_compiler.diagnostics.inert import markdown as inert
from jobset_compiler.diff.causes import causes_of
from jobset_compiler.diff.difference import NOT_COMPARED
from jobset_compiler.diff.duties import duties_of, untold
from jobset_compiler.diff.fields import ADDED, REMOVED, REORDERED
from jobset_compiler.diff.mermaid import changed_shapes
from jobset_compiler.diff.text import described, headline, names, spoken, unchanged, verdict
from jobset_compiler.diff.words import bump_of, lines_in_words, value_of
from jobset_compiler.diff.workload import workload_changes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diff.causes import Cause
    from jobset_compiler.diff.difference import Difference, JobDifference, Reason
    from jobset_compiler.diff.effect import ReleaseEffect

MARKER = "<!-- jobset-compiler diff -->"
# GitHub takes comments of up to 65,536 characters.
LIMIT = 60_000
# Lines of one value, and changes of one cause, that are shown before the rest is folded away.
OPEN = 12


def to_markdown(difference: Difference, limit: int = LIMIT) -> str:
    """The whole comment, at most `limit` characters where the summary fits into it."""
    head = [f"{MARKER}\n### Rendered JobSets: {inert(headline(difference, '→'))}\n"]
    head += _duties(difference)
    head += _refused(difference)
    head += [_whole(job) for job in difference.changed if job.state in (ADDED, REMOVED)]
    changes = workload_changes(difference)
    if changes:
        head.append("\n| TrainJob | PodSet | Pods | Requests in total |\n|---|---|---|---|\n")
        for change in changes:
            old, new = change.pods
            totals = "<br>".join(f"{inert(name)} {_arrow(inert(was or 'none'), inert(now or 'none'))}" for name, was, now in change.totals)
            head.append(f"| {inert(change.job)} | {inert(change.pod_set)} | {_arrow(str(old), str(new))} | {totals} |\n")
    drawn = changed_shapes(difference)
    if sum(map(len, head)) + len(drawn) < limit // 2:
        head.append(drawn)
    tail = _warnings(f"New warnings with {difference.after.label}", untold(difference, difference.only_after()))
    tail += _warnings(f"Warnings that are gone with {difference.after.label}", untold(difference, difference.only_before()))
    tail += _as_before(difference)
    body = [_cause(cause) for cause in causes_of(difference)]
    return _within(head, body, tail, limit)


def _within(head: list[str], body: list[str], tail: list[str], limit: int) -> str:
    left = limit - sum(map(len, head)) - sum(map(len, tail)) - 200
    shown: list[str] = []
    for part in body:
        if len(part) > left:
            continue
        left -= len(part)
        shown.append(part)
    hidden = len(body) - len(shown)
    if hidden:
        shown.append(f"\n_{hidden} more {'cause is' if hidden == 1 else 'causes are'} not shown here, for want of room; `jobset-compiler diff` shows all._\n")
    text = "".join((*head, *shown, *tail))
    note = "\n\n_Cut here, for want of room._\n"
    return text if len(text) <= limit else text[: max(limit - len(note), 0)].rsplit("\n", 1)[0] + note


def _cause(cause: Cause) -> str:
    place = f" ({inert(cause.place)})" if cause.place else ""
    reason = f"{'new images, ' if cause.images else ''}{spoken(cause.reasons, _sentence)}"
    parts = [f"\n**{reason[0].upper()}{reason[1:]}**{place}\n"]
    for scope in cause.scopes:
        shown = "".join(map(_effect, scope.effects))
        title = inert(f"in {names(scope.jobs)}")
        if shown.count("\n") > OPEN:
            parts.append(f"\n<details><summary>{title}: {counted(len(scope.effects), 'change')}</summary>\n\n{shown}\n</details>\n")
        else:
            parts.append(f"\n{title}:\n\n{shown}")
    return "".join(parts)


def _sentence(reason: Reason) -> str:
    """As the reason says it; what it cites is ours and shall be a link."""
    about = reason.about
    return f"{inert(reason.text.rstrip('.'))} ({about})" if about else inert(reason.text)


def _effect(effect: ReleaseEffect) -> str:
    remark = "".join(f" <sub>{inert(part)}</sub>" for part in (f"pass {effect.written_by}" if effect.written_by else "", effect.place) if part)
    where = f"- {inert(effect.object)} {code(effect.address)}" if effect.address else f"- {inert(effect.object)}"
    bump = bump_of(effect)
    if bump is not None:
        return f"{where}: {code(bump.repository)} {code(bump.before)} → {code(bump.after)}{remark}\n"
    lines = lines_in_words(effect)
    if lines:
        fence = "`" * (3 + max(line.text.count("`") for line in lines))
        block = "".join(f"  {line.sign}{one_line(line.text)}\n" for line in lines)
        return f"{where}{remark}\n\n  {fence}diff\n{block}  {fence}\n"
    if effect.kind == ADDED:
        return f"{where}: now {code(value_of(effect, effect.after))}{remark}\n"
    if effect.kind == REMOVED:
        return f"{where}: no longer {code(value_of(effect, effect.before))}{remark}\n"
    if effect.kind == REORDERED:
        return f"{where}: order {code(', '.join(effect.before))} → {code(', '.join(effect.after))}{remark}\n"
    return f"{where}: {code(value_of(effect, effect.before))} → {code(value_of(effect, effect.after))}{remark}\n"


def _whole(job: JobDifference) -> str:
    verb = "New" if job.state == ADDED else "Gone"
    return f"\n{verb}: TrainJob **{inert(job.name)}** ({inert(', '.join(item.name for item in job.objects))})\n"


def _duties(difference: Difference) -> list[str]:
    duties = duties_of(difference)
    if not duties:
        return []
    lines = [f"**{inert(duty.job)}**: {inert(duty.text)}" if duty.job else inert(duty.text) for duty in duties]
    places = [f" ({inert(duty.place)})" if duty.place else "" for duty in duties]
    return ["\n> [!IMPORTANT]\n> You have to:\n", *(f"> - {line}{place}\n" for line, place in zip(lines, places, strict=True))]


def _as_before(difference: Difference) -> list[str]:
    jobs, objects = unchanged(difference)
    if not difference.changed or not (jobs or objects):
        return []
    told = f"- TrainJobs: {inert(', '.join(jobs))}\n" if jobs else ""
    kept = f"- in what changes: {inert(', '.join(objects))}\n" if objects else ""
    counts = ", ".join(filter(None, (counted(len(jobs), "TrainJob") if jobs else "", counted(len(objects), "object") if objects else "")))
    return [f"\n<details><summary>As before: {counts}</summary>\n\n{told}{kept}\n</details>\n"]


def _refused(difference: Difference) -> list[str]:
    parts = []
    for job in difference.jobs:
        if job.state == NOT_COMPARED:
            parts.append(f"\n> [!CAUTION]\n> TrainJob **{inert(job.name)}** cannot be compared\n")
            for side, member in ((difference.before, job.before), (difference.after, job.after)):
                parts += [f"> - {inert(line)}\n" for line in verdict(side, member)]
    for side in (difference.before, difference.after):
        errors = [diagnostic for diagnostic in side.other if diagnostic.is_error]
        if errors:
            parts.append(f"\n> [!CAUTION]\n> {inert(side.label)} has errors outside of TrainJobs\n")
            parts += [f"> - {inert(described(diagnostic))}\n" for diagnostic in errors]
    return parts


def _warnings(title: str, diagnostics: Sequence[Diagnostic]) -> list[str]:
    if not diagnostics:
        return []
    return [f"\n<details><summary>{inert(title)}: {len(diagnostics)}</summary>\n\n", *(f"- {inert(described(one))}\n" for one in diagnostics), "\n</details>\n"]


def _arrow(before: str, after: str) -> str:
    return before if before == after else f"{before} → **{after}**"
