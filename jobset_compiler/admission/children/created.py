"""The Pod that a Job creates: what its API refuses beyond what the template's has accepted, and what default admission plugins forbid.

Source: ValidatePodCreate in pkg/apis/core/validation/validation.go, after SetDefaults_Pod and PrepareForCreate of pkg/registry/core/pod; plugin/pkg/admission
priority and runtimeclass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.faults import Fault, fault, forbidden, invalid, under
from jobset_compiler.admission.children.metadata import finalizers
from jobset_compiler.admission.children.pod_resources import with_defaults
from jobset_compiler.admission.children.pods import pod_faults
from jobset_compiler.admission.children.scheduling import PREFERRED_TERMS, REQUIRED_TERMS
from jobset_compiler.admission.children.windows import containers_of
from jobset_compiler.profiles.kubernetes import SPREAD_KEYS_MERGED

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.admission.children.checks import Scope, Tree

# Fields for which a Pod has other defaults, or other rules, than a template.
OTHERWISE_IN_PODS = frozenset({"hostNetwork", "resources", "affinity", "topologySpreadConstraints"})


def created_pod_faults(pod: Tree, metadata: Tree, labels_of_pod: Callable[[], dict[str, str]], scope: Scope) -> list[Fault]:
    """Faults of a Pod whose Job is accepted. labels_of_pod: all that it has, asked for only where they matter."""
    out = under(finalizers(metadata["finalizers"], scope), "metadata", "finalizers") if metadata.get("finalizers") else []
    if not OTHERWISE_IN_PODS.isdisjoint(pod) or any("image" in volume for volume in pod.get("volumes") or ()):
        out += under(pod_faults(as_created(pod, labels_of_pod(), scope), scope.kubernetes, is_pod=True)[0], "spec")
    for path, container in containers_of(pod):
        image = container.get("image", "")
        if image != image.strip():
            out.append(fault(invalid(image, "must not have leading or trailing whitespace"), "spec", *path, "image"))
    if pod.get("nodeName") and pod.get("schedulingGates"):
        out.append(fault(forbidden("cannot be set until all schedulingGates have been cleared"), "spec", "nodeName"))
    return out


def as_created(pod: Tree, labels: dict[str, str], scope: Scope) -> Tree:
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
    return {**container, "ports": [{**port, "hostPort": port.get("hostPort") or port.get("containerPort", 0)} for port in container["ports"]]}


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


PRIORITY = "the integer value of priority ({}) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name"
PREEMPTION = (
    "the string value of PreemptionPolicy ({}) must not be provided in pod spec; "
    "priority admission controller computed PreemptLowerPriority from the given PriorityClass name"
)
OVERHEAD = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"


def forbidden_by_plugins(pod: Tree) -> list[tuple[str, str, str]]:
    """(plugin, its words, the field) for what admission plugins that are on by default refuse.

    Only a cluster knows its PriorityClasses and RuntimeClasses: a default class, or a webhook, can make it right.
    """
    out = []
    if not pod.get("priorityClassName"):
        if pod.get("priority"):
            out.append(("Priority", PRIORITY.format(pod["priority"]), "priority"))
        if pod.get("preemptionPolicy", "PreemptLowerPriority") != "PreemptLowerPriority":
            out.append(("Priority", PREEMPTION.format(pod["preemptionPolicy"]), "preemptionPolicy"))
    if pod.get("overhead") and pod.get("runtimeClassName") is None:
        out.append(("RuntimeClass", OVERHEAD, "overhead"))
    return out
