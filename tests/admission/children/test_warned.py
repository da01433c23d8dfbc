"""Warnings of the Job API: those that upstream's own server gave, in its words, at the line that causes them."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import jobset_compiler as jc
from jobset_compiler.diagnostics.place import format_path
from tests.admission.rules.cases import compiled, job, runtime, trainjob

if TYPE_CHECKING:
    from collections.abc import Iterator

ANSWERS = Path(__file__).resolve().parents[3] / "upstream" / "answers" / "children.jsonl.gz"
# What still works is left out.
LEFT_OUT = ("deprecated since v1.30", "non-standard IP address")
QUIET = 100
Tree = dict[str, Any]


def answers() -> Iterator[tuple[str, str, set[str]]]:
    """(input, release, warnings) of Jobs that were accepted: all with warnings, and some without."""
    with gzip.open(ANSWERS, "rt", encoding="utf-8") as lines:
        asked = [(case["input"], release, answer) for case in map(json.loads, lines) for release, answer in case["results"].items()]
    told = [
        (text, release, {word for word in answer.get("warnings") or () if not any(left in word for left in LEFT_OUT)})
        for text, release, answer in asked
        if not answer["refused"]
    ]
    yield from (row for row in told if row[2])
    yield from islice((row for row in told if not row[2]), 0, None, max(len(told) // QUIET, 1))


def warned(result: jc.Compilation) -> dict[str, str]:
    """The API's words, and where."""
    found = [d for d in result.diagnostics if d.code == "JSC735"]
    assert all(d.hint and d.severity == "warning" for d in found)
    return {d.message.partition(" gets to see: ")[2]: format_path(d.at) for d in found}


def test_as_upstream_said() -> None:
    rows = list(answers())
    assert any(row[2] for row in rows)
    for text, release, words in rows:
        assert set(warned(jc.compile_yaml(text, trainer_version=release, bundled_runtimes=False))) == words, text


NODE = "spec.template.spec.replicatedJobs[0].template.spec.template"
CONTAINERS = [{"name": "node", "image": "a", "ports": [{"containerPort": 80}]}, {"name": "b", "image": "b", "ports": [{"containerPort": 80}]}]
TERM = {"topologyKey": "a"}


@pytest.mark.parametrize(
    ("pod", "place"),
    [
        ({"containers": CONTAINERS}, "spec.containers[1].ports[0]"),
        ({"imagePullSecrets": [{"name": ""}]}, "spec.imagePullSecrets[0]"),
        ({"terminationGracePeriodSeconds": -1}, "spec.terminationGracePeriodSeconds"),
        ({"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "a", "whenUnsatisfiable": "DoNotSchedule"}]}, "spec.topologySpreadConstraints[0]"),
        (
            {"affinity": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": TERM}]}}},
            "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm",
        ),
        ({"volumes": [{"name": "a", "glusterfs": {"endpoints": "a", "path": "b"}}]}, "spec.volumes[0].glusterfs"),
        (
            {"volumes": [{"name": "a", "secret": {"secretName": "s", "items": [{"key": "a", "path": "x"}, {"key": "b", "path": "x/y"}]}}]},
            "spec.volumes[0].secret.items[1].path",
        ),
    ],
)
def test_at_the_line_that_causes_it(pod: Tree, place: str) -> None:
    result = compiled("v2.3", runtime(job("node", "trainer", **pod)), trainjob())
    assert result.ok, result.diagnostics
    assert [at.removesuffix(".labelSelector") for at in warned(result).values()] == [f"{NODE}.{place}"]


def test_a_host_port_is_another_port() -> None:
    ours = [CONTAINERS[0], {**CONTAINERS[1], "ports": [{"containerPort": 80, "hostPort": 8080}]}]
    assert warned(compiled("v2.3", runtime(job("node", "trainer", containers=ours)), trainjob())) == {}
