"""Resources: what is counted as processes, what replaces or drops what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import NODE, containers_of, template_resources
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.codes.code import INFO, WARNING
from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.diagnostics.place import value_at
from jobset_compiler.findings.words import COUNTS_PROCESSES, TRAINER_SPEC, container_path, listed, on_runtime, on_trainjob
from jobset_compiler.passes.nproc import by_resources, gpu_resources, gpus_per_node, processes_per_node, runtime_may_ask
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan, PodSet

Tree = dict[str, Any]
RESOURCES: Path = (*TRAINER_SPEC, "resourcesPerNode")
# How the names of devices that are no GPUs to upstream begin after the domain; parts of names of GPU resources that are no devices; names
# without a surprise.
ACCELERATORS = ("mig-", "tpu", "gaudi", "neuron", "ascend", "npu", "mlu", "dcu", "xpu", "hpu", "qaic")
SHARES = ("gpumem", "gpu-mem", "gpu.mem", "gpu_mem", "gpucore", "gpu-core", "gpu.core", "gpu_core", "gpualloc")
COUNTED_AS_THEY_ARE = frozenset({"cpu", "memory", "ephemeral-storage", "nvidia.com/gpu", "amd.com/gpu"})
SET_PROCESSES = "set spec.trainer.numProcPerNode"


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    if plan.trainer is None:
        return
    if plan.policy_name == "torch" and plan.trainer_node() is not None:
        yield from _torch(plan)
    if counts_devices(plan):
        yield from _devices(plan)
        yield from _claims(plan)
    trainer = plan.job.trainer
    resources = trainer.resources_per_node if trainer is not None else None
    if resources is not None:
        yield from _placed(plan, resources)


def counts_devices(plan: Plan) -> bool:
    """Whether the policy reads a number off the node's GPUs."""
    if plan.policy_name == "mpi":
        from jobset_compiler.passes.mpi import takes_gpus_for_slots

        return takes_gpus_for_slots(plan)
    if plan.policy_name == "torch":
        return plan.trainer_node() is not None and leaves_processes_open(plan)
    return plan.policy_name in ("xgboost", "flux")


def leaves_processes_open(plan: Plan) -> bool:
    """Neither TrainJob nor runtime asks for a number of processes."""
    trainer, torch = plan.job.trainer, plan.policy.torch if plan.policy else None
    asked = (trainer.num_proc_per_node if trainer else None, torch.num_proc_per_node if torch else None)
    return next((value for value in asked if value is not None), "auto") == "auto"


def _torch(plan: Plan) -> Iterator[Diagnostic]:
    """JSC803, JSC804."""
    resources = plan.node_resources
    given = plan.job.trainer.resources_per_node if plan.job.trainer else None
    bare = not any(resources.get(key) for key in ("limits", "requests"))
    if not bare and (given is None or _lists_agree(given)):
        return
    processes = processes_per_node(plan)
    if processes.each_list:
        if given is not None and isinstance(processes.value, int):
            if isinstance(processes.start, int) and processes.value != processes.start:
                message = f"PET_NPROC_PER_NODE is {processes.value}, not {processes.start}, because resourcesPerNode has no requests (#2407)"
                hint = "repeat the limits under requests" if given.get("limits") else "leave resourcesPerNode out, or fill in limits and requests"
                yield on_trainjob(plan, codes.parity.LIMITS_COUNT_ONE, message, RESOURCES, hint)
            elif processes.start in ("auto", "gpu") and processes.gpus > 0:
                names = gpu_resources({**given.get("limits", {}), **given.get("requests", {})})
                message = f"PET_NPROC_PER_NODE is {processes.value}: {listed(names)} must stand in limits and requests to be seen (#2407)"
                yield on_trainjob(plan, codes.parity.LIMITS_COUNT_ONE, message, RESOURCES, "repeat the GPUs under limits and requests")
    elif bare and processes.start == "auto":
        removed = _removed_processes(plan)
        hint = f"{SET_PROCESSES} or declare the GPUs in resourcesPerNode" if removed is None else f"{SET_PROCESSES}: {removed}"
        message = "one process per node: neither the TrainJob nor the runtime declares GPUs or CPUs (#2653)"
        if removed is not None:
            message = f"one process per node, not {removed}: this release does not read the runtime's numProcPerNode, and no GPUs or CPUs are declared (#2653)"
        yield on_trainjob(plan, codes.parity.ONE_PROCESS_WITHOUT_RESOURCES, message, TRAINER_SPEC, hint, None if removed is None else WARNING)


