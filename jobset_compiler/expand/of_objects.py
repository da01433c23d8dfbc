"""What JobSet makes of the objects of a TrainJob: the JobSet as it is stored, and the Jobs, Service and claims of its first reconciliation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.jobset_defaults import admitted_form
from jobset_compiler.expand.children import expand

if TYPE_CHECKING:
    from collections.abc import Sequence

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
