"""The community runtimes that each release of Kubeflow Trainer ships, as data of this package.

One folder a profile, one ClusterTrainingRuntime a file, the file named like the runtime. The values are those that
upstream's ``manifests/overlays/runtimes`` (torch-distributed-with-cache: ``manifests/overlays/data-cache``) renders to
in the profile's release: images carry the release's tag, and the labels of the overlay are there.
Runtimes that upstream only shows as an example (Flux) are not bundled.
"""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import Any, Final

_FOLDER: Final = os.path.dirname(__file__)

# Written out rather than listed from the folders: resolving a runtime then costs one open() and nothing else.
_NAMES: Final = MappingProxyType(
    {
        "v2.0": (
            "deepspeed-distributed",
            "mlx-distributed",
            "mpi-distributed",
            "torch-distributed",
            "torchtune-llama3.2-1b",
            "torchtune-llama3.2-3b",
        ),
        "v2.1": (
            "deepspeed-distributed",
            "mlx-distributed",
            "torch-distributed",
            "torch-distributed-with-cache",
            "torchtune-llama3.2-1b",
            "torchtune-llama3.2-3b",
            "torchtune-qwen2.5-1.5b",
        ),
        "v2.2": (
            "deepspeed-distributed",
            "jax-distributed",
            "mlx-distributed",
            "torch-distributed",
            "torch-distributed-with-cache",
            "torchtune-llama3.2-1b",
            "torchtune-llama3.2-3b",
            "torchtune-qwen2.5-1.5b",
            "xgboost-distributed",
        ),
        "v2.3": (
            "deepspeed-distributed",
            "jax-distributed",
            "mlx-distributed",
            "torch-distributed",
            "torch-distributed-with-cache",
            "torchtune-llama3.2-1b",
            "torchtune-llama3.2-3b",
            "torchtune-qwen2.5-1.5b",
            "xgboost-distributed",
        ),
        "next": (
            "deepspeed-distributed",
            "jax-distributed",
            "mlx-distributed",
            "torch-distributed",
            "torch-distributed-with-cache",
            "torchtune-llama3.2-1b",
            "torchtune-llama3.2-3b",
            "torchtune-qwen2.5-1.5b",
            "xgboost-distributed",
        ),
    }
)

#: One sentence for each runtime that any profile bundles, by name.
SUMMARY: Final = MappingProxyType(
    {
        "deepspeed-distributed": "DeepSpeed over Open MPI; the launcher trains too.",
        "jax-distributed": "JAX on any number of nodes, one process a node.",
        "mlx-distributed": "MLX over Open MPI; the launcher trains too.",
        "mpi-distributed": "Plain Open MPI with a demonstration program that computes pi.",
        "torch-distributed": "PyTorch on any number of nodes, with torchrun.",
        "torch-distributed-with-cache": "PyTorch that reads its data from a cache cluster started by an initializer.",
        "torchtune-llama3.2-1b": "Fine-tuning of Llama 3.2 1B with torchtune on one node.",
        "torchtune-llama3.2-3b": "Fine-tuning of Llama 3.2 3B with torchtune on one node.",
        "torchtune-qwen2.5-1.5b": "Fine-tuning of Qwen 2.5 1.5B with torchtune on one node.",
        "xgboost-distributed": "XGBoost on any number of nodes.",
    }
)


def names(profile_name: str) -> tuple[str, ...]:
    """The names of the runtimes bundled for a profile such as ``v2.3``, sorted; empty for an unknown profile."""
    return _NAMES.get(profile_name, ())


def path_of(profile_name: str, name: str) -> str | None:
    """The path of a bundled runtime's file, or None if the profile bundles no runtime of that name. In an archive it goes on inside of that.

    Only names of the index become a path, so a ``runtimeRef`` with slashes or dots in it cannot reach another file.
    """
    if name in names(profile_name):
        return os.path.join(_FOLDER, profile_name, name + ".yaml")
    return None


def text_of(profile_name: str, name: str) -> str:
    """The YAML text of a bundled runtime.

    Raises KeyError if the profile bundles no runtime of that name (ask :func:`names` or :func:`path_of` first), and
    OSError if the installation lost the file.
    """
    path = path_of(profile_name, name)
    if path is None:
        raise KeyError(f"profile {profile_name} bundles no runtime named {name}")
    # By the loader of this package: it may have been loaded from an archive.
    loader: Any = __spec__.loader
    text: bytes = loader.get_data(path)
    return text.decode()
