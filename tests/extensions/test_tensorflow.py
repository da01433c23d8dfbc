"""tensorflow: TF_CONFIG as TensorFlow reads it, for every pod of every role."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jobset_compiler as jc
from jobset_compiler.explain import explanation
from tests.extensions.kubelet import pod_environment
from tests.passes.plans import compiled, container, env_of, job, pods_of, runtime, trainjob

Tree = dict[str, Any]
INDEX = {"fieldRef": {"fieldPath": "metadata.annotations['batch.kubernetes.io/job-completion-index']"}}
ON = ("tensorflow",)


def tensorflow(*jobs: Tree, policy: Tree | None = None, label: str = "tensorflow", **spec: Any) -> Tree:
    given = runtime({"numNodes": 1} if policy is None else policy, *jobs, **spec)
    given["metadata"]["labels"] = {"trainer.kubeflow.org/framework": label}
    return given


def render(given: Tree, asked: Tree, release: str = "v2.3") -> jc.Compilation:
    result = compiled(given, asked, release, extensions=ON)
    assert result.ok, result.diagnostics
    return result


def codes(result: jc.Compilation) -> list[str]:
    return [diagnostic.code for diagnostic in result.diagnostics if diagnostic.code.startswith(("JSC65", "JSC66", "JSC722", "JSC73"))]


@pytest.mark.parametrize("release", ["v2.0", "v2.1", "v2.2", "v2.3", "next"])
@pytest.mark.parametrize("nodes", [2, 3, 12])
def test_every_pod_reads_all_workers_and_its_own_index(release: str, nodes: int) -> None:
    result = render(tensorflow(), trainjob({"numNodes": nodes, "env": [{"name": "COPY", "value": "$(TF_CONFIG)"}]}), release)
    for index in range(nodes):
        env = pod_environment(pods_of(result, "node"), index)
        assert json.loads(env["TF_CONFIG"]) == {
            "cluster": {"worker": [f"job-node-0-{pod}.job:2222" for pod in range(nodes)]},
            "task": {"type": "worker", "index": index},
        }
        assert env["COPY"] == env["TF_CONFIG"]
    assert codes(result) == ["JSC650"]


def test_one_pod_gets_a_port_and_no_variables() -> None:
    result = render(tensorflow(), trainjob({}))
    assert env_of(result, "node") == []
    assert pods_of(result, "node")["containers"][0]["ports"] == [{"name": "tf", "containerPort": 2222}]


names = st.from_regex(r"[a-z]([a-z0-9-]{0,8}[a-z0-9])?", fullmatch=True)


@settings(max_examples=40, deadline=None)
@given(name=names, subdomain=st.none() | names, nodes=st.integers(1, 3), servers=st.integers(0, 3), chief=st.booleans(), reverse=st.booleans())
def test_hosts_are_the_names_that_the_pods_will_have(
    name: str, subdomain: str | None, nodes: int, servers: int, chief: bool, reverse: bool
) -> None:
    jobs = [job()]
    if servers:
        jobs.append(job("ps", None, spec={"parallelism": servers}))
    if chief:
        jobs.append(job("chief", None))
    spec: Tree = {"successPolicy": {"operator": "All", "targetReplicatedJobs": ["node"]}}
    if subdomain is not None:
        spec["network"] = {"subdomain": subdomain}
    given_runtime = tensorflow(*(jobs[::-1] if reverse else jobs), **spec)
    result = compiled(given_runtime, trainjob({"numNodes": nodes}, metadata={"name": name}), extensions=ON)
    if not result.objects:  # two names that make one that is too long
        return
    told = {entry["name"]: entry["hosts"] for entry in explanation(result.units[0])["jobs"]}
    roles = {"worker": "node", "ps": "ps", "chief": "chief"}
    pods = sum(map(len, told.values()))
    for entry in result.objects[0]["spec"]["replicatedJobs"]:
        for index in range(entry["template"]["spec"]["parallelism"]):
            env = pod_environment(entry["template"]["spec"]["template"]["spec"], index)
            if pods == 1:
                assert not env
                continue
            config = json.loads(env["TF_CONFIG"])
            assert {role: [host.removesuffix(":2222") for host in hosts] for role, hosts in config["cluster"].items()} == {
                role: told[rjob] for role, rjob in roles.items() if rjob in told
            }
            assert roles[config["task"]["type"]] == entry["name"] and config["task"]["index"] == index


def test_an_evaluator_is_outside_of_the_cluster_and_knows_it() -> None:
    result = render(tensorflow(job(), job("evaluator", None)), trainjob({}))
    cluster = {"worker": ["job-node-0-0.job:2222"]}
    assert json.loads(dict(env_of(result, "evaluator"))["TF_CONFIG"]) == {"cluster": cluster, "task": {"type": "evaluator", "index": 0}}
    assert json.loads(dict(env_of(result, "node"))["TF_CONFIG"]) == {"cluster": cluster, "task": {"type": "worker", "index": 0}}


def test_helpers_and_initializers_have_no_part() -> None:
    dataset = job("dataset-initializer", "dataset-initializer", containers=[container("dataset-initializer")])
    result = render(tensorflow(job(), job("dashboard", None), dataset), trainjob({"numNodes": 2}))
    assert env_of(result, "dashboard") == env_of(result, "dataset-initializer", "dataset-initializer") == []


@pytest.mark.parametrize(
    ("ports", "port", "added"),
    [
        ([], 2222, True),
        ([{"name": "tf", "containerPort": 3333}], 3333, False),
        ([{"name": "tfjob-port", "containerPort": 4444}], 4444, False),
        ([{"name": "tfjob-port", "containerPort": 4444}, {"name": "tf", "containerPort": 3333}], 3333, False),
        ([{"name": "grpc", "containerPort": 2222}], 2222, False),
        ([{"name": "grpc", "containerPort": 2222, "protocol": "UDP"}], 2222, False),
        ([{"name": "web", "containerPort": 80}], 2222, True),
    ],
)
def test_ports(ports: list[Tree], port: int, added: bool) -> None:
    result = render(tensorflow(job(containers=[container(ports=ports)])), trainjob({"numNodes": 2}))
    assert f"job-node-0-1.job:{port}" in dict(env_of(result, "node"))["TF_CONFIG"]
    written = [given["name"] for given in pods_of(result, "node")["containers"][0]["ports"]]
    assert written == [*(given["name"] for given in ports), *(["tf"] if added else [])]


def test_an_index_that_is_there_stays_and_tf_config_follows_it() -> None:
    env = [{"name": "A", "value": "a"}, {"name": "TF_TASK_INDEX", "valueFrom": INDEX}, {"name": "B", "value": "b"}]
    result = render(tensorflow(job(containers=[container(env=env)])), trainjob({"numNodes": 2}))
    assert [name for name, _ in env_of(result, "node")] == ["A", "TF_TASK_INDEX", "TF_CONFIG", "B"]


@pytest.mark.parametrize(
    "value",
    [{"value": "7"}, {"valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}, {"valueFrom": {"configMapKeyRef": {"name": "a", "key": "b"}}}],
    ids=["a number", "another field", "of a ConfigMap"],
)
def test_an_index_of_somebody_else_is_refused(value: Tree) -> None:
    result = compiled(tensorflow(), trainjob({"numNodes": 2, "env": [{"name": "TF_TASK_INDEX", **value}]}), extensions=ON)
    assert [diagnostic.code for diagnostic in result.diagnostics if diagnostic.is_error] == ["JSC666"]
    assert compiled(tensorflow(), trainjob({"numNodes": 1, "env": [{"name": "TF_TASK_INDEX", **value}]}), extensions=ON).ok, "nobody reads it"


def test_a_users_tf_config_wins_and_its_size_is_compared() -> None:
    text = '{"cluster":{"worker":["a:1"]},"task":{"type":"worker","index":0}}'
    result = render(tensorflow(), trainjob({"numNodes": 3, "env": [{"name": "TF_CONFIG", "value": text}]}))
    assert env_of(result, "node") == [("TF_CONFIG", text)]
    assert sorted(codes(result)) == ["JSC650", "JSC665", "JSC722"]


def test_one_role_may_keep_its_own() -> None:
    own = [{"name": "TF_CONFIG", "value": "{}"}]
    result = render(tensorflow(job(), job("ps", None, containers=[container(env=own)])), trainjob({"numNodes": 2}))
    assert env_of(result, "ps") == [("TF_CONFIG", "{}")]
    assert "job-ps-0-0.job:2222" in dict(env_of(result, "node"))["TF_CONFIG"]


REFUSED: tuple[tuple[str, Tree, list[str]], ...] = (
    ("policy", tensorflow(policy={"torch": {}}), ["JSC660"]),
    ("two trainers", tensorflow(job(), job("more")), ["JSC661"]),
    ("chief and master", tensorflow(job(), job("chief", None), job("master", None)), ["JSC661"]),
    ("replicas", tensorflow(job(), {**job("ps", None), "replicas": 2}), ["JSC661"]),
    ("container of another role", tensorflow(job(), job("ps", None, containers=[container("a"), container("b")])), ["JSC662"]),
    ("host names", tensorflow(network={"enableDNSHostnames": False}), ["JSC663"]),
)


@pytest.mark.parametrize(("given_runtime", "expected"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_makes_no_cluster_is_refused(given_runtime: Tree, expected: list[str]) -> None:
    result = compiled(given_runtime, trainjob({"numNodes": 2}), extensions=ON)
    assert [diagnostic.code for diagnostic in result.diagnostics if diagnostic.is_error] == expected


@pytest.mark.parametrize("name", ["node", "tensorflow", "anything"])
def test_the_container_of_other_roles(name: str) -> None:
    sidecar = [] if name == "anything" else [container("sidecar")]
    result = render(tensorflow(job(), job("ps", None, containers=[*sidecar, container(name)])), trainjob({"numNodes": 2}))
    assert [entry[0] for entry in env_of(result, "ps", name)] == ["TF_CONFIG"]


def test_a_runtime_of_another_framework_is_left_alone() -> None:
    given_runtime, asked = tensorflow(label="torch"), trainjob({"numNodes": 2})
    with_it, without = compiled(given_runtime, asked, extensions=ON), compiled(given_runtime, asked)
    assert (with_it.to_yaml(), with_it.diagnostics) == (without.to_yaml(), without.diagnostics)


def test_no_variable_is_too_long_for_the_kernel() -> None:
    for nodes, fits in ((1500, True), (6000, False)):
        result = compiled(tensorflow(), trainjob({"numNodes": nodes}), extensions=ON)
        assert ("JSC667" in codes(result)) is not fits
        assert not fits or len(dict(env_of(result, "node"))["TF_CONFIG"]) <= 100 * 1024


def test_success_of_the_parameter_servers() -> None:
    for others, decides in (((), "node"), ((job("chief", None),), "chief"), ((job("master", None),), "master")):
        result = render(tensorflow(job(), job("ps", None), *others), trainjob({"numNodes": 2}))
        (told,) = [found for found in result.diagnostics if found.code == "JSC668"]
        assert told.message == "parameter servers do not end by themselves, and nothing says when the job is done without them"
        assert told.hint == f"add successPolicy: {{operator: All, targetReplicatedJobs: [{decides}]}}"
    decided = tensorflow(job(), job("ps", None), successPolicy={"operator": "All", "targetReplicatedJobs": ["node"]})
    assert "JSC668" not in codes(render(decided, trainjob({"numNodes": 2})))


def test_hosts_by_hand_under_the_right_name_are_not_told() -> None:
    text = '{"cluster":{"worker":["job-node-0-0.%s:2222","job-node-0-1.%s:2222"]},"task":{"type":"worker","index":0}}'
    for domain, told in (("train", False), ("job", True), ("job.ns.svc", True)):
        env = [{"name": "TF_CONFIG", "value": text.replace("%s", domain)}]
        given_runtime = tensorflow(job(containers=[container(env=env)]), network={"subdomain": "train"})
        assert ("JSC730" in codes(compiled(given_runtime, trainjob({"numNodes": 2})))) is told


TFJOB = """
apiVersion: kubeflow.org/v1
kind: TFJob
metadata: {name: mnist, namespace: team-a}
spec:
  tfReplicaSpecs:
    Chief: {template: {spec: {containers: [{name: tensorflow, image: a}]}}}
    Worker: {replicas: 2, template: {spec: {containers: [{name: tensorflow, image: a}]}}}
