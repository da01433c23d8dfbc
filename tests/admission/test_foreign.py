"""Documents of the v1 training operator are told what to write instead; others are left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jobset_compiler.admission.foreign import advise_foreign
from jobset_compiler.source.document import Document
from tests.admission.rules.cases import Tree, trainjob

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.diagnostic import Diagnostic


def foreign(tree: Any) -> Diagnostic | None:
    return advise_foreign(Document.from_object(tree))


def replicas(**counts: int) -> Tree:
    return {
        role: {"replicas": count, "template": {"spec": {"containers": [{"name": "pytorch", "image": "registry.example/a"}]}}} for role, count in counts.items()
    }


@pytest.mark.parametrize(
    ("tree", "hint"),
    [
        (
            {"kind": "PyTorchJob", "apiVersion": "kubeflow.org/v1", "spec": {"nprocPerNode": "4", "pytorchReplicaSpecs": replicas(Master=1, Worker=3)}},
            "spec.runtimeRef.name: torch-distributed and spec.trainer: {numNodes: 4, numProcPerNode: 4, image: registry.example/a}",
        ),
        (
            {"kind": "MPIJob", "apiVersion": "kubeflow.org/v2beta1", "spec": {"slotsPerWorker": 2, "mpiReplicaSpecs": replicas(Launcher=1, Worker=2)}},
            "spec.runtimeRef.name: deepspeed-distributed and spec.trainer: {numNodes: 2, numProcPerNode: 2, image: registry.example/a}",
        ),
        ({"kind": "TFJob", "apiVersion": "kubeflow.org/v1", "spec": {"tfReplicaSpecs": "?"}}, "a runtime of your own, as there is no community runtime for it"),
        ({"kind": "XGBoostJob", "apiVersion": "kubeflow.org/v1"}, "spec.runtimeRef.name: xgboost-distributed"),
        ({"kind": "JAXJob", "apiVersion": "kubeflow.org/v1", "spec": []}, "spec.runtimeRef.name: jax-distributed"),
        (
            {"kind": "PaddleJob", "apiVersion": "kubeflow.org/v1", "spec": {"paddleReplicaSpecs": {"Worker": {"replicas": "2"}}}},
            "a runtime of your own, as there is no community runtime for it",
        ),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
def test_v1_kinds(tree: Tree, hint: str) -> None:
    found = foreign(tree)
    assert found is not None and found.slug == "v1-kind" and found.severity == "warning"
    assert found.hint == f"write a TrainJob with {hint}"


@pytest.mark.parametrize(
    "tree",
    [None, [], "x", {}, {"kind": "Deployment", "apiVersion": "apps/v1"}, {"kind": "MPIJob", "apiVersion": "example.com/v1"}, {"kind": ["TFJob"]}, trainjob()],
)
def test_other_documents_are_left_alone(tree: Any) -> None:
    assert foreign(tree) is None
