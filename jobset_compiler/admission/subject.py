"""What a diagnostic calls the object that it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import CLUSTER_KIND
from jobset_compiler.api.trainjob import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from jobset_compiler.source.document import Document


def subject_of(document: Document) -> tuple[str, str, str]:
    """(kind, namespace, name) for messages, as far as the document has them."""
    value = document.value if isinstance(document.value, dict) else {}
    meta = value.get("metadata")
    meta = meta if isinstance(meta, dict) else {}
    kind = str(value.get("kind", ""))
    namespace = "" if kind == CLUSTER_KIND else str(meta.get("namespace") or DEFAULT_NAMESPACE)
    return kind, namespace, str(meta.get("name", ""))
