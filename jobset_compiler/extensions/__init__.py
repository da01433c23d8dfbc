"""Extensions: passes for what no release of Kubeflow Trainer does, which act only where somebody names them.

They are made of what every pass can use (`passes/api.py`); docs/extensions.md says what each one does. To add one: a row below, and a module of that name
with PASSES, each Pass with `extension` set to the name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jobset_compiler.passes.api import in_stages

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jobset_compiler.passes.api import Pass

# By name what it does, in half a line. The module is imported when it is on.
SUMMARIES: Final = {
    "mpi-hydra": "runs Intel MPI and MPICH, whose launcher is Hydra",
    "open-mpi-5": "sets the variables that Open MPI 5 reads, beside those of Open MPI 4",
    "tensorflow": "writes TF_CONFIG, and brings the runtimes tensorflow-distributed and mpi",
}
NAMES: Final = tuple(SUMMARIES)


def passes_of(name: str) -> tuple[Pass, ...]:
    """The passes of an extension. ValueError, with the known names, for one that does not exist."""
    if name not in SUMMARIES:
        raise ValueError(f"unknown extension {name!r}; known: {', '.join(NAMES)}")
    passes: tuple[Pass, ...] = __import__(f"{__name__}.{name.replace('-', '_')}", fromlist=["PASSES"]).PASSES
    return passes


def bringing(runtime: str) -> str:
    """The extension that brings a runtime of that name, "" for none."""
    return next((name for name in NAMES for step in passes_of(name) for item in step.brings if item.name == runtime), "")


def with_extensions(passes: tuple[Pass, ...], names: Iterable[str]) -> tuple[Pass, ...]:
    """Those passes, and behind them in each stage those of the extensions, in whatever order these are named; ValueError as `passes_of`."""
    added = [step for name in sorted(set(names)) for step in passes_of(name) if step not in passes]
    return in_stages((*passes, *added)) if added else passes
