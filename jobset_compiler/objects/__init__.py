"""Plan -> the objects that the controller would submit, the JobSet first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.objects import flux_config, flux_curve, hostfile, jobset, podgroup, ssh_secret, tls_config, volcano
from jobset_compiler.passes.flux import applies as _flux
from jobset_compiler.passes.mpi import applies as _mpi
from jobset_compiler.passes.status import applies as _status
from jobset_compiler.passes.volcano import applies as _volcano

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.resolve.plan import Plan


def _always(plan: Plan) -> bool:
    return True


def _coscheduling(plan: Plan) -> bool:
    return plan.pod_group_policy is not None and plan.pod_group_policy.coscheduling is not None


# Each kind of object: when it is made, and the module that makes it.
BUILDERS: tuple[tuple[Callable[[Plan], bool], Callable[[Plan], dict[str, Any]]], ...] = (
    (_always, jobset.build),
    (_coscheduling, podgroup.build),
    (_volcano, volcano.build),
    (_mpi, ssh_secret.build),
    (_mpi, hostfile.build),
    (_flux, flux_config.build),
    (_flux, flux_curve.build),
    (_status, tls_config.build),
)


def build_objects(plan: Plan) -> tuple[dict[str, Any], ...]:
    return (*(build(plan) for applies, build in BUILDERS if applies(plan)), *plan.objects)
