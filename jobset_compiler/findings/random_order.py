"""What is random upstream (JSC842), and TrainJobStatus, which writes over what it finds (JSC843)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import NODE, TRAINER, ancestor_of, pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.resources import counts_devices
from jobset_compiler.findings.words import COUNTS_PROCESSES, TRAINER_SPEC, container_path, listed, on_runtime, on_trainjob, pod_path
from jobset_compiler.kube.quantity import Quantity
from jobset_compiler.passes import status
from jobset_compiler.passes.nproc import gpu_resources
from jobset_compiler.profiles import features
from jobset_compiler.resolve.plan import replicated_jobs
from jobset_compiler.resolve.requests import pod_requests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]
PODGROUP_POLICY = ("spec", "podGroupPolicy")


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    trainer = plan.job.trainer
    if plan.policy_name == "xgboost" and trainer is not None and trainer.env and plan.trainer_node() is not None:
        message = "the TrainJob's variables stand before DMLC_* here; on a cluster they may stand after them"
        yield on_trainjob(plan, codes.parity.RANDOM_ORDER, message, (*TRAINER_SPEC, "env"), "do not let one variable refer to another across the two groups")
    if trainer is not None and counts_devices(plan):
        yield from _gpu_names(plan)
    if status.applies(plan):
        yield from _status(plan)
    policy = plan.pod_group_policy
    if policy is not None and policy.coscheduling is not None and policy.volcano is not None:
        yield from _two_groups(plan)


def _gpu_names(plan: Plan) -> Iterator[Diagnostic]:
    resources = plan.node_resources
    for key in ("requests", "limits"):
        names = gpu_resources(resources.get(key, {}))
        if len(names) > 1 and len({Quantity.parse(resources[key][name]).ceil() for name in names}) > 1:
            at = (*TRAINER_SPEC, "resourcesPerNode", key) if plan.job.trainer and plan.job.trainer.resources_per_node is not None else TRAINER_SPEC
            message = f"{names[0]} is counted as GPUs here; on a cluster it is any of {listed(list(names))}"
            other = ", or set spec.trainer.numProcPerNode" if plan.policy_name in COUNTS_PROCESSES else ""
            yield on_trainjob(plan, codes.parity.RANDOM_ORDER, message, at, f"name one GPU resource only{other}")
            return


def _status(plan: Plan) -> Iterator[Diagnostic]:
    variables = set(status.VARIABLES)
    job = next((job for job in replicated_jobs(plan.template) if ancestor_of(job) == TRAINER), None)
    if job is None:
        return
    pod = pod_spec_of(job)
    hint = f"use another name than those of {status.GATE}"
    for index, volume in enumerate(pod.get("volumes", ())):
        if volume["name"] == status.VOLUME:
            at = (*pod_path(plan, job["name"]), "volumes", index)
            yield on_runtime(plan, codes.parity.STATUS_OVERWRITES, f"volume {status.VOLUME} is replaced by {status.GATE} (#3956)", at, hint)
    for container in pod.get("containers") or ():
        path = container_path(plan, job["name"], container["name"])
        for index, mount in enumerate(container.get("volumeMounts", ())):
            if mount.get("mountPath") == status.FOLDER:
                message = f"the mount at {status.FOLDER} is replaced by {status.GATE} (#3956)"
                yield on_runtime(plan, codes.parity.STATUS_OVERWRITES, message, (*path, "volumeMounts", index), hint)
        for index, entry in enumerate(container.get("env", ())):
            if entry["name"] in variables:
                message = f"{entry['name']} is replaced by {status.GATE} (#3956)"
                yield on_runtime(plan, codes.parity.STATUS_OVERWRITES, message, (*path, "env", index), hint)
    trainer = plan.job.trainer
    if plan.profile.has(features.STATUS_AFTER_POLICIES):
        return
    if trainer is not None and (trainer.env or plan.policy_name in ("torch", "jax", "xgboost")) and plan.trainer_node() is not None:
        message = f"the variables of {status.GATE} stand after the others of container {NODE} here; on a cluster they may stand elsewhere"
        yield on_trainjob(plan, codes.parity.RANDOM_ORDER, message, TRAINER_SPEC, "do not let one variable refer to another across the groups")


def _two_groups(plan: Plan) -> Iterator[Diagnostic]:
    shared = sorted({name for pods in plan.pod_sets if pods.count != 1 for name, quantity in pod_requests(plan, pods).items() if quantity.is_decimal})
    if shared:
        message = f"the PodGroup that is built second counts {listed(shared)} too often: here that of Volcano, on a cluster either"
        yield on_runtime(plan, codes.parity.RANDOM_ORDER, message, PODGROUP_POLICY, "use one gang scheduler, and quantities without a decimal point")
