"""Edits of what a cluster has: which are refused, by whom, and which have no effect."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler.library.updates import check_update
from jobset_compiler.profiles import find
from jobset_compiler.request.options import Options
from jobset_compiler.source.document import Document
from tests.admission.rules.cases import ALL, Tree, job, runtime, trainjob

FIELDS = {"v2.0": "podSpecOverrides", "v2.1": "podTemplateOverrides", "v2.2": "runtimePatches", "v2.3": "runtimePatches"}
RUNTIME = runtime(job("node", "trainer"), policy={"torch": {}})


def update(profile: str, old: list[Tree], new: list[Tree], active: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    """(slug, path, message) of errors and warnings; the bundled runtimes have no say here."""
    release = find(profile)
    assert release is not None
    options = Options(profile=release, bundled_runtimes=False)
    before, after = ([Document.from_object(tree, f"{name}.yaml") for tree in trees] for name, trees in (("old", old), ("new", new)))
    untouched = deepcopy((old, new))
    found = check_update(before, after, options, active)
    assert (old, new) == untouched
    return [(d.slug, d.path, d.message) for d in found if d.severity != "info"]


def with_override(profile: str, gate: str, **spec: Any) -> Tree:
    """A TrainJob whose node pods have a node selector, in the spelling of the release."""
    pod = {"nodeSelector": {"a": gate}}
    targets = [{"name": "node"}]
    patched = {"name": "node", "template": {"spec": {"template": {"spec": pod}}}}
    override = {
        "podSpecOverrides": {"targetJobs": targets, **pod},
        "podTemplateOverrides": {"targetJobs": targets, "spec": pod},
        "runtimePatches": {"manager": "example.com/me", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": [patched]}}}},
    }[FIELDS[profile]]
    spec[FIELDS[profile]] = [override]
    return trainjob(**spec)


@pytest.mark.parametrize("profile", ALL)
def test_nothing_changed(profile: str) -> None:
    both = [RUNTIME, with_override(profile, "x", trainer={"numNodes": 2})]
    assert update(profile, both, both) == []


@pytest.mark.parametrize("profile", ALL)
@pytest.mark.parametrize(("before", "after"), [(False, False), (True, False), (False, True), (True, True)])
def test_overrides_while_running(profile: str, before: bool, after: bool) -> None:
    """2.2.1 and later look at both sides of the update (#3469)."""
    found = update(profile, [RUNTIME, with_override(profile, "x", suspend=before)], [RUNTIME, with_override(profile, "y", suspend=after)])
    both_sides = profile in ("v2.2", "v2.3")
    if after or (before and both_sides):
        assert found == []
    else:
        field = FIELDS[profile]
        tail = " before or after the update" if both_sides else ""
        message = f"{field[0].upper()}{field[1:]} can only be modified when the TrainJob is suspended{tail}"
        assert found == [("overrides-while-running", f"spec.{field}", message)]


@pytest.mark.parametrize("profile", ALL)
def test_overrides_while_jobs_are_active(profile: str) -> None:
    old, new = ([RUNTIME, with_override(profile, gate, suspend=True)] for gate in "xy")
    field = FIELDS[profile]
    message = f"{field[0].upper()}{field[1:]} cannot be modified when the JobSet's ReplicatedJob node is still active"
    assert update(profile, old, new, ("node",)) == [("overrides-while-active", f"spec.{field}", message)]


def test_the_time_of_a_patch_is_the_servers() -> None:
    old, new = with_override("v2.3", "x"), with_override("v2.3", "x")
    old["spec"]["runtimePatches"][0]["time"] = "2026-01-01T00:00:00Z"
    assert update("v2.3", [RUNTIME, old], [RUNTIME, new]) == []


@pytest.mark.parametrize("profile", ALL)
def test_trainer_of_a_running_trainjob(profile: str) -> None:
    old, new = ([RUNTIME, trainjob(trainer={"image": image})] for image in "ab")
    if profile in ("v2.2", "v2.3"):
        assert update(profile, old, new) == [("invalid", "spec.trainer", "field is immutable")]
    else:
        message = "admitted, but the JobSet stays as it is while the TrainJob runs: {}[0].template.spec.template.spec.containers[0].image would change"
        assert update(profile, old, new) == [("edit-without-effect", "", message.format("replicatedJobs"))]


@pytest.mark.parametrize("profile", ("v2.0", "v2.1"))
def test_trainer_of_a_suspended_trainjob(profile: str) -> None:
    """Admitted, and then JobSet refuses what the controller applies, for ever."""
    old, new = ([RUNTIME, trainjob(trainer={"image": image}, suspend=True)] for image in "ab")
    assert update(profile, old, new) == [("jobset-change-refused", "spec.replicatedJobs", "field is immutable")]


@pytest.mark.parametrize("profile", ALL)
def test_runtime_reference(profile: str) -> None:
    other = {**RUNTIME, "metadata": {"name": "other"}}
    message = "runtimeRef is immutable" if profile in ("v2.0", "v2.1") else "field is immutable"
    assert update(profile, [RUNTIME, other, trainjob()], [RUNTIME, other, trainjob(ref="other")]) == [("invalid", "spec.runtimeRef", message)]


@pytest.mark.parametrize("profile", ALL)
def test_an_edited_runtime(profile: str) -> None:
    """2.3 keeps the runtime that a TrainJob began with; before, a suspended TrainJob cannot follow."""
    edited = runtime(job("node", "trainer", containers=[{"name": "node", "image": "new"}]), policy={"torch": {}})
    found = update(profile, [RUNTIME, trainjob(suspend=True)], [edited, trainjob(suspend=True)])
    assert found == ([] if profile == "v2.3" else [("jobset-change-refused", "spec.replicatedJobs", "field is immutable")])


def test_the_kept_runtime_judges_an_edit() -> None:
    """2.3 validates an edit with the live runtime although the TrainJob keeps the first; `next` with the one that it keeps (#3960)."""
    initializer = {"dataset": {"storageUri": "hf://a/b"}}
    old, new = trainjob(suspend=True), trainjob(suspend=True, labels={"a": "b"}, initializer=initializer)
    volume = {"volumes": [{"name": "initializer", "emptyDir": {}}]}
    container = {"name": "dataset-initializer", "image": "i", "volumeMounts": [{"name": "initializer", "mountPath": "/w"}]}
    with_it = runtime(job("dataset-initializer", "dataset-initializer", containers=[container], **volume), job("node", "trainer"), policy={"torch": {}})
    assert [row[0] for row in update("v2.3", [RUNTIME, old], [with_it, new]) if row[0] == "initializer-job-missing"] == []
    assert [row[0] for row in update("next", [RUNTIME, old], [with_it, new]) if row[0] == "initializer-job-missing"] == ["initializer-job-missing"]


@pytest.mark.parametrize("kind", ["ClusterTrainingRuntime", "TrainingRuntime"])
def test_only_cluster_runtimes_are_judged_again(kind: str) -> None:
    bad = runtime({**job("node", "trainer"), "replicas": 2}, kind=kind)
    found = update("v2.3", [runtime(job("node", "trainer"), kind=kind)], [bad])
    path = "spec.template.spec.replicatedJobs[0].replicas"
    assert found == ([("runtime-replicas", path, "always must be 1")] if kind == "ClusterTrainingRuntime" else [])
    assert update("v2.3", [], [bad]) == [("runtime-replicas", path, "always must be 1")], "a new one is"


def test_a_new_trainjob_is_checked_as_such() -> None:
    assert [slug for slug, _, _ in update("v2.3", [RUNTIME], [trainjob(ref="nope")])] == ["runtime-not-found"]
    assert update("v2.3", [RUNTIME], [trainjob()]) == [], "the runtimes that are there already count"


def test_deprecation_is_not_repeated_for_the_runtime() -> None:
    labelled = runtime(job("node", "trainer"), labels={"trainer.kubeflow.org/support": "deprecated"})
    assert [slug for slug, _, _ in update("v2.3", [labelled, trainjob()], [labelled, trainjob()])] == ["runtime-deprecated"]


@pytest.mark.parametrize("profile", ["v2.2", "v2.3"])
@pytest.mark.parametrize(("cpu", "refused"), [(8, True), ("1.5", True), ("1024Mi", True), ("8", False), ("1500m", False)])
def test_an_override_that_comes_or_goes_rewrites_quantities(profile: str, cpu: int | str, refused: bool) -> None:
    """The defaulter writes a TrainJob anew only where it stamps an override; the server compares the texts of quantities (N1)."""
    trainer = {"resourcesPerNode": {"requests": {"cpu": cpu}}}
    plain, patched = trainjob(suspend=True, trainer=trainer), with_override(profile, "x", suspend=True, trainer=trainer)
    for old, new in ((plain, patched), (patched, plain)):
        found = [row for row in update(profile, [RUNTIME, old], [RUNTIME, new]) if row[1] == "spec.trainer"]
        assert [row[2] for row in found] == (["field is immutable"] if refused else [])
    other = with_override(profile, "y", suspend=True, trainer=trainer)
    assert "spec.trainer" not in [row[1] for row in update(profile, [RUNTIME, patched], [RUNTIME, other])]


def test_the_order_of_variables_is_no_change_of_the_trainer() -> None:
    a, b = {"name": "A", "value": "1"}, {"name": "B", "value": "2"}
    old, new = trainjob(suspend=True, trainer={"env": [a, b]}), trainjob(suspend=True, trainer={"env": [b, a]})
    found = update("v2.3", [RUNTIME, old], [RUNTIME, new])
    assert [(slug, path) for slug, path, _ in found] == [("jobset-change-refused", "spec.replicatedJobs")], "JobSet still minds it"
    changed = trainjob(suspend=True, trainer={"env": [b, {**a, "value": "3"}]})
    assert ("spec.trainer", "field is immutable") in [row[1:] for row in update("v2.3", [RUNTIME, old], [RUNTIME, changed])]


def test_jobsets_compare_quantities_by_value() -> None:
    old, new = (trainjob(suspend=True, trainer={"resourcesPerNode": {"requests": {"memory": text}}}) for text in ("1.5Gi", "1610612736"))
    assert update("v2.1", [RUNTIME, old], [RUNTIME, new]) == []


@pytest.mark.parametrize("profile", ALL)
def test_a_job_that_the_runtime_gained(profile: str) -> None:
    """Up to 0.11 JobSet's webhook crashes over it (seen on live servers), then it shows what may not change."""
    grown = runtime(job("node", "trainer"), job("extra", None), policy={"torch": {}})
    old = trainjob(suspend=True, trainer={})
    found = update(profile, [RUNTIME, old], [grown, {**old, "metadata": {**old["metadata"], "labels": {"a": "b"}}}])
    refusals = [message for slug, _, message in found if slug == "jobset-change-refused"]
    if profile == "v2.3":
        assert refusals == [], "the TrainJob keeps the runtime that it was first reconciled with"
    else:
        assert refusals == ["runtime error: index out of range [1] with length 1"]


def test_the_library_call() -> None:
    head = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: a}\n"
    was = head + "spec: {runtimeRef: {name: torch-distributed}, trainer: {numNodes: 1}}\n"
    result = jc.check_update(was, was.replace("numNodes: 1", "numNodes: 2"))
    assert not result.ok
    (refused,) = [d for d in result.diagnostics if d.is_error]
    assert (refused.path, refused.message, refused.line) == ("spec.trainer", "field is immutable", 4)
    assert jc.check_update(was, was).ok
    assert not jc.check_update(was, "a: [").ok


