"""A runtime need not have a template, nor a spec: what overrides add is then all that there is to look at."""

from __future__ import annotations

import pytest

import jobset_compiler as jc

JOB = """\
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: job}
spec:
  runtimeRef: {name: rt}
  runtimePatches:
  - manager: acme.io/x
    trainingRuntimeSpec:
      template: {spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec: {containers: [{name: node, image: a}]}}}}}]}}
"""


@pytest.mark.parametrize("spec", ["", "spec: {}\n", "spec: {mlPolicy: {numNodes: 2}}\n", "spec: {template: {}}\n"])
def test_overrides_of_a_bare_runtime(spec: str) -> None:
    text = f"apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\nmetadata: {{name: rt}}\n{spec}{JOB}"
    for release in ("v2.2", "v2.3", "next"):
        assert jc.compile_yaml(text, trainer_version=release).diagnostics
