"""xgboost: reserved variables. Source: Validate in pkg/runtime/framework/plugins/xgboost/xgboost.go (2.2, #3200)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.rules.rule import TRAINER_ENV, Plugin, Refusal, Rule
from jobset_compiler.diagnostics import codes
from jobset_compiler.passes.xgboost import RESERVED_ENV

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.resolve.plan import Plan


def variables(plan: Plan) -> Iterator[Refusal]:
    for index, entry in enumerate(plan.job.trainer.env if plan.job.trainer else ()):
        if entry["name"] in RESERVED_ENV:
            message = f"{entry['name']} is reserved for the XGBoost runtime"
            hint = "leave it out: it follows from numNodes and the GPUs of a node"
            yield Refusal(codes.webhook.RESERVED_XGBOOST_ENV, message, f"spec.trainer.env[{index}]", (*TRAINER_ENV, index, "name"), hint)


XGBOOST = Plugin("XGBoost", (Rule(variables, ("pkg/runtime/framework/plugins/xgboost/xgboost.go", "#3200")),))
