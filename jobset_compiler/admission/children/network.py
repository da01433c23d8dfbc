"""Names and addresses of a pod: DNS, the hosts file, what it shares with its node.

Source: validatePodDNSConfig, ValidateHostAliases, validatePodHostName and validateHostUsers in pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.checks import containers_of, object_name
from jobset_compiler.admission.children.faults import NONE, Fault, Faults, fault, forbidden, invalid, required, too_long, under
from jobset_compiler.kube.addresses import address_problems
from jobset_compiler.kube.names import is_dns1123_subdomain, is_dns1123_subdomain_with_underscore
from jobset_compiler.profiles.kubernetes import DEVICES_NEED_HOST_USERS, RELAXED_DNS_SEARCHES, STRICT_ADDRESSES, WORDS_SAY_HOST_USERS

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import PodScope, Tree

MOST_NAMESERVERS = 3
MOST_SEARCHES = 32
MOST_SEARCH_CHARACTERS = 2048
LONGEST_HOST_NAME = 64


def address(value: str, scope: PodScope) -> Faults:
    return [fault(invalid(value, text)) for text in address_problems(value, strict=scope.kubernetes.has(STRICT_ADDRESSES))]


def dns_config(pod: Tree, scope: PodScope) -> Faults:
    config = pod.get("dnsConfig")
    if pod.get("dnsPolicy") == "None":
        if config is None:
            return (fault(required("must provide `dnsConfig` when `dnsPolicy` is None"), "dnsConfig", at=("dnsPolicy",)),)
        if not config.get("nameservers"):
            return (fault(required("must provide at least one DNS nameserver when `dnsPolicy` is None"), "dnsConfig", "nameservers"),)
    return under(config_faults(config, scope), "dnsConfig") if config else NONE


def config_faults(config: Tree, scope: PodScope) -> list[Fault]:
    servers, searches = config.get("nameservers") or [], config.get("searches") or []
    out: list[Fault] = []
    if len(servers) > MOST_NAMESERVERS:
        out.append(fault(invalid(servers, f"must not have more than {MOST_NAMESERVERS} nameservers"), "nameservers"))
    for index, server in enumerate(servers):
        out.extend(under(address(server, scope), "nameservers", index))
    if len(searches) > MOST_SEARCHES:
        out.append(fault(invalid(searches, f"must not have more than {MOST_SEARCHES} search paths"), "searches"))
    if len(" ".join(searches).encode()) > MOST_SEARCH_CHARACTERS:
        text = f"must not have more than {MOST_SEARCH_CHARACTERS} characters (including spaces) in the search list"
        out.append(fault(invalid(searches, text), "searches"))
    for index, search in enumerate(searches):
        out.extend(under(search_domain(search, scope), "searches", index))
    text = required("must not be empty")
    return [*out, *(fault(text, "options", index) for index, option in enumerate(config.get("options") or ()) if not option.get("name"))]


def search_domain(value: str, scope: PodScope) -> Faults:
    is_relaxed = scope.kubernetes.has(RELAXED_DNS_SEARCHES)
    if is_relaxed and value == ".":
        return NONE
    domain = value.removesuffix(".")
    validate = is_dns1123_subdomain_with_underscore if is_relaxed else is_dns1123_subdomain
    return [fault(invalid(domain, text)) for text in validate(domain)]


def host_alias(alias: Tree, scope: PodScope) -> Faults:
    out = under(address(alias["ip"], scope), "ip")
    for index, name in enumerate(alias.get("hostnames") or ()):
        out.extend(under(object_name(name, scope), "hostnames", index))
    return out


def user_namespace(pod: Tree, scope: PodScope) -> Faults:
    """hostUsers: false. The API writes HostPID and HostIPC as Go does."""
    if pod.get("hostUsers") is not False:
        return NONE
    text = forbidden("when `hostUsers` is false" if scope.kubernetes.has(WORDS_SAY_HOST_USERS) else "when `pod.Spec.HostUsers` is false")
    shared = (("hostNetwork", "hostNetwork"), ("hostPID", "HostPID"), ("hostIPC", "HostIPC"))
    out = [fault(text, called, at=(field,)) for field, called in shared if pod.get(field)]
    if scope.kubernetes.has(DEVICES_NEED_HOST_USERS):
        out.extend(fault(text, *path, "volumeDevices") for path, container in containers_of(pod) if container.get("volumeDevices"))
    return out


def host_name_override(pod: Tree, scope: PodScope) -> Faults:
    name = pod["hostnameOverride"]
    texts = [forbidden(f"may not be specified when {field} is true") for field in ("setHostnameAsFQDN", "hostNetwork") if pod.get(field)]
    if len(name.encode()) > LONGEST_HOST_NAME:
        texts.append(too_long(LONGEST_HOST_NAME))
    texts.extend(invalid(name, text) for text in is_dns1123_subdomain(name))
    return [fault(text, "hostnameOverride") for text in texts]
