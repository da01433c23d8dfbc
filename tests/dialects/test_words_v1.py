"""What the conversion of a job of v1 says, for jobs that differ in one point each. Read the texts below `__snapshots__`; `--snapshot-update` writes them."""

from __future__ import annotations

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import jobset_compiler as jc
from jobset_compiler.emit.yaml import to_yaml
from tests.dialects import test_v1 as v1
from tests.dialects.test_v1 import container, job, replicas
from tests.dialects.test_words import GPU, Tree, written

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

TORCHRUN = container("pytorch", command=["torchrun"])
ELASTIC_V1: Tree = {
    "minReplicas": 1,
    "maxReplicas": 3,
    "maxRestarts": 2,
    "rdzvConf": [{"key": "a", "value": "1"}, {"key": "b", "value": "2"}],
    "standalone": True,
}


def elastic_job(command: list[str], args: list[str] | None = None, master: bool = False, **policy: Any) -> Tree:
    trains = container("pytorch", command=command, **({} if args is None else {"args": args}))
    roles = {"Worker": replicas(2, trains), **({"Master": replicas(1, trains)} if master else {})}
    return job("PyTorchJob", roles, elasticPolicy={**ELASTIC_V1, **policy})


def described(tree: Tree, **metadata: Any) -> Tree:
    return {**tree, "metadata": {**tree["metadata"], **metadata}}


