"""The Job around the pod."""

from __future__ import annotations

import pytest

from jobset_compiler.admission.children.success import IndexListError, count_of
from jobset_compiler.admission.jobset_defaults import with_webhook_defaults
from tests.admission.children.said import POD, Tree, refusals, said, texts

pytestmark = pytest.mark.usefixtures("whole_words")

CODES = {"operator": "In", "values": [1]}
NEVER = {"restartPolicy": "Never"}
MANY = "must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index"


@pytest.mark.parametrize(
    ("job", "faults"),
    [
        ({"backoffLimit": -1}, ["backoffLimit: Invalid value: -1: must be greater than or equal to 0"]),
        ({"parallelism": 100001}, ["parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed"]),
        ({"completionMode": "Some"}, ['completionMode: Unsupported value: "Some": supported values: "NonIndexed", "Indexed"']),
        ({"completionMode": "NonIndexed", "backoffLimitPerIndex": 1}, ["backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode"]),
        ({"maxFailedIndexes": 1}, ["backoffLimitPerIndex: Required value: when maxFailedIndexes is specified"]),
        ({"maxFailedIndexes": 3, "backoffLimitPerIndex": 1}, ["maxFailedIndexes: Invalid value: 3: must be less than or equal to completions"]),
        (
            {"completions": 100001, "parallelism": 10001, "backoffLimitPerIndex": 1},
            [
                "maxFailedIndexes: Required value: must be specified when completions is above 100000",
                f"parallelism: Invalid value: 10001: {MANY}",
            ],
        ),
        (
            {"completions": 100002, "maxFailedIndexes": 100001, "backoffLimitPerIndex": 1},
            [
                "maxFailedIndexes: Invalid value: 100001: must be less than or equal to 100000",
                f"maxFailedIndexes: Invalid value: 100001: {MANY}",
            ],
        ),
        ({"managedBy": "x"}, ['managedBy: Invalid value: "x": must be a domain-prefixed path (such as "acme.io/foo")']),
        ({"managedBy": ""}, ["managedBy: Required value"]),
        ({"managedBy": "a.io/" + "x" * 60}, ["managedBy: Too long: may not be more than 63 bytes"]),
        ({"podReplacementPolicy": "x"}, ['podReplacementPolicy: Unsupported value: "x": supported values: "Failed", "TerminatingOrFailed"']),
        (
            {"podReplacementPolicy": "TerminatingOrFailed", "podFailurePolicy": {"rules": []}},
            ['podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"'],
        ),
        (
            {"completionMode": "NonIndexed", "successPolicy": {"rules": [{"succeededCount": 1}]}},
            ['successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode'],
        ),
        ({"successPolicy": {"rules": []}}, ["successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified"]),
    ],
)
def test_jobs(job: Tree, faults: list[str]) -> None:
    assert said(job=job, pod=NEVER) == [("job-refused", f"spec.{fault}") for fault in faults]


def test_indexed_jobs_need_completions() -> None:
    def of(**counts: int) -> list[str]:
        template = {"spec": {**counts, "template": {"spec": {"containers": [{"name": "c", "image": "i"}]}}}}
        jobset = with_webhook_defaults({"metadata": {"name": "js"}, "spec": {"replicatedJobs": [{"name": "a", "template": template}]}})
        return [refusal.message.partition(": ")[2] for refusal in refusals(jobset)]

    assert of(parallelism=2) == ["spec.completions: Required value: when completion mode is Indexed"]
    assert of() == [], "both become 1"


@pytest.mark.parametrize(
    ("rule", "faults"),
    [
        ({"action": "", "onExitCodes": CODES}, ['.action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]']),
        ({"action": "x", "onExitCodes": CODES}, ['.action: Unsupported value: "x": supported values: "Count", "FailIndex", "FailJob", "Ignore"']),
        ({"action": "FailIndex", "onExitCodes": CODES}, ['.action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set']),
        ({"action": "Ignore"}, [": Invalid value: specifying one of OnExitCodes and OnPodConditions is required"]),
        (
            {"action": "Ignore", "onExitCodes": CODES, "onPodConditions": [{"type": "A"}]},
            [": Invalid value: specifying both OnExitCodes and OnPodConditions is not supported"],
        ),
        (
            {"action": "Ignore", "onExitCodes": {"operator": "", "values": []}},
            ['.onExitCodes.operator: Required value: valid values: ["In" "NotIn"]', ".onExitCodes.values: Invalid value: []: at least one value is required"],
        ),
        (
            {"action": "Ignore", "onExitCodes": {"operator": "In", "values": [1, 0, 1], "containerName": "x"}},
            [
                '.onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template',
                ".onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator",
                ".onExitCodes.values[2]: Duplicate value: 1",
                ".onExitCodes.values: Invalid value: [1,0,1]: must be ordered",
            ],
        ),
        (
            {"action": "Ignore", "onExitCodes": {"operator": "NotIn", "values": [*range(256)]}},
            [".onExitCodes.values: Too many: 256: must have at most 255 items"],
        ),
        ({"action": "Ignore", "onPodConditions": [{"type": "A"}] * 21}, [".onPodConditions: Too many: 21: must have at most 20 items"]),
        (
            {"action": "Ignore", "onPodConditions": [{"type": "A", "status": "x"}]},
            ['.onPodConditions[0].status: Unsupported value: "x": supported values: "False", "True", "Unknown"'],
        ),
    ],
)
def test_failure_rules(rule: Tree, faults: list[str]) -> None:
    found = texts(job={"podFailurePolicy": {"rules": [rule]}}, pod=NEVER)
    assert found == [f"spec.podFailurePolicy.rules[0]{fault}" for fault in faults]


