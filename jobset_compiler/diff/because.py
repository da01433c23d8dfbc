"""Why a field differs: read from where its values come from, and tried where that cannot tell.

Each side's Plan has recorded what stands behind its value (`provenance`). What differs there, of the TrainJob or the runtime, is the cause. Where
several such places differ, or the release as well, it is tried, as the compile is a pure function: take the first side, make one thing
of it as it is on the second (one of these places, one feature of the release), compile again, and see whether the field becomes
what it is on the second side. Where no single cause will do, the fewest that do together are found by taking away what is not needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.documents import admit, type_check
from jobset_compiler.api import runtime as api_runtime
from jobset_compiler.api import trainjob as api_trainjob
from jobset_compiler.diagnostics import addresses
from jobset_compiler.diff.difference import Difference, FieldDifference, JobDifference, ObjectDifference, Reason, keyed, object_key
from jobset_compiler.diff.factors import FEATURE, RELEASE, RUNTIME, TRAINJOB, Factor, factors_of, profile_with, runtime_key
from jobset_compiler.diff.fields import CHANGED, MISSING, REORDERED, FieldChange, apply, key_field, look_up, same
from jobset_compiler.diff.values import inline
from jobset_compiler.objects.build import build_objects
from jobset_compiler.passes.driver import run_passes
from jobset_compiler.provenance.effects import speaks_of
from jobset_compiler.provenance.layers import layers_of
from jobset_compiler.provenance.origins import PASS, Origin, origins_at
from jobset_compiler.provenance.places import RUNTIME_REF
from jobset_compiler.resolve.build import build_plan
from jobset_compiler.source.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.api.trainjob import TrainJob
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.diff.difference import ObjectKey
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.provenance.layers import Layer
    from jobset_compiler.request.options import Options

Tree = dict[str, Any]
# Compiles spent on finding causes in one diff; each takes well under a millisecond. What is left when they are used up is
# explained by the origin of its new value.
BUDGET = 50_000
# More causes than this explain nothing; then the origin says more.
MOST_REASONS = 4


def with_reasons(difference: Difference, budget: int = BUDGET, *, after_each: Callable[[], object] = lambda: None) -> Difference:
    """The same difference with the reasons of every changed field."""
    trials = _Trials(budget)
    options = difference.before.options._replace(bundled_runtimes=False)
    jobs = []
    for job in difference.jobs:
        jobs.append(_explain(job, options, trials, difference.after.children))
        after_each()
    return difference._replace(jobs=tuple(jobs))


class _Trials:
    """How many compiles may still be spent, and which causes other TrainJobs' equal changes have turned out to have."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.known: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {}


class _Recorder(frozenset[str]):
    """The features of a release that remember which of them were asked for."""

    seen: set[str]

    def __contains__(self, slug: object) -> bool:
        self.seen.add(str(slug))
        return super().__contains__(slug)


def _explain(job: JobDifference, options: Options, trials: _Trials, children: bool) -> JobDifference:
    if job.state != CHANGED or job.before is None or job.after is None:
        return job
    assert job.before.unit is not None
    assert job.after.unit is not None
    search = _Search(job, job.before.unit, job.after.unit, options, trials, children)
    return job._replace(objects=tuple(search.explain(item) for item in job.objects))


