"""A release is data: every feature has one sentence, a citation, a release, and exactly one place that consults it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jobset_compiler.profiles import PROFILES, Feature, features, find

PACKAGE = Path(__file__).resolve().parent.parent / "jobset_compiler"
FEATURES = {name: value for name, value in vars(features).items() if isinstance(value, Feature)}


def consulting_files(name: str) -> list[str]:
    pattern = re.compile(rf"\b{name}\b")
    return [
        str(file.relative_to(PACKAGE))
        for file in sorted(PACKAGE.rglob("*.py"))
        if file.parent.name != "profiles" and "dialects" not in file.parts and pattern.search(file.read_text())
    ]


@pytest.mark.parametrize("name", sorted(FEATURES))
def test_feature_is_described_and_consulted_in_one_module(name: str) -> None:
    feature = FEATURES[name]
    assert feature.sentence.endswith(".") and feature.cites, "a feature has one sentence and a citation"
    assert feature.evidence in ("ran upstream", "read upstream", "documentation")
    assert all(re.fullmatch(r"#\d+|(jobset|k8s) \d+\.\d+(\.\d+)?", cite) for cite in feature.cites)
    files = consulting_files(name)
    assert len(files) == 1, f"consulted in {files}"


@pytest.mark.parametrize("name", sorted(FEATURES))
def test_feature_tells_releases_apart(name: str) -> None:
    having = [profile.name for profile in PROFILES if profile.has(FEATURES[name])]
    assert 0 < len(having) < len(PROFILES), f"a feature that {having or 'no release'} has makes no difference"


@pytest.mark.parametrize("name", sorted(name for name, feature in FEATURES.items() if feature.replaces))
def test_what_a_feature_replaces_goes_in_the_release_that_brings_it(name: str) -> None:
    feature = FEATURES[name]
    first = next(index for index, profile in enumerate(PROFILES) if profile.has(feature))
    assert feature.replaces is not None and PROFILES[first - 1].has(feature.replaces)
    assert not any(profile.has(feature.replaces) for profile in PROFILES if profile.has(feature))


def test_slugs_are_unique() -> None:
    slugs = [feature.slug for feature in FEATURES.values()]
    assert len(slugs) == len(set(slugs))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("v2.3", "v2.3"), ("2.3", "v2.3"), ("2.3.0", "v2.3"), ("v2.0.1", "v2.0"), ("2.99", None), ("", None), ("three", None)],
)
def test_find(name: str, expected: str | None) -> None:
    profile = find(name)
    assert (profile.name if profile else None) == expected
