"""Another JobSet in the cluster: on the command line, in the settings, in explain and as a KRM function."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jobset_compiler as jc
from jobset_compiler.profiles import NEWEST

if TYPE_CHECKING:
    from collections.abc import Callable

    Here = Callable[..., Any]


def test_an_old_jobset_refuses(here: Here, job: str) -> None:
    code, out, err = here("render", "-", "--trainer-version", "v2.1", "--jobset-version", "v0.8.2", stdin=job)
    assert (code, out) == (1, "")
    assert ".groupName: field not declared in schema" in err
    assert "hint: install JobSet 0.10.1, which Kubeflow Trainer 2.1.0 comes with: JobSet 0.8.2 does not have it" in err


def test_a_newer_one_is_told_and_changes_nothing_that_is_submitted(here: Here, job: str) -> None:
    alone = here("render", "-", "--trainer-version", "v2.0", stdin=job)
    code, out, err = here("render", "-", "--trainer-version", "v2.0", "--jobset-version=latest", stdin=job)
    assert (code, out) == (0, alone.out)
    assert "JobSet 0.12.0 is newer than 0.8.2, which Kubeflow Trainer 2.0.1 comes with" in err
    admitted = here("render", "-", "--trainer-version", "v2.0", "--jobset-version=latest", "--form", "admitted", stdin=job).out
    assert "groupName: default" in admitted and "groupName" not in out


def test_it_is_told_without_a_release_as_well(here: Here, job: str) -> None:
    code, _, err = here("render", "-", "--jobset-version", "0.11", stdin=job)
    told = f"JobSet 0.11.1 is older than {NEWEST.jobset.version}, which {NEWEST.title} comes with and is tested with"
    assert code == 0 and f"info JSC215 jobset-not-paired: {told}\n" in err
    found = [each.slug for each in jc.compile_yaml(job, jobset_version="0.11").diagnostics]
    assert "jobset-not-paired" in found and "jobset-not-paired" not in [each.slug for each in jc.compile_yaml(job).diagnostics]


def test_a_patch_release_that_was_not_compared_is_said(job: str) -> None:
    told = [each.message for each in jc.compile_yaml(job, jobset_version="0.12.7").diagnostics if each.slug == "release-not-compared"]
    assert told == ["JobSet 0.12.7 is judged as 0.12.0, the release of that minor release that was compared"]
    told = [each.message for each in jc.compile_yaml(job, trainer_version="v2.2.7").diagnostics if each.slug == "release-not-compared"]
    assert told == ["v2.2.7 is judged as 2.2.1, the release of v2.2 that was compared"]


def test_settings(here: Here, job: str, tmp_path: Any) -> None:
    (tmp_path / ".jobset-compiler.yaml").write_text('trainer-version: v2.1\njobset-version: "0.8"\n')
    assert here("check", "-", stdin=job).code == 1
    assert here("check", "-", "--jobset-version", "0.10", stdin=job).code == 0


def test_an_unknown_one_is_a_usage_error(here: Here, job: str) -> None:
    code, out, err = here("render", "-", "--jobset-version", "0.9", stdin=job)
    assert (code, out) == (2, "")
    assert "unknown JobSet version '0.9'; known: 0.8.2, 0.10.1, 0.11.1, 0.12.0" in err


def test_explain_names_both(here: Here, job: str) -> None:
    told = here("explain", "-", "--trainer-version", "v2.2", "--jobset-version", "0.12", stdin=job).out
    assert "Kubeflow Trainer 2.2.1, JobSet 0.12.0 (it comes with 0.11.1)" in told
    assert "jobsets.jobset.x-k8s.io" in told


def test_releases_show_the_pairs(here: Here) -> None:
    out = here("releases").out
    assert [line.split()[1] for line in out.splitlines() if line.startswith("  JobSet ")] == ["0.8.2", "0.10.1", "0.11.1", "0.12.0", "0.12.0"]
    assert "Kueue                  0.17 or newer" in out


def test_diff_of_two_jobsets_compares_what_they_make(here: Here, job: str) -> None:
    code, out, err = here("diff", "-", "--trainer-version", "v2.0", "--from-jobset", "0.8", "--to-jobset", "0.10", stdin=job)
    assert (code, err) == (3, "")
    assert out.startswith("v2.0 with JobSet 0.8.2 -> v2.0 with JobSet 0.10.1: 1 of 1 TrainJob changes\n")
    assert "because the schema of JobSet 0.10.1 is another than that of 0.8.2" in out
    assert "    + job node: groupName: default\n" in out
    assert "since JobSet 0.10.1: Jobs carry the UID of their JobSet and the labels of their group" in out
    assert '    + Job train-node-0 metadata.labels["jobset.sigs.k8s.io/group-replicas"]: "1"\n' in out
    assert here("diff", "-", "--trainer-version", "v2.2", "--to-jobset", "0.12", stdin=job).code == 0


def test_diff_of_two_releases_may_name_their_jobsets(here: Here, job: str) -> None:
    told = here("diff", "-", "--from", "v2.1", "--to", "v2.2", "--jobset-version", "0.12", "-o", "json", stdin=job)
    sides = [json.loads(told.out)[side] for side in ("before", "after")]
    assert [(side["trainerVersion"], side["jobsetVersion"]) for side in sides] == [("2.1.0", "0.12.0"), ("2.2.1", "0.12.0")]
    out = here("diff", "-", "--from", "v2.1", "--to", "v2.2", "--from-jobset", "0.10", "--to-jobset", "0.11", stdin=job).out
    assert out.startswith("v2.1 with JobSet 0.10.1 -> v2.2 with JobSet 0.11.1: ")


def test_diff_with_an_older_jobset_shows_what_it_refuses(here: Here, job: str) -> None:
    code, out, err = here("diff", "-", "--to-jobset", "0.8", stdin=job)
    assert code == 1 and ".groupName: field not declared in schema" in err
    assert f"{NEWEST.name} with JobSet 0.8.2: error JSC402" in out


def test_diff_of_the_same_jobset_is_a_usage_error(here: Here, job: str) -> None:
    code, out, err = here("diff", "-", "--to-jobset", "0.12", stdin=job)
    assert (code, out) == (2, "")
    assert f"both sides are {NEWEST.name} with JobSet 0.12.0: give --from-jobset and --to-jobset" in err
    assert "unknown JobSet version '1'" in here("diff", "-", "--to-jobset", "1", stdin=job).err
