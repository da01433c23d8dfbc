"""TF_CONFIG, which some write by hand, against the number of pods and their addresses."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import NODE, containers_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.findings.words import TRAINER_SPEC, container_path, on_runtime, on_trainjob
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan, PodContainer, PodSet

TF_CONFIG = "TF_CONFIG"
OF_JOB_NAME = {"fieldRef": {"fieldPath": "metadata.labels['jobset.sigs.k8s.io/jobset-name']"}}
VARIABLE = re.compile(r"\$\([^()]*\)")


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    pods, node = plan.trainer_pods(), plan.trainer_node()
    if pods is None or node is None:
        return
    cluster = _cluster(_text(plan, node))
    if cluster is None:
        return
    if len(cluster) == 1:
        yield from _size(plan, pods, len(*cluster.values()))
    yield from _hosts(plan, pods, [host for hosts in cluster.values() for host in hosts])


def _size(plan: Plan, pods: PodSet, workers: int) -> Iterator[Diagnostic]:
    if workers == pods.count:
        return
    message = (
        f"{TF_CONFIG} names {counted(workers, 'worker')}, but the job has {counted(pods.count, 'pod')}: "
        f"{'those that are missing are waited for without end' if workers > pods.count else 'those beyond the list fail'}"
    )
    yield _tell(plan, pods, codes.silent.TF_CONFIG_SIZE, message, f"write numNodes: {workers}, or a {TF_CONFIG} for {counted(pods.count, 'worker')}")


def _hosts(plan: Plan, pods: PodSet, hosts: list[object]) -> Iterator[Diagnostic]:
    """All of them under the TrainJob's name, where the pods have another."""
    named, real = plan.job.name, plan.subdomain
    domains = {str(host).rpartition(":")[0].partition(".")[2].partition(".")[0] for host in hosts}
    if named != real and domains == {named}:
        message = f"{TF_CONFIG} names hosts under {named}, the pods are under {real}"
        yield _tell(plan, pods, codes.silent.TF_CONFIG_HOST, message, f"end them in .{real}, or leave network.subdomain out of the runtime")


def _tell(plan: Plan, pods: PodSet, code: Code, message: str, hint: str) -> Diagnostic:
    own = next((index for index, entry in enumerate(plan.job.trainer.env if plan.job.trainer else ()) if entry["name"] == TF_CONFIG), None)
    if own is not None:
        return on_trainjob(plan, code, message, (*TRAINER_SPEC, "env", own), hint)
    at = container_path(plan, pods.name, NODE)
    for job in replicated_jobs(plan.runtime.template):
        for container in containers_of(job) if job["name"] == pods.name else ():
            names = [entry["name"] for entry in container.get("env", ())]
            if container["name"] == NODE and TF_CONFIG in names:
                at = (*at, "env", names.index(TF_CONFIG))
    return on_runtime(plan, code, message, at, hint)


def _text(plan: Plan, node: PodContainer) -> str:
    """TF_CONFIG of a pod, with 0 for what only the pod knows."""
    text = next((entry.get("value") for entry in node.env if entry["name"] == TF_CONFIG), None)
    if not isinstance(text, str):
        return ""
    for entry in node.env:
        if entry.get("valueFrom") == OF_JOB_NAME:
            text = text.replace(f"$({entry['name']})", plan.job.name)
    return VARIABLE.sub("0", text)


def _cluster(text: str) -> dict[str, list[object]] | None:
    """The lists of hosts by role; None for a text that is no TF_CONFIG."""
    try:
        cluster = json.loads(text)["cluster"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return cluster if isinstance(cluster, dict) and all(isinstance(hosts, list) for hosts in cluster.values()) else None
