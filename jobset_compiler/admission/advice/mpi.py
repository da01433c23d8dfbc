"""MPI runtimes: a launcher that waits, keys where ssh looks for them, host names that resolve; and variables of TrainJobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.advice.words import JOBS, POD_SPEC, containers_of, on_runtime, on_trainjob
from jobset_compiler.api.runtime import LAUNCHER, NODE, pod_spec_of
from jobset_compiler.diagnostics.codes.advice import MPI_KEY_FOLDER, MPI_LAUNCHER_EARLY, MPI_NAMES_NOT_PUBLISHED, RESERVED_VARIABLE_WINS
from jobset_compiler.diagnostics.codes.code import INFO
from jobset_compiler.passes.mpi import RESERVED_ENV
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.admission.advice.words import Tree
    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan

ROOT_HOME = "/root/"
EXAMPLE_FOLDER = "/home/mpiuser/.ssh"


def _jobs(runtime: Runtime) -> dict[str, tuple[int, Tree]]:
    """Launcher and node of an MPI runtime, each with its place; empty for other runtimes."""
    if runtime.ml_policy is None or runtime.ml_policy.mpi is None:
        return {}
    return {job["name"]: (index, job) for index, job in enumerate(replicated_jobs(runtime.template)) if job["name"] in (LAUNCHER, NODE)}


def launcher_waits(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    jobs = _jobs(runtime)
    if len(jobs) != 2:
        return
    (launcher_index, launcher), (node_index, node) = jobs[LAUNCHER], jobs[NODE]
    at = (*JOBS, launcher_index)
    waits = next((dependency.get("status") for dependency in launcher.get("dependsOn", ()) if dependency["name"] == NODE), None)
    probed = any("readinessProbe" in container or "startupProbe" in container for container in containers_of(pod_spec_of(node)))
    runs_ssh_server = any("sshd" in word for container in containers_of(pod_spec_of(node)) for word in container.get("command", ()))
    if waits == "Complete" and runs_ssh_server:
        message = "the launcher waits until node is complete, but its pods run sshd and never end"
        yield on_runtime(runtime, MPI_LAUNCHER_EARLY, message, (*at, "dependsOn"), "write status: Ready")
    elif waits is None and not probed:
        message = "the launcher starts together with the nodes, whether they accept SSH connections or not"
        hint = "let the launcher depend on node with status Ready, and give node a readinessProbe on the port of sshd"
        yield on_runtime(runtime, MPI_LAUNCHER_EARLY, message, at, hint)
    elif waits == "Ready" and not probed:
        message = "node is ready as soon as its container runs: there is no readinessProbe on the port of sshd"
        place = (*JOBS, node_index, *POD_SPEC, "containers")
        yield on_runtime(runtime, MPI_LAUNCHER_EARLY, message, place, "add readinessProbe: {tcpSocket: {port: 2222}, initialDelaySeconds: 5}", INFO)


def ssh_folder(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    policy = runtime.ml_policy.mpi if runtime.ml_policy else None
    if policy is None or not policy.ssh_auth_mount_path.startswith(ROOT_HOME):
        return
    for name, (index, job) in _jobs(runtime).items():
        pod = pod_spec_of(job)
        for place, container in enumerate(containers_of(pod)):
            user = container.get("securityContext", {}).get("runAsUser", pod.get("securityContext", {}).get("runAsUser"))
            if container["name"] == NODE and user:
                message = f"the keys are mounted at {policy.ssh_auth_mount_path}, but the container of {name} runs as user {user}"
                at = (*JOBS, index, *POD_SPEC, "containers", place)
                hint = f"set mlPolicy.mpi.sshAuthMountPath to the user's folder, such as {EXAMPLE_FOLDER}"
                yield on_runtime(runtime, MPI_KEY_FOLDER, message, at, hint)


def names_are_published(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    network = runtime.template.get("network", {})
    if _jobs(runtime):
        for field in ("publishNotReadyAddresses", "enableDNSHostnames"):
            if network.get(field) is False:
                message = f"with {field}: false the launcher cannot resolve the hosts of its host file" + (" until they are ready" if field[0] == "p" else "")
                yield on_runtime(runtime, MPI_NAMES_NOT_PUBLISHED, message, ("spec", "template", "spec", "network", field), f"write {field}: true")


def reserved_variables(plan: Plan) -> Iterator[Diagnostic]:
    """Where the release's webhook does not refuse them already (it has been asked before)."""
    if plan.policy_name == "mpi":
        for index, entry in enumerate(plan.job.trainer.env if plan.job.trainer else ()):
            if entry["name"] in RESERVED_ENV:
                message = f"{entry['name']} replaces what the controller sets for the launcher"
                yield on_trainjob(plan, RESERVED_VARIABLE_WINS, message, ("spec", "trainer", "env", index, "name"), "leave it out; 2.3 refuses it")
