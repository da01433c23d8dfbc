"""Which documents are of an older API that has rules here. Looked at for every document, so that it imports next to nothing."""

from __future__ import annotations

V1_KINDS = frozenset(("PyTorchJob", "TFJob", "MPIJob", "XGBoostJob", "JAXJob", "PaddleJob"))
V1_GROUP = "kubeflow.org/"
RUNTIMES = ("TrainingRuntime", "ClusterTrainingRuntime")
PREVIEW = ("kubeflow.org/v2alpha1", "trainer.kubeflow.org/v2alpha1")
PREVIEW_KINDS = frozenset(("TrainJob", *RUNTIMES))
OME = "ome.io/v1beta1"
OME_KINDS = frozenset(("TrainingJob", *RUNTIMES))
# Words of kinds that a text with such a document has, beside those of our own kinds.
WORDS = (*sorted(V1_KINDS), "TrainingJob")


def is_v1(kind: object, version: str) -> bool:
    return kind in V1_KINDS and version.startswith(V1_GROUP)


def is_preview(kind: object, version: str) -> bool:
    return kind in PREVIEW_KINDS and version in PREVIEW


def is_ome(kind: object, version: str) -> bool:
    return kind in OME_KINDS and version == OME


def is_known(value: object) -> bool:
    """Whether an object is of an older API, convertible or not."""
    if not isinstance(value, dict):
        return False
    kind, version = value.get("kind"), value.get("apiVersion")
    if not isinstance(version, str) or not isinstance(kind, str):
        return False
    return is_v1(kind, version) or is_preview(kind, version) or is_ome(kind, version)
