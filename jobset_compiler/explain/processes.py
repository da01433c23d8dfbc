"""How many processes a pod runs, and the chain of reasons for the number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import LAUNCHER, NODE, TRAINER
from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.passes.flux.settings import applies as runs_flux
from jobset_compiler.passes.mpi import OPEN_MPI, policy_of, slots, takes_gpus_for_slots
from jobset_compiler.passes.nproc import cpus_per_node, gpu_resources, gpus_per_node, processes_per_node, runtime_may_ask

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan, PodSet
    from jobset_compiler.source.document import Document

Tree = dict[str, Any]
NUM_PROC: Path = ("spec", "trainer", "numProcPerNode")
RESOURCES: Path = ("spec", "trainer", "resourcesPerNode")
POD, HOST, WORLD = "pod", "host", "world"


def processes_of(plan: Plan, pods: PodSet) -> Tree | None:
    """The number and why, for the jobs that a policy counts processes for; None for others."""
    for applies, explain in EXPLAINED:
        if applies(plan, pods):
            return explain(plan, pods)
    return None


def _result(value: int | str, per: str, because: list[Tree]) -> Tree:
    """per: "pod", "host" of a host file, or "world" for all pods together."""
    return {"value": value, "per": per, "because": because}


def _reason(text: str, document: Document | None = None, path: Path = ()) -> Tree:
    if document is None:
        return {"text": text, "file": "", "line": None, "path": ""}
    span = document.locate(path)
    return {"text": text, "file": span.file, "line": span.line or None, "path": format_path(document.written_as(path))}


def _asked_by_trainjob(plan: Plan) -> Tree:
    trainer = plan.job.trainer
    if trainer is None:
        return _reason("the TrainJob has no spec.trainer", plan.job.document, ("spec",))
    if trainer.num_proc_per_node is None:
        return _reason("the TrainJob does not set numProcPerNode", plan.job.document, ("spec", "trainer"))
    return _reason(f"the TrainJob sets numProcPerNode: {trainer.num_proc_per_node}", plan.job.document, NUM_PROC)


def _asked_by_runtime(plan: Plan, policy: str, value: int | str | None) -> Tree:
    path: Path = ("spec", "mlPolicy", policy, "numProcPerNode")
    if plan.runtime.document.value["spec"]["mlPolicy"][policy].get("numProcPerNode") is None:
        return _reason(f"neither does the runtime, so that it is {value} there", plan.runtime.document, path[:3])
    return _reason(f"the runtime sets numProcPerNode: {value}", plan.runtime.document, path)


def _resources(plan: Plan) -> list[Tree]:
    """Which resources are looked at, and what is counted in them."""
    found = plan.node_resources
    trainer = plan.job.trainer
    if trainer is not None and trainer.resources_per_node is not None:
        seen = _reason("the node's resources are the TrainJob's resourcesPerNode, whatever the runtime has", plan.job.document, RESOURCES)
    else:
        seen = _reason("the node's resources are those of the runtime's container called node", plan.runtime.document, ("spec", "template"))
    both = {**found.get("limits", {}), **found.get("requests", {})}
    gpus = gpu_resources(both)
    if gpus:
        said = f"it asks for {counted(gpus_per_node(found), 'GPU')} ({', '.join(f'{name}: {both[name]}' for name in gpus)})"
    elif cpus_per_node(found):
        said = f"no GPU in it (only names with gpu count), {counted(cpus_per_node(found), 'CPU')}"
    else:
        said = "no GPU and no CPU in it" if both else "it has none"
    return [seen, _reason(said)]


def _torch(plan: Plan, pods: PodSet) -> Tree:
    found = processes_per_node(plan)
    torch = plan.policy.torch if plan.policy else None
    because = [_asked_by_trainjob(plan)]
    asked = plan.job.trainer is not None and plan.job.trainer.num_proc_per_node is not None
    if not asked and runtime_may_ask(plan):
        because.append(_asked_by_runtime(plan, "torch", torch.num_proc_per_node if torch else None))
    elif not asked:
        because.append(_reason("then it is auto"))
    if isinstance(found.start, str) or found.value != found.start:
        because += _resources(plan)
    because.append(_reason(_torch_outcome(found.value, found.gpus, found.start)))
    return _result(found.value, POD, because)


def _torch_outcome(value: int | str, gpus: int, start: int | str) -> str:
    if value == "auto" and gpus:
        return f"auto: torchrun starts one process for each GPU that it sees, {gpus} as a rule"
    if isinstance(value, str):
        return f"{value}: torchrun counts in the pod"
    if value == start:
        return f"{value} process{'' if value == 1 else 'es'} in each pod"
    if start in ("auto", "cpu"):
        return f"{value}: the number of CPUs, at least one"
    return f"{value}: this release takes 1 for a list of resources that is missing (#2407)"


def _mpi(plan: Plan, pods: PodSet) -> Tree:
    count, _ = slots(plan)
    because = [_asked_by_trainjob(plan)]
    trainer = plan.job.trainer
    if trainer is None or trainer.num_proc_per_node is None:
        because.append(_asked_by_runtime(plan, "mpi", policy_of(plan).num_proc_per_node))
        if takes_gpus_for_slots(plan):
            because += _resources(plan)
            if gpus_per_node(plan.node_resources) > 1:
                because.append(_reason("1 gives way to the number of GPUs"))
    lines = f"slots={count}" if policy_of(plan).implementation == OPEN_MPI else f":{count}"
    because.append(_reason(f"{lines} for every host in the host file"))
    return _result(count, HOST, because)


def _xgboost(plan: Plan, pods: PodSet) -> Tree:
    from jobset_compiler.passes.xgboost import workers

    gpus = gpus_per_node(plan.node_resources)
    each = f"{counted(gpus, 'GPU')} a pod" if gpus else "one worker a pod"
    count = workers(plan, pods.count)
    return _result(count, WORLD, [*_resources(plan), _reason(f"DMLC_NUM_WORKER {count}: {counted(pods.count, 'pod')}, {each}")])


def _jax(plan: Plan, pods: PodSet) -> Tree:
    return _result(1, POD, [_reason(f"JAX has one process a pod: JAX_NUM_PROCESSES {pods.count}")])


def _flux(plan: Plan, pods: PodSet) -> Tree:
    from jobset_compiler.passes.flux.settings import tasks_per_node

    count = tasks_per_node(plan)
    flux = plan.policy.flux if plan.policy else None
    because = [_asked_by_trainjob(plan), _asked_by_runtime(plan, "flux", flux.num_proc_per_node if flux else None)]
    return _result(count, POD, [*because, _reason(f"tasks of flux run on a node: {count}")])


def _is_first_trainer(plan: Plan, pods: PodSet) -> bool:
    first = plan.trainer_pods()
    return first is not None and first.name == pods.name and pods.ancestor == TRAINER and pods.container(NODE) is not None


def _when(policy: str) -> Callable[[Plan, PodSet], bool]:
    return lambda plan, pods: plan.policy_name == policy and plan.trainer is not None and _is_first_trainer(plan, pods)


EXPLAINED: tuple[tuple[Callable[[Plan, PodSet], bool], Callable[[Plan, PodSet], Tree]], ...] = (
    (_when("torch"), _torch),
    (lambda plan, pods: plan.policy_name == "mpi" and pods.name in (NODE, LAUNCHER), _mpi),
    (_when("xgboost"), _xgboost),
    (_when("jax"), _jax),
    (lambda plan, pods: runs_flux(plan) and pods.name == NODE, _flux),
)