V1 |= {
    "a runtime that exists and patches": (
        {"runtime": "mine"},
        job(
            "PyTorchJob",
            {
                "Worker": marked(
                    replicas(2, container("pytorch", volumeMounts=[], imagePullPolicy="Always", ports=PORTS), nodeSelector={"a": "b"}, initContainers=[]),
                    labels={"a": "b"},
                    annotations={"c": "d"},
                )
            },
        ),
    ),
    "a runtime that exists, with its pods named": (
        {"runtime": "ClusterTrainingRuntime/mine"},
        job(
            "PyTorchJob",
            {"Worker": marked(replicas(2, container("pytorch", volumeMounts=[], tty=True), nodeSelector={}), labels={"a": "b"}, annotations={"c": "d"})},
        ),
    ),
    "a runtime that exists, and a gang": ({"runtime": "mine", "gang": "volcano"}, torch_job(runPolicy={"schedulingPolicy": {"priorityClass": "high"}})),
    "a name of the pods": ({}, job("PyTorchJob", {"Worker": marked(replicas(1, PYTORCH), name="x")})),
    "labels of the pods": ({}, job("PyTorchJob", {"Worker": marked(replicas(1, PYTORCH), labels={"a": "b"})})),
    "annotations of the pods": ({}, job("PyTorchJob", {"Worker": marked(replicas(1, PYTORCH), annotations={"a": "b"})})),
    "a container beside": ({}, job("PyTorchJob", {"Worker": replicas(2, container("side"), container("pytorch", env=[A]))})),
    "a container beside, and variables": ({}, job("PyTorchJob", {"Master": replicas(1, container("side"), PYTORCH)})),
    "the port of the operator": ({}, job("PyTorchJob", {"Worker": replicas(1, container("pytorch", ports=[{"name": "pytorchjob-port", "containerPort": 1}]))})),
    "the port of the operator on the host": (
        {},
        job("PyTorchJob", {"Master": replicas(1, container("pytorch", ports=[{"name": "pytorchjob-port", "containerPort": 2, "hostPort": 2}]))}),
    ),
    "a port of the operator's own number": (
        {},
        job("PyTorchJob", {"Master": replicas(1, container("pytorch", ports=[PORTS[1], {"name": "pytorchjob-port", "containerPort": 3}]))}),
    ),
    "a field of the container that no TrainJob has": (
        {},
        job("PyTorchJob", {"Worker": replicas(1, container("pytorch", livenessProbe={"exec": {"command": ["a"]}}))}),
    ),
    "arguments alone with a master": ({}, job("PyTorchJob", {"Master": replicas(1, says("pytorch", "x")), "Worker": replicas(1, says("pytorch", "x"))})),
    "torchrun started with a master": (
        {},
        job("PyTorchJob", {"Master": replicas(1, TORCHRUN), "Worker": replicas(1, TORCHRUN)}),
    ),
    "processes of a master": ({}, job("PyTorchJob", {"Master": replicas(1, PYTORCH), "Worker": replicas(2, PYTORCH)}, nprocPerNode="2")),
    "processes in nine digits": ({}, job("PyTorchJob", {"Master": replicas(1, PYTORCH)}, nprocPerNode="123456789")),
    "processes of the elastic policy": ({}, elastic_job(["torchrun"], nProcPerNode=4)),
    "elastic, by torchrun": ({}, elastic_job(["torchrun", "--rdzv_id=x", "t.py"])),
    "elastic, by torchrun with arguments": ({}, elastic_job(["torchrun"], ["--max-restarts", "1", "t.py"])),
    "elastic, by a module": ({}, elastic_job(["/usr/bin/python3", "-u", "-m", "torch.distributed.run", "t.py"])),
    "elastic, by a module in the arguments": ({}, elastic_job(["python"], ["-m", "torch.distributed.launch", "t.py"])),
    "elastic, by another module": ({}, elastic_job(["python", "-m", "train", "torch.distributed.run"])),
    "elastic, by a file": ({}, elastic_job(["python", "t.py", "-m", "torch.distributed.run"])),
    "elastic, by two words": ({}, elastic_job(["python", "-m"])),
    "elastic, by a shell": ({}, elastic_job(["sh"], rdzvHost="etcd", rdzvPort=1, rdzvId="i", rdzvBackend="etcd")),
    "elastic with a master": ({}, elastic_job(["sh"], master=True, minReplicas=None)),
    "elastic with a least number only": ({}, elastic_job(["torchrun"], maxReplicas=None, maxRestarts=0, rdzvConf=None, standalone=False)),
    "elastic with words for numbers": ({}, elastic_job(["torchrun"], minReplicas=None, maxReplicas=None)),
    "labels and annotations of the job": (
        {},
        described(
            torch_job(runPolicy={"backoffLimit": 1}),
            labels={"a": "b"},
            annotations={"kubectl.kubernetes.io/last-applied-configuration": "{}", "c": "d"},
        ),
    ),
    "an annotation of kubectl alone": (
        {},
        described(torch_job(), annotations={"kubectl.kubernetes.io/last-applied-configuration": "{}"}, labels={}),
    ),
    "the rule of the master": (
        {"keep_success_policy": True},
        job("PyTorchJob", {"Master": replicas(1, PYTORCH), "Worker": replicas(1, PYTORCH)}),
    ),
    "the rule of a master that is not there": ({"keep_success_policy": True}, torch_job()),
    "fields for the trainer": (
        {"trainer_fields": True, "keep_backoff": True},
        job("PyTorchJob", {"Worker": replicas(2, container("pytorch", command=["a"], args=["b"], env=[A, {"name": "PYTHONUNBUFFERED", "value": "0"}]))}),
    ),
    "variables given twice": (
        {"keep_backoff": True},
        job("PyTorchJob", {"Worker": replicas(2, container("pytorch", env=[A, {**A, "value": "2"}, {"name": "PYTHONUNBUFFERED", "value": "0"}]))}),
    ),
    "resources in front of variables": (
        {"keep_backoff": True},
        job("PyTorchJob", {"Worker": replicas(2, container("side", volumeMounts=[], resources={}, tty=True), container("pytorch", resources=GPU))}),
    ),
    "no variable": ({"v1_env": False, "keep_backoff": True}, job("PyTorchJob", {"Worker": replicas(1, container("pytorch", env=[]), container("side"))})),
    "old names of masters": ({}, job("PyTorchJob", {"Master": replicas(1, says("pytorch", "job-master-2 job-master- job-worker-1"))})),
    "old names twice in a text": (
        {},
        job(
            "PyTorchJob",
            {
                "Worker": replicas(
                    2,
                    container("pytorch", command=["job-worker-0,job-worker-0,job-worker-1"], env=[{"name": "B", "value": "job-worker-0"}]),
                    initContainers=[says("wait", "job-worker-1")],
                )
            },
        ),
    ),
    "roles that differ in six": (
        {},
        job("PyTorchJob", {"Master": replicas(1, PYTORCH), "Worker": replicas(1, PYTORCH, a=1, b=2, c=3, d=4, e=5, f=6)}),
    ),
    "roles that differ in what a pod says of restarts": (
        {},
        job("PyTorchJob", {"Master": replicas(1, PYTORCH, restartPolicy="Never"), "Worker": replicas(1, PYTORCH, restartPolicy="Always")}),
    ),
    "roles of which one has a mapping": (
        {},
        job("PyTorchJob", {"Master": replicas(1, PYTORCH, securityContext={"runAsUser": 1}), "Worker": replicas(1, PYTORCH, nodeSelector={"a": "b"})}),
    ),
    "another cluster decides": ({}, torch_job(runPolicy={"managedBy": "kueue.x-k8s.io/multikueue", "suspend": False})),
    "its own operator decides": ({}, torch_job(runPolicy={"managedBy": "kubeflow.org/training-operator"})),
    "removed after a while": ({}, torch_job(runPolicy={"ttlSecondsAfterFinished": 60, "backoffLimit": 0})),
    "removed after a while, if that is asked for": ({"keep_ttl": True}, torch_job(runPolicy={"ttlSecondsAfterFinished": 60})),
    "a gang of Volcano with a queue": (
        {"gang": "volcano"},
        torch_job(runPolicy={"schedulingPolicy": {"queue": "q", "priorityClass": "high", "minAvailable": 2}}),
    ),
    "a gang of coscheduling with a timeout": ({"gang": "coscheduling"}, torch_job(runPolicy={"schedulingPolicy": {"scheduleTimeoutSeconds": 9}})),
    "a gang that nobody described": ({"gang": "coscheduling"}, torch_job()),
    "gpus that nobody can count": (
        {},
        job("PyTorchJob", {"Worker": replicas(1, container("pytorch", resources={"requests": {"a.example/gpu-b": "some"}}))}, nprocPerNode="gpu"),
    ),
    "pods on the network of their hosts": (
        {"gang": "volcano"},
        job(
            "MPIJob",
            {"Launcher": replicas(1, container("m"), hostNetwork=True), "Worker": replicas(1, container("m"), hostNetwork=True, dnsPolicy="Default")},
            version="kubeflow.org/v2beta1",
            runPolicy={"schedulingPolicy": {"priorityClass": "high"}},
        ),
    ),
    "users that read the key": (
        {},
        job(
            "MPIJob",
            {
                "Launcher": replicas(1, container("m", securityContext={"runAsUser": 7}), securityContext={"runAsUser": 8}),
                "Worker": replicas(1, container("m"), securityContext={"runAsUser": 9, "runAsGroup": 1}),
            },
            version="kubeflow.org/v2beta1",
        ),
    ),
    "users whose group reads the key": (
        {},
        job(
            "MPIJob",
            {
                "Launcher": replicas(1, container("m"), securityContext={"runAsUser": 8, "fsGroup": 1}),
                "Worker": replicas(1, container("m", securityContext={"runAsUser": 0})),
            },
            version="kubeflow.org/v2beta1",
        ),
    ),
    "slots of MPI beside gpus": (
        {},
        job(
            "MPIJob",
            {"Launcher": replicas(1, container("m")), "Worker": replicas(2, container("m", resources=GPU))},
            version="kubeflow.org/v2beta1",
            slotsPerWorker=1,
            launcherCreationPolicy="WaitForWorkersReady",
            sshAuthMountPath="/home/.ssh",
            mpiImplementation="OpenMPI",
        ),
    ),
    "a launcher of MPI that is a node": (
        {"v1_env": False},
        job(
            "MPIJob",
            {"Launcher": replicas(1, says("m", "job-worker- job-launcher job-worker-1")), "Worker": replicas(2, container("m", args=["x"]))},
            version="kubeflow.org/v2beta1",
            runLauncherAsWorker=True,
            slotsPerWorker=2,
        ),
    ),
    "nodes of MPI that sleep": (
        {},
        job(
            "MPIJob",
            {"Launcher": replicas(1, container("m", resources=GPU)), "Worker": replicas(2, container("m", command=["/bin/sleep"], args=["1d"]))},
            mainContainer="m",
        ),
    ),
    "nodes of MPI that work": (
        {},
        job("MPIJob", {"Launcher": replicas(1, container("m")), "Worker": replicas(2, container("m", args=["asleep", "1d"]))}),
    ),
    "a command that finds hosts": (
        {},
        job("MPIJob", {"Launcher": replicas(1, container("m", command=["a", "/etc/mpi/discover_hosts.sh"])), "Worker": replicas(2, container("m"))}),
    ),
    "all roles of a TFJob": (
        {},
        job("TFJob", {"Worker": replicas(2, TF), "PS": replicas(1, TF), "Chief": replicas(1, TF), "Evaluator": replicas(1, container("side"), TF)}),
    ),
    "one pod of a TFJob": ({}, job("TFJob", {"Worker": replicas(1, TF)})),
    "one pod of a TFJob, and no TF_CONFIG": ({"v1_env": False}, job("TFJob", {"PS": replicas(1, TF)})),
    "a TFJob of which all workers must end": ({}, job("TFJob", {"Worker": replicas(2, TF)}, successPolicy="AllWorkers")),
    "limits of the role that counts": (
        {"gang": "volcano"},
        job("TFJob", {"Chief": replicas(1, TF), "Worker": replicas(1, TF)}, runPolicy={"backoffLimit": 3, "activeDeadlineSeconds": 9}),
    ),
    "XGBoost with workers": ({}, job("XGBoostJob", {"Master": replicas(1, XGBOOST), "Worker": replicas(2, XGBOOST)})),
    "XGBoost with no worker": ({"v1_env": False}, job("XGBoostJob", {"Master": replicas(1, XGBOOST)})),
    "an exit code of a role that decides nothing": (
        {},
        job("TFJob", {"PS": replicas(1, TF, restart="ExitCode"), "Worker": replicas(1, TF, restart="Never")}),
    ),
}


