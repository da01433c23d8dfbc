"""What a pass is: all that the author of a pass imports.

A pass reads one frozen Plan and yields edits and diagnostics; it writes nothing. The driver applies the edits, so that
it alone knows who wrote what on account of which input, and refuses two passes that want different values in one slot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from jobset_compiler.resolve.record import OfRuntime as OfRuntime  # for those who write passes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.resolve.record import Because

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
    because: Because = ()


class SetEnv(NamedTuple):
    """Upsert an environment variable by name: replaced where it stands, else appended."""

    pod_set: str
    container: str
    entry: Tree
    because: Because = ()
    init: bool = False


class SetPort(NamedTuple):
    """Upsert a port as upstream does: by number or by name, two missing names being equal (quirk Q1)."""

    pod_set: str
    container: str
    port: Tree
    because: Because = ()


class AddMount(NamedTuple):
    """Upsert a volume mount by mountPath."""

    pod_set: str
    container: str
    mount: Tree
    because: Because = ()


class AddVolume(NamedTuple):
    """Upsert a volume by name."""

    pod_set: str
    volume: Tree
    because: Because = ()


class AddEnvFrom(NamedTuple):
    """Append an envFrom source."""

    pod_set: str
    container: str
    source: Tree
    because: Because = ()


class AddInitContainer(NamedTuple):
    """Append an init container after those of the template."""

    pod_set: str
    container: Tree
    because: Because = ()


class SetImage(NamedTuple):
    pod_set: str
    container: str
    image: str
    because: Because = ()


class SetCommand(NamedTuple):
    pod_set: str
    container: str
    command: tuple[str, ...]
    because: Because = ()


class SetArgs(NamedTuple):
    pod_set: str
    container: str
    args: tuple[str, ...]
    because: Because = ()


class SetResources(NamedTuple):
    """Replace a container's resources as a whole."""

    pod_set: str
    container: str
    resources: Tree
    because: Because = ()


class RewriteTrainer(NamedTuple):
    """Replace the command (and the args) that the TrainJob brings, before they are folded into the containers."""

    command: tuple[str, ...]
    args: tuple[str, ...] | None
    because: Because = ()


class SetPodLabel(NamedTuple):
    """A label on every pod template."""

    key: str
    value: str
    because: Because = ()


class SetPodAnnotation(NamedTuple):
    """An annotation on every pod template."""

    key: str
    value: str
    because: Because = ()


class AddObject(NamedTuple):
    """A further object to submit beside the JobSet: a whole manifest with a name. It gets the TrainJob's namespace and owner reference, unless
    its metadata says otherwise."""

    manifest: Tree
    because: Because = ()


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
