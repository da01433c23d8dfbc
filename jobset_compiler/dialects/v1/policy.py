"""runPolicy: what of it has a place in a TrainJob, what in a runtime, and what has none.

Source: kubeflow/trainer v1.9.2 pkg/controller.v1/common (when pods are deleted, retried, timed out) beside batch/v1 Job and JobSet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.dialects.notes import in_job, in_runtime
from jobset_compiler.dialects.tree import Carried, Made
from jobset_compiler.dialects.v1.job import MULTIKUEUE

if TYPE_CHECKING:
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.v1.job import V1Job
    from jobset_compiler.dialects.wishes import Target

AT = ("spec", "runPolicy")
GANG = (*AT, "schedulingPolicy")
FOR_EVER = 2147483647
DEFAULT_TIMEOUT = 60
IN_SPEC = in_job("spec", "runtimeRef")  # where what has no place in the TrainJob would have stood
VOLCANO_QUEUE = "scheduling.volcano.sh/queue-name"


class RunPolicy(NamedTuple):
    """Members for: the TrainJob's spec, the runtime's spec, its JobSet template, that one's metadata, the Job that decides, the pods of all Jobs."""

    trainjob: dict[str, Any]
    runtime: dict[str, Any]
    jobset: dict[str, Any]
    metadata: dict[str, Any]
    job: dict[str, Any]
    pod: dict[str, Any]

    @property
    def needs_runtime(self) -> bool:
        return bool(self.runtime or self.jobset or self.metadata or self.job or self.pod)


def run_policy(job: V1Job, target: Target, notes: Notes) -> RunPolicy:
    """What the job's runPolicy comes to; what is lost or changes is noted."""
    policy = RunPolicy({}, {}, {}, {}, {}, {})
    given = job.get(*AT)
    given = given if isinstance(given, dict) else {}
    if given.get("suspend") is not None:
        policy.trainjob["suspend"] = Carried((*AT, "suspend"))
    if given.get("managedBy") == MULTIKUEUE:
        policy.trainjob["managedBy"] = Carried((*AT, "managedBy"))
    if given.get("activeDeadlineSeconds") is not None:
        _deadline(policy, target, notes)
    _backoff(job, given, policy, target, notes)
    if given.get("ttlSecondsAfterFinished") is not None:
        _time_to_live(given, policy, target, notes)
    _clean_pods(job, given, notes)
    _gang(job, given, policy, target, notes)
    return policy


def _deadline(policy: RunPolicy, target: Target, notes: Notes) -> None:
    at = (*AT, "activeDeadlineSeconds")
    if target.has_field("trainer.TrainJobSpec", "activeDeadlineSeconds"):
        policy.trainjob["activeDeadlineSeconds"] = Carried(at)
        return
    policy.job["activeDeadlineSeconds"] = Carried(at)
    message = "activeDeadlineSeconds is that of the Job here and counts from the Job's own start"
    notes.ends_otherwise(at, message, in_runtime(*JOB_SPEC, "activeDeadlineSeconds"))


JOB_SPEC = ("spec", "template", "spec", "replicatedJobs", 0, "template", "spec")


def _backoff(job: V1Job, given: dict[str, Any], policy: RunPolicy, target: Target, notes: Notes) -> None:
    at = (*AT, "backoffLimit")
    if given.get("backoffLimit") is not None:
        policy.job["backoffLimit"] = Carried(at)
    elif target.wishes.keep_backoff:
        policy.job["backoffLimit"] = Made(FOR_EVER, AT if job.get(*AT) is not None else ("spec",))
    else:
        message = "backoffLimit unset: v1 retried for ever; the Job gives up after 6 failures"
        notes.ends_otherwise(AT if job.get(*AT) is not None else ("spec",), message, in_job(), "--keep-backoff writes the largest number")


