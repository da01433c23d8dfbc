"""PET_NPROC_PER_NODE: how many processes torchrun starts in each node, and why.

Two rules exist, one a release: see `processes_per_node`. Truth tables: golden/torch and the conformance family npp.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.kube.quantity import Quantity
from jobset_compiler.passes import causes
from jobset_compiler.profiles import features
from jobset_compiler.resolve.record import RESOURCES_PER_NODE, OfFeature, OfRuntime, Several
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.resolve.record import Because

Resources = dict[str, Any]
# Numbers that resources decide.
WORDS = ("auto", "cpu", "gpu")


class Processes(Value):
    """value: an int, or "auto", "cpu", "gpu" that torchrun resolves in the pod; because: what it goes back to.

    start: what was asked for; each_list: by the rule of 2.0, which looks at limits and requests one after the other.
    """

    __slots__ = ("because", "each_list", "gpus", "start", "value")

    def __init__(self, value: int | str, because: Because, gpus: int, start: int | str, each_list: bool = False) -> None:
        self.value: Final = value
        self.because: Final = because
        self.gpus: Final = gpus
        self.start: Final = start
        self.each_list: Final = each_list


def gpu_resources(listed: dict[str, str]) -> tuple[str, ...]:
    """The resource names that upstream takes for GPUs: those that contain "gpu". MIG, TPU, NPU names do not (JSC805)."""
    return _gpu_names(tuple(listed))


@lru_cache(maxsize=256)
def _gpu_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """The same few lists come with every TrainJob."""
    return tuple(sorted(name for name in names if "gpu" in name.lower()))


def gpus_per_node(resources: Resources) -> int:
    """GPUs of the requests, else of the limits, rounded up. Of several names upstream takes one at random: we the first."""
    return _gpus(resources.get("requests", {})) or max(_gpus(resources.get("limits", {})), 0)


def _gpus(listed: dict[str, str]) -> int:
    names = gpu_resources(listed)
    return _count(listed[names[0]]) if names else 0


@lru_cache(maxsize=256)
def _count(quantity: str) -> int:
    return Quantity.parse(quantity).ceil()


def wrap_int32(value: int) -> int:
    """The value in 32 bits, as the controller computes counts."""
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def cpus_per_node(resources: Resources) -> int:
    """CPUs of the requests, else of the limits, rounded up; 0 without either."""
    for listed in (resources.get("requests", {}), resources.get("limits", {})):
        quantity = Quantity.parse(listed.get("cpu", "0"))
        if not quantity.is_zero:
            return quantity.ceil()
    return 0


def processes_per_node(plan: Plan) -> Processes:
    """The value of PET_NPROC_PER_NODE, by the rule of this release."""
    feature, rule = next((feature, rule) for feature, rule in _RULES if plan.profile.has(feature))
    found = rule(plan)
    return Processes(found.value, Several((found.because, OfFeature(feature.slug))), found.gpus, found.start, found.each_list)


def runtime_may_ask(plan: Plan) -> bool:
    """Whether mlPolicy.torch.numProcPerNode counts in this release."""
    return plan.profile.has(features.RUNTIME_NPROC)


def _start(plan: Plan) -> tuple[int | str, Because]:
    trainer = plan.job.trainer
    if trainer is not None and trainer.num_proc_per_node is not None:
        return trainer.num_proc_per_node, ("spec", "trainer", "numProcPerNode")
    torch = plan.policy.torch if plan.policy else None
    if torch is not None and torch.num_proc_per_node is not None and runtime_may_ask(plan):
        return torch.num_proc_per_node, OfRuntime(("spec", "mlPolicy", "torch", "numProcPerNode"))
    return "auto", ()


def _from_requests_then_limits(plan: Plan) -> Processes:
    start, because = _start(plan)
    resources = plan.node_resources
    gpus = gpus_per_node(resources)
    value = by_resources(start, resources)
    because = Several((because, causes.node_resources(plan))) if start in WORDS else because
    return Processes(value, because, gpus, start)


def by_resources(start: int | str, resources: Resources) -> int | str:
    """The CPU count where it was asked for, or where nothing was and there is no GPU; else what was asked for."""
    if start == "cpu" or (start == "auto" and gpus_per_node(resources) == 0):
        return wrap_int32(max(1, cpus_per_node(resources)))
    return start


def _from_each_list(plan: Plan) -> Processes:
    start, because = _start(plan)
    trainer = plan.job.trainer
    resources = trainer.resources_per_node if trainer is not None else None
    gpus = gpus_per_node(plan.node_resources)
    if resources is None:
        return Processes(start, because, gpus, start, each_list=True)
    value, by_cpu = _by_list(start, resources.get("limits"))
    if not by_cpu:
        value, by_cpu = _by_list(start, resources.get("requests"))
    return Processes(value, Several((RESOURCES_PER_NODE, because)), gpus, start, each_list=True)


def _by_list(start: int | str, listed: dict[str, str] | None) -> tuple[int | str, bool]:
    """(value, whether CPUs decided it) as 2.0 looks at one list of resources; a missing list gives 1 for every start."""
    if listed is None:
        return 1, False
    if start == "auto":
        return (start, False) if gpu_resources(listed) else (_cpu_count(listed), True)
    if start == "cpu":
        return (_cpu_count(listed), True) if "cpu" in listed else (1, False)
    return start, False


def _cpu_count(listed: dict[str, str]) -> int:
    return max(1, wrap_int32(Quantity.parse(listed.get("cpu", "0")).ceil()))


_RULES = (
    (features.NPROC_FROM_EACH_LIST, _from_each_list),
    (features.NPROC_FROM_REQUESTS_THEN_LIMITS, _from_requests_then_limits),
)
