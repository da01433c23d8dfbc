"""Typed, validating models (pydantic) of TrainJob, TrainingRuntime, ClusterTrainingRuntime, JobSet and everything below them.

    from jobset_compiler.models import TrainJob, TrainJobSpec, RuntimeRef, ObjectMeta, Trainer

    job = TrainJob(
        metadata=ObjectMeta(name="mnist"),
        spec=TrainJobSpec(runtime_ref=RuntimeRef(name="torch-distributed"), trainer=Trainer(num_nodes=2)),
    )
    jobset_compiler.compile_objects([job]).to_yaml()

The names here are those of the newest release; `jobset_compiler.models.v2_0` to `v2_3` hold each release's, sharing the classes
that are equal. `model_of` finds the model of a kind by name. What is accepted and written is described in `models.base`.

The compiler itself never imports this package: it costs pydantic's import and 150 classes.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from jobset_compiler.profiles import NEWEST, PROFILES, find

if TYPE_CHECKING:
    from jobset_compiler.models.base import ObjectModel
    from jobset_compiler.models.v2_3 import *  # noqa: F403

KINDS = ("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime", "JobSet")


def model_of(kind: str, profile: str | None = None) -> type[ObjectModel]:
    """The model of a kind ("TrainJob") in a release, the newest by default. ValueError for a kind or release that is not known."""
    release = NEWEST if profile is None else find(profile)
    if release is None:
        raise ValueError(f"unknown profile {profile!r}; known: {', '.join(known.name for known in PROFILES)}")
    if kind not in KINDS:
        raise ValueError(f"no model for kind {kind!r}; known: {', '.join(KINDS)}")
    model: type[ObjectModel] = getattr(_module(release.name), kind)
    return model


def _module(release: str) -> Any:
    return import_module(f"{__name__}.{release.replace('.', '_')}")


if not TYPE_CHECKING:  # type checkers read the names above

    def __getattr__(name: str) -> Any:
        if name[0].isupper():
            newest = _module(NEWEST.name)
            if name in newest.__all__:
                return getattr(newest, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_module(NEWEST.name).__all__])
