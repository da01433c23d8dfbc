"""The spec of a pod: the table of its fields, in the API's order.

Source: ValidatePodSpec in pkg/apis/core/validation/validation.go, after SetDefaults_PodSpec.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.children.checks import (
    MOST_OF_32_BITS,
    PodScope,
    between,
    containers_of,
    elsewhere,
    every,
    fields,
    if_given,
    label_name_of_pod,
    labels,
    object_name,
    one_of,
    qualified_name,
    whole,
)
from jobset_compiler.admission.children.containers import containers, init_containers
from jobset_compiler.admission.children.faults import NONE, Fault, Faults, duplicate, fault, forbidden, invalid, required, under
from jobset_compiler.admission.children.ports import ports_are_those_of_the_node
from jobset_compiler.admission.children.volumes import volumes

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import Tree
    from jobset_compiler.profiles.kubernetes import Kubernetes

RESTART_POLICIES = ("Always", "OnFailure", "Never")
DNS_POLICIES = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
dns_config = elsewhere("network", "dns_config")
host_processes_of_pod = elsewhere("windows", "host_processes")


def scheduling_gates(value: list[Tree], scope: PodScope) -> Faults:
    out: list[Fault] = []
    seen: set[str] = set()
    for index, gate in enumerate(value):
        name = gate["name"]
        out.extend(under(qualified_name(name, scope), index))
        if name in seen:
            out.append(fault(duplicate(name), index))
        seen.add(name)
    return out


def readiness_gate(gate: Tree, scope: PodScope) -> Faults:
    return under(qualified_name(gate["conditionType"], scope), "conditionType")


def ephemeral_containers(value: list[Any], scope: PodScope) -> Faults:
    return (fault(forbidden("ephemeral containers not allowed in pod template")),) if value else NONE


def share_process_namespace(pod: Tree, scope: PodScope) -> Faults:
    """The API's path is in the security context, where the field stood once."""
    if not (pod.get("shareProcessNamespace") and pod.get("hostPID")):
        return NONE
    text = invalid(True, "ShareProcessNamespace and HostPID cannot both be enabled")
    return (fault(text, "securityContext", "shareProcessNamespace", at=("shareProcessNamespace",)),)


def dns(pod: Tree, scope: PodScope) -> Faults:
    if pod.get("dnsConfig") is None and pod.get("dnsPolicy") != "None":
        return NONE
    return dns_config(pod, scope)


def host_processes(pod: Tree, scope: PodScope) -> Faults:
    """Only security contexts make processes of the node."""
    if "securityContext" not in pod and not any("securityContext" in container for _, container in containers_of(pod)):
        return NONE
    return host_processes_of_pod(pod, scope)


def service_account(pod: Tree, scope: PodScope) -> Faults:
    """The field's older name counts where the newer is not written."""
    field = "serviceAccountName" if pod.get("serviceAccountName") else "serviceAccount"
    name = pod.get(field)
    return [each.placed((field,), ("serviceAccountName",)) for each in object_name(name, scope)] if name else NONE


spec = fields(
    ("resourceClaims", elsewhere("resources", "resource_claims")),
    ("containers", containers),
    ("initContainers", init_containers),
    whole(elsewhere("pod_resources", "pod_resources"), "resources"),
    whole(ports_are_those_of_the_node, "hostNetwork"),
    ("restartPolicy", if_given(one_of(*RESTART_POLICIES))),
    ("dnsPolicy", if_given(one_of(*DNS_POLICIES))),
    ("nodeSelector", labels),
    ("securityContext", elsewhere("security", "pod_security")),
    whole(share_process_namespace, "shareProcessNamespace"),
    ("affinity", elsewhere("scheduling", "affinity")),
    whole(dns, "dnsPolicy", "dnsConfig"),
    ("readinessGates", every(readiness_gate)),
    ("schedulingGates", scheduling_gates),
    ("topologySpreadConstraints", elsewhere("scheduling", "topology_spread")),
    whole(host_processes, "containers"),
    whole(elsewhere("network", "user_namespace"), "hostUsers"),
    whole(elsewhere("network", "host_name_override"), "hostnameOverride"),
    whole(service_account, "serviceAccountName", "serviceAccount"),
    ("nodeName", if_given(object_name)),
    ("activeDeadlineSeconds", between(1, MOST_OF_32_BITS)),
    ("hostname", if_given(label_name_of_pod)),
    ("subdomain", if_given(label_name_of_pod)),
    ("tolerations", elsewhere("scheduling", "tolerations")),
    ("hostAliases", every(elsewhere("network", "host_alias"))),
    ("priorityClassName", if_given(object_name)),
    ("runtimeClassName", object_name),
    ("preemptionPolicy", one_of("PreemptLowerPriority", "Never", if_empty=required())),
    ("overhead", elsewhere("resources", "overhead")),
    whole(elsewhere("windows", "operating_system"), "os"),
    ("ephemeralContainers", ephemeral_containers),
)


def pod_faults(pod: Tree, kubernetes: Kubernetes, *, is_pod: bool = False) -> tuple[Faults, PodScope]:
    """The faults of a pod's spec; paths begin there. And what was known of it, for the rules of the metadata around it."""
    blank = PodScope(kubernetes, pod, {}, is_pod)
    found, good = volumes(pod.get("volumes") or [], blank)
    scope = PodScope(blank.kubernetes, blank.pod, good, blank.is_pod)
    of_volumes = under(found, "volumes") if found else NONE
    no_containers = NONE if pod.get("containers") else (fault(required(), "containers"),)
    return (*of_volumes, *no_containers, *spec(pod, scope)), scope
