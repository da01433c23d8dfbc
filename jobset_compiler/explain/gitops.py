"""What a cluster writes into a TrainJob that git does not have: the list for ignoreDifferences of Argo CD and the like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.schema import admit_document

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.profiles import Profile
    from jobset_compiler.source.document import Document

KUEUE_QUEUE = "kueue.x-k8s.io/queue-name"


def mutated_fields(document: Document, profile: Profile) -> tuple[Path, ...]:
    """Paths of a TrainJob or runtime document that the server fills in or changes, in order: defaults of the schema, the
    time of each runtime patch (#3319), and with a Kueue queue the fields that Kueue owns.
    """
    value: dict[str, Any] = document.value
    stored = admit_document(value, value["kind"], profile).value
    paths = list(_added(value.get("spec", {}), stored.get("spec", {}), ("spec",)))
    patches = stored.get("spec", {}).get("runtimePatches", ())
    paths += [("spec", "runtimePatches", index, "time") for index, patch in enumerate(patches) if "time" not in patch]
    labels = (value.get("metadata") or {}).get("labels") or {}
    if value["kind"] == "TrainJob" and KUEUE_QUEUE in labels:
        paths += [path for path in (("spec", "suspend"), ("spec", "managedBy"), ("spec", profile.override_field)) if path not in paths]
    return tuple(paths)


def _added(before: Any, after: Any, path: Path) -> list[Path]:
    """Where `after` has what `before` has not."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [found for key, item in after.items() for found in (_added(before[key], item, (*path, key)) if key in before else [(*path, key)])]
    if isinstance(before, list) and isinstance(after, list):
        return [found for index, pair in enumerate(zip(before, after, strict=False)) for found in _added(*pair, (*path, index))]
    return []
