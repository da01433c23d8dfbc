"""Releases as data: features, profiles, and which profile has which feature.

Entered here: a module of this package that is loaded with it is never imported by its own name (`from jobset_compiler.profiles import features`),
since Python gives up where one thread loads the package and another such a module.
"""

from __future__ import annotations

from jobset_compiler.profiles.catalogue import NEWEST, PROFILES, RELEASED, find, is_compared
from jobset_compiler.profiles.jobset import JOBSETS, find_jobset, is_compared_jobset, is_newer
from jobset_compiler.profiles.profile import Feature, JobSet, Profile, TrainerVersion

__all__ = [
    "JOBSETS",
    "NEWEST",
    "PROFILES",
    "RELEASED",
    "Feature",
    "JobSet",
    "Profile",
    "TrainerVersion",
    "find",
    "find_jobset",
    "is_compared",
    "is_compared_jobset",
    "is_newer",
]
