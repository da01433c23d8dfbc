"""The kinds of edits. Each says what it writes to (its slot), what it wants there (its value), and how it is applied.

Two passes that want different values in one slot conflict. A slot is the address of what is written, without indexes: the name of the PodSet,
then the steps below its pod's spec, items of lists by what Kubernetes tells them apart by; "" is every PodSet, or the Plan itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from jobset_compiler.api.trainjob import Trainer
from jobset_compiler.passes.container_edits import (
    AddEnvFrom,
    AddMount,
    InsertEnv,
    SetArgs,
    SetCommand,
    SetEnv,
    SetImage,
    SetPort,
    SetResources,
    Slot,
    Tree,
)
from jobset_compiler.passes.upsert import same_name
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.passes.draft import Draft
    from jobset_compiler.resolve.record import Because

# The stages in order: each settles what the next one reads.
SIZE = "size"  # counts of PodSets
POLICY = "policy"  # what an ML policy gives the containers, before the TrainJob's own values are laid over it
CONTAINERS = "containers"  # environment, ports, volumes, commands
SCHEDULING = "scheduling"  # pod labels and annotations
COMPANIONS = "companions"  # further objects
CHECK = "check"  # diagnostics only
STAGES = (SIZE, POLICY, CONTAINERS, SCHEDULING, COMPANIONS, CHECK)


class SetCount(Value):
    """`pod_set` runs `count` pods (parallelism and completions)."""

    __slots__ = ("because", "count", "pod_set")

    def __init__(self, pod_set: str, count: int, because: Because = ()) -> None:
        self.pod_set: Final = pod_set
        self.count: Final = count
        self.because: Final = because

    @property
    def slot(self) -> Slot:
        return self.pod_set, "count"

    @property
    def value(self) -> int:
        return self.count

    def apply(self, draft: Draft) -> None:
        draft.pod_set(self.pod_set).set("count", self.count)


class AddVolume(Value):
    """Upsert a volume by name."""

    __slots__ = ("because", "pod_set", "volume")

    def __init__(self, pod_set: str, volume: Tree, because: Because = ()) -> None:
        self.pod_set: Final = pod_set
        self.volume: Final = volume
        self.because: Final = because

    @property
    def slot(self) -> Slot:
        return self.pod_set, "volumes", self.volume["name"]

    @property
    def value(self) -> Tree:
        return self.volume

    def apply(self, draft: Draft) -> None:
        draft.pod_set(self.pod_set).upsert("volumes", self.volume, same_name)


class AddDNSSearch(Value):
    """A further search domain of the pod's resolver (dnsConfig.searches), unless it has that one."""

    __slots__ = ("because", "domain", "pod_set")

    def __init__(self, pod_set: str, domain: str, because: Because = ()) -> None:
        self.pod_set: Final = pod_set
        self.domain: Final = domain
        self.because: Final = because

    @property
    def slot(self) -> Slot:
        return self.pod_set, "dnsConfig", "searches", repr(self.domain)

    @property
    def value(self) -> str:
        return self.domain

    def apply(self, draft: Draft) -> None:
        draft.pod_set(self.pod_set).append("added_dns_searches", self.domain)


class AddInitContainer(Value):
    """Upsert an init container by name, after those of the template."""

    __slots__ = ("because", "container", "pod_set")

    def __init__(self, pod_set: str, container: Tree, because: Because = ()) -> None:
        self.pod_set: Final = pod_set
        self.container: Final = container
        self.because: Final = because

    @property
    def slot(self) -> Slot:
        return self.pod_set, "initContainers", self.container["name"]

    @property
    def value(self) -> Tree:
        return self.container

    def apply(self, draft: Draft) -> None:
        draft.pod_set(self.pod_set).upsert("added_init_containers", self.container, same_name)


class RewriteTrainer(Value):
    """Replace the command (and the args) that the TrainJob brings, before they are folded into the containers."""

    __slots__ = ("args", "because", "command")

    def __init__(self, command: tuple[str, ...], args: tuple[str, ...] | None, because: Because = ()) -> None:
        self.command: Final = command
        self.args: Final = args
        self.because: Final = because

    @property
    def slot(self) -> Slot:
        return "", "trainer"

    @property
    def value(self) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
        return self.command, self.args

    def apply(self, draft: Draft) -> None:
        draft.set("trainer", (draft.have.trainer or Trainer())._replace(command=self.command, args=self.args))


