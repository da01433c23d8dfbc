"""The ConfigMap in which the controller keeps the runtime of a TrainJob, from 2.3 on.

It is written when the TrainJob is first reconciled, before anything is built, and everything is built from it ever after; so it is there also
where the JobSet is refused. One that belongs to another TrainJob, such as an earlier one of the same name, stops the controller.
Source: #3580; a live control plane.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.trainjob import API_VERSION
from jobset_compiler.objects.owner import owned
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan

KEY = "runtime"
# What a user writes of the metadata of a runtime; the rest is a cluster's.
KNOWN_METADATA = ("annotations", "labels", "name", "namespace")


def is_kept(profile: Profile) -> bool:
    """Whether the controller of that release keeps the runtime."""
    return profile.has(features.RUNTIME_SNAPSHOT)


def name_of(trainjob: str) -> str:
    return f"{trainjob}-runtime-snapshot"


def build(plan: Plan) -> dict[str, Any]:
    """As far as it can be known: a cluster's has its own metadata of the runtime as well (UID, managedFields and so on)."""
    from jobset_compiler.emit.yaml import Emitter

    kept = Emitter().document(_sorted(_as_stored(plan.runtime)))
    manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name_of(plan.job.name)}, "data": {KEY: kept}}
    return owned(plan, manifest)


def _as_stored(runtime: Runtime) -> dict[str, Any]:
    given = runtime.typed.get("metadata", {})
    metadata = {key: given[key] for key in KNOWN_METADATA if key in given}
    if runtime.namespace:
        metadata["namespace"] = runtime.namespace
    return {"apiVersion": API_VERSION, "kind": runtime.kind, "metadata": metadata, "spec": runtime.typed.get("spec", {})}


def _sorted(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: _sorted(tree[key]) for key in sorted(tree)}
    return [_sorted(item) for item in tree] if isinstance(tree, list) else tree
