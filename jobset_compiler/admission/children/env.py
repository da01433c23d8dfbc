"""Environment variables and where their values come from; the fields of pods and containers that can be referred to.

Source: ValidateEnv, ValidateEnvFrom, validateObjectFieldSelector and validateContainerResourceFieldSelector in
pkg/apis/core/validation/validation.go; ConvertDownwardAPIFieldLabel in pkg/apis/core/pods.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from jobset_compiler.admission.children.checks import all_of, fields, label_name_of_pod, object_name, qualified_name, reads
from jobset_compiler.admission.children.faults import NONE, Fault, Faults, fault, invalid, not_found, required, unsupported_text
from jobset_compiler.admission.children.paths import no_way_up
from jobset_compiler.kube.names import is_config_map_key, is_dns1123_subdomain, is_relaxed_env_var_name, lowered
from jobset_compiler.kube.quantity import Quantity
from jobset_compiler.profiles.kubernetes import ENV_FILES

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import Check, PodScope, Tree

# What the API can say of any pod, in any place that takes a field.
KNOWN_FIELDS = frozenset(
    {
        *("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.restartPolicy"),
        *("spec.serviceAccountName", "spec.schedulerName", "status.phase", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"),
    }
)
SPELLED_OTHERWISE = {"spec.host": "spec.nodeName"}
WITH_SUBSCRIPT = ("metadata.annotations", "metadata.labels")
FIELDS_OF_VARIABLES = (
    *("metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName"),
    *("status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"),
)
FIELDS_OF_FILES = ("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid")
RESOURCES = ("limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory")
HUGE_PAGES = ("limits.hugepages-", "requests.hugepages-")

UNITS = ("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei")
UNITS_OF_CPU = ("1m", "1")
# The divisors of a resource, and how the server calls both.
DIVISORS = {
    "cpu": (UNITS_OF_CPU, "1m and 1", "cpu"),
    "memory": (UNITS, ", ".join(UNITS), "memory"),
    "ephemeral-storage": (UNITS, ", ".join(UNITS), "local ephemeral storage"),
}
DIVISORS_OF_HUGE_PAGES = (UNITS, ", ".join(UNITS), "hugepages")


def subscripted(path: str) -> tuple[str, str] | None:
    """`metadata.labels['app']` as (metadata.labels, app)."""
    before, opened, subscript = path.removesuffix("']").partition("['")
    return (before, subscript) if path.endswith("']") and opened and before else None


def field_ref(supported: tuple[str, ...]) -> Check:
    def check(reference: Tree, scope: PodScope) -> Faults:
        version: str = reference.get("apiVersion") or "v1"
        path: str = reference.get("fieldPath") or ""
        if not path:
            return (fault(required(), "fieldPath"),)
        problem = unreadable(version, path)
        if problem:
            return (fault(invalid(path, f"error converting fieldPath: {problem}"), "fieldPath"),)
        parts = subscripted(path)
        if parts is None:
            known = SPELLED_OTHERWISE.get(path, path)
            return NONE if known in supported else (fault(unsupported_text(known, supported), "fieldPath"),)
        kind, key = parts
        # The API's path is that of the reference.
        return [found.placed(("fieldPath",)) for found in qualified_name(lowered(key) if kind == WITH_SUBSCRIPT[0] else key, scope)]

    return check


def unreadable(version: str, path: str) -> str:
    if version != "v1":
        return f"unsupported pod version: {version}"
    parts = subscripted(path)
    if parts is not None:
        return "" if parts[0] in WITH_SUBSCRIPT else f"field label does not support subscript: {path}"
    return "" if path in KNOWN_FIELDS or path in SPELLED_OTHERWISE else f"field label not supported: {path}"


def resource_ref(*, of_file: bool) -> Check:
    """of_file: in a volume, where the container has to be named."""

    def check(reference: Tree, scope: PodScope) -> Faults:
        resource: str = reference["resource"]
        out: list[Fault] = []
        if of_file and not reference.get("containerName"):
            out.append(fault(required(), "containerName"))
        elif not resource:
            out.append(fault(required(), "resource"))
        elif resource not in RESOURCES and not resource.startswith(HUGE_PAGES):
            out.append(fault(unsupported_text(resource, RESOURCES), "resource"))
        return [*out, *divisor(resource, reference.get("divisor"))]

    return check


def divisor(resource: str, text: str | int | None) -> Faults:
    """The value that the API prints is the resource's name."""
    quantity = Quantity.parse(str(text or "0"))
    if quantity.is_zero:
        return NONE
    units, names, subject = DIVISORS_OF_HUGE_PAGES if resource.startswith(HUGE_PAGES) else DIVISORS.get(resource.partition(".")[2], ((), "", ""))
    if not units or quantity.text in units or not resource.startswith(("limits.", "requests.")):
        return NONE
    return (fault(invalid(resource, f"only divisor's values {names} are supported with the {subject} resource"), "divisor"),)


