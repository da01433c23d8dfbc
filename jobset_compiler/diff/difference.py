"""What a diff finds: TrainJobs in pairs, their objects in pairs, and the fields that differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.diagnostics.redaction import hidden_pair
from jobset_compiler.diff.fields import ADDED, CHANGED, MISSING, REMOVED, REORDERED, FieldChange, compare, look_up
from jobset_compiler.result.podsets import PodSetSummary, summarise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diff.side import ComparedJob, Key, Side
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.profiles import Profile

Tree = dict[str, Any]
UNCHANGED = "unchanged"
NOT_COMPARED = "not compared"
# API group, kind, namespace and name.
ObjectKey = tuple[str, str, str, str]


class Reason(NamedTuple):
    """Why a field differs. kind: "dropped", "input", "feature", "release" or "origin"; text: in words, without "because";
    place: file:line of the input, where it has one; cites: where the behaviour can be looked up; feature: its slug."""

    kind: str
    text: str
    place: str = ""
    cites: tuple[str, ...] = ()
    feature: str = ""

    @property
    def sentence(self) -> str:
        """The reason and where to look it up, without its place."""
        return f"{self.text.rstrip('.')} ({self.about})" if self.about else self.text

    @property
    def about(self) -> str:
        """Where to look it up."""
        return ", ".join(((f"feature {self.feature}",) if self.feature else ()) + self.cites)


class FieldDifference(NamedTuple):
    """A field that differs, the reasons for it, and the pass that writes it ("" where none does)."""

    change: FieldChange
    reasons: tuple[Reason, ...] = ()
    written_by: str = ""


class ObjectDifference(NamedTuple):
    """An object of a TrainJob on both sides. state: "added", "removed", "changed" or "unchanged"."""

    key: ObjectKey
    state: str
    before: Tree | None
    after: Tree | None
    fields: tuple[FieldDifference, ...]

    @property
    def name(self) -> str:
        return f"{self.key[1]} {self.key[3]}"


class JobDifference(NamedTuple):
    """A TrainJob on both sides. state: "added", "removed", "changed", "unchanged" or "not compared" (a side refuses it)."""

    key: Key
    state: str
    before: ComparedJob | None
    after: ComparedJob | None
    objects: tuple[ObjectDifference, ...]

    @property
    def name(self) -> str:
        number = f" (number {self.key[2] + 1})" if self.key[2] else ""
        return f"{self.key[0]}/{self.key[1]}{number}"

    @property
    def changed_objects(self) -> tuple[ObjectDifference, ...]:
        return tuple(item for item in self.objects if item.state != UNCHANGED)

    @property
    def pods(self) -> tuple[tuple[PodSetSummary, ...], tuple[PodSetSummary, ...]]:
        """What will run, on both sides."""
        return _pods(self.before), _pods(self.after)


class Difference(NamedTuple):
    """The whole diff. `jobs` in the order of the second side, those that only the first has at the end."""

    before: Side
    after: Side
    jobs: tuple[JobDifference, ...]

    @property
    def changed(self) -> tuple[JobDifference, ...]:
        return tuple(job for job in self.jobs if job.state not in (UNCHANGED, NOT_COMPARED))

    @property
    def has_errors(self) -> bool:
        return any(diagnostic.is_error for side in (self.before, self.after) for diagnostic in side.diagnostics)

    def quiet(self) -> Difference:
        """The same without findings that are no errors; what they mean for a TrainJob's comparison stays."""
        return self._replace(before=self.before.quiet(), after=self.after.quiet())

    def only_before(self) -> tuple[Diagnostic, ...]:
        return _without(self.before.diagnostics, self.after.diagnostics)

    def only_after(self) -> tuple[Diagnostic, ...]:
        return _without(self.after.diagnostics, self.before.diagnostics)


def pair(before: Side, after: Side) -> Difference:
    """The two sides against each other, without reasons (those are found by `because`)."""
    old = {job.key: job for job in before.jobs}
    new = {job.key: job for job in after.jobs}
    keys = [*new, *(key for key in old if key not in new)]
    return Difference(before, after, tuple(_pair_job(key, old.get(key), new.get(key), after.children) for key in keys))


