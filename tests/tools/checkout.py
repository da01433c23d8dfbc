"""A made-up release of Kubeflow Trainer: sources small enough to read."""

from __future__ import annotations

from pathlib import Path

GO_MOD = """module example.com/trainer/v2

go 1.26

require (
\tk8s.io/api v0.99.1
\tk8s.io/apimachinery v0.99.1 // indirect
\tsigs.k8s.io/jobset v0.99.0
)

exclude k8s.io/api v0.1.0
"""
TRAINER = """package v1alpha1

import (
    corev1 "k8s.io/api/core/v1"
    "k8s.io/apimachinery/pkg/util/intstr"
)

type TrainJob struct {
    Spec TrainJobSpec `json:"spec,omitzero"`
}

type Mode string

type Base struct {
    Id int64
    hidden string
}

type TrainJobSpec struct {
    Nodes *int32 `json:"nodes,omitempty"`
    Limits corev1.ResourceList `json:"limits,omitempty"`
    Port intstr.IntOrString `json:"port"`
    Mode Mode `json:"mode,omitzero"`
    Env []corev1.EnvVar `json:"env,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
    Data []byte `json:"data"`
    Skipped string `json:"-"`
    Base `json:",inline"`
    Nested *TrainJobSpec `json:"nested,omitempty"`
}

type TrainingRuntime struct { Base }
type ClusterTrainingRuntime struct { Base }
"""
CORE = """package v1

import "k8s.io/apimachinery/pkg/api/resource"

type ResourceName string
type ResourceList map[ResourceName]resource.Quantity
type EnvVar struct {
    Name string `json:"name"`
}
type ConfigMap struct{}
type PodTemplateSpec struct{}
type Secret struct{}
type Service struct{}
"""
CRD = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  versions:
  - name: v1alpha1
    storage: true
    schema:
      openAPIV3Schema:
        description: what it is for
        type: object
        properties:
          spec:
            type: object
            description: what is wanted
            properties:
              nodes: {type: integer, format: int32, minimum: 1, description: how many}
              description: {type: string, description: in words}
"""


def checkout(folder: Path) -> tuple[Path, dict[str, Path]]:
    """Writes it; -> the checkout, and where each module is."""
    trainer, modules = folder / "trainer", {path: folder / path for path in ("k8s.io/api", "k8s.io/apimachinery", "sigs.k8s.io/jobset")}
    jobset = modules["sigs.k8s.io/jobset"]
    texts = {
        trainer / "go.mod": GO_MOD,
        trainer / "pkg/apis/trainer/v1alpha1/types.go": TRAINER,
        **{trainer / f"manifests/base/crds/trainer.kubeflow.org_{kind}s.yaml": CRD for kind in ("trainjob", "trainingruntime", "clustertrainingruntime")},
        modules["k8s.io/api"] / "core/v1/types.go": CORE,
        modules["k8s.io/api"] / "batch/v1/types.go": "package v1\ntype Job struct{}\n",
        modules["k8s.io/apimachinery"] / "pkg/util/intstr/intstr.go": "package intstr\ntype IntOrString struct{}\n",
        jobset / "api/jobset/v1alpha2/types.go": "package v1alpha2\ntype JobSet struct{}\n",
        jobset / "config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml": CRD,
    }
    for file, text in texts.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return trainer, modules


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
