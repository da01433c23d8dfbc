"""A difference as a release note: duties first, images apart, one cause once, modes as people write them, and what stays."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from jobset_compiler.diff import compare_sides, compare_yaml, compile_side
from jobset_compiler.diff.difference import Difference
from jobset_compiler.diff.effect import ReleaseEffect
from jobset_compiler.diff.markdown import to_markdown
from jobset_compiler.diff.report import to_json
from jobset_compiler.diff.side import text_source
from jobset_compiler.diff.text import COLOURED, to_text
from jobset_compiler.diff.words import bump_of, place_of, value_of
from jobset_compiler.profiles import find
from jobset_compiler.request.options import Options

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.yaml"))
JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: train, namespace: ml}
spec:
  runtimeRef: {name: torch-distributed}
  trainer:
    image: registry.example.com:5000/team/train:1
    numNodes: 2
"""


def upgrade(before: str, after: str, *, only: str = "") -> Difference:
    """The shipped examples between two releases."""
    sources = [text_source(file.read_text(), f"examples/{file.name}") for file in EXAMPLES if only in file.name]
    sides = []
    for name in (before, after):
        profile = find(name)
        assert profile is not None
        sides.append(compile_side(sources, Options(profile=profile), name))
    return compare_sides(*sides)


@pytest.fixture(scope="module")
def newer() -> Difference:
    return upgrade("v2.2", "v2.3")


@pytest.fixture(scope="module")
def older() -> Difference:
    return upgrade("v2.3", "v2.1")


def changed(text: str = "", **fields: object) -> ReleaseEffect:
    return ReleaseEffect("JobSet", text, "changed", fields.get("before"), fields.get("after"), "", "")


def test_what_stays_is_counted_and_named(newer: Difference) -> None:
    text = to_text(newer)
    assert text.startswith("v2.2 -> v2.3: 2 of 8 TrainJobs change, 6 do not\n")
    assert "\nas before: ml-team/resnet50, ml-team/gpt-pretrain, " in text
    assert text.endswith("\nas before in what changes: Secret ml-team/t5-summarize-mpi-ssh-auth\n")
    assert "<summary>As before: 6 TrainJobs, 1 object</summary>" in to_markdown(newer)
    assert json.loads(to_json(newer))["summary"]["unchanged"] == 6
    assert "as before" not in to_text(compare_yaml(JOB, JOB)), "nothing changes at all"


def test_images_stand_apart_from_behaviour(newer: Difference) -> None:
    behaviour, _, images = to_text(newer).partition("\nnew images, because ")
    assert "torchtune-trainer" not in behaviour and "dependsOn" not in images
    assert "    ~ job node, container node: ghcr.io/kubeflow/trainer/torchtune-trainer v2.2.1 -> v2.3.0" in images
    assert "`ghcr.io/kubeflow/trainer/torchtune-trainer` `v2.2.1` → `v2.3.0`" in to_markdown(newer)
    another = compare_yaml(JOB, JOB.replace("/team/train:1", "/team/other:1"))
    assert "    ~ job node, container node: registry.example.com:5000/team/train:1 -> registry.example.com:5000/team/other:1  (" in to_text(another)


def test_one_cause_is_told_once(newer: Difference, older: Difference) -> None:
    for difference in (newer, older):
        first = ("because", "since", "until", "only", "new images")
        headings = [line.partition("  (")[0] for line in to_text(difference).splitlines() if line.startswith(first)]
        assert headings and len(headings) == len(set(headings))
    text = to_text(newer)
    assert text.count("because the runtime deepspeed-distributed that comes with v2.3 is not that of v2.2") == 2, "behaviour, and images"
    assert "gone with" not in to_text(upgrade("v2.1", "v2.3", only="07-")), "the field that v2.1 drops is told as the cause"


def test_modes_are_octal(newer: Difference) -> None:
    for form in (to_text, to_markdown):
        report = form(newer)
        for mode in ("0640", "0644", "0400"):
            assert mode in report
        for number in ("416", "420", "256"):
            assert f" {number}" not in report
    assert '"after": 416' in to_json(newer)
    added = {"secret": {"defaultMode": 256, "items": [{"key": "a", "path": "mode: 5", "mode": 420}]}}
    assert value_of(changed("volumes[name=keys]"), added) == "{secret: {defaultMode: 0400, items: [{key: a, path: 'mode: 5', mode: 0644}]}}"
    assert value_of(changed("spec.replicas"), 420) == "420"


