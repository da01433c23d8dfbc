"""Volumes: one source each, and what every source needs.

Source: ValidateVolumes, validateVolumeSource and the functions behind it in pkg/apis/core/validation/validation.go, after SetDefaults_Volume: a
volume without a source is an emptyDir.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jobset_compiler.admission.children.checks import all_of, elsewhere, every, fields, name_texts, needs, one_of
from jobset_compiler.admission.children.faults import (
    NONE,
    Fault,
    Faults,
    duplicate,
    fault,
    forbidden,
    required,
    under,
)
from jobset_compiler.admission.children.paths import file_mode, no_way_up
from jobset_compiler.kube.quantity import Quantity
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import Check, PodScope, Tree

HOST_PATH_TYPES = ("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket")

items = ("items", every(elsewhere("projections", "key_to_path")))


def empty_dir(source: Tree, scope: PodScope) -> Faults:
    limit = source.get("sizeLimit")
    if limit is None or Quantity.parse(str(limit)).sign >= 0:
        return NONE
    return (fault(forbidden("SizeLimit field must be a valid resource quantity"), "sizeLimit"),)


def host_path(source: Tree, scope: PodScope) -> Faults:
    if not source.get("path"):
        return (fault(required(), "path"),)
    return fields(("path", no_way_up), ("type", one_of(*HOST_PATH_TYPES)))(source, scope)


class VolumeSource(Value):
    """A kind of volume: its field, what it needs, and how the server calls the field in the faults of the source, and where it is one source too many."""

    __slots__ = ("called", "called_when_second", "check", "field")

    def __init__(self, field: str, check: Check, called: str = "", called_when_second: str = "") -> None:
        self.field: Final = field
        self.check: Final = check
        self.called: Final = called
        self.called_when_second: Final = called_when_second


SOURCES = (
    VolumeSource("emptyDir", empty_dir),
    VolumeSource("hostPath", host_path),
    VolumeSource("gitRepo", elsewhere("storage", "git_repo")),
    VolumeSource("gcePersistentDisk", elsewhere("storage", "persistent_disk"), "persistentDisk"),
    VolumeSource("awsElasticBlockStore", elsewhere("storage", "block_store")),
    VolumeSource("secret", all_of(needs("secretName"), fields(("defaultMode", file_mode), items))),
    VolumeSource("nfs", elsewhere("storage", "nfs")),
    VolumeSource("iscsi", elsewhere("storage", "iscsi")),
    VolumeSource("glusterfs", needs("endpoints", "path")),
    VolumeSource("flocker", elsewhere("storage", "flocker")),
    VolumeSource("persistentVolumeClaim", needs("claimName")),
    VolumeSource("rbd", needs("monitors", "image")),
    VolumeSource("cinder", elsewhere("storage", "cinder")),
    VolumeSource("cephfs", needs("monitors"), called_when_second="cephFS"),
    VolumeSource("quobyte", elsewhere("storage", "quobyte")),
    VolumeSource("downwardAPI", elsewhere("projections", "downward_api"), called_when_second="downwarAPI"),
    VolumeSource("fc", elsewhere("storage", "fibre_channel")),
    VolumeSource("flexVolume", elsewhere("storage", "flex_volume")),
    VolumeSource("configMap", all_of(needs("name"), fields(("defaultMode", file_mode), items))),
    VolumeSource("azureFile", needs("secretName", "shareName")),
    VolumeSource("vsphereVolume", needs("volumePath")),
    VolumeSource("photonPersistentDisk", needs("pdID")),
    VolumeSource("portworxVolume", needs("volumeID")),
    VolumeSource("azureDisk", elsewhere("storage", "azure_disk")),
    VolumeSource("storageos", elsewhere("storage", "storageos")),
    VolumeSource("projected", elsewhere("projections", "projected")),
    VolumeSource("scaleIO", needs("gateway", "system", "volumeName")),
    VolumeSource("csi", elsewhere("storage", "csi")),
    VolumeSource("ephemeral", elsewhere("claims", "ephemeral")),
    VolumeSource("image", elsewhere("storage", "image")),
)
BY_FIELD = {source.field: source for source in SOURCES}


def volumes(value: list[Tree], scope: PodScope) -> tuple[Faults, dict[str, Tree]]:
    """The faults of a pod's volumes; and those without any by their names, which alone can be mounted."""
    out: Faults = NONE
    good: dict[str, Tree] = {}
    for index, volume in enumerate(value):
        name = volume["name"]
        found = [*source_faults(volume, scope), *(fault(text, "name") for text in name_texts(name))]
        if name in good:
            found.append(fault(duplicate(name), "name"))
        if found:
            out = [*out, *under(found, index)]
        else:
            good[name] = volume
    return out, good


def source_faults(volume: Tree, scope: PodScope) -> Faults:
    """The first source, in the API's order, is looked at; others are too many."""
    given = [BY_FIELD[field] for field in volume if field in BY_FIELD]
    if not given:
        return NONE
    first, *others = sorted(given, key=SOURCES.index) if len(given) > 1 else given
    found = first.check(volume[first.field], scope)
    out = called(found, first) if found else NONE
    if first.field == "iscsi":
        from jobset_compiler.admission.children.storage import name_beside_portal

        out = [*out, *name_beside_portal(volume)]
    text = forbidden("may not specify more than 1 volume type")
    return [*out, *(fault(text, other.called_when_second or other.field, at=(other.field,)) for other in others)]


def called(faults: Faults, source: VolumeSource) -> list[Fault]:
    if not source.called:
        return under(faults, source.field)
    return [Fault((source.called, *found.path), found.text, (source.field, *found.place), found.hint) for found in faults]
