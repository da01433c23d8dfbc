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
from tests.dialects.test_v1 import container

Tree = dict[str, Any]
GPU: Tree = {"limits": {"nvidia.com/gpu": 2}}


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


def in_parallel(tree: Tree, count: Any) -> Tree:
    tree["template"]["spec"]["parallelism"] = count
    return tree


def in_class(tree: Tree, priority: str) -> Tree:
    tree["template"]["spec"]["template"]["spec"]["priorityClassName"] = priority
    return tree


ENDLESS = {"minNodes": 2, "maxNodes": 3}
OME |= {
    "a gang with a class of its pods": (
        ome.runtime(in_class(ome.job(), "low"), podGroupPolicy={"volcano": {"priorityClassName": "high", "minMember": 4}}),
    ),
    "a gang whose class is that of the pods": (ome.runtime(podGroupPolicy={"volcano": {"priorityClassName": "high", "networkTopology": {"mode": "hard"}}}),),
    "a gang of pods side by side": (
        ome.runtime(ome.job(), in_parallel(ome.job("other"), 3), ome.job("last"), mlPolicy=None, podGroupPolicy={"volcano": {"minMember": 5}}),
    ),
    "a gang of pods that nobody can count": (
        ome.runtime(ome.job(), mlPolicy={"torch": {}}, podGroupPolicy={"volcano": {"minMember": 2}}),
    ),
    "initialisers behind the trainer": (
        ome.runtime(
            {**ome.job(), "dependsOn": [{"name": "initializer", "status": "Complete"}]},
            initializer("initializer", initContainers=[{**INIT, "name": "model-initializer"}, INIT], containers=[container("busybox")]),
            jobset={"successPolicy": {"operator": "All", "targetReplicatedJobs": ["worker", "initializer"]}},
        ),
        ome.trainingjob(suspend=True, labels={"a": "b"}, annotations={"c": "d"}),
    ),
    "init containers of another job": (
        ome.runtime(initializer("setup", initContainers=[INIT], containers=[container("busybox")]), ome.job()),
        ome.trainingjob(),
    ),
    "other parts of the template": (
        {
            **ome.runtime(),
            "spec": {
                "mlPolicy": {"torch": {"elasticPolicy": None, "numProcPerNode": "gpu"}},
                "template": {"metadata": {"labels": {"a": "b"}, "annotations": {"c": "d"}}, "spec": {"replicatedJobs": [ome.job()], "suspend": False}},
            },
        },
    ),
    "labels of the job that trains": (
        ome.runtime({"name": "trainer-node", "template": {"metadata": {"labels": {"a": "b"}, "name": "x"}, **ome.job("x", "trainer")["template"]}}),
    ),
    "a job called node": (ome.runtime(ome.job("node", "node"), ome.job("other")),),
    "words of an elastic job": (
        ome.runtime(
            ome.job(command=["torchrun"], args=["--rdzv-backend=etcd", "--max-restarts=5", "--nnodes=2:3", "--nproc_per_node=gpu"], resources=GPU),
            mlPolicy={"torch": {"elasticPolicy": {**ENDLESS, "maxRestarts": 0}, "numProcPerNode": "gpu"}},
        ),
    ),
    "elastic with all of its nodes": (ome.runtime(mlPolicy={"numNodes": 3, "torch": {"elasticPolicy": ENDLESS}}),),
    "elastic with the least of its nodes": (ome.runtime(mlPolicy={"numNodes": 2, "torch": {"elasticPolicy": ENDLESS}}),),
    "elastic with fewer": (ome.runtime(mlPolicy={"numNodes": 1, "torch": {"elasticPolicy": ENDLESS}}),),
    "elastic with no restart below nought": (ome.runtime(mlPolicy={"torch": {"elasticPolicy": {**ENDLESS, "maxRestarts": -1}}}),),
    "elastic with a truth": (ome.runtime(mlPolicy={"torch": {"elasticPolicy": {"minNodes": True}}}),),
    "elastic with resources alone": (ome.runtime(ome.job(resources=GPU, tty=True), mlPolicy={"torch": {"elasticPolicy": ENDLESS}}),),
    "a TrainJob that says auto over an elastic runtime": (
        ome.runtime(mlPolicy={"torch": {"elasticPolicy": ENDLESS}}),
        ome.trainingjob(trainer={"numProcPerNode": "auto", "resourcesPerNode": GPU}),
    ),
    "nothing for an initialiser": (ome.runtime(initializer("model-initializer"), ome.job()), ome.trainingjob()),
    "a path that nothing rendered": (
        ome.runtime(initializer(), ome.job()),
        ome.trainingjob(
            datasets={**DATA, "path": "/p", "key": "k", "parameters": {"B": "2", "A": "9"}},
            modelConfig={"outputModel": {"storageUri": "pvc://m", "nodeSelector": {}}},
        ),
    ),
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
    "a runtime with a number, and a TrainJob with another": (spellings.runtime({"numProcPerNode": 4}), spellings.trainjob(trainer={"numProcPerNode": 2})),
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



ELSEWHERE = {"kind": "TrainingRuntime", "name": "mine"}


def overrides(*elements: Tree, **spec: Any) -> tuple[Tree]:
    return (spellings.trainjob(runtimeRef=ELSEWHERE, podTemplateOverrides=list(elements), **spec),)


def aimed(*jobs: str, **more: Any) -> Tree:
    return {"targetJobs": [{"name": name} for name in jobs], **more}


POD = {"nodeSelector": {"a": "b"}}
SPELT |= {
    "labels and overrides": overrides(aimed("node", spec=POD), aimed("launcher", metadata={"name": "x", "labels": {"a": "b"}}), labels={"c": "d"}),
    "overrides of the same job": overrides(aimed("node", spec=POD), aimed("node", "launcher", spec=POD), aimed("launcher"), aimed("node", spec={})),
    "an override of two jobs": overrides(aimed("node", "launcher", metadata={"name": "x", "annotations": {"a": "b"}}, spec=POD)),
    "names that are taken": overrides(
        aimed("node", spec=POD),
        aimed("node", spec=POD),
        annotations={"a": "b"},
        runtimePatches=[{"manager": "jobset-compiler/migrate"}, {"manager": "jobset-compiler/migrate-3"}],
    ),
    "overrides of pods": (spellings.trainjob(runtimeRef=ELSEWHERE, podSpecOverrides=[aimed("node", "launcher", nodeSelector={"a": "b"}), aimed("node")]),),
    "both spellings of overrides": overrides(aimed("node", spec=POD), podSpecOverrides=[aimed("launcher", nodeSelector={"a": "b"})]),
}


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
