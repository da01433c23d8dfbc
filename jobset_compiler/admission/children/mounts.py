"""What containers mount: volumes as folders, and as devices.

Source: ValidateVolumeMounts and ValidateVolumeDevices in pkg/apis/core/validation/validation.go. Some faults of a mount have the path of the list, as there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.faults import NONE, Fault, Faults, fault, forbidden, invalid, not_found, required, unsupported
from jobset_compiler.admission.children.paths import descending, no_way_up

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import PodScope, Tree

PROPAGATIONS = ("Bidirectional", "HostToContainer", "None")
RECURSIVE_READ_ONLY = ("Disabled", "Enabled", "IfPossible")
CLAIMED = ("persistentVolumeClaim", "ephemeral")


def volume_mounts(container: Tree, scope: PodScope) -> Faults:
    """The mounts of a container; paths begin at the list."""
    out: Faults = NONE
    devices = {device["name"]: device["devicePath"] for device in container.get("volumeDevices") or ()}
    taken: set[str] = set()
    for index, mount in enumerate(container["volumeMounts"] or ()):
        name, path = mount["name"], mount["mountPath"]
        # The usual mount is right at first sight.
        if name not in scope.volumes or not path or path in taken or devices or len(mount) > 2:
            out = [*out, *mount_faults(index, mount, taken, devices, container, scope)]
        taken.add(path)
    return out


def mount_faults(index: int, mount: Tree, taken: set[str], devices: dict[str, str], container: Tree, scope: PodScope) -> list[Fault]:
    name, path = mount["name"], mount["mountPath"]
    out: list[Fault] = []
    if not name:
        out.append(fault(required(), index, "name"))
    if name not in scope.volumes:
        out.append(fault(not_found(name), index, "name", hint=volumes_that_are(scope, name)))
    if not path:
        out.append(fault(required(), index, "mountPath"))
    if path in taken:
        out.append(fault(invalid(path, "must be unique"), index, "mountPath"))
    if name in devices:
        out.append(fault(invalid(name, "must not already exist in volumeDevices"), index, "name"))
    if path in devices.values():
        out.append(fault(invalid(path, "must not already exist as a path in volumeDevices"), index, "mountPath"))
    out.extend(sub_path_faults(index, mount, scope))
    out.extend(propagation_faults(index, mount, container))
    return out


def volumes_that_are(scope: PodScope, name: str) -> str:
    named = [volume["name"] for volume in scope.pod.get("volumes") or ()]
    if name in named:
        return f"it follows from what is wrong with the volume {name}: mend that one first"
    return f"the pod has the volumes {', '.join(sorted(set(named)))}" if named else "the pod has no volumes"


def sub_path_faults(index: int, mount: Tree, scope: PodScope) -> list[Fault]:
    path, expression = mount.get("subPath", ""), mount.get("subPathExpr", "")
    out = [found.placed((index, "subPath"), ("subPath",)) for found in descending(path, scope)] if path else []
    if expression:
        if path:
            out.append(fault(invalid(expression, "subPathExpr and subPath are mutually exclusive"), index, "subPathExpr"))
        out.extend(found.placed((index, "subPathExpr"), ("subPathExpr",)) for found in descending(expression, scope))
    return out


def propagation_faults(index: int, mount: Tree, container: Tree) -> list[Fault]:
    out: list[Fault] = []

    def add(field: str, text: str) -> None:
        out.append(fault(text, field, at=(index, field)))

    propagation, recursive = mount.get("mountPropagation"), mount.get("recursiveReadOnly")
    if propagation is not None:
        if propagation not in PROPAGATIONS:
            add("mountPropagation", unsupported(propagation, PROPAGATIONS))
        elif propagation == "Bidirectional" and not (container.get("securityContext") or {}).get("privileged"):
            add("mountPropagation", forbidden("Bidirectional mount propagation is available only to privileged containers"))
    if recursive in ("Enabled", "IfPossible"):
        if not mount.get("readOnly"):
            add("recursiveReadOnly", forbidden("may only be specified when readOnly is true"))
        if propagation not in (None, "None"):
            add("recursiveReadOnly", forbidden("may only be specified when mountPropagation is None or not specified"))
    elif recursive not in (None, "Disabled"):
        add("recursiveReadOnly", unsupported(recursive, RECURSIVE_READ_ONLY))
    return out


def volume_devices(container: Tree, scope: PodScope) -> Faults:
    """Block devices of a container, which only claims can be; paths begin at the list."""
    mounts = {mount["name"]: mount["mountPath"] for mount in container.get("volumeMounts") or ()}
    out: list[Fault] = []
    names: set[str] = set()
    paths: set[str] = set()
    for index, device in enumerate(container["volumeDevices"] or ()):
        name, path = device["name"], device["devicePath"]
        if not name:
            out.append(fault(required(), index, "name"))
        if name in names:
            out.append(fault(invalid(name, "must be unique"), index, "name"))
        if name not in scope.volumes:
            out.append(fault(not_found(name), index, "name", hint=volumes_that_are(scope, name)))
        elif not any(source in scope.volumes[name] for source in CLAIMED):
            out.append(fault(invalid(name, "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"), index, "name"))
        if not path:
            out.append(fault(required(), index, "devicePath"))
        if path in paths:
            out.append(fault(invalid(path, "must be unique"), index, "devicePath"))
        if path and no_way_up(path, scope):
            out.append(fault(invalid(path, "can not contain backsteps ('..')"), index, "devicePath"))
        else:
            paths.add(path)
        if name in mounts:
            out.append(fault(invalid(name, "must not already exist in volumeMounts"), index, "name"))
        if path in mounts.values():
            out.append(fault(invalid(path, "must not already exist as a path in volumeMounts"), index, "devicePath"))
        if name:
            names.add(name)
    return out
