"""Flux: what its wrapper loses and adds, and who can know its key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import NODE, TRAINER, ancestor_of, pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.emit.json import compact
from jobset_compiler.findings.words import container_path, on_runtime, on_trainjob
from jobset_compiler.passes.flux.policy import MEMORY_FOLDER, MEMORY_VOLUME, original_command
from jobset_compiler.passes.flux.settings import applies, curve_secret_name
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    trainer = plan.job.trainer
    if not applies(plan) or trainer is None or trainer.num_nodes is None:
        return
    name, node = _runtime_node(plan)
    at = container_path(plan, name, NODE)
    if trainer.command is None and node.get("command") and not original_command(plan, trainer).startswith(node["command"][0]):
        message = f"the runtime's command {compact(node['command'])} is not run: only the TrainJob's is wrapped (#3674)"
        yield on_runtime(plan, codes.parity.FLUX_ARGUMENTS, message, (*at, "command"), "repeat it in spec.trainer.command")
    if node.get("args"):
        message = f"the runtime's args {compact(node['args'])} stay on the container and become further arguments of the wrapped command"
        yield on_runtime(plan, codes.parity.FLUX_ARGUMENTS, message, (*at, "args"), "move the runtime's args into its command")
    pods = plan.pod_set(NODE)
    mounts = pods.container(NODE) if pods else None
    if mounts is not None and any(mount["name"] == MEMORY_VOLUME and mount["mountPath"] == MEMORY_FOLDER for mount in mounts.mounts):
        message = f"{MEMORY_FOLDER} is mounted read-only, so programs cannot use shared memory there (#3561)"
        yield on_runtime(plan, codes.parity.FLUX_MEMORY, message, ("spec", "mlPolicy", "flux"), "use another path for shared memory")
    if plan.job.uid or plan.facts.uid:
        message = f"the key in Secret {curve_secret_name(plan)} is the SHA-256 of the TrainJob's UID, which others may read"
        yield on_trainjob(plan, codes.parity.FLUX_KEY_DERIVABLE, message, ("metadata", "uid"), "keep the brokers in a network that you trust")
    message = "the entrypoint hides the exit status of the command: the TrainJob completes even when it fails"
    yield on_runtime(plan, codes.parity.FLUX_EXIT_STATUS, message, ("spec", "mlPolicy", "flux"), "let the command leave a sign of success that you check")


def _runtime_node(plan: Plan) -> tuple[str, dict[str, Any]]:
    """The first trainer-labelled job and its node container in the template; empty ones if there are none."""
    for job in replicated_jobs(plan.template):
        if ancestor_of(job) == TRAINER:
            for container in pod_spec_of(job).get("containers") or ():
                if container["name"] == NODE:
                    return job["name"], container
    return "", {}
