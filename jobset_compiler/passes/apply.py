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
            return ("object", manifest["kind"], manifest["metadata"]["name"], manifest["apiVersion"].rpartition("/")[0]), manifest


def apply_edits(plan: Plan, edits: Iterable[Edit]) -> Plan:
    """The Plan after those edits, in order. Only what an edit touches is made anew."""
    draft = _Draft(plan)
    for edit in edits:
        draft.apply(edit)
    return draft.freeze()


class _Draft:
    """A Plan being edited: changed containers and PodSets as mappings of their changed fields, the rest untouched."""

    __slots__ = ("containers", "plan", "pod_sets", "whole")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.whole: Tree = {}
        self.pod_sets: dict[str, Tree] = {}
        self.containers: dict[tuple[str, str, bool], tuple[Tree, PodContainer]] = {}

    def apply(self, edit: Edit) -> None:
        match edit:
            case SetEnv(pods, name, entry, _, init):
                fields, have = self.container(pods, name, init)
                fields["env"] = upsert(fields.get("env", have.env), entry, same_name)
            case SetCount(pods, count):
                self.pod_set(pods)["count"] = count
            case SetPort(pods, name, port):
                fields, have = self.container(pods, name)
                fields["ports"] = upsert(fields.get("ports", have.ports), port, same_port)
            case AddMount(pods, name, mount):
                fields, have = self.container(pods, name)
                fields["mounts"] = upsert(fields.get("mounts", have.mounts), mount, same_mount_path)
            case AddEnvFrom(pods, name, source):
                fields, have = self.container(pods, name)
                fields["env_from"] = (*fields.get("env_from", have.env_from), source)
            case SetImage(pods, name, image):
                self.container(pods, name)[0]["image"] = image
            case SetCommand(pods, name, command):
                self.container(pods, name)[0]["command"] = command
            case SetArgs(pods, name, args):
                self.container(pods, name)[0]["args"] = args
            case SetResources(pods, name, resources):
                self.container(pods, name)[0]["resources"] = resources
            case AddVolume(pods, volume):
                changes = self.pod_set(pods)
                changes["volumes"] = upsert(changes.get("volumes", self.have(pods).volumes), volume, same_name)
            case AddInitContainer(pods, added):
                changes = self.pod_set(pods)
                changes["added_init_containers"] = (*changes.get("added_init_containers", self.have(pods).added_init_containers), added)
            case RewriteTrainer(command, args):
                assert self.plan.trainer is not None, "a pass rewrites spec.trainer only where there is one"
                self.whole["trainer"] = self.plan.trainer._replace(command=command, args=args)
            case SetPodLabel(key, value):
                self.whole["pod_labels"] = _with_key(self.whole.get("pod_labels", self.plan.pod_labels), key, value)
            case SetPodAnnotation(key, value):
                self.whole["pod_annotations"] = _with_key(self.whole.get("pod_annotations", self.plan.pod_annotations), key, value)
            case AddObject(manifest):
                self.whole["objects"] = (*self.whole.get("objects", self.plan.objects), manifest)

    def have(self, name: str) -> PodSet:
        pods = self.plan.pod_set(name)
        assert pods is not None, f"a pass edits PodSet {name}, which does not exist"
        return pods

    def pod_set(self, name: str) -> Tree:
        return self.pod_sets.setdefault(name, {})

    def container(self, pods: str, name: str, init: bool = False) -> tuple[Tree, PodContainer]:
        """The changed fields so far of a container, and the container as it was."""
        known = self.containers.get((pods, name, init))
        if known is None:
            have = self.have(pods).init_container(name) if init else self.have(pods).container(name)
            assert have is not None, f"a pass edits container {name} of PodSet {pods}, which does not exist"
            known = self.containers[pods, name, init] = {}, have
        return known

    def freeze(self) -> Plan:
        for (pods, name, init), (fields, _) in self.containers.items():
            changes = self.pod_set(pods)
            field = "init_containers" if init else "containers"
            have: tuple[PodContainer, ...] = changes.get(field) or getattr(self.have(pods), field)
            changes[field] = tuple(c._replace(**fields) if c.name == name else c for c in have)
        if self.pod_sets:
            changed = self.pod_sets
            self.whole["pod_sets"] = tuple(p._replace(**changed[p.name]) if p.name in changed else p for p in self.plan.pod_sets)
        return self.plan._replace(**self.whole) if self.whole else self.plan


def _with_key(pairs: tuple[tuple[str, str], ...], key: str, value: str) -> tuple[tuple[str, str], ...]:
    return (*((k, v) for k, v in pairs if k != key), (key, value))
