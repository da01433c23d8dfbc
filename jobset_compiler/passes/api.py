"""What a pass is: all that the author of a pass imports.

A pass reads one frozen Plan and yields edits and diagnostics; it writes nothing. The driver applies the edits, so that
it alone knows who wrote what on account of which input, and refuses two passes that want different values in one slot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]

# The stages in order: each settles what the next one reads.
SIZE = "size"  # counts of PodSets
CONTAINERS = "containers"  # environment, ports, volumes, commands
SCHEDULING = "scheduling"  # pod labels and annotations
COMPANIONS = "companions"  # further objects
CHECK = "check"  # diagnostics only
STAGES = (SIZE, CONTAINERS, SCHEDULING, COMPANIONS, CHECK)


class SetCount(NamedTuple):
    """`pod_set` runs `count` pods (parallelism and completions)."""

    pod_set: str
    count: int  # type: ignore[assignment]  # Kubernetes' own word hides tuple.count
    because: Path = ()


class SetEnv(NamedTuple):
    """Upsert an environment variable by name: replaced where it stands, else appended."""

    pod_set: str
    container: str
    entry: Tree
    because: Path = ()
    init: bool = False


class SetPort(NamedTuple):
    """Upsert a port as upstream does: by number or by name, two missing names being equal (quirk Q1)."""

    pod_set: str
    container: str
    port: Tree
    because: Path = ()


class AddMount(NamedTuple):
    """Upsert a volume mount by mountPath."""

    pod_set: str
    container: str
    mount: Tree
    because: Path = ()


class AddVolume(NamedTuple):
    """Upsert a volume by name."""

    pod_set: str
    volume: Tree
    because: Path = ()


class AddEnvFrom(NamedTuple):
    """Append an envFrom source."""

    pod_set: str
    container: str
    source: Tree
    because: Path = ()


class AddInitContainer(NamedTuple):
    """Append an init container after those of the template."""

    pod_set: str
    container: Tree
    because: Path = ()


class SetImage(NamedTuple):
    pod_set: str
    container: str
    image: str
    because: Path = ()


class SetCommand(NamedTuple):
    pod_set: str
    container: str
    command: tuple[str, ...]
    because: Path = ()


class SetArgs(NamedTuple):
    pod_set: str
    container: str
    args: tuple[str, ...]
    because: Path = ()


class SetResources(NamedTuple):
    """Replace a container's resources as a whole."""

    pod_set: str
    container: str
    resources: Tree
    because: Path = ()


class RewriteTrainer(NamedTuple):
    """Replace the command (and the args) that the TrainJob brings, before they are folded into the containers."""

    command: tuple[str, ...]
    args: tuple[str, ...] | None
    because: Path = ()


class SetPodLabel(NamedTuple):
    """A label on every pod template."""

    key: str
    value: str
    because: Path = ()


class SetPodAnnotation(NamedTuple):
    """An annotation on every pod template."""

    key: str
    value: str
    because: Path = ()


class AddObject(NamedTuple):
    """A further object to submit beside the JobSet: a whole manifest without owner references."""

    manifest: Tree
    because: Path = ()


Edit: TypeAlias = (
    SetCount
    | SetEnv
    | SetPort
    | AddMount
    | AddVolume
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


class Pass(NamedTuple):
    """One policy.

    name: "torch", or "acme.spot-tolerations" for a third party's; when: positive selection, never "unless others";
    overrides: passes whose values it may replace; cites: upstream file and tag, or issue.
    """

    name: str
    stage: str
    when: Callable[[Plan], bool]
    run: Callable[[Plan], Iterator[Edit | Diagnostic]]
    overrides: frozenset[str] = frozenset()
    cites: tuple[str, ...] = ()
    distribution: str = "jobset-compiler"
