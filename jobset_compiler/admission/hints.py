"""Advice about a field that the schema of a release does not know: what was probably meant, and where it belongs.

Nothing here changes a verdict. The tables of other releases are loaded only when a field is unknown.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.admission.schema import TYPES
from jobset_compiler.diagnostics.fix import rename
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.diagnostics.redaction import is_credential
from jobset_compiler.profiles import RELEASED

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.fix import Remedy
    from jobset_compiler.diagnostics.place import Located, Path
    from jobset_compiler.kube.table import Field, Struct, TypeTable
    from jobset_compiler.profiles import Profile

# Fields of kubeflow.org/v2alpha1 (Trainer v1.9) and what took their place.
FORMER_NAMES = {"trainingRuntimeRef": "runtimeRef", "modelConfig": "initializer.model", "datasetConfig": "initializer.dataset"}
# What people write for a field that has another name here: (struct, name) -> advice.
MEANT = {
    ("trainer.RuntimeRef", "apiVersion"): "did you mean apiGroup? It has no version",
    ("trainer.Trainer", "container"): "image, command, args and env stand in spec.trainer itself",
    ("trainer.RuntimeRef", "namespace"): "a TrainingRuntime is looked for in the TrainJob's own namespace: leave it out",
    **{
        ("trainer.RuntimePatch", name): f"write trainingRuntimeSpec: {{template: {{spec: {{replicatedJobs: [{{name: ..., {place}}}]}}}}}}"
        for name, place in (("spec", "template: {spec: {template: {spec: ...}}}"), ("targetJobs", "template: ..."), ("template", "template: ..."))
    },
    ("trainer.Trainer", "replicas"): "write numNodes: the number of pods",
    **{
        ("trainer.Trainer", name): f"write resourcesPerNode: {{limits: {{nvidia.com/gpu: {example}}}}}"
        for name, example in (("gpus", 8), ("gpu", 8), ("numGpus", 8), ("gpusPerNode", 8), ("nvidia.com/gpu", 8))
    },
    **{
        ("trainer.Trainer", name): f"write it in resourcesPerNode: {{requests: {{{name}: ...}}, limits: {{{name}: ...}}}}" for name in ("cpu", "memory")
    },
    **{
        ("trainer.TrainJobSpec", name): "write trainer: {numNodes: ...}: the number of pods"
        for name in ("replicas", "workers", "worker", "nodes", "nnodes", "numWorkers")
    },
    **{
        ("trainer.TrainJobSpec", name): "write metadata.labels: {kueue.x-k8s.io/queue-name: ...} where Kueue has the queues"
        for name in ("queue", "queueName", "localQueue")
    },
    ("trainer.TrainJobSpec", "ttlSecondsAfterFinished"): "TrainJobs have none: delete finished ones yourself (in a runtime it deletes what is then made again)",
    ("trainer.MLPolicy", "tensorflow"): "no release has a policy for TensorFlow: leave it out and set TF_CONFIG yourself, or see --extension tensorflow",
    **{("trainer.MLPolicy", name): "there is no policy of that name: write mpi: {} for mpirun, or torch: {}" for name in ("deepspeed", "horovod", "mlx")},
    **{("trainer.MLPolicy", name): "write the name of the policy as a key: torch: {}" for name in ("policy", "type", "framework")},
    ("trainer.PodGroupPolicy", "kueue"): "leave it out: Kueue reads the label kueue.x-k8s.io/queue-name of the TrainJob",
    ("trainer.PodGroupPolicy", "kai"): "leave it out: KAI groups pods by itself; write schedulerName: kai-scheduler into the pod spec",
    ("trainer.VolcanoPodGroupPolicySource", "queue"): "annotate the runtime: spec.template.metadata.annotations: {scheduling.volcano.sh/queue-name: ...}",
    ("trainer.VolcanoPodGroupPolicySource", "minMember"): "leave it out: the controller counts all pods",
    ("trainer.CoschedulingPodGroupPolicySource", "minMember"): "leave it out: the controller counts all pods",
    ("trainer.ContainerOverride", "resources"): "resources of the training container are spec.trainer.resourcesPerNode",
    ("trainer.ContainerPatch", "resources"): "resources of the training container are spec.trainer.resourcesPerNode",
}
# What has another name here and is the same otherwise: (struct, name) -> name.
RENAMED = {
    ("trainer.Trainer", "resources"): "resourcesPerNode",
    **{("trainer.Trainer", name): "numNodes" for name in ("workers", "worker", "nodes", "nnodes", "numWorkers")},
}
# Names that so many types have that another place of the same name says nothing.
COMMON_NAMES = frozenset({"apiVersion", "key", "kind", "metadata", "mode", "name", "namespace", "path", "spec", "status", "type", "value"})
OTHER_KIND = {"TrainJob": "TrainingRuntime", "TrainingRuntime": "TrainJob", "ClusterTrainingRuntime": "TrainJob"}
CALLED = {"TrainJob": "the TrainJob", "TrainingRuntime": "the runtime"}
# Where nobody looks for a field of a job, a pod or a container.
SIDE_ROADS = frozenset({"status", "volumes", "volumeClaimPolicies", "initContainers", "ephemeralContainers", "elasticPolicy"})
DEEPEST = 12
LONGEST_VALUE = 40
SURE, LIKELY = 0.8, 0.6
# Of the spellings of overrides, which resemble each other.
NEARLY = 0.9


class Advice(NamedTuple):
    """What to do, in words, and as far as it is mechanical; false where nothing is known."""

    hint: str
    remedies: tuple[Remedy, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.hint)


def advise_unknown(path: Path, kind: str, profile: Profile, document: Located | None = None) -> Advice:
    """What to do about the unknown field at that path of a document; nothing where nothing better than its name is known.

    document: where it stands, for hints that repeat its value.
    """
    table, name = profile.types(), str(path[-1])
    parent = field_at(table, kind, path[:-1])
    if path[-2:-1] in (("resourcesPerNode",), ("resources",)) and ("/" in name or name in ("cpu", "memory", "gpu", "gpus")):
        device = "nvidia.com/gpu" if name in ("gpu", "gpus") else name
        return Advice(f"write it one level deeper: limits: {{{device}: {_written(document, path)}}}")
    struct = table.struct(TYPES[kind]) if len(path) == 1 else struct_of(parent)
    if struct is None or (parent is not None and parent.kind == "list"):
        return Advice(wrong_shape(table, kind, path[:-1]))
    if name.startswith("$"):
        return Advice("directives of a strategic merge patch are no part of the API; the server drops them")
    if struct.name == "meta.EmbeddedObjectMeta":
        return Advice(f"metadata of a template has only {listed(tuple(struct.fields))}")
    return (
        Advice(MEANT.get((struct.name, name), ""))
        or _rename(path, RENAMED.get((struct.name, name), "") or same_letters(name, struct))
        or other_spelling(path, kind, profile)
        or Advice(_moved(path, kind, profile, document))
        or Advice(other_releases(path, kind, profile))
        or _rename(path, near_name(name, struct, SURE), safe=is_sure(name, near_name(name, struct, SURE)))
        or Advice(_as_variable(name, path, document) if struct.name == "core.EnvVar" and name not in places(struct) else "")
        or Advice(elsewhere(path, kind, profile, struct))
        or _rename(path, near_name(name, struct, LIKELY), safe=False)
    )


def _as_variable(name: str, path: Path, document: Located | None) -> str:
    return f"write - {{name: {name}, value: {'...' if is_credential(name) else _written(document, path)}}}"


def _written(document: Located | None, path: Path) -> str:
    """The value of a field as it stands in the text, if it is a short single one."""
    extent = None if document is None else document.extent(path)
    text = "" if document is None or extent is None else document.text[extent[0] : extent[1]]
    return text if 0 < len(text) <= LONGEST_VALUE and "\n" not in text and text[0] not in "&!|>[{*" else "..."


def _rename(path: Path, known: str, *, safe: bool = True) -> Advice:
    return Advice(f"did you mean {known}?", (rename(path, known, safe=safe),)) if known else Advice("")


def same_letters(name: str, struct: Struct) -> str:
    bare = name.replace("_", "").replace("-", "").lower()
    return next((known for known in struct.fields if known.lower() == bare), "")


def near_name(name: str, struct: Struct, cutoff: float) -> str:
    longer = next((known for known in struct.fields if known.startswith(name)), "") if len(name) > 4 else ""
    from difflib import get_close_matches

    return longer or next(iter(get_close_matches(name, struct.fields, 1, cutoff)), "")


def is_sure(name: str, meant: str) -> bool:
    """Whether a word is so near to one that exists that it can mean nothing else."""
    from difflib import get_close_matches

    return bool(get_close_matches(name, (meant,), 1, SURE))


def other_spelling(path: Path, kind: str, profile: Profile) -> Advice:
    """The one field of a TrainJob that was renamed from release to release, and the names of the legacy API."""
    if kind != "TrainJob" or len(path) != 2:
        return Advice("")
    from difflib import get_close_matches

    name = next(iter(get_close_matches(str(path[1]), {other.override_field for other in RELEASED} - {profile.override_field}, 1, NEARLY)), str(path[1]))
    releases = tuple(other for other in RELEASED if other.override_field == name)
    if releases:
        # Of another shape, too, which is written for later releases only.
        is_later = profile not in RELEASED[: RELEASED.index(releases[0])]
        said = f"{name} is the spelling of {listed(tuple(other.name for other in releases))}; {profile.name} has {profile.override_field}"
        return Advice(f"{said}: `jobset-compiler migrate` rewrites it" if is_later else said)
    if name not in FORMER_NAMES:
        return Advice("")
    now = FORMER_NAMES[name]
    remedies = () if "." in now else (rename(path, now, safe=False),)
    return Advice(f"{name} is of kubeflow.org/v2alpha1; now it is spec.{now}", remedies)


def _moved(path: Path, kind: str, profile: Profile, document: Located | None) -> str:
    """What took the place of a field that earlier releases have."""
    known = other_releases(path, kind, profile)
    if not known:
        return ""
    if path in (("spec", "labels"), ("spec", "annotations")):
        return f"{known}: write it in template.metadata.{path[1]} of the runtime, or of the trainingRuntimeSpec of a runtimePatch"
    if path == ("spec", "mlPolicy", "torch", "elasticPolicy"):
        return f"{known}: leave it out, no release has acted on it"
    if path == ("spec", "mlPolicy", "torch", "numProcPerNode"):
        number = _written(document, path).strip("'\"")
        if number == "auto":
            return f"{known}: leave it out, auto is what happens anyway"
        return f"{known}: write spec.trainer.numProcPerNode{f': {number}' if number.isdecimal() else ''} in the TrainJobs"
    return ""


def other_releases(path: Path, kind: str, profile: Profile) -> str:
    known = tuple(other.name for other in RELEASED if other.name != profile.name and field_at(other.types(), kind, path) is not None)
    return f"known in {listed(known)}, not in {profile.name}" if known else ""


def elsewhere(path: Path, kind: str, profile: Profile, struct: Struct) -> str:
    """A place where the field does exist: below its parent, further up, or in the other kind of document."""
    table, name = profile.types(), str(path[-1])
    if name in COMMON_NAMES:
        return ""
    below = places(struct).get(name)
    if below is not None:
        return f"it belongs in {format_path(path[:-1] + below[:-1])}"
    for length in range(len(path) - 2, 0, -1):
        field = field_at(table, kind, (*path[:length], name))
        if field is not None:
            return f"it belongs in {format_path(path[:length])}"
    other = OTHER_KIND.get(kind)
    for where in (kind, other):
        place = places(table.struct(TYPES[where])).get(name) if where else None
        if place is not None and where is not None:
            return f"it belongs in {format_path(place[:-1])}" if where == kind else f"it belongs in {CALLED[where]}: {format_path(place)}"
    return ""


def wrong_shape(table: TypeTable, kind: str, path: Path) -> str:
    """Where a field was looked for in something that has no fields."""
    for length in range(1, len(path) + 1):
        field = field_at(table, kind, path[:length])
        if field is None:
            return ""
        following = path[length] if length < len(path) else ""
        if field.kind == "list" and not isinstance(following, int):
            return f"{format_path(path[:length])} is a list"
        if field.kind in ("struct", "map") and isinstance(following, int):
            return f"{format_path(path[:length])} is a mapping, not a list"
        if field.kind not in ("list", "struct", "map"):
            return f"{format_path(path[:length])} is a single value"
    return ""


@lru_cache(maxsize=32)
def places(struct: Struct) -> dict[str, Path]:
    """The shortest path below a struct to a field of each name that occurs there: `("env[]", "valueFrom", ...)`."""
    found: dict[str, Path] = {}
    level: list[tuple[Path, Struct]] = [((), struct)]
    seen = {struct.name}
    for _ in range(DEEPEST):
        following = []
        for path, current in level:
            for key, field in current.fields.items():
                inner = struct_of(field)
                if key in SIDE_ROADS or inner is None or inner.name in seen:
                    continue
                seen.add(inner.name)
                here = (*path, key if field.kind == "struct" else f"{key}[]")
                for name in inner.fields:
                    found.setdefault(name, (*here, name))
                following.append((here, inner))
        level = following
    return found


def field_at(table: TypeTable, kind: str, path: Path) -> Field | None:
    """The field at a path of a document of that kind; None where the release has none."""
    struct: Struct | None = table.struct(TYPES[kind])
    field: Field | None = None
    for step in path:
        if field is not None and field.elem is not None:
            field = field.elem  # an index of a list, a key of a map
            if isinstance(step, int) or field.kind != "struct":
                struct = struct_of(field)
                continue
        field = struct.fields.get(str(step)) if struct is not None else None
        if field is None:
            return None
        struct = field.struct if field.kind == "struct" else None
    return field


def struct_of(field: Field | None) -> Struct | None:
    """The struct that a field is, or that its elements are."""
    if field is not None and field.elem is not None:
        field = field.elem
    return field.struct if field is not None and field.kind == "struct" else None


def about_null(field: Field | None, path: Path) -> str:
    """What to write where a mutating webhook made null of a field that is empty or not there."""
    if field is not None and field.kind == "list":
        return f"write {path[-1]}, with one item at least: empty or left out, it comes back from a webhook as null"
    least = ': "" at least' if field is not None and field.kind == "string" else ""
    return f"write {path[-1]}{least}: left out, it comes back from a webhook as null"


def listed(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