BROKEN = runtime(job("node", "trainer"), policy={"torch": {}})
BROKEN["spec"]["template"]["spec"]["successPolicy"] = {"operator": "All", "targetReplicatedJobs": ["nope"]}


@pytest.mark.parametrize("profile", ALL)
def test_a_mended_runtime_of_a_refused_jobset(profile: str) -> None:
    """From 2.3 on the TrainJob goes on with the runtime that it was refused with; before, the JobSet is made within seconds (seen live)."""
    assert [slug for slug, _, _ in update(profile, [], [BROKEN, trainjob()])] == ["success-policy-target"]
    for suspend in (False, True):
        found = update(profile, [BROKEN, trainjob(suspend=suspend)], [RUNTIME, trainjob(suspend=suspend)])
        kept = "the TrainJob keeps the runtime that it was refused with, in ConfigMap job-runtime-snapshot"
        message = f"{kept}: an edit of ClusterTrainingRuntime rt changes nothing"
        assert found == ([("broken-runtime-kept", "", message)] if profile == "v2.3" else [])
    again = [slug for slug, _, _ in update(profile, [BROKEN, trainjob()], [BROKEN, trainjob()])]
    assert again == ["success-policy-target"], "what the cluster says all the time"


def test_a_broken_runtime_is_kept_with_its_reason_and_a_way_out() -> None:
    before = [Document.from_object(tree, "old.yaml") for tree in (BROKEN, trainjob())]
    after = [Document.from_object(tree, "new.yaml") for tree in (RUNTIME, trainjob())]
    (kept,) = [d for d in check_update(before, after, Options(bundled_runtimes=False)) if d.is_error]
    assert kept.hint == "delete the TrainJob or ConfigMap job-runtime-snapshot"
    (reason,) = kept.notes
    assert "nope" in reason.message and reason.span.file == "old.yaml"


