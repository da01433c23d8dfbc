"""mpi: counts, the SSH key and host file volumes of launcher and nodes with the objects behind them, and the OMPI_* variables of the launcher.

Source: pkg/runtime/framework/plugins/mpi/mpi.go of every release. PodSets are matched by their names, node and
launcher, not by the ancestor label; only a container called node is touched. The controller makes a random ECDSA P-521 key;
a pure function cannot, so the key comes from the facts or a placeholder says that it is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import LAUNCHER, NODE
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.passes import causes
from jobset_compiler.passes.api import (
    AddMount,
    AddObject,
    AddVolume,
    Edit,
    OfRuntime,
    Parts,
    SetCount,
    SetEnv,
    Several,
)
from jobset_compiler.passes.endpoints import endpoint_count, endpoints
from jobset_compiler.passes.manifests import config_map, encoded, placeholder
from jobset_compiler.passes.nproc import gpus_per_node, wrap_int32
from jobset_compiler.passes.required import missing
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.runtime import MPIPolicy
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.resolve.record import Because

OPEN_MPI = "OpenMPI"
SSH_VOLUME = "mpi-ssh-auth"
HOSTFILE_VOLUME = "mpi-hostfile"
HOSTFILE_FOLDER = "/etc/mpi"
HOSTFILE_KEY = "hostfile"
PRIVATE_KEY = "ssh-privatekey"
PUBLIC_KEY = "ssh-publickey"
PRIVATE_PLACEHOLDER = "PLACEHOLDER, not a key: the Trainer controller generates the SSH private key of this TrainJob"
PUBLIC_PLACEHOLDER = "PLACEHOLDER, not a key: the Trainer controller generates the SSH public key of this TrainJob"
# Key in the Secret, file in ~/.ssh, and its mode where the release sets one (#3649).
SSH_FILES = ((PRIVATE_KEY, "id_rsa", 0o640), (PUBLIC_KEY, "id_rsa.pub", 0o644), (PUBLIC_KEY, "authorized_keys", 0o644))
# A line has 20 characters at least, and no API server takes more than 3 MiB at once.
MOST_HOSTS = 1_000_000
POLICY = ("spec", "mlPolicy", "mpi")
PROCESSES = (*POLICY, "numProcPerNode")
AS_NODE = (*POLICY, "runLauncherAsNode")
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


def slots(plan: Plan) -> tuple[int, Because]:
    """Processes that mpirun may start on one host, and what the number goes back to.

    The TrainJob's numProcPerNode, else the runtime's; from 2.1 (#2653) a runtime's 1 gives way to the GPUs of the node
    if there are more. A string (2.0, 2.1; refused by the webhook) counts as the number in it or 0.
    """
    policy, trainer = policy_of(plan), plan.job.trainer
    if trainer is not None and trainer.num_proc_per_node is not None:
        given = trainer.num_proc_per_node
        return (given if isinstance(given, int) else _number(given)), NUM_PROC
    if takes_gpus_for_slots(plan):
        gpus = gpus_per_node(plan.node_resources)
        if gpus > 1:
            return wrap_int32(gpus), Several((causes.node_resources(plan), OfRuntime(PROCESSES)))
    because = Several((OfRuntime(PROCESSES), causes.node_resources(plan))) if takes_gpus_for_slots(plan) else OfRuntime(PROCESSES)
    return (1 if policy.num_proc_per_node is None else policy.num_proc_per_node), because


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
    """The job called node runs numNodes pods, one less (but at least one: JSC820) where the launcher is a node itself."""
    trainer = plan.trainer
    if trainer is not None and trainer.num_nodes is not None and plan.pod_set(NODE) is not None:
        nodes = trainer.num_nodes
        yield SetCount(NODE, max(nodes - 1, 1) if policy_of(plan).run_launcher_as_node else nodes, because=Several((NUM_NODES, OfRuntime(AS_NODE))))


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    policy = policy_of(plan)
    if policy.num_proc_per_node is None and takes_gpus_for_slots(plan):
        yield missing(plan, (*POLICY, "numProcPerNode"), "1")
    for pods in plan.pod_sets:
        if pods.name not in (NODE, LAUNCHER):
            continue
        yield AddVolume(pods.name, _ssh_volume(plan))
        if pods.name == LAUNCHER:
            yield AddVolume(pods.name, _hostfile_volume(plan))
        if pods.container(NODE) is None:
            continue
        yield AddMount(pods.name, NODE, {"name": SSH_VOLUME, "mountPath": policy.ssh_auth_mount_path}, because=OfRuntime((*POLICY, "sshAuthMountPath")))
        if pods.name == LAUNCHER:
            yield AddMount(pods.name, NODE, {"name": HOSTFILE_VOLUME, "mountPath": HOSTFILE_FOLDER})
            if policy.implementation == OPEN_MPI:
                yield from _open_mpi(plan)
            elif not policy.implementation:  # of other values the schema refuses all but those that some pass admits, and renders
                yield _unsupported(plan, policy)


def _open_mpi(plan: Plan) -> Iterator[Edit]:
    """The variables that Open MPI 4 reads; Open MPI 5 ignores them (JSC827, #4028)."""
    count, because = slots(plan)
    hostfile, keep_names, default_slots, ssh_args = RESERVED_ENV
    yield SetEnv(LAUNCHER, NODE, {"name": hostfile, "value": f"{HOSTFILE_FOLDER}/{HOSTFILE_KEY}"})
    yield SetEnv(LAUNCHER, NODE, {"name": keep_names, "value": "true"})
    yield SetEnv(LAUNCHER, NODE, {"name": default_slots, "value": str(count)}, because=because)
    yield SetEnv(LAUNCHER, NODE, {"name": ssh_args, "value": "-o ConnectionAttempts=10"})


def sets_key_modes(profile: Profile) -> bool:
    """Whether the files of the key get modes that sshd accepts from root, and from nobody else."""
    return profile.has(features.MPI_KEY_MODES)


def _ssh_volume(plan: Plan) -> dict[str, Any]:
    modes = sets_key_modes(plan.profile)
    secret: dict[str, Any] = {"secretName": secret_name(plan)}
    secret["items"] = [{"key": key, "path": path, "mode": mode} if modes else {"key": key, "path": path} for key, path, mode in SSH_FILES]
    if modes:
        secret["defaultMode"] = 0o400
    return {"name": SSH_VOLUME, "secret": secret}


def _hostfile_volume(plan: Plan) -> dict[str, Any]:
    items = [{"key": HOSTFILE_KEY, "path": HOSTFILE_KEY, "mode": 0o444}]
    return {"name": HOSTFILE_VOLUME, "configMap": {"name": hostfile_name(plan), "items": items}}


def run_objects(plan: Plan) -> Iterator[Edit | Diagnostic]:
    if host_count(plan) > MOST_HOSTS:
        yield _too_many(plan, host_count(plan))
        return
    yield AddObject(_ssh_secret(plan), because=OfRuntime(POLICY))
    yield hostfile_object(plan, hostfile(plan))
    if plan.facts.ssh_keys is None:
        message = f"Secret {secret_name(plan)} holds a placeholder that no cluster takes: the controller makes a new SSH key pair for every TrainJob"
        hint = "where these objects are to be applied, give a key pair with --ssh-key or leave the Secret out with --no-secrets"
        yield placeholder(plan, codes.policy.SSH_KEY_PLACEHOLDER, message, hint)


def hostfile_object(plan: Plan, text: str) -> AddObject:
    """The ConfigMap with that host file, on account of all that decides hosts and slots."""
    lines = Several((OfRuntime(AS_NODE), causes.hosts(plan, hostfile_jobs(policy_of(plan))), slots(plan)[1]))
    parts = Parts(((("data", HOSTFILE_KEY), lines),), OfRuntime(POLICY))
    return AddObject(config_map(hostfile_name(plan), {HOSTFILE_KEY: text}), because=parts)


def _ssh_secret(plan: Plan) -> dict[str, Any]:
    """The placeholder is plain text, which is no base64: a server refuses such a Secret. One that it took could not be mended, since it is immutable.

    Source: buildSSHAuthSecret.
    """
    keys = plan.facts.ssh_keys
    placeholders = {PRIVATE_KEY: PRIVATE_PLACEHOLDER, PUBLIC_KEY: PUBLIC_PLACEHOLDER}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": secret_name(plan)},
        "immutable": True,
        "data": encoded({PRIVATE_KEY: keys.private, PUBLIC_KEY: keys.public}) if keys else placeholders,
        "type": "kubernetes.io/ssh-auth",
    }


def hostfile(plan: Plan) -> str:
    """One line a pod, `<host> slots=<n>`: the nodes, and the launcher where it is one, in the order of the template; "" without any (JSC841).

    Source: buildHostFileConfigMap.
    """
    policy = policy_of(plan)
    if policy.implementation != OPEN_MPI:
        return ""
    count, _ = slots(plan)
    return "".join(f"{host} slots={count}\n" for host in hosts(plan))


def host_count(plan: Plan) -> int:
    """How many host names `hosts` gives."""
    return sum(endpoint_count(plan, pods) for pods in plan.pod_sets if pods.name in hostfile_jobs(policy_of(plan)))


def hosts(plan: Plan) -> Iterator[str]:
    """The host names of the host file: those of nodes, and of launchers that are nodes, in the order of the template."""
    names = hostfile_jobs(policy_of(plan))
    return (host for pods in plan.pod_sets if pods.name in names for host in endpoints(plan, pods))


def _too_many(plan: Plan, hosts: int) -> Diagnostic:
    return Diagnostic(
        codes.policy.HOSTFILE_TOO_LARGE,
        f"ConfigMap {hostfile_name(plan)} would have {hosts} lines, more than an API server takes",
        document=plan.job.document,
        at=NUM_NODES,
        stage="build",
        hint="lower numNodes: a ConfigMap holds at most 1 MiB",
    )


def _unsupported(plan: Plan, policy: MPIPolicy) -> Diagnostic:
    return Diagnostic(
        codes.policy.MPI_IMPLEMENTATION_UNSUPPORTED,
        # Upstream prints the address of the value, another one each time (#4025).
        "MPI implementation for <address> doesn't supported",
        document=plan.runtime.document,
        at=(*POLICY, "mpiImplementation"),
        stage="build",
        hint=f"mpiImplementation is {policy.implementation!r}: leave it out or write {OPEN_MPI}, the only one that the controller knows",
    )
