"""Labels, annotations and finalizers of Jobs and pods, and what some annotations mean.

Source: ValidateAnnotations in pkg/api/validation of k8s.io/apimachinery; ValidatePodSpecificAnnotations, validateSeccompAnnotationsAndFields and
validateAppArmorAnnotationsAndFieldsMatchOnCreate in pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.children.checks import MOST_OF_32_BITS, containers_of, wording
from jobset_compiler.admission.children.faults import NONE, Fault, Faults, fault, forbidden, invalid, too_long, under
from jobset_compiler.admission.children.paths import descending
from jobset_compiler.admission.children.scheduling import tolerations
from jobset_compiler.diagnostics.place import Key
from jobset_compiler.kube.names import ANNOTATIONS_SIZE, is_qualified_name, lowered
from jobset_compiler.kube.structural.errors import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.admission.children.checks import PodScope, Tree
    from jobset_compiler.diagnostics.place import Path

MIRROR = "kubernetes.io/config.mirror"
TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations"
DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"
SECCOMP_OF_POD = "seccomp.security.alpha.kubernetes.io/pod"
SECCOMP_OF_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/"
APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/"
LOCALHOST = "localhost/"
UNCONFINED = "unconfined"
RUNTIME_DEFAULT = "runtime/default"
DOCKER_DEFAULT = "docker/default"
STANDARD_FINALIZERS = ("kubernetes", "orphan", "foregroundDeletion")


def annotation_keys(value: dict[str, str], scope: PodScope) -> Faults:
    """Keys, whose case does not matter, and the size of all together. The API's path is that of the map."""
    out: Faults = NONE
    size = 0
    for key, text in value.items():
        texts = is_qualified_name(lowered(key), wording(scope.kubernetes))
        if texts:
            out = [*out, *(fault(invalid(key, each), at=(key,)) for each in texts)]
        size += len(key.encode()) + len(text.encode())
    return [*out, fault(too_long(ANNOTATIONS_SIZE))] if size > ANNOTATIONS_SIZE else out


def finalizers(value: list[str], scope: PodScope) -> Faults:
    """Those of the template, which only the Pod API looks at."""
    words = wording(scope.kubernetes)
    out = [fault(invalid(name, text), at=(index,)) for index, name in enumerate(value) for text in is_qualified_name(name, words)]
    if "orphan" in value and "foregroundDeletion" in value:
        out.append(fault(invalid(value, "finalizer orphan and foregroundDeletion cannot be both set")))
    text = "name is neither a standard finalizer name nor is it fully qualified"
    out.extend(fault(invalid(name, text), index) for index, name in enumerate(value) if "/" not in name and name not in STANDARD_FINALIZERS)
    return out


def annotations_of_pods(value: dict[str, str], scope: PodScope) -> Faults:
    """Annotations that the API knows."""
    out: list[Fault] = []
    if MIRROR in value and not scope.pod.get("nodeName"):
        out.append(fault(invalid(value[MIRROR], "must set spec.nodeName if mirror pod annotation is set"), Key(MIRROR)))
    if value.get(TOLERATIONS):
        out.extend(annotated_tolerations(value[TOLERATIONS], scope))
    if not is_32_bit(value.get(DELETION_COST, "0")):
        out.append(fault(invalid(value[DELETION_COST], "must be a 32bit integer"), Key(DELETION_COST)))
    for key, profile in value.items():
        if key == SECCOMP_OF_POD or key.startswith(SECCOMP_OF_CONTAINER):
            out.extend(under(seccomp_annotation(profile, scope), key))
    names = {container["name"] for _, container in containers_of(scope.pod)}
    for key, profile in value.items():
        if key.startswith(APP_ARMOR):
            name = key.removeprefix(APP_ARMOR)
            if name not in names:
                out.append(fault(invalid(name, "container not found"), Key(key)))
            if profile not in ("", RUNTIME_DEFAULT, UNCONFINED) and not profile.startswith(LOCALHOST):
                out.append(fault(invalid(profile, f"invalid AppArmor profile name: {quoted(profile)}"), Key(key)))
    return out