def test_what_has_to_be_done_comes_first(older: Difference) -> None:
    text = to_text(older)
    head, _, rest = text.partition("\nyou have to:\n")
    assert head.count("\n") == 1
    duties = rest.partition("\n\n")[0].splitlines()
    assert duties == [
        "  ! ml-team/diffusion: mend it, v2.1 refuses it (JSC201 runtime-not-found, below)  (examples/06-jax.yaml:9)",
        "  ! ml-team/speech: write spec.runtimePatches otherwise, v2.1 drops it: runtimePatches is the spelling of v2.2 and v2.3; v2.1 has podTemplateOverrides"
        "  (examples/07-runtime-patches.yaml:26)",
    ]
    assert "> [!IMPORTANT]\n> You have to:\n> - **ml-team/diffusion**: mend it" in to_markdown(older)
    assert [duty["trainJob"] for duty in json.loads(to_json(older))["duties"]] == ["ml-team/diffusion", "ml-team/speech"]


def test_what_the_first_side_has_wrong_too_is_no_duty(newer: Difference) -> None:
    assert "you have to" not in to_text(newer)
    assert "you have to" not in to_text(upgrade("v2.1", "v2.3"))
    wrong = JOB.replace("torch-distributed", "nothing")
    assert "you have to" not in to_text(compare_yaml(wrong, wrong.replace("numNodes: 2", "numNodes: 3")))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_lines_are_wrapped_to_the_terminal(newer: Difference, older: Difference, width: int) -> None:
    for difference in (newer, older, compare_yaml(JOB, JOB.replace("name: train", "name: other"))):
        whole, wrapped = to_text(difference), to_text(difference, width=width)
        assert re.sub(r"\s+", "", wrapped) == re.sub(r"\s+", "", whole)
        for line in wrapped.splitlines():
            assert len(line) <= width or " " not in line.strip(" +-~!"), line
        assert re.sub(r"\x1b\[[\d;]*m", "", to_text(difference, COLOURED, width)) == wrapped


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("spec.replicatedJobs[name=node].template.spec.parallelism", "job node: parallelism"),
        ("spec.replicatedJobs[name=*].replicas", "every job: replicas"),
        ("spec.replicatedJobs[name=a,b].groupName", "jobs a, b: groupName"),
        ("spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=main].env[name=A].value", "job node, container main: env A"),
        ("spec.replicatedJobs[name=node].template.spec.template.spec.initContainers[name=i].image", "job node, init container i: image"),
        ("spec.replicatedJobs[name=node].template.spec.template.spec.volumes[name=v].emptyDir", "job node, pods: volume v.emptyDir"),
        ("spec.replicatedJobs[name=node].template.spec.template.metadata.labels", "job node, metadata of pods: labels"),
        ("spec.replicatedJobs[name=node].template.metadata.labels", "job node, metadata: labels"),
        ("spec.replicatedJobs[name=node].template.spec.templates", "job node: templates"),
        ("spec.replicatedJobs", "JobSet spec.replicatedJobs"),
        ("", "JobSet"),
    ],
)
def test_places_in_words(address: str, words: str) -> None:
    assert place_of(changed(address)) == words


@pytest.mark.parametrize(
    ("before", "after", "bump"),
    [
        ("a:1", "a:2", ("a", "1", "2")),
        ("host:5000/a:1", "host:5000/a@sha256:0", ("host:5000/a", "1", "sha256:0")),
        ("a:1@sha256:0", "a:1@sha256:1", ("a", "1@sha256:0", "1@sha256:1")),
        ("a:1", "b:1", None),
        ("host:5000/a", "host:5000/a:1", None),
    ],
)
def test_of_an_image_only_what_is_new(before: str, after: str, bump: tuple[str, str, str] | None) -> None:
    assert bump_of(changed("x.image", before=before, after=after)) == bump
