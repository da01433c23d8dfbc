"""GPUs of a node against processes that were asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.words import on_trainjob
from jobset_compiler.passes.nproc import gpu_resources, gpus_per_node, processes_per_node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

NUM_PROC_PER_NODE = ("spec", "trainer", "numProcPerNode")
# The policies whose processes are one for each GPU.
POLICIES = ("torch", "mpi")


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    """Only a number that the TrainJob itself gives is judged, and only against plain GPUs of one name."""
    trainer = plan.job.trainer
    if trainer is None or plan.policy_name not in POLICIES or not isinstance(trainer.num_proc_per_node, int):
        return
    if plan.policy_name == "torch" and processes_per_node(plan).value != trainer.num_proc_per_node:
        return  # 2.0 overrides the number, which is told elsewhere (JSC803)
    resources = plan.node_resources
    names = {name for listed in (resources.get("requests", {}), resources.get("limits", {})) for name in gpu_resources(listed)}
    processes, gpus = trainer.num_proc_per_node, gpus_per_node(resources)
    if len(names) == 1 and gpus > 0 and 0 < processes != gpus:
        what = f"{gpus - processes} of them stay idle" if processes < gpus else "they share them"
        message = f"{processes} process{'es' * (processes > 1)} on each node, which has {gpus} GPU{'s' * (gpus > 1)}: {what}"
        yield on_trainjob(plan, codes.advice.GPUS_AND_PROCESSES, message, NUM_PROC_PER_NODE, f"write {gpus}, or leave it out")