def _time_to_live(given: dict[str, Any], policy: RunPolicy, target: Target, notes: Notes) -> None:
    at = (*AT, "ttlSecondsAfterFinished")
    if target.wishes.keep_ttl:
        policy.jobset["ttlSecondsAfterFinished"] = Carried(at)
        where = in_runtime("spec", "template", "spec", "ttlSecondsAfterFinished")
        notes.works_otherwise(at, "ttlSecondsAfterFinished removes only the JobSet; the TrainJob stays", where)
        return
    seconds = given["ttlSecondsAfterFinished"]
    message = f"ttlSecondsAfterFinished: {seconds} is left out: it removes only the JobSet, never the TrainJob"
    notes.works_otherwise(at, message, IN_SPEC, "--keep-ttl writes it into a runtime; something else has to delete finished TrainJobs")


def _clean_pods(job: V1Job, given: dict[str, Any], notes: Notes) -> None:
    for at, cleans in ((AT, given.get("cleanPodPolicy")), (("spec",), job.spec.get("cleanPodPolicy"))):
        where = (*at, "cleanPodPolicy")
        if cleans == "All":
            notes.not_carried(where, "cleanPodPolicy All has no equivalent: pods that have finished stay until the TrainJob is deleted", IN_SPEC)
        elif cleans == "None":
            notes.not_carried(where, "cleanPodPolicy None: a finished JobSet deletes pods that still run, and keeps the others", IN_SPEC)


def _gang(job: V1Job, given: dict[str, Any], policy: RunPolicy, target: Target, notes: Notes) -> None:
    gang = target.wishes.gang
    scheduling = given.get("schedulingPolicy")
    scheduling = scheduling if isinstance(scheduling, dict) else {}
    at = GANG if scheduling else AT if given else ("spec",)
    if gang == "coscheduling":
        timeout = Carried((*GANG, "scheduleTimeoutSeconds")) if scheduling.get("scheduleTimeoutSeconds") is not None else Made(DEFAULT_TIMEOUT, at)
        policy.runtime["podGroupPolicy"] = {"coscheduling": Made({"scheduleTimeoutSeconds": timeout}, at)}
        message = "the pods name no schedulerName: v1 wrote that of its coscheduling scheduler, Trainer v2 writes none"
        hint = "add schedulerName to the pods where that scheduler is not the cluster's default"
        notes.works_otherwise(at, message, in_runtime("spec", "podGroupPolicy"), hint)
    elif gang == "volcano":
        policy.runtime["podGroupPolicy"] = Made({"volcano": {}}, at)
        policy.pod["schedulerName"] = Made("volcano", at)
    if scheduling.get("priorityClass"):
        policy.pod["priorityClassName"] = Carried((*GANG, "priorityClass"))
    if scheduling and gang == "none":
        message = "schedulingPolicy: v1 made a gang of the pods if its operator was started so; this TrainJob makes none"
        notes.works_otherwise(GANG, message, IN_SPEC, "--gang coscheduling or --gang volcano makes one")
        return
    least = scheduling.get("minAvailable")
    if least is not None and least != job.total:
        message = f"minAvailable {least}: gangs always hold all pods in Trainer v2 ({job.total} here)"
        notes.works_otherwise((*GANG, "minAvailable"), message, IN_SPEC)
    if scheduling.get("queue"):
        _queue(str(scheduling["queue"]), policy, target, notes)
    if scheduling.get("minResources") is not None:
        notes.not_carried((*GANG, "minResources"), "minResources is computed from the pods", IN_SPEC)
    if scheduling.get("scheduleTimeoutSeconds") is not None and gang == "volcano":
        notes.not_carried((*GANG, "scheduleTimeoutSeconds"), "scheduleTimeoutSeconds belongs to coscheduling; Volcano has none", IN_SPEC)


def _queue(queue: str, policy: RunPolicy, target: Target, notes: Notes) -> None:
    at = (*GANG, "queue")
    if target.wishes.gang == "volcano":
        policy.metadata["annotations"] = {VOLCANO_QUEUE: Carried(at)}
    else:
        message = f"queue {queue} is one of Volcano's, and no gang of Volcano is made"
        notes.works_otherwise(at, message, IN_SPEC, "--gang volcano writes it as an annotation")
