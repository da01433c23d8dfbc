"""Faults that few inputs have: of these the recorded answers have no example."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jobset_compiler.admission.children import refused_children
from jobset_compiler.profiles import NEWEST
from jobset_compiler.profiles.kubernetes import V1_36
from tests.admission.children.said import POD, Tree, jobset_of, of_container, of_pod, refusals, said, texts

pytestmark = pytest.mark.usefixtures("whole_words")

VOLUMES = [{"name": "p", "persistentVolumeClaim": {"claimName": "c"}}, {"name": "q", "persistentVolumeClaim": {"claimName": "d"}}]


@pytest.mark.parametrize(
    ("devices", "faults"),
    [
        ([{"name": "", "devicePath": "/a"}], ["[0].name: Required value", '[0].name: Not found: ""']),
        ([{"name": "p", "devicePath": "/a"}, {"name": "p", "devicePath": "/b"}], ['[1].name: Invalid value: "p": must be unique']),
        ([{"name": "p", "devicePath": "/a"}, {"name": "q", "devicePath": "/a"}], ['[1].devicePath: Invalid value: "/a": must be unique']),
        ([{"name": "p", "devicePath": "/a"}, {"name": "q", "devicePath": "/b"}], []),
    ],
)
def test_devices(devices: list[Tree], faults: list[str]) -> None:
    assert of_container({"volumeDevices": devices}, pod={"volumes": VOLUMES}) == [f"volumeDevices{fault}" for fault in faults]


def claim(**spec: Any) -> Tree:
    asked = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, **spec}
    return {"volumes": [{"name": "v", "ephemeral": {"volumeClaimTemplate": {"spec": asked}}}]}


REF = {"kind": "PersistentVolumeClaim", "name": "a"}
SPEC = f"{POD}.volumes[0].ephemeral.volumeClaimTemplate.spec"


@pytest.mark.parametrize(
    ("spec", "faults"),
    [
        ({"volumeAttributesClassName": "A"}, ['.volumeAttributesClassName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of']),
        ({"dataSourceRef": {**REF, "namespace": "A"}}, ['.dataSourceRef.namespace: Invalid value: "A": a lowercase RFC 1123 label must consist of']),
        ({"dataSourceRef": {**REF, "namespace": "a"}}, []),
        (
            {"dataSource": REF, "dataSourceRef": {**REF, "namespace": "a"}},
            [": Invalid value: {}: may not be specified when dataSourceRef.namespace is specified"],
        ),
        ({"dataSource": REF, "dataSourceRef": REF}, []),
        ({"dataSource": REF, "dataSourceRef": {**REF, "name": "b"}}, [": Invalid value: {}: must match dataSourceRef"]),
    ],
)
def test_claims(spec: Tree, faults: list[str]) -> None:
    found = texts(pod=claim(**spec))
    assert len(found) == len(faults)
    assert all(text.startswith(SPEC + fault) for text, fault in zip(found, faults, strict=True)), found


def test_a_claim_of_nothing() -> None:
    assert texts(pod={"volumes": [{"name": "v", "ephemeral": {"volumeClaimTemplate": {"spec": {}}}}]}) == [
        f"{SPEC}.accessModes: Required value: at least 1 access mode is required",
        f"{SPEC}.resources[storage]: Required value",
    ]


def volume(**source: Any) -> Tree:
    return {"volumes": [{"name": "v", **source}]}


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ({"quobyte": {"volume": "v", "registry": ""}}, "quobyte.registry: Required value: must be a host:port pair or multiple pairs separated by commas"),
        (
            {"quobyte": {"volume": "v", "registry": "a:1", "tenant": "t" * 65}},
            "quobyte.tenant: Required value: must be a UUID and may not exceed a length of 64 characters",
        ),
        ({"quobyte": {"volume": "v", "registry": "a:1", "tenant": "t" * 64}}, ""),
        ({"csi": {"driver": "d", "nodePublishSecretRef": {}}}, "csi.nodePublishSecretRef.name: Required value"),
        ({"csi": {"driver": "d", "nodePublishSecretRef": {"name": "s"}}}, ""),
        (
            {"projected": {"sources": [{"serviceAccountToken": {"path": "a", "expirationSeconds": (1 << 32) + 1}}]}},
            f"projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: {(1 << 32) + 1}: may not specify a duration larger than 2^32 seconds",
        ),
        ({"projected": {"sources": [{"serviceAccountToken": {"path": "a", "expirationSeconds": 1 << 32}}]}}, ""),
        ({"projected": {"sources": [{"serviceAccountToken": {"path": "a", "expirationSeconds": 600}}]}}, ""),
        ({"projected": {}}, ""),
        *(({kind: {"defaultMode": mode, **({"secretName": "s"} if kind == "secret" else {})}}, "") for kind in ("secret", "projected") for mode in (0, 511)),
        ({"secret": {"secretName": "s", "items": [{"key": "k", "path": "p", "mode": 0}]}}, ""),
        ({"projected": {"defaultMode": 512}}, "projected.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive"),
    ],
)
def test_volumes(source: Tree, fault: str) -> None:
    assert of_pod(volume(**source)) == ([f"volumes[0].{fault}"] if fault else [])


KIB_64 = 64 * 1024


@pytest.mark.parametrize(("size", "wrong"), [(KIB_64, False), (KIB_64 + 1, True)])
def test_credentials(size: int, wrong: bool) -> None:
    windows = {"windowsOptions": {"gmsaCredentialSpec": "x" * size}}
    found = of_pod({"os": {"name": "windows"}, "securityContext": windows})
    assert [text.rpartition(": ")[2] for text in found] == (["gmsaCredentialSpec size must be under 64 KiB"] if wrong else [])


def test_two_claims_of_one_name() -> None:
    claims = [{"name": "a", "resourceClaimName": "x"}, {"name": "a", "resourceClaimName": "y"}]
    assert of_pod({"resourceClaims": claims}) == ['resourceClaims[1].name: Duplicate value: "a"']


@pytest.mark.parametrize(("rules", "wrong"), [(20, False), (21, True)])
def test_rules_of_success(rules: int, wrong: bool) -> None:
    policy = {"rules": [{"succeededCount": 1}] * rules}
    found = texts(job={"completionMode": "Indexed", "successPolicy": policy})
    assert found == (["spec.successPolicy.rules: Too many: 21: must have at most 20 items"] if wrong else [])


def test_finalizers_that_exclude_each_other() -> None:
    found = texts(meta={"finalizers": ["orphan", "foregroundDeletion"]})
    assert [text.rpartition(": ")[2] for text in found] == ["finalizer orphan and foregroundDeletion cannot be both set"]
    assert texts(meta={"finalizers": ["orphan"]}) == texts(meta={"finalizers": ["foregroundDeletion"]}) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[", "unexpected end of JSON input"),
        ("[x", "invalid character 'x' looking for beginning of value"),
        ("3", "json: cannot unmarshal number into Go value of type []core.Toleration"),
        ("true", "json: cannot unmarshal bool into Go value of type []core.Toleration"),
        ('"a"', "json: cannot unmarshal string into Go value of type []core.Toleration"),
        ("{}", "json: cannot unmarshal object into Go value of type []core.Toleration"),
        (json.dumps([{"Key": "a", "operator": "Exists"}, 3]), ""),
    ],
)
def test_tolerations_in_an_annotation(text: str, fault: str) -> None:
    found = texts(meta={"annotations": {"scheduler.alpha.kubernetes.io/tolerations": text}})
    assert [each.partition('tolerations": ')[2] for each in found] == ([fault] if fault else [])


def test_the_selector_of_a_strategy_has_the_namespace_and_the_job() -> None:
    """JobSet's exclusive placement by node selector: https://jobset.sigs.k8s.io, exclusive placement."""
    annotations = {"alpha.jobset.sigs.k8s.io/exclusive-topology": "rack", "alpha.jobset.sigs.k8s.io/node-selector": "true"}
    long = "n" * 63
    jobset = jobset_of()
    jobset["metadata"] |= {"annotations": annotations, "namespace": long}
    (refusal,) = refusals(jobset)
    assert f'nodeSelector: Invalid value: "{long}_js-a-0": must be no more than 63 ' in refusal.message
    jobset["metadata"]["namespace"] = "team"
    assert refusals(jobset) == []
    jobset["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["nodeSelector"] = {"zone": "a b"}
    (refusal,) = refusals(jobset)
    assert f'{POD}.nodeSelector: Invalid value: "a b": a valid label must be' in refusal.message
    del jobset["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["nodeSelector"]
    jobset["metadata"]["namespace"] = long
    del jobset["metadata"]["annotations"]["alpha.jobset.sigs.k8s.io/node-selector"]
    assert refusals(jobset) == []


def test_claims_of_the_jobset_are_volumes_beside_those_of_the_pod() -> None:
    mounts = [{"name": name, "mountPath": f"/{name}"} for name in ("own", "data")]
    jobset = jobset_of(pod={"volumes": [{"name": "own", "emptyDir": {}}]}, container={"volumeMounts": mounts})
    (refusal,) = refusals(jobset)
    assert refusal.message.endswith('containers[0].volumeMounts[1].name: Not found: "data"')
    jobset["spec"]["volumeClaimPolicies"] = [{"templates": [{"metadata": {"name": "data"}, "spec": {}}]}, {}]
    assert refused_children(jobset, NEWEST, V1_36) == []


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"meta": {"annotations": {"seccomp.security.alpha.kubernetes.io/pod": "unconfined"}}}, "non-functional in v1.27+"),
        ({"meta": {"annotations": {"container.seccomp.security.alpha.kubernetes.io/c": "unconfined"}}}, "non-functional in v1.27+"),
        ({"pod": volume(gitRepo={"repository": "r"})}, "deprecated in v1.11, and disabled by default in v1.33+"),
    ],
)
def test_warnings(parts: dict[str, Tree], message: str) -> None:
    (warning,) = refusals(jobset_of(**parts))
    assert "is taken with a warning" in warning.message and message in warning.message and warning.hint


