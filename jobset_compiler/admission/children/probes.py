"""Probes, and the hooks of a container's life.

Source: validateProbe, validateHandler, validateLifecycle and their neighbours in pkg/apis/core/validation/validation.go, after
SetDefaults_Probe and SetDefaults_HTTPGetAction: numbers that are 0, an empty path and an empty scheme have their defaults by then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.children.checks import all_of, fields, if_given, needs, not_negative, one_of, port_number
from jobset_compiler.admission.children.faults import NONE, Fault, Faults, fault, forbidden, invalid, required
from jobset_compiler.kube.names import is_valid_port_name
from jobset_compiler.profiles.kubernetes import SLEEP_OF_ZERO

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import Check, PodScope, Tree

    Handlers = tuple[tuple[str, Check], ...]

HEADER_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
ZERO_GATED = "Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep."
NO_HEADER = "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')"


def port(value: Any, scope: PodScope) -> Faults:
    """A number, or the name of a port of the container."""
    if isinstance(value, str):
        return [Fault((), invalid(value, text)) for text in is_valid_port_name(value)]
    return port_number(value, scope)


def port_of(action: Tree, scope: PodScope) -> Faults:
    return [found.under("port") for found in port(action["port"], scope)]


def header_names(headers: list[Tree], scope: PodScope) -> Faults:
    """The API's path is that of the list."""
    return [
        fault(invalid(name, NO_HEADER), at=(index, "name"))
        for index, header in enumerate(headers)
        for name in (header["name"],)
        if not name or not HEADER_CHARACTERS.issuperset(name)
    ]


def sleep(action: Tree, scope: PodScope) -> Faults:
    """No longer than the pod has to end."""
    seconds, most = action["seconds"], scope.grace_period
    if scope.kubernetes.has(SLEEP_OF_ZERO):
        if 0 <= seconds <= most:
            return NONE
        return (fault(invalid(seconds, f"must be non-negative and less than terminationGracePeriodSeconds ({most})")),)
    if 0 < seconds <= most:
        return NONE
    text = f"must be greater than 0 and less than terminationGracePeriodSeconds ({most}). {ZERO_GATED}"
    return (fault(invalid(seconds, text)),)


EXEC = ("exec", needs("command"))
HTTP_GET = ("httpGet", all_of(port_of, fields(("scheme", if_given(one_of("HTTP", "HTTPS"))), ("httpHeaders", header_names))))
TCP_SOCKET = ("tcpSocket", port_of)
HANDLERS_OF_PROBES: tuple[tuple[str, Check], ...] = (EXEC, HTTP_GET, TCP_SOCKET, ("grpc", port_of))
HANDLERS_OF_HOOKS: Handlers = (EXEC, HTTP_GET, TCP_SOCKET, ("sleep", sleep))


def handler(kinds: Handlers) -> Check:
    """Exactly one of some kinds; only the first is looked at."""

    def check(value: Tree, scope: PodScope) -> Faults:
        given = [(name, check_one) for name, check_one in kinds if name in value]
        if not given:
            return (fault(required("must specify a handler type")),)
        (name, check_one), *others = given
        out = [found.under(name) for found in check_one(value[name], scope)]
        return [*out, *(fault(forbidden("may not specify more than 1 handler type"), other) for other, _ in others)]

    return check


def kills_after_some_time(value: int, scope: PodScope) -> Faults:
    return NONE if value > 0 else (fault(invalid(value, "must be greater than 0")),)


def killed_elsewhere(value: int, scope: PodScope) -> Faults:
    return (fault(invalid(value, "must not be set for readinessProbes")),)


def succeeds_once(value: int, scope: PodScope) -> Faults:
    return NONE if value in (0, 1) else (fault(invalid(value, "must be 1")),)


probe = all_of(
    handler(HANDLERS_OF_PROBES),
    fields(
        ("initialDelaySeconds", not_negative),
        ("timeoutSeconds", not_negative),
        ("periodSeconds", not_negative),
        ("successThreshold", not_negative),
        ("failureThreshold", not_negative),
        ("terminationGracePeriodSeconds", kills_after_some_time),
    ),
)
probe_that_kills = all_of(probe, fields(("successThreshold", succeeds_once)))
readiness_probe = all_of(probe, fields(("terminationGracePeriodSeconds", killed_elsewhere)))

hook = handler(HANDLERS_OF_HOOKS)
lifecycle = fields(("postStart", hook), ("preStop", hook))
