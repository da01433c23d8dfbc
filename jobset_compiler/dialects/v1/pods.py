"""The pod template of a role, as the runtime gets it: the container that trains is called `node`, and what the operator added is written out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.dialects.notes import in_runtime
from jobset_compiler.dialects.tree import At, Carried, Made, get, items, parts
from jobset_compiler.dialects.v1.kinds import ALWAYS, EXIT_CODE, ON_FAILURE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes, Where
    from jobset_compiler.dialects.v1.job import Role, V1Job

NODE = "node"
INDEX = "metadata.annotations['batch.kubernetes.io/job-completion-index']"
# v1 runs a pod again only for exit codes from 128 on.
PERMANENT = list(range(1, 128))


class Variable(NamedTuple):
    """A variable that the operator set: a text, or, with `value` None, the completion index of the pod; `because`: what it follows from."""

    name: str
    value: str | None
    because: Path

    @property
    def entry(self) -> Made:
        source = {"value": self.value} if self.value is not None else {"valueFrom": {"fieldRef": {"fieldPath": INDEX}}}
        return Made({"name": self.name, **source}, self.because)


class PodChanges(NamedTuple):
    """What a role's pods need beyond the common rules. name: of the training container; env: of it, None for its own with `variables` behind it;
    everywhere: variables of the other containers; container: members of the training container that change; pod: members of the pod spec that do."""

    name: str = NODE
    env: list[Any] | None = None
    variables: tuple[Variable, ...] = ()
    everywhere: tuple[Variable, ...] = ()
    container: Mapping[str, Any] = {}
    pod: Mapping[str, Any] = {}


def pod_template(job: V1Job, role: Role, notes: Notes, where: Path, changes: PodChanges) -> At:
    """The template of the role's pods; `where` is its path in the runtime, for comments."""
    old, pod = job.value, role.pod
    containers: list[Any] = []
    for index in range(len(get(old, *pod, "containers"))):
        path = (*pod, "containers", index)
        at = in_runtime(*where, "spec", "containers", index)
        if index == role.container:
            env = variables_of(job, path, changes.variables, notes, at) if changes.env is None else changes.env
            container = container_parts(job, path, env, drop_port=True)
            containers.append(At(path, {"name": _renamed(job, path, changes.name), **container, **changes.container}))
        else:
            if get(old, *path, "name") == changes.name:
                message = f"another container is called {changes.name}, which is the name of the one that trains in Trainer v2"
                notes.no_equivalent((*path, "name"), message, "rename it")
            env = variables_of(job, path, changes.everywhere, notes, at)
            containers.append(At(path, container_parts(job, path, env, with_name=True)))
    spec = parts(old, pod, "containers", "restartPolicy")
    tree: dict[str, Any] = {}
    metadata = {key: Carried((*role.template, "metadata", key)) for key in ("labels", "annotations") if get(old, *role.template, "metadata", key)}
    if metadata:
        tree["metadata"] = At((*role.template, "metadata"), metadata)
    added = {key: value for key, value in changes.pod.items() if key not in spec}
    replaced = {key: value for key, value in changes.pod.items() if key in spec}
    containers_tree = At((*pod, "containers"), containers)
    tree["spec"] = At(pod, {**_restart_policy(role, notes, where), **added, **spec, **replaced, "containers": containers_tree})
    _ignored_restart_policy(job, role, notes, where)
    return At(role.template, tree)


def _renamed(job: V1Job, path: Path, name: str) -> Any:
    return Carried((*path, "name")) if get(job.value, *path, "name") == name else Made(name, (*path, "name"))


def container_parts(job: V1Job, path: Path, env: list[Any], *, drop_port: bool = False, with_name: bool = False) -> dict[str, Any]:
    """The members of a container with that env and with names for its ports; without its name unless it is asked for."""
    tree = parts(job.value, path, *(() if with_name else ("name",)))
    if "env" in tree:
        tree["env"] = At((*path, "env"), env)
    elif env:
        later: dict[str, Any] = {key: tree.pop(key) for key in ("resources", "volumeMounts") if key in tree}
        tree = {**tree, "env": env, **later}
    if not env:
        tree.pop("env", None)
    if "ports" in tree:
        tree["ports"] = At((*path, "ports"), _ports(job, path, drop_port=drop_port))
        if not tree["ports"].value:
            del tree["ports"]
    return tree


