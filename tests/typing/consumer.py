"""What somebody's program looks like who uses all of the library: read by type checkers and run in `test_typing.py`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal, assert_type

import jobset_compiler as jc
from jobset_compiler import models
from jobset_compiler.models import EnvVar, ObjectMeta, ResourceRequirements, RuntimeRef, Trainer, TrainJobSpec, v2_1
from jobset_compiler.testing import assert_compiles


def trainjob(name: str, gpus: int, env: Mapping[str, str]) -> jc.TrainJob:
    resources = ResourceRequirements(limits={"nvidia.com/gpu": gpus, "cpu": 0.5, "memory": "64Gi"})
    variables = [EnvVar(name=key, value=value) for key, value in env.items()]
    trainer = Trainer(num_nodes=2, command=["python", "train.py"], env=variables, resources_per_node=resources)
    return jc.TrainJob(metadata=ObjectMeta(name=name), spec=TrainJobSpec(runtime_ref=RuntimeRef(name="torch-distributed"), trainer=trainer))


def from_mappings(body: Mapping[str, Any], when: datetime) -> list[jc.TrainJob]:
    meta = models.ObjectMeta(name="a", creation_timestamp=when)
    return [jc.TrainJob.from_dict(body), jc.TrainJob(metadata=meta, spec={"runtimeRef": {"name": "rt"}})]


def of_another_release() -> v2_1.TrainJob:
    patch = v2_1.PodTemplateOverride(target_jobs=[{"name": "node"}])
    job = v2_1.TrainJob(metadata={"name": "a"}, spec=v2_1.TrainJobSpec(runtime_ref={"name": "rt"}, pod_template_overrides=[patch]))
    assert_type(job.spec, v2_1.TrainJobSpec | None)
    return job


def refusals(result: jc.Compilation) -> dict[jc.Severity, list[str]]:
    found: dict[jc.Severity, list[str]] = {"error": [], "warning": [], "info": []}
    for diagnostic in result.diagnostics:
        assert_type(diagnostic.severity, Literal["error", "warning", "info"])
        stage: jc.Stage = diagnostic.stage
        found[diagnostic.severity].append(f"{diagnostic.file}:{diagnostic.line} {stage} {diagnostic.code} {diagnostic.message} {diagnostic.hint}")
    return found


def run(jobs: Iterable[jc.TrainJob], runtimes: Iterable[Mapping[str, Any]], release: jc.TrainerVersion, priorities: Iterable[str]) -> str:
    facts = jc.Facts(uid="u-1", priority_classes=frozenset(priorities))
    result = jc.compile_objects([*runtimes, *jobs], trainer_version=release, facts=facts, feature_gates={"TrainJobStatus": True})
    assert_type(result.trainer_version, jc.TrainerVersion)
    assert_type(result.objects, tuple[dict[str, Any], ...])
    if not result.ok:
        return str(refusals(result))
    total = sum(pods.count for pods in result.podsets if pods.ancestor == "trainer")
    wanted: list[str] = [f"{needed.kind} {needed.namespace}/{needed.name}" for needed in result.requirements]
    origins: tuple[jc.Origin, ...] = result.origin_of(result.objects[0], "spec.suspend")
    told = jc.compile_yaml(result.to_yaml(), file="rendered.yaml", passes=()).ok
    return f"{total} {wanted} {origins[0].line} {told} {[profile.name for profile in jc.PROFILES]}"


def check(job: jc.TrainJob, runtime: jc.ClusterTrainingRuntime | jc.TrainingRuntime) -> jc.PodSetSummary:
    number: int | None = job.spec.trainer.num_nodes if job.spec and job.spec.trainer else None
    assert_type(models.model_of("TrainJob", "v2.2").from_yaml(job.to_yaml()).to_dict(), dict[str, Any])
    return assert_compiles([runtime, job, {"kind": "ConfigMap", "nodes": number}]).podsets[0]
