"""The job kinds of the training operator v1 and of the MPI operator: their words and defaults.

Source: kubeflow/trainer v1.9.2 pkg/apis/kubeflow.org/v1 (`*_defaults.go`, `*_types.go`), kubeflow/mpi-operator v0.8.2 pkg/apis/kubeflow/v2beta1.
"""

from __future__ import annotations

from typing import NamedTuple

GROUP = "kubeflow.org"
V2BETA1 = "kubeflow.org/v2beta1"
MASTER, WORKER, LAUNCHER = "Master", "Worker", "Launcher"
CHIEF, PS, EVALUATOR = "Chief", "PS", "Evaluator"
ON_FAILURE, NEVER, ALWAYS, EXIT_CODE = "OnFailure", "Never", "Always", "ExitCode"


class Kind(NamedTuple):
    """field: of the replica specs; container: the one that trains, "" for the first; port: the one that v1 adds to it, by name and number;
    restart: of a role that says nothing; exact: whether the roles' names count with their case."""

    name: str
    field: str
    roles: tuple[str, ...]
    container: str
    port_name: str
    port: int
    restart: str
    framework: str
    exact: bool = False


KINDS = {
    kind.name: kind
    for kind in (
        Kind("PyTorchJob", "pytorchReplicaSpecs", (MASTER, WORKER), "pytorch", "pytorchjob-port", 23456, ON_FAILURE, "torch"),
        Kind("TFJob", "tfReplicaSpecs", (CHIEF, MASTER, PS, WORKER, EVALUATOR), "tensorflow", "tfjob-port", 2222, NEVER, "tensorflow"),
        Kind("MPIJob", "mpiReplicaSpecs", (LAUNCHER, WORKER), "", "mpi-port", 0, NEVER, "mpi", exact=True),
        Kind("XGBoostJob", "xgbReplicaSpecs", (MASTER, WORKER), "xgboost", "xgboostjob-port", 9999, NEVER, "xgboost"),
        Kind("JAXJob", "jaxReplicaSpecs", (WORKER,), "jax", "jaxjob-port", 6666, NEVER, "jax"),
        Kind("PaddleJob", "paddleReplicaSpecs", (MASTER, WORKER), "paddle", "master", 36543, ON_FAILURE, "paddle"),
    )
}
