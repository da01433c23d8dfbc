"""The JobSet builder: the ports that come out (quirk Q1), replicas, what an empty list does."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jobset_compiler as jc
from jobset_compiler.passes.upsert import by_number_and_protocol, by_number_or_name, sharing, upsert, upsert_all

Port = dict[str, Any]


def port(number: int, name: str = "", protocol: str = "TCP") -> Port:
    return {"name": name, "containerPort": number, "protocol": protocol} if name else {"containerPort": number, "protocol": protocol}


TRAINER: Port = {"containerPort": 29500}
# Facts table of upstream's port outcomes for a torch node container, all releases alike (run on each).
OUTCOMES: list[tuple[str, list[Port], list[Port]]] = [
    ("none", [], [TRAINER]),
    ("one without a name is lost", [port(8080)], [TRAINER]),
    ("of two without a name the later one stays, twice", [port(8080), port(9090)], [port(9090), port(9090)]),
    ("named, then unnamed", [port(8080, "a"), port(9090)], [port(8080, "a"), TRAINER]),
    ("two named", [port(8080, "a"), port(9090, "b")], [port(8080, "a"), port(9090, "b"), TRAINER]),
    ("29500 unnamed", [port(29500)], [TRAINER]),
    ("29500 named loses its name", [port(29500, "master")], [TRAINER]),
    ("8080 and 29500 unnamed", [port(8080), port(29500)], [port(29500), port(29500)]),
    ("TCP and UDP of one number", [port(8080, "t"), port(8080, "u", "UDP")], [port(8080, "u", "UDP"), port(8080, "u", "UDP"), TRAINER]),
]


@pytest.mark.parametrize(("what", "given", "expected"), OUTCOMES, ids=[row[0] for row in OUTCOMES])
def test_ports_of_a_torch_container(what: str, given: list[Port], expected: list[Port]) -> None:
    wanted = upsert(tuple(given), TRAINER, sharing(by_number_or_name))
    assert list(upsert_all(tuple(given), wanted, by_number_or_name)) == expected


# The same since #3926.
OUTCOMES_BY_PROTOCOL: list[tuple[str, list[Port], list[Port]]] = [
    ("one without a name stays", [port(8080)], [port(8080), TRAINER]),
    ("two without a name stay", [port(8080), port(9090)], [port(8080), port(9090), TRAINER]),
    ("named, then unnamed", [port(8080, "a"), port(9090)], [port(8080, "a"), port(9090), TRAINER]),
    ("29500 unnamed", [port(29500)], [TRAINER]),
    ("29500 named loses its name", [port(29500, "master")], [TRAINER]),
    ("8080 and 29500 unnamed", [port(8080), port(29500)], [port(8080), TRAINER]),
    ("TCP and UDP of one number", [port(8080, "t"), port(8080, "u", "UDP")], [port(8080, "t"), port(8080, "u", "UDP"), TRAINER]),
    ("29500 over UDP", [port(29500, protocol="UDP")], [port(29500, protocol="UDP"), TRAINER]),
    ("one name, two numbers", [port(8080, "a"), port(9090, "a")], [port(9090, "a"), port(9090, "a"), TRAINER]),
]


@pytest.mark.parametrize(("what", "given", "expected"), OUTCOMES_BY_PROTOCOL, ids=[row[0] for row in OUTCOMES_BY_PROTOCOL])
def test_ports_of_a_torch_container_by_protocol(what: str, given: list[Port], expected: list[Port]) -> None:
    wanted = upsert(tuple(given), TRAINER, sharing(by_number_and_protocol))
    assert list(upsert_all(tuple(given), wanted, by_number_and_protocol)) == expected


PORTS = st.lists(
    st.builds(
        lambda number, more: {"containerPort": number, **more},
        st.integers(1, 3),
        st.sampled_from([{}, {"name": "a"}, {"name": "b"}, {"name": ""}, {"protocol": "UDP"}, {"protocol": "TCP", "name": "a"}, {"protocol": ""}]),
    ),
    max_size=6,
)


@given(PORTS, PORTS, st.sampled_from([by_number_or_name, by_number_and_protocol]))
def test_many_ports_are_upserted_one_after_the_other(template: list[Port], wanted: list[Port], identities: Any) -> None:
    expected = tuple(template)
    for item in wanted:
        expected = upsert(expected, item, sharing(identities))
    assert upsert_all(tuple(template), tuple(wanted), identities) == expected


RUNTIME = """
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: rt}
spec:
  mlPolicy: {numNodes: 2}
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec:
            template:
              spec:
                containers:
                - {name: node, image: runtime-image, command: [runtime], args: [a, b]}
      - name: other
        replicas: 3
        template: {spec: {parallelism: 0, completions: 7, template: {spec: {containers: [{name: node, image: x}]}}}}
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: job, uid: u-1}
spec:
  runtimeRef: {name: rt}
  trainer: TRAINER
"""


def compiled(trainer: str, profile: str = "v2.3") -> dict[str, Any]:
    result = jc.compile_yaml(RUNTIME.replace("TRAINER", trainer), trainer_version=profile, bundled_runtimes=False)
    assert result.is_submitted, result.diagnostics
    return result.objects[0]


def node(manifest: dict[str, Any], job: int = 0) -> dict[str, Any]:
    (container,) = manifest["spec"]["replicatedJobs"][job]["template"]["spec"]["template"]["spec"]["containers"]
    return container  # type: ignore[no-any-return]


def test_an_empty_list_clears_and_an_absent_one_keeps() -> None:
    assert node(compiled("{args: []}")) == {"name": "node", "image": "runtime-image", "command": ["runtime"], "resources": {}}
    assert node(compiled("{command: [mine]}"))["args"] == ["a", "b"]
    assert node(compiled("{image: ''}"))["image"] == ""


def test_only_trainer_jobs_are_touched_but_all_are_counted() -> None:
    manifest = compiled("{image: mine, env: [{name: A, value: '1'}]}")
    other = manifest["spec"]["replicatedJobs"][1]
    assert node(manifest, 1) == {"name": "node", "image": "x", "resources": {}}
    assert (other["replicas"], other["template"]["spec"]["parallelism"], other["template"]["spec"]["completions"]) == (3, 1, 1)
    assert manifest["spec"]["replicatedJobs"][0]["replicas"] == 1


def test_zero_nodes_pass_through() -> None:
    spec = compiled("{numNodes: 0}")["spec"]["replicatedJobs"][0]["template"]["spec"]
    assert (spec["parallelism"], spec["completions"]) == (0, 0)


def test_the_owner_reference_needs_a_uid() -> None:
    assert compiled("{}")["metadata"]["ownerReferences"][0]["uid"] == "u-1"
    without = jc.compile_yaml(RUNTIME.replace("TRAINER", "{}").replace(", uid: u-1", ""), bundled_runtimes=False)
    assert "ownerReferences" not in without.objects[0]["metadata"]
    given = jc.compile_yaml(RUNTIME.replace("TRAINER", "{}").replace(", uid: u-1", ""), bundled_runtimes=False, facts=jc.Facts(uid="u-2"))
    assert given.objects[0]["metadata"]["ownerReferences"][0]["uid"] == "u-2"
