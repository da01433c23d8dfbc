"""mpi: strings for numProcPerNode, the jobs that several nodes need, and reserved variables.

Source: Validate in pkg/runtime/framework/plugins/mpi/mpi.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.rules.rule import (
    NUM_NODES,
    NUM_PROC_PER_NODE,
    Plugin,
    Refusal,
    Rule,
    listed,
    reserved_env,
    runtime_note,
    runtime_place,
    sets_one_of,
)
from jobset_compiler.api.runtime import LAUNCHER, NODE
from jobset_compiler.diagnostics import codes
from jobset_compiler.passes.mpi import OPEN_MPI, RESERVED_ENV
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.resolve.plan import Plan

CITES = ("pkg/runtime/framework/plugins/mpi/mpi.go",)


def processes(plan: Plan) -> Iterator[Refusal]:
    """2.0, 2.1: numProcPerNode may be a string, but not here."""
    value = plan.job.trainer.num_proc_per_node if plan.job.trainer else None
    if isinstance(value, str):
        hint = f"write {value} without quotes" if value.isascii() and value.isdigit() else "write a number"
        yield Refusal(
            codes.webhook.MPI_PROCESSES_NOT_A_NUMBER, "must have an int value for MPI TrainJob", "spec.trainer.numProcPerNode", NUM_PROC_PER_NODE, hint
        )


def jobs(plan: Plan) -> Iterator[Refusal]:
    """Two or more nodes with a launcher that is one of them: both jobs must be there (#2551)."""
    trainer, policy = plan.job.trainer, plan.policy.mpi if plan.policy else None
    if trainer is None or policy is None or trainer.num_nodes is None or trainer.num_nodes < 2 or not policy.run_launcher_as_node:
        return
    missing = [name for name in (LAUNCHER, NODE) if plan.pod_set(name) is None]
    if missing:
        yield Refusal(
            codes.webhook.MPI_JOBS_MISSING,
            "must have 1 when MPI trainingRuntime with enabled runLauncherAsNode does not have either launcher and node",
            "spec.trainer.numNodes",
            NUM_NODES,
            f"the runtime's jobs are {listed(pods.name for pods in plan.pod_sets)}: add {' and '.join(missing)}, or write numNodes: 1",
            runtime_note(plan, "the runtime's jobs", runtime_place(plan, "")),
        )


def variables(plan: Plan) -> Iterator[Refusal]:
    """Those of Open MPI; of an implementation that a pass admits, it has its own."""
    policy = plan.policy.mpi if plan.policy else None
    is_open_mpi = policy is None or policy.implementation in (OPEN_MPI, "", None)
    if is_open_mpi and sets_one_of(plan, RESERVED_ENV):
        yield from reserved_env(plan, codes.webhook.RESERVED_MPI_ENV, RESERVED_ENV, "leave them out: the controller configures Open MPI itself")


MPI = Plugin(
    "MPI",
    (
        Rule(processes, CITES),
        Rule(jobs, (*CITES, "#2551")),
        Rule(variables, (*CITES, "#3491"), features.MPI_RESERVED_ENV),
    ),
)
