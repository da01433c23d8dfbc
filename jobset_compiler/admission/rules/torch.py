"""torch: strings for numProcPerNode, reserved variables, and the targets of envInjection.

Source: Validate in pkg/runtime/framework/plugins/torch/torch.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.rules.rule import NUM_PROC_PER_NODE, RUNTIME_REF, Plugin, Refusal, Rule, listed, reserved_env, runtime_note, sets_one_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.passes.torch import RESERVED_ENV
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.resolve.plan import Plan

CITES = ("pkg/runtime/framework/plugins/torch/torch.go",)
ALLOWED = ("auto", "cpu", "gpu")


def checks_trainer(plan: Plan) -> bool:
    """Whether spec.trainer is looked at: before 2.2 only where it sets numProcPerNode (JSC832)."""
    trainer = plan.job.trainer
    return trainer is not None and (trainer.num_proc_per_node is not None or not plan.profile.has(features.CHECKS_NEED_NPROC))


def processes(plan: Plan) -> Iterator[Refusal]:
    """2.0, 2.1: a string must be one that torchrun knows. Later the schema has numbers only."""
    value = plan.job.trainer.num_proc_per_node if plan.job.trainer else None
    if isinstance(value, str) and value not in ALLOWED:
        hint = f"write {value} without quotes" if value.isascii() and value.isdigit() else "write a number, auto, cpu or gpu"
        message = f"must have an int value or [{' '.join(ALLOWED)}]"
        yield Refusal(codes.webhook.PROCESSES_NOT_A_NUMBER, message, "spec.trainer.numProcPerNode", NUM_PROC_PER_NODE, hint)


def variables(plan: Plan) -> Iterator[Refusal]:
    if sets_one_of(plan, RESERVED_ENV):
        hint = "leave them out: they follow from numNodes, numProcPerNode and resourcesPerNode"
        yield from reserved_env(plan, codes.webhook.RESERVED_TORCH_ENV, RESERVED_ENV, hint)


def injection_targets(plan: Plan) -> Iterator[Refusal]:
    """mlPolicy.torch.envInjection (2.3, #3516) names jobs and containers that are there."""
    torch = plan.policy.torch if plan.policy else None
    for index, target in enumerate(torch.env_injection if torch else ()):
        pods = plan.pod_set(target.job)
        for name in target.containers:
            if pods is None or (pods.container(name) is None and pods.init_container(name) is None):
                there = [c.name for c in (*pods.containers, *pods.init_containers)] if pods else [p.name for p in plan.pod_sets]
                yield Refusal(
                    codes.policy.INJECTION_TARGET_MISSING,
                    f'envInjection target podSet "{target.job}" container "{name}" not found in runtime template',
                    "spec.runtimeRef",
                    RUNTIME_REF,
                    f"correct the runtime: {f'the containers of {target.job}' if pods else 'its jobs'} are {listed(there)}",
                    runtime_note(plan, "the target in the runtime", ("spec", "mlPolicy", "torch", "envInjection", "targets", index)),
                )


TORCH = Plugin("Torch", (Rule(processes, CITES), Rule(variables, CITES)), checks_trainer)
INJECTION = Plugin("Torch: envInjection", (Rule(injection_targets, (*CITES, "#3516")),))
