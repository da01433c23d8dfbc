"""MPI: names, launchers, hosts, workers and slots that are not what the numbers say, and runtimes whose launcher cannot reach its workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import LAUNCHER, NODE, TRAINER, pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.codes.code import INFO
from jobset_compiler.findings.words import (
    JOBS,
    POD,
    TEMPLATE,
    TRAINER_SPEC,
    container_path,
    containers_of,
    in_runtime,
    job_path,
    listed,
    on_runtime,
    on_trainjob,
)
from jobset_compiler.passes.mpi import NUM_NODES, OPEN_MPI, RESERVED_ENV, applies, policy_of, sets_key_modes, takes_gpus_for_slots
from jobset_compiler.passes.nproc import gpus_per_node
from jobset_compiler.passes.user import reaches_workers, replaces_resources
from jobset_compiler.resolve.plan import replicated_jobs
from jobset_compiler.resolve.resources import gets_node_resources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.api.trainjob import Trainer
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.findings.words import Tree
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan, PodSet

ROOT_HOME = "/root/"
PRTE_HOSTFILE = "PRTE_MCA_prte_default_hostfile"
EXAMPLE_FOLDER = "/home/mpiuser/.ssh"


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    if not applies(plan):
        return
    yield from _reserved_variables(plan)
    launcher, workers = plan.pod_set(LAUNCHER), plan.pod_set(NODE)
    if launcher is not None and launcher.count > 1:
        yield on_runtime(
            plan,
            codes.parity.SEVERAL_LAUNCHERS,
            f"{launcher.count} launchers run mpirun: mlPolicy.numNodes counts the job with the trainer label",
            ("spec", "mlPolicy", "numNodes"),
            "write numNodes: 1 in the runtime; spec.trainer.numNodes counts the workers",
        )
    if workers is None:
        return
    yield from _hosts(plan)
    if plan.job.trainer is not None:
        yield from _overrides(plan, plan.job.trainer, workers)
    yield from _slots(plan)
    if _is_open_mpi_4_alone(plan) and (workers.count > 1 or policy_of(plan).run_launcher_as_node):
        yield on_runtime(
            plan,
            codes.parity.OPEN_MPI_FIVE,
            "OMPI_MCA_orte_* variables reach Open MPI 4 only; Open MPI 5 ignores them and runs on the launcher alone (#4028)",
            ("spec", "mlPolicy", "mpi"),
            "with Open MPI 5 set PRTE_MCA_prte_default_hostfile=/etc/mpi/hostfile in the launcher, or take --extension open-mpi-5",
        )


def _is_open_mpi_4_alone(plan: Plan) -> bool:
    """Whether the launcher has what Open MPI 4 reads, and nothing for Open MPI 5."""
    launcher = plan.pod_set(LAUNCHER)
    container = launcher.container(NODE) if launcher is not None else None
    names = {entry["name"] for entry in container.env} if container is not None else set()
    return policy_of(plan).implementation == OPEN_MPI and PRTE_HOSTFILE not in names


def _reserved_variables(plan: Plan) -> Iterator[Diagnostic]:
    """Where the release's webhook does not refuse them already (it has been asked before)."""
    if policy_of(plan).implementation != OPEN_MPI:
        return  # has other variables, and these are nobody's
    for index, entry in enumerate(plan.job.trainer.env if plan.job.trainer else ()):
        if entry["name"] in RESERVED_ENV:
            message = f"{entry['name']} replaces what the controller sets for the launcher"
            yield on_trainjob(plan, codes.advice.RESERVED_VARIABLE_WINS, message, (*TRAINER_SPEC, "env", index, "name"), "leave it out; 2.3 refuses it")


def _hosts(plan: Plan) -> Iterator[Diagnostic]:
    """JSC820."""
    if not policy_of(plan).run_launcher_as_node or plan.pod_set(LAUNCHER) is None:
        return
    nodes = plan.job.trainer.num_nodes if plan.job.trainer else None
    if nodes is not None and nodes < 2:
        yield on_trainjob(
            plan,
            codes.parity.TWO_HOSTS_FOR_ONE_NODE,
            f"numNodes {nodes} makes two hosts: the launcher, and one worker at least (#3954)",
            NUM_NODES,
            "use a runtime without runLauncherAsNode for one host",
        )
    elif nodes is None:
        message = "the launcher and one worker make two hosts (#3954)"
        yield on_trainjob(plan, codes.parity.TWO_HOSTS_FOR_ONE_NODE, message, TRAINER_SPEC, "set spec.trainer.numNodes to the number of hosts", INFO)


