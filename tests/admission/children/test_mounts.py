"""What containers mount."""

from __future__ import annotations

import pytest

from tests.admission.children.said import Tree, jobset_of, of_container, refusals, said

pytestmark = pytest.mark.usefixtures("whole_words")

VOLUMES = {"volumes": [{"name": "v"}, {"name": "p", "persistentVolumeClaim": {"claimName": "c"}}]}


@pytest.mark.parametrize(
    ("mount", "faults"),
    [
        ({"name": "x"}, ['[0].name: Not found: "x"']),
        ({"name": ""}, ["[0].name: Required value", '[0].name: Not found: ""']),
        ({"mountPath": ""}, ["[0].mountPath: Required value"]),
        ({"subPath": "/a"}, ['.subPath: Invalid value: "/a": must be a relative path']),
        (
            {"subPath": "a/../b", "subPathExpr": "c"},
            [
                ".subPath: Invalid value: \"a/../b\": must not contain '..'",
                '[0].subPathExpr: Invalid value: "c": subPathExpr and subPath are mutually exclusive',
            ],
        ),
        ({"subPathExpr": "/$(A)"}, ['.subPathExpr: Invalid value: "/$(A)": must be a relative path']),
        ({"mountPropagation": "Bidirectional"}, [".mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers"]),
        ({"mountPropagation": "x"}, ['.mountPropagation: Unsupported value: "x": supported values: "Bidirectional", "HostToContainer", "None"']),
        (
            {"recursiveReadOnly": "Enabled", "mountPropagation": "HostToContainer"},
            [
                ".recursiveReadOnly: Forbidden: may only be specified when readOnly is true",
                ".recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified",
            ],
        ),
        ({"recursiveReadOnly": "x"}, ['.recursiveReadOnly: Unsupported value: "x": supported values: "Disabled", "Enabled", "IfPossible"']),
    ],
)
def test_a_mount(mount: Tree, faults: list[str]) -> None:
    found = of_container({"volumeMounts": [{"name": "v", "mountPath": "/v", **mount}]}, pod=VOLUMES)
    assert found == [f"volumeMounts{fault}" for fault in faults]


def test_mounts_that_are_right() -> None:
    mounts = [
        {"name": "v", "mountPath": "/v", "subPath": "a..b"},
        {"name": "v", "mountPath": "/w", "mountPropagation": "Bidirectional"},
        {"name": "p", "mountPath": "/p", "readOnly": True, "recursiveReadOnly": "IfPossible"},
    ]
    assert said(container={"volumeMounts": mounts, "securityContext": {"privileged": True}}, pod=VOLUMES) == []


def test_two_mounts_of_one_path() -> None:
    mounts = [{"name": "v", "mountPath": "/v"}, {"name": "p", "mountPath": "/v"}]
    assert of_container({"volumeMounts": mounts}, pod=VOLUMES) == ['volumeMounts[1].mountPath: Invalid value: "/v": must be unique']


def test_a_mount_of_a_volume_that_is_wrong_itself_finds_nothing() -> None:
    found = said(
        pod={"volumes": [{"name": "v", "nfs": {"server": "s", "path": "/"}, "hostPath": {"path": "/"}}]},
        container={"volumeMounts": [{"name": "v", "mountPath": "/v"}]},
    )
    assert [(slug, text.rpartition("].")[2]) for slug, text in found] == [
        ("volume-refused", "nfs: Forbidden: may not specify more than 1 volume type"),
        ("volume-mount-refused", 'name: Not found: "v"'),
    ]


def test_templates_of_claims_are_volumes() -> None:
    claims = [{"templates": [{"metadata": {"name": "claim"}}]}]
    mounts = {"volumeMounts": [{"name": "claim", "mountPath": "/w"}]}
    assert said(container=mounts, volumeClaimPolicies=claims) == []
    assert said(container={"volumeDevices": [{"name": "claim", "devicePath": "/w"}]}, volumeClaimPolicies=claims) == []


def test_the_hint_names_the_volumes_and_the_place_is_the_mounts() -> None:
    jobset = jobset_of(container={"volumeMounts": [{"name": "x", "mountPath": "/x", "subPath": "../y"}]}, pod=VOLUMES)
    missing, upwards = refusals(jobset)
    assert missing.hint == "the pod has the volumes p, v"
    assert missing.at[-4:] == (0, "volumeMounts", 0, "name") and upwards.at[-3:] == ("volumeMounts", 0, "subPath")


@pytest.mark.parametrize(
    ("device", "fault"),
    [
        ({"name": "v"}, '[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'),
        ({"name": "x"}, '[0].name: Not found: "x"'),
        ({"devicePath": ""}, "[0].devicePath: Required value"),
        ({"devicePath": "../x"}, "[0].devicePath: Invalid value: \"../x\": can not contain backsteps ('..')"),
    ],
)
def test_a_device(device: Tree, fault: str) -> None:
    assert of_container({"volumeDevices": [{"name": "p", "devicePath": "/dev/p", **device}]}, pod=VOLUMES) == [f"volumeDevices{fault}"]


def test_a_volume_is_mounted_as_one_of_both() -> None:
    both = {"volumeDevices": [{"name": "p", "devicePath": "/p"}], "volumeMounts": [{"name": "p", "mountPath": "/p"}]}
    assert of_container(both, pod=VOLUMES) == [
        'volumeMounts[0].name: Invalid value: "p": must not already exist in volumeDevices',
        'volumeMounts[0].mountPath: Invalid value: "/p": must not already exist as a path in volumeDevices',
        'volumeDevices[0].name: Invalid value: "p": must not already exist in volumeMounts',
        'volumeDevices[0].devicePath: Invalid value: "/p": must not already exist as a path in volumeMounts',
    ]
