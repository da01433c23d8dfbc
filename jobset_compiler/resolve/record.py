"""Where each part of a Plan's template comes from: what the merges recorded on the way, kept beside the template.

Paths of the template are those of a JobSetSpec. The record answers with places in the two documents; whether a document really has
such a place is for the reader to see (`Document.value`), since of two merged maps each key stands in one of them, or in both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from jobset_compiler.kube.lineage import KnownLineage, Late, Lineage
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path

RUNTIME = "runtime"
IN_RUNTIME: Path = ("spec", "template", "spec")
RESOURCES_PER_NODE: Path = ("spec", "trainer", "resourcesPerNode")
AS_IN_RUNTIME = Late(KnownLineage(Lineage(((RUNTIME,),))))


class Override(Value):
    """A tree that was merged: what it says at `at` stands at `origin` of the TrainJob."""

    __slots__ = ("at", "manager", "origin")

    def __init__(self, manager: str, at: Path, origin: Path) -> None:
        self.manager: Final = manager
        self.at: Final = at
        self.origin: Final = origin


class Spoken(Value):
    """A place that speaks of a value: `path` of the TrainJob, said by an override, or of the runtime where `override` is None."""

    __slots__ = ("override", "path")

    def __init__(self, override: Override | None, path: Path) -> None:
        self.override: Final = override
        self.path: Final = path


class Record(Value):
    """late: what `kube.merge` records when it is asked to, of paths that begin with RUNTIME or with an index of `overrides`;
    resources_at: (replicatedJob, container) whose resources have resourcesPerNode of the TrainJob laid over them; resources_by: the slug
    of the feature that does so."""

    __slots__ = ("late", "overrides", "resources_at", "resources_by")

    def __init__(
        self,
        late: Late = AS_IN_RUNTIME,
        overrides: tuple[Override, ...] = (),
        resources_at: frozenset[tuple[int, int]] = frozenset(),
        resources_by: str = "",
    ) -> None:
        self.late: Final = late
        self.overrides: Final = overrides
        self.resources_at: Final = resources_at
        self.resources_by: Final = resources_by

    def spoken(self, path: Path) -> tuple[Spoken, ...]:
        """The places that speak of what the template has at that path, the one that wins first."""
        return tuple(spoken for place in self.late.lineage.at(path) if (spoken := self._spoken(place)) is not None)

    def _spoken(self, place: Path) -> Spoken | None:
        source, steps = place[0], place[1:]
        if source == RUNTIME:
            return Spoken(None, (*IN_RUNTIME, *steps))
        override = self.overrides[int(source)]
        depth = len(override.at)
        if steps[:depth] == override.at:
            return Spoken(override, (*override.origin, *steps[depth:]))
        # Around what it says it is the whole; beside that it says nothing.
        return Spoken(override, override.origin) if override.at[: len(steps)] == steps else None

    def resources_per_node(self, path: Path) -> Path:
        """The place in resourcesPerNode that a path of the template leads to where those were merged in; () elsewhere."""
        match path:
            case ("replicatedJobs", int(job), "template", "spec", "template", "spec", "containers", int(container), "resources", *rest) if (
                job,
                container,
            ) in self.resources_at:
                return (*RESOURCES_PER_NODE, *rest)
        return ()


AS_IT_STANDS = Record()


class OfRuntime(Value):
    """A place of the runtime, where a bare path is one of the TrainJob."""

    __slots__ = __match_args__ = ("path",)

    def __init__(self, path: Path) -> None:
        self.path: Final = path


class OfTemplate(Value):
    """A place of the Plan's template: whoever spoke of it."""

    __slots__ = __match_args__ = ("path",)

    def __init__(self, path: Path) -> None:
        self.path: Final = path


class OfCount(Value):
    """The number of pods of a PodSet, with all that it goes back to."""

    __slots__ = __match_args__ = ("pod_set",)

    def __init__(self, pod_set: str) -> None:
        self.pod_set: Final = pod_set


class OfMetadata(Value):
    """A label or annotation of the JobSet, ("annotations", key): whoever wrote it."""

    __slots__ = __match_args__ = ("path",)

    def __init__(self, path: Path) -> None:
        self.path: Final = path


class OfFeature(Value):
    """A behaviour of the release, by its slug: it decided the value, where releases differ."""

    __slots__ = __match_args__ = ("slug",)

    def __init__(self, slug: str) -> None:
        self.slug: Final = slug


class Several(Value):
    """What a value was computed from."""

    __slots__ = __match_args__ = ("places",)

    def __init__(self, places: tuple[Because, ...]) -> None:
        self.places: Final = places


class Parts(Value):
    """Of a value with parts: what each of them goes back to, by its path, before what the whole does."""

    __slots__ = __match_args__ = ("parts", "whole")

    def __init__(self, parts: tuple[tuple[Path, Because], ...], whole: Because) -> None:
        self.parts: Final = parts
        self.whole: Final = whole


Because: TypeAlias = "Path | OfRuntime | OfTemplate | OfCount | OfMetadata | OfFeature | Several | Parts"


class Write(Value):
    """One value that a pass put into one slot (see `passes/edits.py`); `because` is the place that it goes back to, () for none."""

    __slots__ = ("because", "pass_name", "slot", "value")

    def __init__(self, slot: tuple[str, ...], value: Any, pass_name: str, because: Because) -> None:
        self.slot: Final = slot
        self.value: Final = value
        self.pass_name: Final = pass_name
        self.because: Final = because
