"""spec.trainer: where it reaches nothing, and what of it is taken otherwise than it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import NODE, TRAINER
from jobset_compiler.api.trainjob import MULTIKUEUE
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.codes.code import INFO
from jobset_compiler.findings.words import COUNTS_PROCESSES, TRAINER_SPEC, on_runtime, on_trainjob
from jobset_compiler.resolve.plan import is_left_to_multikueue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan, PodSet


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    if plan.trainer is None:
        yield from _without_trainer(plan)
    else:
        yield from _node_counts(plan)
        yield from _unused(plan)
        if plan.policy_name == "jax":
            yield from _jax_variables(plan)
    yield from _file_keys(plan)
    if plan.policy is not None and plan.policy.num_nodes is not None and plan.policy.num_nodes < 1:
        message = f"mlPolicy.numNodes {plan.policy.num_nodes} counts as 1 (#3863)"
        yield on_runtime(plan, codes.parity.NO_NODES, message, ("spec", "mlPolicy", "numNodes"), "write the number of nodes that is meant", INFO)
    if plan.job.managed_by == MULTIKUEUE and not is_left_to_multikueue(plan):
        yield on_trainjob(
            plan,
            codes.parity.MULTIKUEUE_IGNORED,
            f"managedBy {MULTIKUEUE} is ignored by this release: the objects are created in this cluster too (#3681)",
            ("spec", "managedBy"),
            "2.3 leaves such TrainJobs alone",
        )


def _without_trainer(plan: Plan) -> Iterator[Diagnostic]:
    """JSC802."""
    variables = {"torch": "PET_*", "jax": "JAX_*", "xgboost": "DMLC_*"}.get(plan.policy_name)
    pods = plan.trainer_pods()
    if variables is not None and pods is not None and pods.container(NODE) is not None:
        several = pods.count > 1
        consequence = f"the {pods.count} nodes cannot find each other" if several else "the node starts without them"
        yield on_trainjob(
            plan,
            codes.parity.NO_TRAINER_SECTION,
            f"no spec.trainer, so {variables} and port 29500 are not injected: {consequence} (#4076)",
            ("spec",),
            "write trainer: {} at least",
            None if several else INFO,
        )


def _node_counts(plan: Plan) -> Iterator[Diagnostic]:
    """JSC841; of a negative number the Job API says enough (JSC430)."""
    assert plan.trainer is not None
    if plan.trainer.num_nodes == 0 and any(pods.count < 1 for pods in plan.pod_sets):
        message = "numNodes 0 is taken as it is: a Job of no pods completes at once (#3805)"
        yield on_trainjob(plan, codes.parity.NO_NODES, message, (*TRAINER_SPEC, "numNodes"), "use 1 or more")


def _unused(plan: Plan) -> Iterator[Diagnostic]:
    """JSC870, at each field that reaches nobody."""
    trainer = plan.job.trainer
    if trainer is None or not plan.pod_sets:
        return  # without jobs nothing runs at all, which the runtime is told (JSC703)
    containers = [pods for pods in plan.pod_sets if pods.container(NODE) is not None]
    label = "label the Job template with trainer.kubeflow.org/trainjob-ancestor-step: trainer and call its container node"
    nobody = "the runtime has no container called node in a replicatedJob with the trainer label"
    if not any(pods.ancestor == TRAINER for pods in containers):
        for name, value in (("image", trainer.image), ("command", trainer.command), ("args", trainer.args), ("env", trainer.env or None)):
            if value is not None:
                yield _without_effect(plan, name, nobody, label)
        if trainer.resources_per_node is not None and plan.policy is not None and not _reaches_workers(plan, containers):
            yield _without_effect(plan, "resourcesPerNode", nobody, label)
    mpi = plan.policy.mpi if plan.policy else None
    if trainer.num_nodes is not None and (plan.trainer_pods() is None if mpi is None else plan.pod_set(NODE) is None):
        if mpi is None:
            yield _without_effect(plan, "numNodes", "no replicatedJob of the runtime has the trainer label", label)
        else:
            yield _without_effect(plan, "numNodes", "no replicatedJob of the runtime is called node", "call the replicatedJob of the workers node")
    if trainer.num_proc_per_node is not None:
        if plan.policy_name not in COUNTS_PROCESSES:
            policy = f"the policy {plan.policy_name}" if plan.policy_name else "a runtime without torch, mpi or flux"
            yield _without_effect(plan, "numProcPerNode", f"{policy} starts no processes in a node", "leave it out; the command decides")
        elif plan.policy_name == "torch" and plan.trainer_node() is None:
            yield _without_effect(plan, "numProcPerNode", nobody, label)


def _reaches_workers(plan: Plan, containers: list[PodSet]) -> bool:
    """MPI: the workers of a launcher that is a node get resources by their name."""
    mpi = plan.policy.mpi if plan.policy else None
    return mpi is not None and mpi.run_launcher_as_node and any(pods.name == NODE for pods in containers)


def _without_effect(plan: Plan, field: str, because: str, hint: str) -> Diagnostic:
    return on_trainjob(plan, codes.parity.TRAINER_SECTION_UNUSED, f"{field} has no effect: {because}", (*TRAINER_SPEC, field), hint)


def _jax_variables(plan: Plan) -> Iterator[Diagnostic]:
    """JSC828."""
    from jobset_compiler.passes.jax import VARIABLES

    assert plan.trainer is not None
    for index, entry in enumerate(plan.trainer.env):
        if entry["name"] in VARIABLES:
            message = f"{entry['name']} replaces the value that the controller computes (#3669)"
            yield on_trainjob(plan, codes.parity.JAX_VARIABLES_OVERRIDDEN, message, (*TRAINER_SPEC, "env", index), "leave the variable to the controller")


def _file_keys(plan: Plan) -> Iterator[Diagnostic]:
    """JSC851."""
    places: list[tuple[Path, tuple[dict[str, object], ...]]] = []
    if plan.trainer is not None:
        places.append((TRAINER_SPEC, plan.trainer.env))
    for name, source in (("dataset", plan.job.dataset), ("model", plan.job.model)):
        if source is not None:
            places.append((("spec", "initializer", name), source.env))
    for at, env in places:
        for index, entry in enumerate(env):
            value_from = entry.get("valueFrom")
            if isinstance(value_from, dict) and "fileKeyRef" in value_from:
                yield on_trainjob(
                    plan,
                    codes.parity.FILE_KEY_REF_LOST,
                    f"{entry['name']} ends up with an empty valueFrom: fileKeyRef is not carried over",
                    (*at, "env", index, "valueFrom", "fileKeyRef"),
                    "put the variable into the runtime",
                )
