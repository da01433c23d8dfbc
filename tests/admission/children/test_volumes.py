"""Volumes: every kind, what it needs, and how the API calls it."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.admission.children.volumes import SOURCES
from jobset_compiler.profiles import NEWEST
from tests.admission.children.said import Tree, of_pod, said

pytestmark = pytest.mark.usefixtures("whole_words")

UP = "must not contain '..'"
SPEC: Tree = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}


def of_volume(**source: Any) -> list[str]:
    return [text.removeprefix("volumes[0].").removeprefix("volumes[0]: ") for text in of_pod({"volumes": [{"name": "v", **source}]})]


def test_every_kind_of_the_api_is_known() -> None:
    assert {source.field for source in SOURCES} == NEWEST.types().struct("core.Volume").fields.keys() - {"name"}


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ({"awsElasticBlockStore": {"volumeID": ""}}, ["awsElasticBlockStore.volumeID: Required value"]),
        (
            {"awsElasticBlockStore": {"volumeID": "a", "partition": 256}},
            ["awsElasticBlockStore.partition: Invalid value: 256: must be between 1 and 255, inclusive"],
        ),
        ({"gcePersistentDisk": {"pdName": ""}}, ["persistentDisk.pdName: Required value"]),
        (
            {"azureDisk": {"diskName": "a", "diskURI": "https://b", "cachingMode": "x"}},
            ['azureDisk.cachingMode: Unsupported value: "x": supported values: "None", '],
        ),
        ({"azureDisk": {"diskName": "a", "diskURI": "b"}}, ['azureDisk.diskURI: Unsupported value: "b": supported values: "https://{account-name}']),
        (
            {"azureDisk": {"diskName": "a", "diskURI": "https://b", "kind": "Managed"}},
            ['azureDisk.diskURI: Unsupported value: "https://b": supported values: "/subscriptions/'],
        ),
        ({"azureFile": {}}, ["azureFile.secretName: Required value", "azureFile.shareName: Required value"]),
        ({"cephfs": {}}, ["cephfs.monitors: Required value"]),
        ({"cinder": {"secretRef": {}}}, ["cinder.volumeID: Required value", "cinder.secretRef.name: Required value"]),
        (
            {"configMap": {"defaultMode": 512}},
            ["configMap.name: Required value", "configMap.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal)"],
        ),
        (
            {"configMap": {"name": "a", "items": [{"key": "", "path": "/a", "mode": -1}]}},
            [
                "configMap.items[0].key: Required value",
                'configMap.items[0].path: Invalid value: "/a": must be a relative path',
                "configMap.items[0].mode: Invalid value: -1: must be",
            ],
        ),
        ({"csi": {"driver": ""}}, ["csi.driver: Required value"]),
        ({"csi": {"driver": "a" * 64}}, ["csi.driver: Too long: may not be more than 63 bytes"]),
        ({"csi": {"driver": "A.io", "nodePublishSecretRef": {"name": "B"}}}, ['csi.name: Invalid value: "B": a lowercase RFC 1123 subdomain']),
        (
            {"downwardAPI": {"items": [{"path": "..a"}]}},
            ["downwardAPI.path: Invalid value: \"..a\": must not start with '..'", "downwardAPI: Required value: one of fieldRef"],
        ),
        (
            {"downwardAPI": {"items": [{"path": "a", "fieldRef": {"fieldPath": "metadata.name"}, "resourceFieldRef": {"resource": "limits.cpu"}}]}},
            ['downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously'],
        ),
        (
            {"downwardAPI": {"items": [{"path": "a", "resourceFieldRef": {"resource": "limits.cpu"}}]}},
            ["downwardAPI.resourceFieldRef.containerName: Required value"],
        ),
        ({"emptyDir": {"sizeLimit": "0"}}, []),
        ({"emptyDir": {"sizeLimit": "1m"}}, []),
        ({"emptyDir": {"sizeLimit": "-1"}}, ["emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity"]),
        ({"fc": {}}, ["fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both"]),
        (
            {"fc": {"targetWWNs": ["a"], "wwids": ["b"]}},
            ['fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not', "fc.lun: Required value: lun is required if"],
        ),
        (
            {"flexVolume": {"driver": "", "options": {"x.k8s.io/a": "b"}}},
            ["flexVolume.driver: Required value", 'flexVolume.options[x.k8s.io/a]: Invalid value: "x.k8s.io/a": kube'],
        ),
        ({"flocker": {}}, ["flocker: Required value: one of datasetName and datasetUUID is required"]),
        ({"flocker": {"datasetName": "a/b"}}, ["flocker.datasetName: Invalid value: \"a/b\": must not contain '/'"]),
        ({"gitRepo": {"repository": "", "directory": "../a"}}, ["gitRepo.repository: Required value", f'gitRepo.directory: Invalid value: "../a": {UP}']),
        ({"glusterfs": {}}, ["glusterfs.endpoints: Required value", "glusterfs.path: Required value"]),
        ({"hostPath": {"path": ""}}, ["hostPath.path: Required value"]),
        (
            {"hostPath": {"path": "/a/..", "type": "dir"}},
            [f'hostPath.path: Invalid value: "/a/..": {UP}', 'hostPath.type: Unsupported value: "dir": supported values: "", '],
        ),
        (
            {"iscsi": {"targetPortal": "", "iqn": "x", "lun": 256}},
            ["iscsi.targetPortal: Required", 'iscsi.iqn: Invalid value: "x": must be valid format starting', "iscsi.lun: Invalid value: 256"],
        ),
        (
            {"iscsi": {"targetPortal": "a", "iqn": "eui.0", "lun": 0, "chapAuthSession": True}},
            ['iscsi.iqn: Invalid value: "eui.0": must be valid format', "iscsi.secretRef: Required value"],
        ),
        (
            {"iscsi": {"targetPortal": "a" * 63, "iqn": "iqn.2001-04.com.x:y", "lun": 0, "initiatorName": "x"}},
            [
                'iscsi.initiatorname: Invalid value: "x": must be valid',
                'name: Invalid value: "v": Total length of <volume name>:<iscsi.targetPortal> must be under 64',
            ],
        ),
        ({"nfs": {"server": "s", "path": "a"}}, ['nfs.path: Invalid value: "a": must be an absolute path']),
        ({"persistentVolumeClaim": {"claimName": ""}}, ["persistentVolumeClaim.claimName: Required value"]),
        ({"photonPersistentDisk": {}}, ["photonPersistentDisk.pdID: Required value"]),
        ({"portworxVolume": {}}, ["portworxVolume.volumeID: Required value"]),
        ({"quobyte": {"registry": "a"}}, ['quobyte.registry: Invalid value: "a": must be a host:port pair', "quobyte.volume: Required value"]),
        ({"rbd": {}}, ["rbd.monitors: Required value", "rbd.image: Required value"]),
        ({"scaleIO": {}}, ["scaleIO.gateway: Required", "scaleIO.system: Required", "scaleIO.volumeName: Required"]),
        ({"secret": {}}, ["secret.secretName: Required value"]),
        (
            {"storageos": {"volumeName": "A", "secretRef": {}}},
            ['storageos.volumeName: Invalid value: "A": a lowercase RFC 1123 label', "storageos.secretRef.name: Required value"],
        ),
        ({"vsphereVolume": {}}, ["vsphereVolume.volumePath: Required value"]),
        ({"image": {"reference": "a", "pullPolicy": "x"}}, ['image.pullPolicy: Unsupported value: "x": supported values: "Always", "IfNotPresent", "Never"']),
    ],
)
def test_a_source(source: Tree, faults: list[str]) -> None:
    for text, fault in zip(of_volume(**source), faults, strict=True):
        assert text.startswith(fault)


@pytest.mark.parametrize(
    ("sources", "fault"),
    [
        ({"hostPath": {"path": "/"}, "emptyDir": {}}, "hostPath: Forbidden: may not specify more than 1 volume type"),
        ({"cephfs": {"monitors": ["a"]}, "emptyDir": {}}, "cephFS: Forbidden: may not specify more than 1 volume type"),
        ({"downwardAPI": {}, "emptyDir": {}}, "downwarAPI: Forbidden: may not specify more than 1 volume type"),
        ({"gcePersistentDisk": {"pdName": "a"}, "emptyDir": {}}, "gcePersistentDisk: Forbidden: may not specify more than 1 volume type"),
    ],
)
def test_two_sources(sources: Tree, fault: str) -> None:
    assert of_volume(**sources) == [fault]


def test_names() -> None:
    assert of_pod({"volumes": [{"name": ""}]}) == ["volumes[0].name: Required value"]
    assert of_pod({"volumes": [{"name": "a"}, {"name": "a"}]}) == ['volumes[1].name: Duplicate value: "a"']
    assert of_pod({"volumes": [{"name": "a.b"}]}) == ['volumes[0].name: Invalid value: "a.b": must not contain dots']


@pytest.mark.parametrize(
    ("sources", "faults"),
    [
        ([{}], []),
        ([{"secret": {"name": "a"}, "configMap": {"name": "b"}}], ["projected.sources[0]: Forbidden: may not specify more than 1 volume type per source"]),
        (
            [{"secret": {"name": "", "items": [{"key": "k", "path": "../x"}]}}],
            ["projected.sources[0].secret.name: Required", "projected.sources[0].secret.items[0].path: Invalid"],
        ),
        (
            [{"serviceAccountToken": {"path": "", "expirationSeconds": 599}}],
            ["projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 599: may", "projected.path: Required"],
        ),
        ([{"serviceAccountToken": {"path": "/t"}}], ['projected.path: Invalid value: "/t": must be a relative path']),
        (
            [{"secret": {"name": "a", "items": [{"key": "k", "path": "x"}]}}, {"configMap": {"name": "b", "items": [{"key": "k", "path": "x"}]}}],
            ['projected: Invalid value: "b": conflicting duplicate paths'],
        ),
        ([{"downwardAPI": {"items": [{"path": "x"}]}}], ["projected.sources[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required"]),
        ([{"clusterTrustBundle": {"path": ""}}, {"podCertificate": {}}], []),
    ],
)
def test_projections(sources: list[Tree], faults: list[str]) -> None:
    for text, fault in zip(of_volume(projected={"sources": sources}), faults, strict=True):
        assert text.startswith(fault)


@pytest.mark.parametrize(
    ("spec", "faults"),
    [
        ({"accessModes": []}, ["accessModes: Required value: at least 1 access mode is required"]),
        (
            {"accessModes": ["RWX"]},
            ['accessModes: Unsupported value: "RWX": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"'],
        ),
        ({"accessModes": ["ReadWriteOncePod", "ReadOnlyMany"]}, ["accessModes: Forbidden: may not use ReadWriteOncePod with other access modes"]),
        ({"resources": {}}, ["resources[storage]: Required value"]),
        ({"resources": {"requests": {"storage": "0"}}}, ['resources[storage]: Invalid value: "0": must be greater than zero']),
        (
            {"storageClassName": "A", "volumeMode": "x"},
            ['storageClassName: Invalid value: "A"', 'volumeMode: Unsupported value: "x": supported values: "Block", "Filesystem"'],
        ),
        (
            {"dataSource": {"name": "a", "kind": "x"}},
            ["dataSource: Invalid value: \"x\": must be 'PersistentVolumeClaim' when referencing the default apiGroup"],
        ),
        (
            {"dataSource": {"name": "a", "kind": "x", "apiGroup": "b.io"}, "dataSourceRef": {"name": "a", "kind": "y", "apiGroup": "b.io"}},
            [": Invalid value: {}: must match dataSourceRef"],
        ),
        (
            {"dataSource": {"name": "a", "kind": "x", "apiGroup": "b.io"}, "dataSourceRef": {"name": "a", "kind": "x", "apiGroup": "c.io"}},
            [": Invalid value: {}: must match dataSourceRef"],
        ),
        ({"dataSourceRef": {"name": "", "kind": "x", "apiGroup": "B"}}, ["dataSourceRef.name: Required value", 'dataSourceRef.apiGroup: Invalid value: "B"']),
        ({"selector": {"matchLabels": {"a": "b c"}}}, ['selector.matchLabels: Invalid value: "b c"']),
    ],
)
def test_claims_of_ephemeral_volumes(spec: Tree, faults: list[str]) -> None:
    found = of_volume(ephemeral={"volumeClaimTemplate": {"spec": {**SPEC, **spec}}})
    for text, fault in zip(found, faults, strict=True):
        assert text.startswith(f"ephemeral.volumeClaimTemplate.spec{'' if fault[0] == ':' else '.'}{fault}")


def test_metadata_of_ephemeral_volumes() -> None:
    assert of_volume(ephemeral={}) == ["ephemeral.volumeClaimTemplate: Required value"]
    metadata = {"name": "x", "labels": {"a": "b"}, "annotations": {"a b": "c"}}
    found = of_volume(ephemeral={"volumeClaimTemplate": {"metadata": metadata, "spec": SPEC}})
    assert found[0].startswith('ephemeral.volumeClaimTemplate.metadata.annotations: Invalid value: "a b": name part must')
    assert found[1:] == ["ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set"]


def test_volumes_that_are_right() -> None:
    volumes = [
        {"name": "a"},
        {"name": "b", "ephemeral": {"volumeClaimTemplate": {"metadata": {"labels": {"a": "b"}}, "spec": SPEC}}},
        {"name": "c", "hostPath": {"path": "/dev/shm", "type": ""}},
        {"name": "d", "quobyte": {"registry": "a:1,[::1]:2", "volume": "v"}},
        {
            "name": "e",
            "projected": {
                "sources": [{"serviceAccountToken": {"path": "t"}}, {"downwardAPI": {"items": [{"path": "l", "fieldRef": {"fieldPath": "metadata.labels"}}]}}]
            },
        },
    ]
    assert said(pod={"volumes": volumes, "serviceAccountName": "a"}) == []
