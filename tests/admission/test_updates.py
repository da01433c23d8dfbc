"""Finding the first difference, and what JobSet lets change while it is suspended."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.admission.updates import changed_place, check_jobset_update, check_overrides, check_runtime_update, first_difference, refused_changes
from jobset_compiler.api.runtime import decode as decode_runtime
from jobset_compiler.api.trainjob import TrainJob, decode
from jobset_compiler.profiles import NEWEST, find
from jobset_compiler.source.document import Document
from tests.admission.rules.cases import ALL, Tree, compiled, job, runtime, trainjob

ANEW = "create a new TrainJob, or delete the JobSet while the TrainJob is suspended"


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ({"a": 1, "b": 1}, {"a": 1, "b": 2}, ("b",)),
        ({"a": 1}, {}, ("a",)),
        ({"a": [1, {"x": 1}]}, {"a": [1, {"x": 2}]}, ("a", 1, "x")),
        ({"a": [1]}, {"a": [1, 2]}, ("a", 1)),
        ({"a": [1, 2]}, {"a": [1]}, ("a", 1)),
        ({"a": {}}, {"a": []}, ("a",)),
        ({"a": {"b": 1}}, {"a": 1}, ("a",)),
        ({"a": 1}, {"a": {"b": 1}}, ("a",)),
        ({"a": [1]}, {"a": {"b": 1}}, ("a",)),
        ({"a": [1]}, {"a": 1}, ("a",)),
        ({"a": 1}, {"a": [1]}, ("a",)),
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


def override(account: str, name: str = "node") -> Tree:
    return {"targetJobs": [{"name": name}], "spec": {"serviceAccountName": account}}


def overridden(release: str, *overrides: Tree, suspend: bool | None = None) -> TrainJob:
    """A TrainJob with overrides in the spelling of its release."""
    profile = find(release)
    assert profile is not None
    spec: Tree = {profile.override_field: list(overrides)} if overrides else {}
    typed = {"metadata": {"name": "job", "namespace": "team"}, "spec": {**spec, **({} if suspend is None else {"suspend": suspend})}}
    return decode(Document.from_object(typed, file="suspended" if suspend else "running"), typed, typed, profile.override_field)


def overrides_refused(release: str, was: TrainJob, new: TrainJob, *active: str) -> list[tuple[str, str]]:
    profile = find(release)
    assert profile is not None
    found = list(check_overrides(was, new, profile, active))
    for d in found:
        assert (d.severity, d.stage, d.path, d.document, d.object_kind, d.namespace, d.name) == (
            *("error", "webhook", f"spec.{profile.override_field}", new.document, "TrainJob", "team", "job"),
        )
        assert [(note.message, note.document, note.at) for note in d.notes] == [("as it was", was.document, ("spec", profile.override_field))]
    return [(d.message, d.hint) for d in found]


SUSPEND = "set spec.suspend: true as well, and false again afterwards"
WAIT = "wait until its pods are gone"


@pytest.mark.parametrize(
    ("release", "field", "on_resume"),
    [("v2.0", "PodSpecOverrides", False), ("v2.1", "PodTemplateOverrides", False), ("v2.2", "RuntimePatches", True), ("v2.3", "RuntimePatches", True)],
)
def test_overrides_change_only_while_nothing_runs(release: str, field: str, on_resume: bool) -> None:
    def told(before: bool | None, after: bool | None, *active: str) -> list[tuple[str, str]]:
        return overrides_refused(release, overridden(release, override("a"), suspend=before), overridden(release, override("b"), suspend=after), *active)

    running = [(f"{field} can only be modified when the TrainJob is suspended" + (" before or after the update" if on_resume else ""), SUSPEND)]
    still = [(f"{field} cannot be modified when the JobSet's ReplicatedJob {name} is still active", WAIT) for name in ("node", "launcher")]
    assert told(None, None) == told(False, False) == told(False, None, "node") == running
    assert told(None, True) == told(True, True) == []
    assert told(True, True, "node", "launcher") == told(False, True, "node", "launcher") == still
    assert told(True, False) == ([] if on_resume else running)
    assert told(True, None, "node", "launcher") == (still if on_resume else running)


@pytest.mark.parametrize(
    ("before", "after", "at"),
    [
        ([], [], None),
        ([override("a")], [override("a")], None),
        ([{**override("a"), "time": "then"}], [override("a")], None),
        ([override("a")], [override("b")], 0),
        ([override("a")], [override("a"), override("b")], 1),
        ([], [override("a")], 0),
        ([override("a"), override("b")], [override("a")], ()),
        ([override("a"), override("b")], [override("b"), override("a")], 0),
        ([override("a"), override("b")], [override("a"), override("c")], 1),
    ],
)
def test_the_override_that_differs_first_is_shown(before: list[Tree], after: list[Tree], at: Any) -> None:
    found = list(check_overrides(overridden("v2.3", *before), overridden("v2.3", *after), NEWEST))
    field = ("spec", "runtimePatches")
    assert [d.at for d in found] == ([] if at is None else [field if at == () else (*field, at)])


def changed(old: dict[str, Any], new: dict[str, Any], **pod: Any) -> list[Any]:
    """What becomes of the JobSet where a TrainJob is changed, and with `pod` its runtime too."""
    (before,) = compiled("v2.3", runtime(job("node", "trainer")), trainjob(**old)).units
    (after,) = compiled("v2.3", runtime(job("node", "trainer", **pod)), trainjob(**new)).units
    found = list(check_jobset_update(before.objects[0], after.objects[0], before.plan.job, after.plan.job, after.plan.profile))
    assert all((d.stage, d.document, d.object_kind, d.namespace, d.name) == ("jobset", after.plan.job.document, "JobSet", "default", "job") for d in found)
    return [(d.slug, d.at, d.path, d.hint) for d in found]


@pytest.mark.parametrize(
    ("old", "new", "suspended"),
    [(None, None, False), (False, False, False), (True, False, True), (True, None, True), (None, True, True), (False, True, True), (True, True, True)],
)
def test_a_jobset_is_left_alone_while_the_trainjob_runs(old: bool | None, new: bool | None, suspended: bool) -> None:
    before, after = ({} if value is None else {"suspend": value} for value in (old, new))
    at = ("spec", "suspend") if old != new else ("spec", "runtimeRef")
    field = "replicatedJobs[0].template.spec.template.spec.serviceAccountName"
    refused = ("jobset-change-refused", at, "spec.replicatedJobs", f"{field} cannot change: {ANEW}")
    assert changed(before, after, serviceAccountName="a") == [refused if suspended else ("edit-without-effect", at, "", "create a new TrainJob")]
    assert changed(before, after, nodeSelector={"a": "b"}) == ([] if suspended else [("edit-without-effect", at, "", "create a new TrainJob")])
    assert changed(before, after) == []


def test_a_change_is_shown_where_the_trainjob_has_it() -> None:
    old, new = {"suspend": True, "trainer": {"image": "a"}}, {"suspend": True, "trainer": {"image": "b"}}
    field = "replicatedJobs[0].template.spec.template.spec.containers[0].image"
    assert changed(old, new) == [("jobset-change-refused", ("spec", "trainer", "image"), "spec.replicatedJobs", f"{field} cannot change: {ANEW}")]


def stored(*jobs: Tree, **spec: Any) -> Tree:
    return {"spec": {"replicatedJobs": list(jobs), **spec}}


def with_pod(name: str = "a", metadata: Tree | None = None, **pod: Any) -> Tree:
    return {"name": name, "template": {"spec": {"template": {**({} if metadata is None else {"metadata": metadata}), "spec": pod}}}}


SINCE_0_12 = 'Invalid value: [{"name":"a",'


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        (stored(with_pod()), stored(with_pod()), []),
        (stored(with_pod()), stored(with_pod(nodeSelector={"a": "b"}, tolerations=[{}], schedulingGates=[{"name": "g"}])), []),
        (stored(with_pod(nodeSelector={"a": "b"})), stored(with_pod()), []),
        (stored(with_pod()), stored(with_pod(metadata={"labels": {"a": "b"}, "annotations": {"c": "d"}})), []),
        (stored(with_pod(metadata={"labels": {"a": "b"}})), stored(with_pod()), []),
        (stored(with_pod()), stored(with_pod(metadata={"finalizers": ["x"]})), ["replicatedJobs[0].template.spec.template.metadata"]),
        (stored(with_pod()), stored(with_pod(hostNetwork=True)), ["replicatedJobs[0].template.spec.template.spec.hostNetwork"]),
        (stored(with_pod(hostNetwork=True)), stored(with_pod()), ["replicatedJobs[0].template.spec.template.spec.hostNetwork"]),
        (
            stored(with_pod("a"), with_pod("b")),
            stored(with_pod("a"), with_pod("b", hostNetwork=True)),
            ["replicatedJobs[1].template.spec.template.spec.hostNetwork"],
        ),
        (stored(with_pod("a"), with_pod("b")), stored(with_pod("b"), with_pod("a")), ["replicatedJobs[0].name"]),
        (stored(with_pod("a"), with_pod("b")), stored(with_pod("a")), ["replicatedJobs[1]"]),
        (stored(managedBy="a.io/b"), stored(managedBy="a.io/c"), ["managedBy"]),
        (stored(managedBy="a.io/b"), stored(managedBy="a.io/b"), []),
        (
            stored(with_pod(), managedBy="a.io/b"),
            stored(with_pod(hostNetwork=True)),
            ["replicatedJobs[0].template.spec.template.spec.hostNetwork", "managedBy"],
        ),
    ],
)
def test_what_may_differ_in_a_stored_jobset(before: Tree, after: Tree, what: list[str]) -> None:
    for profile in (find("v2.1"), NEWEST):
        assert profile is not None
        found = list(refused_changes(before, after, profile))
        assert [field for field, _, _ in found] == what
        for field, message, path in found:
            own = "Invalid value: [" if profile is NEWEST and field != "managedBy" else "field is immutable"
            assert message.startswith(own) and message.endswith("field is immutable")
            assert path == ("spec.managedBy" if field == "managedBy" else "spec.replicatedJobs")


def test_up_to_0_11_the_webhook_crashes_over_a_job_that_is_new() -> None:
    before, after = stored(with_pod("a")), stored(with_pod("a"), with_pod("b"))
    old = find("v2.2")
    assert old is not None
    assert list(refused_changes(before, after, old)) == [("replicatedJobs[1]", "runtime error: index out of range [1] with length 1", "")]
    ((field, message, path),) = refused_changes(before, after, NEWEST)
    assert (field, path) == ("replicatedJobs[1]", "spec.replicatedJobs") and message.startswith(SINCE_0_12)


@pytest.mark.parametrize(("kind", "refused"), [("ClusterTrainingRuntime", True), ("TrainingRuntime", False)])
def test_only_a_runtime_of_the_cluster_is_looked_at_again(kind: str, refused: bool) -> None:
    value = runtime({**job("node", "trainer"), "replicas": 2}, kind=kind, labels={"trainer.kubeflow.org/support": "deprecated"})
    found = list(check_runtime_update(decode_runtime(Document.from_object(value), value, bundled=False), NEWEST))
    assert [d.slug for d in found] == (["runtime-replicas"] if refused else [])
