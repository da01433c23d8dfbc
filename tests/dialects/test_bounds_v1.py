"""What the conversion of a job of v1 says at the bounds: of numbers, of what is empty, of who is first. Beside `test_words_v1`."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

import jobset_compiler as jc
from jobset_compiler.emit.yaml import to_yaml
from tests.dialects.test_v1 import container, job, replicas
from tests.dialects.test_words import GPU, Tree, written
from tests.dialects.test_words_v1 import PADDLE, PYTORCH, TF, XGBOOST, A, elastic_job, marked, torch_job

# name of the case: (what is asked, documents)
V1: dict[str, tuple[Tree, Tree]] = {
    "a container with an empty image": ({}, job("PyTorchJob", {"Worker": replicas(1, {**PYTORCH, "image": ""})})),
    "two containers that could train": ({}, job("PyTorchJob", {"Worker": replicas(1, container("side"), PYTORCH, container("pytorch", tty=True))})),
    "roles in a list": ({}, {**torch_job(), "spec": {"pytorchReplicaSpecs": [replicas(1, PYTORCH)]}}),
    "no master": ({}, job("PyTorchJob", {"Master": replicas(0, PYTORCH), "Worker": replicas(1, PYTORCH)})),
    "two masters of XGBoost": ({}, job("XGBoostJob", {"Master": replicas(2, XGBOOST)})),
    "two masters of a TFJob": ({}, job("TFJob", {"Master": replicas(2, TF), "Worker": replicas(1, TF)})),
    "no worker of a TFJob": ({}, job("TFJob", {"Master": replicas(1, TF), "Worker": replicas(0, TF)})),
    "as many pods as a number holds": ({}, job("PaddleJob", {"Worker": replicas((1 << 31) - 1, PADDLE)})),
    "a deadline of a second": ({}, torch_job(runPolicy={"activeDeadlineSeconds": 1})),
    "a manager of the other operator": ({}, torch_job(runPolicy={"managedBy": "kubeflow.org/mpi-operator"})),
    "a manager of the MPI operator": (
        {},
        job(
            "MPIJob",
            {"Launcher": replicas(1, container("node")), "Worker": replicas(1, container("node"), restart="OnFailure")},
            version="kubeflow.org/v2beta1",
            runPolicy={"managedBy": "kubeflow.org/mpi-operator", "activeDeadlineSeconds": 9},
        ),
    ),
    "an MPIJob of the MPI operator that leaves its workers out": (
        {},
        job("MPIJob", {"Launcher": replicas(None, container("m")), "Worker": replicas(None, container("m"))}, version="kubeflow.org/v2beta1"),
    ),
    "an MPIJob of the training operator that leaves its workers out": (
        {},
        job("MPIJob", {"Launcher": replicas(None, container("m")), "Worker": replicas(None, container("m"))}),
    ),
    "one gpu beside slots of MPI": (
        {},
        job(
            "MPIJob",
            {"Launcher": replicas(1, container("m")), "Worker": replicas(2, container("m", resources={"limits": {"nvidia.com/gpu": 1}}))},
            version="kubeflow.org/v2beta1",
        ),
    ),
    "two slots of MPI beside gpus": (
        {},
        job(
            "MPIJob",
            {"Launcher": replicas(1, container("m")), "Worker": replicas(2, container("m", resources=GPU))},
            version="kubeflow.org/v2beta1",
            slotsPerWorker=2,
        ),
    ),
    "a launcher with gpus": (
        {},
        job(
            "MPIJob",
            {"Launcher": replicas(1, container("m", resources=GPU)), "Worker": replicas(1, container("m"))},
            version="kubeflow.org/v2beta1",
            runLauncherAsWorker=False,
        ),
    ),
    "variables without names": (
        {"keep_backoff": True},
        job("PyTorchJob", {"Worker": replicas(2, container("pytorch", env=[{"value": "1"}, {"value": "2"}, A]))}),
    ),
    "processes in eleven digits": ({}, job("PyTorchJob", {"Master": replicas(1, PYTORCH)}, nprocPerNode="12345678901")),
    "no process": ({}, job("PyTorchJob", {"Master": replicas(1, PYTORCH)}, nprocPerNode="")),
    "roles of which the first says nought": (
        {},
        job("PyTorchJob", {"Master": replicas(1, PYTORCH, terminationGracePeriodSeconds=0), "Worker": replicas(1, PYTORCH)}),
    ),
    "roles of which one says no": ({}, job("PyTorchJob", {"Master": replicas(1, PYTORCH, hostNetwork=False), "Worker": replicas(1, PYTORCH)})),
    "roles of which one says one": ({}, job("PyTorchJob", {"Master": replicas(1, PYTORCH, priority=1), "Worker": replicas(1, PYTORCH)})),
    "elastic, by a module alone": ({}, elastic_job(["python", "-m", "torch.distributed.run"])),
    "elastic, by a module of another interpreter": ({}, elastic_job(["pypy", "-m", "torch.distributed.run"])),
    "elastic, by numbers": ({}, elastic_job(["torchrun", "-1", "t.py"], minReplicas=2, maxReplicas=2, rdzvPort=1, rdzvHost="", rdzvConf=[])),
    "elastic with a worker alone, and etcd": ({}, elastic_job(["torchrun"], ["--rdzv-backend=etcd"], rdzvBackend="etcd", rdzvPort=2379)),
    "elastic, by words that are no options": ({}, elastic_job(["torchrun", "rdzv-id", "max_restarts=9", "nnodes"])),
    "roles of which one has a mapping and the other a word": (
        {},
        job("PyTorchJob", {"Master": replicas(1, PYTORCH, affinity={"a": 1}), "Worker": replicas(1, PYTORCH, affinity="b")}),
    ),
    "roles of which one has a word and the other a mapping": (
        {},
        job("PyTorchJob", {"Master": replicas(1, PYTORCH, affinity="b"), "Worker": replicas(1, PYTORCH, affinity={"a": 1})}),
    ),
    "ports that are no numbers": (
        {"keep_backoff": True},
        job("PyTorchJob", {"Master": replicas(1, container("pytorch", ports=[{"name": "pytorchjob-port", "containerPort": "x"}, {"containerPort": "y"}]))}),
    ),
    "two ports of the operator": (
        {"keep_backoff": True},
        job("PyTorchJob", {"Master": replicas(1, container("pytorch", ports=[{"name": "pytorchjob-port", "containerPort": each} for each in (1, 2)]))}),
    ),
    "the restart policy of the role in the pod": ({}, job("PyTorchJob", {"Worker": replicas(1, PYTORCH, restart="Never", restartPolicy="Never")})),
    "nodes of MPI that sleep long": (
        {},
        job("MPIJob", {"Launcher": replicas(1, container("m")), "Worker": replicas(1, container("m", command=["sleep", "a-" * 70 + " " + "b" * 130]))}),
    ),
    "one XGBoost worker": ({}, job("XGBoostJob", {"Master": replicas(1, XGBOOST), "Worker": replicas(1, XGBOOST)})),
    "XGBoost pods that differ": ({}, job("XGBoostJob", {"Master": replicas(1, XGBOOST), "Worker": replicas(1, {**XGBOOST, "image": "b"})})),
    "an elastic PaddleJob without workers": (
        {},
        job("PaddleJob", {"Master": replicas(1, PADDLE)}, elasticPolicy={"nProcPerNode": 1}, nprocPerNode="1"),
    ),
    "roles of which one has a list and the other a word": (
        {},
        job("PyTorchJob", {"Master": replicas(1, PYTORCH, extra=[{"a": 1}]), "Worker": replicas(1, PYTORCH, extra="b")}),
    ),
    "roles with lists of words": (
        {},
        job("PyTorchJob", {"Master": replicas(1, PYTORCH, extra=["a", "b"]), "Worker": replicas(1, PYTORCH, extra=["a", "c"])}),
    ),
    "an old name in a variable before the others": (
        {},
        job("PyTorchJob", {"Worker": replicas(2, PYTORCH, initContainers=[container("wait", env=[{"name": "A", "value": "job-worker-1"}])])}),
    ),
    "a runtime that exists, and what is removed": ({"runtime": "mine", "keep_ttl": True}, torch_job(runPolicy={"ttlSecondsAfterFinished": 9})),
    "a runtime that exists, and backoff for ever": ({"runtime": "mine", "keep_backoff": True}, torch_job(runPolicy={"suspend": True})),
    "a runtime that exists, and labels of the pods": (
        {"runtime": "mine"},
        job("PyTorchJob", {"Worker": marked(replicas(1, PYTORCH), labels={"a": "b"})}),
    ),
    "nothing in front of what is wrong": ({}, {"status": None, **torch_job(), "metadata": 5}),
    "a runtime of no kind": ({"runtime": "/mine"}, torch_job()),
    "pods whose member is replaced": (
        {"gang": "volcano"},
        job(
            "PyTorchJob",
            {"Worker": replicas(1, PYTORCH, schedulerName="mine", priorityClassName="low", nodeSelector={"a": "b"})},
            runPolicy={"schedulingPolicy": {"priorityClass": "high"}},
        ),
    ),
    "a gang of all pods": ({"gang": "coscheduling"}, torch_job(runPolicy={"schedulingPolicy": {"minAvailable": 2, "queue": ""}})),
}


@pytest.mark.parametrize("name", V1)
def test_bounds_of_v1(name: str, snapshot: SnapshotAssertion) -> None:
    wishes, tree = V1[name]
    assert written(jc.migrate(to_yaml((tree,)), wishes=jc.Wishes(**wishes))) == snapshot


def test_what_is_said_names_the_job() -> None:
    for metadata, subject in (
        ({"name": "a", "namespace": "b"}, ("PyTorchJob", "b", "a")),
        ({"name": "a"}, ("PyTorchJob", "", "a")),
        ({"generateName": "a-"}, ("PyTorchJob", "", "")),
        (None, ("PyTorchJob", "", "")),
    ):
        (first, *_) = jc.migrate(to_yaml(({**torch_job(), "metadata": metadata},))).diagnostics
        assert (first.object_kind, first.namespace, first.name) == subject
