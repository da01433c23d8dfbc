"""The cluster of a TensorFlow job: which replicatedJob is which role, its container, its port, its hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.api.runtime import NODE, TRAINER, pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.findings.words import JOBSET_TEMPLATE, job_path, pod_path
from jobset_compiler.passes.endpoints import endpoints
from jobset_compiler.resolve.places import where_it_can_be_seen
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan, PodContainer, PodSet

WORKER, CHIEF, MASTER, PS, EVALUATOR = "worker", "chief", "master", "ps", "evaluator"
NAMED_LIKE_ROLES = (CHIEF, MASTER, PS, EVALUATOR)
TENSORFLOW = "tensorflow"
PORT_NAMES = ("tf", "tfjob-port")
PORT = 2222


class TaskType(NamedTuple):
    """A replicatedJob with a part in the cluster, and the container of its pods that trains."""

    name: str
    pods: PodSet
    container: PodContainer

    @property
    def port(self) -> int:
        """The container port called tf, or as v1 called it; else 2222."""
        index = self.port_index
        port: int = PORT if index is None else self.container.ports[index]["containerPort"]
        return port

    @property
    def port_index(self) -> int | None:
        """Where in the container's ports it stands."""
        named = {port.get("name"): index for index, port in reversed(list(enumerate(self.container.ports))) if "containerPort" in port}
        return next((named[name] for name in PORT_NAMES if name in named), None)

    @property
    def lacks_port(self) -> bool:
        """Whether no container port stands for it yet. One of that number is kept, of whatever protocol: the controller's upsert would replace it (JSC801)."""
        return not any(port.get("name") in PORT_NAMES or port.get("containerPort") == PORT for port in self.container.ports)

    def hosts(self, plan: Plan) -> list[str]:
        return [f"{host}:{self.port}" for host in endpoints(plan, self.pods)]


class Cluster(NamedTuple):
    """The roles in the order of the template. With `problems` it is not one."""

    roles: tuple[TaskType, ...]
    problems: tuple[Diagnostic, ...] = ()

    @property
    def size(self) -> int:
        return sum(role.pods.count for role in self.roles)


def cluster_of(plan: Plan) -> Cluster:
    """What TensorFlow will see of the job."""
    roles: list[TaskType] = []
    problems: list[Diagnostic] = []
    trainers = [pods for pods in plan.pod_sets if pods.ancestor == TRAINER]
    if len(trainers) > 1:
        names = " and ".join(pods.name for pods in trainers)
        problems.append(refused(plan, codes.extensions.TF_ROLES, f"{names} both are workers: they carry the trainer label", job_path(plan, trainers[1].name)))
    for pods in plan.pod_sets:
        role = WORKER if pods.ancestor == TRAINER else pods.name if pods.name in NAMED_LIKE_ROLES else ""
        if not role:
            continue
        container = _container(role, pods)
        if container is None:
            names = ", ".join(have.name for have in pods.containers) or "none"
            message = f"which container of {pods.name} trains? None is called {NODE}" + ("" if role == WORKER else f" or {TENSORFLOW}") + f" ({names})"
            problems.append(refused(plan, codes.extensions.TF_CONTAINER, message, pod_path(plan, pods.name), f"call it {NODE}"))
            continue
        roles.append(TaskType(role, pods, container))
        if pods.replicas != 1:
            message = f"{pods.name} has {pods.replicas} replicas: the pods of one Job are the tasks of a role"
            problems.append(refused(plan, codes.extensions.TF_ROLES, message, (*job_path(plan, pods.name), "replicas"), "count pods by parallelism"))
    names_of_roles = [role.name for role in roles]
    if CHIEF in names_of_roles and MASTER in names_of_roles:
        problems.append(refused(plan, codes.extensions.TF_ROLES, "chief and master are the same role by two names", job_path(plan, MASTER), "keep one of them"))
    return Cluster(tuple(roles), (*problems, *_without_names(plan)))


def _container(role: str, pods: PodSet) -> PodContainer | None:
    found = pods.container(NODE)
    if found is None and role != WORKER:
        found = pods.container(TENSORFLOW) or (pods.containers[0] if len(pods.containers) == 1 else None)
    return found


def _without_names(plan: Plan) -> Iterator[Diagnostic]:
    if plan.template.get("network", {}).get("enableDNSHostnames") is False:
        at = (*JOBSET_TEMPLATE, "spec", "network", "enableDNSHostnames")
        yield refused(plan, codes.extensions.TF_DNS, "without host names of the pods there is nothing to write into TF_CONFIG", at, "write true")


def uses_host_network(plan: Plan, role: TaskType) -> bool:
    return any(job["name"] == role.pods.name and pod_spec_of(job).get("hostNetwork") is True for job in replicated_jobs(plan.template))


def refused(plan: Plan, code: Code, message: str, at: Path, hint: str = "") -> Diagnostic:
    """An error at a place of the runtime."""
    document, place, notes = where_it_can_be_seen(plan, plan.runtime.document, at)
    subject = ("TrainJob", plan.job.namespace, plan.job.name)
    return Diagnostic(code, message, document=document, at=place, hint=hint, stage="passes", notes=notes, subject=subject)
