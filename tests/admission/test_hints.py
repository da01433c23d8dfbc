"""Advice about unknown fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobset_compiler.admission.hints import advise_unknown, field_at
from jobset_compiler.admission.schema import TYPES
from jobset_compiler.profiles import PROFILES, find

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path

POD = ("spec", "template", "spec", "replicatedJobs", 0, "template", "spec", "template", "spec")


@pytest.mark.parametrize(
    ("kind", "release", "path", "hint"),
    [
        ("TrainJob", "v2.3", ("spec", "trainer", "numNode"), "did you mean numNodes?"),
        ("TrainJob", "v2.3", ("spec", "trainer", "num_nodes"), "did you mean numNodes?"),
        ("TrainJob", "v2.3", ("spec", "trainer", "resources"), "did you mean resourcesPerNode?"),
        ("TrainJob", "v2.3", ("metadata", "lables"), "did you mean labels?"),
        ("TrainJob", "v2.3", ("spec", "numNodes"), "it belongs in spec.trainer"),
        ("TrainJob", "v2.3", ("spec", "podGroupPolicy"), "it belongs in the runtime: spec"),
        ("ClusterTrainingRuntime", "v2.3", ("spec", "trainer"), "it belongs in the TrainJob: spec"),
        ("TrainJob", "v2.3", ("spec", "podTemplateOverrides"), "podTemplateOverrides is the spelling of v2.1; v2.3 has runtimePatches: `jobset-"),
        ("TrainJob", "v2.0", ("spec", "runtimePatches"), "runtimePatches is the spelling of v2.2 and v2.3; v2.0 has podSpecOverrides"),
        ("TrainJob", "v2.3", ("spec", "modelConfig"), "modelConfig is of kubeflow.org/v2alpha1; now it is spec.initializer.model"),
        ("TrainJob", "v2.3", ("spec", "labels"), "known in v2.0 and v2.1, not in v2.3: write it in template.metadata.labels of the runtime"),
        ("TrainJob", "v2.3", ("spec", "ttlSecondsAfterFinished"), "TrainJobs have none: delete finished ones"),
        ("TrainJob", "v2.3", ("spec", "runtimeRef", "namespace"), "a TrainingRuntime is looked for in the TrainJob's own namespace"),
        ("TrainJob", "v2.3", ("spec", "trainer", "replicas"), "write numNodes"),
        ("TrainJob", "v2.3", ("spec", "trainer", "workers"), "did you mean numNodes?"),
        ("TrainJob", "v2.3", ("spec", "nodes"), "write trainer: {numNodes: ...}"),
        ("TrainJob", "v2.3", ("spec", "queueName"), "write metadata.labels: {kueue.x-k8s.io/queue-name: ...}"),
        ("TrainJob", "v2.3", ("spec", "trainer", "resourcesPerNode", "gpu"), "write it one level deeper: limits: {nvidia.com/gpu: ...}"),
        ("TrainJob", "v2.3", ("spec", "trainer", "gpus"), "write resourcesPerNode: {limits: {nvidia.com/gpu: 8}}"),
        ("TrainJob", "v2.3", ("spec", "trainer", "resourcesPerNode", "nvidia.com/gpu"), "write it one level deeper: limits: {nvidia.com/gpu: ...}"),
        ("TrainJob", "v2.3", ("spec", "trainer", "env", 0, "A"), "write - {name: A, value: ...}"),
        ("TrainingRuntime", "v2.3", ("spec", "mlPolicy", "torch", "numProcPerNode"), "known in v2.0 and v2.1, not in v2.3: write spec.trainer.num"),
        ("TrainingRuntime", "v2.3", ("spec", "mlPolicy", "torch", "elasticPolicy"), "known in v2.0 and v2.1, not in v2.3: leave it out"),
        ("TrainingRuntime", "v2.3", ("spec", "mlPolicy", "tensorflow"), "no release has a policy for TensorFlow"),
        ("TrainingRuntime", "v2.3", ("spec", "mlPolicy", "deepspeed"), "there is no policy of that name: write mpi: {}"),
        ("TrainingRuntime", "v2.3", ("spec", "mlPolicy", "pytorch"), "did you mean torch?"),
        ("TrainingRuntime", "v2.3", ("spec", "mlPolicy", "policy"), "write the name of the policy as a key"),
        ("TrainingRuntime", "v2.3", ("spec", "podGroupPolicy", "kueue"), "leave it out: Kueue reads the label"),
        ("TrainJob", "v2.3", ("spec", "podTemplateOverride"), "podTemplateOverrides is the spelling of v2.1; v2.3 has runtimePatches"),
        ("TrainJob", "v2.3", ("spec", "runtimePatch"), "did you mean runtimePatches?"),
        ("TrainingRuntime", "v2.3", ("spec", "podGroupPolicy", "volcano", "queue"), "annotate the runtime: spec.template.metadata.annotations"),
        ("TrainingRuntime", "v2.3", ("spec", "podGroupPolicy", "volcano", "minMember"), "leave it out: the controller counts all pods"),
        ("TrainingRuntime", "v2.0", ("spec", "mlPolicy", "jax"), "known in v2.2 and v2.3, not in v2.0"),
        ("TrainingRuntime", "v2.3", ("spec", "template", "spec", "parallelism"), "it belongs in spec.template.spec.replicatedJobs[].template.spec"),
        ("TrainingRuntime", "v2.3", (*POD, "containers", 0, "resources", "resources"), f"it belongs in {'.'.join(map(str, POD[:4]))}[0]"),
        ("TrainJob", "v2.3", ("spec", "trainer", "args", "a"), "spec.trainer.args is a list"),
        ("TrainJob", "v2.3", ("spec", "trainer", "image", "a"), "spec.trainer.image is a single value"),
        ("TrainJob", "v2.3", ("spec", "trainer", 0, "image"), "spec.trainer is a mapping, not a list"),
        ("TrainJob", "v2.3", ("spec", "zzzzzz"), ""),
        ("TrainJob", "v2.3", ("zzzzzz",), ""),
        ("TrainingRuntime", "v2.3", ("status",), ""),
    ],
)
def test_hints(kind: str, release: str, path: Path, hint: str) -> None:
    profile = find(release)
    assert profile is not None
    assert advise_unknown(path, kind, profile).hint.startswith(hint)
    assert bool(advise_unknown(path, kind, profile).hint) is bool(hint)


@given(
    st.lists(st.sampled_from(["spec", "trainer", "env", "name", "template", "metadata", 0, 1, "replicatedJobs", "x"]), min_size=1, max_size=6),
    st.sampled_from(sorted(TYPES)),
    st.sampled_from(PROFILES),
)
def test_any_unknown_path_gets_an_answer(path: list[str | int], kind: str, profile: object) -> None:
    here = tuple(path)
    for release in PROFILES:
        if release is profile and field_at(release.types(), kind, here) is None:
            assert isinstance(advise_unknown(here, kind, release).hint, str)
