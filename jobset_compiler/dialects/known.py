"""Which documents are of an older API that has rules here. Looked at for every document, so that it imports next to nothing."""

from __future__ import annotations

V1_KINDS = frozenset(("PyTorchJob", "TFJob", "MPIJob", "XGBoostJob", "JAXJob", "PaddleJob"))
V1_GROUP = "kubeflow.org/"
# Words one of which stands in any text with such a document.
WORDS = tuple(sorted(V1_KINDS))


def is_known(value: object) -> bool:
    """Whether an object is of an older API, convertible or not."""
    if not isinstance(value, dict):
        return False
    kind, version = value.get("kind"), value.get("apiVersion")
    return isinstance(version, str) and isinstance(kind, str) and kind in V1_KINDS and version.startswith(V1_GROUP)
