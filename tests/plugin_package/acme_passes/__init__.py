"""What Acme's platform adds to every training job, as its admission webhook does in the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics.codes.code import WARNING, Code
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.passes.api import COMPANIONS, CONTAINERS, SCHEDULING, AddObject, Edit, OfRuntime, Pass, SetEnv, SetPodLabel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.resolve.plan import Plan

COST_CENTER = "acme.example.com/cost-center"
NO_COST_CENTER = Code("ACME001", "no-cost-center", WARNING, "A TrainJob has no cost center.", "Its pods are billed to the platform team.")


def always(plan: Plan) -> bool:
    return True


def label_pods(plan: Plan) -> Iterator[Edit | Diagnostic]:
    """The TrainJob's cost center on every pod."""
    labels = ("metadata", "labels", COST_CENTER)
    value = plan.job.labels.get(COST_CENTER)
    if value is None:
        hint = f"set the label {COST_CENTER}"
        yield Diagnostic(NO_COST_CENTER, "no cost center", document=plan.job.document, at=("metadata",), path="metadata.labels", hint=hint)
        return
    yield SetPodLabel(COST_CENTER, value, because=labels)


def has_gpus(plan: Plan) -> bool:
    resources = (plan.job.trainer.resources_per_node if plan.job.trainer else None) or {}
    return any("nvidia.com/" in name for listed in resources.values() if isinstance(listed, dict) for name in listed)


def choose_interface(plan: Plan) -> Iterator[Edit | Diagnostic]:
    """NCCL talks over the fast network, unless the TrainJob says otherwise."""
    chosen = {entry["name"] for entry in plan.job.trainer.env} if plan.job.trainer else set()
    pods = plan.trainer_pods()
    if pods is not None and "NCCL_SOCKET_IFNAME" not in chosen:
        for container in pods.containers:
            yield SetEnv(pods.name, container.name, {"name": "NCCL_SOCKET_IFNAME", "value": "roce0"}, because=("spec", "trainer", "resourcesPerNode"))


def fence_off(plan: Plan) -> Iterator[Edit | Diagnostic]:
    """Pods of one TrainJob talk to each other and to nobody else: a NetworkPolicy of their own."""
    own = {"podSelector": {"matchLabels": {"jobset.sigs.k8s.io/jobset-name": plan.job.name}}}
    spec = {**own, "policyTypes": ["Ingress"], "ingress": [{"from": [own]}]}
    policy = {"apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "metadata": {"name": f"{plan.job.name}-own"}, "spec": spec}
    yield AddObject(policy, because=OfRuntime(("spec", "mlPolicy")))


PASSES = (
    Pass("acme.cost-center", SCHEDULING, always, label_pods, cites=("https://wiki.acme.example.com/billing",)),
    Pass("acme.nccl-interface", CONTAINERS, has_gpus, choose_interface),
    Pass("acme.network-policy", COMPANIONS, has_gpus, fence_off),
)
