"""torch.elasticPolicy of OME: documented, never rendered. Here: a fixed number of nodes, and torchrun's rendezvous with its range as variables.

The torch policy of Trainer would overwrite PET_NNODES with a plain number, so that an elastic runtime has the plain policy and writes all variables itself. The
job's name, which a runtime cannot know, comes from a label of the pod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.dialects.notes import in_runtime
from jobset_compiler.dialects.spellings.processes import as_number, cpus_of, has_gpus
from jobset_compiler.dialects.tree import At, Made, get, items

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes

AT: Path = ("spec", "mlPolicy", "torch", "elasticPolicy")
NODES: Path = ("spec", "mlPolicy", "numNodes")
NAME_VARIABLE = "PET_JOB"  # ours: the label below as a variable
LABEL = "metadata.labels['jobset.sigs.k8s.io/jobset-name']"
INDEX = "metadata.annotations['batch.kubernetes.io/job-completion-index']"
PORT = 29500
BACKEND = "c10d"


class Elastic(NamedTuple):
    """least, most: the range of nodes; nodes: how many there are; restarts: of torchrun, None where it does not say."""

    least: int
    most: int
    nodes: int
    restarts: int | None
    processes: str
    path: Path = AT


def elastic_of(value: Any, notes: Notes) -> Elastic | None:
    """The elastic policy of a runtime; None where it has none, or one that is refused."""
    policy = get(value, *AT)
    if not isinstance(policy, dict):
        return None
    nodes = get(value, *NODES)
    given = [policy.get(key) for key in ("minNodes", "maxNodes")]
    least, most = (next((number for number in (given[i], given[1 - i]) if number is not None), nodes or 1) for i in (0, 1))
    restarts = policy.get("maxRestarts")
    numbers = [least, most, *([restarts] if restarts is not None else [])]
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers) or not 1 <= least <= most or (restarts or 0) < 0:
        notes.refused(AT, f"elasticPolicy: minNodes {least}, maxNodes {most} and maxRestarts {restarts} make no range of nodes")
        return None
    if isinstance(nodes, int):
        if not least <= nodes <= most:
            notes.refused(NODES, f"numNodes {nodes} is not between minNodes {least} and maxNodes {most}")
            return None
        notes.elastic(NODES, "numNodes beside elasticPolicy was to be left out: it is the fixed number of nodes now", in_runtime(*NODES))
    if policy.get("metrics"):
        message = "metrics: a JobSet has no scale subresource, so that there is no HorizontalPodAutoscaler"
        notes.elastic((*AT, "metrics"), message, in_runtime("spec", "mlPolicy"))
    fixed = nodes if isinstance(nodes, int) else least
    if most > fixed:
        message = f"{fixed} nodes are started: growing to {most} needs JobSet 0.12 with the gate ElasticJobSet, and someone who changes parallelism"
        notes.elastic(AT, message, in_runtime("spec", "mlPolicy"))
    return Elastic(least, most, fixed, restarts, str(get(value, *AT[:-1], "numProcPerNode") or "auto"))


def with_rendezvous(value: Any, path: Path, container: dict[str, Any], elastic: Elastic) -> dict[str, Any]:
    """The members of the training container with the variables of torchrun's rendezvous, and the port of its store."""
    from_label: dict[str, Any] = {"valueFrom": {"fieldRef": {"fieldPath": LABEL}}}
    host = f"$({NAME_VARIABLE})-node-0-0.$({NAME_VARIABLE})"
    variables: list[dict[str, Any]] = [
        {"name": NAME_VARIABLE, **from_label},
        {"name": "PET_NNODES", "value": f"{elastic.least}:{elastic.most}"},
        {"name": "PET_NPROC_PER_NODE", "value": processes_text(elastic.processes, get(value, *path, "resources"))},
        {"name": "PET_NODE_RANK", "valueFrom": {"fieldRef": {"fieldPath": INDEX}}},
        {"name": "PET_MASTER_ADDR", "value": host},
        {"name": "PET_MASTER_PORT", "value": str(PORT)},
    ]
    if elastic.restarts is not None:
        variables.append({"name": "PET_MAX_RESTARTS", "value": str(elastic.restarts)})
    variables += [
        {"name": "PET_RDZV_BACKEND", "value": BACKEND},
        {"name": "PET_RDZV_ENDPOINT", "value": f"{host}:{PORT}"},
        {"name": "PET_RDZV_ID", "value": f"$({NAME_VARIABLE})"},
    ]
    own = {get(entry, "name") for entry in get(value, *path, "env") or ()}
    env = [*items(value, (*path, "env")), *(Made(variable, AT) for variable in variables if variable["name"] not in own)]
    written: dict[str, Any] = {}
    for key, given in container.items():
        if key == "resources" and "env" not in container:
            written["env"] = env
        written[key] = At((*path, "env"), env) if key == "env" else given
    written.setdefault("env", env)
    ports = get(value, *path, "ports")
    if not any(get(port, "containerPort") == PORT for port in (ports if isinstance(ports, list) else ())):
        named = Made({"name": "pet", "containerPort": PORT}, AT)
        written["ports"] = At((*path, "ports"), [*items(value, (*path, "ports")), named]) if ports else [named]
    return written


def processes_text(said: str, resources: Any) -> str:
    """numProcPerNode as Trainer 2.1 resolves it, for the runtime's own resources: auto counts CPUs where no GPU is declared."""
    number = as_number(said)
    if number is not None:
        return str(number)
    if said == "gpu" or (said == "auto" and has_gpus(resources)):
        return said
    return str(cpus_of(resources) or 1)

