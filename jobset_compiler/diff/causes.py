"""A difference told by its causes, which is how people read it: a cause, the fields that change on account of it, the TrainJobs
that it happens to. Equal changes of several TrainJobs, or of several items of a list, are told once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.diagnostics import addresses
from jobset_compiler.diagnostics.addresses import Keyed
from jobset_compiler.diff.effect import ReleaseEffect
from jobset_compiler.diff.fields import CHANGED, MISSING, look_up
from jobset_compiler.diff.values import inline
from jobset_compiler.diff.words import is_image

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jobset_compiler.diagnostics.addresses import Step
    from jobset_compiler.diff.difference import Difference, FieldDifference, JobDifference, ObjectDifference, Reason

# In which order kinds of causes are told: first what somebody has to do something about.
_ORDER = ("dropped", "input", "feature", "release", "origin")


class SharedEffects(NamedTuple):
    """Effects, and the TrainJobs that have them all."""

    jobs: tuple[str, ...]
    effects: tuple[ReleaseEffect, ...]


class Cause(NamedTuple):
    """reasons: one, or several that act together; place: of the input, where it is the same for all effects; images: it is told of
    images that take the place of images, and of nothing else: what else the same reasons do is a cause of its own."""

    reasons: tuple[Reason, ...]
    place: str
    scopes: tuple[SharedEffects, ...]
    images: bool = False


def causes_of(difference: Difference) -> tuple[Cause, ...]:
    """The causes of everything that changes in TrainJobs which both sides have: behaviour first, then images."""
    found: dict[tuple[object, ...], tuple[tuple[Reason, ...], bool, dict[tuple[str, ...], tuple[ReleaseEffect, list[str]]]]] = {}
    for job in difference.jobs:
        if job.state != CHANGED:
            continue
        for reasons, effect in _effects(job):
            images = is_image(effect)
            name = (images, *(reason.sentence for reason in reasons))
            *_, effects = found.setdefault(name, (reasons, images, {}))
            identity = (effect.object, effect.address, effect.kind, inline(effect.before), inline(effect.after), effect.place)
            effects.setdefault(identity, (effect, []))[1].append(job.name)
    causes = [_cause(reasons, effects)._replace(images=images) for reasons, images, effects in found.values()]
    return tuple(sorted(causes, key=lambda cause: (cause.images, min((_ORDER.index(reason.kind) for reason in cause.reasons), default=len(_ORDER)))))


def _cause(reasons: tuple[Reason, ...], effects: dict[tuple[str, ...], tuple[ReleaseEffect, list[str]]]) -> Cause:
    places = {effect.place for effect, _ in effects.values()}
    place = places.pop() if len(places) == 1 else ""
    scopes: dict[tuple[str, ...], list[ReleaseEffect]] = {}
    for effect, jobs in effects.values():
        scopes.setdefault(tuple(jobs), []).append(effect._replace(place="") if place else effect)
    return Cause(reasons, place, tuple(SharedEffects(jobs, _together(listed)) for jobs, listed in scopes.items()))


def _together(effects: list[ReleaseEffect]) -> tuple[ReleaseEffect, ...]:
    """Fields of one mapping that change in the same way, told once: "spec.parallelism, completions"."""
    groups: dict[tuple[str, ...], list[ReleaseEffect]] = {}
    for effect in effects:
        above, dot, _ = effect.address.rpartition(".")
        # The key of a map may have dots: what ends in a bracket or has a quote is left alone.
        key = above if dot and '"' not in effect.address and not effect.address.endswith("]") else effect.address
        groups.setdefault((effect.object, key, effect.kind, inline(effect.before), inline(effect.after), effect.written_by, effect.place), []).append(effect)
    return tuple(group[0]._replace(address=", ".join([group[0].address, *(one.address.rpartition(".")[2] for one in group[1:])])) for group in groups.values())


def _effects(job: JobDifference) -> list[tuple[tuple[Reason, ...], ReleaseEffect]]:
    found: list[tuple[tuple[Reason, ...], ReleaseEffect]] = []
    for item in job.changed_objects:
        label = item.key[1] if item.key[3] == job.key[1] else item.name
        for fields in _alike(item):
            first = fields[0]
            change = first.change
            address = _address(item, fields) if change.steps else ""
            place = _places(reason.place for field in fields for reason in field.reasons if reason.place)
            found.append((first.reasons, ReleaseEffect(label, address, change.kind, change.before, change.after, first.written_by, place)))
    return found


_PLACES = 4


def _places(places: Iterable[str]) -> str:
    """file:line, with further lines of the same file as ":line"."""
    out: list[str] = []
    last = ""
    for place in dict.fromkeys(places):
        file, colon, line = place.rpartition(":")
        out.append(f"{colon}{line}" if file == last else place)
        last = file
    return ", ".join(out[:_PLACES]) + (", ..." if len(out) > _PLACES else "")


def _alike(item: ObjectDifference) -> list[list[FieldDifference]]:
    """Fields that are the same but for the item of one list that they are in, together."""
    groups: dict[tuple[Any, ...], list[FieldDifference]] = {}
    for field in item.fields:
        change = field.change
        at = next((index for index, step in enumerate(change.steps) if isinstance(step, Keyed)), None)
        steps = change.steps if at is None else (*change.steps[:at], change.steps[at + 1 :])
        reasons = tuple(reason.sentence for reason in field.reasons)
        inner = at is not None and at == len(change.steps) - 1
        key = (steps, change.kind, inline(change.before), inline(change.after), reasons, change.steps if inner else ())
        groups.setdefault(key, []).append(field)
    return list(groups.values())


def _address(item: ObjectDifference, fields: list[FieldDifference]) -> str:
    steps = fields[0].change.steps
    if len(fields) == 1:
        return addresses.text(steps)
    at = next(index for index, step in enumerate(steps) if isinstance(step, Keyed))
    keyed = [step for field in fields if isinstance(step := field.change.steps[at], Keyed)]
    listed = look_up(item.after if fields[0].change.after is not MISSING else item.before, steps[:at])
    everything = isinstance(listed, list) and len(listed) == len(fields)
    merged: Step = Keyed(keyed[0].field, "*" if everything else ",".join(step.value for step in keyed))
    return addresses.text((*steps[:at], merged, *steps[at + 1 :]))
