"""The spec of a pod as the Pod API validates it: with what it fills in, and its own rules for hosts' networks and matched keys.

Source: SetDefaults_Pod in pkg/apis/core/v1/defaults.go; PrepareForCreate of pkg/registry/core/pod/strategy.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.pod_resources import with_defaults
from jobset_compiler.admission.children.scheduling import PREFERRED_TERMS, REQUIRED_TERMS
from jobset_compiler.profiles.kubernetes import SPREAD_KEYS_MERGED

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import PodScope, Tree


def as_created(pod: Tree, labels: dict[str, str], scope: PodScope) -> Tree:
    """The spec as the Pod API validates it."""
    pod = with_defaults(pod)
    if pod.get("hostNetwork"):
        pod = {**pod, **{field: [with_host_ports(container) for container in pod[field]] for field in ("containers", "initContainers") if pod.get(field)}}
    if pod.get("affinity"):
        pod = {**pod, "affinity": with_selected_keys(pod["affinity"], labels)}
    if pod.get("topologySpreadConstraints") and scope.kubernetes.has(SPREAD_KEYS_MERGED):
        pod = {**pod, "topologySpreadConstraints": [selecting(constraint, labels) for constraint in pod["topologySpreadConstraints"]]}
    return pod


def with_host_ports(container: Tree) -> Tree:
    """In the network of the node every port is one of the node."""
    if not container.get("ports"):
        return container
    return {**container, "ports": [{**port, "hostPort": port.get("hostPort") or port["containerPort"]} for port in container["ports"]]}


def with_selected_keys(affinity: Tree, labels: dict[str, str]) -> Tree:
    changed = {**affinity}
    for kind in ("podAffinity", "podAntiAffinity"):
        terms = affinity.get(kind)
        if terms:
            changed[kind] = {
                **terms,
                **({REQUIRED_TERMS: [selecting(term, labels) for term in terms[REQUIRED_TERMS]]} if REQUIRED_TERMS in terms else {}),
                **({PREFERRED_TERMS: [weighted(term, labels) for term in terms[PREFERRED_TERMS]]} if PREFERRED_TERMS in terms else {}),
            }
    return changed


def weighted(term: Tree, labels: dict[str, str]) -> Tree:
    return {**term, "podAffinityTerm": selecting(term.get("podAffinityTerm") or {}, labels)}


def selecting(term: Tree, labels: dict[str, str]) -> Tree:
    """A term or constraint whose selector holds the pod's own values of the matched keys."""
    selector = term.get("labelSelector")
    if selector is None:
        return term
    added = [
        {"key": key, "operator": operator, "values": [labels[key]]}
        for field, operator in (("matchLabelKeys", "In"), ("mismatchLabelKeys", "NotIn"))
        for key in term.get(field) or ()
        if key in labels
    ]
    return {**term, "labelSelector": {**selector, "matchExpressions": [*(selector.get("matchExpressions") or ()), *added]}} if added else term
