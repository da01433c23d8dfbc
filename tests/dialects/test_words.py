"""What a conversion says of inputs that differ in one point each. Read the texts below `__snapshots__`; `--snapshot-update` writes them."""

from __future__ import annotations

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import jobset_compiler as jc
from jobset_compiler.emit.yaml import to_yaml
from tests.dialects import test_ome as ome
from tests.dialects import test_preview as preview
from tests.dialects import test_spellings as spellings
from tests.dialects import test_v1 as v1
from tests.dialects.test_v1 import container, job, replicas

Tree = dict[str, Any]
PYTORCH, TF, XGBOOST, JAX, PADDLE = (container(name) for name in ("pytorch", "tensorflow", "xgboost", "jax", "paddle"))

PORTS = [{"containerPort": 80}, {"name": "a", "containerPort": 81}]


def torch_job(**spec: Any) -> Tree:
    return job("PyTorchJob", {"Worker": replicas(2, PYTORCH)}, **spec)


def says(name: str, *words: str) -> Tree:
    return container(name, args=list(words))


def marked(role: Tree, **metadata: Any) -> Tree:
    return {**role, "template": {**role["template"], "metadata": metadata}}


PET = ("NNODES", "NPROC_PER_NODE", "NODE_RANK", "MASTER_ADDR", "MASTER_PORT", "RDZV_BACKEND")
A: Tree = {"name": "A", "value": "1"}
MANY = container("pytorch", command=["a"], args=["b"], workingDir="/w", tty=True, stdin=True, env=[A], resources={"limits": {"cpu": 1}})