def key_ref(reference: Tree, scope: PodScope) -> Faults:
    """A key of a ConfigMap or Secret. A name that is missing is a bad one."""
    return key_ref_faults(reference.get("name", ""), reference["key"])


@lru_cache(maxsize=1024)
def key_ref_faults(name: str, key: str) -> tuple[Fault, ...]:
    """The same few come with every TrainJob of a team."""
    texts = [invalid(key, text) for text in is_config_map_key(key)] if key else [required()]
    return (*(fault(invalid(name, text), "name") for text in is_dns1123_subdomain(name)), *(fault(text, "key") for text in texts))


def file_ref(reference: Tree, scope: PodScope) -> Faults:
    key, volume, path = reference["key"], reference["volumeName"], reference["path"]
    out = [fault(text, "key") for text in ([invalid(key, text) for text in is_relaxed_env_var_name(key)] if key else [required()])]
    out.extend(found.under("volumeName") for found in (label_name_of_pod(volume, scope) if volume else (fault(required()),)))
    out.extend(found.under("path") for found in (no_way_up(path, scope) if path else (fault(required()),)))
    return [*out, *file_volume(volume, scope)]


def file_volume(name: str, scope: PodScope) -> Faults:
    """Files of variables are written into volumes of type emptyDir, which is also what a volume without a source is."""
    volume = next((volume for volume in scope.pod.get("volumes") or () if volume["name"] == name), None)
    if volume is None:
        return (fault(not_found(name), "volumeName"),)
    if len(volume) == 1 or "emptyDir" in volume:
        return NONE
    return (fault(invalid(name, "referenced volume must be of type emptyDir"), "volumeName"),)


SOURCES = (
    ("fieldRef", field_ref(FIELDS_OF_VARIABLES)),
    ("resourceFieldRef", resource_ref(of_file=False)),
    ("configMapKeyRef", key_ref),
    ("secretKeyRef", key_ref),
    ("fileKeyRef", file_ref),
)
SOURCE_FAULTS = fields(*SOURCES)
SOURCE_NAMES = tuple(name for name, _ in SOURCES)


def variables(value: list[Tree], scope: PodScope) -> Faults:
    """env. The usual variable has a name and a text."""
    out: Faults = NONE
    for index, item in enumerate(value):
        name: str = item["name"]
        if "valueFrom" in item or not name.isidentifier() or not name.isascii():
            found = variable(item, scope)
            if found:
                out = [*out, *(fault.under(index) for fault in found)]
    return out


def variable(value: Tree, scope: PodScope) -> Faults:
    name = value["name"]
    out: Faults = NONE
    texts = is_relaxed_env_var_name(name) if name else ()
    if texts or not name:
        out = [fault(text, "name") for text in ([invalid(name, text) for text in texts] or [required()])]
    if "valueFrom" in value:
        out = [*out, *(found.under("valueFrom") for found in source_of(value, scope))]
    return out


def source_of(value: Tree, scope: PodScope) -> Faults:
    source = value["valueFrom"] or {}
    out = SOURCE_FAULTS(source, scope)
    if len(source) == 1 and not value.get("value"):
        return out
    given = sum(name in source for name in SOURCE_NAMES)
    if not given:
        last = ", `secretKeyRef` or `fileKeyRef`" if scope.kubernetes.has(ENV_FILES) else " or `secretKeyRef`"
        return [*out, fault(invalid("", f"must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`{last}"))]
    if value.get("value"):
        return [*out, fault(invalid("", "may not be specified when `value` is not empty"))]
    return [*out, fault(invalid("", "may not have more than one field specified at a time"))] if given > 1 else out


def named_source(reference: Tree, scope: PodScope) -> Faults:
    name = reference.get("name", "")
    return [found.under("name") for found in object_name(name, scope)] if name else (fault(required(), "name"),)


ALL_OF_A_SOURCE = all_of(
    fields(("prefix", reads(lambda prefix: is_relaxed_env_var_name(prefix) if prefix else ()))),
    fields(("configMapRef", named_source), ("secretRef", named_source)),
)


def variables_of(sources: list[Tree], scope: PodScope) -> Faults:
    """envFrom. How many sources an item has is said of the list."""
    out: list[Fault] = []
    for index, source in enumerate(sources):
        out.extend(found.under(index) for found in ALL_OF_A_SOURCE(source, scope))
        given = ("configMapRef" in source) + ("secretRef" in source)
        if given != 1:
            text = "may not have more than one field specified at a time" if given else "must specify one of: `configMapRef` or `secretRef`"
            out.append(fault(invalid("", text), at=(index,)))
    return out
