"""What a compile returns: objects, diagnostics, and the answers to "where does this come from" and "what will run"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics.codes.code import SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.profiles import Profile, TrainerVersion
    from jobset_compiler.provenance.effects import Effect
    from jobset_compiler.provenance.origins import Origin
    from jobset_compiler.result.podsets import PodSetSummary
    from jobset_compiler.result.requirements import Requirement

# Objects that `repr` names before it counts them.
SHOWN = 3


class Compilation:
    """The result of a compile. Immutable; equal inputs give equal results. It can be pickled, also with all that its diagnostics
    and origins point at.
    """

    __slots__ = {  # noqa: RUF023  # in the order in which people need them
        "ok": "No error: every document is accepted, every TrainJob built, and the Job and Pod APIs take what comes of them.",
        "is_submitted": "The same without the last: the controller submits the objects, also where their Jobs or Pods would be refused.",
        "diagnostics": "Everything there is to say, in the order of the input.",
        "trainer_version": 'The release that was compiled for: "v2.3".',
        "jobset_version": 'The release of JobSet that judged the JobSets: "0.12.0".',
        "units": "For the other parts of this package: per TrainJob its Plan and objects, which nobody may change.",
        "_objects": "The caller's copies, once somebody has asked.",
    }

    def __init__(self, profile: Profile, units: tuple[Unit, ...], diagnostics: tuple[Diagnostic, ...]) -> None:
        self.trainer_version: TrainerVersion = profile.name
        self.jobset_version = profile.jobset.version
        self.ok = not any(diagnostic.is_error for diagnostic in diagnostics)
        self.is_submitted = not any(diagnostic.prevents_objects for diagnostic in diagnostics)
        self.units = units if self.is_submitted else ()
        self.diagnostics = diagnostics
        self._objects: tuple[dict[str, Any], ...] | None = None

    @property
    def objects(self) -> tuple[dict[str, Any], ...]:
        """Plain dicts: per TrainJob in input order, the JobSet first; empty when an error stands. They are the caller's own."""
        if self._objects is None:
            self._objects = tuple(_copy(manifest) for manifest in self._manifests())
        return self._objects

    def _manifests(self) -> Iterator[dict[str, Any]]:
        for unit in self.units:
            yield from unit.objects

    @property
    def podsets(self) -> tuple[PodSetSummary, ...]:
        """Per PodSet of every TrainJob: counts, requests of one pod and in total (what queue controllers need)."""
        from jobset_compiler.result.podsets import summarise

        return tuple(summary for unit in self.units for summary in summarise(unit))

    @property
    def requirements(self) -> tuple[Requirement, ...]:
        """What the objects refer to and only a cluster can have."""
        from jobset_compiler.result.requirements import requirements_of

        return tuple(requirement for unit in self.units for requirement in requirements_of(unit))

    def to_yaml(self) -> str:
        """The objects as YAML: the same bytes for the same input."""
        from jobset_compiler.emit.yaml import to_yaml

        runtimes = {id(unit.plan.runtime): unit.plan.runtime for unit in self.units} if len(self.units) > 1 else {}
        return to_yaml(self._manifests(), frozenset().union(*(runtime.parts.known for runtime in runtimes.values())))

    def to_json(self) -> str:
        """The objects as JSON: one, or a List of several."""
        from jobset_compiler.emit.json import to_json

        return to_json(self._manifests())

    def origin_of(self, manifest: Mapping[str, Any], path: str) -> tuple[Origin, ...]:
        """The chain of origins of a field of one of `objects`, nearest first: pass, patch, runtime, default.

        path: as the server prints paths, or with list keys: "spec.replicatedJobs[name=node].template". A path that
        does not exist raises KeyError.
        """
        from jobset_compiler.provenance.origins import origin_of

        wanted = _identity(manifest)
        for unit in self.units:
            for candidate in unit.objects:
                if _identity(candidate) == wanted:
                    return origin_of(unit, candidate, path)
        raise KeyError("not an object of this compilation")

    def affected_by(self, document: Mapping[str, Any] | str, path: str) -> tuple[Effect, ...]:
        """What a place of the input comes to: the fields of `objects` that have it among their origins, in order; what is secret is hidden.

        document: a TrainJob or a runtime of the input, as a mapping or as "TrainJob/name" ("TrainJob/namespace/name" where names recur);
        path: as in `origin_of`, of that document. KeyError where no compiled TrainJob has to do with such a document.
        """
        from jobset_compiler.diagnostics import addresses
        from jobset_compiler.provenance.effects import effects_of

        found = [(unit, have) for unit in self.units for have in (unit.plan.job.document, unit.plan.runtime.document) if _is_meant(have.value, document)]
        if not found:
            raise KeyError("not a document of this compilation")
        effects: list[Effect] = []
        lacking = 0
        for unit, have in found:
            try:
                steps = addresses.resolve(have.value, addresses.parse(path))
            except KeyError:
                lacking += 1  # a name may be that of several documents, each with fields of its own
            else:
                effects += effects_of(unit, have, steps)
        if lacking == len(found):
            _, have = found[0]
            raise KeyError(f"{have.value['kind']} {have.value['metadata'].get('name', '')} has no {path}")
        return tuple(effects)

    def __eq__(self, other: object) -> bool:
        """Whether both say the same: objects, diagnostics, release."""
        if not isinstance(other, Compilation):
            return NotImplemented
        mine, others = ((one.trainer_version, one.jobset_version, one.diagnostics) for one in (self, other))
        return mine == others and list(self._manifests()) == list(other._manifests())

    def __hash__(self) -> int:
        return hash((self.trainer_version, self.diagnostics))

    def __repr__(self) -> str:
        made = [f"{manifest['kind']} {manifest['metadata']['namespace']}/{manifest['metadata']['name']}" for manifest in self._manifests()]
        if len(made) > SHOWN:
            made[SHOWN:] = [f"{len(made) - SHOWN} more"]
        counted = [f"{count} {severity}" for severity, count in self._counted() if count]
        return f"<Compilation {self.trainer_version} {'ok' if self.ok else 'refused'}: {', '.join(made + counted) or 'nothing'}>"

    def _counted(self) -> list[tuple[str, int]]:
        severities = [diagnostic.severity for diagnostic in self.diagnostics]
        return [(severity, severities.count(severity)) for severity in SEVERITIES]


def _identity(manifest: Mapping[str, Any]) -> tuple[str, str, str, str]:
    meta = manifest["metadata"]
    return manifest["apiVersion"], manifest["kind"], meta["namespace"], meta["name"]


def _is_meant(value: Mapping[str, Any], document: Mapping[str, Any] | str) -> bool:
    name = value["metadata"].get("name", "")
    namespace = value["metadata"].get("namespace", "")
    if isinstance(document, str):
        return document in (f"{value['kind']}/{name}", f"{value['kind']}/{namespace}/{name}")
    meta = document.get("metadata") or {}
    return (value["kind"], namespace, name) == (document.get("kind"), meta.get("namespace", ""), meta.get("name", ""))


def _copy(tree: Any) -> Any:
    if type(tree) is dict:
        return {key: _copy(item) if type(item) in (dict, list) else item for key, item in tree.items()}
    return [_copy(item) if type(item) in (dict, list) else item for item in tree]