@pytest.mark.parametrize("name", V1)
def test_v1(name: str, snapshot: SnapshotAssertion) -> None:
    wishes, tree = V1[name]
    assert written(jc.migrate(to_yaml((tree,)), wishes=jc.Wishes(**wishes))) == snapshot


# name of the case: (release, what is asked, document)
OLDER: dict[str, tuple[str, Tree, Tree]] = {
    "processes of gpus": ("v2.1", {}, torch_job(nprocPerNode="gpu")),
    "processes of cpus": ("v2.1", {}, torch_job(nprocPerNode="cpu")),
    "processes of nothing": ("v2.1", {}, job("PyTorchJob", {"Worker": replicas(2, TORCHRUN)})),
    "processes of nothing, asked for": ("v2.1", {}, job("PyTorchJob", {"Worker": replicas(2, TORCHRUN)}, nprocPerNode="auto")),
    "XGBoost by the runtime": ("v2.1", {"native": True}, job("XGBoostJob", {"Master": replicas(1, XGBOOST)})),
    "a command of the runtime": ("v2.0", {}, torch_job()),
    "a deadline": ("v2.0", {}, torch_job(runPolicy={"activeDeadlineSeconds": 60})),
    "labels of pods over a runtime that exists": ("v2.0", {"runtime": "mine"}, job("PyTorchJob", {"Worker": marked(replicas(1, PYTORCH), labels={"a": "b"})})),
    "labels of pods over a runtime that exists, later": (
        "v2.1",
        {"runtime": "mine"},
        job("PyTorchJob", {"Worker": marked(replicas(1, PYTORCH, nodeSelector={"a": "b"}), labels={"a": "b"})}),
    ),
    "an override alone": (
        "v2.0",
        {"runtime": "mine"},
        job("PyTorchJob", {"Worker": replicas(1, container("pytorch", volumeMounts=[]), nodeSelector={"a": "b"})}),
    ),
    "users that read the key": (
        "v2.0",
        {},
        job(
            "MPIJob",
            {"Launcher": replicas(1, container("m"), securityContext={"runAsUser": 8}), "Worker": replicas(1, container("m", resources=GPU))},
            version="kubeflow.org/v2beta1",
        ),
    ),
}


@pytest.mark.parametrize("name", OLDER)
def test_v1_in_an_older_release(name: str, snapshot: SnapshotAssertion) -> None:
    release, wishes, tree = OLDER[name]
    assert written(jc.migrate(to_yaml((tree,)), trainer_version=release, wishes=jc.Wishes(**wishes))) == snapshot


@pytest.mark.parametrize("name", v1.REFUSED)
def test_v1_refused(name: str, snapshot: SnapshotAssertion) -> None:
    assert written(jc.migrate(to_yaml((v1.REFUSED[name][0],)))) == snapshot
