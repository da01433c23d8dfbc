"""The releases of JobSet that can stand behind a release of Trainer, oldest first, and by what they differ.

Every release of Trainer is built and tested with one of them (`Profile.comes_with`); a cluster may have another, since JobSet is often
installed by itself. What of the behaviour is JobSet's (its CRD, its webhook, its controller) is here and changes with it; everything
else is Trainer's and never does. Sources: the tags of kubernetes-sigs/jobset.
"""

from __future__ import annotations

from jobset_compiler.profiles import features as f
from jobset_compiler.profiles.profile import JobSet

JOBSET_0_8 = JobSet("0.8.2", "v2.0", frozenset())
JOBSET_0_10 = JOBSET_0_8.derive("0.10.1", table="v2.1", add=(f.JOBSET_ERRORS_NAME_FIELDS, f.JOBS_LABELLED_WITH_GROUP))
# Trainer 2.2 is built with newer types of pods than the JobSet that it pins.
JOBSET_0_11 = JOBSET_0_10.derive("0.11.1", table="v2.2", add=(f.COORDINATOR_LABEL_CHECKED, f.SCHEDULING_GROUP_UNDECLARED))
JOBSET_0_12 = JOBSET_0_11.derive(
    "0.12.0", table="v2.3", add=(f.JOBSET_ERRORS_STRUCTURED, f.JOBSET_UPDATE_SHOWS_JOBS), drop=(f.SCHEDULING_GROUP_UNDECLARED,)
)
JOBSETS = (JOBSET_0_8, JOBSET_0_10, JOBSET_0_11, JOBSET_0_12)


def find_jobset(name: str) -> JobSet | None:
    """The release of JobSet as people write it: "0.12", "v0.12.0", "latest"; None for one that is not known.

    A release that was not compared itself, such as 0.11.0, is found by its minor release (`is_compared_jobset` tells them apart).
    """
    text = name.strip().lower().removeprefix("v")
    if text == "latest":
        return JOBSETS[-1]
    parts = text.split(".")
    if len(parts) not in (2, 3) or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    return next((jobset for jobset in JOBSETS if jobset.version.split(".")[:2] == parts[:2]), None)


def is_compared_jobset(name: str, jobset: JobSet) -> bool:
    """Whether a release as people write it is the very one that was compared, and not another patch release of it."""
    text = name.strip().lower().removeprefix("v")
    return text.count(".") < 2 or text == jobset.version


def is_newer(jobset: JobSet, other: JobSet) -> bool:
    """Whether one release came out after the other."""
    return JOBSETS.index(jobset) > JOBSETS.index(other)
