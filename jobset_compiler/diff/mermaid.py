"""What changes in jobs, their order and their pods, as a picture that GitHub and GitLab draw in a comment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.explain import explanation
from jobset_compiler.explain.mermaid import HEAD, arrow, box, frame, order, says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diff.difference import Difference
    from jobset_compiler.diff.side import ComparedJob

Tree = dict[str, Any]
# More frames than this are no picture any more.
DRAWN = 8
ADDED, REMOVED, CHANGED = "added", "removed", "changed"
STYLES = {ADDED: "stroke:#1a7f37,stroke-width:3px", REMOVED: "stroke:#cf222e,stroke-width:3px,stroke-dasharray:5", CHANGED: "stroke:#bf8700,stroke-width:3px"}


class Shape(NamedTuple):
    """What is drawn of a TrainJob: what each job says, and which waits for which."""

    jobs: dict[str, list[str]]
    order: list[tuple[str, str, str]]


def changed_shapes(difference: Difference) -> str:
    """A fenced block of Markdown; "" where no TrainJob changes in what is drawn."""
    shapes = [(job.name, _shape(job.before), _shape(job.after)) for job in difference.changed]
    differing = [(name, before, after) for name, before, after in shapes if before != after]
    if not differing:
        return ""
    lines = [HEAD]
    for number, (name, before, after) in enumerate(differing[:DRAWN]):
        lines += _frame(number, name, before, after)
    lines += [f"  classDef {name} {style}" for name, style in STYLES.items()]
    more = len(differing) - DRAWN
    rest = f"\n_{counted(more, 'more TrainJob')} change{'s' if more == 1 else ''} in jobs, order or pods; not drawn._\n" if more > 0 else ""
    return "".join(("\n```mermaid\n", *(f"{line}\n" for line in lines), "```\n", rest))


def _shape(side: ComparedJob | None) -> Shape:
    if side is None or side.unit is None:
        return Shape({}, [])
    jobs = explanation(side.unit)["jobs"]
    return Shape({entry["name"]: says(entry) for entry in jobs}, order(jobs))


def _frame(number: int, name: str, before: Shape, after: Shape) -> Iterator[str]:
    yield frame(number, f"TrainJob {name}")
    names = dict.fromkeys((*after.jobs, *before.jobs))
    ids = {job: f"t{number}j{place}" for place, job in enumerate(names)}
    for job, identity in ids.items():
        old, new = before.jobs.get(job), after.jobs.get(job)
        style = ADDED if old is None else REMOVED if new is None else CHANGED if old != new else ""
        yield box(identity, [job, *_said(old or [], new or [])], style)
    for waits, target, word in after.order:
        yield arrow(ids[target], ids[waits], word if (waits, target, word) in before.order or not before.jobs else f"new: {word}")
    for waits, target, word in before.order:
        if (waits, target, word) not in after.order:
            yield arrow(ids[target], ids[waits], f"no longer: {word}" if after.jobs else word, "-.->")
    yield "  end"


def _said(old: list[str], new: list[str]) -> list[str]:
    """Both sides where they differ; of a job that only one has, that one."""
    if not old or not new or old == new:
        return new or old
    width = max(len(old), len(new))
    pairs = zip(old + [""] * (width - len(old)), new + [""] * (width - len(new)), strict=True)
    return [was if was == now else f"{was or 'not told'} → {now or 'not told'}" for was, now in pairs]
