"""Metadata of every object the controller submits: name, namespace, and the owner reference to the TrainJob."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.trainjob import API_VERSION
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.resolve.plan import Plan


def metadata(plan: Plan, name: str, labels: dict[str, str] | None = None, annotations: dict[str, str] | None = None) -> dict[str, Any]:
    """Without a UID there is no owner reference: an empty one is refused by any server."""
    out: dict[str, Any] = {"name": name, "namespace": plan.job.namespace}
    if labels:
        out["labels"] = labels
    if annotations:
        out["annotations"] = annotations
    uid = plan.job.uid or plan.facts.uid
    if uid:
        out["ownerReferences"] = [
            {
                "apiVersion": API_VERSION,
                "kind": "TrainJob",
                "name": plan.job.name,
                "uid": uid,
                "controller": True,
                "blockOwnerDeletion": True,
            }
        ]
    return out


def owned(plan: Plan, manifest: dict[str, Any]) -> dict[str, Any]:
    """An object that a pass added, in the TrainJob's namespace and owned by it, as far as the manifest does not say otherwise."""
    given = manifest["metadata"]
    meta = {**metadata(plan, given["name"]), **given}
    if meta["namespace"] != plan.job.namespace and "ownerReferences" not in given:
        meta.pop("ownerReferences", None)  # an owner in another namespace is none, and the object would be deleted
    return {**manifest, "metadata": meta}


def owner_unknown(plan: Plan) -> Iterator[Diagnostic]:
    """What there is to say where the owner references were left out."""
    if not plan.job.uid and not plan.facts.uid:
        yield Diagnostic(
            codes.resolve.EMPTY_UID,
            "no UID is known, so the objects carry no owner references",
            document=plan.job.document,
            at=("metadata",),
            stage="objects",
            subject=("TrainJob", plan.job.namespace, plan.job.name),
        )
