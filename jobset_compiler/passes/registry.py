"""The built-in passes in their order. Inside a stage they run in this order; what follows depends on what stands before.

The order reproduces upstream's: jax and mpi variables stand before the user's, those of torch, xgboost and flux after
them, and the user's own values come last of all (passes/user.py).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from jobset_compiler.passes.api import CHECK, COMPANIONS, CONTAINERS, POLICY, SCHEDULING, SIZE, Pass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.passes.api import Edit
    from jobset_compiler.resolve.plan import Plan

PLUGINS = "pkg/runtime/framework/plugins"
TORCH, MPI, FLUX, STATUS = f"{PLUGINS}/torch/torch.go", f"{PLUGINS}/mpi/mpi.go", f"{PLUGINS}/flux/flux.go", f"{PLUGINS}/trainjobstatus/trainjobstatus.go"
COSCHEDULING, VOLCANO, BUILDER = f"{PLUGINS}/coscheduling/coscheduling.go", f"{PLUGINS}/volcano/volcano.go", f"{PLUGINS}/jobset/builder.go"


class Of:
    """A function of a policy's module, which is imported when it is first called: most runtimes name one policy."""

    __slots__ = ("function", "module")

    def __init__(self, module: str, function: str) -> None:
        self.module = module
        self.function = function

    def __call__(self, plan: Plan) -> Iterator[Edit | Diagnostic]:
        return _function(self.module, self.function)(plan)


@cache
def _function(module: str, name: str) -> Callable[[Plan], Iterator[Edit | Diagnostic]]:
    function: Callable[[Plan], Iterator[Edit | Diagnostic]] = getattr(__import__(f"jobset_compiler.passes.{module}", fromlist=[name]), name)
    return function


class PolicyIs:
    """Whether the runtime names one of those policies; "" for none."""

    __slots__ = ("names",)

    def __init__(self, *names: str) -> None:
        self.names = names

    def __call__(self, plan: Plan) -> bool:
        return plan.policy_name in self.names


def has_trainer(plan: Plan) -> bool:
    return plan.trainer is not None


def adopts_environment(plan: Plan) -> bool:
    """Policies that place the user's environment before their own variables: torch, xgboost, flux and none at all."""
    return plan.trainer is not None and plan.policy_name in ("", "torch", "xgboost", "flux")


def initializes(plan: Plan) -> bool:
    return plan.job.dataset is not None or plan.job.model is not None


def asks_for_gates(plan: Plan) -> bool:
    return bool(plan.facts.feature_gates)


def has_gang(plan: Plan) -> bool:
    return plan.pod_group_policy is not None


def has_coscheduling(plan: Plan) -> bool:
    return plan.pod_group_policy is not None and plan.pod_group_policy.coscheduling is not None


def has_volcano(plan: Plan) -> bool:
    return plan.pod_group_policy is not None and plan.pod_group_policy.volcano is not None


BUILTIN: tuple[Pass, ...] = (
    Pass("sizing", SIZE, PolicyIs("", "torch", "jax", "xgboost", "flux"), Of("sizing", "run"), cites=(f"{PLUGINS}/plainml/plainml.go",)),
    Pass("mpi-sizing", SIZE, PolicyIs("mpi"), Of("mpi", "run_sizing"), cites=(MPI,)),
    Pass("user-env", POLICY, adopts_environment, Of("user", "run_env"), cites=(TORCH,)),
    Pass("torch", POLICY, PolicyIs("torch"), Of("torch", "run"), overrides=frozenset({"user-env"}), cites=(TORCH,)),
    Pass("torchtune", POLICY, PolicyIs("torch"), Of("torchtune", "run"), cites=(TORCH,)),
    Pass("mpi", POLICY, PolicyIs("mpi"), Of("mpi", "run"), cites=(MPI,)),
    Pass("jax", POLICY, PolicyIs("jax"), Of("jax", "run"), cites=(f"{PLUGINS}/jax/jax.go",)),
    Pass("xgboost", POLICY, PolicyIs("xgboost"), Of("xgboost", "run"), overrides=frozenset({"user-env"}), cites=(f"{PLUGINS}/xgboost/xgboost.go",)),
    Pass("flux", POLICY, PolicyIs("flux"), Of("flux.policy", "run"), cites=(FLUX,)),
    Pass(
        "trainjob-status",
        POLICY,
        asks_for_gates,
        Of("status", "run"),
        overrides=frozenset({POLICY}),
        cites=(STATUS,),
    ),
    Pass("initializers", POLICY, initializes, Of("initializers", "run"), overrides=frozenset({"torch"}), cites=(BUILDER,)),
    Pass("user", CONTAINERS, has_trainer, Of("user", "run"), overrides=frozenset({POLICY}), cites=(BUILDER,)),
    Pass("coscheduling", SCHEDULING, has_gang, Of("coscheduling", "run"), cites=(COSCHEDULING,)),
    Pass("volcano", SCHEDULING, has_volcano, Of("volcano", "run"), cites=(VOLCANO,)),
    Pass("coscheduling-podgroup", COMPANIONS, has_coscheduling, Of("coscheduling", "run_group"), cites=(COSCHEDULING,)),
    Pass("volcano-podgroup", COMPANIONS, has_volcano, Of("volcano", "run_group"), cites=(VOLCANO,)),
    Pass("mpi-objects", COMPANIONS, PolicyIs("mpi"), Of("mpi", "run_objects"), cites=(MPI,)),
    Pass("flux-objects", COMPANIONS, PolicyIs("flux"), Of("flux.policy", "run_objects"), cites=(FLUX,)),
    Pass("trainjob-status-objects", COMPANIONS, asks_for_gates, Of("status", "run_objects"), cites=(STATUS,)),
    Pass("feature-gates", CHECK, asks_for_gates, Of("status", "run_check"), cites=(STATUS,)),
)
