"""Security contexts of pods and containers, and the annotations that came before their fields.

Source: ValidateSecurityContext, validatePodSpecSecurityContext, validateSeccompProfileField, ValidateAppArmorProfileField, validateSysctls and their
neighbours in pkg/apis/core/validation/validation.go. Privileged containers are allowed, as every common installer has it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jobset_compiler.admission.children.checks import all_of, every, fields, identity, one_of
from jobset_compiler.admission.children.faults import (
    NONE,
    Fault,
    Faults,
    duplicate,
    fault,
    invalid,
    invalid_of_type,
    invalid_printed,
    required,
    too_long,
)
from jobset_compiler.admission.children.go_types import PROFILE, SECURITY_CONTEXT, printed
from jobset_compiler.admission.children.paths import descending
from jobset_compiler.admission.children.windows import windows_options

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import Check, PodScope, Tree

PROFILE_TYPES = ("Localhost", "RuntimeDefault", "Unconfined")
PROC_MOUNTS = ("Default", "Unmasked")
LONGEST_PROFILE = 4095
LONGEST_SYSCTL = 253
SYSCTL_SEGMENT = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
SYSCTL = f"^({SYSCTL_SEGMENT}[\\./])*{SYSCTL_SEGMENT}$"
BAD_SYSCTL = f"must have at most {LONGEST_SYSCTL} characters and match regex {SYSCTL}"
# Kernel parameters that belong to a namespace: by name, and by prefix.
IPC_SYSCTLS = frozenset(f"kernel.{name}" for name in ("sem", "shmall", "shmmax", "shmmni", "shm_rmid_forced", "shm", "msgmax", "msgmnb", "msgmni", "msg"))
NET_PREFIX = "net."
IPC_PREFIX = "fs.mqueue."


def profile_type(kind: str) -> Check:
    named = one_of(*PROFILE_TYPES, if_empty=required(f"type is required when {kind} is set"))

    def check(profile: Tree, scope: PodScope) -> Faults:
        return [found.under("type") for found in named(profile["type"], scope)]

    return check


def seccomp_file(profile: Tree, scope: PodScope) -> Faults:
    path = profile.get("localhostProfile")
    if profile["type"] == "Localhost":
        if path is None:
            return (fault(required("must be set when seccomp type is Localhost"), "localhostProfile"),)
        return [found.under("localhostProfile") for found in descending(path, scope)]
    if path is None:
        return NONE
    return (fault(invalid_printed(printed(profile, PROFILE), "can only be set when seccomp type is Localhost"), "localhostProfile"),)


def app_armor_file(profile: Tree, scope: PodScope) -> Faults:
    kind, name = profile["type"], profile.get("localhostProfile")
    if kind in ("RuntimeDefault", "Unconfined"):
        only = "can only be set when AppArmor type is Localhost"
        return NONE if name is None else (fault(invalid_of_type(name, only), "localhostProfile"),)
    if kind != "Localhost":
        return NONE
    out: list[Fault] = []
    if not name:
        out.append(fault(required("must be set when AppArmor type is Localhost"), "localhostProfile"))
    elif name != name.strip():
        out.append(fault(invalid(name, "must not be padded with whitespace"), "localhostProfile"))
    if len((name or "").encode()) > LONGEST_PROFILE:
        out.append(fault(too_long(LONGEST_PROFILE), "localhostProfile"))
    return out


seccomp_profile = all_of(profile_type("seccompProfile"), seccomp_file)
app_armor_profile = all_of(profile_type("appArmorProfile"), app_armor_file)


def proc_mount(value: str, scope: PodScope) -> Faults:
    out = [*one_of(*PROC_MOUNTS)(value, scope)]
    if value == "Unmasked" and scope.has_host_users:
        out.append(fault(invalid_of_type(value, "`hostUsers` must be false to use `Unmasked`")))
    return out


def escalation(context: Tree, scope: PodScope) -> Faults:
    """The whole context is printed."""
    if context.get("allowPrivilegeEscalation") is not False:
        return NONE
    out: list[Fault] = []

    def add(text: str) -> None:
        out.append(fault(invalid_printed(printed(context, SECURITY_CONTEXT), text), at=("allowPrivilegeEscalation",)))

    if context.get("privileged"):
        add("cannot set `allowPrivilegeEscalation` to false and `privileged` to true")
    for capability in (context.get("capabilities") or {}).get("add") or ():
        if capability == "CAP_SYS_ADMIN":
            add("cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN")
    return out


container_security = all_of(
    fields(("runAsUser", identity), ("runAsGroup", identity), ("procMount", proc_mount), ("seccompProfile", seccomp_profile)),
    escalation,
    fields(("windowsOptions", windows_options), ("appArmorProfile", app_armor_profile)),
)


def sysctls(value: list[Tree], scope: PodScope) -> Faults:
    out: list[Fault] = []
    seen: set[str] = set()
    for index, parameter in enumerate(value):
        name = parameter["name"]
        if not name:
            out.append(fault(required(), index, "name"))
        elif len(name.encode()) > LONGEST_SYSCTL or not re.fullmatch(SYSCTL, name):
            out.append(fault(invalid(name, BAD_SYSCTL), index, "name"))
        elif name in seen:
            out.append(fault(duplicate(name), index, "name"))
        out.extend(found.under(index, "name") for found in sysctl_of_the_node(name, scope))
        seen.add(name)
    return out


def sysctl_of_the_node(name: str, scope: PodScope) -> Faults:
    """A parameter of a namespace that the pod shares with the node."""
    normal = normal_sysctl(name).partition("*")[0]
    if scope.pod.get("hostNetwork") and normal.startswith(NET_PREFIX):
        return (fault(invalid(name, "may not be specified when 'hostNetwork' is true")),)
    if scope.pod.get("hostIPC") and (normal in IPC_SYSCTLS or normal.startswith(IPC_PREFIX)):
        return (fault(invalid(name, "may not be specified when 'hostIPC' is true")),)
    return NONE


def normal_sysctl(name: str) -> str:
    """With dots between its parts: where the first separator is a slash, dots and slashes change places."""
    first = next((letter for letter in name if letter in "./"), ".")
    return name if first == "." else name.translate(str.maketrans("./", "/."))


pod_security = all_of(
    fields(("fsGroup", identity), ("runAsUser", identity), ("runAsGroup", identity), ("supplementalGroups", every(identity))),
    fields(
        ("sysctls", sysctls),
        ("fsGroupChangePolicy", one_of("Always", "OnRootMismatch")),
        ("seccompProfile", seccomp_profile),
        ("windowsOptions", windows_options),
        ("appArmorProfile", app_armor_profile),
        ("supplementalGroupsPolicy", one_of("Merge", "Strict")),
        # MountOption needs the feature gate SELinuxMount, which is off in all these releases.
        ("seLinuxChangePolicy", one_of("Recursive")),
    ),
)
