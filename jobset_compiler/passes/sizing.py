"""How many pods the trainer runs: the TrainJob's numNodes, for the first PodSet with the trainer ancestor.

Source: torch.go, jax.go, plainml.go of every release (xgboost and flux are sized by plainml). mpi sizes by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.passes.api import Edit, SetCount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    pods = plan.trainer_pods()
    if pods is not None and plan.trainer is not None and plan.trainer.num_nodes is not None:
        # Zero and negative numbers pass through (JSC841).
        yield SetCount(pods.name, plan.trainer.num_nodes, because=("spec", "trainer", "numNodes"))
