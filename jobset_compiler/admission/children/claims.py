"""Claims that a pod brings along: the template of an ephemeral volume.

Source: validateEphemeralVolumeSource, ValidatePersistentVolumeClaimTemplate and ValidatePersistentVolumeClaimSpec in
pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.checks import NOT_POSITIVE, all_of, fields, if_given, labels, needs, object_name, one_of
from jobset_compiler.admission.children.faults import NONE, Fault, Faults, fault, forbidden, invalid, invalid_printed, required, under, unsupported
from jobset_compiler.admission.children.metadata import annotation_keys
from jobset_compiler.admission.children.resources import rounded
from jobset_compiler.admission.children.selectors import label_selector
from jobset_compiler.diagnostics.place import Key
from jobset_compiler.kube.names import is_dns1123_label, is_dns1123_subdomain
from jobset_compiler.profiles.kubernetes import CLASS_OF_VOLUME_ATTRIBUTES

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import PodScope, Tree

ACCESS_MODES = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
ALONE = "ReadWriteOncePod"
CLAIM = "PersistentVolumeClaim"
# What a template may say of its claims' metadata.
ALLOWED_METADATA = ("annotations", "labels")


def access_modes(spec: Tree, scope: PodScope) -> Faults:
    return NONE if spec.get("accessModes") else (fault(required("at least 1 access mode is required"), "accessModes"),)


def supported_modes(spec: Tree, scope: PodScope) -> Faults:
    modes = spec.get("accessModes") or ()
    out = [fault(unsupported(mode, ACCESS_MODES), "accessModes", at=("accessModes", index)) for index, mode in enumerate(modes) if mode not in ACCESS_MODES]
    if ALONE in modes and any(mode in ACCESS_MODES and mode != ALONE for mode in modes):
        out.append(fault(forbidden("may not use ReadWriteOncePod with other access modes"), "accessModes"))
    return out


def storage(spec: Tree, scope: PodScope) -> Faults:
    """The API's path has a key and no `requests`."""
    path, at = ("resources", Key("storage")), ("resources", "requests", "storage")
    text = ((spec.get("resources") or {}).get("requests") or {}).get("storage")
    if text is None:
        return (fault(required(), *path, at=at),)
    quantity = rounded(text)
    return NONE if quantity.sign > 0 else (fault(invalid(quantity.text, NOT_POSITIVE), *path, at=at),)


def class_of_attributes(name: str, scope: PodScope) -> Faults:
    return object_name(name, scope) if scope.kubernetes.has(CLASS_OF_VOLUME_ATTRIBUTES) else NONE


def data_source(source: Tree, scope: PodScope) -> Faults:
    out = [*needs("name", "kind")(source, scope)]
    group, kind = source.get("apiGroup"), source["kind"]
    if not group and kind != CLAIM:
        out.append(fault(invalid(kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")))
    if group:
        out.extend(fault(invalid(group, text), "apiGroup") for text in is_dns1123_subdomain(group))
    namespace = source.get("namespace")
    if namespace:
        out.extend(fault(invalid(namespace, text), "namespace") for text in is_dns1123_label(namespace))
    return out


def both_data_sources(spec: Tree, scope: PodScope) -> Faults:
    old, new = spec.get("dataSource"), spec.get("dataSourceRef")
    if old is None or new is None:
        return NONE
    # The server prints a path of its own type there, which has no field that JSON shows.
    if new.get("namespace"):
        return (fault(invalid_printed("{}", "may not be specified when dataSourceRef.namespace is specified"), at=("dataSource",)),)
    if all(old.get(field) == new.get(field) for field in ("apiGroup", "kind", "name")):
        return NONE
    return (fault(invalid_printed("{}", "must match dataSourceRef"), at=("dataSource",)),)


def allowed_metadata(metadata: Tree, scope: PodScope) -> Faults:
    return [fault(forbidden("cannot be set"), field) for field in metadata if field not in ALLOWED_METADATA and metadata[field]]


claim_spec = all_of(
    access_modes,
    fields(("selector", label_selector)),
    supported_modes,
    storage,
    fields(
        ("storageClassName", if_given(object_name)),
        ("volumeMode", one_of("Block", "Filesystem")),
        ("dataSource", data_source),
        ("dataSourceRef", data_source),
    ),
    both_data_sources,
    fields(("volumeAttributesClassName", if_given(class_of_attributes))),
)
claim_metadata = all_of(fields(("annotations", annotation_keys), ("labels", labels)), allowed_metadata)


def ephemeral(source: Tree, scope: PodScope) -> Faults:
    template = source.get("volumeClaimTemplate")
    if template is None:
        return (fault(required(), "volumeClaimTemplate"),)
    out: list[Fault] = under(claim_metadata(template.get("metadata") or {}, scope), "metadata")
    out += under(claim_spec(template.get("spec") or {}, scope), "spec")
    return under(out, "volumeClaimTemplate")