class _Search:
    """The causes of one TrainJob's differences."""

    def __init__(self, job: JobDifference, before: Unit, after: Unit, options: Options, trials: _Trials, children: bool) -> None:
        assert job.before is not None
        assert job.after is not None
        self.before = before
        self.after = after
        self.dropped = _dropped(job)
        self.options = options
        self.children = children
        self.factors = self._that_matter(factors_of(before, after))
        self.trials = trials
        self._objects: dict[frozenset[int], dict[ObjectKey, Tree] | None] = {}
        self._runtimes: dict[frozenset[int], Runtime] = {}
        self._everything = frozenset(range(len(self.factors)))
        self._inputs = tuple(index for index, factor in enumerate(self.factors) if factor.kind in (TRAINJOB, RUNTIME))
        self._same_runtime = runtime_key(before) == runtime_key(after)

    def explain(self, item: ObjectDifference) -> ObjectDifference:
        return item._replace(fields=tuple(self._field(item, field.change) for field in item.fields))

    def _field(self, item: ObjectDifference, change: FieldChange) -> FieldDifference:
        chain = self._origins(item, change)
        written_by = next((origin.by for origin in chain if origin.kind == PASS), "")
        dropped = next((reason for path, reason in self.dropped if any(_is_below(origin.path, path) for origin in chain)), None)
        if dropped is not None:
            return FieldDifference(change, (dropped,), written_by)
        causes = self._causes(item.key, change)
        reasons = tuple(self.factors[index].reason_for(change) for index in causes)
        if not reasons or len(reasons) > MOST_REASONS:
            reasons = _origin_reasons(chain) or reasons[:MOST_REASONS]
        return FieldDifference(change, reasons, written_by)

    def _that_matter(self, factors: tuple[Factor, ...]) -> tuple[Factor, ...]:
        """Without the features that neither side asks for when it compiles this TrainJob."""
        if not any(factor.features for factor in factors):
            return factors
        asked: set[str] = set()
        for unit in (self.before, self.after):
            features = _Recorder(unit.plan.profile.features)
            features.seen = asked
            options = self.options._replace(profile=unit.plan.profile._replace(features=features), facts=unit.plan.facts)
            job, document = _trainjob(unit.plan.job.document, options), unit.plan.runtime.document
            typed, _ = type_check(admit(document, options), options.profile)
            _objects(job, api_runtime.decode(document, typed, bundled=unit.plan.runtime.bundled), options, self.children)
        return tuple(factor for factor in factors if not factor.features or not asked.isdisjoint(factor.features))

    def _behind(self, key: ObjectKey, change: FieldChange) -> tuple[frozenset[int], frozenset[int]]:
        """Indices of the inputs that differ and stand behind the field; and of those among them that do so on every side that has them.

        One that stands behind it on one side only is no more than likely: the field may have come or gone on account of something else.
        """
        named: set[int] = set()
        missed: set[int] = set()
        for unit, path, is_after in ((self.before, change.before_path, False), (self.after, change.after_path, True)):
            layers = _layers(unit, key, path)
            for index in self._inputs:
                factor = self.factors[index]
                places = [place for one in factor.changes if (place := one.after_path if is_after else one.before_path) is not None]
                if self._is_named(unit, factor, places, layers):
                    named.add(index)
                elif places:
                    missed.add(index)
        return frozenset(named), frozenset(named - missed)

    def _is_named(self, unit: Unit, factor: Factor, places: list[Path], layers: list[Layer]) -> bool:
        job, runtime = unit.plan.job.document, unit.plan.runtime.document
        document = job if factor.kind == TRAINJOB else runtime
        if any(speaks_of(layer, document, place) for place in places for layer in layers):
            return True
        # All of another runtime is there on account of the reference to it.
        return not self._same_runtime and any(place[:2] == RUNTIME_REF for place in places) and any(layer.document is runtime for layer in layers)

    def _causes(self, key: ObjectKey, change: FieldChange) -> tuple[int, ...]:
        """Indices of factors."""
        behind, surely = self._behind(key, change)
        if len(behind) == len(surely) == 1 and len(self._inputs) == len(self.factors):
            return tuple(surely)  # nothing but inputs differs, and of them this one alone has to do with the field
        name = (key[1], change.address, change.kind, inline(change.before), inline(change.after))
        known = self.trials.known.get(name)  # what another TrainJob's equal change has turned out to have
        if known is not None:
            chosen = tuple(index for index, factor in enumerate(self.factors) if (factor.kind, *factor.features) in known)
            if len(chosen) == len(known) and self._explains(frozenset(chosen), key, change):
                return chosen
        causes = self._search(key, change, self._everything.difference(self._inputs).union(behind)) if behind else ()
        causes = causes or self._search(key, change, self._everything) or tuple(sorted(behind))
        factors = [self.factors[index] for index in causes]
        if factors and all(factor.kind in (FEATURE, RELEASE) for factor in factors):
            self.trials.known[name] = tuple((factor.kind, *factor.features) for factor in factors)
        return causes

    def _search(self, key: ObjectKey, change: FieldChange, everything: frozenset[int]) -> tuple[int, ...]:
        """The causes among these, found by trying; () where they do not explain the change."""
        order = sorted(everything)
        alone = tuple(index for index in order if self._explains(frozenset((index,)), key, change))
        inputs = tuple(index for index in alone if self.factors[index].kind in (TRAINJOB, RUNTIME))
        if inputs:
            return inputs  # whatever else would have done it too
        features = {index for index in alone if self.factors[index].kind == FEATURE}
        if alone and not features:
            return alone
        needed = frozenset(index for index in order if self._explains(everything - {index}, key, change) is False)
        if features:
            # A behaviour that went and the one that came for it are told together, though either's going or coming might do.
            return tuple(sorted(features.union(index for index in needed if self.factors[index].kind == FEATURE)))
        if not self._explains(everything, key, change):
            return ()
        if needed and self._explains(needed, key, change):
            return tuple(sorted(needed))
        left = everything
        for index in sorted(order, key=lambda i: self.factors[i].kind != RELEASE):
            if self._explains(left - {index}, key, change):
                left -= {index}
        return tuple(sorted(left))

    def _explains(self, chosen: frozenset[int], key: ObjectKey, change: FieldChange) -> bool | None:
        """Whether these causes alone make of the field what the second side has; None where that cannot be tried."""
        objects = self._compiled(chosen)
        if objects is None:
            return None
        manifest = objects.get(key, MISSING)
        got, want = look_up(manifest, change.steps), change.after
        if change.kind == REORDERED:
            return bool(_order(got, change) == change.after)
        return got is want or (got is not MISSING and want is not MISSING and same(got, want))

    def _compiled(self, chosen: frozenset[int]) -> dict[ObjectKey, Tree] | None:
        """The objects with some of the causes at work; None where such an input is refused."""
        if chosen not in self._objects:
            if not self.trials.left:
                return None
            self.trials.left -= 1
            self._objects[chosen] = self._compile(chosen)
        return self._objects[chosen]

    def _compile(self, chosen: frozenset[int]) -> dict[ObjectKey, Tree] | None:
        factors = [self.factors[index] for index in sorted(chosen)]
        plan = self.before.plan
        profile = profile_with(plan.profile, self.after.plan.profile, factors)
        options = self.options._replace(profile=profile, facts=plan.facts)
        try:
            job = _trainjob(_changed(plan.job.document, factors, TRAINJOB), options)
            runtime = self._runtime(chosen, factors, options)
            if (job.runtime_ref.kind, job.runtime_ref.name) != (runtime.kind, runtime.name):
                runtime = self.after.plan.runtime
            return _objects(job, runtime, options, self.children)
        except Exception:
            # Features mixed as no release has them may contradict each other. That is no answer, and no fault of the input.
            return None

    def _runtime(self, chosen: frozenset[int], factors: list[Factor], options: Options) -> Runtime:
        matter = frozenset(index for index in chosen if self.factors[index].kind != TRAINJOB)
        if matter not in self._runtimes:
            before = self.before.plan.runtime
            document = _changed(before.document, factors, RUNTIME)
            typed, _ = type_check(admit(document, options), options.profile)
            self._runtimes[matter] = api_runtime.decode(document, typed, bundled=before.bundled)
        return self._runtimes[matter]

    def _origins(self, item: ObjectDifference, change: FieldChange) -> tuple[Origin, ...]:
        """Where the new value comes from; of a field that is gone, where the old one came from."""
        unit, manifest, path = (self.after, item.after, change.after_path) if change.after is not MISSING else (self.before, item.before, change.before_path)
        if manifest is None or not path:
            return ()
        submitted, place = _submitted(unit, item.key, path)
        value = look_up(submitted, place)
        if submitted is None or value is MISSING:
            return ()  # what JobSet adds comes from no document
        leaf = addresses.leaves(value)[0]
        chain = origins_at(unit, submitted, place)
        return chain if not leaf else (*chain, *origins_at(unit, submitted, (*place, *leaf)))


