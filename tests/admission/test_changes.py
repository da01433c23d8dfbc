"""Updates: what must not change, and which old faults may stay."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.admission.changes import cel_equal, is_unchanged
from jobset_compiler.admission.schema import admit_document
from jobset_compiler.profiles import NEWEST, find


def job(**spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "job"},
        "spec": {"runtimeRef": {"name": "rt"}, **spec},
    }


def update(old: dict[str, Any], new: dict[str, Any], release: str = "v2.3") -> list[str]:
    profile = find(release)
    assert profile is not None
    return [entry.text for entry in admit_document(new, old["kind"], profile, old).errors]


@pytest.mark.parametrize(
    ("release", "text"),
    [
        ("v2.1", 'spec.runtimeRef: Invalid value: "object": runtimeRef is immutable'),
        ("v2.3", "spec.runtimeRef: Invalid value: field is immutable"),
    ],
)
def test_the_runtime_of_a_train_job_must_not_change(release: str, text: str) -> None:
    assert update(job(), job(runtimeRef={"name": "other"}), release) == [text]


def test_a_default_written_out_is_no_change() -> None:
    assert update(job(), job(managedBy="trainer.kubeflow.org/trainjob-controller", runtimeRef={"name": "rt", "kind": "ClusterTrainingRuntime"})) == []


def test_a_field_may_be_added_and_taken_away_where_there_is_no_earlier_self() -> None:
    assert update(job(), job(trainer={"image": "x"})) == []
    assert update(job(trainer={"image": "x"}), job()) == []


def test_the_trainer_is_immutable_from_v2_2_on() -> None:
    old, new = job(trainer={"image": "x"}), job(trainer={"image": "y"})
    assert update(old, new, "v2.1") == []
    assert update(old, new, "v2.2") == ["spec.trainer: Invalid value: field is immutable"]


def patch(manager: str, account: str) -> dict[str, Any]:
    pod = {"template": {"spec": {"serviceAccountName": account}}}
    return {"manager": manager, "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": [{"name": "node", "template": {"spec": pod}}]}}}}


def test_elements_of_keyed_lists_are_compared_by_key() -> None:
    old = job(runtimePatches=[patch("a.io/a", "one"), patch("a.io/b", "two")])
    assert update(old, job(runtimePatches=[patch("a.io/b", "two"), patch("a.io/a", "one")])) == []
    path = "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec.template.spec.serviceAccountName"
    assert update(old, job(runtimePatches=[patch("a.io/b", "one")])) == [f'{path}: Invalid value: "one": field is immutable']


def test_variables_in_another_order_are_no_change() -> None:
    one, other = {"name": "A", "value": "a"}, {"name": "B", "value": "b"}
    assert update(job(trainer={"env": [one, other]}), job(trainer={"env": [other, one]})) == []
    assert update(job(trainer={"env": [one, other]}), job(trainer={"env": [one]})) == ["spec.trainer: Invalid value: field is immutable"]


def test_an_override_may_be_added() -> None:
    assert update(job(runtimePatches=[patch("a.io/a", "one")]), job(runtimePatches=[patch("a.io/a", "one"), patch("a.io/b", "two")])) == []


def test_rules_of_a_runtime_say_nothing_of_its_changes() -> None:
    def with_policy(**policy: Any) -> dict[str, Any]:
        node = {"name": "node", "template": {"spec": {"template": {"spec": {"containers": [{"name": "node"}]}}}}}
        spec = {"mlPolicy": policy, "template": {"spec": {"replicatedJobs": [node]}}}
        return {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "ClusterTrainingRuntime", "metadata": {"name": "rt"}, "spec": spec}

    assert update(with_policy(numNodes=1, torch={}), with_policy(numNodes=2, mpi={})) == []


def test_a_fault_in_an_unchanged_part_is_forgiven() -> None:
    old = job(suspend=True, trainer={"args": ["x"] * 129})
    assert update(old, job(suspend=False, trainer={"args": ["x"] * 129})) == []
    assert update(old, job(suspend=True, trainer={"args": ["y"] * 129})) == ["spec.trainer.args: Too many: 129: must have at most 128 items"]


def test_an_item_that_is_no_mapping_has_no_earlier_self() -> None:
    old = job(trainer={"env": [{"name": "A"}, {"name": "B"}]})
    texts = update(old, job(trainer={"env": ["A=b", {"name": "B"}]}))
    assert texts == [
        'spec.trainer.env[0]: Invalid value: "string": spec.trainer.env[0] in body must be of type object: "string"',
        'spec.trainer.env[0]: Invalid value: "A=b": must be an object for an array of list-type map',
    ]


def test_a_missing_field_of_an_unchanged_object_is_forgiven() -> None:
    old = job(trainer={"env": [{"value": "x"}]})
    assert update(old, job(suspend=True, trainer={"env": [{"value": "x"}]})) == []


def test_a_name_is_judged_on_creation_only() -> None:
    old, new = job(), job(suspend=True)
    old["metadata"] = new["metadata"] = {"name": "Upper"}
    assert [text for text in update(old, new, "v2.0") if "metadata.name" in text] == []


def test_changes_are_not_looked_at_after_a_blocking_error() -> None:
    texts = update(job(), job(runtimeRef={"name": "other"}, trainer={"image": 1}))
    assert texts == ['spec.trainer.image: Invalid value: "integer": spec.trainer.image in body must be of type string: "integer"']


SPEC = NEWEST.types().struct("trainer.TrainJobSpec").fields
TARGETS = NEWEST.types().struct("trainer.TorchMLPolicySource").fields["envInjection"]
RULE = NEWEST.types().struct("batch.PodFailurePolicy").fields["rules"]
A, B, C = {"name": "A", "value": "a"}, {"name": "B", "value": "b"}, {"name": "A", "value": "c"}


@pytest.mark.parametrize(
    ("old", "new", "equal"),
    [
        ({"image": "x", "env": [A, B]}, {"env": [B, A], "image": "x"}, True),
        ({"image": "x", "env": [A, B]}, {"image": "y", "env": [B, A]}, False),
        ({"env": [A, B]}, {"image": "x", "env": [B, A]}, False),
        ({"image": "x", "env": [A, B]}, {"env": [B, A]}, False),
        ({"env": [A, B]}, {"env": [B, C]}, False),
        ({"env": [A, B]}, {"env": [A]}, False),
        ({"env": [A]}, {"env": [A, B]}, False),
        ({"env": [A, B]}, {"env": None}, False),
        ({"env": [A, B], "other": 1}, {"env": [B, A], "other": 1}, False),
        ({"args": ["a", "b"]}, {"args": ["b", "a"]}, False),
        ({"args": ["a", "b"], "env": [A, B]}, {"args": ["a", "b"], "env": [B, A]}, True),
        ({"args": []}, {"args": []}, True),
        ({}, None, False),
        (None, None, True),
    ],
)
def test_lists_by_key_are_equal_in_any_order(old: Any, new: Any, equal: bool) -> None:
    """As CEL compares them: x-kubernetes-list-type in k8s.io/apiserver/pkg/cel/common."""
    assert cel_equal(old, new, SPEC["trainer"]) is equal
    assert cel_equal(new, old, SPEC["trainer"]) is equal


def test_sets_are_equal_in_any_order() -> None:
    def targets(*names: str) -> dict[str, Any]:
        return {"targets": [{"jobName": "node", "containerNames": list(names)}]}

    assert cel_equal(targets("a", "b"), targets("b", "a"), TARGETS)
    assert not cel_equal(targets("a", "b"), targets("a", "c"), TARGETS)
    assert not cel_equal(targets("a", "b"), targets("c", "b"), TARGETS)
    assert not cel_equal(targets("a"), targets("a", "b"), TARGETS)


def test_other_lists_are_compared_item_by_item() -> None:
    def rules(*codes: list[int]) -> list[dict[str, Any]]:
        return [{"action": "Ignore", "onExitCodes": {"operator": "In", "values": values}} for values in codes]

    assert cel_equal(rules([1, 2], [3]), rules([2, 1], [3]), RULE)
    assert not cel_equal(rules([1, 2], [3]), rules([3], [2, 1]), RULE)


@pytest.mark.parametrize(
    ("path", "unchanged"),
    [
        (("spec", "trainer", "image"), True),
        (("spec", "trainer", "args"), True),
        (("spec", "trainer", "args", 0), True),
        (("spec", "trainer", "numNodes"), False),
        (("spec", "trainer"), False),
        (("spec", "suspend"), False),
        (("spec", "activeDeadlineSeconds"), False),
        (("spec", "initializer", "dataset", "storageUri"), False),
        (("spec", "trainer", "env", 0), True),
        (("spec", "trainer", "env", 0, "value"), True),
        (("spec", "trainer", "env", 1), False),
        (("spec", "trainer", "env", 1, "name"), True),
        (("spec", "trainer", "env", 1, "value"), False),
        (("spec", "trainer", "env", 2), False),
        (("spec", "trainer", "env", 2, "name"), False),
        (("spec", "managedBy"), False),
        (("spec", "initializer", "model"), False),
        (("spec", "runtimeRef", "zone"), True),
        (("metadata", "name"), True),
        (("metadata", "namespace"), True),
        (("metadata", "generateName"), True),
        (("metadata", "labels"), False),
        ((), False),
    ],
)
def test_what_an_update_has_left_as_it_was(path: tuple[str | int, ...], unchanged: bool) -> None:
    """An item of a list by key is compared with the one of the same key, wherever that stood."""
    before = job(trainer={"image": "x", "args": ["a"], "numNodes": 1, "env": [A, B]}, initializer={})
    after = job(
        trainer={"image": "x", "args": ["a"], "numNodes": 2, "env": [B, C, {"name": "D", "value": "d"}]}, initializer={"model": {}}, suspend=True, managedBy="x"
    )
    after["metadata"] = {"name": "other"}
    assert is_unchanged(path, before, after, NEWEST.types().struct("trainer.TrainJob")) is unchanged
    assert is_unchanged((*path, "further"), before, before, NEWEST.types().struct("trainer.TrainJob")) is (path[:1] != ("metadata",))
