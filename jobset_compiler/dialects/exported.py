"""Objects that were exported from a cluster, for another API: what their server had added says nothing about the new object, and would be refused."""

from __future__ import annotations

from typing import Any

from jobset_compiler.dialects.tree import At, get, parts

# What kubectl writes into annotations about the object as it was.
OF_KUBECTL = "kubectl.kubernetes.io/last-applied-configuration"
_ADDED = ("uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink")


def members(value: Any) -> dict[str, Any]:
    """The members of an object, each carried, without what a server has added."""
    tree = parts(value, (), "status")
    given = get(value, "metadata")
    if isinstance(given, dict) and (any(key in given for key in _ADDED) or get(given, "annotations", OF_KUBECTL) is not None):
        tree["metadata"] = At(("metadata",), metadata(value))
    return tree


def metadata(value: Any) -> dict[str, Any]:
    """The members of its metadata, in the same way."""
    tree = parts(value, ("metadata",), *_ADDED)
    at = ("metadata", "annotations")
    if get(value, *at, OF_KUBECTL) is not None:
        annotations = parts(value, at, OF_KUBECTL)
        del tree["annotations"]
        if annotations:
            tree["annotations"] = At(at, annotations)
    return tree
