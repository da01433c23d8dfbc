"""A pod with something of everything, of which one member is changed.

What Go keeps as a plain text, number or flag is as good as absent where it is empty: the API says the same of both. What it says of values that are
odd stands below `__snapshots__`; `--snapshot-update` writes it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from jobset_compiler.kube.table import Field
from jobset_compiler.profiles import NEWEST
from tests.admission.children.said import texts

EMPTY: dict[str, Any] = {"string": "", "int32": 0, "int64": 0, "bool": False}
TABLE = NEWEST.jobset_types()
SELECTOR = {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}
POD: dict[str, Any] = {
    "containers": [
        {
            "name": "c",
            "image": "i",
            "env": [
                {"name": "A", "value": "b"},
                {"name": "B", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
                {"name": "C", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
                {"name": "D", "valueFrom": {"configMapKeyRef": {"name": "s", "key": "k"}}},
                {"name": "E", "valueFrom": {"resourceFieldRef": {"containerName": "c", "resource": "limits.cpu"}}},
            ],
            "envFrom": [{"prefix": "p", "configMapRef": {"name": "m"}}, {"secretRef": {"name": "s"}}],
            "ports": [{"name": "p", "containerPort": 1, "hostPort": 1, "protocol": "TCP"}],
            "volumeMounts": [{"name": "v", "mountPath": "/v", "subPath": "x"}],
            "volumeDevices": [{"name": "d", "devicePath": "/d"}],
            "livenessProbe": {"httpGet": {"path": "/", "port": 1, "scheme": "HTTP", "httpHeaders": [{"name": "h", "value": "v"}]}, "periodSeconds": 1},
            "readinessProbe": {"tcpSocket": {"port": "p"}},
            "startupProbe": {"grpc": {"port": 1}},
            "lifecycle": {"postStart": {"exec": {"command": ["x"]}}, "preStop": {"sleep": {"seconds": 1}}},
            "imagePullPolicy": "Always",
            "terminationMessagePolicy": "File",
            "resizePolicy": [{"resourceName": "cpu", "restartPolicy": "NotRequired"}],
            "resources": {"claims": [{"name": "r"}]},
        }
    ],
    "volumes": [
        {"name": "v", "hostPath": {"path": "/p", "type": "Directory"}},
        {"name": "d", "persistentVolumeClaim": {"claimName": "c"}},
        {"name": "n", "nfs": {"server": "s", "path": "/p"}},
        {"name": "i", "iscsi": {"targetPortal": "t", "iqn": "iqn.2020-01.io:a", "lun": 1}},
        {"name": "g", "glusterfs": {"endpoints": "e", "path": "p"}},
        {"name": "r", "rbd": {"monitors": ["m"], "image": "i"}},
        {"name": "f", "flexVolume": {"driver": "a/b"}},
        {"name": "z", "azureFile": {"secretName": "s", "shareName": "s"}},
        {"name": "x", "azureDisk": {"diskName": "d", "diskURI": "https://d", "kind": "Dedicated"}},
        {"name": "q", "quobyte": {"registry": "r:1", "volume": "v"}},
        {"name": "o", "portworxVolume": {"volumeID": "v"}},
        {"name": "s", "scaleIO": {"gateway": "g", "system": "s", "volumeName": "v", "secretRef": {"name": "s"}}},
        {"name": "y", "csi": {"driver": "d"}},
        {"name": "k", "configMap": {"name": "m", "items": [{"key": "k", "path": "p"}]}},
        {"name": "t", "secret": {"secretName": "m", "items": [{"key": "k", "path": "p"}]}},
        {"name": "w", "downwardAPI": {"items": [{"path": "p", "fieldRef": {"fieldPath": "metadata.name"}}]}},
        {"name": "j", "projected": {"sources": [{"serviceAccountToken": {"path": "p", "expirationSeconds": 600}}, {"secret": {"name": "s"}}]}},
        {"name": "e", "gcePersistentDisk": {"pdName": "p", "partition": 1}},
        {"name": "a", "awsElasticBlockStore": {"volumeID": "v", "partition": 1}},
        {"name": "vs", "vsphereVolume": {"volumePath": "p"}},
        {"name": "pd", "photonPersistentDisk": {"pdID": "p"}},
        {"name": "gr", "gitRepo": {"repository": "r", "directory": "d"}},
        {"name": "fl", "flocker": {"datasetName": "d"}},
        {"name": "ci", "cinder": {"volumeID": "v"}},
        {"name": "ce", "cephfs": {"monitors": ["m"], "path": "/"}},
        {"name": "im", "image": {"reference": "r", "pullPolicy": "Always"}},
    ],
    "tolerations": [{"key": "k", "operator": "Equal", "value": "v", "effect": "NoExecute"}],
    "hostAliases": [{"ip": "1.2.3.4", "hostnames": ["h"]}],
    "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": SELECTOR}],
    "affinity": {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [SELECTOR]},
            "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": SELECTOR}],
        },
        "podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone", "labelSelector": SELECTOR}]},
        "podAntiAffinity": {
            "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": {"topologyKey": "zone", "labelSelector": SELECTOR}}]
        },
    },
    "securityContext": {"sysctls": [{"name": "kernel.shm_rmid_forced", "value": "1"}]},
    "readinessGates": [{"conditionType": "a"}],
    "schedulingGates": [{"name": "a"}],
    "imagePullSecrets": [{"name": "a"}],
    "resourceClaims": [{"name": "r", "resourceClaimName": "r"}],
    "dnsPolicy": "None",
    "dnsConfig": {"nameservers": ["1.2.3.4"], "options": [{"name": "ndots", "value": "1"}]},
    "hostname": "h",
    "subdomain": "s",
    "restartPolicy": "Never",
    "schedulerName": "s",
    "serviceAccountName": "s",
    "os": {"name": "linux"},
}


def leaves(value: Any, struct: str, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Field]]:
    """The texts, numbers and flags of structs."""
    for name, child in value.items():
        field = TABLE.struct(struct).fields[name]
        if isinstance(child, dict) and field.kind == "struct":
            yield from leaves(child, field.type_name, (*path, name))
        elif field.elem is not None and field.elem.kind == "struct":
            for index, item in enumerate(child):
                yield from leaves(item, field.elem.type_name, (*path, name, index))
        elif field.elem is None:
            yield (*path, name), field


def said_with(path: tuple[Any, ...], member: dict[str, Any]) -> list[str]:
    pod = copy.deepcopy(POD)
    at: Any = pod
    for step in path[:-1]:
        at = at[step]
    del at[path[-1]]
    at |= member
    return texts(pod=pod)


LEAVES = {".".join(map(str, path)): (path, field) for path, field in leaves(POD, "core.PodSpec")}
PLAIN = {name: (path, field) for name, (path, field) in LEAVES.items() if field.kind in EMPTY and not field.pointer and not field.required}
ODD: dict[str, tuple[Any, ...]] = {"string": ("", "A b/", "a" * 300), "bool": (True, False), "IntOrString": (0, 65536, "", "A b")}


def test_nothing_is_said_of_the_whole() -> None:
    assert texts(pod=POD) == []


@pytest.mark.parametrize("name", PLAIN)
def test_the_same_is_said_of_both(name: str) -> None:
    path, field = PLAIN[name]
    assert said_with(path, {path[-1]: EMPTY[field.kind]}) == said_with(path, {})


@pytest.mark.parametrize("name", LEAVES)
def test_what_is_said_of_odd_values(name: str, snapshot: SnapshotAssertion) -> None:
    path, field = LEAVES[name]
    lines = [] if field.required else ["gone", *said_with(path, {})]
    for value in ODD.get(field.kind, (-1, 0, 65536)):
        lines += [f"{value!r:.9}", *(f"  {text:.240}" for text in said_with(path, {path[-1]: value}))]
    assert "\n".join(lines) == snapshot
