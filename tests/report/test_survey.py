"""What a report tells: the lines that belong together, the picture, the sums, the other releases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jobset_compiler.dialects.wishes import Wishes
from jobset_compiler.diff.side import DEFAULT_POLICY, text_source
from jobset_compiler.emit.yaml import document
from jobset_compiler.profiles import PROFILES, find
from jobset_compiler.report.picture import SHOWN, in_order
from jobset_compiler.report.survey import Sheet, Survey, survey
from jobset_compiler.request.options import Options

if TYPE_CHECKING:
    from jobset_compiler.report.picture import Box

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.yaml"))
JOB: dict[str, Any] = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "TrainJob",
    "metadata": {"name": "train", "namespace": "ml"},
    "spec": {"runtimeRef": {"name": "torch-distributed"}},
}


def surveyed(*texts: str, release: str = "v2.3") -> Survey:
    profile = find(release)
    assert profile is not None
    return survey([text_source(text, f"{number}.yaml") for number, text in enumerate(texts)], Options(profile=profile), DEFAULT_POLICY)


def one(text: str, release: str = "v2.3") -> Sheet:
    (sheet,) = surveyed(text, release=release).sheets
    return sheet


def trainjob(name: str = "train", runtime: str = "torch-distributed", **trainer: Any) -> str:
    spec = {"runtimeRef": {"name": runtime}, **({"trainer": trainer} if trainer else {})}
    return json.dumps({**JOB, "metadata": {**JOB["metadata"], "name": name}, "spec": spec}, indent=1)


def boxes(sheet: Sheet) -> list[Box]:
    assert sheet.picture is not None
    return [box for lane in sheet.picture.lanes for box in lane.boxes]


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_lines_that_belong_together(file: Path) -> None:
    sheet = one(file.read_text())
    assert sheet.beside is not None
    inputs = {line.key: line for text in sheet.beside.inputs for line in text.lines}
    outputs = {line.key: line for text in sheet.beside.outputs for line in text.lines}
    assert len(inputs) == sum(len(text.lines) for text in sheet.beside.inputs), "a key is of one line"
    pairs = {(source, line.key) for line in outputs.values() for source in line.others}
    assert pairs == {(line.key, effect) for line in inputs.values() for effect in line.others}, "both ways say the same"
    assert pairs and all(source in inputs for source, _ in pairs)
    # What the picture says of a line is what the library says of the field on it.
    job = sheet.beside.inputs[0]
    (name,) = [line for line in job.lines if line.text.lstrip() == f"name: {sheet.name}" and line.others]
    assert any(outputs[key].text == f"  name: {sheet.name}" for key in name.others)


@pytest.mark.parametrize("release", [profile.name for profile in PROFILES])
def test_the_output_is_what_is_rendered(release: str) -> None:
    found = surveyed(trainjob(numNodes=3), release=release)
    (sheet,), (job,) = found.sheets, found.side.jobs
    assert sheet.beside is not None and job.unit is not None
    for text, manifest in zip(sheet.beside.outputs, job.unit.objects, strict=True):
        assert "".join(f"{line.text}\n" for line in text.lines) == document(manifest)
        assert [line.number for line in text.lines] == list(range(1, len(text.lines) + 1))
    (count,) = [line for line in sheet.beside.outputs[0].lines if "parallelism" in line.text]
    nodes = next(line for line in sheet.beside.inputs[0].lines if "numNodes" in line.text)
    assert count.others[0] == nodes.key and "numNodes, 0.yaml:" in count.words
    assert [other.release for other in sheet.elsewhere] == [profile.name for profile in PROFILES if profile.name != release]


def test_many_pods_fold() -> None:
    few, many = one(trainjob(numNodes=SHOWN)), one(trainjob(numNodes=260))
    assert [box.title for box in boxes(few)] == [f"rank {number}" for number in range(SHOWN)]
    assert [box.title for box in boxes(many)] == [*(f"rank {number}" for number in range(7)), "… 252 more", "rank 259"]
    folded = boxes(many)[-2]
    assert (folded.host, folded.shown_host, folded.does, folded.squares, folded.folded) == ("", "", "", (), 252)
    assert boxes(many)[-1].host == "train-node-0-259.train"
    assert sum(box.folded or 1 for box in boxes(many)) == 260
    assert few.picture is not None and many.picture is not None and few.picture.height == many.picture.height


def test_hosts_of_mpi_are_not_called_ranks() -> None:
    sheet = one(next(file for file in EXAMPLES if "mpi" in file.name).read_text())
    assert [box.title for box in boxes(sheet)] == ["host 0", "pod 0"]
    assert sheet.picture is not None and [lane.role for lane in sheet.picture.lanes] == ["trainer", "launcher"]


def test_a_long_host_name_keeps_its_numbers() -> None:
    name = "a-name-of-a-trainjob-that-is-quite-long"
    for box in boxes(one(trainjob(name, numNodes=12))):
        assert box.folded or (box.host.startswith(name) and box.shown_host.startswith("…") and box.host.partition(".")[0].endswith(box.shown_host[1:-1]))
    assert boxes(one(trainjob("short-but-not-so-short")))[0].shown_host == "short-but-not-so-short-node-0-0.…"


def test_who_waits_stands_below_and_has_an_arrow() -> None:
    sheet = one(next(file for file in EXAMPLES if "initializers" in file.name).read_text())
    assert sheet.picture is not None
    lanes = {lane.job: lane for lane in sheet.picture.lanes}
    assert [lanes[name].role for name in ("dataset-initializer", "model-initializer", "node")] == ["initializer", "initializer", "trainer"]
    assert lanes["node"].y > max(lanes["dataset-initializer"].y, lanes["model-initializer"].y)
    assert [arrow.words for arrow in sheet.picture.arrows] == [
        "node starts when dataset-initializer has completed",
        "node starts when model-initializer has completed",
    ]
    jobs = [{"name": name, "waitsFor": [{"job": target} for target in waits]} for name, waits in (("c", "ab"), ("b", "a"), ("a", ""), ("d", ""))]
    assert [job["name"] for job in in_order(jobs)] == ["a", "b", "c", "d"]


def test_sums_by_namespace() -> None:
    gpus = {"limits": {"nvidia.com/gpu": 4, "memory": "1Gi"}}
    other = trainjob("c", numNodes=5, resourcesPerNode=gpus).replace('"ml"', '"zoo"')
    found = surveyed(
        trainjob("a", numNodes=2, resourcesPerNode=gpus), trainjob("b", numNodes=3, resourcesPerNode=gpus), other, trainjob("d", runtime="no-such")
    )
    assert [(space.name, space.trainjobs, space.refused, tuple(space.sums)) for space in found.namespaces] == [
        ("ml", 3, 1, (5, 20, "5Gi")),
        ("zoo", 1, 0, (5, 20, "5Gi")),
    ]
    assert [sheet.verdict for sheet in found.sheets] == ["fine", "fine", "fine", "refused"]
    refused = found.sheets[-1]
    assert refused.written is not None and refused.told is None and [finding.slug for finding in refused.findings] == ["runtime-not-found"]


def test_the_same_job_elsewhere() -> None:
    states = {other.release: other for other in one(trainjob(numNodes=2)).elsewhere}
    assert states["v2.0"].state == "differs"
    (change, *_) = states["v2.0"].changes
    assert change.why and change.effects
    patches = next(file for file in EXAMPLES if "patches" in file.name).read_text()
    assert {other.release: other.state for other in one(patches).elsewhere}["v2.2"] in ("same", "differs")


def test_why_another_release_refuses_it() -> None:
    """What is wrong with the TrainJob itself, else that it is its runtime."""
    (first, *_) = one(trainjob(runtime="jax-distributed", numNodes=2)).elsewhere
    assert (first.release, first.state, first.changes) == ("v2.0", "refused", ())
    (error,) = first.errors
    assert error.startswith('JSC201: ClusterTrainingRuntime.trainer.kubeflow.org "jax-distributed" not found: ')


def test_what_is_secret_is_nowhere_in_it() -> None:
    text = trainjob(env=[{"name": "HF_TOKEN", "value": "s3cr3t"}, {"name": "MODE", "value": "plain"}]) + "\n"
    block = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: train}
# A Secret is not here.
spec:
  runtimeRef: {name: torch-distributed}
  trainer:
    env:
    - name: WANDB_API_KEY
      value: |
        s3cr3t
        s3cr3t too
    - {value: s3cr3t, name: DB_PASSWORD}
    # - {name: OLD_TOKEN, value: s3cr3t}
    - name: MODE
      value: plain
"""
    secret = {"apiVersion": "v1", "kind": "Secret", "data": {"a": "s3cr3t"}}
    listed = json.dumps({"apiVersion": "v1", "kind": "List", "items": [secret, json.loads(text)]}, indent=1)
    for written in (text, block, listed):
        sheet = one(written)
        assert sheet.verdict != "refused", sheet.findings
        assert "s3cr3t" not in repr(sheet) and "plain" in repr(sheet)
        assert sheet.beside is not None
        assert sheet.beside.inputs[0].lines[0].text.lstrip()[:1] in ("{", "a"), "of a List only the item"


def test_a_converted_job_is_shown_as_it_was_written() -> None:
    text = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: mnist}
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 3
      template:
        spec:
          containers:
          - {name: pytorch, image: example.com/mnist, env: [{name: HF_TOKEN, value: s3cr3t}, {name: MODE, value: plain}]}
"""
    profile = find("v2.3")
    assert profile is not None
    (sheet,) = survey([text_source(text, "old.yaml")], Options(profile=profile, convert=Wishes()), DEFAULT_POLICY).sheets
    assert sheet.beside is not None
    old = sheet.beside.inputs[0]
    assert old.title == "PyTorchJob mnist" and "s3cr3t" not in repr(sheet) and "plain" in old.lines[10].text
    (nodes,) = [line for line in sheet.beside.outputs[0].lines if "parallelism" in line.text]
    assert nodes.others == ("t7",)
