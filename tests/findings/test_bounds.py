"""What is just said, and what just not: inputs on both sides of each bound, in pairs or longer rows; ids are claims.

Read the text below `__snapshots__` beside the id; `--snapshot-update` writes it.
"""

from __future__ import annotations

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.findings.said import by_release
from tests.findings.test_silent import (
    ALL,
    CLAIM,
    GPUS,
    MOUNTS,
    MPI,
    SSHD,
    TORCH,
    TUNE,
    UPSTREAMS,
    Tree,
    after,
    failing,
    initializer,
    launcher,
    mounting,
    patched,
    queued,
    started,
    tuned,
    workers,
)
from tests.passes.plans import compiled, container, job, runtime, trainjob

COSCHEDULING: Tree = {"coscheduling": {}}
VOLCANO: Tree = {"volcano": {}}
PLAIN = trainjob({})
UNCOUNTED = "RestartJobSetAndIgnoreMaxRestarts"
# claim, runtime, TrainJob
Case = tuple[str, Tree, Tree]


def node(policy: Tree | None = TORCH, **fields: Any) -> Tree:
    return runtime(policy, job(containers=[container(**fields)]))


def asking(processes: int | str, **resources: Any) -> Tree:
    lists = {"limits": resources, "requests": resources}
    return trainjob({"numProcPerNode": processes, "resourcesPerNode": lists})


def ignoring(*rules: Tree, **spec: Any) -> Tree:
    return runtime(TORCH, job(spec={"podFailurePolicy": {"rules": list(rules)}, **spec}, restartPolicy="Never"))


def serving(*commands: list[str], policy: Tree | None = None) -> Tree:
    """A runtime of plain jobs, each with one of the commands."""
    jobs = [job(f"job{index}", None, containers=[container(command=command)]) for index, command in enumerate(commands)]
    return runtime(None, *jobs, **({"successPolicy": policy} if policy else {}))


def variables(*pairs: tuple[str, str], name: str = "env") -> Tree:
    return {name: [{"name": key, "value": value} for key, value in pairs]}


def paged(medium: str, *requests: str, name: str = "b") -> Tree:
    """A runtime whose second volume has that medium; `name` is that of the volume that is mounted."""
    given = dict.fromkeys(requests, "4Mi" if "hugepages-1Gi" not in requests else "2Gi")
    mounts = [{"name": name, "mountPath": "/b"}]
    volumes = [{"name": "a", "emptyDir": {}}, {"name": "b", "emptyDir": {"medium": medium}}, {"name": "nobody", "emptyDir": {}}]
    resources = {"requests": {"cpu": 1, **given}, "limits": given} if given else {"requests": {"cpu": 1}}
    return runtime(TORCH, job(containers=[container(volumeMounts=mounts, resources=resources)], volumes=volumes))


def exits(operator: str, *values: int, action: str = "Ignore", **more: str) -> Tree:
    return {"action": action, "onExitCodes": {"operator": operator, "values": list(values), **more}}


def named(length: int) -> Tree:
    """A TrainJob whose pods have full names, the longer its namespace is."""
    return trainjob({"numNodes": 2}, metadata={"name": "abcd", "namespace": "n" * length})


