"""Every part of a proposal: the word, what is written for it and where, and what is told beside it. `^` is where the cursor is."""

from __future__ import annotations

import pytest

from jobset_compiler import runtimes
from jobset_compiler.lsp.completion import Proposal, Proposals, complete
from jobset_compiler.profiles import NEWEST, find
from jobset_compiler.request.options import Options
from jobset_compiler.runtimes import SUMMARY
from jobset_compiler.source.document import Document
from jobset_compiler.source.reader import read_text
from tests.lsp.conftest import RUNTIME
from tests.lsp.test_completion import DOCUMENTS, HEAD, OVERRIDE, PATCH, REF, VOLUMES

TRAINER = "apiVersion: trainer.kubeflow.org/v1alpha1\n"


def proposed(text: str, documents: tuple[Document, ...] = DOCUMENTS, release: str = "v2.3") -> Proposals | None:
    profile = find(release)
    assert profile is not None and text.count("^") == 1
    return complete(text.replace("^", ""), text.index("^"), documents, Options(profile=profile))


def shown(text: str, documents: tuple[Document, ...] = DOCUMENTS, release: str = "v2.3") -> list[tuple[str, str, str, str]]:
    """Word, kind, what is written and what is told beside it."""
    found = proposed(text, documents, release)
    return [] if found is None else [(item.label, item.kind, item.text, item.detail) for item in found.items]


