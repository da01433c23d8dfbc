"""nprocPerNode of a PyTorchJob in the words of a release.

Source: kubeflow/trainer v1.9.2 pkg/controller.v1/pytorch/envvar.go (handed to torchrun as it is); how releases of v2 count is `passes/nproc.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.notes import in_job
from jobset_compiler.dialects.spellings.processes import cpus_of
from jobset_compiler.dialects.tree import Carried, Made, get
from jobset_compiler.dialects.v1.pods import gpus
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.v1.job import Role, V1Job
    from jobset_compiler.dialects.wishes import Target

AUTO, GPU, CPU = "auto", "gpu", "cpu"
AT: Path = ("spec", "nprocPerNode")
ELASTIC: Path = ("spec", "elasticPolicy", "nProcPerNode")
WHERE = in_job("spec", "trainer")


def nproc(job: V1Job, role: Role, target: Target, notes: Notes, *, starts_torchrun: bool) -> Any:
    """The tree of spec.trainer.numProcPerNode, None to leave it out."""
    if job.get(*ELASTIC) is not None:
        return Carried(ELASTIC)
    given = job.spec.get("nprocPerNode")
    text = AUTO if given is None else str(given)
    if text.isdecimal() and len(text) < 10:
        return Made(int(text), AT)
    if text == AUTO:
        if starts_torchrun and target.profile.has(features.NPROC_FROM_REQUESTS_THEN_LIMITS) and not gpus(job, role) and _cpus(job, role) is None:
            message = "nprocPerNode auto needs GPUs in the resources from v2.1 on; without them one process per node runs"
            notes.processes(AT if given is not None else role.trainer, message, WHERE, "declare nvidia.com/gpu, or write spec.trainer.numProcPerNode")
        return None
    if text not in (GPU, CPU):
        notes.refused(AT, f'spec.nprocPerNode: Invalid value: "{text}": auto, cpu, gpu or a number')
        return None
    if not target.processes_are_numbers:
        return Carried(AT)
    if text == GPU:
        if not gpus(job, role):
            notes.processes(AT, "nprocPerNode gpu: the controller counts the GPUs of the resources, and there are none", WHERE, "declare nvidia.com/gpu")
        else:
            notes.remark(WHERE._replace(path=("spec", "trainer", "numNodes")), "nprocPerNode gpu: as many processes as GPUs in the resources", inline=False)
        return None
    cpus = _cpus(job, role)
    if cpus is None:
        message = "nprocPerNode cpu: no CPUs are declared, so that one process per node runs"
        notes.processes(AT, message, WHERE, "declare cpu, or write spec.trainer.numProcPerNode")
    return Made(1 if cpus is None else cpus, AT)


def _cpus(job: V1Job, role: Role) -> int | None:
    return cpus_of(get(job.value, *role.trainer, "resources"))
