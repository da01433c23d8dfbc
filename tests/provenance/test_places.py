"""A fault of the JobSet is shown where its value was written: TrainJob, patch or runtime."""

from __future__ import annotations

import pytest

import jobset_compiler as jc

RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: own
spec:
  mlPolicy: {torch: {}}
  template:
    spec:
      replicatedJobs:
      - name: dataset-initializer
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer}}
          spec: {template: {spec: {volumes: [{name: initializer, emptyDir: {}}], containers: [{name: dataset-initializer, image: i,
            volumeMounts: [{name: initializer, mountPath: /workspace}]}]}}}
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec: {template: {spec: {containers: [{name: node, image: i, resources: {limits: {memory: 1Gi}}}]}}}
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: job
spec:
  runtimeRef: {name: own}
"""


def places(fields: str, profile: str = "v2.3") -> set[tuple[str, str]]:
    """(slug, path in the document) of the warnings about children; the runtime is the first document."""
    result = jc.compile_yaml(RUNTIME + fields, trainer_version=profile)
    assert result.is_submitted, result.diagnostics
    found = set()
    for diagnostic in result.diagnostics:
        if diagnostic.slug.endswith("-refused") and diagnostic.document is not None:
            kind = diagnostic.document.value["kind"]
            found.add((diagnostic.slug, f"{kind} " + ".".join(map(str, diagnostic.at))))
    return found


@pytest.mark.parametrize(
    ("fields", "slug", "place"),
    [
        ("  trainer: {numNodes: -1}\n", "job-refused", "TrainJob spec.trainer.numNodes"),
        ("  trainer: {image: ''}\n", "container-refused", "TrainJob spec.trainer.image"),
        (
            "  trainer: {resourcesPerNode: {requests: {cpu: 2}, limits: {cpu: '1'}}}\n",
            "resources-refused",
            "TrainJob spec.trainer.resourcesPerNode.requests.cpu",
        ),
        ("  trainer: {env: [{name: A}, {name: 'B=', value: x}]}\n", "env-refused", "TrainJob spec.trainer.env.1.name"),
        (
            "  trainer: {}\n  initializer: {dataset: {secretRef: {}}}\n",
            "env-refused",
            "TrainJob spec.initializer.dataset.secretRef",
        ),
    ],
)
def test_own_fields_of_the_trainjob(fields: str, slug: str, place: str) -> None:
    assert (slug, place) in places(fields)


def test_what_the_runtime_says_is_shown_there() -> None:
    """The merged request of 2.3 is above the limit of the runtime: the request is at fault, and the TrainJob's."""
    request = "  trainer: {resourcesPerNode: {requests: {memory: 2Gi}}}\n"
    assert places(request) == {("resources-refused", "TrainJob spec.trainer.resourcesPerNode.requests.memory")}
    patched = RUNTIME.replace("limits: {memory: 1Gi}", "limits: {memory: 1Gi}, requests: {memory: 2Gi}") + "  trainer: {}\n"
    result = jc.compile_yaml(patched, trainer_version="v2.3")
    (refused,) = [diagnostic for diagnostic in result.diagnostics if diagnostic.slug == "resources-refused"]
    assert refused.document is not None and refused.document.value["kind"] == "ClusterTrainingRuntime"
