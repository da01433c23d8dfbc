"""What extensions say, whole: of clusters that are none, of starters that are told otherwise, of host files without hosts.

Read the text below `__snapshots__` beside the id; `--snapshot-update` writes it.
"""

from __future__ import annotations

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from jobset_compiler.extensions import NAMES
from tests.extensions.test_mpi_hydra import mpi
from tests.extensions.test_tensorflow import INDEX, tensorflow
from tests.findings.said import text_of
from tests.passes.plans import compiled, container, job, trainjob

Tree = dict[str, Any]
TWO = trainjob({"numNodes": 2})
OWN: list[Tree] = [{"name": "TF_CONFIG", "value": "{}"}]
IMAGE = "mpioperator/intel:1"
OTHER_FIRST = mpi()
OTHER_FIRST["spec"]["template"]["spec"]["replicatedJobs"].insert(0, job("other", None))
# claim, runtime, TrainJob
CASES: list[tuple[str, Tree, Tree]] = [
    ("tensorflow", tensorflow(), TWO),
    ("tensorflow beside a policy", tensorflow(policy={"torch": {}}), TWO),
    ("two that are workers", tensorflow(job("a"), job(), job("b")), TWO),
    ("chief and master", tensorflow(job(), job("chief", None), job("master", None)), TWO),
    ("replicas of a role, and of a job that has none", tensorflow(job(), {**job("ps", None), "replicas": 2}, {**job("other", None), "replicas": 3}), TWO),
    ("containers of other roles", tensorflow(job(), job("ps", None, containers=[container("a"), container("b")])), TWO),
    (
        "containers of two roles, and replicas of a third",
        tensorflow(
            job(),
            *(job(name, None, containers=[container("a"), container("b")]) for name in ("ps", "evaluator")),
            {**job("chief", None), "replicas": 2},
        ),
        TWO,
    ),
    ("Intel MPI beside another job", OTHER_FIRST, TWO),
    ("a worker without its container", tensorflow(job(containers=[container("a")]), job("ps", None, containers=[container("tensorflow")])), TWO),
    ("no host names", tensorflow(job(), job("ps", None), network={"enableDNSHostnames": False}), TWO),
    ("servers, and who decides", tensorflow(job("trainer"), job("ps", None)), TWO),
    ("servers beside a chief", tensorflow(job(), job("ps", None), job("chief", None)), TWO),
    ("servers, and a policy", tensorflow(job(), job("ps", None), successPolicy={"operator": "Any"}), TWO),
    ("the network of the host, two tasks", tensorflow(job(hostNetwork=True), job("ps", None)), TWO),
    ("the network of the host, one task", tensorflow(job(), job("ps", None, hostNetwork=True)), TWO),
    ("a cluster of the runtime's own", tensorflow(job(), job("ps", None, containers=[container("side"), container(env=OWN)])), TWO),
    ("a cluster of the TrainJob's own", tensorflow(), trainjob({"numNodes": 2, "env": [{"name": "A", "value": "x"}, *OWN]})),
    ("a variable of that name", tensorflow(), trainjob({"numNodes": 2, "env": [{"name": "TF_TASK_INDEX", "value": "0"}]})),
    ("a variable of that name, with that value", tensorflow(), trainjob({"numNodes": 2, "env": [{"name": "TF_TASK_INDEX", "valueFrom": INDEX}]})),
    ("too many tasks", tensorflow(), trainjob({"numNodes": 6000})),
    ("Intel MPI", mpi(), TWO),
    ("Intel MPI with a namespace that nobody knows", mpi(network={"subdomain": "train"}), trainjob({"numNodes": 2}, metadata={"namespace": ""})),
    ("Intel MPI without slots", mpi(), trainjob({"numNodes": 2, "numProcPerNode": 0})),
    ("MPICH without nodes", mpi("MPICH"), trainjob({"numNodes": 0})),
    *(
        (f"{what} of the {whose}", given, asked)
        for what, words in (
            ("an entrypoint that does not run, and options", {"image": IMAGE, "command": ["mpirun", "-hosts", "x", "-n", "2", "-grr", "1", "./a", "-f", "y"]}),
            ("options behind a starter in command", {"image": "i", "command": ["mpiexec"], "args": ["--machinefile", "x", "./a"]}),
            ("words of a shell", {"image": "i", "command": ["sh", "-c"], "args": ["cd /a && /usr/bin/mpirun -np 2 -machine x ./a"]}),
            ("options of another program", {"image": IMAGE, "args": ["-f", "x", "-ppn", "1"]}),
        )
        for whose, given, asked in (
            ("runtime", mpi(launcher=words), TWO),
            ("TrainJob", mpi(), trainjob({"numNodes": 2, **words})),
        )
    ),
]


@pytest.mark.parametrize(("given", "asked"), [pytest.param(given, asked, id=claim) for claim, given, asked in CASES])
def test_said(given: Tree, asked: Tree, snapshot: SnapshotAssertion) -> None:
    assert text_of(compiled(given, asked, extensions=NAMES).diagnostics) == snapshot
