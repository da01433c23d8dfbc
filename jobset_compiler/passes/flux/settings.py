"""What flux reads off the Plan, and the names of the objects that it makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from jobset_compiler.resolve.plan import Plan

POLICY = ("spec", "mlPolicy", "flux")


class FluxSettings(NamedTuple):
    """Each set by a literal variable FLUX_VIEW_IMAGE, FLUX_NETWORK_DEVICE, FLUX_QUEUE_POLICY of runtime or TrainJob."""

    view_image: str = "ghcr.io/converged-computing/flux-view-ubuntu:tag-jammy"
    network_device: str = "eth0"
    queue_policy: str = "fcfs"


VARIABLES = {"FLUX_VIEW_IMAGE": "view_image", "FLUX_NETWORK_DEVICE": "network_device", "FLUX_QUEUE_POLICY": "queue_policy"}


def applies(plan: Plan) -> bool:
    return plan.policy_name == "flux"


def config_map_name(plan: Plan) -> str:
    return f"{plan.job.name}-flux-entrypoint"


def curve_secret_name(plan: Plan) -> str:
    return f"{plan.job.name}-flux-curve"


def settings_of(plan: Plan) -> FluxSettings:
    """The runtime's variables in the trainer's node container, then the TrainJob's; a valueFrom of the latter counts as ""."""
    found: dict[str, str] = {}
    node = plan.trainer_node()
    for entry in node.env if node else ():
        if entry["name"] in VARIABLES and "value" in entry:
            found[VARIABLES[entry["name"]]] = entry["value"]
    for entry in plan.job.trainer.env if plan.job.trainer else ():
        if entry["name"] in VARIABLES:
            found[VARIABLES[entry["name"]]] = entry.get("value", "")
    return FluxSettings(**found)


def nodes(plan: Plan) -> int | None:
    """How many nodes Flux is told of; None where the controller panics for want of spec.trainer.numNodes."""
    if plan.profile.has(features.FLUX_NEEDS_NO_TRAINER):
        pods = plan.trainer_pods()
        return 1 if pods is None else pods.count
    return plan.job.trainer.num_nodes if plan.job.trainer else None


def tasks_per_node(plan: Plan) -> int:
    """The TrainJob's numProcPerNode, else the runtime's."""
    trainer, flux = plan.job.trainer, plan.policy.flux if plan.policy else None
    given = trainer.num_proc_per_node if trainer else None
    if given is None and flux is not None:
        given = flux.num_proc_per_node
    return given if isinstance(given, int) else 1
