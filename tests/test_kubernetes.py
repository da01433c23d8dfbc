"""A minor release of Kubernetes is data: every feature has one sentence, a citation, a minor that begins with it, and exactly one place
that consults it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jobset_compiler.profiles import PROFILES, Feature, Profile, kubernetes
from jobset_compiler.profiles.kubernetes import MINORS, find_kubernetes, kubernetes_of

PACKAGE = Path(__file__).resolve().parent.parent / "jobset_compiler"
FEATURES = {name: value for name, value in vars(kubernetes).items() if isinstance(value, Feature)}


@pytest.mark.parametrize("name", sorted(FEATURES))
def test_feature_is_described_and_consulted(name: str) -> None:
    feature = FEATURES[name]
    assert feature.sentence.endswith(".") and feature.cites
    assert feature.slug == name.lower().replace("_", "-") and feature.evidence in ("ran upstream", "read upstream")
    assert all(re.fullmatch("k8s( [A-Z]+[a-z]+[A-Za-z]+)?", cite) for cite in feature.cites), "a feature gate, or what has none"
    pattern = re.compile(rf"\b{name}\b")
    files = [file.name for file in sorted(PACKAGE.rglob("*.py")) if file.parent.name != "profiles" and pattern.search(file.read_text())]
    assert files, "nobody asks"


@pytest.mark.parametrize("name", sorted(FEATURES))
def test_feature_tells_minors_apart(name: str) -> None:
    assert 0 < sum(minor.has(FEATURES[name]) for minor in MINORS) < len(MINORS)


def test_slugs_are_unique() -> None:
    assert len({feature.slug for feature in FEATURES.values()}) == len(FEATURES)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("1.36", "1.36"), ("v1.34", "1.34"), ("1.32.9", "1.32"), ("v1.35.0-rc.1", "1.35"), ("1.31", None), ("1.4", None), ("", None), ("newest", None)],
)
def test_find(name: str, expected: str | None) -> None:
    found = find_kubernetes(name)
    assert (found.name if found else None) == expected


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_every_release_belongs_with_a_minor_that_is_known(profile: Profile) -> None:
    assert profile.kubernetes.startswith(kubernetes_of(profile).name)
