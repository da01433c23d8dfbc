"""Files in volumes that Kubernetes writes: keys of ConfigMaps and Secrets, fields of the pod, tokens.

Source: validateKeyToPath, validateDownwardAPIVolumeFile and validateProjectionSources in pkg/apis/core/validation/validation.go. The sources
clusterTrustBundle and podCertificate are dropped by servers whose feature gates stand at their defaults, so that nothing is said of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.checks import all_of, fields, needs
from jobset_compiler.admission.children.env import FIELDS_OF_FILES, field_ref, resource_ref
from jobset_compiler.admission.children.faults import NONE, Fault, Faults, fault, forbidden, invalid, required, under
from jobset_compiler.admission.children.paths import file_mode, in_volume

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.admission.children.checks import PodScope, Tree

LEAST_SECONDS = 10 * 60
MOST_SECONDS = 2**32
KINDS = ("secret", "configMap", "downwardAPI", "serviceAccountToken")

key_to_path = all_of(needs("key", "path"), fields(("path", in_volume), ("mode", file_mode)))
FIELD = field_ref(FIELDS_OF_FILES)
RESOURCE = resource_ref(of_file=True)


def downward_file(file: Tree, scope: PodScope) -> list[Fault]:
    out = [*needs("path")(file, scope), *fields(("path", in_volume))(file, scope)]
    if file.get("fieldRef") is not None:
        out.extend(under(FIELD(file["fieldRef"], scope), "fieldRef"))
        if file.get("resourceFieldRef") is not None:
            out.append(fault(invalid("resource", "fieldRef and resourceFieldRef can not be specified simultaneously")))
    elif file.get("resourceFieldRef") is not None:
        out.extend(under(RESOURCE(file["resourceFieldRef"], scope), "resourceFieldRef"))
    else:
        out.append(fault(required("one of fieldRef and resourceFieldRef is required")))
    return [*out, *fields(("mode", file_mode))(file, scope)]


def downward_files(source: Tree, scope: PodScope) -> list[Fault]:
    """The API's paths have no `items` and no index."""
    return [found.placed(("items", index, *found.place)) for index, file in enumerate(source.get("items") or ()) for found in downward_file(file, scope)]


def downward_api(source: Tree, scope: PodScope) -> Faults:
    return [*fields(("defaultMode", file_mode))(source, scope), *downward_files(source, scope)]


def named_items(source: Tree, scope: PodScope) -> list[Fault]:
    """A Secret or a ConfigMap."""
    out = [*needs("name")(source, scope)]
    for index, item in enumerate(source.get("items") or ()):
        out.extend(under(key_to_path(item, scope), "items", index))
    return out


def token_seconds(token: Tree, scope: PodScope) -> list[Fault]:
    seconds = token.get("expirationSeconds")
    if seconds is None:
        return []
    out = []
    if seconds < LEAST_SECONDS:
        out.append(fault(invalid(seconds, "may not specify a duration less than 10 minutes"), "expirationSeconds"))
    if seconds > MOST_SECONDS:
        out.append(fault(invalid(seconds, "may not specify a duration larger than 2^32 seconds"), "expirationSeconds"))
    return out


CHECKS = {"secret": named_items, "configMap": named_items, "downwardAPI": downward_files, "serviceAccountToken": token_seconds}


def projected(source: Tree, scope: PodScope) -> Faults:
    """Several sources in one folder. Some of what is wrong with a source has the path of the volume."""
    out = [*fields(("defaultMode", file_mode))(source, scope)]
    taken: set[str] = set()
    for index, part in enumerate(source.get("sources") or ()):
        given = [kind for kind in KINDS if part.get(kind) is not None]
        for kind in given:
            out.extend(found.under("sources", index, kind) for found in CHECKS[kind](part[kind], scope))
            if kind == "serviceAccountToken":
                path = part[kind]["path"]
                at = ("sources", index, kind, "path")
                out.extend(found.placed(at, ("path",)) for found in (in_volume(path, scope) if path else (fault(required()),)))
        out.extend(taken_twice(part, index, taken))
        if len(given) > 1:
            out.append(fault(forbidden("may not specify more than 1 volume type per source"), "sources", index))
    return out or NONE


def taken_twice(part: Tree, index: int, taken: set[str]) -> Iterator[Fault]:
    """Files that two sources write. The API prints the name of the Secret or ConfigMap, and the path of others."""
    for kind in ("secret", "configMap", "downwardAPI"):
        source = part.get(kind) or {}
        for position, item in enumerate(source.get("items") or ()):
            path = item["path"]
            if path in taken:
                shown = path if kind == "downwardAPI" else source.get("name", "")
                yield fault(invalid(shown, "conflicting duplicate paths"), at=("sources", index, kind, "items", position, "path"))
            if path:
                taken.add(path)