def _removed_processes(plan: Plan) -> int | None:
    """The number of processes that the runtime's text asks for in a field that the release has not any more."""
    policy = value_at(plan.runtime.document.value, ("spec", "mlPolicy", "torch")) or {}
    number = policy.get("numProcPerNode") if isinstance(policy, dict) else None
    return number if isinstance(number, int) and number > 1 and not runtime_may_ask(plan) else None


def _lists_agree(resources: Tree) -> bool:
    """Limits and requests are both there, and both or neither of them name a GPU."""
    limits, requests = resources.get("limits"), resources.get("requests")
    return limits is not None and requests is not None and bool(gpu_resources(limits)) == bool(gpu_resources(requests))


def _devices(plan: Plan) -> Iterator[Diagnostic]:
    """JSC805, JSC806, and shares of GPUs that count as GPUs."""
    resources = plan.node_resources
    names = {**resources.get("limits", {}), **resources.get("requests", {})}
    if names.keys() <= COUNTED_AS_THEY_ARE and not plan.resources_merged:
        return
    unseen = [name for name in sorted(names) if "/" in name and _is_accelerator(name.lower()) and "gpu" not in name.lower()]
    given = plan.job.trainer.resources_per_node if plan.job.trainer else None
    at = TRAINER_SPEC if given is None else RESOURCES
    if unseen and gpus_per_node(resources) == 0:
        message = f"{listed(unseen)} is not counted: only resources with gpu in their name are (#2900); {_count(plan)}"
        yield on_trainjob(plan, codes.parity.ACCELERATOR_NOT_COUNTED, message, at, _way_out(plan))
    shares = [name for name in sorted(names) if "gpu" in name.lower() and any(part in name.lower() for part in SHARES)]
    if shares:
        what = "is counted as GPUs although it is no device" if len(shares) == 1 else "are counted as GPUs although they are no devices"
        message = f"{listed(shares)} {what}; {_count(plan)}"
        yield on_trainjob(plan, codes.parity.GPU_LIKE_NAME, message, at, _way_out(plan))
    merged = template_resources(plan.template) if plan.resources_merged else resources
    if any(merged.get(key, {}).keys() != resources.get(key, {}).keys() for key in ("limits", "requests")):
        if plan.policy_name == "torch":
            differs = by_resources("auto", merged) != by_resources("auto", resources)
        else:
            differs = gpus_per_node(merged) != gpus_per_node(resources)
        if differs:
            message = f"the pod has {_inventory(merged)}, but only resourcesPerNode is counted (#3974); {_count(plan)}"
            hint = "repeat the runtime's resources here" + (f", or {SET_PROCESSES}" if plan.policy_name in COUNTS_PROCESSES else "")
            yield on_trainjob(plan, codes.parity.MERGED_RESOURCES_NOT_COUNTED, message, RESOURCES, hint)


def _claims(plan: Plan) -> Iterator[Diagnostic]:
    """Devices that come by a claim, where the container keeps it."""
    pods = plan.trainer_pods()
    if pods is None or gpus_per_node(plan.node_resources) > 0:
        return
    for job in replicated_jobs(plan.template):
        if job["name"] == pods.name:
            final = _node_of(pods, job)
            if final and final.get("claims"):
                at = (*container_path(plan, pods.name, NODE), "resources", "claims")
                message = f"the devices of claim {listed([claim['name'] for claim in final['claims']])} are not counted as GPUs; {_count(plan)}"
                yield on_runtime(plan, codes.silent.CLAIMS_NOT_COUNTED, message, at, _way_out(plan))


