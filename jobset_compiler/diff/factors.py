"""What may be the cause of a difference: every field of the inputs and every feature of the release that is not the same on both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.diagnostics import addresses
from jobset_compiler.diagnostics.redaction import hidden_pair
from jobset_compiler.diff.difference import Reason
from jobset_compiler.diff.fields import ADDED, MISSING, REMOVED, REORDERED, FieldChange, compare, look_up
from jobset_compiler.diff.values import brief
from jobset_compiler.profiles import JOBSETS, PROFILES, Feature, Profile, features

if TYPE_CHECKING:
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.source.document import Document

TRAINJOB = "TrainJob"
RUNTIME = "runtime"
FEATURE = "feature"
RELEASE = "release"
# Above this many, the changes of one document are taken together by the fields that they are under.
MOST_PER_DOCUMENT = 40


class Factor(NamedTuple):
    """One thing that may be as it is on the first side or as on the second. name: of the document; changes: in it;
    features: slugs of what went and of what came for it; is_release: the documents are those that come with the releases."""

    kind: str
    reason: Reason
    name: str = ""
    changes: tuple[FieldChange, ...] = ()
    features: tuple[str, ...] = ()
    is_release: bool = False

    def reason_for(self, change: FieldChange) -> Reason:
        """The reason in the words that fit to a field: one that was copied from the runtime needs no second address."""
        if self.kind == RUNTIME and not self.is_release and [one.steps for one in self.changes] == [("spec", "template", *change.steps)]:
            return self.reason._replace(text=f"the {self.name} differs there")  # its own words would only repeat the field
        return self.reason


def factors_of(before: Unit, after: Unit) -> tuple[Factor, ...]:
    """Everything by which the second side differs from the first, as far as a TrainJob's objects can tell."""
    old, new = before.plan, after.plan
    found = _of_documents(TRAINJOB, "TrainJob", old.job.document, new.job.document)
    if runtime_key(before) == runtime_key(after):
        found += _of_runtimes(before, after)
    return (*found, *_of_profiles(old.profile, new.profile))


def runtime_key(unit: Unit) -> tuple[str, str]:
    runtime = unit.plan.runtime
    return str(runtime.document.value.get("kind")), runtime.name


def _runtime_name(unit: Unit) -> str:
    runtime = unit.plan.runtime
    return f"runtime {runtime.name}{f' that comes with {unit.plan.profile.name}' if runtime.bundled else ''}"


def _of_runtimes(before: Unit, after: Unit) -> list[Factor]:
    """Nobody has to read how the releases' own runtimes differ, field by field: that they do is one reason."""
    old, new = before.plan, after.plan
    found = _of_documents(RUNTIME, _runtime_name(after), old.runtime.document, new.runtime.document)
    if not (old.runtime.bundled and new.runtime.bundled):
        return found
    return [factor._replace(reason=factor.reason._replace(text=f"the {factor.name} is not that of {old.profile.name}"), is_release=True) for factor in found]


def _of_documents(kind: str, name: str, before: Document, after: Document) -> list[Factor]:
    changes = [change for change in compare(before.value, after.value) if change.steps[:1] != ("status",)]
    shown = hidden_pair(before.value, after.value)
    return [Factor(kind, _reason(name, group, before, after, shown), name, group) for group in _groups(changes)]


def _groups(changes: list[FieldChange]) -> list[tuple[FieldChange, ...]]:
    depth = max((len(change.steps) for change in changes), default=0)
    while depth > 1:
        groups: dict[tuple[Any, ...], list[FieldChange]] = {}
        for change in changes:
            groups.setdefault(change.steps[:depth], []).append(change)
        if len(groups) <= MOST_PER_DOCUMENT:
            return [tuple(group) for group in groups.values()]
        depth -= 1
    return [tuple(changes)] if changes else []


