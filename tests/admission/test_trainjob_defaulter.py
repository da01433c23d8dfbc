"""When Trainer's mutating webhook writes a TrainJob anew: where an override gets its time."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.admission.trainjob_defaulter import has_defaulter, stamps, stamps_update
from jobset_compiler.kube.retype import retype
from jobset_compiler.profiles import NEWEST, PROFILES

Tree = dict[str, Any]
THEN, NOW = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"


def trainjob(*patches: Tree | None, **spec: Any) -> Tree:
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "job"},
        "spec": {"runtimeRef": {"name": "rt"}, **({"runtimePatches": list(patches)} if patches else {}), **spec},
    }


def patch(manager: str = "a.io/b", time: str | None = None, account: str = "x") -> Tree:
    pod = {"template": {"spec": {"serviceAccountName": account}}}
    spec = {"template": {"spec": {"replicatedJobs": [{"name": "node", "template": {"spec": pod}}]}}}
    return {"manager": manager, "trainingRuntimeSpec": spec, **({"time": time} if time else {})}


def test_which_releases_have_it() -> None:
    assert [profile.name for profile in PROFILES if has_defaulter(profile)] == ["v2.2", "v2.3", "next"]


@pytest.mark.parametrize(
    ("given", "stamped"),
    [
        (trainjob(), False),
        (trainjob(runtimePatches=[]), False),
        (trainjob(runtimePatches=None), False),
        ({}, False),
        (trainjob(None), True),
        (trainjob(patch()), True),
        (trainjob({**patch(), "time": None}), True),
        (trainjob(patch(time=THEN)), False),
        (trainjob(patch(time=THEN), patch("c.io/d")), True),
    ],
)
def test_a_new_trainjob_with_an_override_without_a_time(given: Tree, stamped: bool) -> None:
    assert stamps(given) is stamped


@pytest.mark.parametrize(
    ("was", "new", "stamped"),
    [
        ([], [], False),
        ([], [patch()], True),
        ([], [patch(time=NOW)], False),
        ([patch(time=THEN)], [], False),
        ([patch(time=THEN)], [patch(time=THEN)], False),
        ([patch(time=THEN)], [patch(time=NOW)], True),
        ([patch(time=THEN)], [patch()], True),
        ([patch(time=THEN)], [patch(time=THEN, account="y")], True),
        ([patch()], [patch()], True),
        ([patch()], [patch(time=NOW)], True),
        ([patch(time=THEN)], [patch(time=THEN), patch("c.io/d", time=NOW)], False),
        ([patch(time=THEN)], [patch(time=THEN), patch("c.io/d")], True),
        ([patch(time=THEN), patch("c.io/d", time=NOW)], [patch("c.io/d", time=NOW), patch(time=THEN)], False),
        ([patch(time=THEN), patch("c.io/d", time=NOW)], [patch("c.io/d", time=THEN), patch(time=THEN)], True),
    ],
)
def test_an_update_keeps_the_time_of_an_override_that_is_as_it_was(was: list[Tree], new: list[Tree], stamped: bool) -> None:
    typed, _ = retype(trainjob(*new), NEWEST.types(), "trainer.TrainJob")
    assert stamps_update(trainjob(*was), typed, NEWEST) is stamped
