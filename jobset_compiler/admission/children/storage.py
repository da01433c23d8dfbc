"""Volumes of networks, clouds and drivers: what their sources need.

Source: validateVolumeSource and the functions behind it in pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jobset_compiler.admission.children.checks import all_of, between, fields, if_given, label_name_of_pod, needs, one_of
from jobset_compiler.admission.children.faults import NONE, Fault, Faults, fault, invalid, required, too_long, under, unsupported_text
from jobset_compiler.admission.children.paths import descending
from jobset_compiler.diagnostics.place import Key
from jobset_compiler.kube.names import is_dns1123_subdomain, lowered
from jobset_compiler.profiles.kubernetes import WORDS_ONE_FOR_NO_DRIVER

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import PodScope, Tree

HOST_AND_PORT = "must be a host:port pair or multiple pairs separated by commas"
NOT_AN_IQN = "must be valid format starting with iqn, eui, or naa"
IQN = {
    "iqn": re.compile(r"iqn\.\d{4}-\d{2}\.([a-zA-Z0-9\-.]+)(:[^,;*&$|\s]+)\Z", re.ASCII),
    "eui": re.compile(r"\Aeui.[a-zA-Z0-9]{16}\Z"),
    "naa": re.compile(r"\Anaa.[a-zA-Z0-9]{32}\Z"),
}
INITIATOR_TOO_LONG = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified."
MANAGED_DISK = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
BLOB_DISK = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"
RESERVED_DOMAINS = (".kubernetes.io", ".k8s.io")
LONGEST_DRIVER = 63

lun = between(0, 255)
partition = between(0, 255, said_low=1)
secret_ref = fields(("secretRef", needs("name")))


def nfs_path(source: Tree, scope: PodScope) -> Faults:
    path: str = source["path"]
    return NONE if path.startswith("/") else (fault(invalid(path, "must be an absolute path"), "path"),)


def iqn_faults(name: str) -> list[str]:
    pattern = IQN.get(name[:3])
    if pattern is None:
        return [invalid(name, NOT_AN_IQN)]
    return [] if pattern.search(name) else [invalid(name, "must be valid format")]


def iscsi(source: Tree, scope: PodScope) -> Faults:
    out = [*needs("targetPortal")(source, scope)]
    name, initiator = source["iqn"], source.get("initiatorName")
    out.extend(fault(text, "iqn") for text in (iqn_faults(name) if name else [required()]))
    out.extend(found.under("lun") for found in lun(source["lun"], scope))
    if (source.get("chapAuthDiscovery") or source.get("chapAuthSession")) and source.get("secretRef") is None:
        out.append(fault(required(), "secretRef"))
    if initiator is not None:
        out.extend(fault(text, "initiatorname", at=("initiatorName",)) for text in iqn_faults(initiator))
    return out


def fibre_channel(source: Tree, scope: PodScope) -> Faults:
    names, ids, unit = source.get("targetWWNs"), source.get("wwids"), source.get("lun")
    if not names:
        return NONE if ids else (fault(required("must specify either targetWWNs or wwids, but not both"), "targetWWNs"),)
    out: list[Fault] = []
    if ids:
        out.append(fault(invalid(names, "targetWWNs and wwids can not be specified simultaneously"), "targetWWNs"))
    if unit is None:
        out.append(fault(required("lun is required if targetWWNs is specified"), "lun"))
        return out
    return [*out, *under(lun(unit, scope), "lun")]


def quobyte(source: Tree, scope: PodScope) -> Faults:
    registry, out = source["registry"], NONE
    if not registry:
        out = (fault(required(HOST_AND_PORT), "registry"),)
    elif len(source.get("tenant", "").encode()) > 64:
        out = (fault(required("must be a UUID and may not exceed a length of 64 characters"), "tenant"),)
    else:
        out = tuple(fault(invalid(registry, HOST_AND_PORT), "registry") for pair in registry.split(",") if not is_host_and_port(pair))
    return [*out, *needs("volume")(source, scope)]


def is_host_and_port(text: str) -> bool:
    """`host:port` or `[host]:port`, as Go's net.SplitHostPort takes them."""
    host, colon, port = text.rpartition(":")
    if host.startswith("["):
        host, closed, rest = host[1:].partition("]")
        return bool(colon and closed and not rest) and not set("[]") & set(host + port)
    return bool(colon) and ":" not in host and not set("[]") & set(host + port)


