"""Aiming at a runtime that exists: a community runtime where the job fits it, or the one that was named."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from jobset_compiler import runtimes
from jobset_compiler.dialects.notes import in_job
from jobset_compiler.dialects.overrides import POD_SPEC, POD_STRUCTS, override
from jobset_compiler.dialects.tree import At, Carried, Made, get
from jobset_compiler.dialects.v1.kinds import ON_FAILURE
from jobset_compiler.dialects.v1.outputs import trainjob
from jobset_compiler.dialects.v1.pods import NODE
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.v1.job import Role, V1Job
    from jobset_compiler.dialects.v1.policy import RunPolicy
    from jobset_compiler.dialects.wishes import Target

TRAINER = ("image", "command", "args", "env", "resources")
# Members of a container that a runtime may have otherwise without another training.
BY_THE_RUNTIME = ("imagePullPolicy", "ports", "terminationMessagePath", "terminationMessagePolicy", "stdin", "stdinOnce", "tty")


def fits(job: V1Job, role: Role, shipped: str, target: Target) -> bool:
    """Whether spec.trainer over a community runtime says all that the pods of the job say."""
    if not target.bundled_runtimes or shipped not in runtimes.names(target.profile.name):
        return False
    pod = get(job.value, *role.pod)
    container = get(job.value, *role.trainer)
    if set(pod) - {"containers", "restartPolicy"} or len(pod["containers"]) > 1 or role.restart != ON_FAILURE:
        return False
    if any(get(job.value, *role.template, "metadata", key) for key in ("labels", "annotations")):
        return False
    own_port = [{"name": job.kind.port_name}]
    ports = [{"name": get(port, "name")} for port in container.get("ports") or ()]
    if set(container) - {"name", "ports", *TRAINER} or ports not in ([], own_port):
        return False
    # A default of the runtime (2.0 has a command) must not come back where the job leaves it to the image.
    return not any(field in container_of(target.profile.name, shipped) and not container.get(field) for field in ("command", "args", "env", "resources"))


@cache
def container_of(release: str, name: str) -> dict[str, Any]:
    """The container of a community runtime that trains."""
    documents, _ = read_text(runtimes.text_of(release, name))
    found: dict[str, Any] = get(documents[0].value, "spec", "template", "spec", "replicatedJobs", 0, "template", "spec", "template", "spec", "containers", 0)
    return found


def existing_runtime(job: V1Job, role: Role, policy: RunPolicy, target: Target, notes: Notes, trainer: dict[str, Any]) -> list[Any]:
    """The TrainJob over the runtime of --runtime; what spec.trainer cannot say becomes an override, as far as the release has a field for it."""
    kind, _, name = target.wishes.runtime.rpartition("/")
    reference = {**({"kind": kind} if kind else {}), "name": name}
    pod_fields, container_fields = (target.profile.types().struct(struct).fields for struct in POD_STRUCTS[target.profile.override_field])
    spec: dict[str, Any] = {}
    unsaid: list[str] = []
    for key in get(job.value, *role.pod):
        if key in ("containers", "restartPolicy"):
            continue
        if key in pod_fields and key != "initContainers":
            spec[key] = Carried((*role.pod, key))
        else:
            unsaid.append(key)
    container: dict[str, Any] = {}
    for key in get(job.value, *role.trainer):
        if key == "name" or key in TRAINER:
            continue
        if key in container_fields:
            container[key] = Carried((*role.trainer, key))
        elif key in BY_THE_RUNTIME:
            notes.works_otherwise((*role.trainer, key), f"{key} is left to the runtime {name}", in_job("spec", "trainer"))
        else:
            unsaid.append(f"containers[{role.container}].{key}")
    if len(get(job.value, *role.pod, "containers")) > 1:
        unsaid.append("a second container")
    unsaid += policy.pod
    if container:
        spec["containers"] = [At(role.trainer, {"name": Made(NODE, (*role.trainer, "name")), **container})]
    metadata = {key: Carried((*role.template, "metadata", key)) for key in ("labels", "annotations") if get(job.value, *role.template, "metadata", key)}
    if metadata and target.profile.override_field == POD_SPEC:
        unsaid.append("metadata of the pods")
    if unsaid:
        message = f"the runtime {name} would have to bring what no override can say: {', '.join(unsaid)}"
        notes.cannot_hold(role.pod, message, "leave --runtime out, and a runtime is written that has it; or put it into the runtime")
        return []
    for key, given in {**policy.job, **policy.jobset}.items():
        at = given.path if isinstance(given, Carried) else given.because
        notes.works_otherwise(at, f"{key} is left to the runtime {name}", in_job("spec", "runtimeRef"))
    if role.restart != ON_FAILURE:
        notes.works_otherwise((*role.path, "restartPolicy"), f"restartPolicy {role.restart} is left to the runtime {name}", in_job("spec", "runtimeRef"))
    more = {target.profile.override_field: [override(target, NODE, metadata, spec, role.pod)]} if spec or metadata else {}
    return [trainjob(job, reference, trainer, policy, more)]


