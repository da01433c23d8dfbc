"""Which diagnostic code a fault has: by the field of the Job that it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.job import POD
from jobset_compiler.diagnostics.codes import jobset as codes

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.place import Path

CONTAINERS = ("containers", "initContainers")
OF_CONTAINERS = {
    "env": codes.ENV_REFUSED,
    "envFrom": codes.ENV_REFUSED,
    "volumeMounts": codes.MOUNT_REFUSED,
    "volumeDevices": codes.MOUNT_REFUSED,
    "resources": codes.RESOURCES_REFUSED,
    "resizePolicy": codes.RESOURCES_REFUSED,
    "ports": codes.PORT_REFUSED,
    "lifecycle": codes.PROBE_REFUSED,
    "livenessProbe": codes.PROBE_REFUSED,
    "readinessProbe": codes.PROBE_REFUSED,
    "startupProbe": codes.PROBE_REFUSED,
    "securityContext": codes.SECURITY_REFUSED,
}
OF_PODS = {
    "volumes": codes.VOLUME_REFUSED,
    "resources": codes.RESOURCES_REFUSED,
    "resourceClaims": codes.RESOURCES_REFUSED,
    "overhead": codes.RESOURCES_REFUSED,
    "tolerations": codes.SCHEDULING_REFUSED,
    "affinity": codes.SCHEDULING_REFUSED,
    "topologySpreadConstraints": codes.SCHEDULING_REFUSED,
    "nodeSelector": codes.SCHEDULING_REFUSED,
    "nodeName": codes.SCHEDULING_REFUSED,
    "schedulingGates": codes.SCHEDULING_REFUSED,
    "securityContext": codes.SECURITY_REFUSED,
    "hostUsers": codes.SECURITY_REFUSED,
}


def code_of(place: Path) -> Code:
    """place: in the Job."""
    if place[:3] != POD:
        if place[:2] == ("spec", "template"):
            return codes.POD_REFUSED
        return codes.SELECTOR_REFUSED if place[:2] == ("spec", "selector") else codes.JOB_REFUSED
    field = place[3] if len(place) > 3 else ""
    if field in CONTAINERS:
        part = place[5] if len(place) > 5 else ""
        return OF_CONTAINERS.get(str(part), codes.CONTAINER_REFUSED)
    return OF_PODS.get(str(field), codes.POD_REFUSED)
