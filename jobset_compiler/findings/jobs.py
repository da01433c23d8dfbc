"""replicatedJobs: counts that are overwritten, replicas, names that addresses ignore, second trainers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import DATASET_INITIALIZER, LAUNCHER, MODEL_INITIALIZER, NODE, TRAINER
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.codes.code import INFO
from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.diagnostics.place import value_at
from jobset_compiler.findings.words import TEMPLATE, job_path, on_runtime
from jobset_compiler.passes.endpoints import endpoints, first_node
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan, PodSet


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    for job, pods in zip(replicated_jobs(plan.template), plan.pod_sets, strict=True):
        if "replicas" not in job:
            yield from _no_replicas(plan, pods)
        yield from _counts(plan, job.get("template", {}).get("spec", {}), pods)
        if pods.replicas > 1:
            yield from _replicas(plan, pods)
    if plan.trainer is not None:
        yield from _addresses(plan)
        if plan.policy_name != "mpi":
            yield from _second_trainers(plan)


def _counts(plan: Plan, spec: dict[str, Any], pods: PodSet) -> Iterator[Diagnostic]:
    """JSC813."""
    parallelism, completions = spec.get("parallelism"), spec.get("completions")
    if completions is not None and completions != (1 if parallelism is None else parallelism):
        yield on_runtime(
            plan,
            codes.parity.COMPLETIONS_OVERWRITTEN,
            f"completions {completions} of {pods.name} becomes {pods.count}, the number of its pods",
            (*job_path(plan, pods.name), "template", "spec", "completions"),
            "a TrainJob cannot run a Job with more completions than pods; use one replicatedJob for each",
        )
    elif parallelism == 0 and pods.count > 0:
        message = f"parallelism 0 of {pods.name} becomes {pods.count}"
        at = (*job_path(plan, pods.name), "template", "spec", "parallelism")
        yield on_runtime(plan, codes.parity.COMPLETIONS_OVERWRITTEN, message, at, "leave the replicatedJob out if it is not to run", INFO)
    elif parallelism is not None and parallelism != pods.count and not _is_counted_by_trainjob(plan, pods):
        message = f"parallelism {parallelism} of {pods.name} becomes {pods.count}: the nodes are counted by mlPolicy.numNodes"
        at = (*job_path(plan, pods.name), "template", "spec", "parallelism")
        yield on_runtime(plan, codes.parity.COMPLETIONS_OVERWRITTEN, message, at, f"write mlPolicy.numNodes: {parallelism}")


def _no_replicas(plan: Plan, pods: PodSet) -> Iterator[Diagnostic]:
    """JSC813: Go leaves a 0 out, and the server fills in 1."""
    at = job_path(plan, pods.name)
    if at != TEMPLATE and value_at(plan.runtime.document.value, (*at, "replicas")) == 0:
        message = f"replicas 0 of {pods.name} becomes 1"
        yield on_runtime(plan, codes.parity.COMPLETIONS_OVERWRITTEN, message, (*at, "replicas"), "leave the replicatedJob out if it is not to run")


def _is_counted_by_trainjob(plan: Plan, pods: PodSet) -> bool:
    """Whether spec.trainer.numNodes, which is there to be another number, says how many there are."""
    counted = plan.pod_set(NODE) if plan.policy_name == "mpi" else plan.trainer_pods()
    return counted is pods and plan.trainer is not None and plan.trainer.num_nodes is not None


def _replicas(plan: Plan, pods: PodSet) -> Iterator[Diagnostic]:
    """JSC814."""
    if pods.ancestor in (TRAINER, DATASET_INITIALIZER, MODEL_INITIALIZER):
        return  # written as one replica
    gang = plan.pod_group_policy
    at = (*job_path(plan, pods.name), "replicas")
    hint = "use parallelism rather than replicas"
    if gang is not None and (gang.coscheduling is not None or gang.volcano is not None):
        message = f"the PodGroup counts {counted(pods.count, 'pod')} of {pods.name}, not {pods.replicas} times as many (#2318)"
        yield on_runtime(plan, codes.parity.REPLICAS_COUNTED_ONCE, message, at, hint)
    mpi = plan.policy.mpi if plan.policy else None
    if mpi is not None and (pods.name == NODE or (pods.name == LAUNCHER and mpi.run_launcher_as_node)):
        hosts = sum(1 for _ in endpoints(plan, pods))
        if hosts < pods.count * pods.replicas:
            message = f"the host file lists {hosts} of {pods.count * pods.replicas} pods of {pods.name} (#3539)"
            yield on_runtime(plan, codes.parity.REPLICAS_COUNTED_ONCE, message, at, hint)


# The policies whose pods look for the first node at its fixed address (passes/endpoints.py).
LOOK_FOR_FIRST_NODE = ("torch", "jax", "xgboost", "flux")


def _addresses(plan: Plan) -> Iterator[Diagnostic]:
    """JSC830: the address of the first node was written somewhere, and is not that of a trainer pod."""
    pods = plan.trainer_pods()
    if pods is None or plan.policy_name not in LOOK_FOR_FIRST_NODE or (pods.name == NODE and plan.subdomain == plan.job.name):
        return
    node = pods.container(NODE)
    address = first_node(plan)
    values = [entry.get("value", "") for entry in node.env] if node else []
    command = plan.trainer.command if plan.trainer and plan.trainer.command else ()
    if not (plan.policy_name == "flux" or any(address in value for value in (*values, *command))):
        return
    if pods.name != NODE:
        yield on_runtime(
            plan,
            codes.parity.FIXED_ADDRESSES,
            f"the nodes look for {address}, but the trainer's pods are called {plan.job.name}-{pods.name}-0-*",
            (*job_path(plan, pods.name), "name"),
            "call the replicatedJob node",
        )
    if plan.subdomain != plan.job.name:
        yield on_runtime(
            plan,
            codes.parity.FIXED_ADDRESSES,
            f"the nodes look for {address}, but network.subdomain puts them under {plan.subdomain}",
            (*TEMPLATE, "network", "subdomain"),
            "leave network.subdomain out",
        )


def _second_trainers(plan: Plan) -> Iterator[Diagnostic]:
    """JSC831."""
    trainers = [pods for pods in plan.pod_sets if pods.ancestor == TRAINER]
    for pods in trainers[1:]:
        yield on_runtime(
            plan,
            codes.parity.SECOND_TRAINER_JOB,
            f"{pods.name} is another replicatedJob with the trainer label: it gets the TrainJob's image, command, args and env, "
            f"but nothing of the policy; {trainers[0].name} comes first",
            (*job_path(plan, pods.name), "name"),
            "label one replicatedJob only",
        )
