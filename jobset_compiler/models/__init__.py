"""Typed, validating models (pydantic) of TrainJob, TrainingRuntime, ClusterTrainingRuntime, JobSet and everything below them.

    from jobset_compiler.models import ObjectMeta, RuntimeRef, Trainer, TrainJob, TrainJobSpec

    job = TrainJob(
        metadata=ObjectMeta(name="mnist"),
        spec=TrainJobSpec(runtime_ref=RuntimeRef(name="torch-distributed"), trainer=Trainer(num_nodes=2)),
    )
    jobset_compiler.compile_objects([job]).to_yaml()

The names here are those of the newest release; `v2_0` to `v2_3` hold each release's, sharing the classes that are equal.
`model_of` finds the model of a kind by name. What is accepted and written is described in `models.base`.

Nothing is built before it is asked for, and then from the type table (`models.build`). Type checkers and editors read
`__init__.pyi` beside this file, which `tools/model_stub.py` writes. The compiler itself never imports this package.
"""

from __future__ import annotations

from typing import Any

from jobset_compiler.models.base import Model, ObjectModel
from jobset_compiler.models.build import model_of, releases
from jobset_compiler.schemas.kinds import KINDS

__all__ = ["KINDS", "Model", "ObjectModel", "model_of", *releases(), *dir(next(iter(releases().values())))]


def __getattr__(name: str) -> Any:
    known = releases()
    if name in known:
        return known[name]
    newest = next(iter(known.values()))
    if name not in dir(newest):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return newest.model(name)


def __dir__() -> list[str]:
    return sorted(__all__)
