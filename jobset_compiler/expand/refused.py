"""What is there after a TrainJob was admitted and something that is made of it was not: objects stay behind, others never come.

Both controllers make one object after the other and stop at the first that is refused: Trainer the PodGroup, Secrets and ConfigMaps before the JobSet, JobSet
the Service and the claims before the Jobs, in the order of replicatedJobs. Neither takes back what it has made. Seen on live servers of every release.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.admission.children import refused_children
from jobset_compiler.admission.jobset_defaults import admitted_form
from jobset_compiler.diagnostics.diagnostic import CHILDREN
from jobset_compiler.expand.of_objects import children_of
from jobset_compiler.objects.snapshot import is_kept, name_of
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.expand.children import Child
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.profiles.kubernetes import Kubernetes

Tree = dict[str, Any]
REPLICATED_JOB = "jobset.sigs.k8s.io/replicatedjob-name"


class Fates(Value):
    """Objects by kind and name: those that are there, those that are refused, and those that are never made."""

    __slots__ = ("made", "never", "refused")

    def __init__(self, made: Iterable[str], refused: Iterable[str], never: Iterable[str]) -> None:
        self.made: Final = tuple(made)
        self.refused: Final = tuple(refused)
        self.never: Final = tuple(never)


def outcome_of(unit: Unit, diagnostics: Sequence[Diagnostic], kubernetes: Kubernetes) -> Fates:
    """For a TrainJob that was built, and with errors: of JobSet's admission, of the PodGroup's CRD, or of Jobs or their pods."""
    jobset, *others = unit.objects
    kept = [f"ConfigMap {name_of(unit.plan.job.name)}"] if is_kept(unit.plan.profile) else []
    groups = [called(manifest) for manifest in others if manifest["kind"] == "PodGroup"]
    rest = [called(manifest) for manifest in others if manifest["kind"] != "PodGroup"]
    if any(found.is_error and found.object_kind == "PodGroup" for found in diagnostics):
        return Fates(kept, groups, [*rest, called(jobset)])
    if any(found.is_error and found.stage != CHILDREN for found in diagnostics):
        return Fates([*kept, *groups, *rest], [called(jobset)], ["its Service, its claims and its Jobs"])
    return _of_jobs(unit, [*kept, *groups, *rest, called(jobset)], kubernetes)


def _of_jobs(unit: Unit, made: list[str], kubernetes: Kubernetes) -> Fates:
    """Where JobSet is accepted, and one of its Jobs or of their pods is not."""
    jobset, profile = unit.objects[0], unit.plan.profile
    stored = admitted_form(jobset, profile)
    names = [job["name"] for job in stored["spec"].get("replicatedJobs", ())]
    refusals = [refusal for refusal in refused_children(stored, profile, kubernetes) if refusal.stage == CHILDREN]
    no_jobs = {names[index] for refusal in refusals for index in refusal.jobs}
    no_pods = {names[refusal.at[2]] for refusal in refusals if not refusal.jobs and isinstance(refusal.at[2], int)}
    children = children_of(jobset, profile)
    jobs = [child for child in children if child.manifest["kind"] == "Job"]
    made += [called(child.manifest) for child in children if child.manifest["kind"] != "Job"]
    refused: list[str] = []
    never: list[str] = []
    is_stopped = False
    for child, following in zip_longest(jobs, jobs[1:]):
        job = _replicated_job(child)
        if is_stopped or (refused and child.waits and job not in no_jobs):
            never.append(called(child.manifest))
        elif job in no_jobs:
            refused.append(called(child.manifest))
            # The Jobs of one replicatedJob are made together. What waits is refused when its turn comes; until then the Jobs behind it are made.
            is_stopped = not child.waits and (following is None or _replicated_job(following) != job)
        else:
            made.append(called(child.manifest))
            refused += [f"the pods of {called(child.manifest)}"] if job in no_pods else []
    return Fates(made, refused, never)


def _replicated_job(child: Child) -> str:
    name: str = child.manifest["metadata"]["labels"][REPLICATED_JOB]
    return name


def called(manifest: Tree) -> str:
    return f"{manifest['kind']} {manifest['metadata']['name']}"
