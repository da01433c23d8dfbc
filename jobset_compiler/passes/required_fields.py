"""Fields that the server's defaults always fill in and that the controller follows without a look: missing, it panics.

Only objects that no server has admitted can lack them, so this is a guard rather than something users meet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics.codes.policy import POLICY_FIELD_UNSET
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.passes.api import CHECK, Edit, Pass
from jobset_compiler.passes.mpi import takes_gpus_for_slots
from jobset_compiler.resolve.places import where_it_can_be_seen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan


def missing_fields(plan: Plan) -> list[tuple[Path, str]]:
    """(where it would stand, its default) of every field that is missing."""
    missing: list[tuple[Path, str]] = []
    policy, gang, trainer = plan.policy, plan.pod_group_policy, plan.job.trainer
    if policy is not None:
        unset = trainer is None or trainer.num_proc_per_node is None
        if policy.mpi is not None and policy.mpi.num_proc_per_node is None and takes_gpus_for_slots(plan):
            missing.append((("spec", "mlPolicy", "mpi", "numProcPerNode"), "1"))
        if policy.flux is not None and policy.flux.num_proc_per_node is None and unset:
            missing.append((("spec", "mlPolicy", "flux", "numProcPerNode"), "1"))
    if gang is not None:
        if gang.coscheduling is not None and gang.coscheduling.schedule_timeout_seconds is None:
            missing.append((("spec", "podGroupPolicy", "coscheduling", "scheduleTimeoutSeconds"), "60"))
        topology = gang.volcano.network_topology if gang.volcano is not None else None
        if topology is not None and topology.get("highestTierAllowed") is None:
            missing.append((("spec", "podGroupPolicy", "volcano", "networkTopology", "highestTierAllowed"), "1"))
    return missing


def applies(plan: Plan) -> bool:
    return bool(missing_fields(plan))


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    for path, default in missing_fields(plan):
        message = f"{path[-1]} is missing: the controller of this release panics without it"
        document, at, notes = where_it_can_be_seen(plan, plan.runtime.document, path)
        yield Diagnostic(
            POLICY_FIELD_UNSET,
            message,
            document=document,
            at=at,
            hint=f"write {path[-1]}: {default}, the server's default (#4053)",
            stage="build",
            notes=notes,
            subject=("TrainJob", plan.job.namespace, plan.job.name),
        )


REQUIRED_FIELDS = Pass("required-fields", CHECK, applies, run)