def _overrides(plan: Plan, trainer: Trainer, workers: PodSet) -> Iterator[Diagnostic]:
    """JSC821."""
    node = workers.container(NODE)
    if node is None:
        return
    if workers.ancestor == TRAINER:
        given = [name for name, value in (("command", trainer.command), ("args", trainer.args)) if value is not None]
        if given and plan.pod_set(LAUNCHER) is not None:
            yield on_trainjob(
                plan,
                codes.parity.WORKER_NOT_OVERRIDDEN,
                f"{listed(given)} of spec.trainer replace{'s' if len(given) == 1 else ''} the SSH server of the workers, which carry the trainer label (#3427)",
                (*TRAINER_SPEC, given[0]),
                "take the trainer label off the replicatedJob called node",
            )
        return
    if plan.trainer_node() is None:
        return  # spec.trainer reaches nobody at all, which is told once (JSC870)
    here = {entry["name"] for entry in node.env}
    missing = [entry["name"] for entry in trainer.env if entry["name"] not in here]
    parts = [f"image {trainer.image}"] if trainer.image is not None and trainer.image != _image(plan) else []
    parts += [f"env {listed(missing)}"] if missing else []
    if trainer.resources_per_node and not _gets_resources(plan):
        parts.append("resourcesPerNode")
    if parts:
        what = " and ".join(filter(None, (listed(parts[:-1]), parts[-1])))
        yield on_trainjob(
            plan,
            codes.parity.WORKER_NOT_OVERRIDDEN,
            f"{what} of spec.trainer {'does' if len(parts) == 1 else 'do'} not reach the workers, only the launcher (#2650, #4030)",
            (*TRAINER_SPEC, parts[0].partition(" ")[0]),
            "set it in the runtime's replicatedJob called node",
            INFO if len(parts) == 1 and missing else None,
        )


def _gets_resources(plan: Plan) -> bool:
    """Whether resourcesPerNode is written into the container of the workers, which have no trainer label."""
    if replaces_resources(plan):
        return reaches_workers(plan)
    return gets_node_resources(NODE, None, plan.policy)


def _image(plan: Plan) -> str:
    """Of the container of the workers, which is known to be there."""
    nodes = (job for job in replicated_jobs(plan.template) if job["name"] == NODE)
    image: str = next(container for job in nodes for container in containers_of(pod_spec_of(job)) if container["name"] == NODE).get("image", "")
    return image


def _slots(plan: Plan) -> Iterator[Diagnostic]:
    """JSC822."""
    trainer = plan.job.trainer
    if not takes_gpus_for_slots(plan) or (trainer is not None and trainer.resources_per_node is not None) or gpus_per_node(plan.node_resources) > 0:
        return
    for job in replicated_jobs(plan.template):
        if job["name"] == NODE:
            for container in pod_spec_of(job).get("containers") or ():
                gpus = gpus_per_node(container.get("resources", {})) if container["name"] == NODE else 0
                if gpus > 1:
                    first = next(pods.name for pods in plan.pod_sets if pods.name == NODE or pods.ancestor == TRAINER)
                    yield on_runtime(
                        plan,
                        codes.parity.SLOTS_BY_ORDER,
                        f"each host has one slot, not {gpus}: the GPUs are counted in {first}, which comes first",
                        (*container_path(plan, NODE, NODE), "resources"),
                        f"put {NODE} before {first} ({job_path(plan, first)[-1]}), or set spec.trainer.numProcPerNode",
                    )