def flocker(source: Tree, scope: PodScope) -> Faults:
    name, identity = source.get("datasetName", ""), source.get("datasetUUID", "")
    out: list[Fault] = []
    if not name and not identity:
        out.append(fault(required("one of datasetName and datasetUUID is required")))
    if name and identity:
        out.append(fault(invalid("resource", "datasetName and datasetUUID can not be specified simultaneously")))
    if "/" in name:
        out.append(fault(invalid(name, "must not contain '/'"), "datasetName"))
    return out


def flex_options(source: Tree, scope: PodScope) -> Faults:
    return [
        fault(invalid(key, "kubernetes.io and k8s.io namespaces are reserved"), "options", Key(key))
        for key in source.get("options") or ()
        if f".{key.partition('/')[0].lower()}".endswith(RESERVED_DOMAINS)
    ]


def azure_uri(source: Tree, scope: PodScope) -> Faults:
    """A disk whose kind is not written is a shared blob."""
    kind, uri = source.get("kind", "Shared"), source["diskURI"]
    start, form = ("/subscriptions/", MANAGED_DISK) if kind == "Managed" else ("https://", BLOB_DISK)
    return NONE if uri.startswith(start) else (fault(unsupported_text(uri, (form,)), "diskURI"),)


def csi_driver(source: Tree, scope: PodScope) -> Faults:
    name = source["driver"]
    out: list[Fault] = []
    if not name:
        out.append(fault(required(), "driver"))
        if scope.kubernetes.has(WORDS_ONE_FOR_NO_DRIVER):
            return out
    if len(name.encode()) > LONGEST_DRIVER:
        out.append(fault(too_long(LONGEST_DRIVER), "driver"))
    return [*out, *(fault(invalid(name, text), "driver") for text in is_dns1123_subdomain(lowered(name)))]


def csi_secret(source: Tree, scope: PodScope) -> Faults:
    reference = source.get("nodePublishSecretRef")
    if reference is None:
        return NONE
    name, at = reference.get("name", ""), ("nodePublishSecretRef", "name")
    if not name:
        return (fault(required(), *at),)
    return [fault(invalid(name, text), "name", at=at) for text in is_dns1123_subdomain(name)]


def image(source: Tree, scope: PodScope) -> Faults:
    """A template may leave the reference open, a Pod may not."""
    out = needs("reference")(source, scope) if scope.is_pod else NONE
    return [*out, *fields(("pullPolicy", if_given(one_of("Always", "IfNotPresent", "Never"))))(source, scope)]


def name_beside_portal(volume: Tree) -> Faults:
    source, name = volume["iscsi"], volume["name"]
    if source.get("initiatorName") is None or len(f"{name}:{source['targetPortal']}".encode()) <= 64:
        return NONE
    return (fault(invalid(name, INITIATOR_TOO_LONG), "name"),)


git_repo = all_of(needs("repository"), fields(("directory", descending)))
persistent_disk = all_of(needs("pdName"), fields(("partition", partition)))
block_store = all_of(needs("volumeID"), fields(("partition", partition)))
nfs = all_of(needs("server", "path"), nfs_path)
cinder = all_of(needs("volumeID"), secret_ref)
flex_volume = all_of(needs("driver"), flex_options)
azure_disk = all_of(
    needs("diskName", "diskURI"),
    fields(("cachingMode", one_of("None", "ReadOnly", "ReadWrite")), ("kind", one_of("Dedicated", "Managed", "Shared"))),
    azure_uri,
)
storageos = all_of(
    needs("volumeName"),
    fields(("volumeName", if_given(label_name_of_pod)), ("volumeNamespace", if_given(label_name_of_pod))),
    secret_ref,
)
csi = all_of(csi_driver, csi_secret)
