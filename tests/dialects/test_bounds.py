"""What a conversion says at the bounds: of numbers, of what is empty, of names and namespaces. Beside `test_words`."""

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
from tests.dialects.test_words import ENDLESS, INIT, POD, Tree, aimed, in_parallel, initializer, overrides, written

CPUS_AND_GPUS = {"requests": {"cpu": "1500m"}, "limits": {"nvidia.com/gpu": 2}}
OME: dict[str, tuple[Tree, ...]] = {
    "elastic with cpus beside gpus": (
        ome.runtime(ome.job(resources=CPUS_AND_GPUS), mlPolicy={"torch": {"elasticPolicy": ENDLESS, "numProcPerNode": "cpu"}}),
        ome.trainingjob(trainer={"numProcPerNode": "cpu", "resourcesPerNode": CPUS_AND_GPUS}),
    ),
    "elastic without a range": (ome.runtime(mlPolicy={"torch": {"elasticPolicy": {"maxRestarts": 1}}}),),
    "elastic with its port": (
        ome.runtime(ome.job(ports=[{"containerPort": 29500}], env=[{"name": "PET_RDZV_ID", "value": "x"}]), mlPolicy={"torch": {"elasticPolicy": ENDLESS}}),
    ),
    "elastic with another port": (ome.runtime(ome.job(ports=[{"containerPort": 29501}]), mlPolicy={"torch": {"elasticPolicy": ENDLESS}}),),
    "elastic from nought": (ome.runtime(mlPolicy={"torch": {"elasticPolicy": {"minNodes": 0, "maxNodes": 1}}}),),
    "elastic from much to little": (ome.runtime(mlPolicy={"torch": {"elasticPolicy": {"minNodes": 2, "maxNodes": 1}}}),),
    "a gang of no pod, and of one too many": (
        ome.runtime(in_parallel(ome.job(), 0), in_parallel(ome.job("other"), 0), mlPolicy={"numNodes": 1}, podGroupPolicy={"volcano": {"minMember": 2}}),
    ),
    "a gang of one pod": (ome.runtime(mlPolicy={"numNodes": 1}, podGroupPolicy={"volcano": {"minMember": 1}}),),
    "a gang of two schedulers": (ome.runtime(podGroupPolicy={"volcano": {}, "coscheduling": {"scheduleTimeoutSeconds": 1}}),),
    "a gang of nothing": (ome.runtime(podGroupPolicy={}),),
    "an initialiser with its label": (
        ome.runtime(
            {**initializer(), "template": {**initializer()["template"], "metadata": {"labels": {preview.LABEL: "dataset-initializer"}}}},
            {**ome.job(), "dependsOn": [{"name": "dataset-initializer", "status": "Complete"}]},
        ),
        ome.trainingjob(),
    ),
    "elastic beside a launcher": (ome.runtime(ome.job("launcher"), ome.job(), mlPolicy={"torch": {"elasticPolicy": ENDLESS}}),),
    "MPI with an initialiser": (
        ome.runtime(
            initializer("initializer", initContainers=[INIT], containers=[container("busybox")]),
            {**ome.job("launcher"), "dependsOn": [{"name": "initializer", "status": "Complete"}]},
            ome.job(),
            mlPolicy={"mpi": {"mpiImplementation": ""}},
        ),
    ),
    "a job called initializer, and no init containers": (ome.runtime(ome.job("initializer"), ome.job()), ome.trainingjob()),
    "words at the end of a command": (ome.runtime(ome.job(command=["torchrun", "--nnodes", "3"], args=["--nnodes=4"])),),
    "words that say the same": (ome.runtime(ome.job(command=["torchrun", "--nnodes=4"], args=["--nnodes", "4"])),),
    "both forms": (ome.trainingjob(runtime="x", baseModel="y"),),
    "no process": (ome.runtime(mlPolicy={"torch": {"numProcPerNode": "0"}}),),
    "one process": (ome.runtime(mlPolicy={"torch": {"numProcPerNode": "1"}}),),
    "words that are wrong": (
        ome.trainingjob(
            hyperParameterTuningConfig={"method": "random", "metric": {"goal": "minimize"}},
            modelConfig={"outputModel": {"storageUri": "pvc://m", "path": "/p", "schemaPath": "/s", "nodeAffinity": {}}},
            runtimeRef={"name": "rt", "apiGroup": "kubeflow.org"},
        ),
    ),
    "a reference without its group": (ome.trainingjob(runtimeRef={"name": "rt", "apiGroup": ""}),),
}


