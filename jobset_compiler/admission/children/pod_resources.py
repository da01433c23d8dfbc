"""Resources of a pod as a whole, beside those of its containers.

Source: validatePodResources and validatePodResourceConsistency in pkg/apis/core/validation/validation.go; AggregateContainerRequests of
k8s.io/component-helpers; what SetDefaults_Pod fills in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.checks import ALWAYS
from jobset_compiler.admission.children.faults import NONE, Fault, Faults, fault, forbidden, invalid, under
from jobset_compiler.admission.children.resources import HUGE_PAGES, OF_PODS, POD, can_be_overcommitted, requirements, rounded
from jobset_compiler.diagnostics.place import Key

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import PodScope, Tree
    from jobset_compiler.kube.quantity import Quantity

    Amounts = dict[str, Quantity]


def pod_resources(pod: Tree, scope: PodScope) -> Faults:
    resources = pod.get("resources")
    if resources is None:
        return NONE
    if (pod.get("os") or {}).get("name") == "windows":
        return (fault(forbidden("may not be set for a windows pod"), "resources"),)
    out = []
    if resources.get("claims"):
        out.append(fault(forbidden("claims may not be set for Resources at pod-level"), "resources", "claims"))
    out += under(requirements(resources, POD, scope), "resources")
    return [*out, *requests_cover_containers(pod), *limits_cover_containers(pod)]


def requests_cover_containers(pod: Tree) -> list[Fault]:
    own = pod["resources"].get("requests") or {}
    return [
        too_little("requests", name, own[name], f"must be greater than or equal to aggregate container requests of {total.text}")
        for name, total in aggregated(pod, "requests").items()
        if name in own and total > rounded(own[name])
    ]


def limits_cover_containers(pod: Tree) -> list[Fault]:
    own = pod["resources"].get("limits") or {}
    out = [
        too_little("limits", name, own[name], f"must be greater than or equal to aggregate container limits of {total.text}")
        for name, total in aggregated(pod, "limits").items()
        if name.startswith(HUGE_PAGES) and name in own and total > rounded(own[name])
    ]
    for index, container in enumerate(pod.get("containers") or ()):
        for name, text in of_container(container, "limits").items():
            if name in own and rounded(text) > rounded(own[name]):
                message = f"must be less than or equal to pod limits of {rounded(own[name]).text}"
                place = ("containers", index, "resources", "limits", name)
                out.append(fault(invalid(rounded(text).text, message), "resources", "containers", index, Key(name), "limits", at=place))
    return out


def too_little(side: str, name: str, own: str, text: str) -> Fault:
    return fault(invalid(rounded(own).text, text), "resources", side, Key(name))


def of_container(container: Tree, side: str) -> dict[str, str]:
    amounts: dict[str, str] = (container.get("resources") or {}).get(side) or {}
    return amounts


def aggregated(pod: Tree, side: str) -> Amounts:
    """What containers need together: all that run at a time, or the greatest need while they start one after the other."""
    total: Amounts = {}
    for container in pod.get("containers") or ():
        add(total, of_container(container, side))
    sidecars: Amounts = {}
    greatest: Amounts = {}
    for container in pod.get("initContainers") or ():
        need = of_container(container, side)
        if container.get("restartPolicy") == ALWAYS:
            add(total, need)
            add(sidecars, need)
            keep_greatest(greatest, sidecars)
        else:
            beside = {name: rounded(text) for name, text in need.items()}
            for name, amount in sidecars.items():
                beside[name] = beside[name] + amount if name in beside else amount
            keep_greatest(greatest, beside)
    keep_greatest(total, greatest)
    return total


def add(total: Amounts, need: dict[str, str]) -> None:
    for name, text in need.items():
        total[name] = total[name] + rounded(text) if name in total else rounded(text)


def keep_greatest(total: Amounts, other: Amounts) -> None:
    for name, amount in other.items():
        if name not in total or amount > total[name]:
            total[name] = amount


def with_defaults(pod: Tree) -> Tree:
    """The spec of a Pod with the requests that its limits make: in containers, and in the pod as a whole."""
    filled = {**pod, **{field: [with_requests(container) for container in pod[field]] for field in ("containers", "initContainers") if pod.get(field)}}
    resources = pod.get("resources")
    if not resources or not (resources.get("limits") or resources.get("requests")):
        return filled
    limits, requests = {**(resources.get("limits") or {})}, {**(resources.get("requests") or {})}
    for name, amount in aggregated(filled, "limits").items():
        if name.startswith(HUGE_PAGES) and name not in requests:
            limits.setdefault(name, amount.text)
    if limits:
        for name, amount in aggregated(filled, "requests").items():
            if can_be_overcommitted(name) and name in OF_PODS:
                requests.setdefault(name, amount.text)
        for name, text in limits.items():
            if name in OF_PODS or name.startswith(HUGE_PAGES):
                requests.setdefault(name, text)
    return {**filled, "resources": {**resources, "limits": limits, "requests": requests}}


def with_requests(container: Tree) -> Tree:
    limits = of_container(container, "limits")
    if not limits:
        return container
    return {**container, "resources": {**container["resources"], "requests": {**limits, **of_container(container, "requests")}}}