# name of the case: (what is asked, documents)
V1: dict[str, tuple[Tree, Tree]] = {
    "a role that the kind has not": ({}, job("PyTorchJob", {"Chief": replicas(1, PYTORCH)})),
    "a role in other capitals": ({}, job("PyTorchJob", {"wORKER": replicas(1, PYTORCH)})),
    "a role without containers": ({}, job("PyTorchJob", {"Worker": replicas(1)})),
    "a container without an image": ({}, job("PyTorchJob", {"Worker": replicas(1, PYTORCH, {"name": "side"})})),
    "no container that trains": ({}, job("PyTorchJob", {"Worker": replicas(1, container("main"))})),
    "a negative number of pods": ({}, job("PyTorchJob", {"Worker": replicas(-1, PYTORCH)})),
    "a boolean number of pods": ({}, job("PyTorchJob", {"Worker": {**replicas(None, PYTORCH), "replicas": True}})),
    "a restart policy that nobody has": ({}, job("PyTorchJob", {"Worker": replicas(1, PYTORCH, restart="Sometimes")})),
    "a restart policy of v1 in v2beta1": ({}, job("MPIJob", {"Launcher": replicas(1, container("m"), restart="Always")}, version="kubeflow.org/v2beta1")),
    "two masters": ({}, job("PyTorchJob", {"Master": replicas(2, PYTORCH)})),
    "no worker": ({}, job("PyTorchJob", {"Worker": replicas(0, PYTORCH)})),
    "processes said twice": ({}, torch_job(elasticPolicy={"nProcPerNode": 2}, nprocPerNode="2")),
    "a deadline of nothing": ({}, torch_job(runPolicy={"activeDeadlineSeconds": 0})),
    "a deadline": ({}, torch_job(runPolicy={"activeDeadlineSeconds": 60})),
    "a manager that nobody knows": ({}, torch_job(runPolicy={"managedBy": "acme.io/x"})),
    "a name with capitals": ({}, job("PyTorchJob", {"Worker": replicas(1, PYTORCH)}, name="Job")),
    "a restart policy in the pod": ({}, job("PyTorchJob", {"Worker": replicas(1, PYTORCH, restart="Never", restartPolicy="Always")})),
    "always restarted": ({}, job("PyTorchJob", {"Worker": replicas(1, PYTORCH, restart="Always")})),
    "restarted by exit code": ({}, job("PyTorchJob", {"Worker": replicas(1, PYTORCH, restart="ExitCode")})),
    "an unnamed port": ({}, job("PyTorchJob", {"Worker": replicas(1, container("pytorch", ports=PORTS))})),
    "backoff for ever": ({"keep_backoff": True}, torch_job()),
    "backoff for ever, policy given": ({"keep_backoff": True}, torch_job(runPolicy={"suspend": True})),
    "pods cleaned up": ({}, torch_job(runPolicy={"cleanPodPolicy": "All", "backoffLimit": 1})),
    "a gang with a queue by coscheduling": (
        {"gang": "coscheduling"},
        torch_job(runPolicy={"schedulingPolicy": {"queue": "q", "minAvailable": 2, "scheduleTimeoutSeconds": 9}}),
    ),
    "a gang by Volcano with a timeout": (
        {"gang": "volcano"},
        torch_job(runPolicy={"schedulingPolicy": {"scheduleTimeoutSeconds": 9, "minAvailable": 1, "minResources": {"cpu": 1}}}),
    ),
    "a gang of nobody": ({}, torch_job(runPolicy={"schedulingPolicy": {"queue": "q", "minAvailable": 1}})),
    "a runtime that says its restart policy": (
        {"runtime": "TrainingRuntime/mine"},
        job("PyTorchJob", {"Worker": replicas(1, PYTORCH, restart="Never")}, runPolicy={"backoffLimit": 2}),
    ),
    "a runtime that cannot hold it": (
        {"runtime": "mine"},
        job("PyTorchJob", {"Worker": replicas(1, container("pytorch", livenessProbe={}, tty=True), container("side"), dnsPolicy="None")}),
    ),
    "a runtime for two kinds of pods": ({"runtime": "mine"}, job("TFJob", {"Chief": replicas(1, TF), "Worker": replicas(2, TF)})),
    "a runtime for an MPIJob": ({"runtime": "mine"}, job("MPIJob", {"Launcher": replicas(1, container("m")), "Worker": replicas(1, container("m"))})),
    "etcd without an address": ({}, torch_job(elasticPolicy={"rdzvBackend": "etcd-v2", "metrics": [{"type": "Resource"}]})),
    "processes of gpus that are not there": ({}, torch_job(nprocPerNode="gpu")),
    "processes of cpus that are not there": ({}, torch_job(nprocPerNode="cpu")),
    "processes of cpus that nobody can read": (
        {},
        job("PyTorchJob", {"Worker": replicas(1, container("pytorch", resources={"limits": {"cpu": "many"}}))}, nprocPerNode="cpu"),
    ),
    "parts of old names": (
        {"use": "worker"},
        job("PyTorchJob", {"Master": replicas(1, PYTORCH), "Worker": replicas(1, says("pytorch", "job-worker-", "job-master", "job-ps-0", "xjob-worker-0"))}),
    ),
    "parts of old names without a master": ({}, job("PyTorchJob", {"Worker": replicas(1, says("pytorch", "job-worker-"))})),
    "parts of old names of a TFJob": (
        {},
        job("TFJob", {"PS": replicas(1, TF), "Worker": replicas(1, says("tensorflow", "job-worker-$(I)", "job-ps-0"))}),
    ),
    "parts of old names of an MPIJob": (
        {},
        job("MPIJob", {"Launcher": replicas(1, says("m", "job-launcher", "job-worker-1")), "Worker": replicas(2, container("m"))}),
    ),
    "servers that decide": ({"keep_success_policy": True}, job("PaddleJob", {"Master": replicas(1, PADDLE), "Worker": replicas(2, PADDLE)})),
    "an elastic PaddleJob": ({}, job("PaddleJob", {"Worker": replicas(2, PADDLE)}, elasticPolicy={})),
    "workers that come and go": ({}, job("TFJob", {"Worker": replicas(2, TF)}, enableDynamicWorker=True)),
    "variables that the controller sets": (
        {},
        job("PyTorchJob", {"Worker": replicas(2, container("pytorch", env=[{"name": f"PET_{name}", "value": "1"} for name in PET]))}),
    ),
    "no TF_CONFIG": ({"v1_env": False}, job("TFJob", {"Worker": replicas(2, TF)})),
    "XGBoost by the runtime": ({"native": True}, job("XGBoostJob", {"Master": replicas(1, XGBOOST), "Worker": replicas(1, XGBOOST)})),
    "roles with other annotations": (
        {},
        job("PyTorchJob", {"Master": marked(replicas(1, PYTORCH), annotations={"a": "b"}), "Worker": marked(replicas(1, PYTORCH), annotations={"a": "c"})}),
    ),
    "roles with other labels": ({}, job("PyTorchJob", {"Master": marked(replicas(1, PYTORCH), labels={"a": "b"}), "Worker": replicas(1, PYTORCH)})),
    "roles that differ in more than is shown": ({}, job("PyTorchJob", {"Master": replicas(1, PYTORCH), "Worker": replicas(1, MANY, dnsPolicy="None")})),
    "roles that differ, and the worker is taken": ({"use": "worker"}, job("PyTorchJob", {"Master": replicas(1, PYTORCH), "Worker": replicas(1, MANY)})),
    "roles of which one says what is empty": (
        {},
        job("PyTorchJob", {"Master": replicas(1, PYTORCH), "Worker": replicas(1, container("pytorch", env=[], resources={"limits": {}}), hostname="")}),
    ),
    "roles of which one says nought": (
        {},
        job("PyTorchJob", {"Master": replicas(1, PYTORCH), "Worker": replicas(1, PYTORCH, terminationGracePeriodSeconds=0)}),
    ),
    "roles with lists of other lengths": (
        {},
        job("PyTorchJob", {"Master": replicas(1, container("pytorch", env=[A])), "Worker": replicas(1, container("pytorch", env=[A, A]))}),
    ),
    "roles with other restart policies": (
        {"use": "master"},
        job("PyTorchJob", {"Master": replicas(1, PYTORCH, restart="Never"), "Worker": replicas(1, PYTORCH, restart="OnFailure")}),
    ),
    "pods that are kept": ({}, torch_job(runPolicy={"cleanPodPolicy": "None"}, cleanPodPolicy="None")),
    "servers that decide, and nothing is kept": ({}, job("PaddleJob", {"Master": replicas(1, PADDLE), "Worker": replicas(2, PADDLE)})),
    "processes of gpus": (
        {},
        job("PyTorchJob", {"Worker": replicas(1, container("pytorch", resources={"limits": {"nvidia.com/gpu": 2}}))}, nprocPerNode="gpu"),
    ),
    "one XGBoost pod": ({}, job("XGBoostJob", {"Master": replicas(1, XGBOOST)})),
}


