"""The same TrainJobs under the other releases: what differs in the objects, and why, as `diff` finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.diff import compare_sides, compile_side
from jobset_compiler.diff.causes import causes_of
from jobset_compiler.diff.difference import NOT_COMPARED, UNCHANGED
from jobset_compiler.diff.fields import MISSING
from jobset_compiler.diff.text import spoken
from jobset_compiler.diff.values import brief
from jobset_compiler.profiles import PROFILES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jobset_compiler.diagnostics.report import Policy
    from jobset_compiler.diff.difference import Difference, JobDifference
    from jobset_compiler.diff.effect import ReleaseEffect
    from jobset_compiler.diff.side import Key, Side
    from jobset_compiler.library.sources import Source

SAME, DIFFERS, REFUSED = "same", "differs", "refused"


class ReleaseChange(NamedTuple):
    """A cause and what it changes; effects are (object and field, value with this release, value with the other)."""

    why: str
    effects: tuple[tuple[str, str, str], ...]


class Elsewhere(NamedTuple):
    """A TrainJob under another release, which is `called` something. state: "same", "differs" or "refused" (`errors` say why)."""

    release: str
    called: str
    state: str
    changes: tuple[ReleaseChange, ...]
    errors: tuple[str, ...]


def elsewhere(base: Side, sources: Sequence[Source], policy: Policy) -> dict[Key, tuple[Elsewhere, ...]]:
    """What becomes of each TrainJob that compiles under the other releases, the oldest first."""
    found: dict[Key, list[Elsewhere]] = {job.key: [] for job in base.jobs if job.unit is not None}
    for profile in PROFILES:
        if profile.name != base.options.profile.name:
            # A server drops fields that its release does not know; with `validate` as it was, the job would be refused instead.
            side = compile_side(sources, base.options._replace(profile=profile, problems=(), validate="warn"), profile.name, policy)
            difference = compare_sides(base, side)
            for job in difference.jobs:
                if job.key in found:
                    found[job.key].append(_told(difference, job))
    return {key: tuple(told) for key, told in found.items()}


def _told(difference: Difference, job: JobDifference) -> Elsewhere:
    profile = difference.after.options.profile
    if job.state == NOT_COMPARED or job.after is None:
        errors = tuple(f"{one.code}: {one.message}" for one in job.after.diagnostics if one.is_error) if job.after else ()
        return Elsewhere(profile.name, profile.title, REFUSED, (), errors or ("its runtime is refused",))
    if job.state == UNCHANGED:
        return Elsewhere(profile.name, profile.title, SAME, (), ())
    return Elsewhere(profile.name, profile.title, DIFFERS, tuple(_changes(difference._replace(jobs=(job,)))), ())


def _changes(difference: Difference) -> Iterator[ReleaseChange]:
    for cause in causes_of(difference):
        effects = (_effect(effect) for scope in cause.scopes for effect in scope.effects)
        yield ReleaseChange(spoken(cause.reasons), tuple(effects))


def _effect(effect: ReleaseEffect) -> tuple[str, str, str]:
    if not effect.address:
        before, after = ("no such object" if value is MISSING else "this object" for value in (effect.before, effect.after))
        return effect.object, before, after
    return f"{effect.object} {effect.address}", brief(effect.before), brief(effect.after)
