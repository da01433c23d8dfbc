"""What differs between the pods of master and workers, which one TrainJob cannot have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.dialects.notes import in_job
from jobset_compiler.dialects.tree import get
from jobset_compiler.dialects.v1.kinds import MASTER, WORKER

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.v1.job import Role, V1Job
    from jobset_compiler.dialects.wishes import Target

_SHOWN = 6


def one_role(job: V1Job, target: Target, notes: Notes) -> Role:
    """The role whose pod template all nodes get; noted as an error where the roles differ and nobody said which."""
    first, *others = job.roles.values()
    if not others:
        return first
    master, worker = job.roles[MASTER], job.roles[WORKER]
    found = differences(_pods(job, master), _pods(job, worker))
    chosen = {"master": master, "worker": worker}.get(target.wishes.use)
    if not found:
        role = chosen or first
        return role if master.restart == worker.restart else _one_restart(job, role, chosen or worker, notes)
    # A master without GPUs is the most frequent difference, and the most harmless one.
    found.sort(key=lambda path: "resources" not in path)
    shown = ", ".join(format_path(path) for path in found[:_SHOWN]) + (f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else "")
    message = f"Master and Worker differ in {shown}: one TrainJob runs the same pod on every node"
    if chosen is None:
        notes.replicas_differ((*worker.path, *found[0]), message, "choose one with --use master or --use worker", (*master.path, *found[0]))
        return first
    notes.works_otherwise((*chosen.path, *found[0]), f"{message}; that of {chosen.name} is taken", in_job("spec", "trainer"))
    return chosen


def _one_restart(job: V1Job, role: Role, decides: Role, notes: Notes) -> Role:
    """The role with the restart policy of the other one, where nothing else differs."""
    other = next(each for each in job.roles.values() if each.name != decides.name)
    message = f"restartPolicy {other.restart} of {other.name}: one Job has one policy, that of {decides.name} ({decides.restart})"
    notes.works_otherwise((*other.path, "restartPolicy"), message, in_job("spec", "trainer"), "--use master or --use worker chooses")
    return role._replace(restart=decides.restart)


def _pods(job: V1Job, role: Role) -> dict[str, Any]:
    """What of a role reaches its pods; labels are no difference."""
    template = get(job.value, *role.template)
    metadata = template.get("metadata")
    annotations = get(metadata, "annotations") if isinstance(metadata, dict) else None
    spec = {key: value for key, value in template["spec"].items() if key != "restartPolicy"}
    return {"template": {"metadata": {"annotations": annotations}, "spec": spec}}


def differences(one: Any, other: Any, path: Path = ()) -> list[Path]:
    """The paths at which two trees differ; absent, null and empty are the same."""
    if isinstance(one, dict) or isinstance(other, dict):
        one, other = one or {}, other or {}
        if isinstance(one, dict) and isinstance(other, dict):
            return [found for key in {**one, **other} for found in differences(one.get(key), other.get(key), (*path, key))]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other) and any(isinstance(item, dict) for item in one):
        return [found for index in range(len(one)) for found in differences(one[index], other[index], (*path, index))]
    return [] if one == other or (not one and not other and one != 0 and other != 0) else [path]
