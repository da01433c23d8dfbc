"""mpi-hydra and open-mpi-5: host file, environment and search domains, table by table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler.extensions import NAMES
from tests.passes.plans import compiled, container, env_of, job, pods_of, runtime, the, trainjob

Tree = dict[str, Any]
RELEASES = ("v2.0", "v2.1", "v2.2", "v2.3", "next")
INTEL = (
    ("I_MPI_HYDRA_HOST_FILE", "/etc/mpi/hostfile"),
    ("I_MPI_HYDRA_BOOTSTRAP", "ssh"),
    ("I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS", "-o ConnectionAttempts=10"),
    ("I_MPI_PERHOST", "2"),
    ("K_MPI_JOB_ROLE", "launcher"),
)
MPICH = (
    ("HYDRA_HOST_FILE", "/etc/mpi/hostfile"),
    ("HYDRA_LAUNCHER", "ssh"),
    ("HYDRA_LAUNCHER_EXTRA_ARGS", "-o ConnectionAttempts=10"),
    ("K_MPI_JOB_ROLE", "launcher"),
)
OPEN_MPI = (
    ("OMPI_MCA_orte_default_hostfile", "/etc/mpi/hostfile"),
    ("OMPI_MCA_orte_keep_fqdn_hostnames", "true"),
    ("OMPI_MCA_orte_set_default_slots", "2"),
    ("OMPI_MCA_plm_rsh_args", "-o ConnectionAttempts=10"),
)


def mpi(implementation: str = "Intel", *, as_node: bool = False, launcher: Tree | None = None, node: Tree | None = None, **spec: Any) -> Tree:
    policy = {"numNodes": 1, "mpi": {"mpiImplementation": implementation, "numProcPerNode": 2, "runLauncherAsNode": as_node}}
    return runtime(policy, job("node", None, containers=[container(**(node or {}))]), job(containers=[container(**(launcher or {}))], name="launcher"), **spec)


def hydra(given: Tree, asked: Tree, release: str = "v2.3", **options: Any) -> jc.Compilation:
    return compiled(given, asked, release, extensions=("mpi-hydra",), **options)


def hostfile(result: jc.Compilation) -> str:
    text: str = the(result, "ConfigMap")["data"]["hostfile"]
    return text


def searches(result: jc.Compilation, name: str) -> list[str]:
    found: list[str] = pods_of(result, name).get("dnsConfig", {}).get("searches", [])
    return found


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize(
    ("implementation", "as_node", "nodes", "lines", "variables", "searching"),
    [
        ("OpenMPI", False, 2, "job-node-0-0.job slots=2\njob-node-0-1.job slots=2\n", OPEN_MPI, ()),
        ("Intel", False, 2, "job-node-0-0.job:2\njob-node-0-1.job:2\n", INTEL, ("node",)),
        ("MPICH", True, 3, "job-node-0-0.job:2\njob-node-0-1.job:2\njob-launcher-0-0.job:2\n", MPICH, ("node", "launcher")),
    ],
)
def test_host_file_environment_and_search_domains(
    release: str, implementation: str, as_node: bool, nodes: int, lines: str, variables: tuple[tuple[str, str], ...], searching: tuple[str, ...]
) -> None:
    result = hydra(mpi(implementation, as_node=as_node), trainjob({"numNodes": nodes}), release)
    assert result.ok, result.diagnostics
    assert hostfile(result) == lines
    assert tuple(env_of(result, "launcher")) == variables
    assert env_of(result, "node") == ([("K_MPI_JOB_ROLE", "worker")] if searching else [])
    assert {name: searches(result, name) for name in ("node", "launcher")} == {
        name: ["job.ns.svc.cluster.local"] if name in searching else [] for name in ("node", "launcher")
    }
    codes = [diagnostic.code for diagnostic in result.diagnostics]
    assert codes.count("JSC650") == codes.count("JSC651") == (0 if implementation == "OpenMPI" else 1)
    assert "JSC827" not in codes or implementation == "OpenMPI"


@pytest.mark.parametrize("release", RELEASES)
def test_without_the_extension_nothing_is_admitted(release: str) -> None:
    result = compiled(mpi(), trainjob({}), release)
    errors = [(diagnostic.code, diagnostic.path) for diagnostic in result.diagnostics if diagnostic.is_error]
    assert errors == [("JSC106", "spec.mlPolicy.mpi.mpiImplementation")]


def test_the_extension_admits_two_values_and_not_any() -> None:
    (error,) = [diagnostic for diagnostic in hydra(mpi("MVAPICH"), trainjob({})).diagnostics if diagnostic.code.startswith(("JSC1", "JSC65"))]
    assert (error.code, error.message) == ("JSC106", 'supported values: "OpenMPI", "", "Intel", "MPICH"')


@pytest.mark.parametrize(
    ("extensions", "hint"), [((), "--extension mpi-hydra renders MPICH, which no release does"), (("mpi-hydra",), "write MPICH: case counts")]
)
def test_small_letters_are_told_what_to_write(extensions: tuple[str, ...], hint: str) -> None:
    (error,) = [diagnostic for diagnostic in compiled(mpi("mpich"), trainjob({}), extensions=extensions).diagnostics if diagnostic.is_error]
    assert error.hint == hint


def test_an_empty_implementation_is_what_it_was() -> None:
    (error,) = [diagnostic for diagnostic in hydra(mpi(""), trainjob({})).diagnostics if diagnostic.is_error]
    assert error.code == "JSC310"


def test_variables_of_the_runtime_are_replaced_in_place_and_a_role_is_kept() -> None:
    env = [{"name": "I_MPI_PERHOST", "value": "9"}, {"name": "A", "value": "a"}, {"name": "K_MPI_JOB_ROLE", "value": "mine"}]
    result = hydra(mpi(launcher={"env": env}), trainjob({"env": [{"name": "B", "value": "b"}]}))
    names = [name for name, _ in env_of(result, "launcher")]
    assert names == ["I_MPI_PERHOST", "A", "K_MPI_JOB_ROLE", *(name for name, _ in INTEL[:3]), "B"]
    values = dict(env_of(result, "launcher"))
    assert (values["I_MPI_PERHOST"], values["K_MPI_JOB_ROLE"]) == ("2", "mine")


@pytest.mark.parametrize("where", ["runtime", "trainjob"])
def test_an_interface_takes_the_place_of_the_search_domain(where: str) -> None:
    chosen = [{"name": "HYDRA_IFACE", "value": "eth0"}]
    given = mpi("MPICH", launcher={"env": chosen} if where == "runtime" else {})
    result = hydra(given, trainjob({"numNodes": 2, "env": chosen} if where == "trainjob" else {"numNodes": 2}, metadata={"namespace": ""}))
    assert result.ok, result.diagnostics
    assert not searches(result, "node")


def test_search_domains_of_the_runtime_stay_and_none_comes_twice() -> None:
    given = mpi(network={"subdomain": "train"})
    pod = given["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    pod["dnsConfig"] = {"nameservers": ["10.0.0.10"], "searches": ["example.org"]}
    result = hydra(given, trainjob({}), facts=jc.Facts(cluster_domain="cluster.example"))
    assert pods_of(result, "node")["dnsConfig"] == {"nameservers": ["10.0.0.10"], "searches": ["example.org", "train.ns.svc.cluster.example"]}
    pod["dnsConfig"] = {"searches": ["train.ns.svc.cluster.local"]}
    assert searches(hydra(given, trainjob({})), "node") == ["train.ns.svc.cluster.local"]


def test_a_search_domain_has_an_origin() -> None:
    result = hydra(mpi(), trainjob({"numNodes": 2}))
    path = "spec.replicatedJobs[name=node].template.spec.template.spec.dnsConfig.searches[0]"
    assert [(origin.by, origin.path) for origin in result.origin_of(result.objects[0], path)][:2] == [("mpi-hydra-intel", ""), ("", "metadata.namespace")]


@pytest.mark.parametrize(
    ("trainer", "expected"),
    [
        ({"command": ["mpirun"], "args": ["-hostfile", "/tmp/hosts", "./a"]}, ["-hostfile"]),
        ({"command": ["mpiexec.hydra", "-n", "4", "--perhost", "2", "./a", "-f", "x"]}, ["--perhost"]),
        ({"command": ["sh", "-c", "cd /data && mpirun -ppn 1 ./a"]}, ["-ppn"]),
        ({"command": ["/opt/start"], "args": ["-f", "x"]}, []),
        ({"command": ["mpirun", "./a", "-hosts", "x"]}, []),
        ({}, []),
    ],
)
def test_options_that_win_over_the_environment(trainer: Tree, expected: list[str]) -> None:
    told = [diagnostic for diagnostic in hydra(mpi(), trainjob(trainer)).diagnostics if diagnostic.code == "JSC657"]
    assert [diagnostic.message.split()[0] for diagnostic in told] == expected


def test_an_entrypoint_that_runs_is_not_told() -> None:
    image = "mpioperator/intel:1"
    codes = [diagnostic.code for diagnostic in hydra(mpi(), trainjob({"image": image, "args": ["mpirun", "./a"]})).diagnostics]
    assert "JSC656" not in codes
    assert "JSC656" in [diagnostic.code for diagnostic in hydra(mpi(), trainjob({"image": image, "command": ["mpirun"]})).diagnostics]


def test_open_mpi_5_adds_its_variables_and_silences_the_notice() -> None:
    given, asked = mpi("OpenMPI"), trainjob({"numNodes": 2})
    before, after = compiled(given, asked), compiled(given, asked, extensions=("open-mpi-5",))
    assert env_of(after, "launcher") == [
        *OPEN_MPI,
        ("PRTE_MCA_prte_default_hostfile", "/etc/mpi/hostfile"),
        ("PRTE_MCA_prte_keep_fqdn_hostnames", "false"),
        ("PRTE_MCA_prte_set_default_slots", "2"),
        ("PRTE_MCA_plm_ssh_args", "-o ConnectionAttempts=10"),
    ]
    assert before.objects[1:] == after.objects[1:]
    assert ["JSC827" in [diagnostic.code for diagnostic in result.diagnostics] for result in (before, after)] == [True, False]


def test_all_extensions_leave_alone_what_is_none_of_their_business() -> None:
    text = (Path(__file__).resolve().parents[2] / "examples" / "01-torch-multi-node.yaml").read_text()
    with_all, without = jc.compile_yaml(text, extensions=NAMES), jc.compile_yaml(text)
    assert (with_all.to_yaml(), with_all.diagnostics) == (without.to_yaml(), without.diagnostics)


MPIJOB = """
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: pi, namespace: team-a}
spec:
  slotsPerWorker: 1
  mpiImplementation: Intel
  mpiReplicaSpecs:
    Launcher: {template: {spec: {containers: [{name: l, image: a, args: [mpirun, ./pi]}]}}}
    Worker: {replicas: 2, template: {spec: {containers: [{name: w, image: a}]}}}
"""


def test_an_mpijob_of_intel_mpi_migrates_and_converts() -> None:
    refused = jc.migrate(MPIJOB)
    assert not refused.ok and [diagnostic.code for diagnostic in refused.diagnostics if diagnostic.is_error] == ["JSC612"]
    assert "mpiImplementation: Intel" in jc.migrate(MPIJOB, extensions=["mpi-hydra"]).text
    result = jc.compile_yaml(MPIJOB, convert=True, extensions=["mpi-hydra"])
    assert result.ok and hostfile(result) == "pi-node-0-0.pi:1\npi-node-0-1.pi:1\n"