@pytest.mark.parametrize("name", V1)
def test_v1(name: str, snapshot: SnapshotAssertion) -> None:
    wishes, tree = V1[name]
    assert written(jc.migrate(to_yaml((tree,)), wishes=jc.Wishes(**wishes))) == snapshot


@pytest.mark.parametrize("name", v1.REFUSED)
def test_v1_refused(name: str, snapshot: SnapshotAssertion) -> None:
    assert written(jc.migrate(to_yaml((v1.REFUSED[name][0],)))) == snapshot


def written(migration: jc.Migration) -> str:
    """What is said, and what is written."""
    said = []
    for found in migration.diagnostics:
        said += [f"{found.code} {found.severity} {found.path}: {found.message}", *([f"    {found.hint}"] if found.hint else [])]
        said += [f"    {note.message}" for note in found.notes]
    return "\n".join([*said, migration.text if migration.changed else "(nothing is changed)"])


ELASTIC = {"numNodes": 3, "torch": {"elasticPolicy": {"minNodes": 2, "maxNodes": 4, "maxRestarts": 3, "metrics": [{}]}}}
DATA = {"storageUri": "pvc://data/train"}
INIT: Tree = {"name": "dataset-initializer", "image": "i:1", "volumeMounts": [{"name": "initializer", "mountPath": "/workspace"}]}


def initializer(name: str = "dataset-initializer", **pod: Any) -> Tree:
    more = {"containers": [{**INIT, "name": name}], "volumes": [{"name": "initializer", "emptyDir": {}}], **pod}
    return {"name": name, "template": {"spec": {"template": {"spec": more}}}}


TWO_CONTAINERS: Tree = {"name": "worker", "template": {"spec": {"template": {"spec": {"containers": [container("a"), container("b")]}}}}}


def parallel(count: int) -> Tree:
    tree = ome.job()
    tree["template"]["spec"]["parallelism"] = count
    return tree


def beside(metadata: Tree) -> Tree:
    """A gang with a queue, in a runtime whose JobSet has metadata."""
    tree = ome.runtime(podGroupPolicy={"volcano": {"minMember": 4, "queue": "q"}})
    tree["spec"]["template"]["metadata"] = metadata
    return tree


