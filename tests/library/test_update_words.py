"""All that is said of an edit: the finding, its place, and what it was before."""

from __future__ import annotations

import pytest

import jobset_compiler as jc
from jobset_compiler.library.updates import check_update
from jobset_compiler.profiles import find
from jobset_compiler.request.options import Options
from jobset_compiler.source.document import Document
from tests.admission.rules.cases import job, runtime, trainjob

RUNTIME = runtime(job("node", "trainer"), policy={"torch": {}})
NEAR = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: torch-distributed, labels: {trainer.kubeflow.org/framework: torch}}
spec:
  mlPolicy: {numNodes: 2, torch: {}}
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec: {template: {spec: {containers: [{name: node, image: a}]}}}
"""
TRAIN = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: a}
spec: {runtimeRef: {name: torch-distributed}, trainer: {numNodes: 2}}
"""


def told(was: str, now: str, profile: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """(slug, severity, place, notes) of everything that is said."""
    found = jc.check_update(was, now, trainer_version=profile, file="new", was_file="old").diagnostics
    return [(each.slug, each.severity, f"{each.file}:{each.line}", tuple(f"{note.message} {note.span}" for note in each.notes)) for each in found]


@pytest.mark.parametrize("profile", ["v2.0", "v2.3"])
def test_all_that_is_said_of_an_edit_of_a_runtime(profile: str) -> None:
    """As of a new one, which hides the bundled one of that name; and, unless the TrainJob keeps its own, that it does not see the edit."""
    used = ("runtime-used", "info", "new:17", ())
    edited = ("edit-without-effect", "warning", "new:17", ("the runtime was edited here new:12:69", "as it was old:12:69"))
    without = [("one-process-without-resources", "info", "new:17", ())] if profile == "v2.3" else []
    last = [edited] if profile == "v2.0" else []
    both = f"{NEAR}---\n{TRAIN}"
    assert told(both, both, profile) == [used, *without]
    assert told(both, both.replace("image: a", "image: b"), profile) == [used, *without, *last]
    assert told(both, both.replace("image: a", "image: '<A>'"), profile) == [("placeholder-left", "warning", "new:12", ()), used, *without, *last]


def test_a_value_is_compared_with_what_it_was_only_where_it_is_another_one() -> None:
    one, two = TRAIN.replace("numNodes: 2", "numNode: 2"), TRAIN.replace("numNodes: 2", "numNode: 3")
    unknown = ("unknown-field", "warning", "new:4")
    assert [each for each in told(one, one, "v2.3") if each[0] == "unknown-field"] == [(*unknown, ())]
    assert [each for each in told(one, two, "v2.3") if each[0] == "unknown-field"] == [(*unknown, ("as it was old:4:66",))]
    assert [each for each in told(TRAIN, two, "v2.3") if each[0] == "unknown-field"] == [(*unknown, ())]


def test_documents_belong_together_by_the_namespace_that_they_get() -> None:
    release = find("v2.3")
    assert release is not None
    options = Options(profile=release, namespace="team")
    edited = trainjob(trainer={"numNodes": 2})
    with_namespace = trainjob(metadata={"namespace": "team"}, trainer={"numNodes": 1})
    elsewhere = trainjob(metadata={"namespace": "default"}, trainer={"numNodes": 1})
    for old, immutable in ((with_namespace, True), (trainjob(trainer={"numNodes": 1}), True), (elsewhere, False)):
        before, after = ([Document.from_object(tree) for tree in trees] for trees in ([RUNTIME, old], [RUNTIME, edited]))
        found = check_update(before, after, options)
        assert ("field is immutable" in [each.message for each in found]) is immutable


@pytest.mark.parametrize("profile", ["v2.0", "v2.3"])
def test_where_nothing_came_of_the_earlier_trainjob_all_is_said_once(profile: str) -> None:
    """Its runtime was refused: what is said of it now is what is said of a new one."""
    both = f"{NEAR}---\n{TRAIN}"
    found = told(both.replace("numNodes: 2, torch", "numNodes: x, torch"), both, profile)
    assert ("runtime-used", "info", "new:17", ()) in found and sorted(found) == sorted(told("", both, profile))
