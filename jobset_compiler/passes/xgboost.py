"""xgboost: the DMLC_* variables of XGBoost's tracker (Rabit), and its port (2.2, #3200).

Source: pkg/runtime/framework/plugins/xgboost/xgboost.go. Whether the user's variables stand before or after these
depends on upstream's random plugin order (JSC842): here always before. Nothing is injected without spec.trainer (JSC802).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import NODE
from jobset_compiler.passes.api import Edit, OfCount, SetEnv, SetPort, Several
from jobset_compiler.passes.causes import node_resources as node_resources_of
from jobset_compiler.passes.endpoints import COMPLETION_INDEX, TRAINER_PORT, first_node
from jobset_compiler.passes.nproc import gpus_per_node, wrap_int32

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

RESERVED_ENV = ("DMLC_TRACKER_URI", "DMLC_TRACKER_PORT", "DMLC_TASK_ID", "DMLC_NUM_WORKER")


def workers(plan: Plan, nodes: int) -> int:
    """One worker a GPU of every node, or one a node without GPUs."""
    gpus = gpus_per_node(plan.node_resources)
    return wrap_int32(nodes * gpus) if gpus > 0 else nodes


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    pods = plan.trainer_pods()
    if pods is None or plan.trainer is None or pods.container(NODE) is None:
        return
    uri, port, task, worker = RESERVED_ENV
    yield SetEnv(pods.name, NODE, {"name": uri, "value": first_node(plan)}, because=("metadata", "name"))
    yield SetEnv(pods.name, NODE, {"name": port, "value": str(TRAINER_PORT)})
    yield SetEnv(pods.name, NODE, {"name": task, "valueFrom": COMPLETION_INDEX})
    yield SetEnv(pods.name, NODE, {"name": worker, "value": str(workers(plan, pods.count))}, because=Several((OfCount(pods.name), node_resources_of(plan))))
    yield SetPort(pods.name, NODE, {"containerPort": TRAINER_PORT}, because=("spec", "trainer"))
