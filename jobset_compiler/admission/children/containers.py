"""Containers, those that run first among them: the table of their fields, in the API's order, and their names.

Source: validateContainerCommon, validateContainers and validateInitContainers in pkg/apis/core/validation/validation.go, after
SetDefaults_Container.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.checks import ALWAYS, elsewhere, fields, if_given, name_texts, one_of, whole
from jobset_compiler.admission.children.env import variables, variables_of
from jobset_compiler.admission.children.faults import NONE, Faults, duplicate, fault, forbidden, invalid_of_type, required, under
from jobset_compiler.admission.children.ports import host_ports_taken_twice, ports
from jobset_compiler.admission.children.resources import container_resources
from jobset_compiler.profiles.kubernetes import NO_RESTART_TO_RESIZE_INIT

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import Check, PodScope, Rows, Tree, Whole

IMAGE_HINT = "give the container an image, in the runtime or (container node) in spec.trainer.image"
PULL_POLICIES = ("Always", "IfNotPresent", "Never")
MESSAGE_POLICIES = ("File", "FallbackToLogsOnError")
RESTARTS = ("restartPolicy", "restartPolicyRules")
PROBES: tuple[tuple[str, Check], ...] = (
    ("lifecycle", elsewhere("probes", "lifecycle")),
    ("livenessProbe", elsewhere("probes", "probe_that_kills")),
    ("readinessProbe", elsewhere("probes", "readiness_probe")),
    ("startupProbe", elsewhere("probes", "probe_that_kills")),
)
NOT_IN_INIT_CONTAINERS = forbidden("may not be set for init containers without restartPolicy=Always")


def name_and_image(container: Tree, scope: PodScope) -> Faults:
    texts = name_texts(container["name"])
    out: Faults = [fault(text, "name") for text in texts] if texts else NONE
    return out if container.get("image") else [*out, fault(required(), "image", hint=IMAGE_HINT)]


def under_field(field: str, check_container: Check) -> Whole:
    """A check of a field that looks at the rest of the container as well; its paths begin at the field."""

    def check(container: Tree, scope: PodScope) -> Faults:
        found = check_container(container, scope)
        return under(found, field) if found else NONE

    return whole(check, field)


def of_sidecars(field: str, check_value: Check) -> Whole:
    """Probes and hooks, which other init containers do not have."""

    def check(container: Tree, scope: PodScope) -> Faults:
        if container.get("restartPolicy") == ALWAYS:
            return under(check_value(container[field], scope), field)
        return (fault(NOT_IN_INIT_CONTAINERS, field),)

    return whole(check, field)


COMMON: Rows = (
    ("terminationMessagePolicy", if_given(one_of(*MESSAGE_POLICIES))),
    ("ports", ports),
    ("env", variables),
    ("envFrom", variables_of),
    under_field("volumeMounts", elsewhere("mounts", "volume_mounts")),
    under_field("volumeDevices", elsewhere("mounts", "volume_devices")),
    ("imagePullPolicy", if_given(one_of(*PULL_POLICIES))),
    ("resources", container_resources),
    ("resizePolicy", elsewhere("resources", "resize_policy")),
    ("securityContext", elsewhere("security", "container_security")),
)
restarts = fields(whole(elsewhere("restarts", "restarts_of_container"), *RESTARTS))
restarts_of_init = fields(whole(elsewhere("restarts", "restarts_of_init_container"), *RESTARTS))
container_fields = fields(*COMMON, *PROBES)
init_container_fields = fields(*COMMON, *(of_sidecars(*row) for row in PROBES))


def containers(value: list[Tree], scope: PodScope) -> Faults:
    out: Faults = NONE
    names: set[str] = set()
    for index, container in enumerate(value):
        found = (
            *name_and_image(container, scope),
            *container_fields(container, scope),
            *repeated_name(container, names),
            *restarts(container, scope),
        )
        if found:
            out = [*out, *under(found, index)]
        names.add(container["name"])
    return [*out, *host_ports_taken_twice(value)]


def init_containers(value: list[Tree], scope: PodScope) -> Faults:
    out: Faults = NONE
    names = {container["name"] for container in scope.pod.get("containers") or ()}
    for index, container in enumerate(value):
        found = (
            *name_and_image(container, scope),
            *restarts_of_init(container, scope),
            *repeated_name(container, names),
            *init_container_fields(container, scope),
            *restarts_to_resize(container, scope),
        )
        if found:
            out = [*out, *under(found, index)]
        # The API counts the container as the only one of its list.
        out = [*out, *(each.placed((index, *each.path[1:])) for each in host_ports_taken_twice([container]))]
        names.add(container["name"])
    return out


def repeated_name(container: Tree, names: set[str]) -> Faults:
    name = container["name"]
    return (fault(duplicate(name), "name"),) if name in names else NONE


def restarts_to_resize(container: Tree, scope: PodScope) -> Faults:
    if "resizePolicy" not in container or container.get("restartPolicy") == ALWAYS or not scope.kubernetes.has(NO_RESTART_TO_RESIZE_INIT):
        return NONE
    text = invalid_of_type("RestartContainer", "must not be set to 'RestartContainer' for non-sidecar initContainers")
    return [
        fault(text, "resizePolicy", index, "restartPolicy")
        for index, policy in enumerate(container["resizePolicy"])
        if policy.get("restartPolicy") == "RestartContainer"
    ]
