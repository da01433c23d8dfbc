"""mlPolicy of OME: torch as in Trainer, elastic torch as a plain policy, MPI with Open MPI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.notes import in_runtime
from jobset_compiler.dialects.ome.roles import JOBS
from jobset_compiler.dialects.spellings.processes import FIELD, as_number
from jobset_compiler.dialects.tree import At, Made, get, parts
from jobset_compiler.dialects.wishes import MPI_HYDRA

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.ome.elastic import Elastic
    from jobset_compiler.dialects.wishes import Target
    from jobset_compiler.source.document import Document

AT: Path = ("spec", "mlPolicy")
WORDS = ("auto", "cpu", "gpu")
OPEN_MPI, OTHERS = "OpenMPI", ("Intel", "MPICH")


def policy_of(document: Document, trainer: int, launcher: int, elastic: Elastic | None, target: Target, notes: Notes) -> Any:
    """The tree of mlPolicy, with a number of nodes: its own, that of the elastic policy, or that of the template; None for no policy."""
    value = document.value
    policy = get(value, *AT)
    template = get(value, *JOBS, trainer, "template", "spec", "parallelism")
    if not isinstance(policy, dict):
        return None if not isinstance(template, int) else Made({"numNodes": Made(template, (*JOBS, trainer, "template", "spec", "parallelism"))}, JOBS)
    torch, mpi = policy.get("torch"), policy.get("mpi")
    if torch is not None and mpi is not None:
        notes.refused(AT, "spec.mlPolicy: Invalid value: Only one of the policy can be configured")
    nodes = policy.get("numNodes")
    head: dict[str, Any] = {}
    if nodes is None and elastic is not None:
        head["numNodes"] = Made(elastic.nodes, elastic.path)
    elif nodes is None and isinstance(template, int):
        head["numNodes"] = Made(template, (*JOBS, trainer, "template", "spec", "parallelism"))
    elif isinstance(template, int) and template != nodes:
        message = f"the template says parallelism {template}, numNodes {nodes}: numNodes counts"
        notes.works_otherwise((*JOBS, trainer, "template", "spec", "parallelism"), message, in_runtime(*AT, "numNodes"))
    tree = {**head, **parts(value, AT)}
    if isinstance(torch, dict):
        _check_processes(torch, (*AT, "torch", FIELD), notes)
        if elastic is not None:
            del tree["torch"]
            notes.remark(in_runtime(*AT), "plain, since the torch policy sets PET_NNODES to one number; the variables stand in the container", inline=False)
    if isinstance(mpi, dict):
        _check_mpi(document, mpi, launcher, target, notes)
    return At(AT, tree)


def _check_processes(torch: dict[str, Any], at: Path, notes: Notes) -> None:
    said = torch.get(FIELD)
    if said is not None and said not in WORDS and (as_number(said) or 0) < 1:
        notes.refused(at, f"numProcPerNode is auto, cpu, gpu or a number of at least 1, not {said!r}")
    elif isinstance(said, int):
        notes.documented_only(at, "numProcPerNode as a number: the schema wants a string")


def _check_mpi(document: Document, mpi: dict[str, Any], launcher: int, target: Target, notes: Notes) -> None:
    at = (*AT, "mpi", "mpiImplementation")
    said = mpi.get("mpiImplementation")
    if said in OTHERS:
        if MPI_HYDRA not in target.extensions:
            message = f"mpiImplementation {said} was never implemented by OME, and every release of Trainer refuses it"
            notes.needs_extension(at, message, f"--extension {MPI_HYDRA} renders it; or build the image with Open MPI")
    elif said not in (None, "", OPEN_MPI):
        notes.refused(at, f'mpiImplementation: Unsupported value: "{said}": supported values: "OpenMPI", "Intel", "MPICH"')
    if launcher < 0:
        notes.no_equivalent((*AT, "mpi"), "MPI needs a replicated job launcher", "move mpirun into a replicated job called launcher; the others run sshd")
    elif get(document.value, *JOBS, launcher, "dependsOn") is None:
        notes.remark(in_runtime(*JOBS, launcher), "mpirun may start before sshd listens: let it wait with dependsOn", inline=False)