def variables_of(
    job: V1Job, path: Path, added: tuple[Variable, ...], notes: Notes, where: Where, reserved: frozenset[str] = frozenset()
) -> list[Any]:
    """The env of a container and what the operator put behind it. Of two entries of a name the last one counted, and only it stays.

    reserved: names that the operator set too, and that the controller sets now.
    """
    old = job.value
    names = [get(entry, "name") for entry in _list(get(old, *path, "env"))]
    injected = {variable.name for variable in added}
    env: list[Any] = []
    for index, item in enumerate(items(old, (*path, "env"))):
        name = names[index]
        if name in injected:
            message = f"env {name}: the v1 operator set it too, and its value won: only that one stays"
            notes.variable_twice((*path, "env", index), message, where._replace(path=(*where.path, "env")))
        elif name in reserved:
            message = f"env {name}: the v1 operator set it too, and its value won; the controller sets it now"
            notes.variable_twice((*path, "env", index), message, where._replace(path=(*where.path, "env")))
        elif name is not None and name in names[index + 1 :]:
            message = f"env {name} is given twice: the last value counted, the first one is left out"
            notes.variable_twice((*path, "env", index), message, where._replace(path=(*where.path, "env")))
        else:
            env.append(item)
    return env + [variable.entry for variable in added]


def _ports(job: V1Job, path: Path, *, drop_port: bool) -> list[Any]:
    """Ports with names: those without one are mixed up by controllers through 2.3. The one that v1 used for itself goes."""
    kept: list[Any] = []
    for index, port in enumerate(_list(get(job.value, *path, "ports"))):
        at = (*path, "ports", index)
        if drop_port and get(port, "name") == job.kind.port_name and "hostPort" not in port:
            continue
        if not port.get("name") and isinstance(port.get("containerPort"), int):
            kept.append(At(at, {**parts(job.value, at), "name": Made(f"port-{port['containerPort']}", at)}))
        else:
            kept.append(Carried(at))
    return kept


def _restart_policy(role: Role, notes: Notes, where: Path) -> dict[str, Any]:
    at = (*role.path, "restartPolicy")
    place = in_runtime(*where, "spec", "restartPolicy")
    if role.restart == ALWAYS:
        notes.works_otherwise(at, f"restartPolicy Always of {role.name}: Jobs refuse it; OnFailure is the nearest", place)
        return {"restartPolicy": Made(ON_FAILURE, at)}
    if role.restart == EXIT_CODE:
        notes.remark(place, "ExitCode of v1: a pod that ends with a code below 128 fails the Job (podFailurePolicy)", inline=False)
        return {"restartPolicy": Made("Never", at)}
    return {"restartPolicy": Made(role.restart, at)}


def failure_policy(role: Role, container: str = NODE) -> dict[str, Any]:
    """restartPolicy ExitCode as the Job's podFailurePolicy; {} for the other policies."""
    if role.restart != EXIT_CODE:
        return {}
    rule = {"action": "FailJob", "onExitCodes": {"containerName": container, "operator": "In", "values": PERMANENT}}
    return {"podFailurePolicy": Made({"rules": [rule]}, (*role.path, "restartPolicy"))}


def _ignored_restart_policy(job: V1Job, role: Role, notes: Notes, where: Path) -> None:
    ignored = get(job.value, *role.pod, "restartPolicy")
    if ignored is not None and ignored != role.restart:
        message = f"restartPolicy {ignored} in the pod template of {role.name} was ignored by v1, which takes that of the replicas ({role.restart})"
        notes.not_carried((*role.pod, "restartPolicy"), message, in_runtime(*where, "spec", "restartPolicy"))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def says_torchrun(words: list[Any]) -> int:
    """Behind which word of a command line torchrun's own options begin; 0 where it is not torchrun that is started."""
    texts = [str(word) for word in words]
    if texts and texts[0].rpartition("/")[2] == "torchrun":
        return 1
    if len(texts) >= 3 and texts[0].rpartition("/")[2].startswith("python"):
        for index in range(1, len(texts) - 1):
            if texts[index] == "-m":
                return index + 2 if texts[index + 1] in ("torch.distributed.run", "torch.distributed.launch") else 0
            if not texts[index].startswith("-"):
                return 0
    return 0


def command_line(job: V1Job, role: Role) -> list[Any]:
    """command and args of the training container, as one list."""
    words: list[Any] = []
    for field in ("command", "args"):
        given = get(job.value, *role.trainer, field)
        words += given if isinstance(given, list) else []
    return words


def gpus(job: V1Job, role: Role) -> int:
    """How many GPUs the training container declares, as Trainer finds them: the resource whose name contains "gpu"."""
    for field in ("limits", "requests"):
        declared = get(job.value, *role.trainer, "resources", field)
        for name, amount in declared.items() if isinstance(declared, dict) else ():
            if "gpu" in name:
                text = str(amount)
                return int(text) if text.isdecimal() and len(text) < 10 else 1
    return 0