def _layers(unit: Unit, key: ObjectKey, path: Path | None) -> list[Layer]:
    """What stands behind a place of an object and all below it; nothing for what JobSet adds, which comes from no document."""
    submitted, place = (None, ()) if path is None else _submitted(unit, key, path)
    value = look_up(submitted, place)
    if submitted is None or value is MISSING:
        return []
    places = {place, *((*place, *leaf) for leaf in addresses.leaves(value))}
    return [layer for place in places for layer in layers_of(unit.plan, submitted, place) if layer.document is not None]


def _submitted(unit: Unit, key: ObjectKey, path: Path) -> tuple[Tree | None, Path]:
    """The object that the controller submits and the place in it, also of what a child of the JobSet has from there; None where there is none."""
    submitted = next((one for one in unit.objects if object_key(one) == key), None)
    if submitted is not None:
        return submitted, path
    from jobset_compiler.expand.of_objects import place_in_jobset

    place = place_in_jobset(unit.objects[0], key[1], key[3], path)
    return (unit.objects[0], place) if place else (None, ())


def _trainjob(document: Document, options: Options) -> TrainJob:
    admitted = admit(document, options)
    typed, _ = type_check(admitted, options.profile)
    return api_trainjob.decode(document, admitted.value, typed, options.profile.override_field)