OME: dict[str, tuple[Tree, ...]] = {
    "numNodes beyond the range": (ome.runtime(mlPolicy={**ELASTIC, "numNodes": 9}),),
    "numNodes within the range": (ome.runtime(mlPolicy=ELASTIC),),
    "an elastic runtime with variables and a port of its own": (
        ome.runtime(
            ome.job(env=[{"name": "PET_RDZV_ID", "value": "x"}], ports=[{"name": "a", "containerPort": 1}], resources={"limits": {"cpu": "2500m"}}),
            mlPolicy=ELASTIC,
            jobset={"failurePolicy": {"maxRestarts": 1}},
        ),
    ),
    "an elastic runtime with the port": (ome.runtime(ome.job(ports=[{"containerPort": 29500}]), mlPolicy=ELASTIC, jobset={"failurePolicy": {"rules": []}}),),
    "a TrainJob over an elastic runtime": (
        ome.runtime(mlPolicy=ELASTIC),
        ome.trainingjob(trainer={"numProcPerNode": "4", "env": [{"name": "A", "value": "1"}]}),
        ome.trainingjob("b", trainer={"resourcesPerNode": {"limits": {"nvidia.com/gpu": 2}}}),
        ome.trainingjob("c", trainer={"resourcesPerNode": {"limits": {"cpu": 3}}}),
        ome.trainingjob("d", trainer={"numProcPerNode": "auto"}),
    ),
    "an empty gang": (ome.runtime(podGroupPolicy={}),),
    "a gang of fewer": (ome.runtime(ome.job(), ome.job("other"), podGroupPolicy={"volcano": {"minMember": 2, "networkTopology": {}}}),),
    "a gang of all": (ome.runtime(podGroupPolicy={"volcano": {"minMember": 4, "queue": "q"}}),),
    "a gang of all, beside metadata": (beside({"labels": {"a": "b"}, "annotations": {"c": "d"}}),),
    "a gang of all, beside labels": (beside({"labels": {"a": "b"}}),),
    "as many nodes as the template has": (ome.runtime(parallel(3), mlPolicy={"torch": {}}),),
    "no policy, but a template": (ome.runtime(parallel(3), mlPolicy=None),),
    "another number than the template": (ome.runtime(parallel(3)),),
    "the number of the template": (ome.runtime(parallel(4)),),
    "processes as a number": (ome.runtime(mlPolicy={"numNodes": 1, "torch": {"numProcPerNode": 2}}),),
    "no process": (ome.runtime(mlPolicy={"numNodes": 1, "torch": {"numProcPerNode": "0"}}),),
    "an MPI that nobody has": (ome.runtime(ome.job("launcher"), ome.job(), mlPolicy={"numNodes": 1, "mpi": {"mpiImplementation": "LAM"}}),),
    "MPI without a launcher": (ome.runtime(mlPolicy={"numNodes": 1, "mpi": {}}),),
    "MPI with a launcher that does not wait": (ome.runtime(ome.job("launcher"), ome.job(), mlPolicy={"numNodes": 1, "mpi": {}}),),
    "words that no shell expands": (ome.runtime(ome.job(command=["torchrun"], args=["--lr=$LR", "--nnodes", "2", "--nproc-per-node"])),),
    "words that a shell expands": (ome.runtime(ome.job(command=["/bin/sh", "-c"], args=["torchrun --lr=${LR}"])),),
    "MPI with a launcher that waits": (
        ome.runtime({**ome.job("launcher"), "dependsOn": [{"name": "worker", "status": "Ready"}]}, ome.job(), mlPolicy={"numNodes": 1, "mpi": {}}),
    ),
    "the only job that can train": (ome.runtime(initializer(), ome.job("fit", "main")),),
    "a job with the label": (
        ome.runtime({**ome.job("fit"), "template": {**ome.job("fit")["template"], "metadata": {"labels": {preview.LABEL: "trainer"}}}}, ome.job("other")),
    ),
    "no job": ({**ome.runtime(), "spec": {"template": {"spec": {}}}},),
    "two containers": (ome.runtime(TWO_CONTAINERS),),
    "fields that nothing rendered": (ome.runtime(labels={"a": "b"}, annotations={"a": "b"}, compartmentID="c"),),
    "an initializer in order": (
        ome.runtime(
            initializer("initializer", initContainers=[INIT], containers=[container("busybox")]),
            ome.job(),
            jobset={"startupPolicy": {"startupPolicyOrder": "InOrder"}},
        ),
    ),
    "a side container, and initialisers that wait": (
        ome.runtime(
            initializer("model-initializer"),
            {**initializer(), "dependsOn": [{"name": "model-initializer", "status": "Complete"}]},
            {"name": "worker", "template": {"spec": {"template": {"spec": {"containers": [container("side"), container("trainer")]}}}}},
        ),
        ome.trainingjob(datasets={**DATA, "storageKey": "s3"}, modelConfig={"inputModel": "llama", "outputModel": {"storageUri": "pvc://m", "path": "/p"}}),
    ),
    "a reference with its group": (ome.runtime(), ome.trainingjob(runtimeRef={"name": "rt", "kind": "TrainingRuntime", "apiGroup": "ome.io"})),
    "tuning, and fields that nothing rendered": (
        ome.trainingjob(hyperParameterTuningConfig={"method": "grid", "metric": {"goal": "most"}}, compartmentID="c", datasets={**DATA, "schemaPath": "/s"}),
    ),
    "a form that only a page had": (ome.trainingjob(runtimeRef=None, runtime="x"),),
}


