"""Ports of containers, and those that they take on the node.

Source: validateContainerPorts, checkHostPortConflicts and validatePodHostNetworkDeps in pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.checks import port_number
from jobset_compiler.admission.children.faults import NONE, Fault, Faults, duplicate, fault, invalid, required, unsupported
from jobset_compiler.kube.names import is_valid_port_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.admission.children.checks import PodScope, Tree

PROTOCOLS = ("SCTP", "TCP", "UDP")
DEFAULT_PROTOCOL = "TCP"


def ports(value: list[Tree], scope: PodScope) -> Faults:
    """The ports of one container."""
    out: list[Fault] = []
    names: set[str] = set()
    for index, port in enumerate(value):
        name = port.get("name")
        if name:
            texts = is_valid_port_name(name)
            out.extend(fault(invalid(name, text), index, "name") for text in texts)
            if not texts:
                if name in names:
                    out.append(fault(duplicate(name), index, "name"))
                names.add(name)
        number = port["containerPort"]
        out.extend(found.under(index, "containerPort") for found in (port_number(number, scope) if number else (fault(required()),)))
        if port.get("hostPort"):
            out.extend(found.under(index, "hostPort") for found in port_number(port["hostPort"], scope))
        protocol = port.get("protocol") or DEFAULT_PROTOCOL
        if protocol not in PROTOCOLS:
            out.append(fault(unsupported(protocol, PROTOCOLS), index, "protocol"))
    return out


def host_ports_taken_twice(containers: Sequence[Tree]) -> Faults:
    """Ports of the node that two ports of containers take; paths begin at the list of containers."""
    out: Faults = NONE
    taken: set[str] = set()
    for position, container in enumerate(containers):
        for index, port in enumerate(container.get("ports") or ()):
            if port.get("hostPort"):
                name = f"{port.get('protocol') or DEFAULT_PROTOCOL}/{port.get('hostIP', '')}/{port['hostPort']}"
                if name in taken:
                    out = [*out, fault(duplicate(name), position, "ports", index, "hostPort")]
                taken.add(name)
    return out


def ports_are_those_of_the_node(pod: Tree, scope: PodScope) -> Faults:
    """In the network of the node a container has no other port than the node's. In a Pod, ports of the node that are not written have been filled in."""
    if not pod.get("hostNetwork"):
        return NONE
    return [
        fault(invalid(port["hostPort"], "must match `containerPort` when `hostNetwork` is true"), "containers", position, "ports", index, "hostPort")
        for position, container in enumerate(pod.get("containers") or ())
        for index, port in enumerate(container.get("ports") or ())
        if port.get("hostPort") and port["hostPort"] != port["containerPort"]
    ]
