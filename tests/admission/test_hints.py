"""Advice about unknown fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from jobset_compiler.admission.hints import advise_unknown, field_at, struct_of
from jobset_compiler.admission.schema import TYPES
from jobset_compiler.diagnostics.place import format_path
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


@pytest.mark.parametrize(
    ("kind", "release", "path", "hint"),
    [
        ("TrainingRuntime", "v2.0", ("spec", "mlPolicy", "jax"), "known in v2.2 and v2.3, not in v2.0"),
        (
            "TrainJob",
            "v2.3",
            ("spec", "annotations"),
            "known in v2.0 and v2.1, not in v2.3: write it in template.metadata.annotations of the runtime, or of the trainingRuntimeSpec of a runtimePatch",
        ),
        (
            "TrainingRuntime",
            "v2.3",
            ("spec", "mlPolicy", "torch", "elasticPolicy"),
            "known in v2.0 and v2.1, not in v2.3: leave it out, no release has acted on it",
        ),
        ("TrainJob", "v2.3", ("spec", 0, "image"), "spec is a mapping, not a list"),
        ("TrainJob", "v2.3", ("spec", "trainer", "args", "a", "b"), "spec.trainer.args is a list"),
        ("TrainJob", "v2.3", ("spec", "trainer", "image", "a", "b"), "spec.trainer.image is a single value"),
        ("TrainJob", "v2.3", ("spec", "trainer", "resou"), "did you mean resourcesPerNode?"),
        ("TrainJob", "v2.3", ("spec", "trainer", "reso"), ""),
        ("TrainJob", "v2.3", ("specs",), "did you mean spec?"),
        ("TrainJob", "v2.3", ("spec", "trainer", "$patch"), "directives of a strategic merge patch are no part of the API; the server drops them"),
        ("TrainingRuntime", "v2.3", (*POD[:-1], "metadata", "zone"), "metadata of a template has only name, namespace, labels, annotations and finalizers"),
    ],
)
def test_the_whole_hint(kind: str, release: str, path: Path, hint: str) -> None:
    profile = find(release)
    assert profile is not None
    assert advise_unknown(path, kind, profile).hint == hint


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


WORDS = (
    *("replicas", "workers", "worker", "nodes", "nnodes", "numWorkers", "queue", "queueName", "localQueue", "ttlSecondsAfterFinished", "labels", "$patch"),
    *("gpus", "gpu", "numGpus", "gpusPerNode", "nvidia.com/gpu", "cpu", "memory", "resources", "container", "containers", "spec", "targetJobs", "template"),
    *("namespace", "apiVersion", "kind", "deepspeed", "horovod", "mlx", "pytorch", "tensorflow", "policy", "type", "framework", "kueue", "kai", "minMember"),
    *("trainingRuntimeRef", "modelConfig", "datasetConfig", "podSpecOverrides", "podTemplateOverrides", "runtimePatches", "elasticPolicy", "nodeSelector"),
    *("Image", "num_nodes", "numNodesPerProc", "imagePullPolicy", "restartPolicy", "serviceAccount", "name", "value", "zzz"),
)
PARENTS: tuple[tuple[str, Path], ...] = (
    *((("TrainJob", path)) for path in ((), ("spec",), ("spec", "trainer"), ("spec", "runtimeRef"), ("spec", "initializer"), ("spec", "runtimePatches", 0))),
    ("TrainJob", ("spec", "podTemplateOverrides", 0)),
    ("TrainJob", ("spec", "podTemplateOverrides", 0, "spec", "containers", 0)),
    ("TrainJob", ("spec", "runtimePatches", 0, "trainingRuntimeSpec", *POD[1:], "containers", 0)),
    ("TrainJob", ("spec", "trainer", "env", 0)),
    ("TrainJob", ("spec", "trainer", "resourcesPerNode")),
    *(("TrainingRuntime", path) for path in (("spec",), ("spec", "mlPolicy"), ("spec", "mlPolicy", "torch"), ("spec", "mlPolicy", "mpi"))),
    *(("TrainingRuntime", ("spec", "podGroupPolicy", *path)) for path in ((), ("volcano",), ("coscheduling",))),
    *(("TrainingRuntime", path) for path in (("spec", "template"), POD[:4], (*POD[:6], "template"), POD, (*POD, "containers", 0))),
)


@pytest.mark.parametrize("release", ["v2.0", "v2.1", "v2.3"])
@pytest.mark.parametrize(("kind", "parent"), PARENTS, ids=[f"{kind} {format_path(parent)}" for kind, parent in PARENTS])
def test_what_people_write(kind: str, parent: Path, release: str, snapshot: SnapshotAssertion) -> None:
    profile = find(release)
    assert profile is not None
    types, lines = profile.types(), []
    above = field_at(types, kind, parent) if parent else None
    known = struct_of(above) if parent else types.struct(TYPES[kind])
    for word in WORDS if known is not None else ():  # some are fields of other releases
        advice = advise_unknown((*parent, word), kind, profile)
        if advice and known is not None and word not in known.fields:
            lines += [f"{word}: {advice.hint}", *(f"    [{each.title}] {'safe' if each.safe else 'unsafe'}" for each in advice.remedies)]
    assert "\n".join(lines) == snapshot