@pytest.mark.parametrize("name", OME)
def test_ome(name: str, snapshot: SnapshotAssertion) -> None:
    assert written(jc.migrate(to_yaml(OME[name]))) == snapshot


@pytest.mark.parametrize("name", ome.REFUSED)
def test_ome_refused(name: str, snapshot: SnapshotAssertion) -> None:
    assert written(jc.migrate(to_yaml(ome.REFUSED[name][0]))) == snapshot


SPELT: dict[str, tuple[Tree, ...]] = {
    "cpu without cpus": (spellings.trainjob(trainer={"numProcPerNode": "cpu"}),),
    "cpu with half a one": (spellings.trainjob(trainer={"numProcPerNode": "cpu", "resourcesPerNode": {"requests": {"cpu": "500m"}, "limits": {"cpu": 9}}}),),
    "cpu that nobody can read": (spellings.trainjob(trainer={"numProcPerNode": "cpu", "resourcesPerNode": {"limits": {"cpu": "x"}}}),),
    "gpu without gpus": (spellings.trainjob(trainer={"numProcPerNode": "gpu"}),),
    "gpu with gpus": (spellings.trainjob(trainer={"numProcPerNode": "gpu", "resourcesPerNode": {"requests": {"nvidia.com/gpu": 1}}}),),
    "a word that nobody has": (spellings.trainjob(trainer={"numProcPerNode": "many"}),),
    "the group of the preview": (spellings.trainjob(runtimeRef={"name": "torch-distributed", "apiGroup": "kubeflow.org"}),),
    "a runtime with a number": (spellings.runtime({"numProcPerNode": 4, "elasticPolicy": {"minNodes": 1, "metrics": [{}]}}), spellings.trainjob()),
    "a runtime with a number, and a TrainJob that says nothing of its own": (spellings.runtime({"numProcPerNode": 4}), spellings.trainjob(trainer=None)),
    "a runtime with a number that nobody uses": (spellings.runtime({"numProcPerNode": "4"}),),
    "a runtime with gpu": (spellings.runtime({"numProcPerNode": "gpu"}),),
    "a runtime with cpu": (spellings.runtime({"numProcPerNode": "cpu"}),),
    "a runtime with a word that nobody has": (spellings.runtime({"numProcPerNode": "many"}),),
}


def with_gpus(tree: Tree) -> Tree:
    tree["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"][0]["resources"] = {
        "limits": {"nvidia.com/gpu": 2}
    }
    return tree


SPELT["a runtime with cpu beside gpus"] = (with_gpus(spellings.runtime({"numProcPerNode": "cpu"})),)
SPELT["a runtime with gpu and gpus"] = (with_gpus(spellings.runtime({"numProcPerNode": "gpu"})),)


@pytest.mark.parametrize("name", SPELT)
def test_spellings(name: str, snapshot: SnapshotAssertion) -> None:
    assert written(jc.migrate(to_yaml(SPELT[name]))) == snapshot


def mounted(*volumes: str, mounts: tuple[tuple[str, str], ...] = (("data", "/workspace/data"),), name: str = "dataset-initializer") -> Tree:
    tree = spellings.runtime({})
    first = {**INIT, "name": name, "volumeMounts": [{"name": volume, "mountPath": path} for volume, path in mounts]}
    other = {**INIT, "name": "fetch", "volumeMounts": [{"name": "data", "mountPath": "/x"}, {"name": "o", "mountPath": "/o"}]}
    pod = {"initContainers": [other], "containers": [first, container("side")], "volumes": [{"name": each, "emptyDir": {}} for each in volumes]}
    tree["spec"]["template"]["spec"]["replicatedJobs"].insert(0, {"name": name, "template": {"spec": {"template": {"spec": pod}}}})
    return tree


