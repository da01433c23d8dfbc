"""Between releases a document says the same in other words."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jobset_compiler as jc
from jobset_compiler.emit.yaml import to_yaml

Tree = dict[str, Any]
API = "trainer.kubeflow.org/v1alpha1"


def trainjob(**spec: Any) -> Tree:
    return {"apiVersion": API, "kind": "TrainJob", "metadata": {"name": "job"}, "spec": {"runtimeRef": {"name": "torch-distributed"}, "trainer": {}, **spec}}


def runtime(torch: Tree) -> Tree:
    container = {"name": "node", "image": "registry.example/train:1"}
    labels = {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}
    job = {"name": "node", "template": {"metadata": {"labels": labels}, "spec": {"template": {"spec": {"containers": [container]}}}}}
    spec = {"mlPolicy": {"numNodes": 1, "torch": torch}, "template": {"spec": {"replicatedJobs": [job]}}}
    return {"apiVersion": API, "kind": "ClusterTrainingRuntime", "metadata": {"name": "torch-distributed"}, "spec": spec}


def migrated(*trees: Tree, release: str = "v2.3") -> jc.Migration:
    migration = jc.migrate(to_yaml(trees), trainer_version=release)
    assert migration.ok, migration.diagnostics
    return migration


KEYS = st.sampled_from(("team", "zone", "example.com/why"))
MAPS = st.dictionaries(KEYS, st.sampled_from(("a", "b", "1", "true", "")), min_size=1, max_size=2)
TOLERATIONS = st.lists(st.fixed_dictionaries({"key": KEYS, "operator": st.just("Exists")}), min_size=1, max_size=2)


@st.composite
def pods(draw: st.DrawFn) -> Tree:
    pod: Tree = {}
    if draw(st.booleans()):
        pod["nodeSelector"] = draw(MAPS)
    if draw(st.booleans()):
        pod["tolerations"] = draw(TOLERATIONS)
    if draw(st.booleans()):
        pod["serviceAccountName"] = "reader"
    if draw(st.booleans()):
        pod["volumes"] = [{"name": "data", "persistentVolumeClaim": {"claimName": "corpus"}}]
        pod["containers"] = [{"name": "node", "volumeMounts": [{"name": "data", "mountPath": "/data"}]}]
    return pod


@st.composite
def overridden(draw: st.DrawFn) -> Tree:
    """A TrainJob of 2.1 with overrides and maps."""
    spec: Tree = {}
    for field in ("labels", "annotations"):
        if draw(st.booleans()):
            spec[field] = draw(MAPS)
    overrides: list[Tree] = []
    for pod in draw(st.lists(pods(), min_size=1, max_size=3)):
        element: Tree = {"targetJobs": [{"name": "node"}]}
        if draw(st.booleans()):
            element["metadata"] = {"annotations": draw(MAPS)}
        overrides.append({**element, "spec": pod} if pod else element)
    return trainjob(**spec, podTemplateOverrides=overrides)


def jobset(text: str, release: str) -> Tree:
    result = jc.compile_yaml(text, trainer_version=release, bundled_runtimes=False)
    assert result.ok, result.diagnostics
    return result.objects[0]


@settings(max_examples=60)
@given(overridden())
def test_patches_do_what_the_overrides_did(tree: Tree) -> None:
    """The same runtime, and what each release makes of the same wishes in its own spelling."""
    given_runtime = runtime({})
    before = jobset(to_yaml((tree, given_runtime)), "v2.1")
    migration = migrated(tree, given_runtime)
    after = jobset(migration.text, "v2.3")
    template = before["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    now = after["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    assert now.get("metadata") == template.get("metadata")
    for field in ("nodeSelector", "tolerations", "serviceAccountName", "volumes"):
        assert now["spec"].get(field) == template["spec"].get(field), field
    assert now["spec"]["containers"][0].get("volumeMounts") == template["spec"]["containers"][0].get("volumeMounts")
    for field in ("labels", "annotations"):
        assert after["metadata"].get(field) == before["metadata"].get(field)


@settings(max_examples=40)
@given(overridden(), st.sampled_from(("v2.1", "v2.2", "v2.3")))
def test_migrating_again_changes_nothing_and_compiling_needs_no_file(tree: Tree, release: str) -> None:
    before = deepcopy(tree)
    migration = migrated(tree, release=release)
    again = jc.migrate(migration.text, trainer_version=release)
    assert not again.changed and again.documents == migration.documents
    assert jc.compile_objects([tree], trainer_version=release, convert=True).objects == jc.compile_yaml(migration.text, trainer_version=release).objects
    assert tree == before


def test_the_way_through_every_release_ends_where_the_straight_way_does() -> None:
    pod = {"nodeSelector": {"zone": "a"}}
    tree = trainjob(labels={"team": "a"}, podSpecOverrides=[{"targetJobs": [{"name": "node"}], **pod}], trainer={"numProcPerNode": "2"})
    step = jc.migrate(to_yaml((tree,)), trainer_version="v2.1")
    assert step.documents[0]["spec"]["podTemplateOverrides"] == [{"targetJobs": [{"name": "node"}], "spec": pod}]
    assert jc.migrate(step.text, trainer_version="v2.3").documents == migrated(tree).documents


def test_two_overrides_of_different_jobs_are_one_patch() -> None:
    elements = [{"targetJobs": [{"name": name}], "spec": {"serviceAccountName": name}} for name in ("node", "launcher")]
    (document,) = jc.migrate(to_yaml((trainjob(podTemplateOverrides=elements),)), bundled_runtimes=False).documents
    (entry,) = document["spec"]["runtimePatches"]
    assert [job["name"] for job in entry["trainingRuntimeSpec"]["template"]["spec"]["replicatedJobs"]] == ["node", "launcher"]


def test_an_override_of_several_jobs_is_said_of_each() -> None:
    element = {"targetJobs": [{"name": "node"}, {"name": "launcher"}], "spec": {"serviceAccountName": "reader"}}
    (document,) = jc.migrate(to_yaml((trainjob(podTemplateOverrides=[element]),)), bundled_runtimes=False).documents
    jobs = document["spec"]["runtimePatches"][0]["trainingRuntimeSpec"]["template"]["spec"]["replicatedJobs"]
    assert [job["template"]["spec"]["template"] for job in jobs] == [{"spec": {"serviceAccountName": "reader"}}] * 2


def test_patches_that_are_there_already_come_last_and_keep_their_names() -> None:
    patch = {"manager": "jobset-compiler/migrate", "trainingRuntimeSpec": {"template": {"metadata": {"labels": {"team": "b"}}}}}
    (document,) = migrated(trainjob(labels={"team": "a"}, runtimePatches=[patch])).documents
    first, last = document["spec"]["runtimePatches"]
    assert last == patch and first["manager"] == "jobset-compiler/migrate-2"


@pytest.mark.parametrize(
    ("torch", "expected"),
    [({"numProcPerNode": "auto"}, None), ({"numProcPerNode": 4}, 4), ({"numProcPerNode": "4"}, 4), ({}, None), ({"numProcPerNode": "gpu"}, None)],
)
def test_the_number_of_a_runtime_reaches_the_jobs(torch: Tree, expected: int | None) -> None:
    of_runtime, of_job = migrated(runtime(torch), trainjob()).documents
    assert of_runtime["spec"]["mlPolicy"]["torch"] == {}
    assert of_job["spec"]["trainer"].get("numProcPerNode") == expected


def test_a_job_without_trainer_gets_no_number() -> None:
    job = trainjob()
    del job["spec"]["trainer"]
    _, of_job = migrated(runtime({"numProcPerNode": 4}), job).documents
    assert "trainer" not in of_job["spec"]


def test_going_back_in_time_is_said_and_not_tried() -> None:
    patch = {"manager": "example.com/a", "trainingRuntimeSpec": {"template": {"metadata": {"labels": {"team": "b"}}}}}
    text = to_yaml((trainjob(runtimePatches=[patch]),))
    options = jc.migrate(text, trainer_version="v2.0")
    assert options.text == text


@pytest.mark.parametrize("given", ["", "null\n", "[]\n", "a: b\n", "kind: TrainJob\n", "apiVersion: v1\nkind: List\nitems: []\n", "# nothing\n"])
def test_what_is_no_document_of_ours_stays(given: str) -> None:
    assert jc.migrate(given).text == given


@pytest.mark.parametrize("spec", [None, 3, [], "text", {"podTemplateOverrides": {}}, {"podTemplateOverrides": [3]}, {"runtimeRef": []}, {"trainer": []}])
def test_documents_of_the_wrong_shape_are_errors_and_no_crash(spec: Any) -> None:
    tree = {"apiVersion": API, "kind": "TrainJob", "metadata": {"name": "job"}, "spec": spec}
    text = to_yaml((tree,))
    migration = jc.migrate(text)
    assert not migration.ok and migration.text == text


COMMENTED = """\
# c0
apiVersion: trainer.kubeflow.org/v1alpha1  # c1
kind: TrainJob  # c2
# c3
metadata:  # c4
  name: job  # c5
