"""Where everything in a picture is drawn, and what stands in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from syrupy.assertion import SnapshotAssertion

import jobset_compiler as jc
from jobset_compiler.explain import explanation
from jobset_compiler.report.picture import HOST_LENGTH, Picture, picture_of
from tests.report.test_survey import trainjob

if TYPE_CHECKING:
    from jobset_compiler.report.picture import Lane

INITIALIZED = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: tune, namespace: ml}
spec:
  runtimeRef: {name: torchtune-llama3.2-1b}
  initializer:
    dataset: {storageUri: "hf://a/b"}
    model: {storageUri: "hf://a/c"}
  trainer: {resourcesPerNode: {limits: {nvidia.com/gpu: 1}}}
"""
RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: mine, labels: {trainer.kubeflow.org/framework: torch}}
spec:
  template:
    spec:
      replicatedJobs:
      - {name: workers, replicas: 1, template: {spec: {parallelism: 2, completions: 2, template: {spec: {containers: [{name: c, image: i}]}}}}}
      - {name: launcher, dependsOn: [{name: workers, status: Ready}], template: {spec: {template: {spec: {containers: [{name: c, image: i}]}}}}}
"""
JOBS = {
    "two nodes with a GPU each": trainjob(numNodes=2, resourcesPerNode={"limits": {"nvidia.com/gpu": 1}}),
    "more nodes than are drawn, and more GPUs": trainjob(numNodes=10, resourcesPerNode={"limits": {"nvidia.com/gpu": 9}}),
    "as many nodes as are drawn": trainjob(numNodes=9),
    "thousands": trainjob(numNodes=2000),
    "none": trainjob(numNodes=0),
    "MPI": trainjob(runtime="deepspeed-distributed", numNodes=4, numProcPerNode=2),
    "initializers": INITIALIZED,
    "jobs that no policy knows": f"{RUNTIME}---\n{trainjob(runtime='mine')}",
    "a host name that is too long": trainjob("a-name-of-a-trainjob-of-37-characters"),
}


def picture(text: str) -> Picture:
    result = jc.compile_yaml(text)
    assert result.ok, result.diagnostics
    (unit,) = result.units
    return picture_of(unit, explanation(unit))


def drawn(lane: Lane) -> list[str]:
    lines = [f"lane {lane.job} ({lane.role}) y={lane.y} height={lane.height}: {lane.heading}{f' [{lane.note}]' if lane.note else ''}"]
    for box in lane.boxes:
        what = f" folded={box.folded}" if box.folded else f" {box.host} shown as {box.shown_host}: {box.does}, squares {box.squares}"
        lines.append(f"  ({box.x}, {box.y}) {box.title}{what}")
    return lines


@pytest.mark.parametrize("name", JOBS)
def test_all_that_is_drawn(name: str, snapshot: SnapshotAssertion) -> None:
    found = picture(JOBS[name])
    lines = [f"{found.title} ({found.width} x {found.height} from {found.left})", found.description]
    lines += [line for lane in found.lanes for line in drawn(lane)]
    lines += [f"arrow {arrow.words}: {arrow.line} / {arrow.head}" for arrow in found.arrows]
    assert "\n".join(lines) == snapshot


def test_a_host_name_is_shown_as_far_as_there_is_room() -> None:
    for length in range(8, 41):
        (box,) = picture(trainjob("a" * length)).lanes[0].boxes
        name = f"{'a' * length}-node-0-0"
        assert box.host == f"{name}.{'a' * length}" and len(box.shown_host) <= HOST_LENGTH
        if len(box.host) <= HOST_LENGTH:
            assert box.shown_host == box.host
        elif len(name) <= HOST_LENGTH - 2:
            assert box.shown_host == f"{name}.…", "the subdomain goes first"
        else:
            assert box.shown_host == f"…{name[-31:]}…" and len(box.shown_host) == HOST_LENGTH, "then the beginning"
