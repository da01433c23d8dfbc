"""Hover: what a field means in the release, and what it comes to."""

from __future__ import annotations

import pytest
from lsprotocol import types

from jobset_compiler.profiles import NEWEST
from tests.lsp.conftest import JOB, RUNTIME, Editor, at

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_meaning_and_what_it_comes_to(editor: Editor) -> None:
    uri = editor.open("a.yaml", JOB)
    told = await editor.hover(uri, at(JOB, "numNodes", 3))
    assert told is not None and isinstance(told.contents, types.MarkupContent)
    assert told.range == types.Range(at(JOB, "numNodes"), at(JOB, "numNodes", 8))
    text = told.contents.value
    assert f"`spec.trainer.numNodes` integer (Kubeflow Trainer {NEWEST.name})" in text
    assert "Number of training nodes" in text
    assert "**4 pods** of `node`" in text and "`PET_NNODES=4`" in text
    assert "`PET_NPROC_PER_NODE=" in await editor.hover_text(uri, at(JOB, "gpu: 8", 5))


@pytest.mark.parametrize(
    "words, expected",
    [
        ("kind: TrainJob", "Kind of the object"),
        ("runtimeRef", "the choice of the runtime"),
        ("name: torch", "required"),
        ("resourcesPerNode", "ResourceRequirements"),
        ("name: train", "`PET_MASTER_ADDR=train-node-0-0.train`"),
    ],
)
async def test_other_fields(editor: Editor, words: str, expected: str) -> None:
    assert expected in await editor.hover_text(editor.open("b.yaml", JOB), at(JOB, words))


async def test_a_runtime_says_what_becomes_of_it_in_the_trainjobs_beside_it(editor: Editor) -> None:
    job = JOB.replace("torch-distributed", "theirs").replace("    numNodes: 4\n", "")
    text = RUNTIME.replace("name: ours", "name: theirs") + "---\n" + job
    uri = editor.open("both.yaml", text)
    told = await editor.hover_text(uri, at(text, "numNodes: 2"))
    assert "**2 pods** of `node`" in told and "`PET_NNODES=2`" in told
    assert "last word" not in told
    text = text.replace("  trainer:\n", "  trainer:\n    numNodes: 4\n")
    editor.change(uri, 2, text)
    told = await editor.hover_text(uri, at(text, "numNodes: 2"))
    assert "**2 pods**" not in told and ("last word" in told or "nothing in the objects" in told)


async def test_a_runtime_says_what_becomes_of_it_in_trainjobs_of_other_files(editor: Editor) -> None:
    runtime = RUNTIME.replace("name: ours", "name: alone")
    uri = editor.open("runtimes/alone.yaml", runtime)
    place = at(runtime, "image: registry.example.com/train:1")
    assert "Comes to" not in await editor.hover_text(uri, place)
    for name in "abcd":
        editor.open(f"{name}.yaml", JOB.replace("torch-distributed", "alone").replace("name: train", f"name: {name}"))
    told = await editor.hover_text(uri, place)
    assert told.count("Comes to") == 3 and "`image: registry.example.com/train:1`" in told


async def test_a_job_of_another_api(editor: Editor) -> None:
    text = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: old
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 3
      template:
        spec:
          containers:
          - name: pytorch
            image: registry.example.com/train:1
"""
    uri = editor.open("v1.yaml", text)
    assert "**3 pods**" in await editor.hover_text(uri, at(text, "replicas: 3"))


async def test_a_broken_text_still_says_what_a_field_means(editor: Editor) -> None:
    text = JOB.replace("nvidia.com/gpu: 8", 'nvidia.com/gpu: "8\n\tx')
    uri = editor.open("broken.yaml", text)
    assert "Number of training nodes" in await editor.hover_text(uri, at(text, "numNodes"))


async def test_between_the_lines_there_is_nothing(editor: Editor) -> None:
    text = f"# TrainJob\n\n{JOB}\n\n# the end"
    uri = editor.open("blank.yaml", text)
    for position in (types.Position(0, 3), types.Position(1, 0), at(text, "the end"), types.Position(900, 900)):
        assert await editor.hover(uri, position) is None
    assert await editor.hover(editor.uri("not-open.yaml"), types.Position(0, 0)) is None


async def test_names_of_others_stay_text(editor: Editor) -> None:
    text = JOB + "    image: '<img src=x onerror=alert(1)>`[a](command:evil)'\n"
    told = await editor.hover_text(editor.open("markdown.yaml", text), at(text, "image"))
    assert "`` image: <img src=x onerror=alert(1)>`[a](command:evil) ``" in told
