"""Finding the runtime, and how the verdicts of several documents come together."""

from __future__ import annotations

from typing import Any

import pytest

import jobset_compiler as jc
from tests.admission.rules.cases import ALL, Tree, compiled, job, refusals, runtime, trainjob


def hint(*objects: Tree, profile: str = "v2.3", **options: Any) -> str:
    result = jc.compile_objects(objects, trainer_version=profile, **options)
    (found,) = (d.hint for d in result.diagnostics if d.slug == "runtime-not-found")
    return found


@pytest.mark.parametrize("profile", ALL)
@pytest.mark.parametrize(
    ("reference", "path", "message"),
    [
        ({"name": "no"}, "spec.RuntimeRef", 'ClusterTrainingRuntime.trainer.kubeflow.org "no" not found: specified clusterTrainingRuntime'),
        ({"name": "rt", "kind": "TrainingRuntime"}, "spec.runtimeRef", 'TrainingRuntime.trainer.kubeflow.org "rt" not found: specified trainingRuntime'),
        ({"name": 'a "b"\n'}, "spec.RuntimeRef", 'ClusterTrainingRuntime.trainer.kubeflow.org "a \\"b\\"\\n" not found: specified clusterTrainingRuntime'),
    ],
)
def test_missing_runtime(profile: str, reference: Tree, path: str, message: str) -> None:
    objects = (runtime(), {**trainjob(), "spec": {"runtimeRef": reference}})
    assert refusals(profile, *objects) == [("runtime-not-found", path, f"{message} must be created before the TrainJob is created")]


@pytest.mark.parametrize(
    ("reference", "key"),
    [
        ({"kind": "Runtime"}, "Runtime.trainer.kubeflow.org"),
        ({"apiGroup": "kubeflow.org"}, "ClusterTrainingRuntime.kubeflow.org"),
        ({"apiGroup": ""}, "ClusterTrainingRuntime"),
    ],
)
def test_unsupported_runtime(reference: Tree, key: str) -> None:
    assert refusals("v2.3", {**trainjob(), "spec": {"runtimeRef": {"name": "rt", **reference}}}) == [("unsupported-runtime", "", f"unsupported runtime: {key}")]


def test_2_0_tells_of_the_name_and_the_missing_runtime_together() -> None:
    assert [slug for slug, _, _ in refusals("v2.0", trainjob(name="1"))] == ["trainjob-name", "runtime-not-found"]


def test_hints_of_a_missing_runtime() -> None:
    namespaced = runtime(kind="TrainingRuntime")
    elsewhere = {**namespaced, "metadata": {"name": "rt", "namespace": "other"}}
    kind = {"name": "torch-distributed", "kind": "TrainingRuntime"}
    assert hint(trainjob(ref="torch-distribute")) == "did you mean torch-distributed? Otherwise give the runtime's file with -r"
    assert hint(trainjob(ref="tf-distributed")).startswith("no release ships a TensorFlow runtime")
    assert "did you mean" not in hint(trainjob(ref="paddle-distributed"))
    there = "there is a {} of that name: write runtimeRef.kind: {}"
    assert hint(namespaced, trainjob()) == there.format(*["TrainingRuntime"] * 2) + " (ClusterTrainingRuntime is the default)"
    assert hint({**trainjob(), "spec": {"runtimeRef": kind}}) == there.format(*["ClusterTrainingRuntime"] * 2)
    assert hint(elsewhere, trainjob()) == "there is a TrainingRuntime of that name in namespace other: a TrainJob of namespace default can only use its own"
    assert hint(trainjob(ref="mpi-distributed"), profile="v2.1") == "a runtime of that name came with v2.0, not with v2.1: give its file with -r"
    assert hint(runtime(), trainjob(ref="zzz"), bundled_runtimes=False) == "known: rt; give the runtime's file with -r"
    assert hint(trainjob(ref="zzz"), bundled_runtimes=False) == "known: none; give the runtime's file with -r"


def told(result: jc.Compilation) -> list[str]:
    return [d.slug for d in result.diagnostics]


def test_which_runtime_was_taken() -> None:
    used = trainjob(ref="torch-distributed")
    own = {**runtime(), "metadata": {"name": "torch-distributed"}}
    assert "bundled-runtime-used" in told(jc.compile_objects([used]))
    assert "runtime-used" in told(jc.compile_objects([own, used]))
    assert not {"runtime-used", "bundled-runtime-used"} & {*told(jc.compile_objects([own, used], bundled_runtimes=False))}


def test_a_refused_runtime_still_judges_its_trainjobs() -> None:
    """Upstream's answers list both; nothing is built."""
    rt = runtime({**job("a", "trainer"), "replicas": 2}, policy={"torch": {}})
    bad = trainjob(trainer={"env": [{"name": "PET_NNODES", "value": "1"}]})
    assert [slug for slug, _, _ in refusals("v2.3", rt, bad)] == ["runtime-replicas", "torch-reserved-env"]
    assert [d.slug for d in compiled("v2.3", rt, trainjob()).diagnostics if d.is_error] == ["runtime-replicas"]


def test_one_refused_trainjob_leaves_no_objects() -> None:
    result = compiled("v2.3", runtime(), trainjob(), trainjob(name="b", ref="no"), trainjob(name="c"))
    assert not result.ok and result.objects == ()
    assert [(d.slug, d.name) for d in result.diagnostics if d.is_error] == [("runtime-not-found", "b")]


@pytest.mark.parametrize("profile", ALL)
def test_multikueue(profile: str) -> None:
    result = compiled(profile, runtime(), trainjob(managedBy="kueue.x-k8s.io/multikueue"))
    assert result.ok and ("not-reconciled" in told(result)) == (profile == "v2.3")


BROKEN = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\nmetadata: {name: mine}\nspec: [\n---\n"
USING = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: a}\nspec: {runtimeRef: {name: %s}}\n"


@pytest.mark.parametrize(
    ("before", "name", "hint"),
    [
        (BROKEN, "mine", "mend what cannot be read first: the runtime may be there"),
        (BROKEN, "torch-distribute", "did you mean torch-distributed? Otherwise give the runtime's file with -r"),
        ("", "mine", "known: "),
        ("kind: ConfigMap\nkind: ConfigMap\napiVersion: v1\n---\n", "mine", "known: "),
    ],
)
def test_a_runtime_that_may_be_in_what_cannot_be_read(before: str, name: str, hint: str) -> None:
    (found,) = [d for d in jc.compile_yaml(before + USING % name, validate="strict").diagnostics if d.slug == "runtime-not-found"]
    assert found.hint.startswith(hint)
