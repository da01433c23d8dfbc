"""volcano: the queue, and PriorityClasses where the facts know them.

Source: Validate in pkg/runtime/framework/plugins/volcano/volcano.go (2.1, #2729).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.rules.rule import RUNTIME_REF, Plugin, Refusal, Rule, runtime_note, runtime_place
from jobset_compiler.api.runtime import pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan

CITES = ("pkg/runtime/framework/plugins/volcano/volcano.go", "#2729")
QUEUE = "scheduling.volcano.sh/queue-name"
SYSTEM_CLASSES = ("system-cluster-critical", "system-node-critical")


def queue(plan: Plan) -> Iterator[Refusal]:
    if plan.annotations.get(QUEUE) == "":
        hint = "name a queue, or leave the annotation out for Volcano's default queue"
        at = _queue_place(plan)
        notes = () if at else runtime_note(plan, "the annotation in the runtime", ("spec", "template", "metadata", "annotations", QUEUE))
        yield Refusal(codes.webhook.VOLCANO_QUEUE_EMPTY, "Volcano queue name must not be empty", f"spec.annotations[{QUEUE}]", at or RUNTIME_REF, hint, notes)


def _queue_place(plan: Plan) -> Path:
    """Where the TrainJob sets the queue; () where only the runtime does."""
    found: Path = ()
    for patch in plan.job.patches:
        if QUEUE in patch.annotations:
            found = (*patch.metadata_origin, "annotations", QUEUE)
    return found


def priority_classes(plan: Plan) -> Iterator[Refusal]:
    """Every replicatedJob's class, up to the first system class: there upstream stops looking (JSC844, #3917)."""
    known = plan.facts.priority_classes
    if known is None:
        return
    for job in replicated_jobs(plan.template):
        name = pod_spec_of(job).get("priorityClassName")
        if name in SYSTEM_CLASSES:
            return
        if name is not None and name not in known:
            message = f'PriorityClass "{name}" doesn\'t exist: PriorityClass.scheduling.k8s.io "{name}" not found'
            note = runtime_note(plan, "the job in the runtime", runtime_place(plan, job["name"]))
            yield Refusal(
                codes.webhook.PRIORITY_CLASS_MISSING, message, "spec.templateSpec.priorityClassName", RUNTIME_REF, "create the PriorityClass first", note
            )


VOLCANO = Plugin("Volcano", (Rule(queue, CITES), Rule(priority_classes, CITES)))
