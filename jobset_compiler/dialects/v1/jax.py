"""JAXJob: one Job whose completion index is the process; the variables of v1 beside those of the jax policy.

Source: kubeflow/trainer v1.9.2 pkg/controller.v1/jax/envvar.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.notes import in_job
from jobset_compiler.dialects.v1.differences import one_role
from jobset_compiler.dialects.v1.hosts import host
from jobset_compiler.dialects.v1.pods import NODE, Variable
from jobset_compiler.dialects.v1.ranked import Ranked, convert

if TYPE_CHECKING:
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.v1.job import V1Job
    from jobset_compiler.dialects.wishes import Target

SHIPPED = "jax-distributed"


def convert_jax(job: V1Job, target: Target, notes: Notes) -> list[Any]:
    """The trees of the new documents."""
    role = one_role(job, target, notes)
    at = role.path
    variables = (
        Variable("PYTHONUNBUFFERED", "1", at),
        Variable("COORDINATOR_PORT", str(job.port(role)), at),
        Variable("COORDINATOR_ADDRESS", host(job.name, NODE, 0), at),
        Variable("NUM_PROCESSES", str(job.total), at),
        Variable("PROCESS_ID", None, at),
    )
    if target.wishes.v1_env:
        message = "COORDINATOR_ADDRESS, COORDINATOR_PORT, NUM_PROCESSES and PROCESS_ID are set as v1 did"
        notes.variables_written(role.trainer, message, in_job("spec", "trainer", "env"))
    return convert(job, Ranked(role, variables, "jax", SHIPPED), target, notes)
