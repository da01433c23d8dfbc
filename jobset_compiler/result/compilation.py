"""What a compile returns: objects, diagnostics, and the answers to "where does this come from" and "what will run"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.profiles import Profile
    from jobset_compiler.provenance.effects import Effect
    from jobset_compiler.provenance.origins import Origin
    from jobset_compiler.result.podsets import PodSetSummary
    from jobset_compiler.result.requirements import Requirement


class Compilation:
    """The result of a compile. Immutable; equal inputs give equal results.

    ok: no error: admission would accept every document, the controller would build every TrainJob, and the Job and Pod APIs would take
    what comes of them;
    is_submitted: the same without the last: the controller submits the objects, whatever becomes of them;
    objects: what it submits: plain dicts, per TrainJob in input order, the JobSet first; empty where it submits nothing. So they are there also
    where only their Jobs or Pods would be refused (diagnostics of the stage `children`): the JobSet exists then, and its pods never do;
    diagnostics: everything there is to say, in the order of the input.
    """

    __slots__ = ("_objects", "diagnostics", "is_submitted", "ok", "trainer_version", "units")

    def __init__(self, profile: Profile, units: tuple[Unit, ...], diagnostics: tuple[Diagnostic, ...]) -> None:
        self.trainer_version = profile.name
        self.ok = not any(diagnostic.is_error for diagnostic in diagnostics)
        self.is_submitted = not any(diagnostic.prevents_objects for diagnostic in diagnostics)
        self.units = units if self.is_submitted else ()
        self.diagnostics = diagnostics
        self._objects: tuple[dict[str, Any], ...] | None = None

    @property
    def objects(self) -> tuple[dict[str, Any], ...]:
        """The caller's own copies: the trees behind them are shared with runtimes and other compilations."""
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
        from jobset_compiler.emit.yaml import to_yaml

        return to_yaml(self._manifests())

    def to_json(self) -> str:
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
        """What a place of the input comes to: the fields of `objects` that have it among their origins, in order.

        document: a TrainJob or a runtime of the input, as a mapping or as "TrainJob/name" ("TrainJob/namespace/name" where names recur);
        path: as in `origin_of`, of that document. KeyError where no compiled TrainJob has to do with such a document.
        """
        from jobset_compiler.diagnostics import addresses
        from jobset_compiler.provenance.effects import effects_of

        found = [(unit, have) for unit in self.units for have in (unit.plan.job.document, unit.plan.runtime.document) if _is_meant(have.value, document)]
        if not found:
            raise KeyError("not a document of this compilation")
        effects: list[Effect] = []
        for unit, have in found:
            try:
                steps = addresses.resolve(have.value, addresses.parse(path))
            except KeyError:
                raise KeyError(f"{have.value['kind']} {have.value['metadata'].get('name', '')} has no {path}") from None
            effects += effects_of(unit, have, steps)
        return tuple(effects)


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
