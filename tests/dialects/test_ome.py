"""OME's training API of May 2025, as it was documented."""

from __future__ import annotations

from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler.emit.yaml import to_yaml

Tree = dict[str, Any]
API = "ome.io/v1beta1"
RELEASES = ("v2.1", "v2.2", "v2.3")


def job(name: str = "worker", container: str = "pytorch", **more: Any) -> Tree:
    made = {"name": container, "image": "registry.example/torch:2", **more}
    return {"name": name, "template": {"spec": {"template": {"spec": {"containers": [made]}}}}}


def runtime(*jobs: Tree, jobset: Tree | None = None, **spec: Any) -> Tree:
    spec = {"mlPolicy": {"numNodes": 4, "torch": {"numProcPerNode": "auto"}}, **spec}
    template = {"spec": {"replicatedJobs": list(jobs) or [job()], **(jobset or {})}}
    return {"apiVersion": API, "kind": "TrainingRuntime", "metadata": {"name": "rt"}, "spec": {**spec, "template": template}}


def trainingjob(name: str = "ft-llama", **spec: Any) -> Tree:
    data = {"storageUri": "pvc://data/train"}
    spec = {"runtimeRef": {"kind": "TrainingRuntime", "name": "rt"}, "trainer": {}, "datasets": data, "modelConfig": {"inputModel": "llama"}, **spec}
    return {"apiVersion": API, "kind": "TrainingJob", "metadata": {"name": name}, "spec": spec}


def compiled(*trees: Tree, release: str = "v2.3") -> tuple[Tree, ...]:
    migration = jc.migrate(to_yaml(trees), trainer_version=release)
    assert migration.ok, migration.diagnostics
    result = jc.compile_yaml(migration.text, trainer_version=release)
    assert result.ok, result.diagnostics
    assert jc.compile_objects(trees, trainer_version=release, convert=True).objects == result.objects
    assert not jc.migrate(migration.text, trainer_version=release).changed
    return result.objects


def node(jobset: Tree) -> Tree:
    return next(entry["template"]["spec"] for entry in jobset["spec"]["replicatedJobs"] if entry["name"] == "node")


def env(jobset: Tree) -> dict[str, Any]:
    return {entry["name"]: entry.get("value") for entry in node(jobset)["template"]["spec"]["containers"][0]["env"]}


def slugs(*trees: Tree) -> list[str]:
    return [found.slug for found in jc.migrate(to_yaml(trees)).diagnostics if found.severity != "info"]


@pytest.mark.parametrize("release", RELEASES)
def test_the_basic_runtime(release: str) -> None:
    gpus = {"requests": {"nvidia.com/gpu": 4}, "limits": {"nvidia.com/gpu": 4}}
    gang = {"coscheduling": {"scheduleTimeoutSeconds": 300}}
    jobset, group = compiled(runtime(job(resources=gpus), podGroupPolicy=gang), trainingjob(trainer={"image": "registry.example/ft:1"}), release=release)
    assert node(jobset)["parallelism"] == 4
    assert node(jobset)["template"]["spec"]["containers"][0]["image"] == "registry.example/ft:1"
    assert env(jobset)["PET_NNODES"] == "4" and env(jobset)["PET_MASTER_ADDR"] == "ft-llama-node-0-0.ft-llama"
    assert (group["spec"]["minMember"], group["spec"]["minResources"]) == (4, {"nvidia.com/gpu": "16"})


@pytest.mark.parametrize(
    ("policy", "nodes", "expected"),
    [
        ({"minNodes": 2, "maxNodes": 8, "maxRestarts": 5}, None, (2, "2:8", "5")),
        ({"minNodes": 2, "maxNodes": 8}, 4, (4, "2:8", None)),
        ({"maxNodes": 3}, None, (3, "3:3", None)),
        ({"maxRestarts": 3}, None, (1, "1:1", "3")),
        ({"maxRestarts": 3}, 2, (2, "2:2", "3")),
    ],
)
def test_elastic_jobs_start_their_least_nodes(policy: Tree, nodes: int | None, expected: tuple[int, str, str | None]) -> None:
    torch = {"numProcPerNode": "gpu", "elasticPolicy": policy}
    (jobset,) = compiled(runtime(mlPolicy={"torch": torch} if nodes is None else {"numNodes": nodes, "torch": torch}), trainingjob("ft-e"))
    found = env(jobset)
    assert (node(jobset)["parallelism"], found["PET_NNODES"], found.get("PET_MAX_RESTARTS")) == expected
    assert (found["PET_RDZV_BACKEND"], found["PET_NPROC_PER_NODE"]) == ("c10d", "gpu")
    restarts = jobset["spec"].get("failurePolicy", {}).get("maxRestarts")
    assert restarts == (None if expected[2] is None else int(expected[2]))


def test_data_reaches_the_initialisers() -> None:
    mount = [{"name": "initializer", "mountPath": "/workspace"}]
    first = {"name": "dataset-initializer", "image": "i:1", "env": [{"name": "A", "value": "1"}], "volumeMounts": mount}
    pod = {"initContainers": [first], "containers": [{"name": "busybox", "image": "busybox"}], "volumes": [{"name": "initializer", "emptyDir": {}}]}
    initializer = {"name": "initializer", "template": {"spec": {"template": {"spec": pod}}}}
    data = {"storageUri": "pvc://data/train", "key": "s3", "parameters": {"B": "2", "A": "9"}}
    (jobset,) = compiled(runtime(initializer, job()), trainingjob(datasets=data))
    (found, *_) = (entry["template"]["spec"] for entry in jobset["spec"]["replicatedJobs"] if entry["name"] == "dataset-initializer")
    entries = {entry["name"]: entry for entry in found["template"]["spec"]["containers"][0]["env"]}
    assert [entries[name].get("value") for name in ("STORAGE_URI", "A", "B")] == ["pvc://data/train", "9", "2"]
    assert entries["STORAGE_KEY"]["valueFrom"] == {"secretKeyRef": {"name": "s3", "key": "key"}}