def test_many_failure_rules() -> None:
    rules = {"podFailurePolicy": {"rules": [{"action": "Count", "onExitCodes": CODES}] * 21}}
    assert texts(job=rules, pod=NEVER) == ["spec.podFailurePolicy.rules: Too many: 21: must have at most 20 items"]


@pytest.mark.parametrize(
    ("rule", "faults"),
    [
        ({}, [": Required value: at least one of succeededCount or succeededIndexes must be specified"]),
        ({"succeededCount": -1}, [".succeededCount: Invalid value: -1: must be greater than or equal to 0"]),
        ({"succeededCount": 3}, [".succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of specified completions)"]),
        (
            {"succeededIndexes": "0", "succeededCount": 2},
            [".succeededCount: Invalid value: 2: must be less than or equal to 1 (the number of indexes in the specified succeededIndexes field)"],
        ),
        (
            {"succeededIndexes": "a", "succeededCount": 1},
            [
                '.succeededIndexes: Invalid value: "a": error parsing succeededIndexes: cannot convert string to integer for index: "a"',
                ".succeededCount: Invalid value: 1: must be less than or equal to 0 (the number of indexes in the specified succeededIndexes field)",
            ],
        ),
        ({"succeededIndexes": "2"}, ['.succeededIndexes: Invalid value: "2": error parsing succeededIndexes: too large index: "2"']),
        (
            {"succeededIndexes": "0" * 65537},
            [".succeededIndexes: Too long: may not be more than 65536 bytes"],
        ),
    ],
)
def test_success_rules(rule: Tree, faults: list[str]) -> None:
    assert texts(job={"successPolicy": {"rules": [rule]}}) == [f"spec.successPolicy.rules[0]{fault}" for fault in faults]


@pytest.mark.parametrize(
    ("indexes", "problem"),
    [
        ("a", 'cannot convert string to integer for index: "a"'),
        ("0-", 'cannot convert string to integer for index: ""'),
        ("0-1-2", "the fragment \"0-1-2\" violates the requirement that an index interval can have at most two parts separated by '-'"),
        ("1-1", "non-increasing order, previous: 1, current: 1"),
        ("2,1", "non-increasing order, previous: 2, current: 1"),
        ("1-3,3", "non-increasing order, previous: 3, current: 3"),
        ("0,", 'cannot convert string to integer for index: ""'),
        ("0-9", 'too large index: "9"'),
    ],
)
def test_lists_of_indexes(indexes: str, problem: str) -> None:
    with pytest.raises(IndexListError) as error:
        count_of(indexes, 5)
    assert str(error.value) == problem


def test_how_many_indexes_a_list_names() -> None:
    assert [count_of(indexes, 5) for indexes in ("", "0", "+1", "0-4", "0,2-4")] == [0, 1, 1, 5, 4]


@pytest.mark.parametrize(
    ("policy", "job", "fault"),
    [
        ("Always", {}, f'{POD}.restartPolicy: Required value: valid values: "OnFailure", "Never"'),
        (
            "OnFailure",
            {"podFailurePolicy": {"rules": []}},
            f'{POD}.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
        ),
    ],
)
def test_restart_policies(policy: str, job: Tree, fault: str) -> None:
    assert texts(job=job, pod={"restartPolicy": policy}) == [fault]


def test_a_restart_policy_of_neither_is_said_twice() -> None:
    start = f'{POD}.restartPolicy: Unsupported value: "x": supported values: '
    assert texts(pod={"restartPolicy": "x"}) == [f'{start}"Always", "OnFailure", "Never"', f'{start}"OnFailure", "Never"']


def test_a_job_that_waits_for_itself() -> None:
    template = {"spec": {"template": {"spec": {"containers": [{"name": "c", "image": "i"}]}}}}
    jobs = [{"name": "a", "template": template}, {"name": "b", "template": template, "dependsOn": [{"name": "b", "status": "Ready"}]}]
    (found,) = refusals(with_webhook_defaults({"metadata": {"name": "js"}, "spec": {"replicatedJobs": jobs}}))
    assert (found.code.slug, found.message, found.at) == (
        "depends-on-itself",
        'replicatedJob "b" depends on itself, so that its Jobs are never created',
        ("spec", "replicatedJobs", 1, "dependsOn"),
    )
