"""jax: the JAX_* variables that jax.distributed.initialize() reads, and the coordinator's port (2.2, #3151).

Source: pkg/runtime/framework/plugins/jax/jax.go. Nothing is injected without spec.trainer (JSC802). The user's variables
come after these and win, with no check of reserved names (JSC828, #3669): passes/user.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import NODE
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.passes.api import Edit, OfCount, SetEnv, SetPort
from jobset_compiler.passes.endpoints import COMPLETION_INDEX, TRAINER_PORT, first_node
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.resolve.plan import Plan

VARIABLES = ("JAX_NUM_PROCESSES", "JAX_PROCESS_ID", "JAX_COORDINATOR_ADDRESS")


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    pods = plan.trainer_pods()
    if pods is None:
        if not plan.profile.has(features.JAX_NEEDS_NO_TRAINER_JOB):
            yield Diagnostic(
                codes.policy.JAX_WITHOUT_TRAINER_JOB,
                "mlPolicy.jax needs a replicatedJob with the label trainer.kubeflow.org/trainjob-ancestor-step: trainer; "
                "the controller of this release panics without one",
                document=plan.runtime.document,
                at=("spec", "mlPolicy", "jax"),
                stage="build",
                hint="put the label on the Job template of the replicatedJob that trains (#3563)",
            )
        return
    if plan.trainer is None or pods.container(NODE) is None:
        return
    number, own_id, coordinator = VARIABLES
    yield SetEnv(pods.name, NODE, {"name": number, "value": str(pods.count)}, because=OfCount(pods.name))
    yield SetEnv(pods.name, NODE, {"name": own_id, "valueFrom": COMPLETION_INDEX})
    yield SetEnv(pods.name, NODE, {"name": coordinator, "value": f"{first_node(plan)}:{TRAINER_PORT}"}, because=("metadata", "name"))
    yield SetPort(pods.name, NODE, {"containerPort": TRAINER_PORT}, because=("spec", "trainer"))