def _pair_job(key: Key, before: ComparedJob | None, after: ComparedJob | None, children: bool) -> JobDifference:
    refused = [job for job in (before, after) if job is not None and job.unit is None]
    if refused:
        return JobDifference(key, NOT_COMPARED, before, after, ())
    objects = pair_objects(before.unit if before else None, after.unit if after else None, children)
    if before is None or after is None:
        return JobDifference(key, ADDED if before is None else REMOVED, before, after, objects)
    changed = any(item.state != UNCHANGED for item in objects)
    return JobDifference(key, CHANGED if changed else UNCHANGED, before, after, objects)


def pair_objects(before: Unit | None, after: Unit | None, children: bool = False) -> tuple[ObjectDifference, ...]:
    """The objects of two compiled TrainJobs by group, kind, namespace and name; with `children` also what JobSet makes of them."""
    old, new = (keyed(unit.objects, unit.plan.profile, children) if unit else {} for unit in (before, after))
    return tuple(_pair_object(key, old.get(key), new.get(key)) for key in (*new, *(key for key in old if key not in new)))


def keyed(objects: Sequence[Tree], profile: Profile, children: bool) -> dict[ObjectKey, Tree]:
    """What is compared of a TrainJob, by key."""
    if children:
        from jobset_compiler.expand.of_objects import made_by_jobset

        objects = made_by_jobset(objects, profile)
    return {object_key(manifest): manifest for manifest in objects}


def _pair_object(key: ObjectKey, before: Tree | None, after: Tree | None) -> ObjectDifference:
    if before is None or after is None:
        kind = ADDED if before is None else REMOVED
        change = FieldChange(kind, (), MISSING if before is None else before, MISSING if after is None else after, None, None)
        return ObjectDifference(key, kind, before, after, (FieldDifference(change),))
    fields = tuple(FieldDifference(change) for change in compare(before, after))
    return ObjectDifference(key, CHANGED if fields else UNCHANGED, before, after, fields)


def masked(difference: Difference) -> Difference:
    """The same with what is secret hidden: a report is read by more people than the manifest."""
    return difference._replace(jobs=tuple(job._replace(objects=tuple(map(_masked, job.objects))) for job in difference.jobs))


def _masked(item: ObjectDifference) -> ObjectDifference:
    before, after = hidden_pair(item.before, item.after)
    if before is item.before and after is item.after:
        return item
    fields = tuple(field._replace(change=_masked_change(field.change, before, after)) for field in item.fields)
    return item._replace(before=before, after=after, fields=fields)


def _masked_change(change: FieldChange, before: Tree | None, after: Tree | None) -> FieldChange:
    if change.kind == REORDERED:
        return change
    if not change.steps:
        return change._replace(before=MISSING if before is None else before, after=MISSING if after is None else after)
    return change._replace(
        before=MISSING if change.before_path is None else look_up(before, change.before_path),
        after=MISSING if change.after_path is None else look_up(after, change.after_path),
    )


def object_key(manifest: Tree) -> ObjectKey:
    group, slash, _ = manifest["apiVersion"].partition("/")
    meta = manifest["metadata"]
    return group if slash else "", manifest["kind"], meta.get("namespace", ""), meta.get("name") or meta.get("generateName", "")


def _pods(job: ComparedJob | None) -> tuple[PodSetSummary, ...]:
    return summarise(job.unit) if job is not None and job.unit is not None else ()


def _without(diagnostics: Sequence[Diagnostic], others: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Those that the other side does not have, wherever they stand in the file: lines move."""
    known = {_identity(diagnostic) for diagnostic in others}
    return tuple(diagnostic for diagnostic in diagnostics if _identity(diagnostic) not in known)


def _identity(diagnostic: Diagnostic) -> tuple[str, ...]:
    return diagnostic.code, diagnostic.severity, diagnostic.path, diagnostic.message, diagnostic.namespace, diagnostic.name
