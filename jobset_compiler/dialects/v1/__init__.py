"""kubeflow.org/v1 PyTorchJob, TFJob, MPIJob, XGBoostJob, JAXJob and PaddleJob, and kubeflow.org/v2beta1 MPIJob.

A job becomes a TrainJob of its name over a community runtime where that says everything, else over a TrainingRuntime that is written for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.notes import Notes
from jobset_compiler.dialects.results import Converted
from jobset_compiler.dialects.settled import outputs_of
from jobset_compiler.dialects.v1.jax import convert_jax
from jobset_compiler.dialects.v1.job import read_job
from jobset_compiler.dialects.v1.mpi import convert_mpi
from jobset_compiler.dialects.v1.paddle import convert_paddle
from jobset_compiler.dialects.v1.pytorch import convert_pytorch
from jobset_compiler.dialects.v1.tensorflow import convert_tensorflow
from jobset_compiler.dialects.v1.xgboost import convert_xgboost

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.dialects.v1.job import V1Job
    from jobset_compiler.dialects.wishes import Target
    from jobset_compiler.source.document import Document

CONVERTERS: dict[str, Callable[[V1Job, Target, Notes], list[Any]]] = {
    "PyTorchJob": convert_pytorch,
    "TFJob": convert_tensorflow,
    "MPIJob": convert_mpi,
    "XGBoostJob": convert_xgboost,
    "JAXJob": convert_jax,
    "PaddleJob": convert_paddle,
}


def convert_job(document: Document, target: Target) -> Converted:
    """What becomes of a job of one of the kinds."""
    notes = Notes(document)
    job = read_job(document, notes)
    trees = CONVERTERS[job.kind.name](job, target, notes) if job is not None else []
    if notes.failed:
        return Converted(document, (), tuple(notes.diagnostics))
    return Converted(document, outputs_of(document, trees, notes), tuple(notes.diagnostics))