FULL = job(setHostnameAsFQDN=True)
DISRUPTED: Tree = {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}
COMMANDS: list[Case] = [
    ("one node without GPUs needs no torchrun", runtime(TORCH), started("python", "train.py", nodes=1, gpus=False)),
    ("one node with GPUs does", runtime(TORCH), started("python", "train.py", nodes=1)),
    ("two nodes without GPUs do", runtime(TORCH), started("python", "train.py", gpus=False)),
    ("args alone on one node go to an image that nobody judges", runtime(TORCH), started(args=("train.py",), nodes=1, gpus=False)),
    ("args alone on two nodes", runtime(TORCH), started(args=("train.py",), gpus=False)),
    *(
        (f"who sets {name} starts the processes", runtime(TORCH), started("python", "train.py", **variables((name, "1"))))
        for name in ("RANK", "WORLD_SIZE", "NODE_RANK", "MASTER_ADDR")
    ),
    ("another variable does not", runtime(TORCH), started("python", "train.py", **variables(("LOCAL_RANK", "1")))),
    ("a flag in the runtime's command, args of the TrainJob", node(command=["torchrun", "--nnodes=3"]), started(args=("t.py", "--lr 1"))),
    ("a flag in the TrainJob's args behind the runtime's command", node(command=["torchrun"]), started(args=("--nnodes=3", "t.py"))),
    ("several words in the runtime's command", node({}, command=["python train.py"]), PLAIN),
    ("several words in the runtime's command with args of the TrainJob", node({}, command=["python train.py"]), started(args=("x",), gpus=False)),
    ("a flag and its value in one word", runtime({}), started("train", "-e 3", "--lr  0.1", "-x", "a b", "--text a b", "- a", gpus=False)),
    ("a shell's words may have blanks", runtime({}), started("/bin/bash", "-c", "train --lr 1", gpus=False)),
    ("standalone on one node contradicts nothing", runtime(TORCH), started("torchrun", "--standalone", "--node_rank=0", "t.py", nodes=1)),
    ("variables of a shell in the runtime's args", node({}, args=["$HOME", "$(B)"]), started("train", gpus=False)),
    ("no words at all", runtime(TORCH), trainjob({"numNodes": 2, "command": [], "args": []})),
]
ENDLESS: list[Case] = [
    (
        "behind a rule for some Jobs one for all",
        failing({"name": "a", "action": "FailJobSet", "targetReplicatedJobs": ["node"]}, {"name": "b", "action": UNCOUNTED}),
        PLAIN,
    ),
    ("a rule for some Jobs does not catch all", failing({"name": "a", "action": UNCOUNTED, "targetReplicatedJobs": ["node"]}), PLAIN),
    ("a rule for a reason does not", failing({"name": "a", "action": UNCOUNTED, "onJobFailureReasons": ["BackoffLimitExceeded"]}), PLAIN),
    ("a Job of its own is restarted for ever", failing({"name": "a", "action": "RestartJobAndIgnoreMaxRestarts"}), PLAIN),
    ("only disruptions are ignored", ignoring(DISRUPTED), PLAIN),
    ("exit codes but 0 are, behind disruptions", ignoring(DISRUPTED, exits("NotIn", 0)), PLAIN),
    ("another action comes first", ignoring(exits("In", 3, action="FailJob"), exits("NotIn", 0)), PLAIN),
    ("some exit codes count", ignoring(exits("NotIn", 0, 1)), PLAIN),
    ("some exit codes are ignored", ignoring(exits("In", 1)), PLAIN),
    ("those of one container", ignoring(exits("NotIn", 0, containerName="node")), PLAIN),
    ("one failure less than no limit", runtime(TORCH, job(spec={"backoffLimit": 2**31 - 2})), PLAIN),
    ("no limit of failures", runtime(TORCH, job(spec={"backoffLimit": 2**31 - 1})), PLAIN),
    (
        "no limit of failures in jobs that restart in place",
        runtime(TORCH, job(spec={"backoffLimit": 2**31 - 1}), failurePolicy={"restartStrategy": "InPlaceRestart", "maxRestarts": 1}),
        PLAIN,
    ),
    ("two gates beside one of Kueue", runtime(TORCH, job(schedulingGates=[{"name": name} for name in ("a.io/b", "kueue.x-k8s.io/c", "d.io/e")])), PLAIN),
    *((f'the scheduler "{name}"', runtime(TORCH, job(schedulerName=name)), PLAIN) for name in ("", "a", " a", "a ", "a b")),
    *(
        (
            f'the medium "{medium}" of the second volume',
            paged(medium),
            PLAIN,
        )
        for medium in ("memory", "Memory", "HugePages", "HugePages2Mi", "HugePages-", "HugePages-1Gi", "HugePages-1G", "HugePages-0")
    ),
    *(
        (f'the medium "{medium}" where {" and ".join(requests) or "nothing"} is requested', paged(medium, *requests), PLAIN)
        for medium in ("HugePages", "HugePages-2Mi")
        for requests in ((), ("hugepages-2Mi",), ("hugepages-2048Ki",), ("hugepages-1Gi",), ("hugepages-2Mi", "hugepages-1Gi"))
    ),
    ("a volume of huge pages that nobody mounts", paged("HugePages", name="nobody"), PLAIN),
    ("all that is counted is a server", serving(["sshd", "-D"], ["/usr/sbin/sshd", "-De"], policy={"operator": "Any"}), PLAIN),
    ("any of those that are counted ends", serving(["sshd", "-D"], ["train"], policy={"operator": "Any"}), PLAIN),
    ("one of all never ends", serving(["train"], ["sshd", "-D"], ["train"]), PLAIN),
    ("one of all never ends, says the policy", serving(["train"], ["sshd", "-D"], policy={"operator": "All"}), PLAIN),
    ("the server alone is counted", serving(["train"], ["sshd", "-D"], policy={"operator": "Any", "targetReplicatedJobs": ["job1"]}), PLAIN),
    ("the server is not counted", serving(["train"], ["sshd", "-D"], policy={"operator": "All", "targetReplicatedJobs": ["job0"]}), PLAIN),
    ("nobody but servers", serving(["sshd", "-D"]), PLAIN),
    *(
        (f"{' '.join(command)} {'is' if serves else 'is not'} a server", serving(command, ["train"]), PLAIN)
        for serves, command in (
            (True, ["sh", "-c", "mkdir /run/sshd; /usr/sbin/sshd -eD"]),
            (True, ["sh", "-c", "true && sshd -p 22 -D"]),
            (False, ["sh", "-c", "sshd -D & train"]),
            (False, ["sh", "-c", "sshd -e"]),
            (False, ["mysshd", "-D"]),
            (False, ["sshd", "-D; train"]),
        )
    ),
    ("a server by its args", runtime(None, job("a", None, containers=[container(command=["sshd"], args=["-D"])])), PLAIN),
    (
        "what a patch makes never start is told at the patch",
        runtime(TORCH),
        patched(
            {
                "schedulingGates": [{"name": "a.io/b"}],
                "volumes": [{"name": "v", "emptyDir": {"medium": "x"}}],
                "containers": [{"name": "node", "volumeMounts": [{"name": "v", "mountPath": "/v"}]}],
            }
        ),
    ),
]
TWO_NAMES: Tree = {"limits": {"nvidia.com/gpu": 1, "amd.com/gpu": 2}, "requests": {"nvidia.com/gpu": 1, "amd.com/gpu": 2}}
PORTS: list[Case] = [
    (f"ports {what}", node(ports=list(ports)), PLAIN)
    for what, *ports in (
        ("of one name", {"name": "a", "containerPort": 80}),
        ("without names", {"containerPort": 80}, {"containerPort": 81}, {"containerPort": 82}),
        ("of two protocols", {"name": "a", "containerPort": 80, "protocol": "UDP"}, {"name": "b", "containerPort": 80, "protocol": "TCP"}),
        ("of the host", {"containerPort": 29500, "hostPort": 29500}),
        ("of the host and its address", {"name": "a", "containerPort": 29500, "hostPort": 29500, "hostIP": "10.0.0.1"}),
        ("of the host beside another", {"name": "a", "containerPort": 80, "hostPort": 80}, {"name": "b", "containerPort": 81, "hostIP": "10.0.0.1"}),
        ("that the controller writes, of another protocol", {"containerPort": 29500, "protocol": "UDP"}),
        ("that the controller writes, with a name", {"name": "a", "containerPort": 29500}, {"name": "b", "containerPort": 80}),
    )
]
KUEUES: Tree = {"kueue.x-k8s.io/queue-name": "q"}
OTHERS: list[Case] = [
    ("two names of GPUs in the runtime, no spec.trainer", node(resources=TWO_NAMES), trainjob()),
    ("two names of GPUs in the runtime", node(resources=TWO_NAMES), PLAIN),
    ("two names of GPUs in the TrainJob", runtime(TORCH), trainjob({"resourcesPerNode": TWO_NAMES})),
    ("a queue of the runtime, and a patch of no template", runtime({}, metadata={"labels": KUEUES}), patched()),
    (
        "a queue in a patch of the pods",
        runtime({}),
        trainjob(
            {},
            runtimePatches=[
                {
                    "manager": "acme.io/x",
                    "trainingRuntimeSpec": {
                        "template": {
                            "spec": {
                                "replicatedJobs": [
                                    {"name": "node"},
                                    {"name": "b", "template": {"spec": {"template": {"metadata": {"labels": KUEUES}}}}},
                                ]
                            }
                        }
                    },
                }
            ],
        ),
    ),
    (
        "a full host name of the second job",
        runtime(TORCH, job("a", None), job(setHostnameAsFQDN=True)),
        trainjob({}, metadata={"name": "abcd", "namespace": "n" * 40}),
    ),
    (
        "LoRA for a trainer that is not the first job",
        runtime(TORCH, job("a", None), job(containers=[container(command=["tune", "run", "full_a"])])),
        tuned("model.lora_rank=8"),
    ),
    *(
        (f"3 replicas of node without {policy}", runtime(given, {**job("node", None), "replicas": 3}), trainjob())
        for policy, given in (("a policy", None), ("mpi", {}))
    ),
    (
        "limits of the second container alone are not requested",
        runtime({}, job(schedulerName="s", containers=[container(resources=GPUS), container("side", resources={"limits": {"cpu": 1}})]), gang=COSCHEDULING),
        PLAIN,
    ),
    ("no more than limits that are requested", runtime({}, job(schedulerName="s", containers=[container(resources=GPUS)]), gang=COSCHEDULING), PLAIN),
]
NAMES: list[Case] = [
    *((f"a namespace of {length}, the Service called after the TrainJob", runtime(TORCH, FULL), named(length)) for length in (27, 28, 29, 30, 33, 34, 35)),
    *((f"a namespace of {length}, a Service of its own", runtime(TORCH, FULL, network={"subdomain": "s"}), named(length)) for length in (30, 31, 32, 33, 34)),
    (
        "the last of several Jobs has the longest name",
        runtime(None, {**job("many", None, setHostnameAsFQDN=True, spec={"parallelism": 11, "completions": 11}), "replicas": 11}),
        named(20),
    ),
    ("pods without index", runtime(None, job("a", None, setHostnameAsFQDN=True, spec={"completionMode": "NonIndexed"})), named(30)),
    ("a pod's own subdomain", runtime(TORCH, job(setHostnameAsFQDN=True, subdomain="s" * 20), network={"enableDNSHostnames": False}), named(20)),
]
GANGS: list[Case] = [
    ("jobs that wait for others", runtime(TORCH, job("a", None), after("a", of=job("node")), gang=COSCHEDULING), trainjob({"numNodes": 3})),
    ("jobs in order", runtime(TORCH, job("a", None), job(), gang=VOLCANO, startupPolicy={"startupPolicyOrder": "InOrder"}), trainjob({"numNodes": 3})),
    ("one job in order waits for nobody", runtime(TORCH, job(), gang=VOLCANO, startupPolicy={"startupPolicyOrder": "InOrder"}), PLAIN),
    ("jobs in any order", runtime(TORCH, job("a", None), job(), gang=VOLCANO, startupPolicy={"startupPolicyOrder": "AnyOrder"}), PLAIN),
    ("every job has a scheduler", runtime(TORCH, job("a", None, schedulerName="s"), job(schedulerName="s"), gang=VOLCANO), PLAIN),
    ("two jobs of three have none", runtime(TORCH, job("a", None), job("b", None, schedulerName="s"), job(), gang=COSCHEDULING), PLAIN),
    (
        "resources that are limited and not requested",
        runtime(TORCH, job(schedulerName="s"), gang=COSCHEDULING),
        trainjob({"resourcesPerNode": {"limits": {"cpu": 1, "memory": "1Gi"}, "requests": {"cpu": 1}}}),
    ),
    (
        "the runtime's that are limited and not requested",
        runtime(
            {},
            job("a", None, schedulerName="s", containers=[container(), container("side", resources={"limits": {"cpu": 1, "a/gpu": 1}})]),
            job(schedulerName="s"),
            gang=COSCHEDULING,
        ),
        PLAIN,
    ),
    (
        "three jobs of two priorities",
        runtime(
            {},
            *(job(name, None, schedulerName="s", priorityClassName=priority) for name, priority in (("a", "high"), ("b", "low"), ("c", "low"))),
            gang=VOLCANO,
        ),
        PLAIN,
    ),
    ("three jobs of one priority", runtime({}, *(job(name, None, schedulerName="s", priorityClassName="low") for name in "abc"), gang=VOLCANO), PLAIN),
    *(
        (
            f"a queue of the TrainJob, {queue or 'none'} of the JobSet",
            runtime({}, job(schedulerName="s"), gang=VOLCANO, metadata={"annotations": {"scheduling.volcano.sh/queue-name": queue}} if queue else None),
            trainjob({}, metadata={"annotations": {"scheduling.volcano.sh/queue-name": "q"}}),
        )
        for queue in ("", "q", "r")
    ),
    ("no policy of a gang", runtime({}, job("a", None), job(), gang={}), PLAIN),
]
PROCESSES: list[Case] = [
    *((f"{asked} processes on 4 GPUs", runtime(TORCH), asking(asked, **{"nvidia.com/gpu": 4})) for asked in (1, 2, 3, 4, 5, "auto")),
    ("two processes on one GPU", runtime(TORCH), asking(2, **{"nvidia.com/gpu": 1})),
    ("no process on two GPUs", runtime(TORCH), asking(0, **{"nvidia.com/gpu": 2})),
    ("two kinds of GPUs", runtime(TORCH), asking(2, **{"nvidia.com/gpu": 1, "amd.com/gpu": 1})),
    ("no GPUs", runtime(TORCH), asking(2, cpu=4)),
    ("slots of MPI on GPUs", runtime(MPI, launcher(), workers()), asking(2, **{"nvidia.com/gpu": 4})),
    ("processes of a policy without any", runtime({}), asking(2, **{"nvidia.com/gpu": 4})),
    ("-1 processes", runtime(TORCH), asking(-1)),
    ("-1 processes of the runtime's MPI", runtime({"mpi": {"numProcPerNode": -1, "sshAuthMountPath": "/home/mpiuser/.ssh"}}, launcher(), workers()), PLAIN),
]
READ: list[Case] = [
    ("names of the JobSet", runtime({}, metadata={"name": "a", "namespace": "b", "finalizers": ["c.io/d"]}), PLAIN),
    ("labels of the JobSet", runtime({}, metadata={"labels": {"a": "b"}}), PLAIN),
    (
        "names of Jobs and pods",
        runtime(
            {},
            {
                "name": "node",
                "template": {
                    "metadata": {"name": "a", "namespace": "b", "finalizers": ["c.io/d"]},
                    "spec": {"template": {"metadata": {"name": "e", "namespace": "f", "finalizers": ["g.io/h"]}, "spec": {"containers": [container()]}}},
                },
            },
        ),
        PLAIN,
    ),
    ("a network without names", runtime({}, network={"enableDNSHostnames": False, "subdomain": "s", "publishNotReadyAddresses": False}), PLAIN),
    ("a network with names", runtime({}, network={"enableDNSHostnames": True, "subdomain": "job", "publishNotReadyAddresses": False}), PLAIN),
    (
        "two rules behind one that catches all",
        failing({"name": "a", "action": "FailJobSet"}, {"name": "b", "action": "RestartJobSet"}, {"name": "c", "action": "FailJobSet"}, maxRestarts=1),
        PLAIN,
    ),
    *((f"maxRestarts {most}", failing(maxRestarts=most), PLAIN) for most in (-1, 0, 1)),
    *(
        (
            f"a rule that restarts, and maxRestarts {most}",
            failing({"name": "a", "action": "FailJobSet", "targetReplicatedJobs": ["node"]}, {"name": "b", "action": "RestartJobSet"}, maxRestarts=most),
            PLAIN,
        )
        for most in (-1, 0, 1)
    ),
    ("a rule that restarts one Job", failing({"name": "a", "action": "RestartJob"}), PLAIN),
    ("a rule that restarts uncounted", failing({"name": "a", "action": UNCOUNTED, "targetReplicatedJobs": ["node"]}), PLAIN),
    *(
        (f"the pattern {pattern}", failing({"name": "a", "action": "FailJobSet", "onJobFailureMessagePatterns": ["fine", pattern]}, maxRestarts=1), PLAIN)
        for pattern in ("[a", "(a", "a)", "+", "a\\", "[b-a]", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?>a)", "(a)\\1", "\\Qa\\E", "(?P<a>b)", "a{2}")
    ),
]
DOWNLOADS: list[Case] = [
    (
        f"storageUri hf://a/b, STORAGE_URI {entry}",
        runtime(TORCH, initializer(), after("dataset-initializer")),
        trainjob({}, initializer={"dataset": {"storageUri": "hf://a/b", "env": [{"name": "A", "value": "x"}, {"name": "STORAGE_URI", **entry}]}}),
    )
    for entry in ({"value": "hf://c/d"}, {"value": "hf://a/b"}, {"valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}})
]
DOWNLOADS += [
    (
        f"the dataset {uri}",
        runtime(TORCH, initializer(image=UPSTREAMS, **MOUNTS), after("dataset-initializer")),
        trainjob({}, initializer={"dataset": {"storageUri": uri}}),
    )
    for uri in (
        "",
        "hf",
        "hf:/a",
        "hf://a/b",
        "s3://a/b",
        "gs://a/b",
        "cache://a/b",
        "cache://a",
        "cache:///b",
        "cache://a/",
        "cache://a/b/c",
        "cache://a//c",
        "cache:///b/c",
    )
]
DOWNLOADS += [
    (
        f"the model {uri}",
        runtime(TORCH, initializer("model-initializer", image="ghcr.io/kubeflow/trainer/model-initializer", **MOUNTS), after("model-initializer")),
        trainjob({}, initializer={"model": {"storageUri": uri}}),
    )
    for uri in ("hf://a/b", "s3://a/b", "cache://a/b")
]
DOWNLOADS += [
    ("nobody downloads", runtime(TORCH), trainjob({}, initializer={"dataset": {"storageUri": "hf://a/b"}, "model": {"storageUri": "hf://c/d"}})),
    (
        "a label without the container",
        runtime(TORCH, job("dataset-initializer", "dataset-initializer", **CLAIM), after("dataset-initializer")),
        trainjob({}, initializer={"dataset": {"storageUri": "hf://a/b"}}),
    ),
    *(
        (
            f"the trainer comes {'before' if first else 'after'} what it waits for",
            runtime(TORCH, *((job(), initializer()) if first else (initializer(), job()))),
            PLAIN,
        )
        for first in (True, False)
    ),
    ("two initializers, one of them awaited", runtime(TORCH, initializer(), initializer("model-initializer"), after("model-initializer")), PLAIN),
    (
        "two initializers, one complete and one ready",
        runtime(
            TORCH,
            initializer(),
            initializer("model-initializer"),
            {**job(), "dependsOn": [{"name": "dataset-initializer", "status": "Complete"}, {"name": "model-initializer", "status": "Ready"}]},
        ),
        PLAIN,
    ),
    ("awaited through another job", runtime(TORCH, initializer(), after("dataset-initializer", of=job("mid", None)), after("mid", "Ready")), PLAIN),
]
JOBS: list[Case] = [
    *(
        (
            f"parallelism {pods}, completions {runs}",
            runtime(TORCH, job(spec={key: value for key, value in (("parallelism", pods), ("completions", runs)) if value is not None})),
            asked,
        )
        for pods, runs, asked in (
            (None, 1, PLAIN),
            (None, 2, PLAIN),
            (2, 2, PLAIN),
            (2, 3, PLAIN),
            (0, None, PLAIN),
            (0, 0, PLAIN),
            (2, None, PLAIN),
            (1, None, PLAIN),
        )
    ),
    ("parallelism 2 where the TrainJob says 3", runtime(TORCH, job(spec={"parallelism": 2})), trainjob({"numNodes": 3})),
    ("parallelism 2 of a launcher where the TrainJob says 3", runtime(MPI, launcher(spec={"parallelism": 2}), workers()), trainjob({"numNodes": 3})),
    *(
        (f"{replicas} replicas {'in a gang' if gang else 'alone'}", runtime(None, {**job("etl", None), "replicas": replicas}, gang=gang), trainjob())
        for replicas in (0, 1, 2, 3)
        for gang in (None, VOLCANO)
    ),
    *(
        (
            f"3 replicas of {name}, launcher {'as node' if as_node else 'alone'}",
            runtime(
                {"mpi": {"runLauncherAsNode": as_node, **MPI["mpi"]}},
                *({**each, "replicas": 3} if each["name"] == name else each for each in (job("launcher", None), workers())),
            ),
            trainjob({"numNodes": 2}),
        )
        for name in ("launcher", "node")
        for as_node in (True, False)
    ),
    *(
        (f"the trainer is called {name} and its Service {subdomain}", runtime(policy, job(name), network={"subdomain": subdomain}), asked)
        for name, subdomain in (("node", "job"), ("fit", "job"), ("node", "s"), ("fit", "s"))
        for policy, asked in ((TORCH, PLAIN), ({}, PLAIN))
    ),
    ("the address is in the TrainJob's own command", runtime({}, job("fit")), started("train", "job-node-0-0.job", gpus=False)),
    ("two trainers more", runtime(TORCH, job(), job("b"), job("c")), PLAIN),
    ("two trainers of MPI", runtime(MPI, launcher(), job()), trainjob({"numNodes": 2})),
]
SSH: list[Case] = [
    (
        "a launcher that waits for workers that never end",
        runtime(MPI, {**launcher(), "dependsOn": [{"name": "node", "status": "Complete"}]}, workers(containers=SSHD)),
        PLAIN,
    ),
    ("a launcher that waits for workers that end", runtime(MPI, workers(), {**launcher(), "dependsOn": [{"name": "node", "status": "Complete"}]}), PLAIN),
    (
        "a launcher that waits for workers that are not probed",
        runtime(MPI, workers(), {**launcher(), "dependsOn": [{"name": "node", "status": "Ready"}]}),
        PLAIN,
    ),
    *(
        (
            f"workers with a {probe}",
            runtime(
                MPI,
                workers(containers=[container() | {probe: {"tcpSocket": {"port": 2222}}}]),
                {**launcher(), "dependsOn": [{"name": "node", "status": "Ready"}]},
            ),
            PLAIN,
        )
        for probe in ("readinessProbe", "startupProbe", "livenessProbe")
    ),
    *(
        (
            f"keys of root, {user}",
            runtime({"mpi": {"sshAuthMountPath": "/root/.ssh"}}, launcher(securityContext=user), workers(containers=[container(securityContext=user)])),
            PLAIN,
        )
        for user in ({}, {"runAsUser": 0}, {"runAsUser": 1000})
    ),
    *(
        (f"keys and {user}", runtime(MPI, launcher(containers=[container(securityContext=user)]), workers()), PLAIN)
        for user in ({"runAsUser": 1000, "runAsGroup": 0}, {"runAsUser": 1000, "runAsGroup": 7})
    ),
    *(
        (f"{field} {value}", runtime(MPI, launcher(), workers(), network={field: value}), PLAIN)
        for field in ("publishNotReadyAddresses", "enableDNSHostnames")
        for value in (True, False)
    ),
    *(
        (f"no {missing}, launcher {'as node' if as_node else 'alone'}", runtime({"mpi": {"runLauncherAsNode": as_node, **MPI["mpi"]}}, *jobs), PLAIN)
        for as_node in (True, False)
        for missing, jobs in (("node", (launcher(),)), ("launcher", (workers(),)), ("launcher and no node", (job("a"), job("b", None), job("c", None))))
    ),
    ("containers of other names", runtime(MPI, launcher(containers=[container("a"), container("b")]), workers(containers=[container("c")])), PLAIN),
    *(
        (f"{nodes} nodes of a launcher that is one", runtime({"mpi": {"runLauncherAsNode": True, **MPI["mpi"]}}, launcher(), workers()), asked)
        for nodes, asked in (("no", PLAIN), ("1", trainjob({"numNodes": 1})), ("2", trainjob({"numNodes": 2})), ("unasked", trainjob()))
    ),
    *(
        (
            f"{what} of spec.trainer, {'trained' if label else 'plain'} workers",
            runtime(MPI, launcher() if not label else job("launcher", None), workers() if not label else job()),
            trainjob({"numNodes": 1, **given}),
        )
        for label in (True, False)
        for what, given in (
            ("command", {"command": ["a"]}),
            ("command and args", {"command": ["a"], "args": ["b"]}),
            ("image", {"image": "other:1"}),
            ("the same image", {"image": "example/train:1"}),
            ("env", variables(("A", "1"), ("B", "2"))),
            ("image and env", {"image": "other:1", **variables(("A", "1"))}),
            ("all", {"image": "other:1", **variables(("A", "1")), "resourcesPerNode": GPUS}),
            ("resources", {"resourcesPerNode": GPUS}),
        )
    ),
    *(
        (
            f"GPUs of the workers: {count}",
            runtime(MPI, launcher(), workers(containers=[container(resources={"limits": {"nvidia.com/gpu": count}, "requests": {"nvidia.com/gpu": count}})])),
            PLAIN,
        )
        for count in (1, 2)
    ),
    ("several launchers", runtime({"numNodes": 3, **MPI}, launcher(), workers()), trainjob({"numNodes": 2})),
    (
        "a variable of Open MPI 5",
        runtime(MPI, launcher(containers=[container(**variables(("PRTE_MCA_prte_default_hostfile", "/x")))]), workers()),
        trainjob({"numNodes": 2}),
    ),
    *(
        (
            f"reserved variables of {implementation}",
            runtime({"mpi": {"mpiImplementation": implementation, **MPI["mpi"]}}, launcher(), workers()),
            trainjob({"numNodes": 1, **variables(("A", "1"), ("OMPI_MCA_orte_keep_fqdn_hostnames", "false"))}),
        )
        for implementation in ("OpenMPI", "Intel", "MPICH")
    ),
]
OVERWRITTEN: list[Case] = [
    *(
        (f"JobSets of {manager}", runtime(TORCH, managedBy=manager), PLAIN)
        for manager in ("jobset.sigs.k8s.io/jobset-controller", "kueue.x-k8s.io/multikueue", "a.io/b")
    ),
    *(
        (f"Jobs of {manager}", runtime(TORCH, job("a", None), job(spec={"managedBy": manager})), PLAIN)
        for manager in ("kubernetes.io/job-controller", "kueue.x-k8s.io/multikueue", "a.io/b")
    ),
    *((f"suspend {value}", runtime(TORCH, job(spec={"suspend": value}), suspend=value), PLAIN) for value in (True, False)),
    ("hostname and subdomain", runtime(TORCH, job("a", None), job(hostname="h", subdomain="s")), PLAIN),
    ("hostname of pods without index", runtime(None, job("a", None, hostname="h", subdomain="s", spec={"completionMode": "NonIndexed"})), trainjob()),
    ("a coordinator without names", runtime(None, network={"enableDNSHostnames": False}, coordinator={"replicatedJob": "node"}), trainjob()),
    *(
        (
            f"the node's network and dnsPolicy {policy}",
            runtime(TORCH, job("a", None), job(hostNetwork=True, dnsPolicy=policy)),
            PLAIN,
        )
        for policy in ("ClusterFirst", "Default", "ClusterFirstWithHostNet")
    ),
    *(
        (
            f"complete with {operator} of {' and '.join(counted) or 'none named'}",
            runtime(
                TORCH,
                initializer(),
                after("dataset-initializer", of=job("mid", None)),
                {**job(), "dependsOn": [{"name": "mid", "status": "Complete"}]},
                successPolicy={"operator": operator, **({"targetReplicatedJobs": counted} if counted else {})},
            ),
            PLAIN,
        )
        for operator in ("Any", "All")
        for counted in ([], ["mid"], ["mid", "dataset-initializer"], ["node"], ["mid", "node"])
    ),
    ("what a job that is only ready ends", runtime(TORCH, job("a", None), after("a", "Ready"), successPolicy={"operator": "Any"}), PLAIN),
    ("variables that the policy writes with another value", node(**variables(("A", "1"), ("PET_NNODES", "9"), ("PET_NODE_RANK", "0"))), PLAIN),
    ("what an init container has is its own", runtime(TORCH, job(initContainers=[container("first", **variables(("PET_NNODES", "9")))])), PLAIN),
    ("what another container has is its own", runtime(TORCH, job(containers=[container(), container("side", **variables(("PET_NNODES", "9")))])), PLAIN),
]
MOUNTED: list[Case] = [
    *(
        (f"mounted at {path}", mounting(path), PLAIN)
        for path in ("/data", "data", "//data", "/data/", "/a/../b", "/", "$HOME/x", "/x/$(A)", "/x/${A}", "/a~b", "/a$")
    ),
    (
        "one volume twice at one path",
        runtime(
            TORCH,
            job(
                containers=[container(volumeMounts=[{"name": "v", "mountPath": "/data"}, {"name": "v", "mountPath": "/data/", "readOnly": True}])],
                volumes=[{"name": "v", "emptyDir": {}}],
            ),
        ),
        PLAIN,
    ),
    (
        "in an init container of the second job",
        runtime(
            TORCH,
            job(),
            job("b", None, initContainers=[container("first", volumeMounts=[{"name": "v", "mountPath": "~"}])], volumes=[{"name": "v", "emptyDir": {}}]),
        ),
        PLAIN,
    ),
    ("a subPath with a variable of a shell", mounting("/data", subPath="a/$USER"), PLAIN),
    ("a plain subPath", mounting("/data", subPath="a"), PLAIN),
]
IMAGES: list[Case] = [
    (f"the image {image}", node({}, image=image), trainjob({"image": image}))
    for image in (
        "a",
        "A/b",
        "a/B",
        "B",
        "a/b:",
        "a/b:v 1",
        "http://a/b",
        "a/b:c:d",
        "a//b",
        "h.io:5000/a/b@sha256:" + "0" * 32,
        "a/b@sha256:" + "0" * 31,
        "a/TODO",
        "a/todos",
        "a/b:${V}",
        " a ",
        "[::1]:5000/a",
    )
]
QUANTITIES: list[Case] = [
    (
        f"memory {text}",
        node({}, resources={"limits": {"memory": text}, "requests": {"memory": text}}),
        trainjob({"resourcesPerNode": {"limits": {"ephemeral-storage": text}}}),
    )
    for text in ("1", "1m", "999m", "1001m", "512", "512m", "1048575", "1048576", "1023Ki", "1Mi", "0", "1e3", "0.5", "1500k")
]
QUANTITIES += [
    (f"a device {name}", runtime({}), trainjob({"resourcesPerNode": {"limits": {name: 1}}}))
    for name in ("nvidia.com/gpus", "NVIDIA.com/gpu", "nvida.com/gpu", "amd/gpus", "amd.com/gpus", "intel.com/gpu", "nvidia.com/cpu", "xyz/gpu")
]
QUEUES: list[Case] = [
    ("no quantity is written otherwise", runtime({}), queued(cpu="500m", memory="1Gi")),
    ("two quantities are", runtime({}), queued(cpu="0.5", memory="2048Ki")),
    (
        "requests alone are",
        runtime({}),
        trainjob({"resourcesPerNode": {"requests": {"cpu": "1000m"}}}, metadata={"labels": {"kueue.x-k8s.io/queue-name": "q"}}),
    ),
]
COUNTS: list[Case] = [
    *(
        (f"{name} of the TrainJob in {policy or 'no policy'}", given, trainjob({"resourcesPerNode": {"limits": {name: 4}, "requests": {name: 4}}}))
        for name in ("google.com/tpu", "cloud-tpus.google.com/v5", "habana.ai/gaudi", "nvidia.com/gpumem", "a/gpu-core", "example.com/thing", "gpu")
        for policy, given in (("torch", runtime(TORCH)), ("mpi", runtime(MPI, launcher(), workers())), ("", runtime({})))
    ),
    (
        "two shares and two accelerators",
        runtime(TORCH),
        trainjob({"resourcesPerNode": {"limits": {"a/gpumem": 1, "b/gpucores": 2, "c/tpu": 1, "d/npu": 1}, "requests": {"cpu": 2}}}),
    ),
    (
        "resources of the runtime beside those of the TrainJob",
        node(resources={"limits": {"memory": "1Gi", "cpu": 4}, "requests": {"cpu": 4}}),
        trainjob({"resourcesPerNode": {"limits": {"cpu": 2}, "requests": {"cpu": 2}}}),
    ),
    (
        "GPUs of the runtime beside resources of the TrainJob",
        node(resources=GPUS),
        trainjob({"resourcesPerNode": {"limits": {"cpu": 2}, "requests": {"cpu": 2}}}),
    ),
    ("the same resources", node(resources=GPUS), trainjob({"resourcesPerNode": GPUS})),
    ("no resources at all", runtime(TORCH), trainjob({"resourcesPerNode": {"limits": {}, "requests": {}}})),
    ("processes that the runtime asks for", runtime({"torch": {"numProcPerNode": 4}}), PLAIN),
    ("one process that the runtime asks for", runtime({"torch": {"numProcPerNode": 1}}), PLAIN),
    (
        "processes by GPUs that the runtime asks for",
        runtime({"torch": {"numProcPerNode": "gpu"}}),
        trainjob({"resourcesPerNode": {"limits": {"nvidia.com/gpu": 2}}}),
    ),
    *(
        (f"limits {limits}, requests {requests}", runtime(TORCH), trainjob({"resourcesPerNode": {"limits": limits, "requests": requests}}))
        for limits, requests in (({"nvidia.com/gpu": 2}, {"cpu": 1}), ({"cpu": 2}, {"nvidia.com/gpu": 2}), ({"cpu": 2}, {"cpu": 1}))
    ),
]
TORCHES: list[Case] = [
    ("reserved variables behind another", runtime(TORCH), trainjob({**variables(("A", "1"), ("PET_NNODES", "2"), ("PET_MASTER_PORT", "1"))})),
    ("elastic training", runtime({"torch": {"elasticPolicy": {"minNodes": 1, "maxNodes": 2}}}), PLAIN),
    *(
        (f"the argument {arg}", TUNE, tuned("epochs=1", arg))
        for arg in (
            "model.lora_rank=8",
            "model.quantize_base=True",
            "model.use_dora=True",
            "model.use_doras=True",
            "xmodel.lora_rank=8",
            "model.apply_lora_to_mlp=1",
        )
    ),
    ("an argument of LoRA for a command that is no tune run", node(command=["full_tune", "run"]), tuned("model.lora_rank=8")),
    ("an argument of LoRA for a recipe that is not full", node(command=["tune", "run", "lora_finetune_distributed"]), tuned("model.lora_rank=8")),
    ("no spec.trainer, one node", runtime(TORCH), trainjob()),
    ("no spec.trainer, three nodes", runtime({"numNodes": 3, "torch": {}}), trainjob()),
    ("no spec.trainer and no container of that name", runtime(TORCH, job(containers=[container("a")])), trainjob()),
    *((f"mlPolicy.numNodes {nodes}", runtime({"numNodes": nodes}), PLAIN) for nodes in (0, 1)),
    *((f"spec.trainer.numNodes {nodes}", runtime(TORCH), trainjob({"numNodes": nodes})) for nodes in (0, 1)),
    ("a TrainJob of another cluster", runtime(TORCH), trainjob({}, managedBy="kueue.x-k8s.io/multikueue")),
    ("a TrainJob of Trainer", runtime(TORCH), trainjob({}, managedBy="trainer.kubeflow.org/trainjob-controller")),
    (
        "everything for a container that is not there",
        runtime(TORCH, job(containers=[container("a")])),
        trainjob({"image": "b:1", "command": ["c"], "args": ["d"], **variables(("E", "f")), "resourcesPerNode": GPUS, "numNodes": 2, "numProcPerNode": 2}),
    ),
    (
        "everything for a job that is not there",
        runtime({}, job(ancestor=None)),
        trainjob({"image": "b:1", "command": ["c"], "args": ["d"], **variables(("E", "f")), "resourcesPerNode": GPUS, "numNodes": 2, "numProcPerNode": 2}),
    ),
]
CASES = [
    *(PORTS + OTHERS + COMMANDS + ENDLESS + NAMES + GANGS + PROCESSES + READ + DOWNLOADS + JOBS + SSH + OVERWRITTEN),
    *(MOUNTED + IMAGES + QUANTITIES + QUEUES + COUNTS + TORCHES),
]


@pytest.mark.parametrize(("given", "asked"), [pytest.param(given, asked, id=claim) for claim, given, asked in CASES])
def test_bound(given: Tree, asked: Tree, snapshot: SnapshotAssertion) -> None:
    assert by_release(lambda release: compiled(given, asked, release).diagnostics, ALL) == snapshot