def of_runtime(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    """A launcher that waits, keys where ssh looks for them, host names that resolve."""
    yield from _names(runtime)
    if sets_key_modes(profile):
        yield from _key_readable(runtime)
    yield from _launcher_waits(runtime)
    yield from _ssh_folder(runtime)
    yield from _names_are_published(runtime)


def _jobs(runtime: Runtime) -> dict[str, tuple[int, Tree]]:
    """Launcher and node of an MPI runtime, each with its place; empty for other runtimes."""
    if runtime.ml_policy is None or runtime.ml_policy.mpi is None:
        return {}
    return {job["name"]: (index, job) for index, job in enumerate(replicated_jobs(runtime.template)) if job["name"] in (LAUNCHER, NODE)}


def _names(runtime: Runtime) -> Iterator[Diagnostic]:
    """The replicatedJobs and containers that the policy looks for by name."""
    jobs = replicated_jobs(runtime.template)
    policy = runtime.ml_policy.mpi if runtime.ml_policy else None
    if policy is None or not jobs:
        return
    known = _jobs(runtime)
    for name, other, lost in (
        (NODE, LAUNCHER, "the host file has the launcher alone" if policy.run_launcher_as_node else "the host file is empty, numNodes has no effect"),
        (LAUNCHER, NODE, "the host file and the variables of Open MPI reach nobody"),
    ):
        if name in known:
            index, job = known[name]
            names = [container["name"] for container in containers_of(pod_spec_of(job))]
            if names and NODE not in names:
                message = f"{name} has no container called {NODE} ({listed(names)}): no SSH keys are mounted there"
                yield in_runtime(runtime, codes.silent.MPI_JOB_NAMES, message, (*JOBS, index, *POD, "containers", 0, "name"), f"call the container {NODE}")
            continue
        candidates = [(index, job["name"]) for index, job in enumerate(jobs) if job["name"] != other]
        at: Path = ("spec", "mlPolicy", "mpi")
        hint = f"add a replicatedJob called {name}"
        if candidates:
            index, likely = candidates[-1 if name == NODE else 0]
            at = (*JOBS, index, "name")
            hint = f"rename the replicatedJob {likely} to {name}, and its container to {NODE}"
        yield in_runtime(runtime, codes.silent.MPI_JOB_NAMES, f"no replicatedJob is called {name} ({listed([job['name'] for job in jobs])}): {lost}", at, hint)


def _key_readable(runtime: Runtime) -> Iterator[Diagnostic]:
    """Keys of root (#3649), which another user can read by their group only."""
    for name, (index, job) in _jobs(runtime).items():
        pod = pod_spec_of(job)
        shared = pod.get("securityContext", {})
        for place, container in enumerate(containers_of(pod)):
            own = {**shared, **container.get("securityContext", {})}
            user = own.get("runAsUser")
            if container["name"] == NODE and user and own.get("runAsGroup") != 0 and "fsGroup" not in shared:
                message = f"the container of {name} runs as user {user}, which cannot read the SSH keys: they belong to root"
                hint = f"give the pod a securityContext: {{fsGroup: {user}}}"
                yield in_runtime(runtime, codes.silent.MPI_KEY_UNREADABLE, message, (*JOBS, index, *POD, "containers", place), hint)


def _launcher_waits(runtime: Runtime) -> Iterator[Diagnostic]:
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
        yield in_runtime(runtime, codes.advice.MPI_LAUNCHER_EARLY, message, (*at, "dependsOn"), "write status: Ready")
    elif waits is None and not probed:
        message = "the launcher starts together with the nodes, whether they accept SSH connections or not"
        hint = "let the launcher depend on node with status Ready, and give node a readinessProbe on the port of sshd"
        yield in_runtime(runtime, codes.advice.MPI_LAUNCHER_EARLY, message, at, hint)
    elif waits == "Ready" and not probed:
        message = "node is ready as soon as its container runs: there is no readinessProbe on the port of sshd"
        place = (*JOBS, node_index, *POD, "containers")
        yield in_runtime(
            runtime, codes.advice.MPI_LAUNCHER_EARLY, message, place, "add readinessProbe: {tcpSocket: {port: 2222}, initialDelaySeconds: 5}", INFO
        )


def _ssh_folder(runtime: Runtime) -> Iterator[Diagnostic]:
    policy = runtime.ml_policy.mpi if runtime.ml_policy else None
    if policy is None or not policy.ssh_auth_mount_path.startswith(ROOT_HOME):
        return
    for name, (index, job) in _jobs(runtime).items():
        pod = pod_spec_of(job)
        for place, container in enumerate(containers_of(pod)):
            user = container.get("securityContext", {}).get("runAsUser", pod.get("securityContext", {}).get("runAsUser"))
            if container["name"] == NODE and user:
                message = f"the keys are mounted at {policy.ssh_auth_mount_path}, but the container of {name} runs as user {user}"
                at = (*JOBS, index, *POD, "containers", place)
                hint = f"set mlPolicy.mpi.sshAuthMountPath to the user's folder, such as {EXAMPLE_FOLDER}"
                yield in_runtime(runtime, codes.advice.MPI_KEY_FOLDER, message, at, hint)


def _names_are_published(runtime: Runtime) -> Iterator[Diagnostic]:
    network = runtime.template.get("network", {})
    if _jobs(runtime):
        for field in ("publishNotReadyAddresses", "enableDNSHostnames"):
            if network.get(field) is False:
                message = f"with {field}: false the launcher cannot resolve the hosts of its host file" + (" until they are ready" if field[0] == "p" else "")
                yield in_runtime(runtime, codes.advice.MPI_NAMES_NOT_PUBLISHED, message, (*TEMPLATE, "network", field), f"write {field}: true")
