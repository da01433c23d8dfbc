"""The documents that a v1 job becomes: a TrainJob over a community runtime, over a named one, or over a runtime written for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.api.runtime import ANCESTOR_LABEL, NAMESPACED_KIND, TRAINER
from jobset_compiler.api.trainjob import API_VERSION
from jobset_compiler.dialects.exported import OF_KUBECTL
from jobset_compiler.dialects.tree import At, Carried, Made, get, parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jobset_compiler.dialects.v1.job import Role, V1Job
    from jobset_compiler.dialects.v1.policy import RunPolicy

FRAMEWORK_LABEL = "trainer.kubeflow.org/framework"


class Jobs(NamedTuple):
    """The replicatedJobs of a runtime with its ML policy, and the members of the JobSet beside them."""

    policy: dict[str, Any]
    jobs: list[Any]
    jobset: Mapping[str, Any] = {}


def trainjob(job: V1Job, runtime_ref: dict[str, Any], trainer: dict[str, Any], policy: RunPolicy, more: dict[str, Any] | None = None) -> dict[str, Any]:
    """The TrainJob; `more`: further members of its spec."""
    return {
        "apiVersion": Made(API_VERSION, ("apiVersion",)),
        "kind": Made("TrainJob", ("kind",)),
        "metadata": At(("metadata",), _metadata(job)),
        "spec": At(("spec",), {"runtimeRef": Made(runtime_ref, ("kind",)), **policy.trainjob, "trainer": Made(trainer, job.replicas), **(more or {})}),
    }


def _metadata(job: V1Job) -> dict[str, Any]:
    """Name, namespace, labels and annotations; not what a server has added to an object that was exported."""
    metadata: dict[str, Any] = {key: Carried(("metadata", key)) for key in ("name", "namespace", "labels") if get(job.value, "metadata", key)}
    annotations = parts(job.value, ("metadata", "annotations"), OF_KUBECTL)
    if annotations:
        metadata["annotations"] = At(("metadata", "annotations"), annotations)
    return metadata


def runtime_name(job: V1Job) -> str:
    return f"{job.name}-runtime"


def runtime_ref(job: V1Job) -> dict[str, Any]:
    return {"kind": NAMESPACED_KIND, "name": runtime_name(job)}


def runtime(job: V1Job, jobs: Jobs, policy: RunPolicy) -> dict[str, Any]:
    """The TrainingRuntime that is written for the job."""
    metadata: dict[str, Any] = {"name": Made(runtime_name(job), ("metadata", "name"))}
    if get(job.value, "metadata", "namespace"):
        metadata["namespace"] = Carried(("metadata", "namespace"))
    metadata["labels"] = Made({FRAMEWORK_LABEL: job.kind.framework}, ("kind",))
    template: dict[str, Any] = {"metadata": policy.metadata} if policy.metadata else {}
    template["spec"] = Made({**policy.jobset, **jobs.jobset, "replicatedJobs": jobs.jobs}, job.replicas)
    return {
        "apiVersion": Made(API_VERSION, ("apiVersion",)),
        "kind": Made(NAMESPACED_KIND, ("kind",)),
        "metadata": Made(metadata, ("metadata",)),
        "spec": Made({"mlPolicy": Made(jobs.policy, job.replicas), **policy.runtime, "template": template}, ("spec",)),
    }


def replicated_job(
    name: str, role: Role, template: At, *, trainer: bool, spec: Mapping[str, Any] | None = None, more: Mapping[str, Any] | None = None
) -> At:
    """One replicatedJob. spec: members of its Job; more: of the replicatedJob itself."""
    tree: dict[str, Any] = {"name": Made(name, role.path), **(more or {})}
    labels = {"metadata": Made({"labels": {ANCESTOR_LABEL: TRAINER}}, role.path)} if trainer else {}
    tree["template"] = {**labels, "spec": {**(spec or {}), "template": template}}
    return At(role.path, tree)


def trainer_fields(job: V1Job, role: Role, env: list[Any]) -> dict[str, Any]:
    """image, command, args and env of spec.trainer, from the training container."""
    container = parts(job.value, role.trainer)
    fields: dict[str, Any] = {key: container[key] for key in ("image", "command", "args") if key in container}
    return {**fields, "env": env} if env else fields


def resources(job: V1Job, role: Role) -> dict[str, Any]:
    """resourcesPerNode; {} where the container declares nothing, or claims, which 2.3 drops when it merges (#3602): the runtime has them."""
    path = (*role.trainer, "resources")
    declared = get(job.value, *path)
    return {"resourcesPerNode": Carried(path)} if declared and not get(declared, "claims") else {}

