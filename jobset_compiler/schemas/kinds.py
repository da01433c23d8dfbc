"""The kinds that have a schema."""

from __future__ import annotations

TRAINER = "trainer.kubeflow.org/v1alpha1"
JOBSET = "jobset.x-k8s.io/v1alpha2"
# Kind: (struct of the type table, apiVersion). A ClusterTrainingRuntime has the schema of a TrainingRuntime.
KINDS: dict[str, tuple[str, str]] = {
    "TrainJob": ("trainer.TrainJob", TRAINER),
    "TrainingRuntime": ("trainer.TrainingRuntime", TRAINER),
    "ClusterTrainingRuntime": ("trainer.TrainingRuntime", TRAINER),
    "JobSet": ("jobset.JobSet", JOBSET),
}


class UnknownKindError(ValueError):
    """A kind that has no schema here."""


def proper_kind(kind: str) -> str:
    """The kind as Kubernetes writes it, from any capitalisation; UnknownKindError for others."""
    for name in KINDS:
        if name.lower() == kind.lower():
            return name
    raise UnknownKindError(f"no schema for kind {kind!r}; known: {', '.join(KINDS)}")
