"""How many pods the trainer runs: the TrainJob's numNodes, for the first PodSet with the trainer ancestor.

Source: torch.go, jax.go, plainml.go of every release (xgboost and flux are sized by plainml). mpi sizes by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.passes.api import SIZE, Edit, Pass, SetCount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan


def applies(plan: Plan) -> bool:
    return plan.policy_name in ("", "torch", "jax", "xgboost", "flux")


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    pods = plan.trainer_pods()
    if pods is not None and plan.trainer is not None and plan.trainer.num_nodes is not None:
        # Zero and negative numbers pass through (JSC841).
        yield SetCount(pods.name, plan.trainer.num_nodes, because=("spec", "trainer", "numNodes"))


SIZING = Pass("sizing", SIZE, applies, run, cites=("pkg/runtime/framework/plugins/plainml/plainml.go",))
