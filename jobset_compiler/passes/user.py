"""The user's own image, command, args, environment and resources, folded into the node containers.

Source: Trainer() in pkg/runtime/framework/plugins/jobset/builder.go. Upstream upserts the environment once more after
all plugins, so the user's value wins over a plugin's wherever admission let it through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.env import applied
from jobset_compiler.api.runtime import NODE, TRAINER
from jobset_compiler.passes.api import Edit, OfFeature, SetArgs, SetCommand, SetEnv, SetImage, SetResources, Several
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

SPEC = ("spec", "trainer")


def user_env(plan: Plan, pod_set: str) -> Iterator[SetEnv]:
    """The TrainJob's environment for the node container of that PodSet, in order."""
    if plan.job.trainer is not None:
        for index, entry in enumerate(plan.job.trainer.env):
            yield SetEnv(pod_set, NODE, applied(entry), because=(*SPEC, "env", index))


def run_env(plan: Plan) -> Iterator[Edit | Diagnostic]:
    pods = plan.trainer_pods()
    if pods is not None and pods.container(NODE) is not None:
        yield from user_env(plan, pods.name)


def reaches_workers(plan: Plan) -> bool:
    """Whether the job called node, which has no trainer label, gets the TrainJob's variables and resources as well."""
    mpi = plan.policy.mpi if plan.policy else None
    return mpi is not None and mpi.run_launcher_as_node and plan.profile.has(features.MPI_NODE_GETS_ENV)


def replaces_resources(plan: Plan) -> bool:
    """Whether resourcesPerNode takes the place of all resources, rather than being merged into the template."""
    return plan.profile.has(features.RESOURCES_REPLACED)


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    trainer = plan.trainer
    assert trainer is not None
    node_is_worker = reaches_workers(plan)
    for pods in plan.pod_sets:
        if pods.container(NODE) is None:
            continue
        if pods.ancestor == TRAINER:
            if trainer.image is not None:
                yield SetImage(pods.name, NODE, trainer.image, because=(*SPEC, "image"))
            if trainer.command is not None:
                yield SetCommand(pods.name, NODE, trainer.command, because=(*SPEC, "command"))
            if trainer.args is not None:
                yield SetArgs(pods.name, NODE, trainer.args, because=(*SPEC, "args"))
        if pods.ancestor == TRAINER or (node_is_worker and pods.name == NODE):
            yield from user_env(plan, pods.name)
            wanted = trainer.resources_per_node
            if wanted is not None and ("limits" in wanted or "requests" in wanted) and replaces_resources(plan):
                because = Several(((*SPEC, "resourcesPerNode"), OfFeature(features.RESOURCES_REPLACED.slug)))
                yield SetResources(pods.name, NODE, {key: wanted[key] for key in ("limits", "requests") if key in wanted}, because)


