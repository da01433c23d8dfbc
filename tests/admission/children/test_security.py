"""Security contexts, and pods of Windows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.admission.children.said import Tree, of_container, of_pod, said, texts

pytestmark = pytest.mark.usefixtures("whole_words")

PROFILES = 'supported values: "Localhost", "RuntimeDefault", "Unconfined"'


@pytest.mark.parametrize(
    ("context", "fault"),
    [
        ({"runAsUser": -1}, "runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive"),
        ({"runAsGroup": 2147483648}, "runAsGroup: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive"),
        ({"seccompProfile": {"type": ""}}, "seccompProfile.type: Required value: type is required when seccompProfile is set"),
        ({"seccompProfile": {"type": "x"}}, f'seccompProfile.type: Unsupported value: "x": {PROFILES}'),
        ({"seccompProfile": {"type": "Localhost"}}, "seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost"),
        ({"seccompProfile": {"type": "Localhost", "localhostProfile": "/a"}}, 'seccompProfile.localhostProfile: Invalid value: "/a": must be a relative path'),
        (
            {"seccompProfile": {"type": "RuntimeDefault", "localhostProfile": "a"}},
            'seccompProfile.localhostProfile: Invalid value: {"Type":"RuntimeDefault","LocalhostProfile":"a"}: can only be set when seccomp type is Localhost',
        ),
        ({"appArmorProfile": {"type": "x"}}, f'appArmorProfile.type: Unsupported value: "x": {PROFILES}'),
        (
            {"appArmorProfile": {"type": "Localhost", "localhostProfile": ""}},
            "appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost",
        ),
        (
            {"appArmorProfile": {"type": "Localhost", "localhostProfile": " a"}},
            'appArmorProfile.localhostProfile: Invalid value: " a": must not be padded with whitespace',
        ),
        (
            {"appArmorProfile": {"type": "Localhost", "localhostProfile": "a" * 4096}},
            "appArmorProfile.localhostProfile: Too long: may not be more than 4095 bytes",
        ),
        (
            {"appArmorProfile": {"type": "Unconfined", "localhostProfile": "a"}},
            'appArmorProfile.localhostProfile: Invalid value: "a": can only be set when AppArmor type is Localhost',
        ),
        ({"windowsOptions": {"gmsaCredentialSpecName": "A"}}, 'windowsOptions.gmsaCredentialSpecName: Invalid value: "A": a lowercase RFC 1123 subdomain'),
        ({"windowsOptions": {"gmsaCredentialSpec": ""}}, 'windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string'),
    ],
)
def test_what_pods_and_containers_have(context: Tree, fault: str) -> None:
    for (found,) in (of_pod({"securityContext": context}), of_container({"securityContext": context})):
        assert found.startswith(f"securityContext.{fault}")


@pytest.mark.parametrize(
    ("user", "fault"),
    [
        ("", "runAsUserName cannot be an empty string"),
        ("a\x07", "runAsUserName cannot contain control characters"),
        ("a\\b\\c", "runAsUserName cannot contain more than one backslash"),
        ("a b\\", "runAsUserName's User cannot be empty"),
        (f"{'a' * 256}\\u", "runAsUserName's Domain length must be under 256 characters"),
        (".a\\u", "runAsUserName's Domain doesn't match the NetBios nor the DNS format"),
        ("u" * 105, "runAsUserName's User length must not be longer than 104 characters"),
        ("..", "runAsUserName's User cannot contain only periods or spaces"),
        ("a|b", "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]"),
    ],
)
def test_users_of_windows(user: str, fault: str) -> None:
    found = of_container({"securityContext": {"windowsOptions": {"runAsUserName": user}}})
    assert found[0].endswith(f": {fault}")


def test_users_of_windows_that_are_right() -> None:
    longest = ".".join([*["d" * 63] * 3, "d" * 62])
    for user in ("ContainerUser", "NT AUTHORITY\\LOCAL SERVICE", "corp.example.com\\a.user", "u" * 104, f"{longest}\\u", f"{'n' * 15}\\. u"):
        assert said(container={"securityContext": {"windowsOptions": {"runAsUserName": user}}}) == []


@pytest.mark.parametrize(
    ("context", "fault"),
    [
        ({"fsGroup": -1}, "securityContext.fsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive"),
        ({"supplementalGroups": [0, -1]}, "securityContext.supplementalGroups[1]: Invalid value: -1: must be between"),
        ({"fsGroupChangePolicy": "x"}, 'securityContext.fsGroupChangePolicy: Unsupported value: "x": supported values: "Always", "OnRootMismatch"'),
        ({"supplementalGroupsPolicy": "x"}, 'securityContext.supplementalGroupsPolicy: Unsupported value: "x": supported values: "Merge", "Strict"'),
        ({"seLinuxChangePolicy": "MountOption"}, 'securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"'),
        ({"sysctls": [{"name": "", "value": "1"}]}, "securityContext.sysctls[0].name: Required value"),
        (
            {"sysctls": [{"name": "A", "value": "1"}]},
            'securityContext.sysctls[0].name: Invalid value: "A": must have at most 253 characters and match regex ^([a-z0-9]',
        ),
        ({"sysctls": [{"name": "a.b", "value": "1"}] * 2}, 'securityContext.sysctls[1].name: Duplicate value: "a.b"'),
    ],
)
def test_what_only_pods_have(context: Tree, fault: str) -> None:
    (found,) = of_pod({"securityContext": context})
    assert found.startswith(fault)


@pytest.mark.parametrize(
    ("shared", "name", "is_refused"),
    [
        ("hostNetwork", "net.core.somaxconn", True),
        ("hostNetwork", "net/ipv4/conf/eno2.100/rp_filter", True),
        ("hostNetwork", "kernel.shmmax", False),
        ("hostIPC", "kernel.shm_rmid_forced", True),
        ("hostIPC", "fs.mqueue.msg_max", True),
        ("hostIPC", "net.core.somaxconn", False),
    ],
)
def test_parameters_of_the_node(shared: str, name: str, is_refused: bool) -> None:
    found = of_pod({shared: True, "securityContext": {"sysctls": [{"name": name, "value": "1"}]}})
    assert found == ([f"securityContext.sysctls[0].name: Invalid value: \"{name}\": may not be specified when '{shared}' is true"] if is_refused else [])


def test_processes_are_shared_with_pod_or_node() -> None:
    assert of_pod({"shareProcessNamespace": True, "hostPID": True}) == [
        "securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled"
    ]


def test_no_escalation_beside_privileges() -> None:
    (found,) = of_container({"securityContext": {"privileged": True, "allowPrivilegeEscalation": False}})
    assert found.startswith('securityContext: Invalid value: {"Capabilities":null,"Privileged":true,"SELinuxOptions":null,')
    assert found.endswith(": cannot set `allowPrivilegeEscalation` to false and `privileged` to true")
    context = {"allowPrivilegeEscalation": False, "capabilities": {"add": ["CAP_SYS_ADMIN"]}, "seLinuxOptions": {"level": "s0"}}
    (found,) = of_container({"securityContext": context})
    assert '"Capabilities":{"Add":["CAP_SYS_ADMIN"],"Drop":null}' in found and '"SELinuxOptions":{"User":"","Role":"","Type":"","Level":"s0"}' in found
    assert said(container={"securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"], "add": ["SYS_ADMIN"]}}}) == []


def test_an_unmasked_proc_needs_a_user_namespace() -> None:
    unmasked = {"securityContext": {"procMount": "Unmasked"}}
    assert of_container(unmasked) == ['securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`']
    assert said(container=unmasked, pod={"hostUsers": False}) == []
    assert of_container({"securityContext": {"procMount": "x"}}) == [
        'securityContext.procMount: Unsupported value: "x": supported values: "Default", "Unmasked"'
    ]


def test_a_user_namespace_shares_nothing_with_the_node() -> None:
    assert of_pod({"hostUsers": False, "hostNetwork": True, "hostPID": True, "hostIPC": True}) == [
        "hostNetwork: Forbidden: when `hostUsers` is false",
        "HostPID: Forbidden: when `hostUsers` is false",
        "HostIPC: Forbidden: when `hostUsers` is false",
    ]
    assert of_pod({"hostUsers": False, "hostPID": True}, kubernetes="1.33") == ["HostPID: Forbidden: when `pod.Spec.HostUsers` is false"]


@pytest.mark.parametrize(
    ("pod", "container", "faults"),
    [
        ({"os": {"name": ""}}, {}, ["os.name: Required value"]),
        ({"os": {"name": "Linux"}}, {}, ['os: Unsupported value: "Linux": supported values: "linux", "windows"']),
        (
            {"os": {"name": "linux"}},
            {"windowsOptions": {}},
            ["containers[0].securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod"],
        ),
        (
            {"os": {"name": "windows"}, "hostPID": True, "hostUsers": True, "securityContext": {"runAsUser": 1, "sysctls": [{"name": "a", "value": "b"}]}},
            {"privileged": False},
            [
                "hostUsers: Forbidden: cannot be set for a windows pod",
                "hostPID: Forbidden: cannot be set for a windows pod",
                "securityContext.sysctls: Forbidden: cannot be set for a windows pod",
                "securityContext.runAsUser: Forbidden: cannot be set for a windows pod",
                "containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod",
            ],
        ),
        ({"os": {"name": "windows"}, "resources": {}}, {}, ["resources: Forbidden: may not be set for a windows pod"]),
    ],
)
def test_operating_systems(pod: Tree, container: Tree, faults: list[str]) -> None:
    found = texts(pod=pod, container={"securityContext": container})
    assert [text.removeprefix("spec.template.spec.") for text in found] == faults


ONLY_LINUX: dict[str, Any] = {
    "appArmorProfile": {"type": "RuntimeDefault"},
    "seLinuxOptions": {},
    "seccompProfile": {"type": "RuntimeDefault"},
    "runAsUser": 1,
    "runAsGroup": 1,
}
OF_PODS: dict[str, Any] = {
    "fsGroup": 1,
    "fsGroupChangePolicy": "Always",
    "sysctls": [],
    "supplementalGroups": [],
    "supplementalGroupsPolicy": "Merge",
    "seLinuxChangePolicy": "Recursive",
}
OF_CONTAINERS: dict[str, Any] = {
    "capabilities": {},
    "readOnlyRootFilesystem": False,
    "privileged": False,
    "allowPrivilegeEscalation": False,
    "procMount": "Default",
}


@pytest.mark.parametrize("field", [*ONLY_LINUX, *OF_PODS])
def test_what_a_pod_of_windows_does_not_have(field: str) -> None:
    value = {**ONLY_LINUX, **OF_PODS}[field]
    refused = [f"securityContext.{field}: Forbidden: cannot be set for a windows pod"]
    assert of_pod({"os": {"name": "windows"}, "securityContext": {field: value}}) == refused
    assert said(pod={"os": {"name": "linux"}, "securityContext": {field: value}}) == []


@pytest.mark.parametrize("field", [*ONLY_LINUX, *OF_CONTAINERS])
def test_what_a_container_of_windows_does_not_have(field: str) -> None:
    value = {**ONLY_LINUX, **OF_CONTAINERS}[field]
    refused = [f"securityContext.{field}: Forbidden: cannot be set for a windows pod"]
    assert of_container({"securityContext": {field: value}}, pod={"os": {"name": "windows"}}) == refused
    assert said(container={"securityContext": {field: value}}, pod={"os": {"name": "linux"}}) == []


@pytest.mark.parametrize("field", ["hostUsers", "shareProcessNamespace", "hostPID", "hostIPC"])
def test_what_a_pod_of_windows_does_not_share(field: str) -> None:
    assert of_pod({"os": {"name": "windows"}, field: True}) == [f"{field}: Forbidden: cannot be set for a windows pod"]
    told = [f"{field}: Forbidden: cannot be set for a windows pod"] if field in ("hostUsers", "shareProcessNamespace") else []
    assert of_pod({"os": {"name": "windows"}, field: False}) == told, "only those that are pointers are there when they are false"


def test_processes_of_the_node_are_all_or_none() -> None:
    options = {"windowsOptions": {"hostProcess": True}}
    found = of_pod({"securityContext": options, "initContainers": [{"name": "i", "image": "i", "securityContext": {"windowsOptions": {"hostProcess": False}}}]})
    assert found == [
        "initContainers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: "
        "pod hostProcess value must be identical if both are specified, was true",
        'Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
        "hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers",
    ]
    assert said(pod={"securityContext": options, "hostNetwork": True}) == []


def test_security_has_a_code_of_its_own() -> None:
    assert [slug for slug, _ in said(pod={"securityContext": {"fsGroup": -1}}, container={"securityContext": {"runAsUser": -1}})] == ["security-refused"] * 2


@pytest.mark.parametrize(
    ("of_pod_itself", "of_container", "network", "faults"),
    [
        (None, None, False, []),
        (True, None, True, []),
        (True, True, True, []),
        (None, True, True, []),
        (False, None, False, []),
        (False, False, False, []),
        (True, None, False, ["hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers"]),
        (None, True, False, ["hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers"]),
        (
            False,
            True,
            True,
            [
                "containers[0].securityContext.windowsOptions.hostProcess: Invalid value: true: "
                "pod hostProcess value must be identical if both are specified, was false"
            ],
        ),
    ],
)
def test_processes_of_a_node_with_windows(of_pod_itself: bool | None, of_container: bool | None, network: bool, faults: list[str]) -> None:
    def context(value: bool | None) -> Tree:
        return {} if value is None else {"securityContext": {"windowsOptions": {"hostProcess": value}}}

    assert of_pod({**context(of_pod_itself), **({"hostNetwork": True} if network else {})}, container=context(of_container)) == faults
