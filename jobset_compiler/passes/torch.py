"""torch: the PET_* variables that torchrun reads, and the rendezvous port.

Source: pkg/runtime/framework/plugins/torch/torch.go of every release. Nothing is injected without spec.trainer (JSC802),
and only into the first PodSet with the trainer ancestor (JSC831).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import NODE
from jobset_compiler.passes.api import Edit, OfCount, SetEnv, SetPort
from jobset_compiler.passes.endpoints import COMPLETION_INDEX, TRAINER_PORT, first_node
from jobset_compiler.passes.nproc import processes_per_node
from jobset_compiler.passes.torchtune import runs_torchtune
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.resolve.record import Because

RESERVED_ENV = ("PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT")


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    pods = plan.trainer_pods()
    rendezvous = _rendezvous(plan)
    if pods is not None and plan.trainer is not None and pods.container(NODE) is not None:
        for entry, because in rendezvous:
            # torchtune gets its master as an argument instead.
            if not (runs_torchtune(plan) and entry["name"].startswith("PET_MASTER_")):
                yield SetEnv(pods.name, NODE, entry, because)
        yield SetPort(pods.name, NODE, {"containerPort": TRAINER_PORT}, because=("spec", "trainer"))
    if plan.profile.has(features.ENV_INJECTION):
        yield from _inject(plan, rendezvous)


def _rendezvous(plan: Plan) -> list[tuple[dict[str, Any], Because]]:
    """The five variables in order, each with what it goes back to."""
    pods = plan.trainer_pods()
    processes = processes_per_node(plan)
    return [
        ({"name": "PET_NNODES", "value": str(pods.count if pods else 1)}, OfCount(pods.name) if pods else ()),
        ({"name": "PET_NPROC_PER_NODE", "value": str(processes.value)}, processes.because),
        ({"name": "PET_NODE_RANK", "valueFrom": COMPLETION_INDEX}, ()),
        ({"name": "PET_MASTER_ADDR", "value": first_node(plan)}, ("metadata", "name")),
        ({"name": "PET_MASTER_PORT", "value": str(TRAINER_PORT)}, ()),
    ]


def _inject(plan: Plan, entries: list[tuple[dict[str, Any], Because]]) -> Iterator[Edit | Diagnostic]:
    """envInjection.targets: containers first, then init containers of that name (#3516)."""
    torch = plan.policy.torch if plan.policy else None
    for target in torch.env_injection if torch else ():
        pods = plan.pod_set(target.job)
        for name in target.containers:
            # A target that is not there has been refused: admission/rules/torch.py.
            if pods is not None and pods.container(name) is not None:
                for entry, because in entries:
                    yield SetEnv(pods.name, name, entry, because)
            elif pods is not None and pods.init_container(name) is not None:
                for entry, because in entries:
                    yield SetEnv(pods.name, name, entry, because, init=True)
