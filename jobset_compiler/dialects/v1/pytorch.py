"""PyTorchJob: one Job whose completion index is the rank; the variables of v1; elastic jobs with a fixed number of nodes.

Source: kubeflow/trainer v1.9.2 pkg/controller.v1/pytorch (envvar.go, elastic.go, master.go).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.notes import in_job
from jobset_compiler.dialects.tree import At, Made, get, items
from jobset_compiler.dialects.v1.differences import one_role
from jobset_compiler.dialects.v1.hosts import host
from jobset_compiler.dialects.v1.kinds import MASTER, WORKER
from jobset_compiler.dialects.v1.pods import NODE, Variable, command_line, says_torchrun
from jobset_compiler.dialects.v1.processes import nproc
from jobset_compiler.dialects.v1.ranked import Ranked, convert

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.v1.job import Role, V1Job
    from jobset_compiler.dialects.wishes import Target

SHIPPED = "torch-distributed"
ELASTIC: Path = ("spec", "elasticPolicy")
PORT = 29500  # of torchrun's store in Trainer v2
RESERVED = frozenset(("PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT"))


def convert_pytorch(job: V1Job, target: Target, notes: Notes) -> list[Any]:
    """The trees of the new documents; [] where the job cannot be converted."""
    role = one_role(job, target, notes)
    if notes.failed:
        return []
    words = command_line(job, role)
    starts_torchrun = bool(says_torchrun(words))
    variables = [*_variables(job, role)]
    container: dict[str, Any] = {}
    if isinstance(job.spec.get("elasticPolicy"), dict):
        flags = _flags(job, role, notes)
        if starts_torchrun:
            container = _with_flags(job, role, flags)
        else:
            variables += _as_variables(flags)
    if MASTER in job.roles and job.total > 1:
        message = "the init container init-pytorch is gone: nodes find each other before they are ready"
        notes.not_carried(job.replicas, message, in_job())
    names = {variable.name for variable in variables}
    if target.wishes.v1_env and not starts_torchrun and {"RANK", "WORLD_SIZE"} <= names and job.total > 1:
        message = "the command is not torchrun: RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT are set as v1 did"
        notes.variables_written(role.trainer, message, in_job("spec", "trainer", "env"))
    elif target.wishes.v1_env:
        notes.remark(in_job("spec", "trainer", "env"), "what v1 gave to every container", inline=False)
    processes = nproc(job, role, target, notes, starts_torchrun=starts_torchrun)
    return convert(job, Ranked(role, tuple(variables), "torch", SHIPPED, processes, RESERVED, container), target, notes)


def _variables(job: V1Job, role: Role) -> list[Variable]:
    """What v1 set beside PET_*, which the controller sets now."""
    found = [Variable("PYTHONUNBUFFERED", "1", job.replicas)]
    master = job.roles.get(MASTER)
    if master is None:
        return found
    given = job.spec.get("nprocPerNode")
    processes = int(given) if isinstance(given, str) and given.isdecimal() and len(given) < 10 else 1
    return [
        *found,
        Variable("MASTER_PORT", str(job.port(master)), master.path),
        Variable("MASTER_ADDR", host(job.name, NODE, 0), master.path),
        Variable("WORLD_SIZE", str(job.total * processes), job.replicas),
        Variable("RANK", None, job.replicas),
    ]


# --- elasticPolicy


def _flags(job: V1Job, role: Role, notes: Notes) -> list[tuple[str, str | None, Path]]:
    """torchrun's options of an elastic policy as (option, value, what it follows from); what cannot be had is noted."""
    policy = job.spec["elasticPolicy"]
    workers = job.roles[WORKER].replicas
    given = [policy.get(key) for key in ("minReplicas", "maxReplicas")]
    least, most = (next((value for value in (given[i], given[1 - i]) if isinstance(value, int)), workers) for i in (0, 1))
    notes.elastic(ELASTIC, f"elasticPolicy: no release of Trainer v2 scales a job; numNodes is fixed at {job.total}", in_job("spec", "trainer", "numNodes"))
    if policy.get("metrics"):
        notes.elastic((*ELASTIC, "metrics"), "elasticPolicy.metrics: no HorizontalPodAutoscaler can target a JobSet", in_job("spec", "runtimeRef"))
    if MASTER not in job.roles:
        notes.ends_otherwise(ELASTIC, "v1 ended an elastic job with its first worker; now all nodes must end", in_job())
    backend = policy.get("rdzvBackend") or "c10d"
    address = policy.get("rdzvHost") or host(job.name, NODE, 0)
    if str(backend).startswith("etcd") and not policy.get("rdzvHost"):
        notes.elastic((*ELASTIC, "rdzvBackend"), f"rdzvBackend {backend} needs the address of your own etcd (rdzvHost, rdzvPort)", in_job("spec", "trainer"))
    flags: list[tuple[str, str | None, Path]] = [
        ("nnodes", f"{least}:{most}", ELASTIC),
        ("rdzv-backend", str(backend), (*ELASTIC, "rdzvBackend")),
        ("rdzv-endpoint", f"{address}:{policy.get('rdzvPort') or PORT}", (*ELASTIC, "rdzvHost")),
        ("rdzv-id", str(policy.get("rdzvId") or job.name), (*ELASTIC, "rdzvId")),
    ]
    if policy.get("maxRestarts") is not None:
        flags.append(("max-restarts", str(policy["maxRestarts"]), (*ELASTIC, "maxRestarts")))
    pairs = [f"{get(pair, 'key')}={get(pair, 'value')}" for pair in policy.get("rdzvConf") or ()]
    if pairs:
        flags.append(("rdzv-conf", ",".join(pairs), (*ELASTIC, "rdzvConf")))
    if policy.get("standalone") is True:
        flags.append(("standalone", None, (*ELASTIC, "standalone")))
    return flags


def _with_flags(job: V1Job, role: Role, flags: list[tuple[str, str | None, Path]]) -> dict[str, Any]:
    """command and args with torchrun's options put behind it, those left out that stand there already."""
    command, args = ([*items(job.value, (*role.trainer, field))] for field in ("command", "args"))
    words = command_line(job, role)
    have = {str(word).partition("=")[0].lstrip("-").replace("_", "-") for word in words if str(word).startswith("-")}
    added = [
        Made(f"--{name}" if value is None else f"--{name}={value}", at if get(job.value, *at) is not None else ELASTIC)
        for name, value, at in flags
        if name not in have and name != "standalone"
    ]
    position = says_torchrun(words)
    if position <= len(command):
        return {"command": At((*role.trainer, "command"), [*command[:position], *added, *command[position:]])}
    position -= len(command)
    return {"args": At((*role.trainer, "args"), [*args[:position], *added, *args[position:]])}


def _as_variables(flags: list[tuple[str, str | None, Path]]) -> list[Variable]:
    """The same for a program that starts torchrun itself: PET_NNODES is the controller's, the others may be set."""
    return [Variable(f"PET_{name.replace('-', '_').upper()}", value or "", at) for name, value, at in flags if name != "nnodes"]

