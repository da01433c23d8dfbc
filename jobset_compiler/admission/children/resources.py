"""Resources of containers and pods, claims to devices, and what is done when resources are resized.

Source: validateResourceRequirements, validatePodResources, validateResourceClaimNames, validatePodResourceClaim and validateResizePolicy in
pkg/apis/core/validation/validation.go, after SetDefaults_ResourceList (quantities are rounded up to thousandths).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from jobset_compiler.admission.children.checks import NOT_NEGATIVE, label_name_of_pod, name_texts, object_name, wording
from jobset_compiler.admission.children.faults import (
    NONE,
    UNSUPPORTED,
    Fault,
    Faults,
    duplicate,
    fault,
    forbidden,
    invalid,
    invalid_of_type,
    invalid_printed,
    not_found,
    required,
    unsupported,
)
from jobset_compiler.admission.children.go_types import RESOURCE_CLAIM, printed
from jobset_compiler.diagnostics.place import Key
from jobset_compiler.kube.names import is_qualified_name
from jobset_compiler.kube.quantity import Quantity, QuantityError
from jobset_compiler.profiles.kubernetes import WORDS_SAY_POD_POLICY
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.admission.children.checks import PodScope, Tree
    from jobset_compiler.profiles.kubernetes import Kubernetes
OF_CONTAINERS = frozenset({"cpu", "memory", "ephemeral-storage"})
NO_INTEGER = "must be an integer"
OF_PODS = frozenset({"cpu", "memory"})
HUGE_PAGES = "hugepages-"
COMPUTE = ("cpu", "memory")
# Standard names that only quotas can have.
COUNTED = frozenset(
    {
        *("pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps", "persistentvolumeclaims"),
        *("services.nodeports", "services.loadbalancers"),
    }
)
STANDARD = OF_CONTAINERS | COUNTED | {f"{side}.{name}" for side in ("requests", "limits") for name in OF_CONTAINERS} | {"storage", "requests.storage"}
RESIZED = ("cpu", "memory")
RESIZE_POLICIES = ("NotRequired", "RestartContainer")
EQUAL_HINT = "devices and huge pages cannot be overcommitted: write the limit alone, and the request becomes equal to it"


def is_native(name: str) -> bool:
    return "/" not in name or "kubernetes.io/" in name


@lru_cache(maxsize=256)
def is_extended(name: str) -> bool:
    """A resource of a device plugin: with a domain, which is not Kubernetes' own."""
    return not is_native(name) and not name.startswith("requests.") and not is_qualified_name(f"requests.{name}")


def can_be_overcommitted(name: str) -> bool:
    return is_native(name) and not name.startswith(HUGE_PAGES)


def is_standard(name: str) -> bool:
    return name in STANDARD or name.startswith((HUGE_PAGES, f"requests.{HUGE_PAGES}"))


def resource_name_texts(name: str, kubernetes: Kubernetes) -> tuple[str, ...]:
    texts = tuple(invalid_of_type(name, problem) for problem in is_qualified_name(name, wording(kubernetes)))
    if not texts and "/" not in name and not is_standard(name):
        return (invalid_of_type(name, "must be a standard resource type or fully qualified"),)
    return texts


@lru_cache(maxsize=256)
def texts_for_containers(name: str, kubernetes: Kubernetes) -> tuple[str, ...]:
    """What is wrong with the name of a resource. Few resources have names of their own."""
    texts = resource_name_texts(name, kubernetes)
    if "/" not in name:
        known = name in OF_CONTAINERS or name.startswith(HUGE_PAGES)
        return texts if known else (*texts, invalid_of_type(name, "must be a standard resource for containers"))
    fits = is_native(name) or is_extended(name)
    return texts if fits else (*texts, invalid_of_type(name, "doesn't follow extended resource name standard"))


@lru_cache(maxsize=256)
def texts_for_pods(name: str, kubernetes: Kubernetes) -> tuple[str, ...]:
    texts = resource_name_texts(name, kubernetes)
    if texts or name in OF_PODS or name.startswith(HUGE_PAGES):
        return texts
    return (unsupported(name, ("cpu", HUGE_PAGES, "memory")),)