def _way_out(plan: Plan) -> str:
    """What to do where another number of processes is meant than is counted."""
    return SET_PROCESSES if plan.policy_name in COUNTS_PROCESSES else "start as many workers in each node as are counted: no field sets their number"


def _is_accelerator(name: str) -> bool:
    domain, _, device = name.rpartition("/")
    return device.startswith(ACCELERATORS) or domain.startswith("cloud-tpus.")


def _inventory(resources: Tree) -> str:
    both = {**resources.get("limits", {}), **resources.get("requests", {})}
    counted = [name for name in sorted(both) if name == "cpu" or "gpu" in name.lower()]
    return listed([f"{name} {both[name]}" for name in counted]) or "other resources"


def _count(plan: Plan) -> str:
    """What the policy has made of the resources, in its own variable."""
    if plan.policy_name == "torch":
        return f"PET_NPROC_PER_NODE is {processes_per_node(plan).value}"
    gpus = gpus_per_node(plan.node_resources)
    if plan.policy_name == "mpi":
        return f"each host has {counted(max(gpus, 1), 'slot')}"
    return f"each node counts {counted(gpus, 'GPU') if plan.policy_name == 'flux' else counted(max(gpus, 1), 'worker')}"


def _placed(plan: Plan, resources: Tree) -> Iterator[Diagnostic]:
    """JSC807, JSC808, JSC809."""
    if plan.resources_merged and plan.policy is None:
        message = "resourcesPerNode is ignored: the runtime has no mlPolicy"
        yield on_trainjob(plan, codes.parity.RESOURCES_IGNORED, message, RESOURCES, "give the runtime an mlPolicy, or patch the resources into the runtime")
        return
    if "claims" in resources:
        message = "the claims of resourcesPerNode are dropped"
        yield on_trainjob(plan, codes.parity.CLAIMS_DROPPED, message, (*RESOURCES, "claims"), "put the claims into the runtime, and leave resourcesPerNode out")
    before = {job["name"]: job for job in replicated_jobs(plan.runtime.template)}
    for job, pods in zip(replicated_jobs(plan.template), plan.pod_sets, strict=True):
        final = _node_of(pods, job)
        runtime = _resources_of(before.get(pods.name, {}))
        if final is None or not runtime:
            continue
        if "claims" in runtime and "claims" not in final:
            at = (*container_path(plan, pods.name, NODE), "resources", "claims")
            yield on_runtime(
                plan, codes.parity.CLAIMS_DROPPED, f"the claims of {pods.name} are dropped because of resourcesPerNode", at, "leave resourcesPerNode out"
            )
        lost = [f"{key}.{name}" for key in ("limits", "requests") for name in runtime.get(key, {}) if name not in final.get(key, {})]
        if lost:
            yield on_trainjob(
                plan,
                codes.parity.RUNTIME_RESOURCES_REPLACED,
                f"resourcesPerNode replaces the runtime's resources of {pods.name}: {listed(lost)} lost (#3551)",
                RESOURCES,
                "repeat the runtime's resources here",
                None if any("gpu" in name or name.endswith(".memory") for name in lost) else INFO,
            )


def _resources_of(job: Tree) -> Tree:
    node = next((container for container in containers_of(job) if container["name"] == NODE), None)
    resources: Tree = node.get("resources", {}) if node else {}
    return resources


def _node_of(pods: PodSet, job: Tree) -> Tree | None:
    """The final resources of the node container; None without one."""
    node = pods.container(NODE)
    if node is None:
        return None
    return node.resources if node.resources is not None else _resources_of(job)
