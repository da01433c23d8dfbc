from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.passes.api import AddMount, AddVolume, SetEnv
from jobset_compiler.passes.driver import run_passes
from jobset_compiler.passes.mpi import hostfile, slots
from tests.passes.plans import compiled, container, edits, env_of, job, messages, plan_of, pods_of, runtime, step, the, trainjob

Tree = dict[str, Any]
PROFILES = ("v2.0", "v2.1", "v2.2", "v2.3")
GPUS = {"limits": {"nvidia.com/gpu": 2}}


def mpi(*, as_node: bool = False, nodes: int = 1, node_first: bool = False, **policy: Any) -> Tree:
    jobs = [job("launcher"), job("node", None)]
    return runtime({"numNodes": nodes, "mpi": {"runLauncherAsNode": as_node, **policy}}, *(jobs[::-1] if node_first else jobs))


# runLauncherAsNode, the runtime's numNodes, the TrainJob's -> (launchers, workers, hosts); facts: upstream's own answers
COUNTS: tuple[tuple[bool, int, int | None, tuple[int, int], list[str]], ...] = (
    (True, 1, None, (1, 1), ["launcher-0-0", "node-0-0"]),
    (True, 3, None, (3, 1), ["launcher-0-0", "launcher-0-1", "launcher-0-2", "node-0-0"]),
    (True, 1, 0, (1, 1), ["launcher-0-0", "node-0-0"]),
    (True, 1, 1, (1, 1), ["launcher-0-0", "node-0-0"]),
    (True, 1, 2, (1, 1), ["launcher-0-0", "node-0-0"]),
    (True, 1, 4, (1, 3), ["launcher-0-0", "node-0-0", "node-0-1", "node-0-2"]),
    (False, 1, 3, (1, 3), ["node-0-0", "node-0-1", "node-0-2"]),
    (False, 1, 0, (1, 0), []),
    (False, 3, None, (3, 1), ["node-0-0"]),
)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("as_node", "runtime_nodes", "nodes", "counts", "hosts"), COUNTS)
def test_counts_and_hosts(profile: str, as_node: bool, runtime_nodes: int, nodes: int | None, counts: tuple[int, int], hosts: list[str]) -> None:
    plan = plan_of(mpi(as_node=as_node, nodes=runtime_nodes), trainjob({} if nodes is None else {"numNodes": nodes}), profile)
    plan = run_passes(plan, (step("mpi-sizing"),)).plan
    assert tuple(pods.count for pods in plan.pod_sets) == counts
    assert hostfile(plan) == "".join(f"job-{host}.job slots=1\n" for host in hosts)


def test_hosts_follow_the_template_and_its_subdomain() -> None:
    given = mpi(as_node=True, node_first=True)
    given["spec"]["template"]["spec"]["network"] = {"subdomain": "pods"}
    assert hostfile(plan_of(given, trainjob({}))) == "job-node-0-0.pods slots=1\njob-launcher-0-0.pods slots=1\n"


@pytest.mark.parametrize(("profile", "hosts"), [("v2.2", ["0-0", "0-1"]), ("v2.3", ["0-0", "0-1", "1-0", "1-1"])])
def test_replicas_are_listed_from_2_3(profile: str, hosts: list[str]) -> None:
    given = runtime({"mpi": {}}, job("launcher"), {**job("node", None, spec={"parallelism": 2}), "replicas": 2})
    assert hostfile(plan_of(given, trainjob({}), profile)) == "".join(f"job-node-{host}.job slots=1\n" for host in hosts)


# What decides -> slots in v2.0 and from v2.1 on
SLOTS: tuple[tuple[str, Tree, Tree, int, int], ...] = (
    ("the TrainJob", mpi(), {"numProcPerNode": 4}, 4, 4),
    ("the runtime", mpi(numProcPerNode=3), {}, 3, 3),
    ("the TrainJob over the runtime", mpi(numProcPerNode=3), {"numProcPerNode": 1}, 1, 1),
    ("GPUs of resourcesPerNode", mpi(), {"resourcesPerNode": GPUS}, 1, 2),
    ("the runtime over GPUs", mpi(numProcPerNode=3), {"resourcesPerNode": GPUS}, 3, 3),
    ("one GPU", mpi(), {"resourcesPerNode": {"limits": {"nvidia.com/gpu": 1}}}, 1, 1),
    ("GPUs of the job that comes first", runtime({"mpi": {}}, job("launcher"), job("node", None, containers=[container(resources=GPUS)])), {}, 1, 1),
    ("GPUs of the node job first", runtime({"mpi": {}}, job("node", None, containers=[container(resources=GPUS)]), job("launcher")), {}, 1, 2),
    ("more than 32 bits", mpi(), {"resourcesPerNode": {"limits": {"nvidia.com/gpumem": "6Gi"}}}, 1, -2147483648),
)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("why", "given", "trainer", "before", "after"), SLOTS, ids=[row[0] for row in SLOTS])
def test_slots(profile: str, why: str, given: Tree, trainer: Tree, before: int, after: int) -> None:
    assert slots(plan_of(given, trainjob(trainer), profile))[0] == (before if profile == "v2.0" else after), why


