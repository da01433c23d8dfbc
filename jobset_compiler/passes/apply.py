"""The only place where edits become a new Plan: the upsert rules, each next to the key that Kubernetes matches by.

Source of the rules: pkg/apply/apply.go of every release.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.passes.api import (
    AddEnvFrom,
    AddInitContainer,
    AddMount,
    AddObject,
    AddVolume,
    Edit,
    RewriteTrainer,
    SetArgs,
    SetCommand,
    SetCount,
    SetEnv,
    SetImage,
    SetPodAnnotation,
    SetPodLabel,
    SetPort,
    SetResources,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jobset_compiler.resolve.plan import Plan, PodContainer, PodSet

Tree = dict[str, Any]
Slot = tuple[str, ...]


def upsert(items: tuple[Tree, ...], item: Tree, same: Callable[[Tree, Tree], bool]) -> tuple[Tree, ...]:
    """`items` with `item` in place of the first that is the same, else at the end."""
    for index, have in enumerate(items):
        if same(have, item):
            return (*items[:index], item, *items[index + 1 :])
    return (*items, item)


def same_name(have: Tree, item: Tree) -> bool:
    return bool(have["name"] == item["name"])


def same_mount_path(have: Tree, item: Tree) -> bool:
    return bool(have.get("mountPath") == item.get("mountPath"))


def same_port(have: Tree, item: Tree) -> bool:
    """Equal by number, or by name: two ports without a name count as equal (quirk Q1, fixed after 2.3 by #3926)."""
    return bool(have.get("containerPort") == item.get("containerPort") or have.get("name") == item.get("name"))


def slot_of(edit: Edit) -> tuple[Slot, Any]:
    """What an edit writes to and the value it wants there; two passes that want different values in a slot conflict."""
    match edit:
        case SetCount(pod_set, count):
            return ("count", pod_set), count
        case SetEnv(pod_set, container, entry, _, init):
            return ("env", pod_set, "init" if init else "", container, entry["name"]), entry
        case SetPort(pod_set, container, port):
            return ("port", pod_set, container, str(port.get("containerPort"))), port
        case AddMount(pod_set, container, mount):
            return ("mount", pod_set, container, mount["mountPath"]), mount
        case AddVolume(pod_set, volume):
            return ("volume", pod_set, volume["name"]), volume
        case AddEnvFrom(pod_set, container, source):
            return ("envFrom", pod_set, container, repr(source)), source
        case AddInitContainer(pod_set, container):
            return ("initContainer", pod_set, container["name"]), container
        case SetImage(pod_set, container, image):
            return ("image", pod_set, container), image
        case SetCommand(pod_set, container, command):
            return ("command", pod_set, container), command
        case SetArgs(pod_set, container, args):
            return ("args", pod_set, container), args
        case SetResources(pod_set, container, resources):
            return ("resources", pod_set, container), resources
        case RewriteTrainer(command, args):
            return ("trainer",), (command, args)
        case SetPodLabel(key, value):
            return ("podLabel", key), value
        case SetPodAnnotation(key, value):
            return ("podAnnotation", key), value
        case AddObject(manifest):
            return ("object", manifest["kind"], manifest["metadata"]["name"]), manifest


def apply_edits(plan: Plan, edits: Iterable[Edit]) -> Plan:
    """The Plan after those edits, in order."""
    for edit in edits:
        plan = _apply(plan, edit)
    return plan


def _apply(plan: Plan, edit: Edit) -> Plan:
    match edit:
        case SetEnv(name, container, entry, _, init):
            change: Callable[[PodContainer], PodContainer] = lambda c: c._replace(env=upsert(c.env, entry, same_name))  # noqa: E731
            return _on_init_container(plan, name, container, change) if init else _on_container(plan, name, container, change)
        case SetCount(name, count):
            return _on_pod_set(plan, name, lambda p: p._replace(count=count))
        case SetPort(name, container, port):
            return _on_container(plan, name, container, lambda c: c._replace(ports=upsert(c.ports, port, same_port)))
        case AddMount(name, container, mount):
            return _on_container(plan, name, container, lambda c: c._replace(mounts=upsert(c.mounts, mount, same_mount_path)))
        case AddVolume(name, volume):
            return _on_pod_set(plan, name, lambda p: p._replace(volumes=upsert(p.volumes, volume, same_name)))
        case AddEnvFrom(name, container, source):
            return _on_container(plan, name, container, lambda c: c._replace(env_from=(*c.env_from, source)))
        case AddInitContainer(name, added):
            return _on_pod_set(plan, name, lambda p: p._replace(added_init_containers=(*p.added_init_containers, added)))
        case SetImage(name, container, image):
            return _on_container(plan, name, container, lambda c: c._replace(image=image))
        case SetCommand(name, container, command):
            return _on_container(plan, name, container, lambda c: c._replace(command=command))
        case SetArgs(name, container, args):
            return _on_container(plan, name, container, lambda c: c._replace(args=args))
        case SetResources(name, container, resources):
            return _on_container(plan, name, container, lambda c: c._replace(resources=resources))
        case RewriteTrainer(command, args):
            assert plan.trainer is not None, "a pass rewrites spec.trainer only where there is one"
            return plan._replace(trainer=plan.trainer._replace(command=command, args=args))
        case SetPodLabel(key, value):
            return plan._replace(pod_labels=(*((k, v) for k, v in plan.pod_labels if k != key), (key, value)))
        case SetPodAnnotation(key, value):
            return plan._replace(pod_annotations=(*((k, v) for k, v in plan.pod_annotations if k != key), (key, value)))
        case AddObject(manifest):
            return plan._replace(objects=(*plan.objects, manifest))


def _on_pod_set(plan: Plan, name: str, change: Callable[[PodSet], PodSet]) -> Plan:
    return plan._replace(pod_sets=tuple(change(pod_set) if pod_set.name == name else pod_set for pod_set in plan.pod_sets))


def _on_container(plan: Plan, pod_set: str, name: str, change: Callable[[PodContainer], PodContainer]) -> Plan:
    def containers(pods: PodSet) -> PodSet:
        return pods._replace(containers=tuple(change(c) if c.name == name else c for c in pods.containers))

    return _on_pod_set(plan, pod_set, containers)


def _on_init_container(plan: Plan, pod_set: str, name: str, change: Callable[[PodContainer], PodContainer]) -> Plan:
    def containers(pods: PodSet) -> PodSet:
        return pods._replace(init_containers=tuple(change(c) if c.name == name else c for c in pods.init_containers))

    return _on_pod_set(plan, pod_set, containers)
