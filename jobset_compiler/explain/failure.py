"""What happens when something fails, and when the training has succeeded: restart, failure and success policies in words.

Pods and Jobs: pastBackoffLimitOnFailure and syncJob in pkg/controller/job/job_controller.go of Kubernetes, and the defaults of its batch/v1.
Jobs and the JobSet: pkg/controllers/failure_policy.go and success_policy.go of kubernetes-sigs/jobset. The deadline of a TrainJob: the
controller of kubeflow/trainer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.explain.words import duration, joined, ordinal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path

Tree = dict[str, Any]
BACKOFF_LIMIT = 6
# What a Job has where nobody counts: the limit of a number of its type.
UNLIMITED = 2147483647
NEVER = "Never"
# What a JobSet does by a rule, but for RestartJobSet, which it also does where no rule matches.
ACTIONS = {
    "FailJobSet": "the training has failed at once",
    "RestartJobSetAndIgnoreMaxRestarts": "all is started again, as often as it happens",
    "RestartJob": "that Job alone is started again, which counts as a restart",
    "RestartJobAndIgnoreMaxRestarts": "that Job alone is started again, as often as it happens",
}
POD_ACTIONS = {
    "FailJob": "the Job fails at once",
    "FailIndex": "the pod is given up at once",
    "Ignore": "the pod is replaced, and the failure is not counted",
    "Count": "the failure is counted as usual",
}


class Said(NamedTuple):
    """A sentence, and the path of the field that makes it so: below the spec of the Job or of the JobSet; () for a default."""

    text: str
    path: Path = ()


def of_pods(entry: Tree) -> list[Said]:
    """Sentences about one replicatedJob, with JobSet's defaults: what becomes of a pod that fails, and when its Job fails."""
    spec = entry["template"]["spec"]
    pod = spec["template"]["spec"]
    said = [*_rules(spec)]
    if spec.get("backoffLimitPerIndex") is not None:
        said.append(Said(_per_index(spec), ("backoffLimitPerIndex",)))
    else:
        said.append(Said(_backoff(spec, pod.get("restartPolicy")), ("backoffLimit",) if "backoffLimit" in spec else ()))
    if spec.get("activeDeadlineSeconds") is not None:
        said.append(Said(f"the Job fails if it takes longer than {duration(spec['activeDeadlineSeconds'])}", ("activeDeadlineSeconds",)))
    if pod.get("activeDeadlineSeconds") is not None:
        place = ("template", "spec", "activeDeadlineSeconds")
        said.append(Said(f"a pod fails if it takes longer than {duration(pod['activeDeadlineSeconds'])}", place))
    if spec.get("ttlSecondsAfterFinished") is not None:
        said.append(Said(f"the Job is deleted {duration(spec['ttlSecondsAfterFinished'])} after its end", ("ttlSecondsAfterFinished",)))
    return said


def _backoff(spec: Tree, restarts: str | None) -> str:
    limit = spec.get("backoffLimit", BACKOFF_LIMIT)
    if restarts == NEVER:
        if limit == 0:
            return "the first pod that fails fails its Job"
        if limit >= UNLIMITED:
            return "a pod that fails is replaced by a new one, without limit"
        return f"a pod that fails is replaced by a new one, up to {counted(limit, 'time')} in the Job; the {ordinal(limit + 1)} failure fails the Job"
    if limit >= UNLIMITED:
        return "a container that fails is restarted in its pod, without limit"
    if limit == 0:
        return "the first container that fails fails its Job, as does the first pod that is lost (evicted, say)"
    # Restarts of containers fail the Job when they reach the limit, pods as a whole when they pass it.
    over = "counted over all containers and pods of the Job"
    lost = f"the {ordinal(limit + 1)} pod that is lost (evicted, say)"
    return f"a container that fails is restarted in its pod; the {ordinal(limit)} restart, {over}, fails the Job, as does {lost}"