def values(*words: str, detail: str = "") -> list[tuple[str, str, str, str]]:
    return [(word, "value", word, detail) for word in words]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{TRAINER}^", [("kind", "field", "kind: ", "string")]),
        (f"{TRAINER}k^", [("kind", "field", "kind: ", "string")]),
        (f"{TRAINER}kind: Trai\n^", []),
        (f"{TRAINER}metadata:\n  ^", []),
        (f"{TRAINER}kind: ^", values("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime")),
        ("apiVersion: trainer.kubeflow.org/^", values("trainer.kubeflow.org/v1alpha1")),
        ("apiVersion: t^\nkind: TrainJob\n", values("trainer.kubeflow.org/v1alpha1")),
        ("apiVersion: t^", []),
        ("apiVersion: apps/v1\nkind: ^", []),
        ("apiVersion: apps/v1\nkind: Deployment\nspec:\n  suspend: ^", []),
        (f"{HEAD}^", [("spec", "field", "spec:", "TrainJobSpec")]),
        (
            f"{HEAD}spec:\n  ^",
            [
                ("runtimeRef", "field", "runtimeRef:", "RuntimeRef, required"),
                ("initializer", "field", "initializer:", "Initializer"),
                ("trainer", "field", "trainer:", "Trainer"),
                ("runtimePatches", "field", "runtimePatches:", "list of RuntimePatch"),
                ("suspend", "field", "suspend: ", "boolean"),
                ("activeDeadlineSeconds", "field", "activeDeadlineSeconds: ", "integer"),
                ("managedBy", "field", "managedBy: ", "string"),
            ],
        ),
        (
            f"{REF}  trainer:\n    env:\n      ^",
            [
                ("name", "field", "- name: ", "string, required"),
                ("value", "field", "- value: ", "string"),
                ("valueFrom", "field", "- valueFrom:", "EnvVarSource"),
            ],
        ),
        (f"{REF}  trainer:\n    env:\n    - name: A\n      ^", [("value", "field", "value: ", "string"), ("valueFrom", "field", "valueFrom:", "EnvVarSource")]),
        (f"{REF}  trainer:\n    args:\n      ^", []),
        (
            f"{REF}  trainer:\n    resourcesPerNode:\n      limits:\n        memory: 1\n        ^",
            [(name, "field", f"{name}: ", "quantity") for name in ("cpu", "ephemeral-storage", "nvidia.com/gpu", "amd.com/gpu")],
        ),
        (f"{HEAD}  labels:\n    ^", []),
        (f"{HEAD}spec:\n  suspend: ^", [("true", "value", "true", ""), ("false", "value", "false", "default")]),
        (f"{HEAD}spec:\n  activeDeadlineSeconds: ^", []),
        (
            f"{HEAD}spec:\n  managedBy: ^",
            [*values("trainer.kubeflow.org/trainjob-controller", detail="default"), *values("kueue.x-k8s.io/multikueue")],
        ),
        (f"{HEAD}spec:\n  runtimeRef:\n    kind: ^", [*values("ClusterTrainingRuntime", detail="default"), *values("TrainingRuntime")]),
        (f"{HEAD}spec:\n  runtimeRef:^", []),
        (f"{REF}  runtimePatches:\n  - manager: ^", values("kueue.x-k8s.io/manager", "example.com/platform", detail="for example")),
        (RUNTIME.replace("status: Complete", "status: ^"), values("Ready", "Complete")),
        (RUNTIME.replace("  mlPolicy:\n", "  mlPolicy:\n    mpi:\n      mpiImplementation: ^\n"), values("OpenMPI", detail="default")),
        (RUNTIME.replace("  mlPolicy:\n", "  mlPolicy:\n    mpi:\n      numProcPerNode: ^\n"), values("1", detail="default")),
    ],
)
def test_fields_and_values(text: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert shown(text) == expected


PODS = " " * 20


@pytest.mark.parametrize(
    ("text", "release", "expected"),
    [
        (PATCH.replace("name: dataset-initializer", "name: ^"), "v2.3", [(name, "job of the runtime") for name in ("dataset-initializer", "node")]),
        (f"{REF}  podSpecOverrides:\n  - targetJobs:\n    - name: ^", "v2.0", [(name, "job of the runtime") for name in ("dataset-initializer", "node")]),
        (f"{PATCH}{PODS}containers:\n{PODS}- name: ^", "v2.3", [("dataset-initializer", "container of job dataset-initializer")]),
        (f"{PATCH}{PODS}initContainers:\n{PODS}- name: ^", "v2.3", []),
        (f"{PATCH}{PODS}containers:\n{PODS}- volumeMounts:\n{PODS}  - name: ^", "v2.3", [("cache", "volume")]),
        (
            f"{PATCH}{PODS}volumes:\n{PODS}- name: own\n{PODS}initContainers:\n{PODS}- volumeMounts:\n{PODS}  - name: ^",
            "v2.3",
            [("own", "volume"), ("cache", "volume")],
        ),
        (
            f"{PATCH.replace('name: dataset-initializer', 'name: node')}{PODS}containers:\n{PODS}- volumeMounts:\n{PODS}  - name: ^",
            "v2.3",
            [],
        ),
        (OVERRIDE.replace("JOB", "node").replace("name: |", "volumeMounts:\n        - name: ^"), "v2.1", []),
        (OVERRIDE.replace("JOB", "node").replace("|", "^"), "v2.1", [("node", "container of job node")]),
        (
            OVERRIDE.replace("JOB", "").replace("|", "^"),
            "v2.1",
            [("dataset-initializer", "container of job dataset-initializer"), ("node", "container of job node")],
        ),
        (
            RUNTIME.replace("- name: dataset-initializer\n          status", "- name: ^\n          status"),
            "v2.3",
            [("dataset-initializer", "job")],
        ),
        (RUNTIME.replace("- name: node\n        dependsOn", "- name: ^\n        dependsOn"), "v2.3", []),
        (RUNTIME.replace("- name: node\n                  image", "- name: ^\n                  image"), "v2.3", []),
        (VOLUMES.replace("|", "^"), "v2.3", [("v", "volume"), ("w", "volume"), ("claim", "volume")]),
    ],
)
def test_names(text: str, release: str, expected: list[tuple[str, str]]) -> None:
    assert shown(text, release=release) == [(name, "name", name, detail) for name, detail in expected]


def test_volumes_of_a_runtime_with_claims_for_a_trainjob_of_it() -> None:
    text = f"{REF}  podTemplateOverrides:\n  - targetJobs: [{{name: node}}]\n    spec:\n      containers:\n      - volumeMounts:\n        - name: ^"
    runtime = read_text(VOLUMES.replace("|", "x").replace("kind: TrainingRuntime", "kind: ClusterTrainingRuntime\nmetadata: {name: ours}"))[0]
    named = text.replace("targetJobs: [{name: node}]", "targetJobs:\n    - name: node")
    assert shown(named, runtime, "v2.1") == [(name, "name", name, "volume") for name in ("v", "w", "claim")]


def test_runtimes_are_proposed_with_where_they_are_from() -> None:
    names = runtimes.names(NEWEST.name)
    expected = [(name, "name", name, "ClusterTrainingRuntime, bundled") for name in names]
    text = f"{HEAD}spec:\n  runtimeRef:\n    name: ^"
    assert shown(text) == [*expected, ("ours", "name", "ours", "ClusterTrainingRuntime, runtimes/ours.yaml")]
    found = proposed(text)
    assert found is not None
    assert [item.documentation for item in found.items] == [*(SUMMARY[name] for name in names), ""]
    assert shown(f"{HEAD}spec:\n  runtimeRef:\n    kind: TrainingRuntime\n    name: ^") == []
    namespaced = read_text(RUNTIME.replace("kind: Cluster", "kind: ").replace("name: ours", "name: ours\n  namespace: ml"), "r.yaml")[0]
    text = f"{HEAD}  namespace: NS\nspec:\n  runtimeRef:\n    kind: TrainingRuntime\n    name: ^"
    assert shown(text.replace("NS", "ml"), namespaced) == [("ours", "name", "ours", "TrainingRuntime, r.yaml")]
    assert shown(text.replace("NS", "other"), namespaced) == []


def test_a_runtime_of_ones_own_that_is_called_like_a_bundled_one_is_not_described_as_that() -> None:
    own = read_text(RUNTIME.replace("name: ours", "name: torch-distributed"), "r.yaml")[0]
    found = proposed(f"{HEAD}spec:\n  runtimeRef:\n    name: ^", own)
    assert found is not None
    (item,) = [item for item in found.items if item.label == "torch-distributed"]
    assert (item.detail, item.documentation) == ("ClusterTrainingRuntime, r.yaml", "")


def test_managers_in_use_come_first_in_order() -> None:
    used = read_text("---\n".join(PATCH.replace("example.com/team", name) for name in ("b.example/x", "a.example/x", "b.example/x", "''")))[0]
    others = read_text(f"{HEAD}spec: {{runtimePatches: 4}}\n---\n{RUNTIME}---\na: 1\n")[0]
    expected = [("a.example/x", "used in the workspace"), ("b.example/x", "used in the workspace")]
    expected += [("kueue.x-k8s.io/manager", "for example"), ("example.com/platform", "for example")]
    found = shown(f"{REF}  runtimePatches:\n  - manager: ^", (*used, *others))
    assert [(label, detail) for label, _, _, detail in found] == expected


@pytest.mark.parametrize(
    ("text", "taken", "written"),
    [
        (f"{HEAD}spec:\n  suspend: ^", "", "true"),
        (f"{HEAD}spec:\n  suspend: f^al # x", "fal", "true"),
        (f"{HEAD}spec:\n  suspend:^", "", " true"),
        (f"{HEAD}spec:\n  suspend:  ^", "", "true"),
        (f"{HEAD}spec:\n  suspend: '^'", "", "true"),
        (f"{HEAD}spec:\n  run^time", "runtime", "runtimeRef:"),
    ],
)
def test_what_a_proposal_takes_the_place_of(text: str, taken: str, written: str) -> None:
    found = proposed(text)
    assert found is not None
    assert text.replace("^", "")[found.start : found.end] == taken
    assert found.items[0].text == written


def test_what_a_field_means_stands_beside_it() -> None:
    found = proposed(f"{HEAD}spec:\n  runtimeRef: {{^}}")
    assert found is not None and found.items[0] == Proposal("name", "field", "name: ", "string, required", "Name of the runtime.")
    found = proposed(f"{TRAINER}kind: TrainJob\n^")
    assert found is not None
    assert [(item.label, item.documentation) for item in found.items] == [
        ("metadata", "Name, namespace, labels and annotations of the object."),
        ("spec", "What to run."),
    ]
    assert [label for label, *_ in shown(f"{TRAINER}kind: TrainJob\nmetadata:\n  na^")][:3] == ["name", "generateName", "namespace"]
