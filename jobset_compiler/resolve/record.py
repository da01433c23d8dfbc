"""Where each part of a Plan's template comes from: what the merges recorded on the way, kept beside the template.

Paths of the template are those of a JobSetSpec. The record answers with places in the two documents; whether a document really has
such a place is for the reader to see (`Document.value`), since of two merged maps each key stands in one of them, or in both.
"""

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from jobset_compiler.kube.merge_list import Origin

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path

RUNTIME = "runtime"
IN_RUNTIME: "Path" = ("spec", "template", "spec")
RESOURCES_PER_NODE: "Path" = ("spec", "trainer", "resourcesPerNode")
AS_IN_RUNTIME = Origin(((RUNTIME,),))


class Override(NamedTuple):
    """A tree that was merged: what it says at `at` stands at `origin` of the TrainJob."""

    manager: str
    at: "Path"
    origin: "Path"


class Spoken(NamedTuple):
    """A place that speaks of a value: `path` of the TrainJob, said by an override, or of the runtime where `override` is None."""

    override: Override | None
    path: "Path"


class Record(NamedTuple):
    """origin: as `kube.merge` has recorded it, of paths that begin with RUNTIME or with an index of `overrides`;
    resources_at: (replicatedJob, container) whose resources have resourcesPerNode of the TrainJob laid over them; resources_by: the slug
    of the feature that does so."""

    origin: Origin = AS_IN_RUNTIME
    overrides: tuple[Override, ...] = ()
    resources_at: frozenset[tuple[int, int]] = frozenset()
    resources_by: str = ""

    def spoken(self, path: "Path") -> tuple[Spoken, ...]:
        """The places that speak of what the template has at that path, the one that wins first."""
        return tuple(self._spoken(place) for place in self.origin.at(path))

    def _spoken(self, place: "Path") -> Spoken:
        source, steps = place[0], place[1:]
        if source == RUNTIME:
            return Spoken(None, (*IN_RUNTIME, *steps))
        override = self.overrides[int(source)]
        depth = len(override.at)
        return Spoken(override, (*override.origin, *steps[depth:]) if steps[:depth] == override.at else override.origin)

    def resources_per_node(self, path: "Path") -> "Path":
        """The place in resourcesPerNode that a path of the template leads to where those were merged in; () elsewhere."""
        match path:
            case ("replicatedJobs", int(job), "template", "spec", "template", "spec", "containers", int(container), "resources", *rest) if (
                (job, container) in self.resources_at
            ):
                return (*RESOURCES_PER_NODE, *rest)
        return ()


AS_IT_STANDS = Record()


class OfRuntime(NamedTuple):
    """A place of the runtime, where a bare path is one of the TrainJob."""

    path: "Path"


class OfTemplate(NamedTuple):
    """A place of the Plan's template: whoever spoke of it."""

    path: "Path"


class OfCount(NamedTuple):
    """The number of pods of a PodSet, with all that it goes back to."""

    pod_set: str


class OfMetadata(NamedTuple):
    """A label or annotation of the JobSet, ("annotations", key): whoever wrote it."""

    path: "Path"


class OfFeature(NamedTuple):
    """A behaviour of the release, by its slug: it decided the value, where releases differ."""

    slug: str


class Several(NamedTuple):
    """What a value was computed from."""

    places: "tuple[Because, ...]"


class Parts(NamedTuple):
    """Of a value with parts: what each of them goes back to, by its path, before what the whole does."""

    parts: "tuple[tuple[Path, Because], ...]"
    whole: "Because"


Because: TypeAlias = "Path | OfRuntime | OfTemplate | OfCount | OfMetadata | OfFeature | Several | Parts"


class Write(NamedTuple):
    """One value that a pass put into one slot (see `passes/edits.py`); `because` is the place that it goes back to, () for none."""

    slot: tuple[str, ...]
    value: Any
    pass_name: str
    because: Because