class SetPodLabel(Value):
    """A label on every pod template."""

    __slots__ = ("because", "key", "value")

    def __init__(self, key: str, value: str, because: Because = ()) -> None:
        self.key: Final = key
        self.value: Final = value
        self.because: Final = because

    @property
    def slot(self) -> Slot:
        return "", "labels", self.key

    def apply(self, draft: Draft) -> None:
        draft.set("pod_labels", _with_key(draft.get("pod_labels"), self.key, self.value))


class SetPodAnnotation(Value):
    """An annotation on every pod template."""

    __slots__ = ("because", "key", "value")

    def __init__(self, key: str, value: str, because: Because = ()) -> None:
        self.key: Final = key
        self.value: Final = value
        self.because: Final = because

    @property
    def slot(self) -> Slot:
        return "", "annotations", self.key

    def apply(self, draft: Draft) -> None:
        draft.set("pod_annotations", _with_key(draft.get("pod_annotations"), self.key, self.value))


class AddObject(Value):
    """Upsert a further object to submit beside the JobSet: a whole manifest with a name. It gets the TrainJob's namespace and owner reference,
    unless its metadata says otherwise."""

    __slots__ = ("because", "manifest")

    def __init__(self, manifest: Tree, because: Because = ()) -> None:
        self.manifest: Final = manifest
        self.because: Final = because

    @property
    def slot(self) -> Slot:
        group, _, _ = self.manifest["apiVersion"].rpartition("/")
        meta = self.manifest["metadata"]
        return "", self.manifest["kind"], meta["name"], group, meta.get("namespace", "")

    @property
    def value(self) -> Tree:
        return self.manifest

    def apply(self, draft: Draft) -> None:
        _, kind, name, group, namespace = slot = self.slot
        if not all(isinstance(part, str) for part in slot):
            raise TypeError(f"an object needs texts as its kind, name and namespace, not {kind!r}, {name!r} and {namespace!r}")
        job = draft.have.job
        if (group, kind, name) == ("jobset.x-k8s.io", "JobSet", job.name) and namespace in ("", job.namespace):
            raise ValueError(f"JobSet {name} is what the TrainJob comes to, and no further object")
        draft.upsert("objects", self.manifest, _same_object)


Edit: TypeAlias = (
    SetCount
    | SetEnv
    | InsertEnv
    | SetPort
    | AddMount
    | AddVolume
    | AddDNSSearch
    | AddEnvFrom
    | AddInitContainer
    | SetImage
    | SetCommand
    | SetArgs
    | SetResources
    | RewriteTrainer
    | SetPodLabel
    | SetPodAnnotation
    | AddObject
)

# What changes nothing where its slot has that very value already: variables are laid over those of policies once more (`user.py`).
SETTLED: Final = frozenset({SetEnv, InsertEnv})

# What each stage settles.
KINDS: dict[str, tuple[type, ...]] = {
    SIZE: (SetCount,),
    POLICY: (),
    CONTAINERS: (
        SetEnv,
        InsertEnv,
        SetPort,
        AddMount,
        AddVolume,
        AddDNSSearch,
        AddEnvFrom,
        AddInitContainer,
        SetImage,
        SetCommand,
        SetArgs,
        SetResources,
        RewriteTrainer,
    ),
    SCHEDULING: (SetPodLabel, SetPodAnnotation),
    COMPANIONS: (AddObject,),
    CHECK: (),
}
# What a pass of a stage may yield: what its stage or a later one settles, since only what comes later has not been read yet.
MAY_YIELD = {stage: frozenset(kind for later in STAGES[rank:] for kind in KINDS[later]) for rank, stage in enumerate(STAGES)}


def _same_object(have: Tree, manifest: Tree) -> bool:
    return AddObject(have).slot == AddObject(manifest).slot


def _with_key(pairs: tuple[tuple[str, str], ...], key: str, value: str) -> tuple[tuple[str, str], ...]:
    return (*((k, v) for k, v in pairs if k != key), (key, value))


# By what the items of a list are told apart in a slot.
LIST_KEYS = {"containers": "name", "initContainers": "name", "volumes": "name", "env": "name", "ports": "containerPort", "volumeMounts": "mountPath"}


def slots_around(pod_set: str, pod_spec: Tree, path: Path) -> Iterator[tuple[Slot, Path]]:
    """The slots in which a place of a finished pod spec can lie, the innermost first, each with the steps below it."""
    tree: Any = pod_spec
    steps: list[str] = []
    field = ""
    for step in path:
        tree = tree[step]
        if isinstance(step, int):
            steps.append(str(tree.get(LIST_KEYS[field])) if field in LIST_KEYS else repr(tree))
        else:
            steps.append(step)
            field = step
    for depth in range(len(steps), 0, -1):
        yield (pod_set, *steps[:depth]), path[depth:]