def _objects(job: TrainJob, runtime: Runtime, options: Options, children: bool) -> dict[ObjectKey, Tree]:
    """The stages of `pipeline` without its verdicts: what a webhook thinks of a mixture does not matter here."""
    plan = build_plan(job, runtime, options.profile, options.facts)
    return keyed(build_objects(run_passes(plan, options.passes).plan), options.profile, children)


def _changed(document: Document, factors: list[Factor], kind: str) -> Document:
    changes = [change for factor in factors if factor.kind == kind for change in factor.changes]
    if not changes:
        return document
    value = document.value
    for change in changes:
        value = apply(value, change)
    return Document.from_object(value, document.file)


def _order(items: Any, change: FieldChange) -> Any:
    name = next((step for step in reversed(change.steps) if isinstance(step, str)), "")
    field = key_field(name, items, []) if isinstance(items, list) else None
    return None if field is None else [str(item[field]) for item in items]


def _is_below(path: str, field: str) -> bool:
    return path == field or path.startswith((f"{field}.", f"{field}["))


def _dropped(job: JobDifference) -> list[tuple[str, Reason]]:
    """Fields that the one side's server drops because its release does not have them (what to write instead is a duty: `duties`)."""
    found = []
    for side, other in ((job.before, job.after), (job.after, job.before)):
        assert side is not None
        assert other is not None
        theirs = {diagnostic.path for diagnostic in other.diagnostics if diagnostic.slug == "unknown-field"}
        for diagnostic in side.diagnostics:
            if diagnostic.slug == "unknown-field" and diagnostic.path not in theirs and side.unit is not None:
                profile = side.unit.plan.profile
                text = f"{profile.name} does not have {diagnostic.path} and drops it"
                found.append((diagnostic.path, Reason("dropped", text, f"{diagnostic.file}:{diagnostic.line}" if diagnostic.line else "")))
    return found


def _origin_reasons(chain: tuple[Origin, ...]) -> tuple[Reason, ...]:
    for origin in chain:
        if origin.line:
            return (Reason("origin", f"it comes from {origin.path}", f"{origin.file}:{origin.line}"),)
    return tuple(Reason("origin", f"{origin.kind}: {origin.note}") for origin in chain[:1])
