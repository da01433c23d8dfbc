"""The labels and annotations that the JobSet controller writes: labelAndAnnotateObject in pkg/controllers/jobset_controller.go."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from jobset_compiler.admission.children.labels import job_metadata
from jobset_compiler.profiles import find
from tests.admission.children.said import Tree

PREFIX = "jobset.sigs.k8s.io/"
EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology"
STRATEGY = "alpha.jobset.sigs.k8s.io/node-selector"
JOBS: list[Tree] = [
    {"name": "a", "replicas": 2, "groupName": "g", "template": {}},
    {"name": "b", "replicas": 3, "template": {}},
    {"name": "c", "replicas": 4, "groupName": "g", "template": {}},
    {"name": "d", "groupName": "h", "template": {}},
]
OF_C = {
    "jobset-name": "js",
    "replicatedjob-name": "c",
    "restart-attempt": "0",
    "replicatedjob-replicas": "4",
    "global-replicas": "9",
    "job-index": "1",
    "job-key": hashlib.sha1(b"team/js-c-1").hexdigest(),
    "job-global-index": "6",
}
GROUP_OF_C = {"jobset-uid": "u", "group-name": "g", "group-replicas": "6", "job-group-index": "3"}


def written(position: int, index: int, release: str = "v2.3", template: Tree | None = None, meta: Tree | None = None, **spec: Any) -> tuple[str, Tree]:
    profile = find(release)
    assert profile is not None
    jobset = {"metadata": {"name": "js", "namespace": "team", "uid": "u", **(meta or {})}, "spec": {"replicatedJobs": JOBS, **spec}}
    return job_metadata(jobset, jobset["spec"]["replicatedJobs"][position], index, template or {}, profile)


def prefixed(values: dict[str, str]) -> dict[str, str]:
    return {PREFIX + key: value for key, value in values.items()}


@pytest.mark.parametrize(("release", "keys"), [("v2.0", OF_C), ("v2.1", OF_C | GROUP_OF_C), ("v2.3", OF_C | GROUP_OF_C)])
def test_every_key_is_a_label_and_an_annotation(release: str, keys: dict[str, str]) -> None:
    assert written(2, 1, release) == ("js-c-1", {"labels": prefixed(keys), "annotations": prefixed(keys)})


@pytest.mark.parametrize(
    ("position", "index", "before", "in_group", "group", "of_group"),
    [(0, 0, "0", "0", "g", "6"), (0, 1, "1", "1", "g", "6"), (1, 0, "2", "0", "", "3"), (2, 0, "5", "2", "g", "6"), (3, 0, "9", "0", "h", "0")],
)
def test_jobs_are_counted_over_all_and_in_their_group(position: int, index: int, before: str, in_group: str, group: str, of_group: str) -> None:
    labels = written(position, index)[1]["labels"]
    names = ("job-global-index", "job-group-index", "group-name", "group-replicas", "replicatedjob-replicas", "global-replicas")
    assert [labels[PREFIX + name] for name in names] == [before, in_group, group, of_group, str(JOBS[position].get("replicas", 0)), "9"]


def test_a_jobset_without_namespace_and_uid() -> None:
    profile = find("v2.3")
    assert profile is not None
    labels = job_metadata({"metadata": {"name": "js"}, "spec": {"replicatedJobs": JOBS}}, JOBS[0], 0, {}, profile)[1]["labels"]
    assert (labels[f"{PREFIX}jobset-uid"], labels[f"{PREFIX}job-key"]) == ("", hashlib.sha1(b"/js-a-0").hexdigest())


def test_what_the_template_says_stays_beside_what_is_written_over_it() -> None:
    template = {"labels": {"team": "ml", f"{PREFIX}job-index": "9"}, "annotations": {"note": "x", f"{PREFIX}jobset-name": "other"}}
    _, found = written(2, 1, template=template)
    assert found == {"labels": {"team": "ml", **prefixed(OF_C | GROUP_OF_C)}, "annotations": {"note": "x", **prefixed(OF_C | GROUP_OF_C)}}


@pytest.mark.parametrize(
    ("network", "endpoint"),
    [({}, "js-c-1-2.js"), ({"network": {}}, "js-c-1-2.js"), ({"network": {"subdomain": ""}}, "js-c-1-2.js"), ({"network": {"subdomain": "s"}}, "js-c-1-2.s")],
)
def test_the_coordinator_is_a_label_of_all(network: Tree, endpoint: str) -> None:
    _, found = written(0, 0, coordinator={"replicatedJob": "c", "jobIndex": 1, "podIndex": 2}, **network)
    assert found["labels"][f"{PREFIX}coordinator"] == found["annotations"][f"{PREFIX}coordinator"] == endpoint
    _, found = written(0, 0, coordinator={"replicatedJob": "c"}, **network)
    assert found["labels"][f"{PREFIX}coordinator"] == endpoint.replace("1-2", "0-0")
    assert f"{PREFIX}coordinator" not in written(0, 0)[1]["labels"]


@pytest.mark.parametrize(
    ("of_jobset", "of_job", "kept"),
    [
        ({}, {}, {}),
        ({STRATEGY: "true"}, {}, {}),
        ({EXCLUSIVE: "rack"}, {}, {EXCLUSIVE: "rack"}),
        ({EXCLUSIVE: "rack", STRATEGY: "true", "other": "x"}, {}, {EXCLUSIVE: "rack", STRATEGY: "true"}),
        ({}, {EXCLUSIVE: "zone"}, {EXCLUSIVE: "zone"}),
        ({EXCLUSIVE: "rack", STRATEGY: "true"}, {EXCLUSIVE: "zone"}, {EXCLUSIVE: "zone", STRATEGY: "true"}),
    ],
)
def test_exclusive_placement_is_told_to_jobs_and_pods(of_jobset: dict[str, str], of_job: dict[str, str], kept: dict[str, str]) -> None:
    """That of the template of the Job counts more than that of the JobSet."""
    jobs = [{**JOBS[0], "template": {"metadata": {"annotations": of_job}}}]
    _, found = written(0, 0, meta={"annotations": of_jobset}, replicatedJobs=jobs)
    assert {key: value for key, value in found["annotations"].items() if not key.startswith(PREFIX)} == kept
    assert all(key.startswith(PREFIX) for key in found["labels"])