@lru_cache(maxsize=1024)
def rounded(text: str) -> Quantity:
    """A quantity as the API stores it."""
    return Quantity.parse(text).rounded_up_to_milli()


def quantity_texts(name: str, text: str) -> list[str]:
    quantity = rounded(text)
    out = [invalid(quantity.text, NOT_NEGATIVE)] if quantity.sign < 0 else []
    if (name in COUNTED or is_extended(name)) and quantity.milli_value() % 1000:
        out.append(invalid(quantity.text, NO_INTEGER))
    if name.startswith(HUGE_PAGES) and not is_whole_pages(name, quantity):
        out.append(invalid(quantity.text, f"{quantity.text} is not positive integer multiple of {name}"))
    return out


def is_whole_pages(name: str, quantity: Quantity) -> bool:
    try:
        size = Quantity.parse(name.removeprefix(HUGE_PAGES))
    except QuantityError:
        return False
    return size.sign > 0 and not size.milli_value() % 1000 and not quantity.ceil() % size.ceil()


class Owner(Value):
    """What has resources: which ones nobody has to look at twice, and what is said of the names of others."""

    __slots__ = ("texts_of", "usual")

    def __init__(self, usual: frozenset[str], texts_of: Callable[[str, Kubernetes], tuple[str, ...]]) -> None:
        self.usual: Final = usual
        self.texts_of: Final = texts_of


CONTAINER = Owner(OF_CONTAINERS, texts_for_containers)
POD = Owner(OF_PODS, texts_for_pods)


def container_resources(value: Tree, scope: PodScope) -> Faults:
    return requirements(value, CONTAINER, scope)


def overhead(value: dict[str, str], scope: PodScope) -> Faults:
    """What a RuntimeClass adds is checked as the limits of a container are."""
    found = requirements({"limits": value}, CONTAINER, scope)
    return [each.placed(each.place[1:] or None) for each in found]


def requirements(value: Tree, owner: Owner, scope: PodScope) -> Faults:
    """Order of resources: that of the manifest, the server's is random."""
    limits, requests = value.get("limits") or {}, value.get("requests") or {}
    out: Faults = NONE
    has_pages = False
    for side, amounts in (("limits", limits), ("requests", requests)):
        for name, text in amounts.items():
            if name not in owner.usual or text[0] == "-":
                has_pages = has_pages or name.startswith(HUGE_PAGES)
                problems = resource_problems(name, text, owner, scope.kubernetes)
                if problems:
                    out = [*out, *(Fault((side, Key(name)), problem, hint=hint_about(name, text, problem)) for problem in problems)]
            if side == "requests":
                found = request_faults(name, text, limits.get(name))
                if found:
                    out = [*out, *found]
    if has_pages and not any(name in COMPUTE for name in (*limits, *requests)):
        out = [*out, fault(forbidden("HugePages require cpu or memory"))]
    if value.get("claims"):
        out = [*out, *(found.under("claims") for found in claims_of_container(value["claims"], scope))]
    return out


def hint_about(name: str, text: str, problem: str) -> str:
    """What to write for a GPU that has no domain, that is only a part of one, or that a pod as a whole asks for."""
    if problem.startswith(UNSUPPORTED):
        return "this goes into the resources of a container: a pod as a whole has cpu, memory and huge pages"
    if "/" not in name:
        meant = f"{name}/gpu" if name.endswith(".com") else "nvidia.com/gpu" if "gpu" in name.lower() else ""
        return f"write {meant}: {text}, or the name that the device plugin of the cluster gives" if meant else ""
    whole = "devices are counted in whole numbers: write 1, or the resource of a share or a slice, such as nvidia.com/mig-1g.5gb"
    return whole if problem.endswith(NO_INTEGER) else ""


@lru_cache(maxsize=1024)
def resource_problems(name: str, text: str, owner: Owner, kubernetes: Kubernetes) -> tuple[str, ...]:
    """What is wrong with an amount of a resource. The same few come with every TrainJob."""
    return (*owner.texts_of(name, kubernetes), *quantity_texts(name, text))


