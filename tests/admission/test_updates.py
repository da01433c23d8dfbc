"""Finding the first difference, and what JobSet lets change while it is suspended."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.admission.updates import changed_place, check_jobset_update, first_difference
from tests.admission.rules.cases import ALL, Tree, compiled, job, runtime, trainjob


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ({"a": 1, "b": 1}, {"a": 1, "b": 2}, ("b",)),
        ({"a": 1}, {}, ("a",)),
        ({"a": [1, {"x": 1}]}, {"a": [1, {"x": 2}]}, ("a", 1, "x")),
        ({"a": [1]}, {"a": [1, 2]}, ("a", 1)),
        ({"a": [1, 2]}, {"a": [1]}, ("a", 1)),
        ({"a": {}}, {"a": []}, ("a",)),
    ],
)
def test_first_difference(old: Any, new: Any, path: tuple[str | int, ...]) -> None:
    assert first_difference(old, new) == path


def test_changed_place_is_below_spec() -> None:
    assert changed_place({"spec": {"a": 1}}, {"spec": {"a": 2}}) == ("spec", "a")
    assert changed_place({"spec": {"a": 1}}, {"spec": {"a": 1}}) == ()


def judged(profile: str, change: dict[str, Any], **trainjob_spec: Any) -> list[tuple[str, str, str]]:
    """A suspended TrainJob whose runtime's pod template is given other values."""
    units: list[Any] = []
    for pod in ({}, change):
        rt = runtime(job("node", "trainer", **{k: v for k, v in pod.items() if k not in ("labels", "annotations")}))
        metadata: Tree = {k: v for k, v in pod.items() if k in ("labels", "annotations")}
        if metadata:
            rt["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["metadata"] = metadata
        units += compiled(profile, rt, trainjob(suspend=True, **trainjob_spec)).units
    old, new = units
    found = check_jobset_update(old.objects[0], new.objects[0], old.plan.job, new.plan.job, new.plan.profile)
    return [(d.slug, d.path, d.message) for d in found]


@pytest.mark.parametrize("profile", ALL)
@pytest.mark.parametrize(
    "change",
    [
        {"labels": {"a": "b"}},
        {"annotations": {"a": "b"}},
        {"nodeSelector": {"a": "b"}},
        {"tolerations": [{"operator": "Exists"}]},
        {"schedulingGates": [{"name": "a.b/c"}]},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_a_suspended_jobset_may_change(profile: str, change: Tree) -> None:
    assert judged(profile, change) == []


@pytest.mark.parametrize("profile", ALL)
@pytest.mark.parametrize(
    "change", [{"serviceAccountName": "a"}, {"priorityClassName": "a"}, {"volumes": [{"name": "a", "emptyDir": {}}]}], ids=lambda change: next(iter(change))
)
def test_what_it_may_not(profile: str, change: Tree) -> None:
    ((slug, path, message),) = judged(profile, change)
    assert (slug, path) == ("jobset-change-refused", "spec.replicatedJobs")
    shown, _, words = message.rpartition(": ")
    assert (words or shown) == "field is immutable"
    assert shown.startswith('Invalid value: [{"name":"node",') is (profile == "v2.3")
