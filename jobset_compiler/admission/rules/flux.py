"""flux: at least one process a node, and an init container name that is taken.

Source: Validate in pkg/runtime/framework/plugins/flux/flux.go (2.2, #3188). The schema keeps a runtime's numProcPerNode
at 1 or more, so that only the TrainJob's can be less, which 2.2 does not look at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.rules.rule import NUM_PROC_PER_NODE, RUNTIME_REF, Plugin, Refusal, Rule, runtime_note, runtime_place
from jobset_compiler.api.runtime import NODE
from jobset_compiler.diagnostics import codes
from jobset_compiler.passes.flux.policy import INSTALLER
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.resolve.plan import Plan

CITES = ("pkg/runtime/framework/plugins/flux/flux.go",)


def processes(plan: Plan) -> Iterator[Refusal]:
    value = plan.job.trainer.num_proc_per_node if plan.job.trainer else None
    if isinstance(value, int) and value < 1:
        message = "must be greater than or equal to 1 for Flux TrainJob"
        yield Refusal(codes.webhook.FLUX_PROCESSES, message, "spec.trainer.numProcPerNode", NUM_PROC_PER_NODE, "write 1 or more, or leave it out")


def installer(plan: Plan) -> Iterator[Refusal]:
    pods = plan.pod_set(NODE)
    if pods is not None and pods.init_container(INSTALLER) is not None:
        message = f"InitContainer '{INSTALLER}' is reserved"
        note = runtime_note(plan, "the job in the runtime", runtime_place(plan, NODE))
        yield Refusal(codes.webhook.FLUX_INSTALLER, message, "spec.trainer.initContainers", RUNTIME_REF, f"rename the init container of the job {NODE}", note)


FLUX = Plugin("Flux", (Rule(processes, CITES, features.FLUX_TRAINJOB_PROCESSES_CHECKED), Rule(installer, CITES)))
