"""MPIJob, of the MPI operator (kubeflow.org/v2beta1) and of the training operator (kubeflow.org/v1): a launcher and its nodes.

Source: kubeflow/mpi-operator v0.8.2 pkg/controller/mpi_job_controller.go, kubeflow/trainer v1.9.2 pkg/controller.v1/mpi/mpijob_controller.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import LAUNCHER as LAUNCHER_JOB
from jobset_compiler.dialects.notes import in_job, in_runtime
from jobset_compiler.dialects.tree import At, Carried, Made, get, parts
from jobset_compiler.dialects.v1.hosts import host, old_names
from jobset_compiler.dialects.v1.kinds import LAUNCHER, V2BETA1, WORKER
from jobset_compiler.dialects.v1.outputs import Jobs, replicated_job, runtime, runtime_ref, trainjob
from jobset_compiler.dialects.v1.pods import NODE, PodChanges, Variable, failure_policy, gpus, pod_template
from jobset_compiler.dialects.v1.policy import run_policy
from jobset_compiler.dialects.v1.roles import path_of
from jobset_compiler.dialects.wishes import MPI_HYDRA
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.v1.job import Role, V1Job
    from jobset_compiler.dialects.v1.policy import RunPolicy
    from jobset_compiler.dialects.wishes import Target

OPEN_MPI, OTHERS = "OpenMPI", ("Intel", "MPICH")
SSH_PATH = "/root/.ssh"
SSHD = ["/usr/sbin/sshd", "-De"]
ROLE = "K_MPI_JOB_ROLE"
NO_GPUS = ("NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES")
DISCOVER = "discover_hosts.sh"
WORKERS_AT, LAUNCHER_AT = path_of(0), path_of(1)
AS_NODE = ("spec", "runLauncherAsWorker")


def convert_mpi(job: V1Job, target: Target, notes: Notes) -> list[Any]:
    """The trees of the new documents; [] where the job cannot be converted."""
    launcher, worker = job.roles[LAUNCHER], job.roles.get(WORKER)
    as_node = job.get(*AS_NODE) is True if job.version == V2BETA1 else gpus(job, launcher) > 0
    if worker is None or worker.replicas < 1:
        at = worker.path if worker is not None else job.replicas
        notes.no_equivalent(at, "an MPIJob without workers: Trainer v2 always starts one node beside the launcher", "write it as a TrainJob of one plain pod")
        return []
    if _discovers_hosts(job, notes) or target.wishes.runtime:
        if target.wishes.runtime:
            message = "an MPIJob has two kinds of pods, and spec.trainer speaks of the launcher alone"
            notes.cannot_hold(job.replicas, message, "leave --runtime out, and a runtime is written that has both")
        return []
    implementation = _implementation(job, target, notes)
    policy = run_policy(job, target, notes)
    old_names(job, job.roles.values(), notes, lambda word, index: _now(job, word, index))
    slots = job.spec.get("slotsPerWorker")
    mpi = {
        "mpiImplementation": implementation,
        "numProcPerNode": Carried(("spec", "slotsPerWorker")) if slots is not None else Made(1, ("spec",)),
        "runLauncherAsNode": Made(as_node, AS_NODE if job.get(*AS_NODE) is not None else launcher.path),
        "sshAuthMountPath": Carried(("spec", "sshAuthMountPath")) if job.spec.get("sshAuthMountPath") else Made(SSH_PATH, ("spec",)),
    }
    entries = [_nodes(job, worker, policy.pod, target, notes), _launcher(job, launcher, policy, target, notes, as_node=as_node)]
    jobset = {
        "network": Made({"publishNotReadyAddresses": True}, job.replicas),
        "successPolicy": At(launcher.path, {"operator": "All", "targetReplicatedJobs": [LAUNCHER_JOB]}),
    }
    # The launcher takes this number for itself.
    written = runtime(job, Jobs({"numNodes": 1, "mpi": mpi}, entries, jobset), policy)
    return [written, trainjob(job, runtime_ref(job), _trainer(job, worker, slots, target, notes, as_node=as_node), policy)]


def _trainer(job: V1Job, worker: Role, slots: Any, target: Target, notes: Notes, *, as_node: bool) -> dict[str, Any]:
    where = in_job("spec", "trainer", "numNodes")
    if as_node:
        notes.remark(where, f"Worker {worker.replicas} + the launcher, which is a node too")
    else:
        notes.remark(where, f"Worker {worker.replicas}; the launcher is not counted")
    trainer = {"numNodes": Made(worker.replicas + as_node, (*worker.path, "replicas"))}
    if (slots is None or slots == 1) and target.profile.has(features.MPI_SLOTS_FROM_GPUS) and gpus(job, worker) > 1:
        trainer["numProcPerNode"] = Made(1, ("spec", "slotsPerWorker") if slots is not None else worker.path)
        notes.remark(in_job("spec", "trainer", "numProcPerNode"), "one slot a node, as before; otherwise Trainer counts the GPUs")
    return trainer


def _implementation(job: V1Job, target: Target, notes: Notes) -> Any:
    at = ("spec", "mpiImplementation")
    given = job.spec.get("mpiImplementation")
    if given is None or given == OPEN_MPI:
        return Made(OPEN_MPI, at if given else ("spec",))
    if given not in OTHERS:
        known = ", ".join(f'"{name}"' for name in (OTHERS[0], OTHERS[1], OPEN_MPI))
        notes.refused(at, f'spec.mpiImplementation: Unsupported value: "{given}": supported values: {known}')
    elif MPI_HYDRA not in target.extensions:
        message = f"mpiImplementation {given} is refused by every release of Trainer"
        notes.needs_extension(at, message, f"--extension {MPI_HYDRA} renders it; or build the image with Open MPI")
    return Carried(at)


def _launcher(job: V1Job, role: Role, policy: RunPolicy, target: Target, notes: Notes, *, as_node: bool) -> At:
    variables = [Variable(ROLE, "launcher", role.path)] if job.version == V2BETA1 else []
    if not as_node:
        variables += [Variable(name, "", role.path) for name in NO_GPUS]
    changes = PodChanges(variables=tuple(variables) if target.wishes.v1_env else (), pod={**_pod(job, role, target, notes), **policy.pod})
    template = pod_template(job, role, notes, LAUNCHER_AT, changes)
    if job.version == V2BETA1:
        replaced = {"podReplacementPolicy": Made("Failed", role.path)}
    else:
        replaced = {}
        message = "v1 MPIJob: mpirun reaches the nodes by SSH now, not by kubectl exec: the image needs sshd, a host key and mpirun allowed for its user"
        notes.by_ssh(role.trainer, message, in_runtime(*LAUNCHER_AT[:-3]), "as root: OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
        if job.spec.get("mainContainer"):
            notes.not_carried(("spec", "mainContainer"), "mainContainer was for kubectl exec", in_job("spec", "runtimeRef"))
    if get(job.value, "spec", "launcherCreationPolicy") != "WaitForWorkersReady":
        notes.remark(in_runtime(*LAUNCHER_AT[:-3], "dependsOn"), "so that mpirun finds every sshd; the MPI operator tried again instead", inline=False)
    more = {"dependsOn": Made([{"name": NODE, "status": "Ready"}], role.path)}
    return replicated_job(LAUNCHER_JOB, role, template, trainer=True, spec={**policy.job, **replaced, **failure_policy(role)}, more=more)


def _nodes(job: V1Job, role: Role, pod: dict[str, Any], target: Target, notes: Notes) -> At:
    variables = (Variable(ROLE, "worker", role.path),) if job.version == V2BETA1 and target.wishes.v1_env else ()
    container = get(job.value, *role.trainer)
    command: dict[str, Any] = {}
    words = [*(container.get("command") or ()), *(container.get("args") or ())]
    if not words:
        command = {"command": Made(SSHD, role.trainer)}
    elif job.version != V2BETA1 and str(words[0]).rpartition("/")[2] == "sleep":
        message = f"the nodes ran `{' '.join(map(str, words))}` and were entered by kubectl exec; now they run sshd"
        notes.by_ssh((*role.trainer, "command" if container.get("command") else "args"), message, in_runtime(*WORKERS_AT, "spec", "containers"))
        command = {"command": Made(SSHD, (*role.trainer, "command"))}
    changes = PodChanges(variables=variables, container=command, pod={**_pod(job, role, target, notes), **pod})
    template = pod_template(job, role, notes, WORKERS_AT, changes)
    if command:
        _without_args(template, role)
    return replicated_job(NODE, role, template, trainer=False, spec=failure_policy(role))


def _without_args(template: At, role: Role) -> None:
    """sshd takes no arguments of what ran before; the tree is still ours alone."""
    template.value["spec"].value["containers"].value[role.container].value.pop("args", None)


def _pod(job: V1Job, role: Role, target: Target, notes: Notes) -> dict[str, Any]:
    """What the MPI operator, or the way that Trainer mounts the key, makes necessary in the pod."""
    pod = get(job.value, *role.pod)
    added: dict[str, Any] = {}
    if pod.get("hostNetwork") is True and "dnsPolicy" not in pod:
        added["dnsPolicy"] = Made("ClusterFirstWithHostNet", (*role.pod, "hostNetwork"))
    context = pod.get("securityContext") if isinstance(pod.get("securityContext"), dict) else {}
    user_at = (*role.trainer, "securityContext", "runAsUser")
    user = get(job.value, *user_at)
    if user is None:
        user_at, user = (*role.pod, "securityContext", "runAsUser"), context.get("runAsUser")
    if target.profile.has(features.MPI_KEY_MODES) and isinstance(user, int) and user and context.get("fsGroup") is None:
        group = {**parts(job.value, (*role.pod, "securityContext")), "fsGroup": Made(user, user_at)}
        added["securityContext"] = At((*role.pod, "securityContext"), group) if context else group
        index = 0 if role.name == WORKER else 1
        notes.remark(in_runtime(*path_of(index), "spec", "securityContext"), f"so that user {user} can read the SSH key", inline=False)
    return added


def _discovers_hosts(job: V1Job, notes: Notes) -> bool:
    for role in job.roles.values():
        for field in ("command", "args"):
            words = get(job.value, *role.trainer, field)
            for index, word in enumerate(words if isinstance(words, list) else ()):
                if DISCOVER in str(word):
                    message = f"{DISCOVER} has no equivalent: no file lists the nodes that are up, and their number is fixed"
                    notes.no_equivalent((*role.trainer, field, index), message, "start it with the fixed list of /etc/mpi/hostfile")
                    return True
    return False


def _now(job: V1Job, word: str, index: int | None) -> str:
    if word == LAUNCHER_JOB:
        return host(job.name, LAUNCHER_JOB, 0)
    return f"{job.name}-{NODE}-0-<index>.{job.name}" if index is None else host(job.name, NODE, index)
