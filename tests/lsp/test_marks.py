"""Names of documents: where each is given and used, which belong together, and what a place has to do with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.lsp.marks import definitions, mark_at, marks_of, references, same
from jobset_compiler.lsp.names import BUNDLED, claims_of, containers_of, jobs_of, runtime_names, runtime_of, volumes_of
from jobset_compiler.profiles import NEWEST
from jobset_compiler.request.options import Options
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from jobset_compiler.source.document import Document

HEAD = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: "
RUNTIME = f"""{HEAD}TrainingRuntime
metadata: {{name: mine, namespace: ml}}
spec:
  template:
    spec:
      successPolicy: {{operator: All, targetReplicatedJobs: [b]}}
      failurePolicy:
        targetReplicatedJobs: [no-such]
        rules:
        - {{action: FailJobSet, targetReplicatedJobs: [a, b]}}
        - 4
      volumeClaimPolicies:
      - templates:
        - {{metadata: {{name: claim}}}}
        - 4
      - 4
      replicatedJobs:
      - name: a
        template:
          spec:
            template:
              spec:
                volumes: [{{name: v}}, {{emptyDir: {{}}}}, 4]
                initContainers:
                - {{name: i, volumeMounts: [{{name: v}}, {{mountPath: /x}}, 4]}}
                containers:
                - {{image: x, volumeMounts: [{{name: claim}}]}}
                - {{name: c}}
      - 4
      - name: b
        dependsOn: [{{name: a}}, {{status: Ready}}, {{name: 4}}]
"""
JOB = f"""{HEAD}TrainJob
metadata: {{name: j, namespace: ml}}
spec:
  runtimeRef: {{kind: TrainingRuntime, name: mine, apiGroup: trainer.kubeflow.org}}
  runtimePatches:
  - 4
  - trainingRuntimeSpec:
      template:
        spec:
          replicatedJobs:
          - {{template: {{}}}}
          - name: a
            template: {{spec: {{template: {{spec: {{containers: [{{name: c, volumeMounts: [{{name: claim}}]}}]}}}}}}}}
  podTemplateOverrides:
  - targetJobs: [{{name: a}}, {{}}, {{name: b}}]
    spec: {{volumes: [{{name: own}}], containers: [{{name: c}}]}}
  podSpecOverrides:
  - targetJobs: [{{name: a}}]
    initContainers: [{{name: i, volumeMounts: [{{name: v}}]}}]
