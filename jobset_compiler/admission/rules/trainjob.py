"""The plugins that judge a TrainJob, in the order of their findings, and the TrainJobs that each has to do with.

A plugin's module is imported for the first such TrainJob: most runtimes name one policy.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jobset_compiler.admission.rules.rule import Plugin
    from jobset_compiler.resolve.plan import Plan

# (module of this package, its plugins, for whom)
JUDGES: tuple[tuple[str, tuple[str, ...], Callable[[Plan], bool]], ...] = (
    ("flux", ("FLUX",), lambda plan: plan.policy_name == "flux"),
    ("initializers", ("INITIALIZERS",), lambda plan: plan.job.dataset is not None or plan.job.model is not None),
    ("overrides", ("OVERRIDES",), lambda plan: bool(plan.job.patches)),
    ("mpi", ("MPI",), lambda plan: plan.policy_name == "mpi"),
    ("torch", ("INJECTION", "TORCH"), lambda plan: plan.policy_name == "torch"),
    ("torchtune", ("TORCHTUNE",), lambda plan: plan.policy_name == "torch" and plan.trainer is not None and plan.trainer.command is not None),
    ("volcano", ("VOLCANO",), lambda plan: plan.pod_group_policy is not None and plan.pod_group_policy.volcano is not None),
    ("xgboost", ("XGBOOST",), lambda plan: plan.policy_name == "xgboost"),
)


def plugins_for(plan: Plan) -> Iterator[Plugin]:
    for module, names, concerns in JUDGES:
        if concerns(plan):
            yield from _load(module, names)


@cache
def _load(module: str, names: tuple[str, ...]) -> tuple[Plugin, ...]:
    found = __import__(f"{__package__}.{module}", fromlist=names)
    return tuple(getattr(found, name) for name in names)