@pytest.mark.parametrize("profile", ALL)
def test_a_runtime_that_is_gone(profile: str) -> None:
    """2.3 lets it go, and refuses every update afterwards; before, a finalizer keeps it (seen live)."""
    release = find(profile)
    assert release is not None
    before, after = [Document.from_object(RUNTIME), Document.from_object(trainjob())], [Document.from_object(trainjob())]
    (gone,) = [d for d in check_update(before, after, Options(profile=release, bundled_runtimes=False)) if d.slug == "runtime-removed"]
    goes = profile == "v2.3"
    assert gone.severity == ("warning" if goes else "info")
    refused, stays = "every update of the TrainJob is refused from then on, even suspending it", "it stays, being deleted, for as long as the TrainJob uses it"
    name = f"{RUNTIME['kind']} {RUNTIME['metadata']['name']}"
    assert gone.message == f"{name} is not among the new documents: if it is deleted, {refused if goes else stays}"
    assert (gone.at, gone.stage, gone.hint) == (("spec", "runtimeRef", "name"), "webhook", "delete the TrainJob first, or keep the runtime" if goes else "")
    assert [(note.message, note.at) for note in gone.notes] == [("as it was", ("metadata", "name"))]
    for both in ([*before], [*before, Document.from_object({**RUNTIME, "metadata": {"name": "other"}})]):
        assert not [d for d in check_update(both, before, Options(profile=release, bundled_runtimes=False)) if d.slug == "runtime-removed"]