def is_32_bit(text: str) -> bool:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or (digits[0] == "0" and text != "0"):
        return False
    return len(digits) <= 10 and -MOST_OF_32_BITS - 1 <= int(text) <= MOST_OF_32_BITS


def annotated_tolerations(text: str, scope: PodScope) -> Faults:
    """Tolerations as JSON in an annotation, from the time before their field."""
    import json

    try:
        value = json.loads(text)
    except ValueError as problem:
        return (fault(invalid(TOLERATIONS, json_problem(text, getattr(problem, "pos", 0))), at=(TOLERATIONS,)),)
    if not isinstance(value, list):
        return (fault(invalid(TOLERATIONS, f"json: cannot unmarshal {json_kind(value)} into Go value of type []core.Toleration"), at=(TOLERATIONS,)),)
    # Go finds fields whatever the case of their names.
    items = [{name[:1].lower() + name[1:]: part for name, part in item.items()} for item in value if isinstance(item, dict)]
    return [found.under(TOLERATIONS).placed((TOLERATIONS,)) for found in tolerations(items, scope)]


def json_problem(text: str, position: int) -> str:
    if position >= len(text.rstrip()):
        return "unexpected end of JSON input"
    return f"invalid character {text[position]!r} looking for beginning of value"


def json_kind(value: Any) -> str:
    return {str: "string", bool: "bool", dict: "object"}.get(type(value), "number")


def seccomp_annotation(profile: str, scope: PodScope) -> Faults:
    if profile in (RUNTIME_DEFAULT, DOCKER_DEFAULT, UNCONFINED):
        return NONE
    if profile.startswith(LOCALHOST):
        return descending(profile.removeprefix(LOCALHOST), scope)
    return (fault(invalid(profile, "must be a valid seccomp profile")),)


# The annotation's value for the type of a profile.
TYPES = {"Unconfined": (UNCONFINED,), "RuntimeDefault": (RUNTIME_DEFAULT, DOCKER_DEFAULT)}


def profiles_match_annotations(pod: Tree, value: dict[str, str]) -> Iterator[Fault]:
    """A profile in a field and another one in the annotation of old."""
    of_pod = pod.get("securityContext") or {}
    yield from contradiction("seccomp", of_pod.get("seccompProfile"), value.get(SECCOMP_OF_POD), ("securityContext", "seccompProfile"))
    for path, container in containers_of(pod):
        context = container.get("securityContext") or {}
        annotation = value.get(SECCOMP_OF_CONTAINER + container["name"])
        yield from contradiction("seccomp", context.get("seccompProfile"), annotation, (*path, "securityContext", "seccompProfile"))
    if (pod.get("os") or {}).get("name") != "windows":
        for path, container in containers_of(pod):
            profile = (container.get("securityContext") or {}).get("appArmorProfile") or of_pod.get("appArmorProfile")
            annotation = value.get(APP_ARMOR + container["name"])
            yield from contradiction("apparmor", profile, annotation, (*path, "securityContext", "appArmorProfile"))


def contradiction(kind: str, profile: Tree | None, annotation: str | None, path: Path) -> Faults:
    if profile is None or annotation is None:
        return NONE
    of_type = profile["type"]
    accepted = TYPES.get(of_type, ())
    if of_type == "Localhost":
        if annotation.startswith(LOCALHOST):
            same = annotation.removeprefix(LOCALHOST) == profile.get("localhostProfile")
            return NONE if same else (fault(forbidden(f"{kind} profile in annotation and field must match"), *path, "localhostProfile"),)
    elif annotation in accepted[: 1 if kind == "apparmor" else 2] or not accepted:
        return NONE
    return (fault(forbidden(f"{kind} type in annotation and field must match"), *path, "type"),)
