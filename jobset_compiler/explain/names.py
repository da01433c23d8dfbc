"""Every name that will exist: objects of both controllers, pods with the room for their suffix, and the DNS names of pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.expand.children import claim_name, claim_templates, is_indexed, subdomain_of
from jobset_compiler.objects.snapshot import is_kept, name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.objects.unit import Unit

Tree = dict[str, Any]
TRAINER, JOBSET, JOB = "Trainer", "JobSet", "Job"
# Limits of Kubernetes: DNS labels for what becomes a host name or a label, subdomains for other objects.
LABEL, SUBDOMAIN = 63, 253
# The Job controller adds -<index>-<five random characters> to the name of a Job.
SUFFIX = "xxxxx"


def names_of(unit: Unit) -> list[Tree]:
    """One entry a name; of the pods of a Job the last, which is the longest: {index} runs from 0 to its number."""
    return [_entry(*name) for name in _names(unit)]


def _entry(kind: str, name: str, limit: int, by: str, note: str = "") -> Tree:
    return {"kind": kind, "name": name, "length": len(name), "limit": limit, "madeBy": by, "note": note}


def _names(unit: Unit) -> Iterator[tuple[str, str, int, str, str]]:
    jobset = unit.objects[0]
    for manifest in unit.objects:
        limit = LABEL if manifest["kind"] == "JobSet" else SUBDOMAIN
        yield manifest["kind"], manifest["metadata"]["name"], limit, TRAINER, ""
    if is_kept(unit.plan.profile):
        yield "ConfigMap", name_of(unit.plan.job.name), SUBDOMAIN, TRAINER, "the runtime as it is now, from which everything is built"
    spec = jobset["spec"]
    if has_names(jobset):
        yield "Service", subdomain_of(jobset), LABEL, JOBSET, "headless; the subdomain of all pods"
    for _, template in claim_templates(jobset):
        yield "PersistentVolumeClaim", claim_name(jobset, template), SUBDOMAIN, JOBSET, ""
    for job in spec.get("replicatedJobs", ()):
        last = max(job.get("replicas", 1), 1) - 1
        for index in sorted({0, last}):
            yield "Job", f"{jobset['metadata']['name']}-{job['name']}-{index}", LABEL, JOBSET, f"the last of {last + 1}" if index else ""
        name = f"{jobset['metadata']['name']}-{job['name']}-{last}"
        count = job["template"]["spec"].get("parallelism") or 0
        if count:
            numbered = f"{name}-{count - 1}" if is_indexed(job) else name
            note = f"; the last of {count}" if count > 1 and is_indexed(job) else ""
            yield "Pod", f"{numbered}-{SUFFIX}", LABEL, JOB, f"{SUFFIX} is random{note}"
            if has_hosts(jobset, job):
                yield "host name", host_of(jobset, job["name"], last, count - 1), SUBDOMAIN, JOB, "the last of its Job" if count > 1 else ""


def has_names(jobset: Tree) -> bool:
    """Whether JobSet makes the Service by which pods find each other."""
    return bool((jobset["spec"].get("network") or {}).get("enableDNSHostnames", True))


def has_hosts(jobset: Tree, job: Tree) -> bool:
    """Whether the pods of a replicatedJob find each other by name: those with a number have one."""
    return has_names(jobset) and is_indexed(job)


def host_of(jobset: Tree, job: str, replica: int, index: int) -> str:
    """The name by which other pods find a pod: that of its Job, the number in it, and the subdomain of the JobSet."""
    return f"{jobset['metadata']['name']}-{job}-{replica}-{index}.{subdomain_of(jobset)}"
