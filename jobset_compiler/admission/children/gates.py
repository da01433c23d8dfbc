"""What an API server drops of a pod's spec before it validates it: fields behind feature gates that are off by default, or that it does not know.

Source: dropDisabledFields in pkg/api/pod/util.go. Rows that no feature brings back are of gates that are off in all these releases.
"""

from __future__ import annotations

from functools import cache
from operator import is_
from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.admission.children.checks import ALWAYS
from jobset_compiler.profiles import kubernetes as k
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import Tree
    from jobset_compiler.profiles import Feature
    from jobset_compiler.profiles.kubernetes import Kubernetes

ITEMS = "[]"
LIFECYCLE = "lifecycle"


class Gated(Value):
    """A field by its path ("[]": the items of the list before it), and the feature with which a server keeps it."""

    __slots__ = ("kept_with", "path")

    def __init__(self, path: tuple[str, ...], kept_with: Feature | None) -> None:
        self.path: Final = path
        self.kept_with: Final = kept_with


def gated(path: str, kept_with: Feature | None = None) -> Gated:
    return Gated(tuple(path.split(".")), kept_with)


def of_containers(path: str, kept_with: Feature | None = None) -> tuple[Gated, Gated]:
    return gated(f"containers.[].{path}", kept_with), gated(f"initContainers.[].{path}", kept_with)


FIELDS = (
    gated("schedulingGroup"),
    gated("volumes.[].projected.sources.[].clusterTrustBundle"),
    gated("volumes.[].projected.sources.[].podCertificate"),
    *of_containers("lifecycle.stopSignal"),
    gated("resources", k.POD_LEVEL_RESOURCES),
    gated("resourceClaims", k.RESOURCE_CLAIMS),
    *of_containers("resources.claims", k.RESOURCE_CLAIMS),
    gated("hostUsers", k.HOST_USERS),
    gated("hostnameOverride", k.HOSTNAME_OVERRIDE),
    gated("securityContext.supplementalGroupsPolicy", k.SUPPLEMENTAL_GROUPS_POLICY),
    gated("securityContext.seLinuxChangePolicy", k.SELINUX_CHANGE_POLICY),
    *of_containers("securityContext.procMount", k.PROC_MOUNT),
    *of_containers("resizePolicy", k.RESIZE_POLICY),
    *of_containers("restartPolicyRules", k.RESTART_RULES),
    *of_containers("env.[].valueFrom.fileKeyRef", k.ENV_FILES),
)


@cache
def dropped_by(kubernetes: Kubernetes) -> Tree:
    """The paths that a server drops, as a tree; a leaf is empty."""
    out: Tree = {}
    for gated in FIELDS:
        if gated.kept_with is None or not kubernetes.has(gated.kept_with):
            below = out
            for step in gated.path:
                below = below.setdefault(step, {})
    return out


def kept_fields(pod: Tree, kubernetes: Kubernetes) -> Tree:
    """The spec as the server goes on with it; the same object where it drops nothing."""
    pod = without(pod, dropped_by(kubernetes))
    if kubernetes.has(k.RESTART_RULES_DROPPED):
        pod = without_restart_policies(pod)
    return pod if kubernetes.has(k.IMAGE_VOLUMES) else without_image_volumes(pod)


def without(value: Tree, dropped: Tree) -> Tree:
    """A struct without what stands at the paths; the same one where nothing does. A lifecycle that ends up empty goes as well."""
    for name in dropped.keys() & value.keys():
        part = value[name]
        left = part_without(part, dropped[name])
        if left is None or (name == LIFECYCLE and part and not left):
            value = {other: item for other, item in value.items() if other != name}
        elif left is not part:
            value = {**value, name: left}
    return value


def part_without(part: Any, dropped: Tree) -> Any:
    """The same of a field's value; None: it goes itself."""
    if not dropped:
        return None
    if not part:
        return part
    if ITEMS in dropped:
        items = [without(item, dropped[ITEMS]) for item in part]
        return part if all(map(is_, items, part)) else items
    return without(part, dropped)


def without_restart_policies(pod: Tree) -> Tree:
    """Only sidecars restart on their own terms."""
    changed = pod
    for field in ("containers", "initContainers"):
        policies = {container.get("restartPolicy") for container in pod.get(field) or ()}
        if policies - ({None} if field == "containers" else {None, ALWAYS}):
            changed = {
                **changed,
                field: [container if keeps_policy(container, field) else without(container, {"restartPolicy": {}}) for container in pod[field]],
            }
    return changed


def keeps_policy(container: Tree, field: str) -> bool:
    return field == "initContainers" and container.get("restartPolicy") == ALWAYS


def without_image_volumes(pod: Tree) -> Tree:
    """Volumes of images go with the mounts of them."""
    names = {volume["name"] for volume in pod.get("volumes") or () if "image" in volume}
    if not names:
        return pod
    changed = {**pod, "volumes": [volume for volume in pod["volumes"] if "image" not in volume]}
    for field in ("containers", "initContainers"):
        if field in pod:
            changed[field] = [
                {**container, "volumeMounts": [mount for mount in container["volumeMounts"] if mount["name"] not in names]}
                if container.get("volumeMounts")
                else container
                for container in pod[field]
            ]
    return changed
