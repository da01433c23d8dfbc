"""What happens when something fails, and when the training has succeeded: restart, failure and success policies in words.

Pods and Jobs: pastBackoffLimitOnFailure and syncJob in pkg/controller/job/job_controller.go of Kubernetes, and the defaults of its batch/v1.
Jobs and the JobSet: pkg/controllers/failure_policy.go and success_policy.go of kubernetes-sigs/jobset. The deadline of a TrainJob: the
controller of kubeflow/trainer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.explain.words import counted, duration, joined, ordinal

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def of_pods(entry: Tree) -> list[str]:
    """Sentences about one replicatedJob, with JobSet's defaults: what becomes of a pod that fails, and when its Job fails."""
    spec = entry["template"]["spec"]
    pod = spec["template"]["spec"]
    said = [*_rules(spec), _per_index(spec) if spec.get("backoffLimitPerIndex") is not None else _backoff(spec, pod.get("restartPolicy"))]
    if spec.get("activeDeadlineSeconds") is not None:
        said.append(f"the Job fails if it takes longer than {duration(spec['activeDeadlineSeconds'])}")
    if pod.get("activeDeadlineSeconds") is not None:
        said.append(f"a pod fails if it takes longer than {duration(pod['activeDeadlineSeconds'])}")
    if spec.get("ttlSecondsAfterFinished") is not None:
        said.append(f"the Job is deleted {duration(spec['ttlSecondsAfterFinished'])} after its end")
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


def _rules(spec: Tree) -> Iterator[str]:
    for rule in (spec.get("podFailurePolicy") or {}).get("rules", ()):
        causes = []
        codes = rule.get("onExitCodes")
        if codes:
            of = f" of container {codes['containerName']}" if codes.get("containerName") else ""
            word = "not " if codes.get("operator") == "NotIn" else ""
            causes.append(f"the exit code{of} is {word}{joined([str(code) for code in codes.get('values', ())], 'or')}")
        causes += [f"the pod has the condition {condition.get('type', '')}" for condition in rule.get("onPodConditions", ())]
        action = rule.get("action", "")
        yield f"if {joined(causes, 'or')}: {POD_ACTIONS.get(action, action)}"


def of_jobset(jobset: Tree) -> list[str]:
    """Sentences about the whole: what the failure of a Job comes to. jobset: with JobSet's defaults."""
    policy = jobset["spec"].get("failurePolicy") or {}
    most = max(policy.get("maxRestarts", 0), 0)
    said = [_rule(rule, most) for rule in policy.get("rules", ())]
    otherwise = "when a Job fails for another reason" if said else "when a Job fails"
    if not most:
        return [*said, f"{otherwise}, the whole training has failed; nothing is started again"]
    how = policy.get("restartStrategy")
    blocking = ", none before all old ones are gone" if how == "BlockingRecreate" else ""
    again = "all containers are restarted in their pods" if how == "InPlaceRestart" else f"all Jobs are deleted and started again{blocking}"
    return [*said, f"{otherwise}, {again}, up to {counted(most, 'time')} in all; after that a failure ends the whole training as failed"]


def _rule(rule: Tree, most: int) -> str:
    """most: restarts that the policy allows."""
    of = f" of {joined(rule['targetReplicatedJobs'], 'or')}" if rule.get("targetReplicatedJobs") else ""
    why = f" with {joined(rule['onJobFailureReasons'], 'or')}" if rule.get("onJobFailureReasons") else ""
    words = f" and a message that matches {joined(rule['onJobFailureMessagePatterns'], 'or')}" if rule.get("onJobFailureMessagePatterns") else ""
    used = f"all is started again, while there are restarts left (maxRestarts {most})" if most else "the training has failed, since maxRestarts is 0"
    return f"when a Job{of} fails{why}{words}: {ACTIONS.get(rule.get('action', ''), used)}"


def success_of(jobset: Tree) -> str:
    """When the training has succeeded. jobset: with JobSet's defaults."""
    policy = jobset["spec"]["successPolicy"]
    of = f" of {joined(policy['targetReplicatedJobs'])}" if policy.get("targetReplicatedJobs") else ""
    return f"when {'one Job' if policy['operator'] == 'Any' else 'every Job'}{of} has succeeded"


def end_of(jobset: Tree, deadline: int | None) -> list[str]:
    """What ends it from outside. deadline: the TrainJob's activeDeadlineSeconds."""
    said = []
    if deadline is not None:
        said.append(f"the TrainJob fails, and its JobSet is deleted, if it takes longer than {duration(deadline)}")
    if jobset["spec"].get("ttlSecondsAfterFinished") is not None:
        said.append(f"the JobSet is deleted {duration(jobset['spec']['ttlSecondsAfterFinished'])} after its end")
    return said
