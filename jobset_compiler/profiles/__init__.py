"""Releases as data: features, profiles, and which profile has which feature."""

from __future__ import annotations

from jobset_compiler.profiles.catalogue import NEWEST, PROFILES, RELEASED, find, is_compared
from jobset_compiler.profiles.jobset import JOBSETS, find_jobset
from jobset_compiler.profiles.profile import Feature, JobSet, Profile

__all__ = ["JOBSETS", "NEWEST", "PROFILES", "RELEASED", "Feature", "JobSet", "Profile", "find", "find_jobset", "is_compared"]