spec:  # c6
  # c7
  runtimeRef: {name: torch-distributed}  # c8

  # c9
  podSpecOverrides:  # c10
    # c11
    - targetJobs: [{name: node}]
      # c12
      nodeSelector:  # c13
        # c14
        disk: "fast"  # c15
      # c16
  # c17
  trainer:  # c18
    # c19
    numNodes: 3  # c20
  # c21
# c22
"""


@pytest.mark.parametrize("release", ["v2.1", "v2.3"])
def test_every_comment_stays_once_and_in_order(release: str) -> None:
    migration = jc.migrate(COMMENTED, trainer_version=release)
    assert migration.ok and migration.changed
    assert [line.partition("# c")[2] for line in migration.text.split("\n") if "# c" in line] == [str(number) for number in range(23)]
    assert 'disk: "fast"' in migration.text and "runtimeRef: {name: torch-distributed}  # c8\n\n" in migration.text


def test_line_breaks_of_windows_stay() -> None:
    text = jc.migrate(COMMENTED.replace("\n", "\r\n")).text
    assert text.replace("\r\n", "\n") == jc.migrate(COMMENTED).text and "\n" not in text.replace("\r\n", "")


@pytest.mark.parametrize("text", ["{0}  # why\n# end\n", "# top\n--- # head\n{0}\n...\n---\na: b\n"])
def test_a_document_in_brackets_keeps_what_stands_around_it(text: str) -> None:
    flow = "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: a}, spec: {runtimeRef: {name: torch-distributed}, labels: {a: b}}}"
    migration = jc.migrate(text.format(flow))
    assert migration.changed and [line for line in ("# why", "# end", "# top", "# head", "...", "a: b") if line in text and line not in migration.text] == []


@pytest.mark.parametrize("names", ["[{name: [node]}]", "[{name: {a: b}}]", "[{name: node}, {name: 1}]"])
@pytest.mark.parametrize("manager", ["[x]", "{a: b}", "null"])
def test_names_of_another_type_are_told_by_the_schema(names: str, manager: str) -> None:
    text = (
        "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: a}\nspec:\n  runtimeRef: {name: torch-distributed}\n"
        f"  runtimePatches: [{{manager: {manager}}}]\n  podTemplateOverrides:\n  - targetJobs: {names}\n    spec: {{nodeSelector: {{a: b}}}}\n"
    )
    result = jc.compile_yaml(text, convert=True)
    assert not result.ok and all(diagnostic.code != "JSC901" for diagnostic in result.diagnostics)
