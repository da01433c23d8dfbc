"""Objects as the `resource/name` lines of `kubectl -o name`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def to_names(objects: Iterable[Mapping[str, Any]]) -> str:
    """One line an object: its kind in lower case, its API group where it has one, and its name.

    `jobset.jobset.x-k8s.io/train`, `podgroup.scheduling.x-k8s.io/train`, `configmap/train-hosts`. As in kubectl, version and
    namespace are not part of it. Objects have `apiVersion`, `kind` and `metadata.name`; KeyError for one without.
    """
    return "".join([f"{_resource(item)}/{item['metadata']['name']}\n" for item in objects])


def _resource(item: Mapping[str, Any]) -> str:
    kind: str = item["kind"].lower()
    group, slash, _ = item["apiVersion"].partition("/")
    return f"{kind}.{group}" if slash else kind
