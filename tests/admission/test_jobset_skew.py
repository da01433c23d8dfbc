"""What to do where the JobSet in the cluster is older than what the release of Trainer submits."""

from __future__ import annotations

import pytest

from jobset_compiler.admission.jobset_skew import declares, refused_value_hint, undeclared_hint
from jobset_compiler.diagnostics.place import Path
from jobset_compiler.profiles import Profile, find, find_jobset

JOB: Path = ("spec", "replicatedJobs", 0)
POD: Path = (*JOB, "template", "spec", "template", "spec")
WRITTEN = "and the runtime's defaults write it into every JobSet"


def skewed(release: str, jobset: str) -> Profile:
    profile, found = find(release), find_jobset(jobset)
    assert profile is not None and found is not None
    return profile.with_jobset(found)


@pytest.mark.parametrize(
    ("release", "jobset", "path", "hint"),
    [
        ("v2.3", "0.8", (*JOB, "groupName"), f"install JobSet 0.12.0, which Kubeflow Trainer 2.3.0 comes with: JobSet 0.8.2 does not have it, {WRITTEN}"),
        ("v2.1", "0.8", (*JOB, "groupName"), f"install JobSet 0.10.1, which Kubeflow Trainer 2.1.0 comes with: JobSet 0.8.2 does not have it, {WRITTEN}"),
        ("v2.0", "0.8", (*JOB, "groupName"), "leave groupName out, or install JobSet 0.10.1 or newer: JobSet 0.8.2 does not have it"),
        ("v2.1", "0.8", ("spec", "volumeClaimPolicies"), "leave volumeClaimPolicies out, or install JobSet 0.11.1 or newer: JobSet 0.8.2 does not have it"),
        (
            "v2.2",
            "0.10",
            ("spec", "volumeClaimPolicies"),
            "leave volumeClaimPolicies out, or install JobSet 0.11.1, which Kubeflow Trainer 2.2.1 comes with: JobSet 0.10.1 does not have it",
        ),
        ("v2.2", "0.11", (*POD, "schedulingGroup"), "leave schedulingGroup out, or install JobSet 0.12.0 or newer: JobSet 0.11.1 does not have it"),
        (
            "v2.3",
            "0.11",
            (*POD, "schedulingGroup"),
            "leave schedulingGroup out, or install JobSet 0.12.0, which Kubeflow Trainer 2.3.0 comes with: JobSet 0.11.1 does not have it",
        ),
        ("v2.3", "0.11", ("spec", "zone"), "leave zone out: JobSet 0.11.1 does not have it"),
        ("v2.3", "0.12", (*POD, "zone", 0), "leave 0 out: JobSet 0.12.0 does not have it"),
    ],
)
def test_a_field_that_the_jobset_in_the_cluster_does_not_declare(release: str, jobset: str, path: Path, hint: str) -> None:
    assert undeclared_hint(path, skewed(release, jobset)) == hint


@pytest.mark.parametrize(
    ("release", "jobset", "hint"),
    [
        ("v2.3", "0.11", "JobSet 0.11.1 may be too old for action: Kubeflow Trainer 2.3.0 comes with 0.12.0"),
        ("v2.1", "0.8", "JobSet 0.8.2 may be too old for action: Kubeflow Trainer 2.1.0 comes with 0.10.1"),
        ("v2.3", "0.12", ""),
        ("v2.2", "0.12", ""),
    ],
)
def test_a_value_that_an_older_jobset_refuses(release: str, jobset: str, hint: str) -> None:
    assert refused_value_hint(("spec", "failurePolicy", "rules", 0, "action"), skewed(release, jobset)) == hint


@pytest.mark.parametrize(
    ("path", "since"),
    [((*JOB, "groupName"), 1), (("spec", "volumeClaimPolicies"), 2), ((*POD, "schedulingGroup"), 3), (("spec", "coordinator"), 0), (("spec", "zone"), 4)],
)
def test_which_jobset_has_a_field(path: Path, since: int) -> None:
    releases = ("0.8", "0.10", "0.11", "0.12")
    assert [declares(path, skewed("v2.3", jobset)) for jobset in releases] == [index >= since for index in range(4)]