"""
KEY = ("TrainingRuntime", "ml", "mine")


def document(text: str, file: str = "a.yaml") -> Document:
    return read_text(text, file)[0][0]


def shown(found: Document) -> list[str]:
    """Every name: what it is of, its place, + where the thing itself stands."""
    assert all(mark.name[1] == KEY and mark.document is found for mark in marks_of(found))
    return [f"{mark.name[0]} {'/'.join(mark.name[2:])}{'+' if mark.gives else ''} {format_path(mark.path)}" for mark in marks_of(found)]


def test_names_of_a_runtime() -> None:
    jobs = "spec.template.spec.replicatedJobs"
    pod = f"{jobs}[0].template.spec.template.spec"
    assert shown(document(RUNTIME)) == [
        "runtime + metadata.name",
        f"job a+ {jobs}[0].name",
        f"volume a/v+ {pod}.volumes[0].name",
        f"container a/i+ {pod}.initContainers[0].name",
        f"volume a/v {pod}.initContainers[0].volumeMounts[0].name",
        f"volume a/claim {pod}.containers[0].volumeMounts[0].name",
        f"container a/c+ {pod}.containers[1].name",
        f"job b+ {jobs}[2].name",
        f"job a {jobs}[2].dependsOn[0].name",
        "volume /claim+ spec.template.spec.volumeClaimPolicies[0].templates[0].metadata.name",
        "job b spec.template.spec.successPolicy.targetReplicatedJobs[0]",
        "job no-such spec.template.spec.failurePolicy.targetReplicatedJobs[0]",
        "job a spec.template.spec.failurePolicy.rules[0].targetReplicatedJobs[0]",
        "job b spec.template.spec.failurePolicy.rules[0].targetReplicatedJobs[1]",
    ]


def test_names_of_a_trainjob() -> None:
    patch = "spec.runtimePatches[1].trainingRuntimeSpec.template.spec.replicatedJobs[1]"
    override = "spec.podTemplateOverrides[0]"
    assert shown(document(JOB)) == [
        "runtime  spec.runtimeRef.name",
        f"job a {patch}.name",
        f"container a/c {patch}.template.spec.template.spec.containers[0].name",
        f"volume a/claim {patch}.template.spec.template.spec.containers[0].volumeMounts[0].name",
        f"job a {override}.targetJobs[0].name",
        f"volume a/own+ {override}.spec.volumes[0].name",
        f"container a/c {override}.spec.containers[0].name",
        f"job b {override}.targetJobs[2].name",
        f"volume b/own+ {override}.spec.volumes[0].name",
        f"container b/c {override}.spec.containers[0].name",
        "job a spec.podSpecOverrides[0].targetJobs[0].name",
        "container a/i spec.podSpecOverrides[0].initContainers[0].name",
        "volume a/v spec.podSpecOverrides[0].initContainers[0].volumeMounts[0].name",
    ]


@pytest.mark.parametrize(
    "text",
    ["a: 1\n", "- TrainJob\n", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n", f"{HEAD}TrainJob\n", f"{HEAD}TrainingRuntime\n"],
)
def test_where_there_are_no_names(text: str) -> None:
    assert list(marks_of(document(text))) == []


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (("spec", "runtimeRef", "name"), ("spec", "runtimeRef", "name")),
        (("spec", "runtimeRef", "kind"), ("spec", "runtimeRef", "name")),
        (("spec", "runtimeRef", "apiGroup"), ("spec", "runtimeRef", "name")),
        (("spec", "runtimeRef"), ("spec", "runtimeRef", "name")),
        (("spec",), None),
        ((), None),
        (("spec", "podTemplateOverrides", 0, "targetJobs", 0), None),
        (("spec", "podTemplateOverrides", 0, "targetJobs", 0, "name"), ("spec", "podTemplateOverrides", 0, "targetJobs", 0, "name")),
        (("metadata", "name"), None),
    ],
)
def test_the_name_at_a_place(path: Any, name: Any) -> None:
    found = mark_at(document(JOB), path)
    assert (None if found is None else found.path) == name


def test_the_name_of_a_runtime_is_at_its_place_alone() -> None:
    found = mark_at(document(RUNTIME), ("metadata", "name"))
    assert found is not None and found.name == ("runtime", KEY) and found.gives
    assert mark_at(document(RUNTIME), ("metadata",)) is None and mark_at(document(RUNTIME), ("metadata", "namespace")) is None


VOLUME, CLAIM = ("volume", KEY, "a", "v"), ("volume", KEY, "", "v")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (VOLUME, VOLUME, True),
        (VOLUME, CLAIM, True),
        (CLAIM, VOLUME, True),
        (VOLUME, ("volume", KEY, "b", "v"), False),
        (CLAIM, ("volume", KEY, "a", "w"), False),
        (CLAIM, ("volume", ("TrainingRuntime", "ml", "other"), "a", "v"), False),
        (("container", KEY, "a", "v"), VOLUME, False),
        (("container", KEY, "", "v"), ("container", KEY, "a", "v"), False),
        (("container", KEY, "a", "v"), CLAIM, False),
        (CLAIM, ("container", KEY, "a", "v"), False),
    ],
)
def test_names_that_mean_the_same(one: Any, other: Any, expected: bool) -> None:
    assert same(one, other) is expected


def places(found: Any) -> list[tuple[str, str]]:
    return [(mark.document.file, format_path(mark.path)) for mark in found]


def test_the_way_there_and_back() -> None:
    job, near, far = document(JOB, "job"), document(RUNTIME, "near"), document(RUNTIME, "far")
    documents = [job, near, far]
    ref = mark_at(job, ("spec", "runtimeRef", "name"))
    assert ref is not None
    assert places(definitions(ref, documents, Options())) == [("near", "metadata.name")]
    assert places(definitions(ref, [job], Options())) == []
    assert places(references(ref, documents, declaration=True)) == [("job", "spec.runtimeRef.name"), ("near", "metadata.name"), ("far", "metadata.name")]
    assert places(references(ref, documents, declaration=False)) == [("job", "spec.runtimeRef.name")]
    own = mark_at(job, ("spec", "podTemplateOverrides", 0, "spec", "volumes", 0, "name"))
    assert own is not None
    assert places(definitions(own, documents, Options())) == [("job", "spec.podTemplateOverrides[0].spec.volumes[0].name")]
    given = mark_at(far, ("metadata", "name"))
    assert given is not None
    assert places(definitions(given, documents, Options())) == [("far", "metadata.name")], "the document itself is the nearest"


def test_what_another_trainjob_gives_is_not_meant() -> None:
    other = document(JOB, "other")
    mount = document(JOB.replace("volumes: [{name: own}]", "initContainers: [{volumeMounts: [{name: own}]}]"), "job")
    use = mark_at(mount, ("spec", "podTemplateOverrides", 0, "spec", "initContainers", 0, "volumeMounts", 0, "name"))
    assert use is not None and use.name == ("volume", KEY, "a", "own")
    assert definitions(use, [mount, other], Options()) == []


def test_a_bundled_runtime_comes_last() -> None:
    job = document(f"{HEAD}TrainJob\nspec: {{runtimeRef: {{name: torch-distributed}}}}\n", "job")
    ours = document(f"{HEAD}ClusterTrainingRuntime\nmetadata: {{name: torch-distributed}}\n", "ours")
    ref = mark_at(job, ("spec", "runtimeRef"))
    assert ref is not None
    assert places(definitions(ref, [job], Options())) == [(f"<bundled {NEWEST.name}/torch-distributed.yaml>", "metadata.name")]
    assert places(definitions(ref, [job, ours], Options())) == [("ours", "metadata.name")]
    assert places(definitions(ref, [job], Options(bundled_runtimes=False))) == []


# Names


CLUSTER = "ClusterTrainingRuntime"


def test_the_runtime_with_a_key() -> None:
    first, second = document(RUNTIME), document(RUNTIME)
    assert runtime_of(KEY, [document(JOB), document("a: 1\n"), first, second], Options()) is first
    assert runtime_of(("TrainingRuntime", "ml", "other"), [first], Options()) is None
    bundled = runtime_of((CLUSTER, "", "torch-distributed"), [first], Options())
    assert bundled is not None and bundled.value["metadata"]["name"] == "torch-distributed"
    assert runtime_of((CLUSTER, "", "no-such"), [first], Options()) is None
    assert runtime_of((CLUSTER, "", "torch-distributed"), [first], Options(bundled_runtimes=False)) is None
    assert runtime_of(("TrainingRuntime", "ml", "torch-distributed"), [first], Options()) is None


@pytest.mark.parametrize(
    ("kind", "namespace", "names"),
    [
        ("TrainingRuntime", "ml", {"mine": "1"}),
        ("TrainingRuntime", "", {"theirs": "2"}),
        ("TrainingRuntime", "other", {}),
        (CLUSTER, "", {"everywhere": "3", "torch-distributed": "4"}),
        (CLUSTER, "ml", {"everywhere": "3", "torch-distributed": "4"}),
    ],
)
def test_the_runtimes_that_can_be_named(kind: str, namespace: str, names: dict[str, str]) -> None:
    documents = [
        document(RUNTIME, "1"),
        document(RUNTIME.replace("name: mine, namespace: ml", "name: theirs"), "2"),
        document(f"{HEAD}{CLUSTER}\nmetadata: {{name: everywhere}}\n", "3"),
        document(f"{HEAD}{CLUSTER}\nmetadata: {{name: torch-distributed}}\n", "4"),
        document(f"{HEAD}{CLUSTER}\nmetadata: {{}}\n", "5"),
        document(f"{HEAD}TrainJob\nmetadata: {{name: j}}\n", "6"),
        document(f"{HEAD}TrainingRuntime\nmetadata: {{namespace: ml}}\n", "7"),
    ]
    assert runtime_names(kind, namespace, documents, Options(bundled_runtimes=False)) == names
    bundled = runtime_names(kind, namespace, documents, Options())
    assert bundled.get("torch-distributed") == names.get("torch-distributed")
    assert bundled.get("jax-distributed") == (BUNDLED if kind == CLUSTER else None)


def test_the_parts_of_a_runtime() -> None:
    value = document(RUNTIME).value
    (_, _, first), *_ = jobs_of(value)
    assert [(index, name) for index, name, _ in jobs_of(value)] == [(0, "a"), (2, "b")]
    assert list(containers_of(first)) == [("initContainers", 0, "i"), ("containers", 0, ""), ("containers", 1, "c")]
    assert list(containers_of(first, ("containers",))) == [("containers", 0, ""), ("containers", 1, "c")]
    assert list(volumes_of(first)) == [(0, "v"), (1, "")]
    assert list(claims_of(value)) == [(("spec", "template", "spec", "volumeClaimPolicies", 0, "templates", 0, "metadata", "name"), "claim")]
    nothing: Any
    for nothing in (None, {}, [], "x"):
        assert [*jobs_of(nothing), *containers_of(nothing), *volumes_of(nothing), *claims_of(nothing)] == []
    (_, unnamed, _), *_ = jobs_of({"spec": {"template": {"spec": {"replicatedJobs": [{}]}}}})
    assert unnamed == ""