@pytest.mark.parametrize("release", RELEASES)
def test_volcano_gets_queue_and_priority(release: str) -> None:
    gang = {"volcano": {"minMember": 4, "queue": "training-queue", "priorityClassName": "high"}}
    jobset, group = compiled(runtime(podGroupPolicy=gang), trainingjob(), release=release)
    assert group["spec"]["queue"] == "training-queue" and group["spec"]["minMember"] == 4 and group["spec"]["priorityClassName"] == "high"
    assert node(jobset)["template"]["spec"]["priorityClassName"] == "high"


def test_open_mpi_is_done_when_its_launcher_is() -> None:
    mpi = {"numNodes": 4, "mpi": {"numProcPerNode": 4, "mpiImplementation": "OpenMPI"}}
    trees = runtime(job("launcher", "mpi-launcher", command=["mpirun", "train"]), job("worker", "mpi-worker"), mlPolicy=mpi), trainingjob("ft-hvd")
    jobset, *others = compiled(*trees)
    (hosts,) = (other["data"]["hostfile"] for other in others if other["kind"] == "ConfigMap")
    assert hosts.splitlines() == [f"ft-hvd-node-0-{index}.ft-hvd slots=4" for index in range(4)]
    assert jobset["spec"]["successPolicy"]["targetReplicatedJobs"] == ["launcher"]
    pods = [entry["template"]["spec"]["template"]["spec"] for entry in jobset["spec"]["replicatedJobs"]]
    assert [container["name"] for pod in pods for container in pod["containers"]] == ["node", "node"]


def test_names_in_other_parts_follow() -> None:
    more = {"successPolicy": {"operator": "All", "targetReplicatedJobs": ["worker"]}}
    last = {**job("report", "main"), "dependsOn": [{"name": "worker", "status": "Complete"}]}
    (jobset,) = compiled(runtime(job(), last, jobset=more), trainingjob())
    assert jobset["spec"]["successPolicy"]["targetReplicatedJobs"] == ["node"]
    assert jobset["spec"]["replicatedJobs"][1]["dependsOn"] == [{"name": "node", "status": "Complete"}]


@pytest.mark.parametrize(
    ("args", "warned"),
    [
        (["--nnodes=4"], False),
        (["--nnodes=2"], True),
        (["--nproc-per-node", "8"], True),
        (["--lr=$LR"], True),
        (["--lr=$(LR)"], False),
        (["--lr=${LR}"], True),
    ],
)
def test_words_that_win_over_variables(args: list[str], warned: bool) -> None:
    assert ("works-otherwise" in slugs(runtime(job(command=["torchrun"], args=args)))) is warned


def test_a_shell_expands_variables() -> None:
    assert "works-otherwise" not in slugs(runtime(job(command=["bash", "-c"], args=["train --lr=$LR"])))


# name of the case: (documents, slug of the error)
REFUSED: dict[str, tuple[tuple[Tree, ...], str]] = {
    "two jobs that may train": ((runtime(job("a"), job("b")),), "role-unclear"),
    "no range of nodes": ((runtime(mlPolicy={"torch": {"elasticPolicy": {"minNodes": 3, "maxNodes": 2}}}),), "refused-by-its-own-api"),
    "processes that nobody can count": ((runtime(mlPolicy={"numNodes": 1, "torch": {"numProcPerNode": "many"}}),), "refused-by-its-own-api"),
    "Intel MPI": ((runtime(mlPolicy={"mpi": {"mpiImplementation": "Intel"}}),), "mpi-implementation-needs-extension"),
    "torch and MPI": ((runtime(mlPolicy={"torch": {}, "mpi": {}}),), "refused-by-its-own-api"),
    "two gangs": ((runtime(podGroupPolicy={"coscheduling": {}, "volcano": {}}),), "no-equivalent"),
    "a gang of more pods than there are": ((runtime(podGroupPolicy={"volcano": {"minMember": 9}}),), "no-equivalent"),
    "a gang of more than the only pod": ((runtime(mlPolicy={"numNodes": 1}, podGroupPolicy={"volcano": {"minMember": 2}}),), "no-equivalent"),
    "a runtime of another group": ((trainingjob(runtimeRef={"name": "rt", "apiGroup": "trainer.kubeflow.org"}),), "refused-by-its-own-api"),
    "no data": ((trainingjob(datasets=None),), "refused-by-its-own-api"),
    "nothing that is required": ((trainingjob(runtimeRef={}, trainer=None, datasets={}, modelConfig=None),), "refused-by-its-own-api"),
    "a form that only a page had": ((trainingjob(runtimeRef=None, baseModel="llama"),), "no-rules-for-it"),
    "a search that nobody has": ((trainingjob(hyperParameterTuningConfig={"method": "luck"}),), "refused-by-its-own-api"),
    "a number as trainer": ((trainingjob(trainer=3),), "refused-by-its-own-api"),
    "no template": (({**runtime(), "spec": {"mlPolicy": {"numNodes": 1}}},), "refused-by-its-own-api"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_told_is_refused(name: str) -> None:
    trees, slug = REFUSED[name]
    assert slug in slugs(*trees)
