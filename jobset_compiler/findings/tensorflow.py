"""TF_CONFIG, which some write by hand, against the number of pods."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import NODE, containers_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.words import TRAINER_SPEC, container_path, on_runtime, on_trainjob
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

TF_CONFIG = "TF_CONFIG"
VARIABLE = re.compile(r"\$\([^()]*\)")


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    pods, node = plan.trainer_pods(), plan.trainer_node()
    if pods is None or node is None:
        return
    text = next((entry.get("value", "") for entry in node.env if entry["name"] == TF_CONFIG), "")
    workers = _workers(text)
    if workers is None or workers == pods.count:
        return
    message = (
        f"{TF_CONFIG} names {workers} workers, but the job has {pods.count} pods: "
        f"{'those that are missing are waited for without end' if workers > pods.count else 'those beyond the list fail'}"
    )
    hint = f"write numNodes: {workers}, or a {TF_CONFIG} for {pods.count} workers"
    own = next((index for index, entry in enumerate(plan.job.trainer.env if plan.job.trainer else ()) if entry["name"] == TF_CONFIG), None)
    if own is not None:
        yield on_trainjob(plan, codes.silent.TF_CONFIG_SIZE, message, (*TRAINER_SPEC, "env", own), hint)
        return
    at = container_path(plan, pods.name, NODE)
    for job in replicated_jobs(plan.runtime.template):
        for container in containers_of(job) if job["name"] == pods.name else ():
            names = [entry["name"] for entry in container.get("env", ())]
            if container["name"] == NODE and TF_CONFIG in names:
                at = (*at, "env", names.index(TF_CONFIG))
    yield on_runtime(plan, codes.silent.TF_CONFIG_SIZE, message, at, hint)


def _workers(text: str) -> int | None:
    """The length of the one list of hosts in a TF_CONFIG; None for no such text, and for several roles."""
    try:
        cluster = json.loads(VARIABLE.sub("0", text))["cluster"]
        ((_, hosts),) = cluster.items()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return len(hosts) if isinstance(hosts, list) else None