def _reason(name: str, group: tuple[FieldChange, ...], before: Document, after: Document, shown: tuple[Any, Any]) -> Reason:
    first = group[0]
    span = before.locate(first.before_path or ()) if first.after_path is None else after.locate(first.after_path)
    place = f"{span.file}:{span.line}" if span.line else ""
    if len(group) > 1:
        steps = [change.steps for change in group]
        shared = 0
        while all(len(one) > shared and one[shared] == steps[0][shared] for one in steps):
            shared += 1
        return Reason("input", f"{addresses.text(steps[0][:shared]) or 'everything'} of the {name} changed", place)
    address = first.address
    old, new = (brief(MISSING if path is None else look_up(tree, path)) for tree, path in zip(shown, (first.before_path, first.after_path), strict=True))
    if first.kind == ADDED:
        what = f"{address} was added to the {name}: {new}"
    elif first.kind == REMOVED:
        what = f"{address} was removed from the {name} (it was {old})"
    elif first.kind == REORDERED:
        what = f"{address} of the {name} has another order"
    else:
        what = f"{address} of the {name} changed from {old} to {new}"
    return Reason("input", what, place)


def _of_profiles(before: Profile, after: Profile) -> list[Factor]:
    known = {value.slug: value for value in vars(features).values() if isinstance(value, Feature)}
    gone, came = before.features - after.features, after.features - before.features
    exchanged = {feature.replaces.slug: feature for feature in map(known.__getitem__, came) if feature.replaces and feature.replaces.slug in gone}
    found = []
    for slug in sorted(gone):
        successor = exchanged.get(slug)
        if successor is None:
            found.append(Factor(FEATURE, _feature_reason(known[slug], False), features=(slug,)))
        else:
            found.append(Factor(FEATURE, _exchange_reason(known[slug], successor), features=(slug, successor.slug)))
    found += [Factor(FEATURE, _feature_reason(known[slug], True), features=(slug,)) for slug in sorted(came) if known[slug] not in exchanged.values()]
    if (before.name, before.jobset) != (after.name, after.jobset):
        found.append(Factor(RELEASE, _release_reason(before, after)))
    return found


def _feature_reason(feature: Feature, present: bool) -> Reason:
    """A feature that the second side has, or that only the first had."""
    having = [f"JobSet {jobset.version}" for jobset in JOBSETS if feature.slug in jobset.features]
    names = [f"JobSet {jobset.version}" for jobset in JOBSETS]
    if not having:
        having = [profile.name for profile in PROFILES if profile.has(feature)]
        names = [profile.name for profile in PROFILES]
    if having == names[names.index(having[0]) :]:
        when = f"since {having[0]}"
    elif having == names[: len(having)]:
        when = f"until {having[-1]}"
    else:
        when = f"in {', '.join(having)}"
    text = f"{when}: {feature.sentence}" if present else f"only {when}: {feature.sentence}"
    return Reason("feature", text, cites=tuple(map(_cite, feature.cites)), feature=feature.slug)


def _exchange_reason(gone: Feature, successor: Feature) -> Reason:
    new, old = _feature_reason(successor, True), _feature_reason(gone, False)
    text = f"{new.text.rstrip('.')}; {old.text.removeprefix('only ')}"
    return Reason("feature", text, cites=tuple(dict.fromkeys((*new.cites, *old.cites))), feature=new.feature)


def _cite(text: str) -> str:
    """`#N` is kubeflow/trainer's, as in profiles/features.py; GitHub makes links of these wherever they are pasted."""
    return f"kubeflow/trainer{text}" if text.startswith("#") else text


def _release_reason(before: Profile, after: Profile) -> Reason:
    if before.name == after.name:
        return Reason("release", f"the schema of JobSet {after.jobset.version} is another than that of {before.jobset.version}")
    parts = [
        f"{what} {new}" + (f" (was {old})" if old != new else "")
        for what, old, new in (("JobSet", before.jobset.version, after.jobset.version), ("Kubernetes", before.kubernetes, after.kubernetes))
    ]
    return Reason("release", f"{after.name} brings the types of {' and '.join(parts)}")


def profile_with(before: Profile, after: Profile, chosen: list[Factor]) -> Profile:
    """The first side's release with some of the second's features: no release that exists, but one that tells causes apart."""
    slugs = set(before.features)
    profile = before
    for factor in chosen:
        if factor.kind == FEATURE:
            slugs.symmetric_difference_update(factor.features)
        elif factor.kind == RELEASE:
            profile = after._replace(features=before.features)
    return profile._replace(features=frozenset(slugs))
