"""The Pod that a Job creates: what its API refuses beyond what the template's has accepted, and what default admission plugins forbid.

Source: ValidatePodCreate in pkg/apis/core/validation/validation.go, after SetDefaults_Pod and PrepareForCreate of pkg/registry/core/pod; plugin/pkg/admission
priority and runtimeclass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.checks import containers_of, elsewhere
from jobset_compiler.admission.children.faults import Fault, fault, forbidden, invalid, under
from jobset_compiler.admission.children.pods import pod_faults

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.admission.children.checks import PodScope, Tree

finalizers = elsewhere("metadata", "finalizers")
# Fields for which a Pod has other defaults, or other rules, than a template.
OTHERWISE_IN_PODS = frozenset({"hostNetwork", "resources", "affinity", "topologySpreadConstraints"})


def created_pod_faults(pod: Tree, metadata: Tree, labels_of_pod: Callable[[], dict[str, str]], scope: PodScope) -> list[Fault]:
    """Faults of a Pod whose Job is accepted. labels_of_pod: all that it has, asked for only where they matter."""
    out = under(finalizers(metadata["finalizers"], scope), "metadata", "finalizers") if metadata.get("finalizers") else []
    if not OTHERWISE_IN_PODS.isdisjoint(pod) or any("image" in volume for volume in pod.get("volumes") or ()):
        from jobset_compiler.admission.children.pod_defaults import as_created

        out += under(pod_faults(as_created(pod, labels_of_pod(), scope), scope.kubernetes, is_pod=True)[0], "spec")
    for path, container in containers_of(pod):
        image = container.get("image", "")
        if image != image.strip():
            out.append(fault(invalid(image, "must not have leading or trailing whitespace"), "spec", *path, "image"))
    if pod.get("nodeName") and pod.get("schedulingGates"):
        out.append(fault(forbidden("cannot be set until all schedulingGates have been cleared"), "spec", "nodeName"))
    return out


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
