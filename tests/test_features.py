"""A release is data: every feature has one sentence, a citation, a release, and exactly one place that consults it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jobset_compiler.profiles import NEWEST, PROFILES, RELEASED, Feature, features, find
from jobset_compiler.profiles.catalogue import is_compared

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
    [
        *(("v2.3", "v2.3"), ("2.3", "v2.3"), ("2.3.0", "v2.3"), ("2.3.9", "v2.3"), ("v2.0.1", "v2.0"), (" V2.3 ", "v2.3")),
        *(("latest", NEWEST.name), ("Latest", NEWEST.name), ("next", "next"), ("vnext", "next")),
        *(("2.99", None), ("", None), ("three", None), ("2", None), ("2.3.0.1", None), ("2.x", None), ("2.٣", None), ("vv2.3", None), ("3.3", None)),
    ],
)
def test_find(name: str, expected: str | None) -> None:
    profile = find(name)
    assert (profile.name if profile else None) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("v2.3", True), ("2.3.0", True), (" V2.3.0 ", True), ("2.3.1", False), ("v2.0.1", True), ("2.0.0", False), ("latest", True)],
)
def test_only_one_patch_release_of_each_was_compared(name: str, expected: bool) -> None:
    profile = find(name)
    assert profile is not None and is_compared(name, profile) is expected


def test_what_a_release_is_called() -> None:
    assert [profile.title for profile in PROFILES] == [
        *("Kubeflow Trainer 2.0.1", "Kubeflow Trainer 2.1.0", "Kubeflow Trainer 2.2.1", "Kubeflow Trainer 2.3.0", "the next Kubeflow Trainer"),
    ]
    assert [profile.name for profile in RELEASED] == ["v2.0", "v2.1", "v2.2", "v2.3"] and NEWEST is RELEASED[-1]
    assert [profile.override_field for profile in PROFILES] == ["podSpecOverrides", "podTemplateOverrides", *["runtimePatches"] * 3]
    assert {profile: profile.name for profile in PROFILES} == dict(zip(PROFILES, (profile.name for profile in PROFILES), strict=True))


def test_a_release_drops_only_what_the_one_before_has() -> None:
    newest = find("v2.3")
    assert newest is not None
    missing = features.PORTS_BY_PROTOCOL
    with pytest.raises(AssertionError) as raised:
        newest.derive("next", trainer="x", jobset=newest.jobset, kubernetes="1.36", drop=(missing,))
    assert str(raised.value) == f"next drops what v2.3 has not: {{{missing.slug!r}}}"
    with pytest.raises(AssertionError) as raised:
        newest.jobset.derive("9.9", table="v2.3", drop=(missing,))
    assert str(raised.value) == f"JobSet 9.9 drops what {newest.jobset.version} has not: {{{missing.slug!r}}}"


def test_a_release_keeps_what_the_next_does_not_change() -> None:
    newest = find("v2.3")
    assert newest is not None
    added = features.PORTS_BY_PROTOCOL
    same = newest.derive("next", trainer="x", jobset=newest.jobset, kubernetes="1.36")
    assert (same.kueue, same.policies, same.override_field, same.features) == (newest.kueue, newest.policies, newest.override_field, newest.features)
    other = newest.derive(
        "next",
        trainer="x",
        jobset=newest.jobset,
        kubernetes="1.36",
        kueue="k",
        add=(added,),
        drop=(features.ENV_INJECTION,),
        policies=("p",),
        override_field="f",
    )
    assert (other.kueue, other.policies, other.override_field) == ("k", (*newest.policies, "p"), "f")
    assert other.features == (newest.features | {added.slug}) - {features.ENV_INJECTION.slug}