@pytest.mark.parametrize("known", [True, False], ids=["edited", "new"])
def test_what_concerns_several_documents_is_said_as_everywhere(known: bool) -> None:
    shared = deepcopy(RUNTIME)
    shared["spec"]["template"]["spec"]["network"] = {"subdomain": "net"}
    jobs = [{**trainjob(), "metadata": {"name": name, "namespace": "default"}} for name in ("a", "b", "b")]
    after = [shared, shared, *jobs]
    told = {slug for slug, _, _ in update("v2.3", after[1:4] if known else [], after)}
    assert told == {"runtime-given-twice", "shared-subdomain", "trainjob-given-twice"}


def test_objects_of_one_call_belong_together() -> None:
    again = [d.message for d in jc.compile_objects([trainjob(), trainjob()]).diagnostics if d.slug == "trainjob-given-twice"]
    assert again == ["TrainJob default/job is defined again: a cluster would change the first one"]


NO_NUMBER = runtime(job("node", "trainer"), policy={"numNodes": "many", "torch": {}})
NO_QUANTITY = runtime(job("node", "trainer", containers=[{"name": "node", "image": "a", "resources": {"limits": {"cpu": "much"}}}]), policy={"torch": {}})
NO_INT32 = runtime(job("node", "trainer"), policy={"torch": {}})
NO_INT32["spec"]["template"]["spec"]["ttlSecondsAfterFinished"] = 1 << 40


@pytest.mark.parametrize("known", [True, False], ids=["edited", "new"])
@pytest.mark.parametrize(
    ("wrong", "slug", "at"),
    [
        (NO_NUMBER, "wrong-type", "spec.mlPolicy.numNodes"),
        (NO_QUANTITY, "invalid", "spec.template.spec.replicatedJobs[0].template.spec.template.spec.containers[0].resources.limits.cpu"),
        (NO_INT32, "undecodable", ""),
    ],
)
def test_a_runtime_that_becomes_unreadable(wrong: Tree, slug: str, at: str, known: bool) -> None:
    found = update("v2.3", [RUNTIME] if known else [], [wrong])
    assert [(found_slug, path) for found_slug, path, _ in found] == [(slug, at)]
    again = update("v2.3", [RUNTIME, trainjob()], [wrong, trainjob(trainer={"numNodes": 2})])
    assert (slug, at) in [row[:2] for row in again]


def test_a_trainjob_that_becomes_unreadable() -> None:
    old = trainjob(trainer={"numNodes": 1})
    for trainer, at in (
        ({"numNodes": "many"}, "spec.trainer.numNodes"),
        ({"resourcesPerNode": {"limits": {"cpu": "much"}}}, "spec.trainer.resourcesPerNode.limits.cpu"),
    ):
        found = update("v2.3", [RUNTIME, old], [RUNTIME, trainjob(trainer=trainer)])
        assert at in [path for _, path, _ in found]
        assert "field is immutable" not in [message for *_, message in found] or at == "spec.trainer.numNodes", found


