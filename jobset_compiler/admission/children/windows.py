"""Pods of Windows: their own options, and what only Linux has.

Source: validateWindowsSecurityContextOptions, validateWindowsHostProcessPod, validateOS, validateWindows and validateLinux in
pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.children.checks import containers_of, fields
from jobset_compiler.admission.children.faults import NONE, Fault, Faults, fault, forbidden, invalid, invalid_of_type, required, unsupported
from jobset_compiler.kube.names import is_dns1123_subdomain
from jobset_compiler.profiles.kubernetes import WORDS_NO_EMPTY_OS

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import PodScope, Tree

SYSTEMS = ("linux", "windows")
LONGEST_CREDENTIALS_KIB = 64
LONGEST_DOMAIN = 256
LONGEST_USER = 104
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
NETBIOS = re.compile(r'[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}', re.DOTALL)
DNS_LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
DNS = re.compile(rf"{DNS_LABEL}(?:\.{DNS_LABEL})*")
NOT_IN_USERS = frozenset('"/\\:;|=,+*?<>@[]')
ONLY_LINUX = "cannot be set for a windows pod"
# The security of a pod and of a container that Windows does not have.
OF_LINUX_PODS = (
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "fsGroup",
    "fsGroupChangePolicy",
    "sysctls",
    "runAsUser",
    "runAsGroup",
    "supplementalGroups",
    "supplementalGroupsPolicy",
    "seLinuxChangePolicy",
)
OF_LINUX_CONTAINERS = (
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "capabilities",
    "readOnlyRootFilesystem",
    "privileged",
    "allowPrivilegeEscalation",
    "procMount",
    "runAsUser",
    "runAsGroup",
)


def credentials_name(value: str, scope: PodScope) -> Faults:
    return [fault(invalid_of_type(value, text)) for text in is_dns1123_subdomain(value)]


def credentials(value: str, scope: PodScope) -> Faults:
    if not value:
        return (fault(invalid_of_type(value, "gmsaCredentialSpec cannot be an empty string")),)
    if len(value.encode()) > LONGEST_CREDENTIALS_KIB * 1024:
        return (fault(invalid_of_type(value, f"gmsaCredentialSpec size must be under {LONGEST_CREDENTIALS_KIB} KiB")),)
    return NONE


def user_name(value: str, scope: PodScope) -> Faults:
    return [fault(invalid_of_type(value, text)) for text in user_name_texts(value)]


def user_name_texts(value: str) -> list[str]:
    """`User` or `Domain\\User`."""
    if not value:
        return ["runAsUserName cannot be an empty string"]
    if CONTROL.search(value):
        return ["runAsUserName cannot contain control characters"]
    if value.count("\\") > 1:
        return ["runAsUserName cannot contain more than one backslash"]
    domain, has_domain, user = value.rpartition("\\")
    out = []
    if len(domain.encode()) >= LONGEST_DOMAIN:
        out.append(f"runAsUserName's Domain length must be under {LONGEST_DOMAIN} characters")
    if has_domain and not (NETBIOS.fullmatch(domain) or DNS.fullmatch(domain)):
        out.append("runAsUserName's Domain doesn't match the NetBios nor the DNS format")
    if not user:
        out.append("runAsUserName's User cannot be empty")
    elif len(user.encode()) > LONGEST_USER:
        out.append(f"runAsUserName's User length must not be longer than {LONGEST_USER} characters")
    if user and not user.strip(". "):
        out.append("runAsUserName's User cannot contain only periods or spaces")
    if not NOT_IN_USERS.isdisjoint(user):
        out.append("runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]")
    return out


windows_options = fields(("gmsaCredentialSpecName", credentials_name), ("gmsaCredentialSpec", credentials), ("runAsUserName", user_name))


def _host_process(owner: Tree) -> Any:
    return ((owner.get("securityContext") or {}).get("windowsOptions") or {}).get("hostProcess")


def host_processes(pod: Tree, scope: PodScope) -> Faults:
    """Either all containers run as processes of the node, or none."""
    of_pod = _host_process(pod)
    containers = [(path, _host_process(container)) for path, container in containers_of(pod)]
    if of_pod is None and all(value is None for _, value in containers):
        return NONE
    out = [
        fault(
            invalid(value, f"pod hostProcess value must be identical if both are specified, was {str(of_pod).lower()}"),
            *path,
            *("securityContext", "windowsOptions", "hostProcess"),
        )
        for path, value in containers
        if of_pod is not None and value is not None and value != of_pod
    ]
    count = sum(bool(of_pod if value is None else value) for _, value in containers)
    if count:
        if count != len(containers):
            out.append(fault(invalid("", "If pod contains any hostProcess containers then all containers must be HostProcess containers")))
        if not pod.get("hostNetwork"):
            out.append(fault(invalid(False, "hostNetwork must be true if pod contains any hostProcess containers"), "hostNetwork"))
    return out


def operating_system(pod: Tree, scope: PodScope) -> Faults:
    """os.name, and what the other system alone has."""
    name = pod["os"]["name"]
    if not name:
        return (fault(required("" if scope.kubernetes.has(WORDS_NO_EMPTY_OS) else "cannot be empty"), "os", "name"),)
    if name not in SYSTEMS:
        return (fault(unsupported(name, SYSTEMS), "os", at=("os", "name")),)
    return no_windows_options(pod) if name == "linux" else nothing_of_linux(pod)


def no_windows_options(pod: Tree) -> list[Fault]:
    owners = [((), pod), *containers_of(pod)]
    return [
        fault(forbidden("windows options cannot be set for a linux pod"), *path, "securityContext", "windowsOptions")
        for path, owner in owners
        if (owner.get("securityContext") or {}).get("windowsOptions") is not None
    ]


def nothing_of_linux(pod: Tree) -> list[Fault]:
    text = forbidden(ONLY_LINUX)
    context = pod.get("securityContext") or {}
    out = [fault(text, name) for name in ("hostUsers", "shareProcessNamespace") if pod.get(name) is not None]
    out.extend(fault(text, name) for name in ("hostPID", "hostIPC") if pod.get(name))
    out.extend(fault(text, "securityContext", name) for name in OF_LINUX_PODS if context.get(name) is not None)
    for path, container in containers_of(pod):
        own = container.get("securityContext") or {}
        out.extend(fault(text, *path, "securityContext", name) for name in OF_LINUX_CONTAINERS if own.get(name) is not None)
    return out
