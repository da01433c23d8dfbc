"""The labels and annotations that the JobSet controller writes on Jobs and on their pods, and those of Kubernetes beside them.

Source: labelAndAnnotateObject in pkg/controllers/jobset_controller.go. Every key is written as a label and as an annotation, on the
Job and on its pod template, over what the template says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.jobset_view import coordinator_endpoint
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.profiles import Profile

Tree = dict[str, Any]
PREFIX = "jobset.sigs.k8s.io/"
EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology"
NODE_SELECTOR_STRATEGY = "alpha.jobset.sigs.k8s.io/node-selector"
# UIDs, which nobody knows before the objects are made.
JOB_UID = "00000000-0000-4000-8000-000000000001"
JOBSET_UID = "00000000-0000-4000-8000-0000000000aa"
CONTROLLER_UID = "batch.kubernetes.io/controller-uid"
LABELS = ("controller-uid", "job-name", CONTROLLER_UID, "batch.kubernetes.io/job-name")


class JobPlace:
    """One Job of a JobSet: where it stands among the others."""

    __slots__ = ("index", "job", "jobset", "name")

    def __init__(self, jobset: Tree, job: Tree, index: int) -> None:
        self.jobset = jobset
        self.job = job
        self.index = index
        self.name = f"{jobset['metadata']['name']}-{job['name']}-{index}"

    def before(self, group: str | None = None) -> int:
        """How many Jobs (of a group) come before this one."""
        total = self.index
        for job in self.jobset["spec"]["replicatedJobs"]:
            if job["name"] == self.job["name"]:
                break
            if group is None or job.get("groupName", "") == group:
                total += job.get("replicas", 0)
        return total

    def total(self, group: str | None = None) -> int:
        """How many Jobs there are (in a group)."""
        return sum(job.get("replicas", 0) for job in self.jobset["spec"]["replicatedJobs"] if group is None or job.get("groupName", "") == group)

    @property
    def group(self) -> str:
        name: str = self.job.get("groupName", "")
        return name

    @property
    def key(self) -> str:
        """SHA-1 of namespace and name, which exclusive placement goes by."""
        import hashlib  # only for those who look at labels, and not for every render

        text = f"{self.jobset['metadata'].get('namespace', '')}/{self.name}"
        return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


KEYS: tuple[tuple[str, Callable[[JobPlace], str]], ...] = (
    ("jobset-name", lambda place: str(place.jobset["metadata"]["name"])),
    ("replicatedjob-name", lambda place: str(place.job["name"])),
    ("restart-attempt", lambda place: "0"),
    ("replicatedjob-replicas", lambda place: str(place.job.get("replicas", 0))),
    ("global-replicas", lambda place: str(place.total())),
    ("job-index", lambda place: str(place.index)),
    ("job-key", lambda place: place.key),
    ("job-global-index", lambda place: str(place.before())),
)
GROUP_KEYS: tuple[tuple[str, Callable[[JobPlace], str]], ...] = (
    ("jobset-uid", lambda place: str(place.jobset["metadata"].get("uid", ""))),
    ("group-name", lambda place: place.group),
    ("group-replicas", lambda place: str(place.total(place.group))),
    ("job-group-index", lambda place: str(place.before(place.group))),
)


def generated_labels(name: str) -> dict[str, str]:
    """What Kubernetes writes on the pods of a Job."""
    return {label: name if label.endswith("job-name") else JOB_UID for label in LABELS}


def needs_a_look(spec: Tree, labels: Tree) -> bool:
    """Whether anything is written of what Kubernetes writes."""
    return "selector" in spec or bool(spec.get("manualSelector")) or (bool(labels) and any(label in labels for label in LABELS))


def job_metadata(jobset: Tree, job: Tree, index: int, template: Tree, profile: Profile) -> tuple[str, Tree]:
    """The Job's name, and the labels and annotations of the Job or its pods, whose own are in `template`."""
    place = JobPlace(jobset, job, index)
    keys = KEYS + GROUP_KEYS if profile.has(features.JOBS_LABELLED_WITH_GROUP) else KEYS
    written = {PREFIX + key: value_of(place) for key, value_of in keys}
    coordinator = jobset["spec"].get("coordinator")
    if coordinator is not None:
        written[PREFIX + "coordinator"] = coordinator_endpoint(jobset["metadata"]["name"], jobset["spec"])
    labels = {**template.get("labels", {}), **written}
    annotations = {**template.get("annotations", {}), **written}
    for owner in (jobset["metadata"], job["template"].get("metadata", {})):
        theirs = owner.get("annotations", {})
        if EXCLUSIVE in theirs:
            annotations.update((key, theirs[key]) for key in (EXCLUSIVE, NODE_SELECTOR_STRATEGY) if key in theirs)
    return place.name, {"labels": labels, "annotations": annotations}