def request_faults(name: str, request: str, limit: str | None) -> Faults:
    """A request beside its limit. The API's path is that of the map."""
    if limit == request:
        return NONE
    at = ("requests", name)
    if limit is None:
        if can_be_overcommitted(name):
            return NONE
        text = required("Limit must be set for non overcommitable resources")
        return (fault(text, "limits", at=at, hint=f"set a limit of {name} equal to the request"),)
    wanted, most = rounded(request), rounded(limit)
    if wanted != most and not can_be_overcommitted(name):
        return (fault(invalid(wanted.text, f"must be equal to {name} limit of {most.text}"), "requests", at=at, hint=EQUAL_HINT),)
    if wanted > most:
        text = invalid(wanted.text, f"must be less than or equal to {name} limit of {most.text}")
        return (fault(text, "requests", at=at, hint="raise the limit or lower the request"),)
    return NONE


def claims_of_container(claims: list[Tree], scope: PodScope) -> list[Fault]:
    """Claims that a container uses: each is one of the pod's, whole or one request of it."""
    out: list[Fault] = []
    taken: list[str] = []
    names = scope.claims
    for index, claim in enumerate(claims):
        name, request = claim["name"], claim.get("request", "")
        if not name:
            out.append(fault(required(), index))
            continue
        key = f"{name}/{request}" if request else name
        if name in taken:
            out.append(fault(duplicate(name), index))
        else:
            if request:
                out.extend(found.under(index, "request") for found in label_name_of_pod(request, scope))
            if key in taken:
                out.append(fault(duplicate(key), index))
            elif not request:
                out.extend(fault(duplicate(name), index) for other in taken if other.partition("/")[0] == name)
            taken.append(key)
        if name not in names:
            known = f": {', '.join(sorted(names))}" if names else " which is empty"
            out.append(fault(f"{not_found(name)}: must be one of the names in pod.spec.resourceClaims{known}", index))
    return out


ONE_SOURCE_OF_A_CLAIM = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
TWO_SOURCES_OF_A_CLAIM = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"


def resource_claims(claims: list[Tree], scope: PodScope) -> Faults:
    """Claims of a pod."""
    out: list[Fault] = []
    names: set[str] = set()
    for index, claim in enumerate(claims):
        name = claim["name"]
        if name and name in names:
            out.append(fault(duplicate(name), index, "name"))
        else:
            out.extend(fault(text, index, "name") for text in name_texts(name))
        names.add(name)
        given = [field for field in ("resourceClaimName", "resourceClaimTemplateName") if claim.get(field) is not None]
        if len(given) != 1:
            text = TWO_SOURCES_OF_A_CLAIM if given else ONE_SOURCE_OF_A_CLAIM
            out.append(fault(invalid_printed(printed(claim, RESOURCE_CLAIM), text), index))
        for field in given:
            out.extend(found.under(index, field) for found in object_name(claim[field], scope))
    return out


def resize_policy(policies: list[Tree], scope: PodScope) -> Faults:
    """Nearly all is said of the list."""
    out: list[Fault] = []
    names: set[str] = set()
    whose = "pod `restartPolicy`" if scope.kubernetes.has(WORDS_SAY_POD_POLICY) else "`restartPolicy`"
    for index, policy in enumerate(policies):
        name, action = policy["resourceName"], policy["restartPolicy"]
        if name in names:
            out.append(fault(duplicate(name), index))
        names.add(name)
        for field, value, supported in (("resourceName", name, RESIZED), ("restartPolicy", action, RESIZE_POLICIES)):
            if value not in supported:
                out.append(fault(unsupported(value, supported) if value else required(), at=(index, field)))
        if scope.restart_policy == "Never" and action != "NotRequired":
            text = invalid_of_type(action, f"must be 'NotRequired' when {whose} is 'Never'")
            out.append(fault(text, at=(index, "restartPolicy")))
    return out
