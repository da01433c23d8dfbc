"""The ConfigMap with mpirun's host file: one line a pod, `<host> slots=<n>`.

Source: buildHostFileConfigMap in pkg/runtime/framework/plugins/mpi/mpi.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.objects.owner import metadata
from jobset_compiler.passes.endpoints import endpoints
from jobset_compiler.passes.mpi import HOSTFILE_KEY, OPEN_MPI, hostfile_jobs, hostfile_name, policy_of, slots

if TYPE_CHECKING:
    from jobset_compiler.resolve.plan import Plan


def hostfile(plan: Plan) -> str:
    """The nodes, and the launcher where it is one, in the order of the template; "" without any (quirk Q41)."""
    policy = policy_of(plan)
    if policy.implementation != OPEN_MPI:
        return ""
    names = hostfile_jobs(policy)
    count, _ = slots(plan)
    return "".join(f"{host} slots={count}\n" for pods in plan.pod_sets if pods.name in names for host in endpoints(plan, pods))


def build(plan: Plan) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": metadata(plan, hostfile_name(plan)),
        "data": {HOSTFILE_KEY: hostfile(plan)},
    }
