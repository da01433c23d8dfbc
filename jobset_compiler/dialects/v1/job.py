"""A v1 job as its operator saw it: roles with their defaults, refused where its webhook refuses it.

Source: kubeflow/trainer v1.9.2 pkg/webhooks, kubeflow/mpi-operator v0.8.2 pkg/apis/kubeflow/validation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.dialects.tree import get
from jobset_compiler.dialects.v1.kinds import CHIEF, GROUP, KINDS, LAUNCHER, MASTER, NEVER, ON_FAILURE, V2BETA1, WORKER, Kind
from jobset_compiler.kube.names import is_dns1035_label

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.source.document import Document

RESTARTS = ("Always", "OnFailure", "Never", "ExitCode")
OPERATOR, MULTIKUEUE = "kubeflow.org/training-operator", "kueue.x-k8s.io/multikueue"
MPI_OPERATOR = "kubeflow.org/mpi-operator"
MOST = 1 << 31


class Role(NamedTuple):
    """One kind of pods of a job. path: of its replica spec; container: index of the one that trains."""

    name: str
    path: Path
    replicas: int
    restart: str
    container: int

    @property
    def template(self) -> Path:
        return (*self.path, "template")

    @property
    def pod(self) -> Path:
        return (*self.path, "template", "spec")

    @property
    def trainer(self) -> Path:
        """The path of the container that trains."""
        return (*self.pod, "containers", self.container)

    @property
    def word(self) -> str:
        return self.name.lower()


class V1Job(NamedTuple):
    """roles: in the order of the kind, whatever that of the document is."""

    document: Document
    kind: Kind
    version: str
    name: str
    roles: dict[str, Role]

    @property
    def value(self) -> Any:
        return self.document.value

    @property
    def spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = self.document.value["spec"]
        return spec

    @property
    def replicas(self) -> Path:
        return ("spec", self.kind.field)

    @property
    def total(self) -> int:
        return sum(role.replicas for role in self.roles.values())

    def get(self, *path: str | int) -> Any:
        return get(self.document.value, *path)

    def port(self, role: Role) -> int:
        """The number of the v1 port of a role: that of the document, else the default."""
        for port in get(self.value, *role.trainer, "ports", default=()) or ():
            if port.get("name") == self.kind.port_name and isinstance(port.get("containerPort"), int):
                return int(port["containerPort"])
        return self.kind.port


def read_job(document: Document, notes: Notes) -> V1Job | None:
    """The job of a document, None where it is refused; why is noted."""
    value = document.value
    kind = KINDS[value["kind"]]
    version = str(value["apiVersion"])
    if version not in (f"{GROUP}/v1", V2BETA1) or (version == V2BETA1 and kind.name != "MPIJob"):
        notes.no_rules(("apiVersion",), f"there are no rules for {kind.name} of {version}", f"write it as {GROUP}/v1 first, as its own operator would store it")
        return None
    name = _name(document, notes, kind)
    spec = value.get("spec")
    replicas = spec.get(kind.field) if isinstance(spec, dict) else None
    at = ("spec", kind.field)
    if not isinstance(replicas, dict) or not replicas:
        notes.refused(at, f"spec.{kind.field}: Required value: must be required")
        return None
    roles: dict[str, Role] = {}
    for key in replicas:
        role = _role(document, kind, version, str(key), notes)
        if role is not None:
            if role.name in roles:
                notes.refused(role.path, f"{role.name} is given twice: {roles[role.name].path[-1]} and {key}")
            roles[role.name] = role
    _check_policy(document, version, notes)
    if notes.failed:
        return None
    job = V1Job(document, kind, version, name, {word: roles[word] for word in kind.roles if word in roles})
    _check_roles(job, notes)
    return None if notes.failed else job


def _name(document: Document, notes: Notes, kind: Kind) -> str:
    meta = document.value.get("metadata")
    meta = meta if isinstance(meta, dict) else {}
    name = meta.get("name")
    if not isinstance(name, str) or not name:
        if meta.get("generateName"):
            message = "a name that the server makes up cannot be known, and the variables of the job hold it"
            notes.no_equivalent(("metadata", "generateName"), f"metadata.generateName: {message}", "give metadata.name")
        else:
            notes.refused(("metadata",), "metadata.name: Required value: name or generateName is required")
        return ""
    problems = is_dns1035_label(name)
    if problems:
        notes.refused(("metadata", "name"), f'metadata.name: Invalid value: "{name}": should match: {",".join(problems)}')
    return name


def _role(document: Document, kind: Kind, version: str, key: str, notes: Notes) -> Role | None:
    path = ("spec", kind.field, key)
    name = next((role for role in kind.roles if role == key or (not kind.exact and role.lower() == key.lower())), "")
    if not name:
        known = ", ".join(f'"{role}"' for role in kind.roles)
        notes.refused(path, f'spec.{kind.field}[{key}]: Unsupported value: "{key}": supported values: {known}')
        return None
    given = get(document.value, *path)
    containers = get(given, "template", "spec", "containers")
    at = f"spec.{kind.field}[{key}]"
    if not isinstance(containers, list) or not containers:
        notes.refused(path, f"{at}.template.spec.containers: Required value: must be specified")
        return None
    trains = -1
    for index, container in enumerate(containers):
        if not isinstance(container, dict) or not isinstance(container.get("image"), str) or not container["image"]:
            where = (*path, "template", "spec", "containers", index)
            notes.refused(where, f"{at}.template.spec.containers[{index}].image: Required value: must be required")
            return None
        if trains < 0 and (not kind.container or container.get("name") == kind.container):
            trains = index
    if trains < 0:
        notes.refused(
            (*path, "template", "spec", "containers"),
            f"{at}.template.spec.containers: Required value: must have at least one container with name {kind.container}",
        )
        return None
    replicas = given.get("replicas")
    default = 0 if kind.exact and name == WORKER else 1
    replicas = default if replicas is None else replicas
    if not isinstance(replicas, int) or isinstance(replicas, bool) or not 0 <= replicas < MOST:
        notes.refused((*path, "replicas"), f"{at}.replicas: Invalid value: must be a number of pods")
        return None
    return Role(name, path, replicas, _restart(given, kind, version, name, path, notes), trains)


def _restart(given: dict[str, Any], kind: Kind, version: str, name: str, path: Path, notes: Notes) -> str:
    default = ON_FAILURE if version == V2BETA1 and name == LAUNCHER else NEVER if version == V2BETA1 else kind.restart
    restart = given.get("restartPolicy") or default
    allowed = (NEVER, ON_FAILURE) if version == V2BETA1 else RESTARTS
    if restart not in allowed:
        known = ", ".join(f'"{word}"' for word in allowed)
        notes.refused((*path, "restartPolicy"), f'restartPolicy: Unsupported value: "{restart}": supported values: {known}')
    return str(restart)


def _check_roles(job: V1Job, notes: Notes) -> None:
    roles, at = job.roles, f"spec.{job.kind.field}"
    master = roles.get(MASTER)
    if master is not None and master.replicas != 1 and job.kind.name in ("PyTorchJob", "XGBoostJob"):
        notes.refused((*master.path, "replicas"), f"{at}[{master.path[-1]}].replicas: Forbidden: must be 1")
    if job.kind.name == "XGBoostJob" and master is None:
        notes.refused(job.replicas, f"{at}[Master]: Required value: must be present")
    worker = roles.get(WORKER)
    if worker is not None and worker.replicas < 1 and job.kind.name != "MPIJob":
        notes.refused((*worker.path, "replicas"), f"{at}[{worker.path[-1]}].replicas: Forbidden: must be at least 1")
    if job.kind.name == "MPIJob" and LAUNCHER not in roles:
        notes.refused(job.replicas, f"{at}[Launcher]: Required value: must have Launcher replica spec")
    if CHIEF in roles and MASTER in roles:
        notes.refused(job.replicas, f"{at}: Forbidden: must not have more than 1 Chief or Master role")
    if job.kind.name == "PyTorchJob" and isinstance(job.spec.get("elasticPolicy"), dict):
        if worker is None:
            notes.refused(("spec", "elasticPolicy"), f"{at}[Worker]: Required value: must be configured if elastic policy is used")
        if job.spec["elasticPolicy"].get("nProcPerNode") is not None and job.spec.get("nprocPerNode") is not None:
            message = "spec.elasticPolicy.nProcPerNode: Forbidden: must not be used with spec.nprocPerNode"
            notes.refused(("spec", "elasticPolicy", "nProcPerNode"), message)


def _check_policy(document: Document, version: str, notes: Notes) -> None:
    by = get(document.value, "spec", "runPolicy", "managedBy")
    own = MPI_OPERATOR if version == V2BETA1 else OPERATOR
    if by is not None and by not in (own, MULTIKUEUE):
        at = ("spec", "runPolicy", "managedBy")
        notes.refused(at, f'spec.runPolicy.managedBy: Unsupported value: "{by}": supported values: "{own}", "{MULTIKUEUE}"')
    deadline = get(document.value, "spec", "runPolicy", "activeDeadlineSeconds")
    if isinstance(deadline, int) and deadline < 1:
        at = ("spec", "runPolicy", "activeDeadlineSeconds")
        notes.refused(at, f"spec.runPolicy.activeDeadlineSeconds: Invalid value: {deadline}: must be at least 1")
