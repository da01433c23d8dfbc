"""Variables of a TrainJob that name others: the kubelet knows those that stand before, in the order of the container's list."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.words import TRAINER_SPEC, on_trainjob

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

REFERENCE = re.compile(r"\$\$|\$\(([A-Za-z_][\w.-]*)\)")
# The Job controller writes it behind all others.
INDEX = "JOB_COMPLETION_INDEX"


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    """JSC741, for values of spec.trainer.env."""
    node = plan.trainer_node()
    if node is None or plan.trainer is None:
        return
    order = [entry["name"] for entry in node.env]
    for index, entry in enumerate(plan.trainer.env):
        for name in REFERENCE.findall(str(entry.get("value") or "")):
            if not name or entry["name"] not in order or name in order[: order.index(entry["name"])]:
                continue
            if name in order or name == INDEX:
                message = f"$({name}) stays as it is: {name} comes after {entry['name']} in the container"
                hint = f"use $({name}) in command or args, where all variables are known"
            elif node.env_from or name.startswith("KUBERNETES_") or "_SERVICE_" in name:
                continue
            else:
                message, hint = f"$({name}) stays as it is: the container has no variable {name}", f"add {name} to env, before {entry['name']}"
            yield on_trainjob(plan, codes.silent.REFERENCE_STAYS_TEXT, message, (*TRAINER_SPEC, "env", index, "value"), hint)
