"""mpi: counts, the SSH key and host file volumes of launcher and nodes, and the OMPI_* variables of the launcher.

Source: pkg/runtime/framework/plugins/mpi/mpi.go of every release. PodSets are matched by their names, node and
launcher, not by the ancestor label; only a container called node is touched. The Secret and the ConfigMap behind the
volumes are made by objects/ssh_secret.py and objects/hostfile.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import LAUNCHER, NODE
from jobset_compiler.diagnostics.codes.policy import HOSTFILE_TOO_LARGE, MPI_IMPLEMENTATION_UNSUPPORTED, SSH_KEY_PLACEHOLDER
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.passes.api import CONTAINERS, SIZE, AddMount, AddVolume, Edit, Pass, SetCount, SetEnv
from jobset_compiler.passes.endpoints import endpoint_count
from jobset_compiler.passes.nproc import gpus_per_node, node_resources, wrap_int32
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.runtime import MPIPolicy
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan

OPEN_MPI = "OpenMPI"
SSH_VOLUME = "mpi-ssh-auth"
HOSTFILE_VOLUME = "mpi-hostfile"
HOSTFILE_FOLDER = "/etc/mpi"
HOSTFILE_KEY = "hostfile"
PRIVATE_KEY = "ssh-privatekey"
PUBLIC_KEY = "ssh-publickey"
# Key in the Secret, file in ~/.ssh, and its mode where the release sets one (#3649).
SSH_FILES = ((PRIVATE_KEY, "id_rsa", 0o640), (PUBLIC_KEY, "id_rsa.pub", 0o644), (PUBLIC_KEY, "authorized_keys", 0o644))
# A line has 20 characters at least, and no API server takes more than 3 MiB at once.
MOST_HOSTS = 1_000_000
NUM_NODES = ("spec", "trainer", "numNodes")
NUM_PROC = ("spec", "trainer", "numProcPerNode")
RESERVED_ENV = (
    "OMPI_MCA_orte_default_hostfile",
    "OMPI_MCA_orte_keep_fqdn_hostnames",
    "OMPI_MCA_orte_set_default_slots",
    "OMPI_MCA_plm_rsh_args",
)


def applies(plan: Plan) -> bool:
    return plan.policy_name == "mpi"


def policy_of(plan: Plan) -> MPIPolicy:
    policy = plan.policy.mpi if plan.policy else None
    assert policy is not None
    return policy


def secret_name(plan: Plan) -> str:
    return f"{plan.job.name}-mpi-ssh-auth"


def hostfile_name(plan: Plan) -> str:
    return f"{plan.job.name}-mpi-hostfile"


def slots(plan: Plan) -> tuple[int, Path]:
    """Processes that mpirun may start on one host, and what the number goes back to.

    The TrainJob's numProcPerNode, else the runtime's; from 2.1 (#2653) a runtime's 1 gives way to the GPUs of the node
    if there are more. A string (2.0, 2.1; refused by the webhook) counts as the number in it or 0.
    """
    policy, trainer = policy_of(plan), plan.job.trainer
    if trainer is not None and trainer.num_proc_per_node is not None:
        given = trainer.num_proc_per_node
        return (given if isinstance(given, int) else _number(given)), NUM_PROC
    if takes_gpus_for_slots(plan):
        gpus = gpus_per_node(node_resources(plan))
        if gpus > 1:
            return wrap_int32(gpus), ("spec", "trainer", "resourcesPerNode")
    return (1 if policy.num_proc_per_node is None else policy.num_proc_per_node), ()


def takes_gpus_for_slots(plan: Plan) -> bool:
    """Whether the release counts GPUs and neither the TrainJob nor the runtime says how many slots there are."""
    trainer = plan.job.trainer
    unset = (trainer is None or trainer.num_proc_per_node is None) and policy_of(plan).num_proc_per_node in (None, 1)
    return unset and plan.profile.has(features.MPI_SLOTS_FROM_GPUS)


def hostfile_jobs(policy: MPIPolicy) -> tuple[str, ...]:
    """The jobs whose pods are in the host file: the nodes, and the launcher where it is one."""
    return (LAUNCHER, NODE) if policy.run_launcher_as_node else (NODE,)


def _number(text: str) -> int:
    digits = text[1:] if text[:1] in ("+", "-") else text
    return wrap_int32(int(text)) if digits.isascii() and digits.isdecimal() else 0


def run_sizing(plan: Plan) -> Iterator[Edit | Diagnostic]:
    """The job called node runs numNodes pods, one less (but at least one: Q20) where the launcher is a node itself."""
    trainer = plan.trainer
    if trainer is not None and trainer.num_nodes is not None and plan.pod_set(NODE) is not None:
        nodes = trainer.num_nodes
        yield SetCount(NODE, max(nodes - 1, 1) if policy_of(plan).run_launcher_as_node else nodes, because=NUM_NODES)


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    policy = policy_of(plan)
    hosts = sum(endpoint_count(plan, pods) for pods in plan.pod_sets if pods.name in hostfile_jobs(policy))
    if hosts > MOST_HOSTS:
        yield _too_many(plan, hosts)
        return
    for pods in plan.pod_sets:
        if pods.name not in (NODE, LAUNCHER):
            continue
        yield AddVolume(pods.name, _ssh_volume(plan))
        if pods.name == LAUNCHER:
            yield AddVolume(pods.name, _hostfile_volume(plan))
        if pods.container(NODE) is None:
            continue
        yield AddMount(pods.name, NODE, {"name": SSH_VOLUME, "mountPath": policy.ssh_auth_mount_path})
        if pods.name == LAUNCHER:
            yield AddMount(pods.name, NODE, {"name": HOSTFILE_VOLUME, "mountPath": HOSTFILE_FOLDER})
            if policy.implementation == OPEN_MPI:
                yield from _open_mpi(plan)
            else:
                yield _unsupported(plan, policy)
    if plan.facts.ssh_keys is None:
        yield Diagnostic(
            SSH_KEY_PLACEHOLDER,
            f"Secret {secret_name(plan)} holds a placeholder: the controller makes a new SSH key pair for every TrainJob",
            document=plan.job.document,
            at=("metadata", "name"),
            stage="build",
            hint="give a key pair with --ssh-key if these objects are to run without the controller",
        )


def _open_mpi(plan: Plan) -> Iterator[Edit]:
    """The variables that Open MPI 4 reads; Open MPI 5 ignores them (Q27, #4028)."""
    count, because = slots(plan)
    hostfile, keep_names, default_slots, ssh_args = RESERVED_ENV
    yield SetEnv(LAUNCHER, NODE, {"name": hostfile, "value": f"{HOSTFILE_FOLDER}/{HOSTFILE_KEY}"})
    yield SetEnv(LAUNCHER, NODE, {"name": keep_names, "value": "true"})
    yield SetEnv(LAUNCHER, NODE, {"name": default_slots, "value": str(count)}, because=because)
    yield SetEnv(LAUNCHER, NODE, {"name": ssh_args, "value": "-o ConnectionAttempts=10"})


def _ssh_volume(plan: Plan) -> dict[str, Any]:
    modes = plan.profile.has(features.MPI_KEY_MODES)
    secret: dict[str, Any] = {"secretName": secret_name(plan)}
    secret["items"] = [{"key": key, "path": path, "mode": mode} if modes else {"key": key, "path": path} for key, path, mode in SSH_FILES]
    if modes:
        secret["defaultMode"] = 0o400
    return {"name": SSH_VOLUME, "secret": secret}


def _hostfile_volume(plan: Plan) -> dict[str, Any]:
    items = [{"key": HOSTFILE_KEY, "path": HOSTFILE_KEY, "mode": 0o444}]
    return {"name": HOSTFILE_VOLUME, "configMap": {"name": hostfile_name(plan), "items": items}}


def _too_many(plan: Plan, hosts: int) -> Diagnostic:
    return Diagnostic(
        HOSTFILE_TOO_LARGE,
        f"ConfigMap {hostfile_name(plan)} would have {hosts} lines, more than an API server takes",
        document=plan.job.document,
        at=NUM_NODES,
        stage="build",
        hint="lower numNodes: a ConfigMap holds at most 1 MiB",
    )


def _unsupported(plan: Plan, policy: MPIPolicy) -> Diagnostic:
    return Diagnostic(
        MPI_IMPLEMENTATION_UNSUPPORTED,
        # Upstream prints the address of the value, another one each time (Q23).
        "MPI implementation for <address> doesn't supported",
        document=plan.runtime.document,
        at=("spec", "mlPolicy", "mpi", "mpiImplementation"),
        stage="build",
        hint=f"mpiImplementation is {policy.implementation!r}: leave it out or write {OPEN_MPI}, the only one that the controller knows",
    )


CITES = ("pkg/runtime/framework/plugins/mpi/mpi.go",)
MPI_SIZING = Pass("mpi-sizing", SIZE, applies, run_sizing, cites=CITES)
MPI = Pass("mpi", CONTAINERS, applies, run, cites=CITES)