def of_namespace(tree: Tree, namespace: str, kind: str = "") -> Tree:
    return {**tree, **({"kind": kind} if kind else {}), "metadata": {**tree["metadata"], "namespace": namespace}}


LOCAL = {**spellings.runtime({"numProcPerNode": 4}), "kind": "TrainingRuntime"}
TO_LOCAL = spellings.trainjob(runtimeRef={"kind": "TrainingRuntime", "name": "torch-distributed"})
SPELT: dict[str, tuple[Tree, ...]] = {
    "more processes than a number holds": (spellings.trainjob(trainer={"numProcPerNode": "12345678901"}),),
    "processes in digits of another script": (spellings.trainjob(trainer={"numProcPerNode": "\u0664"}),),
    "no processes, and what is true": (spellings.trainjob(trainer={"numProcPerNode": True}), spellings.trainjob(trainer={"numProcPerNode": 0})),
    "a runtime of a namespace": (of_namespace(LOCAL, "a"), of_namespace(TO_LOCAL, "a"), of_namespace(TO_LOCAL, "b"), TO_LOCAL),
    "a runtime of the default namespace": (LOCAL, of_namespace(TO_LOCAL, "default"), TO_LOCAL, of_namespace(TO_LOCAL, "a"), spellings.trainjob()),
    "a runtime of the cluster": (
        of_namespace(spellings.runtime({"numProcPerNode": 4}), "a"),
        of_namespace(spellings.trainjob(runtimeRef={"kind": "ClusterTrainingRuntime", "name": "torch-distributed"}), "b"),
        spellings.trainjob(runtimeRef={"name": "other"}),
    ),
    "no spec": (
        {"apiVersion": spellings.API, "kind": "TrainJob", "metadata": {"name": "a"}},
        {"apiVersion": spellings.API, "kind": "TrainingRuntime", "metadata": {"name": "b"}, "spec": None},
    ),
    "no override": overrides(annotations={}, labels={}),
    "no override, and patches": (spellings.trainjob(podSpecOverrides=[], podTemplateOverrides=[], runtimePatches=[{"manager": "a/b"}], labels={"a": "b"}),),
    "overrides of nothing": overrides(aimed("node"), aimed("launcher", spec={}, metadata={})),
    "overrides without an aim": overrides({"spec": POD}, aimed(spec=POD)),
}


def dependent(*names: str) -> Tree:
    return {"dependsOn": [{"name": name, "status": "Complete"} for name in names]}


def with_jobs(*jobs: Tree) -> Tree:
    return {**preview.runtime(), "spec": {"template": {"spec": {"replicatedJobs": list(jobs)}}}}


def judged(tree: Tree, **jobset: Any) -> Tree:
    tree["spec"]["template"]["spec"] |= jobset
    return tree


