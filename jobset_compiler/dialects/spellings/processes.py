"""numProcPerNode as a release spells it: the words auto, cpu and gpu give way to numbers, or to nothing.

Source: kubeflow/trainer #3239; how each release counts is `passes/nproc.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.notes import Notes, Where, in_job
from jobset_compiler.dialects.tree import Carried, Made, get
from jobset_compiler.kube.quantity import Quantity, QuantityError

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.wishes import Target

AUTO, GPU, CPU = "auto", "gpu", "cpu"
FIELD = "numProcPerNode"


def as_number(value: Any) -> int | None:
    """A number, or digits that are meant as one; None for anything else."""
    if isinstance(value, str) and value.isdecimal() and value.isascii() and len(value) < 10:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def trainer_processes(trainer: dict[str, Any], at: Path, target: Target, notes: Notes) -> Any:
    """The tree of spec.trainer.numProcPerNode: `Carried` where it stays, None where it goes."""
    given = trainer[FIELD]
    path = (*at, FIELD)
    if isinstance(given, str) and as_number(given) is not None:
        return Made(as_number(given), path)
    if not target.processes_are_numbers or given not in (AUTO, GPU, CPU):
        return Carried(path)
    where = in_job("spec", "trainer")
    if given == AUTO:
        return None
    if given == GPU:
        return _of_gpus(has_gpus(get(trainer, "resourcesPerNode")), path, notes, where)
    cpus = cpus_of(get(trainer, "resourcesPerNode"))
    if cpus is None:
        message = "numProcPerNode cpu: resourcesPerNode declares no CPUs, so that one process per node runs"
        notes.processes(path, message, where, "declare cpu, or write the number")
    return Made(1 if cpus is None else cpus, path)


def _of_gpus(declared: bool, path: Path, notes: Notes, where: Where) -> None:
    if not declared:
        message = "numProcPerNode gpu: the controller counts the GPUs of the resources, and resourcesPerNode declares none"
        notes.processes(path, message, where, "declare nvidia.com/gpu where the runtime does not")


def cpus_of(resources: Any) -> int | None:
    """The CPUs of the requests, else of the limits, rounded up; None where there are none."""
    for field in ("requests", "limits"):
        amount = get(resources, field, "cpu")
        if amount is not None:
            try:
                return max(1, Quantity.parse(str(amount)).ceil())
            except QuantityError:
                return None
    return None


def has_gpus(resources: Any) -> bool:
    """Whether there is a resource that Trainer counts as a GPU."""
    return any("gpu" in name for field in ("limits", "requests") for name in get(resources, field) or ())
