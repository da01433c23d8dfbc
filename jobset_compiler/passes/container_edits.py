"""The edits of one container: its environment, ports, mounts, image, command, args and resources. See `edits.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.passes.upsert import same_mount_path, same_port
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from jobset_compiler.passes.draft import Draft
    from jobset_compiler.resolve.record import Because

Tree = dict[str, Any]
Slot = tuple[str, ...]


class SetEnv(Value):
    """Upsert an environment variable by name: replaced where it stands, else appended."""

    __slots__ = ("because", "container", "entry", "init", "pod_set")

    def __init__(self, pod_set: str, container: str, entry: Tree, because: Because = (), init: bool = False) -> None:
        self.pod_set: Final = pod_set
        self.container: Final = container
        self.entry: Final = entry
        self.because: Final = because
        self.init: Final = init

    @property
    def slot(self) -> Slot:
        return self.pod_set, "initContainers" if self.init else "containers", self.container, "env", self.entry["name"]

    @property
    def value(self) -> Tree:
        return self.entry

    def apply(self, draft: Draft) -> None:
        pods = draft.pod_set(self.pod_set)
        (pods.init_container if self.init else pods.container)(self.container).upsert_env(self.entry)


class InsertEnv(Value):
    """An environment variable before all others, or directly behind the one called `after`: the kubelet expands $(NAME) from earlier entries only.
    One of that name is replaced where it stands."""

    __slots__ = ("after", "because", "container", "entry", "pod_set")

    def __init__(self, pod_set: str, container: str, entry: Tree, because: Because = (), after: str = "") -> None:
        self.pod_set: Final = pod_set
        self.container: Final = container
        self.entry: Final = entry
        self.because: Final = because
        self.after: Final = after

    @property
    def slot(self) -> Slot:
        return self.pod_set, "containers", self.container, "env", self.entry["name"]

    @property
    def value(self) -> Tree:
        return self.entry

    def apply(self, draft: Draft) -> None:
        draft.pod_set(self.pod_set).container(self.container).insert_env(self.entry, self.after)


class SetPort(Value):
    """Upsert a port as upstream does: what counts as the same port differs from release to release (JSC801)."""

    __slots__ = ("because", "container", "pod_set", "port")

    def __init__(self, pod_set: str, container: str, port: Tree, because: Because = ()) -> None:
        self.pod_set: Final = pod_set
        self.container: Final = container
        self.port: Final = port
        self.because: Final = because

    @property
    def slot(self) -> Slot:
        return self.pod_set, "containers", self.container, "ports", str(self.port.get("containerPort"))

    @property
    def value(self) -> Tree:
        return self.port

    def apply(self, draft: Draft) -> None:
        draft.pod_set(self.pod_set).container(self.container).upsert("ports", self.port, same_port(draft.have.profile))


class AddMount(Value):
    """Upsert a volume mount by mountPath."""

    __slots__ = ("because", "container", "mount", "pod_set")

    def __init__(self, pod_set: str, container: str, mount: Tree, because: Because = ()) -> None:
        self.pod_set: Final = pod_set
        self.container: Final = container
        self.mount: Final = mount
        self.because: Final = because

    @property
    def slot(self) -> Slot:
        return self.pod_set, "containers", self.container, "volumeMounts", self.mount["mountPath"]

    @property
    def value(self) -> Tree:
        return self.mount

    def apply(self, draft: Draft) -> None:
        draft.pod_set(self.pod_set).container(self.container).upsert("mounts", self.mount, same_mount_path)


class AddEnvFrom(Value):
    """Append an envFrom source."""

    __slots__ = ("because", "container", "pod_set", "source")

    def __init__(self, pod_set: str, container: str, source: Tree, because: Because = ()) -> None:
        self.pod_set: Final = pod_set
        self.container: Final = container
        self.source: Final = source
        self.because: Final = because

    @property
    def slot(self) -> Slot:
        return self.pod_set, "containers", self.container, "envFrom", repr(self.source)

    @property
    def value(self) -> Tree:
        return self.source

    def apply(self, draft: Draft) -> None:
        draft.pod_set(self.pod_set).container(self.container).append("env_from", self.source)


class SetImage(Value):
    __slots__ = ("because", "container", "image", "pod_set")

    def __init__(self, pod_set: str, container: str, image: str, because: Because = ()) -> None:
        self.pod_set: Final = pod_set
        self.container: Final = container
        self.image: Final = image
        self.because: Final = because

    @property
    def slot(self) -> Slot:
        return self.pod_set, "containers", self.container, "image"

    @property
    def value(self) -> str:
        return self.image

    def apply(self, draft: Draft) -> None:
        draft.pod_set(self.pod_set).container(self.container).set("image", self.image)


class SetCommand(Value):
    __slots__ = ("because", "command", "container", "pod_set")

    def __init__(self, pod_set: str, container: str, command: tuple[str, ...], because: Because = ()) -> None:
        self.pod_set: Final = pod_set
        self.container: Final = container
        self.command: Final = command
        self.because: Final = because

    @property
    def slot(self) -> Slot:
        return self.pod_set, "containers", self.container, "command"

    @property
    def value(self) -> tuple[str, ...]:
        return self.command

    def apply(self, draft: Draft) -> None:
        draft.pod_set(self.pod_set).container(self.container).set("command", self.command)


class SetArgs(Value):
    __slots__ = ("args", "because", "container", "pod_set")

    def __init__(self, pod_set: str, container: str, args: tuple[str, ...], because: Because = ()) -> None:
        self.pod_set: Final = pod_set
        self.container: Final = container
        self.args: Final = args
        self.because: Final = because

    @property
    def slot(self) -> Slot:
        return self.pod_set, "containers", self.container, "args"

    @property
    def value(self) -> tuple[str, ...]:
        return self.args

    def apply(self, draft: Draft) -> None:
        draft.pod_set(self.pod_set).container(self.container).set("args", self.args)


class SetResources(Value):
    """Replace a container's resources as a whole."""

    __slots__ = ("because", "container", "pod_set", "resources")

    def __init__(self, pod_set: str, container: str, resources: Tree, because: Because = ()) -> None:
        self.pod_set: Final = pod_set
        self.container: Final = container
        self.resources: Final = resources
        self.because: Final = because

    @property
    def slot(self) -> Slot:
        return self.pod_set, "containers", self.container, "resources"

    @property
    def value(self) -> Tree:
        return self.resources

    def apply(self, draft: Draft) -> None:
        draft.pod_set(self.pod_set).container(self.container).set("resources", self.resources)
