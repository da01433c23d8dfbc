"""podGroupPolicy of OME: coscheduling as in Trainer, and Volcano with the fields that were documented as future."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.dialects.notes import in_runtime
from jobset_compiler.dialects.ome.roles import JOBS, POD, jobs_of
from jobset_compiler.dialects.tree import At, Carried, Made, get, parts

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.source.document import Document

AT: Path = ("spec", "podGroupPolicy")
VOLCANO: Path = (*AT, "volcano")
QUEUE = "scheduling.volcano.sh/queue-name"


class Gang(NamedTuple):
    """policy: the tree of podGroupPolicy; annotations: of the JobSet; pod: members of the pods that train."""

    policy: Any
    annotations: dict[str, Any]
    pod: dict[str, Any]


def gang_of(document: Document, trainer: int, notes: Notes) -> Gang:
    """What the policy comes to; what is lost is noted."""
    value = document.value
    policy = get(value, *AT)
    if not isinstance(policy, dict):
        return Gang(None, {}, {})
    volcano = policy.get("volcano")
    if volcano is not None and policy.get("coscheduling") is not None:
        notes.no_equivalent(AT, "podGroupPolicy has both coscheduling and volcano: one scheduler can place the pods", "keep one")
    if not policy:
        notes.not_carried(AT, "podGroupPolicy {} makes no gang", in_runtime("spec"))
        return Gang(None, {}, {})
    if not isinstance(volcano, dict):
        return Gang(Carried(AT), {}, {})
    message = "podGroupPolicy.volcano was documented as future: its queue and priority class are written where Trainer reads them"
    notes.works_otherwise(VOLCANO, message, in_runtime(*AT))
    _least(document, volcano, trainer, notes)
    annotations = {QUEUE: Carried((*VOLCANO, "queue"))} if volcano.get("queue") else {}
    pod = {}
    if volcano.get("priorityClassName") and get(value, *JOBS, trainer, *POD, "priorityClassName") is None:
        pod["priorityClassName"] = Carried((*VOLCANO, "priorityClassName"))
    kept = parts(value, VOLCANO, "minMember", "queue", "priorityClassName")
    return Gang(At(AT, {**parts(value, AT), "volcano": At(VOLCANO, kept) if kept else Made({}, VOLCANO)}), annotations, pod)


def _least(document: Document, volcano: dict[str, Any], trainer: int, notes: Notes) -> None:
    """minMember: all pods always are in Trainer v2, so that any other number is lost."""
    least = volcano.get("minMember")
    if least is None:
        return
    at = (*VOLCANO, "minMember")
    pods = 0
    for index, job in enumerate(jobs_of(document.value)):
        count = get(job, "template", "spec", "parallelism")
        nodes = get(document.value, "spec", "mlPolicy", "numNodes") if index == trainer else None
        pods += nodes if isinstance(nodes, int) else count if isinstance(count, int) else 1
    if isinstance(least, int) and least > pods:
        all_of_them = f"the {pods} pod{'' if pods == 1 else 's'} of the runtime"
        notes.no_equivalent(at, f"minMember {least} is more than {all_of_them}: the gang would never be placed", f"write {pods}")
    elif least != pods:
        notes.works_otherwise(at, f"minMember {least}: gangs always hold all pods in Trainer v2 ({pods} of this runtime)", in_runtime(*AT))
