"""The verbs that tell about the compiler itself, and explain and expand."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jobset_compiler import PROFILES, runtimes
from jobset_compiler.diagnostics.codes import all_codes
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.profiles import Feature, features
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Callable

    Here = Callable[..., Any]


@pytest.mark.parametrize("profile", [profile.name for profile in PROFILES])
def test_runtimes(here: Here, profile: str) -> None:
    listed = here("runtimes", "list", "--trainer-version", profile)
    assert listed.code == 0
    assert tuple(line.split()[0] for line in listed.out.splitlines()) == runtimes.names(profile)
    for name in runtimes.names(profile):
        shown = here("runtimes", "show", name, "--trainer-version", profile)
        assert shown == (0, runtimes.text_of(profile, name), "")
        assert read_text(shown.out)[0][0].value["metadata"]["name"] == name


def test_profiles(here: Here) -> None:
    out = here("releases").out
    for profile in PROFILES:
        assert any(f"{profile.name}{mark}\n" in out for mark in ("", " (default)", " (not released)"))
        assert profile.trainer in out
        alone = here("releases", profile.name).out
        known = [value for value in vars(features).values() if isinstance(value, Feature)]
        assert [feature.slug for feature in known if f"  {feature.slug}: " in alone] == [feature.slug for feature in known if profile.has(feature)]
    assert "  + resources-merged: " in out
    assert "  - resources-replaced: " in out
    for before, after in pairwise(PROFILES):
        part = out.partition(f"\n\n{after.name}")[2].partition("\n\n")[0].splitlines()
        told = {mark: [line[4:].partition(":")[0] for line in part if line.startswith(f"  {mark} ")] for mark in "+-"}
        known = [value for value in vars(features).values() if isinstance(value, Feature)]
        assert sorted(told["+"]) == sorted(each.slug for each in known if after.has(each) and not before.has(each))
        assert sorted(told["-"]) == sorted(each.slug for each in known if before.has(each) and not after.has(each))


def test_passes_in_the_order_in_which_they_act(here: Here) -> None:
    rows = here("passes", "--no-plugins").out.splitlines() if "--no-plugins" in here("passes", "--help").out else here("passes").out.splitlines()
    assert rows[0].split() == ["STAGE", "PASS", "FROM", "REPLACES", "CITES"]
    assert [row.split() for row in rows[1:]] == [
        [step.stage, step.name, "jobset-compiler", *(", ".join(sorted(step.overrides)) or "-").split(), *", ".join(step.cites).split()] for step in BUILTIN
    ]


def test_codes(here: Here) -> None:
    codes = all_codes()
    assert [line.split()[:3] for line in here("codes", "list").out.splitlines()] == [[code.code, code.severity, code.slug] for code in codes]
    for code in codes:
        explained = here("codes", "explain", code.slug)
        assert explained == here("codes", "explain", code.code.lower())
        assert explained.out.startswith(f"{code.code} {code.slug} ({code.severity})\n")
        assert "".join(code.text.split()) in "".join(explained.out.split())


@pytest.mark.parametrize("kind", ["TrainJob", "trainingruntime", "ClusterTrainingRuntime", "JobSet"])
def test_schemas(here: Here, kind: str) -> None:
    schema = json.loads(here("schema", kind).out)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert here("schema", kind, "--trainer-version", "v2.0").out != here("schema", kind).out
    lenient = json.loads(here("schema", kind, "--lenient").out)
    assert schema != lenient


def test_explain_says_what_runs_and_why(here: Here, job: str) -> None:
    text = (
        job
        + """\
  trainer:
    numNodes: 4
    image: example.com/image
    env:
    - name: TOKEN
      valueFrom:
        secretKeyRef: {name: tokens, key: a}
    resourcesPerNode:
      requests: {cpu: 2, nvidia.com/gpu: 8}
      limits: {nvidia.com/gpu: 8}
"""
    )
    code, out, _ = here("explain", "-", stdin=text)
    assert code == 0
    told = " ".join(out.split())
    for words in (
        "TrainJob default/train (<stdin>:1)",
        "runtime ClusterTrainingRuntime torch-distributed (comes with jobset-compiler)",
        "creates JobSet train",
        "in total 4 pods, requesting cpu 8, nvidia.com/gpu 32",
        "node (trainer): 4 pods",
        "requests cpu 2, nvidia.com/gpu 8 a pod; cpu 8, nvidia.com/gpu 32 in all",
        "processes auto (8 a pod, one for each GPU)",
        "image example.com/image <- line 10",
        "PET_NNODES=4 <- torch, numNodes, line 9",
        "TOKEN=<secretKey tokens/a>",
        "Secret default/tokens: env TOKEN of container node of replicatedJob node",
    ):
        assert words in told


def test_explain_one_field(here: Here, job: str) -> None:
    field = "spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node].image"
    code, out, _ = here("explain", "-", "--field", field, stdin=job + "  trainer: {image: mine}\n")
    assert code == 0
    told = " ".join(out.split())
    assert told.startswith(f"{field} of JobSet default/train value mine ")
    assert "<- <stdin>:8" in told
    assert told.endswith("the runtime's template <- runtime torch-distributed:28")


@pytest.mark.parametrize("verb", ["explain", "expand"])
def test_nothing_is_explained_or_expanded_when_something_is_wrong(here: Here, job: str, verb: str) -> None:
    code, out, err = here(verb, "-", stdin=f"{job}---\n{job.replace('torch-distributed', 'nothing')}")
    assert (code, out) == (1, "")
    assert "JSC201" in err


def test_every_example_can_be_explained_in_every_release(here: Here) -> None:
    from pathlib import Path as File

    for path in sorted((File(__file__).resolve().parents[2] / "examples").glob("*.yaml")):
        for profile in PROFILES:
            checked = here("check", str(path), "--trainer-version", profile.name)
            explained = here("explain", str(path), "--trainer-version", profile.name)
            assert explained.code == checked.code
            assert bool(explained.out) == (checked.code == 0)


@pytest.mark.parametrize("verb", ["render", "expand", "explain", "report"])
def test_an_error_stays_one_where_something_is_made_of_it(here: Here, job: str, verb: str) -> None:
    """Silenced it is for `check` alone."""
    Path(".jobset-compiler.yaml").write_text("ignore: [runtime-not-found]\n")
    wrong = job.replace("torch-distributed", "nope")
    code, out, err = here(verb, "-", stdin=wrong)
    assert (code, out if verb != "report" else "") == (1, "") and "error JSC201 runtime-not-found" in err
    assert here("check", "-", stdin=wrong).code == 0


@pytest.mark.parametrize("verb", ["explain", "expand", "render"])
def test_of_several_inputs_nothing_is_told_where_one_is_wrong_or_missing(here: Here, job: str, verb: str) -> None:
    Path("good.yaml").write_text(job)
    Path("wrong.yaml").write_text(job.replace("torch-distributed", "nope").replace("name: train", "name: other"))
    assert here(verb, "good.yaml").code == 0 and here(verb, "good.yaml").out
    for other, code in (("wrong.yaml", 1), ("missing.yaml", 2)):
        result = here(verb, "good.yaml", other)
        assert (result.code, result.out) == (code, ""), other
        assert here(verb, other, "good.yaml")[:2] == (code, "")
