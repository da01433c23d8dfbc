"""The ConfigMap with the two scripts that set Flux up and start it.

Source of the values: buildInitScriptConfigMap, generateInitEntrypoint and generateFluxEntrypoint in
pkg/runtime/framework/plugins/flux/flux.go. network.subdomain and other cluster domains are ignored (JSC830).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import NODE
from jobset_compiler.passes.flux.scripts import BROKER, ENTRYPOINT, INIT, filled
from jobset_compiler.passes.flux.settings import config_map_name, nodes, settings_of, tasks_per_node
from jobset_compiler.passes.manifests import config_map
from jobset_compiler.passes.nproc import gpus_per_node, wrap_int32
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from jobset_compiler.resolve.plan import Plan

FLUX_ROOT = "/opt/view"


def scripts(plan: Plan) -> dict[str, Any]:
    return config_map(config_map_name(plan), {"entrypoint.sh": entrypoint(plan), "init.sh": init(plan)})


def init(plan: Plan) -> str:
    settings = settings_of(plan)
    hosts = f"{plan.job.name}-{NODE}-0-[{index_range(_known_nodes(plan))}]"
    broker = filled(
        BROKER,
        BIND=f"tcp://{settings.network_device}:%p",
        CONNECT=f"tcp://%h.{plan.job.name}.{plan.job.namespace}.svc.cluster.local:%p",
        HOSTS=hosts,
        QUEUE_POLICY=settings.queue_policy,
    )
    return filled(INIT, FLUX_ROOT=FLUX_ROOT, MAIN_HOST=f"{plan.job.name}-0", HOSTS=hosts, BROKER=broker.removesuffix("\n"))


def entrypoint(plan: Plan) -> str:
    tasks, gpus = tasks_per_node(plan), gpus_per_node(plan.node_resources)
    flags = f"-N {_known_nodes(plan)} -n {wrap_int32(tasks * _known_nodes(plan))}"
    resources = f"--cores={index_range(tasks)}" if plan.profile.has(features.FLUX_RESOURCE_SPEC) else "--local"
    if gpus > 0:
        flags += f" -g {gpus}"
        if resources != "--local":
            resources += f" --gpu={index_range(wrap_int32(gpus))}"
    return filled(ENTRYPOINT, RESOURCES=resources, MAIN_HOST=f"{plan.job.name}-{NODE}-0-0", FLAGS=flags)


def index_range(size: int) -> str:
    """Indexes from 0 as Flux writes them: `0`, `0-3`; nothing checks the size, so that 0 gives `0--1` (JSC841)."""
    return "0" if size == 1 else f"0-{wrap_int32(size - 1)}"


def _known_nodes(plan: Plan) -> int:
    known = nodes(plan)
    assert known is not None, "policy.py refuses a TrainJob without numNodes"
    return known
