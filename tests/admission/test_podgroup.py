"""What the API server says of PodGroups: the rules of the schedulers' CRDs."""

from __future__ import annotations

import pytest

from jobset_compiler.library.calls import compile_objects
from tests.admission.rules.cases import ALL, job, runtime, trainjob


@pytest.mark.parametrize("profile", ALL)
@pytest.mark.parametrize(("nodes", "refused"), [(0, True), (-1, True), (1, False)])
def test_a_gang_of_coscheduling_has_a_member(profile: str, nodes: int, refused: bool) -> None:
    """Seen on live servers of every release: the PodGroup is applied first, so that nothing is created."""
    ours = runtime(job("node", "trainer"), policy={"torch": {}})
    ours["spec"]["podGroupPolicy"] = {"coscheduling": {}}
    result = compile_objects([ours, trainjob(trainer={"numNodes": nodes})], trainer_version=profile)
    found = [(d.path, d.message) for d in result.diagnostics if d.slug == "pod-group-refused"]
    minimum = f"spec.minMember: Invalid value: {nodes}: spec.minMember in body should be greater than or equal to 1"
    message = f'PodGroup job would be refused, and nothing else is created then: PodGroup.scheduling.x-k8s.io "job" is invalid: {minimum}'
    assert [text for _, text in found] == ([message] if refused else [])
    assert result.ok is not refused and result.objects, "the controller submits them all the same"


@pytest.mark.parametrize("profile", ["v2.1", "v2.2", "v2.3"])
def test_volcano_has_no_such_minimum(profile: str) -> None:
    ours = runtime(job("node", "trainer"), policy={"torch": {}})
    ours["spec"]["podGroupPolicy"] = {"volcano": {}}
    result = compile_objects([ours, trainjob(trainer={"numNodes": 0})], trainer_version=profile)
    assert not [d for d in result.diagnostics if d.slug == "pod-group-refused"]