MOUNTED = {
    "one volume below the workspace": mounted("o", "data"),
    "one volume elsewhere": mounted("data", mounts=(("data", "/data"),)),
    "two volumes below the workspace": mounted("a", "b", mounts=(("a", "/workspace/a"), ("b", "/workspace/b"))),
    "the name is taken by a volume": mounted("data", "initializer"),
    "the name is taken by a mount": mounted("data", mounts=(("data", "/workspace"), ("initializer", "/i"))),
    "a volume of somebody else": mounted("o"),
    "a job that is no initialiser": mounted("data", name="loader"),
}


@pytest.mark.parametrize("name", MOUNTED)
def test_the_volume_of_the_initialisers(name: str, snapshot: SnapshotAssertion) -> None:
    assert written(jc.migrate(to_yaml((MOUNTED[name],)))) == snapshot
    assert "called data before" not in jc.migrate(to_yaml((MOUNTED[name],)), trainer_version="v2.2").text


def both_initializers() -> Tree:
    tree = preview.runtime("node", "node")
    jobs = tree["spec"]["template"]["spec"]["replicatedJobs"]
    jobs.insert(0, initializer("initializer", initContainers=[INIT], containers=[container("busybox")]))
    return tree


def twice(tree: Tree) -> Tree:
    jobs = tree["spec"]["template"]["spec"]["replicatedJobs"]
    jobs += jobs
    return tree


PREVIEW: dict[str, tuple[Tree, ...]] = {
    "a variable given twice": (preview.runtime(), preview.trainjob(trainer={"env": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]}),),
    "a variable with a source": (
        preview.runtime(),
        preview.trainjob(trainer={"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}]}),
    ),
    "a word that nobody has": (preview.runtime(), preview.trainjob(trainer={"numProcPerNode": "many"}),),
    "an old host": (
        preview.runtime(),
        preview.trainjob(trainer={"command": ["x", "job-trainer-node-0-1"], "env": [{"name": "A", "value": "job-trainer-node-0-0"}]}),
    ),
    "the words of both": (preview.runtime(labels={preview.LABEL: "trainer"}),),
    "an initialiser of the preview in a job of today": (both_initializers(),),
    "a container of the preview in a job of today": (preview.runtime("node"),),
    "two jobs that train": (twice(preview.runtime()),),
    "today's words": (preview.trainjob(trainer={"env": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]}),),
    "nodes that nobody counts": (preview.runtime(mlPolicy={"torch": {}}), preview.trainjob(trainer={"image": "a:1"})),
    "an output, and no input": (preview.trainjob(modelConfig={"output": {"storageUri": "hf://m"}}),),
    "an output, an input and data": (
        preview.trainjob(modelConfig={"output": {"storageUri": "hf://m"}, "input": {"storageUri": "hf://i"}}, datasetConfig={"storageUri": "hf://d"}),
    ),
    "overrides that act now": (
        preview.trainjob(
            podSpecOverrides=[
                {"targetJobs": [{"name": "trainer-node"}, {"name": "initializer"}, {"name": "x"}], "nodeSelector": {"a": "b"}},
                {"containers": [{"name": "trainer", "volumeMounts": []}, {"name": "other"}]},
                {"containers": [{"name": "trainer", "command": ["x"], "envFrom": []}]},
            ]
        ),
    ),
}


@pytest.mark.parametrize("name", PREVIEW)
def test_preview(name: str, snapshot: SnapshotAssertion) -> None:
    assert written(jc.migrate(to_yaml(PREVIEW[name]))) == snapshot


RESPELT = {
    "preview runtime": preview.runtime(),
    "preview TrainJob": preview.trainjob(trainer={"env": [{"name": "A", "value": "1"}]}),
    "OME runtime": ome.runtime(),
    "OME job": ome.trainingjob(),
    "runtime of another release": SPELT["a runtime with gpu and gpus"][0],
    "TrainJob of another release": SPELT["the group of the preview"][0],
}


@pytest.mark.parametrize("name", RESPELT)
def test_blank_lines_stay_where_a_document_is_respelt(name: str) -> None:
    text = to_yaml((RESPELT[name],)).replace("\nmetadata:", "\n\nmetadata:").replace("\nspec:", "\n\n# About it.\n\nspec:")
    migration = jc.migrate(text)
    assert migration.changed
    assert "\n\nmetadata:" in migration.text and "\n\n# About it.\n\nspec:" in migration.text
