"""Releases as data: features, profiles, and which profile has which feature."""

from __future__ import annotations

from jobset_compiler.profiles.catalogue import NEWEST, PROFILES, RELEASED, find, is_compared
from jobset_compiler.profiles.profile import Feature, Profile

__all__ = ["NEWEST", "PROFILES", "RELEASED", "Feature", "Profile", "find", "is_compared"]
