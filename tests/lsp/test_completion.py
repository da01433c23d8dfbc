"""Completion at a place, most of it in texts that cannot be read: `|` is where the cursor is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from jobset_compiler.lsp.completion import complete
from jobset_compiler.profiles import find
from jobset_compiler.request.options import Options
from jobset_compiler.source.document import Document
from jobset_compiler.source.reader import read_text
from tests.lsp.conftest import JOB, RUNTIME, Editor, at

HEAD = JOB.partition("spec:\n")[0]
REF = f"{HEAD}spec:\n  runtimeRef:\n    name: ours\n"
PATCH = f"""{REF}  runtimePatches:
  - manager: example.com/team
    trainingRuntimeSpec:
      template:
        spec:
          replicatedJobs:
          - name: dataset-initializer
            template:
              spec:
                template:
                  spec:
"""
DOCUMENTS = read_text(RUNTIME, "runtimes/ours.yaml")[0]


def labels(text: str, release: str = "v2.3", documents: tuple[Document, ...] = DOCUMENTS) -> list[str]:
    profile = find(release)
    assert profile is not None and text.count("|") == 1
    found = complete(text.replace("|", ""), text.index("|"), documents, Options(profile=profile))
    return [] if found is None else [item.label for item in found.items]


FIELDS_OF_SPEC = {"runtimeRef", "trainer", "runtimePatches", "suspend", "managedBy", "initializer", "activeDeadlineSeconds"}


@pytest.mark.parametrize(
    "text, some",
    [
        (f"{HEAD}spec:\n  |", FIELDS_OF_SPEC),
        (f"{HEAD}spec:\n  tr|", FIELDS_OF_SPEC),
        (f"{HEAD}spec:\n  tr|\n  suspend: true\n", FIELDS_OF_SPEC - {"suspend"}),
        (f"{HEAD}|", {"spec"}),
        (f"{HEAD}spec:\n\t|", FIELDS_OF_SPEC),
        (f"{REF}  trainer:\n    image: 'half\n    |", {"numNodes", "env", "command"}),
        (f"{REF}  trainer:\n    numNodes: 4\n    env:\n    - |", {"name", "value", "valueFrom"}),
        (f"{REF}  trainer:\n    env:\n    - name: A\n      |", {"value", "valueFrom"}),
        (f"{REF}  trainer:\n    env:\n      |", {"name", "value", "valueFrom"}),
        (f"{REF}  trainer:\n    env: [{{name: A, |", {"value", "valueFrom"}),
        (f"{REF}  trainer: {{|}}", {"numNodes", "image"}),
        (f"{REF}  trainer:\n    resourcesPerNode:\n      limits:\n        |", {"cpu", "memory", "nvidia.com/gpu"}),
        (f"{HEAD}spec:\n  runtimeRef:\n    name: |", {"ours", "torch-distributed", "deepspeed-distributed"}),
        (f"{HEAD}spec:\n  runtimeRef:\n    name:|", {"ours", "torch-distributed"}),
        (f"{HEAD}spec:\n  runtimeRef: {{name: to|", {"ours", "torch-distributed"}),
        (f"{HEAD}spec:\n  runtimeRef:\n    kind: |", {"ClusterTrainingRuntime", "TrainingRuntime"}),
        (f"{HEAD}spec:\n  suspend: |", {"true", "false"}),
        (f"{HEAD}spec:\n  managedBy: |", {"trainer.kubeflow.org/trainjob-controller", "kueue.x-k8s.io/multikueue"}),
        ("apiVersion: trainer.kubeflow.org/v1alpha1\nkind: |", {"TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"}),
        ("apiVersion: trainer.kubeflow.org/v1alpha1\n|", {"kind"}),
        (PATCH.replace("name: dataset-initializer", "name: |"), {"node", "dataset-initializer"}),
        (f"{PATCH}                    containers:\n                    - name: |", {"dataset-initializer"}),
        (f"{PATCH}                    containers:\n                    - volumeMounts:\n                      - name: |", {"cache"}),
        (f"{PATCH}                    |", {"containers", "nodeSelector", "tolerations"}),
        (RUNTIME.replace("- name: dataset-initializer\n          status", "- name: |\n          status"), {"dataset-initializer"}),
        (RUNTIME.replace("- name: cache\n                    mountPath", "- name: |\n                    mountPath"), {"cache"}),
        (RUNTIME.replace("status: Complete", "status: |"), {"Complete", "Ready"}),
        (RUNTIME.replace("    torch: {}\n", "    |\n"), {"torch", "mpi", "jax"}),
        (f"a: 1\n---\n{HEAD}spec:\n  |\n---\nb: 1\n", FIELDS_OF_SPEC),
    ],
)
def test_what_is_proposed(text: str, some: set[str]) -> None:
    found = labels(text)
    assert some <= set(found), found
    assert len(found) == len(set(found))


JOBS = """apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainingRuntime
metadata: {name: a}
spec:
  template:
    spec:
      replicatedJobs:
      - {name: first, template: {}}
      - name: "second"  # the next one
      - name: third
        dependsOn:
        - name: |
      - name: fourth