@pytest.mark.parametrize(("text", "number"), [("4", 4), ("auto", 0), ("-2", -2), ("+2", 2), ("4x", 0), ("", 0), ("1_0", 0)])
def test_slots_of_a_string(text: str, number: int) -> None:
    assert slots(plan_of(mpi(), trainjob({"numProcPerNode": text}), "v2.0"))[0] == number


def test_volumes_mounts_and_variables_in_order() -> None:
    found = edits(step("mpi"), plan_of(mpi(sshAuthMountPath="/home/mpi/.ssh"), trainjob({"numProcPerNode": 2})))
    assert [(type(edit), edit.pod_set) for edit in found if isinstance(edit, AddVolume | AddMount | SetEnv)] == [
        (AddVolume, "launcher"),
        (AddVolume, "launcher"),
        (AddMount, "launcher"),
        (AddMount, "launcher"),
        *[(SetEnv, "launcher")] * 4,
        (AddVolume, "node"),
        (AddMount, "node"),
    ]
    assert [edit.mount for edit in found if isinstance(edit, AddMount)] == [
        {"name": "mpi-ssh-auth", "mountPath": "/home/mpi/.ssh"},
        {"name": "mpi-hostfile", "mountPath": "/etc/mpi"},
        {"name": "mpi-ssh-auth", "mountPath": "/home/mpi/.ssh"},
    ]
    assert [(edit.entry["name"], edit.entry["value"]) for edit in found if isinstance(edit, SetEnv)] == [
        ("OMPI_MCA_orte_default_hostfile", "/etc/mpi/hostfile"),
        ("OMPI_MCA_orte_keep_fqdn_hostnames", "true"),
        ("OMPI_MCA_orte_set_default_slots", "2"),
        ("OMPI_MCA_plm_rsh_args", "-o ConnectionAttempts=10"),
    ]


@pytest.mark.parametrize("profile", PROFILES)
def test_modes_of_the_key_files(profile: str) -> None:
    found = edits(step("mpi"), plan_of(mpi(), trainjob({}), profile))
    secret = next(edit.volume["secret"] for edit in found if isinstance(edit, AddVolume) and edit.pod_set == "node")
    modes = profile == "v2.3"
    assert secret.get("defaultMode") == (256 if modes else None)
    assert [(item["key"], item["path"], item.get("mode")) for item in secret["items"]] == [
        ("ssh-privatekey", "id_rsa", 416 if modes else None),
        ("ssh-publickey", "id_rsa.pub", 420 if modes else None),
        ("ssh-publickey", "authorized_keys", 420 if modes else None),
    ]


def test_only_a_container_called_node_is_touched() -> None:
    given = runtime({"mpi": {}}, job("launcher", containers=[container("mpi")]), job("node", None, containers=[container("worker")]))
    assert {type(edit) for edit in edits(step("mpi"), plan_of(given, trainjob({})))} == {AddVolume}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("as_node", [False, True])
def test_environment_reaches_the_workers_as_nodes_from_2_1(profile: str, as_node: bool) -> None:
    result = compiled(mpi(as_node=as_node), trainjob({"env": [{"name": "A", "value": "1"}], "image": "other:1"}), profile)
    reaches = as_node and profile != "v2.0"
    assert env_of(result, "node") == ([("A", "1")] if reaches else [])
    assert env_of(result, "launcher")[-1] == ("A", "1")
    assert [pods_of(result, name)["containers"][0]["image"] for name in ("launcher", "node")] == ["other:1", "example/train:1"]


def test_an_unknown_implementation_fails_the_build_with_a_stable_text() -> None:
    result = compiled(mpi(mpiImplementation=""), trainjob({}))
    assert [(d.code, d.message) for d in result.diagnostics if d.is_error] == [("JSC310", "MPI implementation for <address> doesn't supported")]


def test_an_unknown_implementation_is_not_noticed_without_a_launcher() -> None:
    result = compiled(runtime({"mpi": {"mpiImplementation": ""}}, job("node", None)), trainjob({}))
    assert the(result, "ConfigMap")["data"] == {"hostfile": ""}


def test_a_missing_key_is_told() -> None:
    assert [code for code, _, _ in messages(step("mpi-objects"), plan_of(mpi(), trainjob({})))] == ["JSC320"]


@pytest.mark.parametrize("profile", PROFILES)
def test_a_host_file_beyond_all_measure_is_not_written(profile: str) -> None:
    result = compiled(mpi(), trainjob({"numNodes": 2**31 - 1}), profile)
    assert [d.code for d in result.diagnostics if d.is_error] == ["JSC314"]