def _per_index(spec: Tree) -> str:
    limit = spec["backoffLimitPerIndex"]
    again = f"a pod that fails is replaced up to {counted(limit, 'time')}, then given up" if limit else "a pod that fails is given up"
    most = spec.get("maxFailedIndexes")
    if most is None:
        return f"{again}; the others go on, and at the end the Job has failed if any was given up"
    return f"{again}; the Job fails when more than {most} are given up, and at the end if any was"


def _rules(spec: Tree) -> Iterator[Said]:
    for index, rule in enumerate((spec.get("podFailurePolicy") or {}).get("rules", ())):
        causes = []
        codes = rule.get("onExitCodes")
        if codes:
            of = f" of container {codes['containerName']}" if codes.get("containerName") else ""
            word = "not " if codes.get("operator") == "NotIn" else ""
            causes.append(f"the exit code{of} is {word}{joined([str(code) for code in codes.get('values', ())], 'or')}")
        causes += [f"the pod has the condition {condition['type']}" for condition in rule.get("onPodConditions", ())]
        action = rule["action"]
        yield Said(f"if {joined(causes, 'or')}: {POD_ACTIONS.get(action, action)}", ("podFailurePolicy", "rules", index, "action"))


def of_jobset(jobset: Tree) -> list[Said]:
    """Sentences about the whole: what the failure of a Job comes to. jobset: with JobSet's defaults."""
    policy = jobset["spec"].get("failurePolicy") or {}
    most = max(policy.get("maxRestarts", 0), 0)
    said = [Said(_rule(rule, most), ("failurePolicy", "rules", index, "action")) for index, rule in enumerate(policy.get("rules", ()))]
    limit: Path = ("failurePolicy", "maxRestarts") if policy.get("maxRestarts") else ()
    otherwise = "when a Job fails for another reason" if said else "when a Job fails"
    if not most:
        return [*said, Said(f"{otherwise}, the whole training has failed; nothing is started again", limit)]
    how = policy.get("restartStrategy")
    blocking = ", none before all old ones are gone" if how == "BlockingRecreate" else ""
    again = "all containers are restarted in their pods" if how == "InPlaceRestart" else f"all Jobs are deleted and started again{blocking}"
    least = f"up to {counted(most, 'time')} in all; after that a failure ends the whole training as failed"
    return [*said, Said(f"{otherwise}, {again}, {least}", limit)]


def _rule(rule: Tree, most: int) -> str:
    """most: restarts that the policy allows."""
    of = f" of {joined(rule['targetReplicatedJobs'], 'or')}" if rule.get("targetReplicatedJobs") else ""
    why = f" with {joined(rule['onJobFailureReasons'], 'or')}" if rule.get("onJobFailureReasons") else ""
    words = f" and a message that matches {joined(rule['onJobFailureMessagePatterns'], 'or')}" if rule.get("onJobFailureMessagePatterns") else ""
    used = f"all is started again, while there are restarts left (maxRestarts {most})" if most else "the training has failed, since maxRestarts is 0"
    return f"when a Job{of} fails{why}{words}: {ACTIONS.get(rule['action'], used)}"


def success_of(jobset: Tree) -> Said:
    """When the training has succeeded. jobset: with JobSet's defaults."""
    policy = jobset["spec"]["successPolicy"]
    of = f" of {joined(policy['targetReplicatedJobs'])}" if policy.get("targetReplicatedJobs") else ""
    return Said(f"when {'one Job' if policy['operator'] == 'Any' else 'every Job'}{of} has succeeded", ("successPolicy", "operator"))


def deadline_of(seconds: int) -> str:
    """What the activeDeadlineSeconds of a TrainJob do."""
    return f"the TrainJob fails, and its JobSet is deleted, if it takes longer than {duration(seconds)}"


def end_of(jobset: Tree) -> list[Said]:
    """What becomes of a JobSet that has ended."""
    seconds = jobset["spec"].get("ttlSecondsAfterFinished")
    return [] if seconds is None else [Said(f"the JobSet is deleted {duration(seconds)} after its end", ("ttlSecondsAfterFinished",))]