RULES = {
    "maxRestarts": 1,
    "rules": [{"name": "a", "action": "FailJobSet", "targetReplicatedJobs": ["x", "trainer-node"]}, {"name": "b", "action": "RestartJobSet"}],
}
PREVIEW: dict[str, tuple[Tree, ...]] = {
    "policies that name the job that trains": (
        judged(preview.runtime(), successPolicy={"operator": "Any", "targetReplicatedJobs": ["trainer-node"]}, failurePolicy=RULES),
    ),
    "policies that name other jobs": (
        judged(
            preview.runtime(),
            successPolicy={"operator": "All", "targetReplicatedJobs": ["x"]},
            failurePolicy={"rules": [{"name": "a", "action": "FailJobSet"}]},
        ),
    ),
    "an initialiser without init containers": (
        judged(
            with_jobs(initializer("initializer"), {**ome.job("trainer-node", "trainer"), **dependent("initializer")}),
            successPolicy={"operator": "All", "targetReplicatedJobs": ["initializer", "trainer-node"]},
        ),
    ),
    "a container of the preview in a job with its label": (preview.runtime("node", labels={preview.LABEL: "trainer"}, version=preview.TODAY),),
    "a job that waits for the one that trains": (
        with_jobs(ome.job("trainer-node", "trainer"), {**ome.job("after"), **dependent("trainer-node")}, {**ome.job("last"), **dependent("after")}),
    ),
    "labels of the pods": (
        {
            **preview.runtime(),
            "spec": {
                "template": {
                    "metadata": {"labels": {"a": "b"}},
                    "spec": {
                        "replicatedJobs": [
                            {
                                "name": "trainer-node",
                                "replicas": 1,
                                "template": {
                                    "metadata": {"labels": {"c": "d"}, "annotations": {"e": "f"}},
                                    "spec": {
                                        "backoffLimit": 1,
                                        "template": {
                                            "metadata": {"labels": {"g": "h"}, "annotations": {"i": "j"}},
                                            "spec": {"containers": [container("trainer")], "hostNetwork": True},
                                        },
                                    },
                                },
                            }
                        ]
                    },
                }
            },
        },
    ),
    "a variable with a source, and no torch": (
        preview.runtime(mlPolicy={"numNodes": 1}),
        preview.trainjob(trainer={"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}]}),
    ),
    "a variable with a source, and no runtime": (
        preview.trainjob(trainer={"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}]}, datasetConfig={"storageUri": "hf://d"}),
    ),
    "no jobs": ({**preview.runtime(), "spec": {"template": {"metadata": {"labels": {"a": "b"}}, "spec": {"suspend": True}}}},),
    "no template": ({**preview.runtime(), "spec": {"mlPolicy": {"numNodes": 1}}},),
    "overrides of jobs that have other names now": (
        preview.trainjob(
            podSpecOverrides=[
                {
                    "targetJobs": [{"name": "trainer-node"}, {"name": "initializer"}, {"name": "x"}],
                    "containers": [{"name": "trainer", "volumeMounts": []}, {"name": "other"}],
                    "initContainers": [{"name": "trainer"}],
                },
                {"nodeSelector": {"a": "b"}},
            ],
            datasetConfig={"storageUri": "hf://d"},
        ),
    ),
    "the second of three jobs trains": (with_jobs(*(ome.job(name, "trainer") for name in ("trainer-node", "trainer-node", "x"))),),
    "an initialiser that is all of its job": (
        with_jobs({"name": "initializer", "template": {"spec": {"template": {"spec": {"initContainers": [INIT]}}}}}, ome.job("trainer-node", "trainer")),
    ),
    "an order without initialisers": (judged(preview.runtime(), startupPolicy={"startupPolicyOrder": "InOrder"}),),
    "an order of initialisers": (
        judged(
            with_jobs(initializer("initializer", initContainers=[INIT], containers=[container("busybox")]), ome.job("trainer-node", "trainer")),
            startupPolicy={"startupPolicyOrder": "InOrder"},
        ),
    ),
    "a phase beside a framework": (
        {
            **preview.runtime(),
            "metadata": {"name": "rt", "labels": {"training.kubeflow.org/phase": "pre-training", "trainer.kubeflow.org/framework": "deepspeed"}},
        },
        {**preview.runtime(mlPolicy={"numNodes": 1}), "metadata": {"name": "plain", "labels": {"training.kubeflow.org/phase": "post-training"}}},
    ),
    "the words of both in today's version": (preview.runtime(labels={preview.LABEL: "trainer"}, version=preview.TODAY),),
    "a job that trains without containers": (with_jobs({"name": "trainer-node", "template": {"spec": {"template": {"spec": {}}}}}),),
    "an initialiser within the job that trains": (
        with_jobs({"name": "trainer-node", "template": {"spec": {"template": {"spec": {"initContainers": [INIT], "containers": [container("trainer")]}}}}}),
    ),
    "a container that does nothing beside one that works": (
        with_jobs(
            initializer("initializer", initContainers=[INIT], containers=[container("busybox"), container("works")]), ome.job("trainer-node", "trainer")
        ),
    ),
    "words for processes": (
        preview.trainjob(trainer={"numProcPerNode": "auto"}, datasetConfig={"storageUri": "hf://d"}),
        preview.trainjob(trainer={"numProcPerNode": "4"}, datasetConfig={"storageUri": "hf://d"}),
    ),
    "phases": (
        {**preview.runtime(), "metadata": {"name": "rt", "labels": {"training.kubeflow.org/phase": "pre-training", "a": "b"}, "uid": "u"}},
        {**preview.runtime(mlPolicy={"mpi": {}}), "metadata": {"name": "mpi", "labels": {"training.kubeflow.org/phase": "post-training"}}},
    ),
}


@pytest.mark.parametrize("name", OME)
def test_bounds_of_ome(name: str, snapshot: SnapshotAssertion) -> None:
    assert written(jc.migrate(to_yaml(OME[name]))) == snapshot


@pytest.mark.parametrize("name", SPELT)
def test_bounds_of_spellings(name: str, snapshot: SnapshotAssertion) -> None:
    assert written(jc.migrate(to_yaml(SPELT[name]))) == snapshot


@pytest.mark.parametrize("name", PREVIEW)
def test_bounds_of_the_preview(name: str, snapshot: SnapshotAssertion) -> None:
    assert written(jc.migrate(to_yaml(PREVIEW[name]))) == snapshot
