"""Metadata of every object the controller submits: name, namespace, and the owner reference to the TrainJob."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.trainjob import API_VERSION

if TYPE_CHECKING:
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