"""
VOLUMES = """apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainingRuntime
spec:
  template:
    spec:
      volumeClaimPolicies:
      - templates:
        - metadata: {name: claim}
      replicatedJobs:
      - name: node
        template:
          spec:
            template:
              spec:
                volumes:
                - {name: v, emptyDir: {}}
                - emptyDir: {}
                  name: 'w'
                containers:
                - name: node
                  volumeMounts:
                  - name: |
"""
OVERRIDE = f"""{REF}  podTemplateOverrides:
  - targetJobs:
    - {{name: JOB}}
    spec:
      containers:
      - name: |
"""


@pytest.mark.parametrize(
    ("text", "release", "found"),
    [
        (JOBS, "v2.3", ["first", "second"]),
        (VOLUMES, "v2.3", ["v", "w", "claim"]),
        (OVERRIDE.replace("JOB", "node"), "v2.1", ["node"]),
        (OVERRIDE.replace("JOB", "dataset-initializer"), "v2.1", ["dataset-initializer"]),
        (OVERRIDE.replace("JOB", ""), "v2.1", ["dataset-initializer", "node"]),
    ],
)
def test_names_that_are_proposed_and_no_others(text: str, release: str, found: list[str]) -> None:
    assert labels(text, release) == found


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: apps/v1\nkind: |",
        "apiVersion: apps/v1\nkind: Deployment\nspec:\n  |",
        "|",
        "# |",
        f"{HEAD}spec: # |",
        f"{REF}  trainer:\n    image: |",
        f"{REF}  trainer:\n    args:\n    - |\n",
        f"{REF}  nothing:\n    |",
        f"{REF}  trainer:\n    command:\n    - sh\n    - >\n      |",
        f"{HEAD}spec:\n  runtimeRef:\n    name: x\n  trainer:\n    env:\n    - name: A\n      value: |",
    ],
)
def test_where_nothing_is_known(text: str) -> None:
    assert labels(text) == []


def test_the_release_decides() -> None:
    assert "podSpecOverrides" in labels(f"{HEAD}spec:\n  |", "v2.0") and "runtimePatches" not in labels(f"{HEAD}spec:\n  |", "v2.0")
    text = f"{REF}  podTemplateOverrides:\n  - targetJobs:\n    - name: |"
    assert {"node", "dataset-initializer"} <= set(labels(text, "v2.1"))
    text = f"{REF}  podTemplateOverrides:\n  - targetJobs:\n    - name: node\n    spec:\n      containers:\n      - name: |"
    assert labels(text, "v2.1") == ["node"]


def test_managers_that_are_in_use() -> None:
    used = read_text(PATCH, "other.yaml")[0]
    assert labels(f"{REF}  runtimePatches:\n  - manager: |", documents=used)[0] == "example.com/team"


def test_required_fields_come_first_and_say_so() -> None:
    found = complete(f"{HEAD}spec:\n  ", len(HEAD) + 8, (), Options())
    assert found is not None and found.items[0].label == "runtimeRef" and "required" in found.items[0].detail
    assert (found.start, found.end) == (len(HEAD) + 8, len(HEAD) + 8)


TEXTS = (JOB, RUNTIME, PATCH)


@given(st.sampled_from(TEXTS), st.data())
def test_any_piece_of_a_text_anywhere_is_no_trouble(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    noise = data.draw(st.text(alphabet="\t\n -:{}[]\"'#&*!|>\0\x0c🦊a", max_size=6))
    offset = data.draw(st.integers(0, cut + len(noise)))
    found = complete(text[:cut] + noise, offset, DOCUMENTS, Options())
    assert found is None or 0 <= found.start <= offset <= found.end <= cut + len(noise)


@pytest.mark.asyncio(loop_scope="session")
async def test_in_an_editor(editor: Editor) -> None:
    text = JOB.replace("torch-distributed", "to").replace("name: train", "name: train # 🦊") + "    im"
    uri = editor.open("complete.yaml", text)
    place = types.TextDocumentIdentifier(uri)
    found = await editor.client.text_document_completion_async(types.CompletionParams(place, at(text, "name: to", 8)))
    assert isinstance(found, types.CompletionList)
    by_label = {item.label: item for item in found.items}
    assert {"ours", "torch-distributed"} <= set(by_label)
    assert by_label["ours"].detail == "ClusterTrainingRuntime, runtimes/ours.yaml"
    assert by_label["torch-distributed"].documentation == "PyTorch on any number of nodes, with torchrun."
    edit = by_label["torch-distributed"].text_edit
    assert isinstance(edit, types.TextEdit) and edit.new_text == "torch-distributed"
    assert edit.range == types.Range(at(text, "name: to", 6), at(text, "name: to", 8))
    end = types.Position(text.count("\n"), 6)
    found = await editor.client.text_document_completion_async(types.CompletionParams(place, end))
    assert isinstance(found, types.CompletionList)
    image = next(item for item in found.items if item.label == "image")
    assert isinstance(image.text_edit, types.TextEdit) and image.text_edit.new_text == "image: "
    assert isinstance(image.documentation, str) and "Container image" in image.documentation
