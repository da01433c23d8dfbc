"""What JobSet makes of the objects of a TrainJob: the JobSet as it is stored, and the Jobs, Service and claims of its first reconciliation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.jobset_defaults import admitted_form
from jobset_compiler.expand.children import claim_name, expand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.expand.children import Child
    from jobset_compiler.profiles import Profile

# Stands for the UID that a server gives to the JobSet; a legal label, and nothing that could be one.
UID = "uid-of-the-jobset"
Tree = dict[str, Any]


def children_of(jobset: Tree, profile: Profile) -> tuple[Child, ...]:
    """What the JobSet controller creates for a JobSet as Trainer submits it, with a placeholder for its UID."""
    stored = admitted_form(jobset, profile)
    return expand({**stored, "metadata": {**stored["metadata"], "uid": UID}}, profile)


def made_by_jobset(objects: Sequence[Tree], profile: Profile) -> tuple[Tree, ...]:
    """The objects of a TrainJob, the JobSet first and as a server stores it, and what the controller creates for it."""
    jobset, *others = objects
    return (admitted_form(jobset, profile), *others, *(child.manifest for child in children_of(jobset, profile)))


def place_in_jobset(jobset: Tree, kind: str, name: str, path: Path) -> Path:
    """Where a JobSet would have what a Job, Service or claim of that name has at `path`; () for what its controller adds."""
    spec = jobset["spec"]
    match kind, path:
        case "Job", ("spec", "suspend"):
            return path
        case "Job", ("spec", "template", "spec", "subdomain"):
            return "spec", "network", "subdomain"
        case "Job", ("spec", *_) | ("metadata", "labels" | "annotations", *_):
            of = name.rpartition("-")[0]  # without its number
            index = next((index for index, job in enumerate(spec.get("replicatedJobs") or ()) if of == f"{jobset['metadata']['name']}-{job['name']}"), None)
            return () if index is None else ("spec", "replicatedJobs", index, "template", *path)
        case "Service", ("spec", "publishNotReadyAddresses"):
            return "spec", "network", "publishNotReadyAddresses"
        case "PersistentVolumeClaim", ("spec", *_) | ("metadata", "labels" | "annotations", *_):
            for number, policy in enumerate(spec.get("volumeClaimPolicies") or ()):
                for index, template in enumerate(policy.get("templates") or ()):
                    if name == claim_name(jobset, template):
                        return "spec", "volumeClaimPolicies", number, "templates", index, *path
    return ()
