"""What a finding reads stands beside others that it has nothing to do with: it is said of the right one, and of each that it is true of.

Read the text below `__snapshots__` beside the id, which is a claim; `--snapshot-update` writes it.
"""

from __future__ import annotations

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.findings.said import by_release
from tests.findings.test_silent import ALL, GPUS, MPI, TORCH, Tree, launcher, workers
from tests.passes.plans import compiled, container, job, runtime, trainjob

PLAIN = trainjob({})
Case = tuple[str, Tree, Tree]


def of_jobs(*jobs: Tree) -> Tree:
    """A TrainJob with a patch for each of the replicatedJobs, as 2.2 and later spell it."""
    patches = [{"manager": f"acme.io/{number}", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": [each]}}}} for number, each in enumerate(jobs)]
    return trainjob({}, runtimePatches=patches)


def of_pod(pod: Tree, name: str = "node", **template: Any) -> Tree:
    return {"name": name, "template": {**template, "spec": {"template": {"spec": pod}}}}


def variables(*pairs: tuple[str, str]) -> list[Tree]:
    return [{"name": name, "value": value} for name, value in pairs]


ONE_TOLERATION: Tree = {"tolerations": [{"key": "a", "operator": "Exists"}]}
TWO_TOLERATIONS: Tree = {"tolerations": [{"key": "b", "operator": "Exists"}]}
SECRET = [{"secretRef": {"name": "s"}}]
PATCHES: list[Case] = [
    (
        "a job that the runtime has not, then one that it has",
        runtime(TORCH, job(**ONE_TOLERATION)),
        of_jobs(of_pod(TWO_TOLERATIONS, "ghost"), of_pod({**TWO_TOLERATIONS, "nodeSelector": {}}), of_pod({"nodeSelector": {}}, "phantom")),
    ),
    (
        "a field that nobody knows, then others",
        runtime(TORCH, job(**ONE_TOLERATION, nodeSelector={"a": "b"})),
        of_jobs(of_pod({"nonsense": 1, **TWO_TOLERATIONS, "nodeSelector": {}}, metadata={"nonsense": 2, "name": "x"})),
    ),
    (
        "words that are replaced on purpose, then a list that is not",
        runtime(TORCH, job(containers=[container(), container("side", command=["a"], args=["b"])], **ONE_TOLERATION)),
        of_jobs(of_pod({"containers": [{"name": "side", "command": ["c"], "args": ["d"]}], **TWO_TOLERATIONS})),
    ),
    (
        "several containers that nobody has, and one",
        runtime(TORCH, job(containers=[container(), container("logger")], initContainers=[container("fetch")])),
        of_jobs(of_pod({"containers": [{"name": "loger"}, {"name": "logger"}, {"name": "x"}], "initContainers": [{"name": "y"}, {"name": "fetch"}]})),
    ),
    (
        "metadata of the Job and of its pods",
        runtime(TORCH),
        of_jobs(
            {
                "name": "node",
                "template": {
                    "metadata": {"name": "a", "finalizers": ["b.io/c"], "labels": {"d": "e"}},
                    "spec": {"template": {"metadata": {"namespace": "f", "annotations": {"g": "h"}}}},
                },
            }
        ),
    ),
    (
        "sources of two volumes, and of one that the patch does not name",
        runtime(
            TORCH,
            job(volumes=[{"name": "a", "emptyDir": {}}, {"name": "b", "secret": {"secretName": "s"}}, {"name": "c", "emptyDir": {}}]),
        ),
        of_jobs(of_pod({"volumes": [{"name": "c", "emptyDir": {"medium": "Memory"}}, {"name": "a", "configMap": {"name": "m"}}]})),
    ),
]
REFERENCES: list[Case] = [
    (
        "variables of shells, of those before, of Secrets and of the cluster",
        runtime(
            {},
            job(
                containers=[
                    container("side", env=variables(("A", "$B"), ("C", "$A"), ("D", "$KUBERNETES_PORT"), ("E", "x $REDIS_SERVICE_HOST"))),
                    container("open", envFrom=SECRET, env=variables(("A", "$B $C"), ("F", "$(G)"), ("H", "$(H)"))),
                    container(env=variables(("A", "$(B)"), ("B", "$(C) $(A)"), ("C", "x"))),
                ],
                initContainers=[container("first", env=variables(("A", "$HOME"), ("B", "$(JOB_COMPLETION_INDEX)")))],
            ),
        ),
        trainjob({"env": variables(("Z", "$(C) $(NOBODY)"), ("Y", "$NOBODY"))}),
    ),
    (
        "variables that a TrainJob writes over are not read",
        runtime({}, job(containers=[container(env=variables(("A", "$(NOBODY)"), ("B", "$(NOBODY)")))])),
        trainjob({"env": variables(("A", "x"))}),
    ),
    (
        "a shell that reads the variable, and one that does not",
        runtime({}, job(containers=[container(command=["sh", "-c", "$(RUN)"], env=variables(("RUN", "cd $HOME"), ("OTHER", "$HOME")))])),
        PLAIN,
    ),
]
WORKED: list[Case] = [
    (
        "all that reaches the launcher alone",
        runtime(MPI, launcher(), workers(containers=[container("side"), container(image="i:1", env=variables(("A", "1")))])),
        trainjob({"image": "i:2", "env": variables(("A", "1"), ("B", "2"), ("C", "3")), "resourcesPerNode": GPUS}),
    ),
    (
        "the image of the workers' own container counts",
        runtime(MPI, launcher(), workers(containers=[container("side", image="i:2"), container(image="i:1")])),
        trainjob({"image": "i:1"}),
    ),
    (
        "one variable that the workers have not",
        runtime(MPI, launcher(), workers(containers=[container(env=variables(("A", "1")))])),
        trainjob({"env": variables(("A", "1"), ("B", "2"))}),
    ),
    (
        "workers with the label of trainers",
        runtime(MPI, launcher(), job(containers=[container(command=["sshd"])])),
        trainjob({"command": ["a"], "args": ["b"]}),
    ),
    ("workers with that label, and args alone", runtime(MPI, launcher(), job()), trainjob({"args": ["b"]})),
    ("workers without the container", runtime(MPI, launcher(), workers(containers=[container("a")])), trainjob({"image": "i:2"})),
    (
        "GPUs of the workers behind a launcher without any",
        runtime(MPI, launcher(), workers(containers=[container("side", resources=GPUS), container(resources=GPUS)])),
        trainjob({"numNodes": 2}),
    ),
    ("GPUs of the workers before the launcher", runtime(MPI, workers(containers=[container(resources=GPUS)]), launcher()), trainjob({"numNodes": 2})),
]
FLUX: Tree = {"flux": {"numProcPerNode": 1}}
WRAPPED: list[Case] = [
    ("flux without a trainer", runtime(FLUX, job("node", None, containers=[container(command=["a"], args=["b"])])), trainjob({"numNodes": 2})),
    (
        "flux, words of the trainer and of others",
        runtime(
            FLUX,
            job("other", None, containers=[container(command=["a"], args=["b"])]),
            job(containers=[container("side", args=["c"]), container(command=["d"], args=["e", "f g"])]),
        ),
        trainjob({"numNodes": 2}, uid=""),
    ),
    ("flux, words that the TrainJob repeats", runtime(FLUX, job(containers=[container(command=["d"])])), trainjob({"numNodes": 2, "command": ["d", "x"]})),
    *(
        (
            f"GPUs of the runtime that {name} does not count",
            runtime({name: {}}, *jobs, job("node", ancestor, containers=[container(resources=GPUS)])),
            trainjob({"numNodes": 2, "resourcesPerNode": {"limits": {"cpu": 8}, "requests": {"cpu": 8}}}),
        )
        for name, jobs, ancestor in (
            ("flux", (), "trainer"),
            ("xgboost", (), "trainer"),
            ("jax", (), "trainer"),
            ("torch", (), "trainer"),
            ("mpi", (launcher(),), None),
        )
    ),
    ("flux without a number of nodes", runtime(FLUX, job(containers=[container(args=["e"])])), PLAIN),
]


@pytest.mark.parametrize(("given", "asked"), [pytest.param(given, asked, id=claim) for claim, given, asked in PATCHES + REFERENCES + WORKED + WRAPPED])
def test_beside(given: Tree, asked: Tree, snapshot: SnapshotAssertion) -> None:
    assert by_release(lambda release: compiled(given, asked, release).diagnostics, ALL) == snapshot