def test_what_the_server_would_not_have_had_is_no_earlier_self() -> None:
    for wrong in (trainjob(trainer={"numNodes": "many"}), trainjob(trainer={"resourcesPerNode": {"limits": {"cpu": "much"}}})):
        assert update("v2.3", [RUNTIME, wrong], [RUNTIME, trainjob(trainer={"numNodes": 2})]) == []


def test_the_earlier_value_is_shown_where_there_was_one() -> None:
    """Items of lists are found by their keys, wherever they stand."""
    env = [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]
    old, new = trainjob(suspend=True, trainer={"env": env}), trainjob(suspend=True, trainer={"env": [{"name": "B", "value": "3"}, {"name": "C", "value": 4}]})
    before, after = ([Document.from_object(tree, f"{name}.yaml") for tree in (RUNTIME, each)] for name, each in (("old", old), ("new", new)))
    found = check_update(before, after, Options(bundled_runtimes=False))
    notes = {diagnostic.path: [(note.message, note.span.file, note.at) for note in diagnostic.notes] for diagnostic in found if diagnostic.is_error}
    assert notes == {"spec.trainer.env[1].value": []}, "a variable that is new had no value"


QUANTITIES = {"limits": {"cpu": 8, "memory": "1024Mi", "example.com/gpu": "1"}}
CANONICAL = {"limits": {"cpu": "8", "memory": "1Gi", "example.com/gpu": "1"}}


@pytest.mark.parametrize("profile", ["v2.2", "v2.3"])
@pytest.mark.parametrize(
    ("old_quantities", "patched_before", "new_quantities", "patched_after", "hint"),
    [
        (QUANTITIES, False, QUANTITIES, True, "the override makes Trainer's webhook write cpu \"8\" and memory \"1Gi\" for cpu 8 and memory \"1024Mi\""),
        (QUANTITIES, True, QUANTITIES, False, 'the server has cpu "8" and memory "1Gi"'),
        (QUANTITIES, False, CANONICAL, False, 'the server has cpu 8 and memory "1024Mi"'),
        (CANONICAL, False, QUANTITIES, True, ""),
        (QUANTITIES, True, CANONICAL, True, ""),
    ],
)
def test_quantities_that_are_only_written_otherwise(
    profile: str, old_quantities: Tree, patched_before: bool, new_quantities: Tree, patched_after: bool, hint: str
) -> None:
    release = find(profile)
    assert release is not None
    sides: list[list[Document]] = []
    for quantities, is_patched in ((old_quantities, patched_before), (new_quantities, patched_after)):
        fields: Tree = {"trainer": {"numNodes": 2, "resourcesPerNode": quantities}, "suspend": True}
        tree = with_override(profile, "x", **fields) if is_patched else trainjob(**fields)
        sides.append([Document.from_object(tree) for tree in (RUNTIME, tree)])
    found = [d for d in check_update(sides[0], sides[1], Options(profile=release, bundled_runtimes=False)) if d.severity == "error"]
    assert [(d.code, d.path, d.message, d.at[-2:]) for d in found] == ([("JSC112", "spec.trainer", "field is immutable", ("limits", "cpu"))] if hint else [])
    assert all(hint in d.hint for d in found)


def test_other_edits_of_the_trainer_are_told_as_such() -> None:
    old, new = (trainjob(suspend=True, trainer={"numNodes": nodes, "resourcesPerNode": QUANTITIES}) for nodes in (1, 2))
    options = Options(bundled_runtimes=False)
    before, after = ([Document.from_object(tree) for tree in (RUNTIME, job)] for job in (old, new))
    assert [d.code for d in check_update(before, after, options) if d.severity == "error"] == ["JSC109"]


def test_a_trainjob_that_loses_its_spec_is_no_end() -> None:
    """Only an edit comes to the findings without one: a new TrainJob is refused before."""
    was = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: job}
spec:
  runtimeRef: {name: torch-distributed}
"""
    for now in (was.partition("spec:")[0], was.partition("spec:")[0] + "spec: null\n"):
        for release in ("v2.0", "v2.1", "v2.2", "v2.3", "next"):
            jc.check_update(was, now, trainer_version=release)  # whatever it says: the next release takes it