def test_no_warnings_where_the_field_says_the_same() -> None:
    profile = {"securityContext": {"seccompProfile": {"type": "Unconfined"}}}
    assert said(meta={"annotations": {"seccomp.security.alpha.kubernetes.io/pod": "unconfined"}}, pod=profile) == []
    found = refusals(jobset_of(meta={"annotations": {"seccomp.security.alpha.kubernetes.io/pod": "unconfined"}}, pod=profile))
    assert found == []


NEEDED: dict[str, Tree] = {
    "secret": {"secretName": "s"},
    "glusterfs": {"endpoints": "e", "path": "p"},
    "persistentVolumeClaim": {"claimName": "c"},
    "rbd": {"monitors": ["m"], "image": "i"},
    "cephfs": {"monitors": ["m"]},
    "configMap": {"name": "c"},
    "azureFile": {"secretName": "s", "shareName": "h"},
    "vsphereVolume": {"volumePath": "p"},
    "photonPersistentDisk": {"pdID": "p"},
    "portworxVolume": {"volumeID": "v"},
    "scaleIO": {"gateway": "g", "system": "s", "volumeName": "v"},
}


@pytest.mark.parametrize("kind", NEEDED)
def test_what_a_volume_needs(kind: str) -> None:
    full = NEEDED[kind]
    assert of_pod(volume(**{kind: full})) == []
    for missing in full:
        (found,) = of_pod(volume(**{kind: {name: value for name, value in full.items() if name != missing}}))
        assert found.startswith(f"volumes[0].{kind}.{missing}: Required value")
    both = of_pod(volume(hostPath={"path": "/"}, **{kind: full}))
    assert len(both) == 1 and both[0].endswith(": Forbidden: may not specify more than 1 volume type")