"""


def test_a_tfjob_without_the_variables_of_v1_gets_those_of_the_extension() -> None:
    migrated = jc.migrate(TFJOB, wishes=jc.Wishes(v1_env=False)).text
    assert "TF_CONFIG" not in str(jc.compile_yaml(migrated).objects)
    result = jc.compile_yaml(migrated, extensions=ON)
    assert result.ok
    jobs = {entry["name"]: entry["template"]["spec"]["template"]["spec"] for entry in result.objects[0]["spec"]["replicatedJobs"]}
    tasks = {name: json.loads(pod_environment(pod, 0, pod["containers"][0]["name"])["TF_CONFIG"])["task"] for name, pod in jobs.items()}
    assert tasks == {"worker": {"type": "worker", "index": 0}, "chief": {"type": "chief", "index": 0}}


def test_the_runtimes_are_there_with_the_extension_alone() -> None:
    for name in ("tensorflow-distributed", "mpi"):
        asked = trainjob({"numNodes": 2}, runtime_name=name)
        missing = [diagnostic for diagnostic in jc.compile_objects([asked]).diagnostics if diagnostic.is_error]
        assert [diagnostic.code for diagnostic in missing] == ["JSC201"] and "--extension tensorflow" in missing[0].hint
        assert jc.compile_objects([asked], extensions=ON).ok


def test_mpi_is_the_runtime_of_2_0_by_another_name() -> None:
    by_name = [jc.compile_objects([trainjob({}, runtime_name=name)], trainer_version="v2.0", extensions=ON) for name in ("mpi", "mpi-distributed")]
    assert by_name[0].to_yaml() == by_name[1].to_yaml()


@pytest.mark.parametrize("example", sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.yaml")), ids=lambda path: path.stem)
def test_without_a_tensorflow_runtime_nothing_changes(example: Path) -> None:
    text = example.read_text()
    assert jc.compile_yaml(text, extensions=ON).to_yaml() == jc.compile_yaml(text).to_yaml()
