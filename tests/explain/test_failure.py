"""What happens when something fails, in words: each limit counts as the Job controller and JobSet count."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.explain.failure import deadline_of, end_of, of_jobset, of_pods, success_of
from jobset_compiler.explain.words import duration, ordinal

Tree = dict[str, Any]


def entry(restarts: str = "OnFailure", **spec: Any) -> Tree:
    return {"name": "node", "template": {"spec": {**spec, "template": {"spec": {"restartPolicy": restarts}}}}}


RESTARTED, COUNTED = "a container that fails is restarted in its pod;", "counted over all containers and pods of the Job"
RECREATED = "when a Job fails, all Jobs are deleted and started again"
ENDED = "after that a failure ends the whole training as failed"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        # Restarts of containers fail the Job when they reach the limit, failed pods when they pass it.
        (entry(), f"{RESTARTED} the 6th restart, {COUNTED}, fails the Job, as does the 7th pod that is lost (evicted, say)"),
        (entry(backoffLimit=1), f"{RESTARTED} the 1st restart, {COUNTED}, fails the Job, as does the 2nd pod that is lost (evicted, say)"),
        (entry(backoffLimit=0), "the first container that fails fails its Job, as does the first pod that is lost (evicted, say)"),
        (
            entry(backoffLimit=2147483646),
            f"{RESTARTED} the 2147483646th restart, {COUNTED}, fails the Job, as does the 2147483647th pod that is lost (evicted, say)",
        ),
        (entry(backoffLimit=2147483647), "a container that fails is restarted in its pod, without limit"),
        (entry("Never"), "a pod that fails is replaced by a new one, up to 6 times in the Job; the 7th failure fails the Job"),
        (entry("Never", backoffLimit=1), "a pod that fails is replaced by a new one, up to 1 time in the Job; the 2nd failure fails the Job"),
        (entry("Never", backoffLimit=0), "the first pod that fails fails its Job"),
        (entry("Never", backoffLimit=2147483647), "a pod that fails is replaced by a new one, without limit"),
        (
            entry("Never", backoffLimitPerIndex=2),
            "a pod that fails is replaced up to 2 times, then given up; the others go on, and at the end the Job has failed if any was given up",
        ),
        (
            entry("Never", backoffLimitPerIndex=0, maxFailedIndexes=3),
            "a pod that fails is given up; the Job fails when more than 3 are given up, and at the end if any was",
        ),
    ],
)
def test_pods_that_fail(given: Tree, words: str) -> None:
    (said,) = of_pods(given)
    field = next((name for name in ("backoffLimitPerIndex", "backoffLimit") if name in given["template"]["spec"]), None)
    assert said == (words, () if field is None else (field,))


def test_rules_of_pods_and_time_come_too() -> None:
    rules = [
        {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]},
        {"action": "FailIndex", "onExitCodes": {"operator": "NotIn", "values": [1, 2, 3]}},
        {"action": "Count", "onExitCodes": {"containerName": "node", "operator": "In", "values": [42]}},
    ]
    given = entry("Never", podFailurePolicy={"rules": rules}, activeDeadlineSeconds=90, ttlSecondsAfterFinished=3600)
    given["template"]["spec"]["template"]["spec"]["activeDeadlineSeconds"] = 60
    first, second, third, _, *times = (said.text for said in of_pods(given))
    assert first == "if the pod has the condition DisruptionTarget: the pod is replaced, and the failure is not counted"
    assert second == "if the exit code is not 1, 2 or 3: the pod is given up at once"
    assert third == "if the exit code of container node is 42: the failure is counted as usual"
    assert times == ["the Job fails if it takes longer than 1 min 30 s", "a pod fails if it takes longer than 1 min", "the Job is deleted 1 h after its end"]


@pytest.mark.parametrize(
    ("policy", "last"),
    [
        (None, "when a Job fails, the whole training has failed; nothing is started again"),
        ({}, "when a Job fails, the whole training has failed; nothing is started again"),
        ({"maxRestarts": -1}, "when a Job fails, the whole training has failed; nothing is started again"),
        ({"maxRestarts": 1}, f"{RECREATED}, up to 1 time in all; {ENDED}"),
        ({"maxRestarts": 2, "restartStrategy": "Recreate"}, f"{RECREATED}, up to 2 times in all; {ENDED}"),
        ({"maxRestarts": 2, "restartStrategy": "BlockingRecreate"}, f"{RECREATED}, none before all old ones are gone, up to 2 times in all; {ENDED}"),
        (
            {"maxRestarts": 2, "restartStrategy": "InPlaceRestart"},
            f"when a Job fails, all containers are restarted in their pods, up to 2 times in all; {ENDED}",
        ),
    ],
)
def test_jobs_that_fail(policy: Tree | None, last: str) -> None:
    spec = {} if policy is None else {"failurePolicy": policy}
    assert of_jobset({"spec": spec}) == [(last, ("failurePolicy", "maxRestarts") if policy and policy.get("maxRestarts") else ())]


def test_rules_of_the_jobset_come_first() -> None:
    """RestartJobSet uses up the restarts, of which there may be none."""
    rules = [
        {"action": "FailJobSet", "onJobFailureReasons": ["PodFailurePolicy"], "onJobFailureMessagePatterns": ["^x", "y$"]},
        {"action": "RestartJobSet", "targetReplicatedJobs": ["a", "b"]},
    ]
    some, none = ([said.text for said in of_jobset({"spec": {"failurePolicy": {"maxRestarts": most, "rules": rules}}})] for most in (2, 0))
    assert some[0] == "when a Job fails with PodFailurePolicy and a message that matches ^x or y$: the training has failed at once"
    assert some[1] == "when a Job of a or b fails: all is started again, while there are restarts left (maxRestarts 2)"
    assert none[1] == "when a Job of a or b fails: the training has failed, since maxRestarts is 0"
    assert some[2:] == [f"when a Job fails for another reason, all Jobs are deleted and started again, up to 2 times in all; {ENDED}"]
    assert none[2:] == ["when a Job fails for another reason, the whole training has failed; nothing is started again"]


def test_success_and_the_end() -> None:
    jobset: Tree = {"spec": {"successPolicy": {"operator": "Any", "targetReplicatedJobs": ["a", "b", "c"]}, "ttlSecondsAfterFinished": 0}}
    assert success_of(jobset) == ("when one Job of a, b and c has succeeded", ("successPolicy", "operator"))
    assert success_of({"spec": {"successPolicy": {"operator": "All"}}}).text == "when every Job has succeeded"
    assert end_of(jobset) == [("the JobSet is deleted 0 s after its end", ("ttlSecondsAfterFinished",))]
    assert end_of({"spec": {}}) == []
    assert deadline_of(86461) == "the TrainJob fails, and its JobSet is deleted, if it takes longer than 1 d 1 min 1 s"


def test_numbers_in_words() -> None:
    assert [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 102)] == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd"]
    assert duration(86400 + 7200) == "1 d 2 h"


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("FailJobSet", "the training has failed at once"),
        ("RestartJobSet", "all is started again, while there are restarts left (maxRestarts 1)"),
        ("RestartJobSetAndIgnoreMaxRestarts", "all is started again, as often as it happens"),
        ("RestartJob", "that Job alone is started again, which counts as a restart"),
        ("RestartJobAndIgnoreMaxRestarts", "that Job alone is started again, as often as it happens"),
    ],
)
def test_every_action_of_a_rule(action: str, words: str) -> None:
    rule, _ = of_jobset({"spec": {"failurePolicy": {"maxRestarts": 1, "rules": [{"action": action}]}}})
    assert rule == (f"when a Job fails: {words}", ("failurePolicy", "rules", 0, "action"))


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("FailJob", "the Job fails at once"),
        ("FailIndex", "the pod is given up at once"),
        ("Ignore", "the pod is replaced, and the failure is not counted"),
        ("Count", "the failure is counted as usual"),
        ("Later", "Later"),
    ],
)
def test_every_action_of_a_pod_rule(action: str, words: str) -> None:
    rules = [{"action": action, "onExitCodes": {"operator": "In", "values": [1]}, "onPodConditions": [{"type": "A"}, {"type": "B"}]}]
    rule, _ = of_pods(entry(podFailurePolicy={"rules": rules}))
    assert rule == (
        f"if the exit code is 1, the pod has the condition A or the pod has the condition B: {words}",
        ("podFailurePolicy", "rules", 0, "action"),
    )


def test_a_rule_for_several_jobs_reasons_and_messages() -> None:
    rule = {
        "action": "FailJobSet",
        "targetReplicatedJobs": ["a", "b"],
        "onJobFailureReasons": ["BackoffLimitExceeded", "DeadlineExceeded"],
        "onJobFailureMessagePatterns": ["x.*", "y", "z"],
    }
    (said, _) = of_jobset({"spec": {"failurePolicy": {"rules": [rule]}}})
    conditions = "with BackoffLimitExceeded or DeadlineExceeded and a message that matches x.*, y or z"
    assert said.text == f"when a Job of a or b fails {conditions}: the training has failed at once"
