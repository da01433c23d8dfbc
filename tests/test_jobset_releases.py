"""A release of Trainer with another JobSet: the part that is JobSet's is exchanged, the part that is Trainer's stays."""

from __future__ import annotations

from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler.profiles import JOBSETS, PROFILES, RELEASED, JobSet, Profile, find_jobset
from tests.admission.rules.cases import job, runtime, trainjob

OBJECTS = [runtime(job("node", "trainer")), trainjob()]


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_a_release_comes_with_one_jobset(profile: Profile) -> None:
    assert profile.jobset is profile.comes_with and profile.is_paired
    assert profile.comes_with in JOBSETS
    assert profile.with_jobset(profile.comes_with) == profile


def test_every_jobset_is_one_that_a_release_comes_with() -> None:
    assert list(dict.fromkeys(profile.comes_with for profile in RELEASED)) == list(JOBSETS)
    first = {jobset.version: next(profile.name for profile in RELEASED if profile.comes_with is jobset) for jobset in JOBSETS}
    assert {jobset.version: jobset.table for jobset in JOBSETS} == first, "whose type table was made with its CRD"


@pytest.mark.parametrize("jobset", JOBSETS, ids=lambda jobset: jobset.version)
@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_parts_are_exchanged_and_exchanged_back(profile: Profile, jobset: JobSet) -> None:
    other = profile.with_jobset(jobset)
    assert other.with_jobset(profile.comes_with) == profile
    assert other.features - jobset.features == profile.features - profile.jobset.features
    assert jobset.features <= other.features
    assert other.types() is profile.types()
    assert other.jobset_types().release == jobset.table


@pytest.mark.parametrize("jobset", JOBSETS, ids=lambda jobset: jobset.version)
@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_what_the_controller_submits_is_the_same_for_every_jobset(profile: Profile, jobset: JobSet) -> None:
    alone = jc.compile_objects(OBJECTS, trainer_version=profile.name)
    result = jc.compile_objects(OBJECTS, trainer_version=profile.name, jobset_version=jobset.version)
    assert (result.trainer_version, result.jobset_version) == (profile.name, jobset.version)
    if result.ok:
        assert result.objects == alone.objects
    else:
        assert JOBSETS.index(jobset) < JOBSETS.index(profile.comes_with)
        assert [found.code for found in result.diagnostics if found.is_error] == ["JSC402"]
    assert ("JSC215" in {found.code for found in result.diagnostics}) is (jobset != profile.comes_with)


def test_groups_reach_jobs_of_an_older_trainer() -> None:
    def labels(version: str) -> dict[str, Any]:
        from jobset_compiler.admission.jobset_defaults import admitted_form
        from jobset_compiler.expand import expand

        result = jc.compile_objects(OBJECTS, trainer_version="v2.0", jobset_version=version)
        plan = result.units[0].plan
        first: dict[str, Any] = expand(admitted_form(result.objects[0], plan.profile), plan.profile)[0].manifest
        return first["metadata"]["labels"]  # type: ignore[no-any-return]

    assert labels("0.10")["jobset.sigs.k8s.io/group-name"] == "default"
    assert "jobset.sigs.k8s.io/group-name" not in labels("0.8")


def test_another_jobset_is_needed_in_the_cluster() -> None:
    assert not jc.compile_objects(OBJECTS, trainer_version="v2.2").requirements[:-1]
    found = jc.compile_objects(OBJECTS, trainer_version="v2.2", jobset_version="0.12").requirements
    assert [(one.kind, one.name, one.why) for one in found] == [
        (
            "CustomResourceDefinition",
            "jobsets.jobset.x-k8s.io",
            "of JobSet 0.12.0, for which this was compiled; Kubeflow Trainer 2.2.1 comes with 0.11.1",
        )
    ]


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("0.12", "0.12.0"),
        ("v0.12.0", "0.12.0"),
        (" V0.8.2 ", "0.8.2"),
        ("0.11.0", "0.11.1"),
        ("latest", "0.12.0"),
        ("0.9", None),
        ("0.13", None),
        ("0.1", None),
        ("0", None),
        ("12", None),
        ("0.12.0.1", None),
        ("0.١٢", None),
        ("", None),
    ],
)
def test_find_jobset(name: str, version: str | None) -> None:
    jobset = find_jobset(name)
    assert (jobset.version if jobset else None) == version


def test_another_patch_release_is_told() -> None:
    result = jc.compile_objects(OBJECTS, trainer_version="v2.2", jobset_version="0.11.0")
    assert [(found.code, found.message) for found in result.diagnostics[:1]] == [
        ("JSC213", "JobSet 0.11.0 is judged as 0.11.1, the release of that minor release that was compared")
    ]


def test_arguments() -> None:
    with pytest.raises(ValueError, match=r"^unknown JobSet release '0\.9'; known: 0\.8\.2, 0\.10\.1, 0\.11\.1, 0\.12\.0"):
        jc.compile_objects(OBJECTS, jobset_version="0.9")
    wrong: Any = 0.12
    with pytest.raises(TypeError, match=r"^jobset_version is a text such as '0\.12', not float"):
        jc.compile_objects(OBJECTS, jobset_version=wrong)
