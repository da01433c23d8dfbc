"""Silent failures: an input that raises each, in which releases and at which place, and a near miss that does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import jobset_compiler as jc
from jobset_compiler import runtimes
from jobset_compiler.diagnostics.codes import silent
from jobset_compiler.diagnostics.codes.code import Code
from jobset_compiler.diagnostics.place import format_path
from tests.findings.said import by_release, ids
from tests.passes.plans import compiled, container, job, runtime, trainjob

Tree = dict[str, Any]
ALL = ("v2.0", "v2.1", "v2.2", "v2.3")
FROM_2_1, FROM_2_2, BEFORE_2_3 = ALL[1:], ALL[2:], ALL[:3]
EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.yaml"))
TORCH: Tree = {"torch": {}}
MPI: Tree = {"mpi": {"sshAuthMountPath": "/home/mpiuser/.ssh"}}
JOBS = "spec.template.spec.replicatedJobs"
POD = "template.spec.template.spec"
NODE = f"{JOBS}[0].{POD}.containers[0]"
RAM: Tree = {"name": "shm", "emptyDir": {"medium": "RAM"}}
HUGE: Tree = {"name": "shm", "emptyDir": {"medium": "HugePages"}}
AT_SHM: Tree = {"volumeMounts": [{"name": "shm", "mountPath": "/dev/shm"}]}
MOUNTING: Tree = {"name": "node", **AT_SHM}
GPUS = {"limits": {"nvidia.com/gpu": 4}, "requests": {"nvidia.com/gpu": 4}}
CLAIM: Tree = {"volumes": [{"name": "initializer", "persistentVolumeClaim": {"claimName": "data"}}]}
MOUNTS: Tree = {"volumeMounts": [{"name": "initializer", "mountPath": "/workspace"}]}


def initializer(name: str = "dataset-initializer", *, waits: list[Tree] | None = None, pod: Tree | None = None, **fields: Any) -> Tree:
    """An initializer that keeps what it downloads, unless told otherwise."""
    tree = job(name, name, containers=[container(name, **(fields or MOUNTS))], **(CLAIM if pod is None else pod))
    return {**tree, "dependsOn": waits} if waits else tree


def after(name: str, status: str = "Complete", *, of: Tree | None = None) -> Tree:
    return {**(of or job()), "dependsOn": [{"name": name, "status": status}]}


def paged(*sizes: str) -> Tree:
    """Resources with huge pages of these sizes."""
    return {"limits": {"memory": "1Gi", **{f"hugepages-{size}": "1Gi" for size in sizes}}}


def shared(medium: str, *sizes: str, **pod: Any) -> Tree:
    """A runtime whose node mounts an emptyDir of that medium, and requests huge pages of these sizes."""
    volume = {"name": "shm", "emptyDir": {"medium": medium} if medium else {}}
    return runtime(TORCH, job(containers=[container(resources=paged(*sizes), **AT_SHM)], volumes=[volume], **pod))


def launcher(**pod: Any) -> Tree:
    return job("launcher", **pod)


def workers(name: str = "node", **pod: Any) -> Tree:
    return job(name, None, **pod)


# code, runtime, TrainJob, place, releases that raise it among all
Row = tuple[Code, Tree, Tree, str, tuple[str, ...]]
ROWS: list[Row] = [
    (silent.MPI_JOB_NAMES, runtime(MPI, launcher(), workers("worker")), trainjob({"numNodes": 4}), f"{JOBS}[1].name", ALL),
    (silent.MPI_JOB_NAMES, runtime(MPI, launcher(), workers(containers=[container("worker")])), trainjob({}), f"{NODE.replace('[0].t', '[1].t')}.name", ALL),
    (silent.MPI_JOB_NAMES, runtime(MPI, job("head"), workers()), trainjob({}), f"{JOBS}[0].name", ALL),
    (silent.MPI_JOB_NAMES, runtime(MPI, launcher()), trainjob({}), "spec.mlPolicy.mpi", ALL),
    (silent.MPI_KEY_UNREADABLE, runtime(MPI, launcher(securityContext={"runAsUser": 1000}), workers()), trainjob({}), NODE, ("v2.3",)),
    (silent.RUNTIME_WITHOUT_JOBS, {**runtime(None), "spec": {"template": {"spec": {}}}}, trainjob({"numNodes": 2}), "spec.template.spec", ALL),
    (silent.INITIALIZER_NOT_AWAITED, runtime(TORCH, initializer(), job()), trainjob({}), f"{JOBS}[1]", ALL),
    (silent.INITIALIZER_NOT_AWAITED, runtime(TORCH, initializer(), after("dataset-initializer", "Ready")), trainjob({}), f"{JOBS}[1].dependsOn", ALL),
    (
        silent.INITIALIZER_NOT_AWAITED,
        runtime(TORCH, initializer(), job(), startupPolicy={"startupPolicyOrder": "InOrder"}),
        trainjob({}),
        f"{JOBS}[1]",
        ALL,
    ),
    (
        silent.INITIALIZER_WITHOUT_VOLUME,
        runtime(TORCH, initializer(pod={}, image="x"), after("dataset-initializer")),
        trainjob({}),
        NODE,
        BEFORE_2_3,
    ),
    (
        silent.INITIALIZER_WITHOUT_VOLUME,
        runtime(TORCH, initializer(pod={"volumes": [{"name": "initializer", "emptyDir": {}}]}), after("dataset-initializer")),
        trainjob({}),
        NODE,
        ALL,
    ),
    (silent.PODS_WITHOUT_INDEX, runtime(TORCH, job(spec={"completionMode": "NonIndexed"})), trainjob({}), f"{JOBS}[0].template.spec.completionMode", ALL),
    (silent.NO_PROCESSES, runtime(TORCH), trainjob({"numProcPerNode": 0}), "spec.trainer.numProcPerNode", ALL),
    (silent.NO_PROCESSES, runtime({"mpi": {"numProcPerNode": 0}}, launcher(), workers()), trainjob({}), "spec.mlPolicy.mpi.numProcPerNode", ALL),
]


def started(*command: str, nodes: int = 2, gpus: bool = True, args: tuple[str, ...] | None = None, **trainer: Any) -> Tree:
    """A TrainJob of two nodes with four GPUs each, unless told otherwise."""
    given: Tree = {"numNodes": nodes, **({"command": list(command)} if command else {}), **({"args": list(args)} if args else {}), **trainer}
    return trainjob({**given, **({"resourcesPerNode": GPUS} if gpus else {})})


def tolerating(*tolerations: Tree) -> Tree:
    """A TrainJob with a patch of the node's tolerations, as 2.2 and later spell it."""
    template = {"spec": {"template": {"spec": {"tolerations": list(tolerations)}}}}
    jobs = [{"name": "node", "template": template}]
    patches = [{"manager": "acme.io/x", "time": "2026-01-01T00:00:00Z", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": jobs}}}}]
    return trainjob({}, runtimePatches=patches)


def queued(**resources: Any) -> Tree:
    return trainjob({"resourcesPerNode": {"limits": resources}}, metadata={"labels": {"kueue.x-k8s.io/queue-name": "q"}})


def tuned(*args: str, command: list[str] | None = None) -> Tree:
    return trainjob({"args": list(args), **({"command": command} if command else {})})


COMMAND, ARGS = "spec.trainer.command", "spec.trainer.args"
TF_CONFIG = [{"name": "TF_CONFIG", "value": '{"cluster":{"worker":["a:1","b:1"]},"task":{"type":"worker","index":$(INDEX)}}'}]
TF_HOSTS = [{"name": "TF_CONFIG", "value": '{"cluster":{"worker":["job-node-0-0.job:1","job-node-0-1.job:1"]},"task":{"type":"worker","index":0}}'}]
UNDER = {"subdomain": "train"}
TUNE = runtime(TORCH, job(containers=[container(command=["tune", "run", "full_finetune_distributed"])]))
CLAIMS: Tree = {"requests": {"cpu": 16}, "claims": [{"name": "gpus"}]}
CACHE = runtime(
    TORCH,
    initializer(image="ghcr.io/kubeflow/trainer/dataset-initializer", env=[{"name": "CACHE_IMAGE", "value": "c:1"}], **MOUNTS),
    after("dataset-initializer"),
)
GPU_TAINT, SPOT_TAINT = {"key": "gpu", "operator": "Exists"}, {"key": "spot", "operator": "Exists"}
TOLERANT = runtime(TORCH, job(tolerations=[GPU_TAINT]))
SHELL = "\n".join(("set -e", "pip install x", "python train.py --epochs 3"))
ROWS += [
    (silent.NOT_STARTED_BY_TORCHRUN, runtime(TORCH), started("python", "/mnt/train.py"), f"{COMMAND}[0]", ALL),
    (silent.NOT_STARTED_BY_TORCHRUN, runtime(TORCH), started("python3.11", "-u", "-m", "pkg.train", gpus=False), f"{COMMAND}[0]", ALL),
    (silent.NOT_STARTED_BY_TORCHRUN, runtime(TORCH), started("bash", "-c", SHELL), f"{COMMAND}[0]", ALL),
    (silent.NOT_STARTED_BY_TORCHRUN, runtime(TORCH, job(containers=[container(command=["python", "a.py"])])), started(args=("x",)), f"{NODE}.command[0]", ALL),
    (silent.ARGS_FOR_THE_IMAGE, runtime(TORCH), started(args=("train.py",)), f"{ARGS}[0]", ALL),
    (silent.SEVERAL_WORDS_IN_ONE, runtime({}), started("torchrun train.py"), f"{COMMAND}[0]", ALL),
    (silent.SEVERAL_WORDS_IN_ONE, runtime(TORCH), started("torchrun", args=("train.py", "--epochs 3")), f"{ARGS}[1]", ALL),
    (silent.TORCHRUN_FLAG, runtime(TORCH), started("torchrun", "--nnodes=4", "t.py"), f"{COMMAND}[1]", ALL),
    (silent.TORCHRUN_FLAG, runtime(TORCH), started("torchrun", "--nproc-per-node", "2", "t.py"), f"{COMMAND}[1]", ALL),
    (silent.TORCHRUN_FLAG, runtime(TORCH), started("python", "-m", "torch.distributed.run", "--standalone", "t.py"), f"{COMMAND}[3]", ALL),
    (silent.TORCHRUN_FLAG, runtime(TORCH), started("sh", "-c", "exec torchrun --rdzv_endpoint=localhost:1 t.py"), f"{COMMAND}[2]", ALL),
    (silent.VARIABLE_STAYS_TEXT, runtime({}), started("train", args=("--out=$HOME/x",)), f"{ARGS}[0]", ALL),
    (silent.VARIABLE_STAYS_TEXT, runtime(TORCH), started("torchrun", "--node_rank=$(RANK)", "t.py"), f"{COMMAND}[1]", ALL),
    (silent.SHELL_IGNORES_WORDS, runtime({}), started("sh", "-c", "python", args=("train.py",)), f"{ARGS}[0]", ALL),
    (silent.CLAIMS_NOT_COUNTED, runtime(TORCH, job(containers=[container(resources=CLAIMS)])), trainjob({}), f"{NODE}.resources.claims", ALL),
    (
        silent.LIST_REPLACED,
        TOLERANT,
        tolerating(SPOT_TAINT),
        "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec.template.spec.tolerations",
        FROM_2_2,
    ),
    (silent.TF_CONFIG_SIZE, runtime({}, job(containers=[container(env=TF_CONFIG)])), trainjob({"numNodes": 3}), f"{NODE}.env[0]", ALL),
    (silent.TF_CONFIG_SIZE, runtime({}), trainjob({"numNodes": 1, "env": TF_CONFIG}), "spec.trainer.env[0]", ALL),
    (silent.TF_CONFIG_HOST, runtime({}, job(containers=[container(env=TF_HOSTS)]), network=UNDER), trainjob({"numNodes": 2}), f"{NODE}.env[0]", ALL),
    (silent.TUNE_WITHOUT_COMMAND, TUNE, tuned("epochs=1", "model.lora_attn_modules=[q]"), f"{ARGS}[1]", ALL),
    (silent.CACHE_URI, CACHE, trainjob({}, initializer={"dataset": {"storageUri": "cache://table"}}), "spec.initializer.dataset.storageUri", FROM_2_1),
    (silent.PLACEHOLDER_LEFT, runtime({}), trainjob({"image": "registry/a:${TAG}"}), "spec.trainer.image", ALL),
    (silent.PLACEHOLDER_LEFT, runtime({}), trainjob({"image": "registry/a:$(TAG)"}), "spec.trainer.image", ALL),
    (silent.PLACEHOLDER_LEFT, runtime({}), trainjob({"image": "CHANGEME"}), "spec.trainer.image", ALL),
    (silent.PLACEHOLDER_LEFT, runtime({}), trainjob({"env": [{"name": "A", "value": "${HOME}/x"}]}), "spec.trainer.env[0].value", ALL),
    (silent.PLACEHOLDER_LEFT, runtime({}), trainjob({"env": [{"name": "A", "value": "{{ team }}"}]}), "spec.trainer.env[0].value", ALL),
    (silent.PLACEHOLDER_LEFT, runtime({}, job(containers=[container(image="<IMAGE>")])), trainjob({}), f"{NODE}.image", ALL),
    (silent.PLACEHOLDER_LEFT, runtime({}, job(containers=[container(env=[{"name": "A", "value": "a ${B} c"}])])), trainjob({}), f"{NODE}.env[0].value", ALL),
    (silent.QUANTITY_NOT_CANONICAL, runtime({}), queued(cpu=8), "spec.trainer.resourcesPerNode.limits.cpu", FROM_2_2),
    (silent.QUANTITY_NOT_CANONICAL, runtime({}), queued(memory="1024Mi"), "spec.trainer.resourcesPerNode.limits.memory", FROM_2_2),
    (silent.IMAGE_UNREADABLE, runtime({}), trainjob({"image": "ghcr.io/me/X Y:1"}), "spec.trainer.image", ALL),
    (silent.IMAGE_UNREADABLE, runtime({}, job(containers=[container(image="https://ghcr.io/a")])), trainjob({}), f"{NODE}.image", ALL),
    *(
        (silent.BYTES_FOR_MORE, runtime({}), trainjob({"resourcesPerNode": {key: {"memory": text}}}), f"spec.trainer.resourcesPerNode.{key}.memory", ALL)
        for key, text in (("limits", "512m"), ("requests", "16"), ("limits", "100k"))
    ),
    *(
        (
            silent.DEVICE_UNKNOWN,
            runtime({}),
            trainjob({"resourcesPerNode": {"limits": {name: 4}}}),
            f"spec.trainer.resourcesPerNode.limits.{name}",
            ALL,
        )
        for name in ("nvidia.com/gpus", "nvidia/gpu", "nvdia.com/gpu", "nvidia.com/GPU", "amd/gpu")
    ),
    (
        silent.BYTES_FOR_MORE,
        runtime({}, job(containers=[container(resources={"limits": {"memory": "400m"}})])),
        trainjob({}),
        f"{NODE}.resources.limits.memory",
        ALL,
    ),
    (silent.FIELD_OVERWRITTEN, runtime(TORCH, suspend=True), trainjob({}), "spec.template.spec.suspend", ALL),
    (silent.FIELD_OVERWRITTEN, runtime(TORCH, job(spec={"suspend": True})), trainjob({}), f"{JOBS}[0].template.spec.suspend", ALL),
    (silent.FIELD_OVERWRITTEN, runtime(TORCH, job(hostname="a")), trainjob({}), f"{JOBS}[0].{POD}.hostname", ALL),
    (silent.MANAGED_ELSEWHERE, runtime(TORCH, managedBy="acme.io/x"), trainjob({}), "spec.template.spec.managedBy", ALL),
    (silent.NAMES_UNRESOLVED, runtime(TORCH, network={"enableDNSHostnames": False}), trainjob({}), "spec.template.spec.network.enableDNSHostnames", ALL),
    (silent.NAMES_UNRESOLVED, runtime(TORCH, job(hostNetwork=True)), trainjob({}), f"{JOBS}[0].{POD}.hostNetwork", ALL),
    (
        silent.ENDS_EARLY,
        runtime(TORCH, initializer(), after("dataset-initializer"), successPolicy={"operator": "Any"}),
        trainjob({}),
        "spec.template.spec.successPolicy",
        ALL,
    ),
    (
        silent.ENDS_EARLY,
        runtime(TORCH, initializer(), after("dataset-initializer"), successPolicy={"operator": "All", "targetReplicatedJobs": ["dataset-initializer"]}),
        trainjob({}),
        "spec.template.spec.successPolicy",
        ALL,
    ),
    (
        silent.METADATA_STAYS,
        runtime(TORCH),
        trainjob({}, metadata={"annotations": {"sidecar.istio.io/inject": "false"}}),
        "metadata.annotations.sidecar.istio.io/inject",
        ALL,
    ),
    (silent.REFERENCE_STAYS_TEXT, runtime(TORCH), trainjob({"env": [{"name": "A", "value": "$(PET_NNODES)"}]}), "spec.trainer.env[0].value", ALL),
    (silent.REFERENCE_STAYS_TEXT, runtime({}), trainjob({"env": [{"name": "A", "value": "$(B)"}]}), "spec.trainer.env[0].value", ALL),
    (silent.JOB_WARNED, runtime({}, job(terminationGracePeriodSeconds=-1)), trainjob({}), f"{JOBS}[0].{POD}.terminationGracePeriodSeconds", ALL),
]
TORCHRUN_FLAGS = (
    "--standalone --nnodes=2 --nproc_per_node=4 --nproc-per-node gpu --nproc_per_node=auto --nproc_per_node=2 --nnodes=1:2 --nnodes=2:4 --nnodes=3:4 "
    "--nnodes=1: --nnodes=x:2 --node_rank=0 --master_port=29500 --master_port=1 --master_addr=job-node-0-0 --master_addr=other --rdzv_endpoint=:1 "
    "--rdzv_endpoint=h:1 --rdzv_id=7 --nnodes=$(N) t.py --nnodes=9"
)


def flags_of(nodes: int = 2, gpus: bool = True, **trainer: Any) -> list[tuple[str, str, str]]:
    given = started("torchrun", *TORCHRUN_FLAGS.split(), nodes=nodes, gpus=gpus, **trainer)
    told = [d for d in compiled(runtime(TORCH), given).diagnostics if d.rule == silent.TORCHRUN_FLAG]
    return [(d.severity, d.message, str(d.at[-1])) for d in told]


def test_flags_against_what_the_policy_sets() -> None:
    same = "PET_NPROC_PER_NODE auto on 4 GPUs"
    assert flags_of() == [
        ("warning", "--standalone contradicts 2 nodes: each trains alone", "1"),
        ("info", "--nnodes 2 repeats numNodes: there are 2", "2"),
        ("info", f"--nproc_per_node 4 repeats {same}", "3"),
        ("info", f"--nproc_per_node gpu repeats {same}", "4"),
        ("info", f"--nproc_per_node auto repeats {same}", "6"),
        ("warning", f"--nproc_per_node 2 contradicts {same}", "7"),
        ("warning", "--nnodes 3:4 contradicts numNodes: there are 2", "10"),
        ("warning", "--nnodes 1: contradicts numNodes: there are 2", "11"),
        ("warning", "--nnodes x:2 contradicts numNodes: there are 2", "12"),
        ("warning", "--node_rank 0 contradicts the rank of 2 nodes", "13"),
        ("info", "--master_port 29500 repeats PET_MASTER_PORT 29500", "14"),
        ("warning", "--master_port 1 contradicts PET_MASTER_PORT 29500", "15"),
        ("warning", "--master_addr other contradicts PET_MASTER_ADDR job-node-0-0.job", "17"),
        ("warning", "--rdzv_endpoint h:1 contradicts PET_MASTER_ADDR job-node-0-0.job", "19"),
    ]
    alone = flags_of(nodes=1, gpus=False, numProcPerNode=2)
    assert [(severity, message) for severity, message, _ in alone if "nproc" in message or "rank" in message or "alone" in message] == [
        ("warning", "--nproc_per_node 4 contradicts PET_NPROC_PER_NODE 2"),
        ("warning", "--nproc_per_node gpu contradicts PET_NPROC_PER_NODE 2"),
        ("warning", "--nproc_per_node auto contradicts PET_NPROC_PER_NODE 2"),
        ("info", "--nproc_per_node 2 repeats PET_NPROC_PER_NODE 2"),
    ]


NO_SHELL, NO_VARIABLE = "stays as it is: there is no shell to expand it", "stays as it is: the container has no variable"
VARIABLES = [{"name": "A", "value": "x"}]


@pytest.mark.parametrize(
    ("words", "trainer", "said"),
    [
        (("--out=$HOME",), {}, [(f"$HOME {NO_SHELL}", "write $(HOME), and add HOME to env")]),
        (("--out=${A}/x", "$B"), {"env": VARIABLES}, [(f"${{A}} {NO_SHELL}", "write $(A)"), (f"$B {NO_SHELL}", "write $(B), and add B to env")]),
        (("--rdzv_endpoint=$B",), {}, [(f"$B {NO_SHELL}", "write $(B), and add B to env; torchrun needs no such flag")]),
        (("--master_addr=$B",), {}, [(f"$B {NO_SHELL}", "write $(B), and add B to env; torchrun needs no such flag")]),
        (("$(A) $(B) $(C)",), {"env": VARIABLES}, [(f"$(B) {NO_VARIABLE} B", "add B to env"), (f"$(C) {NO_VARIABLE} C", "add C to env")]),
        (("$(B) $C",), {}, [(f"$C {NO_SHELL}", "write $(C), and add C to env")]),
        (("$(B.c-d) x$$$(B)",), {}, [(f"$(B.c-d) {NO_VARIABLE} B.c-d", "add B.c-d to env")]),
        (("$$(B) $$B $(JOB_COMPLETION_INDEX) $(KUBERNETES_PORT) $(REDIS_SERVICE_HOST) $1",), {}, []),
        (("-e", "print $x", "a\n$x"), {}, []),  # programs
        (("-c", "print $x"), {}, []),
    ],
)
def test_variables_that_stay_text(words: tuple[str, ...], trainer: Tree, said: list[tuple[str, str]]) -> None:
    asked = started("train", args=words, gpus=False, **trainer)
    told = [d for d in compiled(runtime({}), asked).diagnostics if d.rule == silent.VARIABLE_STAYS_TEXT]
    assert [(d.message, d.hint) for d in told] == said


def test_any_variable_may_come_from_elsewhere() -> None:
    """A ConfigMap as a whole: who knows what is in it."""
    open_to_all = runtime({}, job(containers=[container(envFrom=[{"configMapRef": {"name": "c"}}])]))
    told = [d for d in compiled(open_to_all, started("train", args=("$(B) $(C)", "$B"), gpus=False)).diagnostics if d.rule == silent.VARIABLE_STAYS_TEXT]
    assert [d.hint for d in told] == ["write $(B)"]


LONG: Tree = {"name": "a-name-of-some-length", "namespace": "a-team-of-some-length"}
CATCHING = {"name": "all", "action": "RestartJobSetAndIgnoreMaxRestarts"}
IGNORING = [{"action": "Ignore", "onExitCodes": {"operator": "NotIn", "values": [0]}}]
SSHD = [container(command=["/usr/sbin/sshd"], args=["-De"])]
UPSTREAMS = "ghcr.io/kubeflow/trainer/dataset-initializer:v2"
AT_WORKSPACE = {"name": "initializer", "mountPath": "/workspace"}
KEYS = [{"name": "scratch", "mountPath": "/home/mpiuser/.ssh"}]
SCRATCH: Tree = {"name": "scratch", "emptyDir": {}}


def patched(pod: Tree | None = None, *more: Tree, labels: Tree | None = None) -> Tree:
    """A TrainJob with an override of the node's pods for each of the pod specs, as 2.2 and later spell it; `labels` of the Job template."""
    patches = []
    for number, spec in enumerate((pod, *more)):
        template: Tree = {**({"metadata": {"labels": labels}} if labels else {}), **({} if spec is None else {"spec": {"template": {"spec": spec}}})}
        jobs = [{"name": "node", "template": template}]
        patches.append({"manager": f"acme.io/{number}", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": jobs}}}})
    return trainjob({}, runtimePatches=patches)


def filled(*mounts: Tree, own: Tree = AT_WORKSPACE, volumes: tuple[Tree, ...] = (), image: str = UPSTREAMS) -> Tree:
    """A runtime whose initializer writes into a claim that it mounts as `own` says; `mounts` are those of the trainer."""
    node = job(containers=[container(volumeMounts=list(mounts))], volumes=[*CLAIM["volumes"], *volumes])
    return runtime(TORCH, initializer(image=image, volumeMounts=[own]), after("dataset-initializer", of=node))


def mounting(*paths: str, **more: Any) -> Tree:
    """A runtime whose node mounts a volume of its own at each of the paths."""
    volumes = [{"name": f"v{index}", "emptyDir": {}} for index in range(len(paths))]
    mounts = [{"name": f"v{index}", "mountPath": path, **more} for index, path in enumerate(paths)]
    return runtime(TORCH, job(containers=[container(volumeMounts=mounts)], volumes=volumes))


def failing(*rules: Tree, **policy: Any) -> Tree:
    return runtime(TORCH, failurePolicy={**policy, **({"rules": list(rules)} if rules else {})})


NAMING = [{"name": "A", "value": "$(B)"}]
FAILURES = "spec.template.spec.failurePolicy"
PATCH = "spec.runtimePatches[{}].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec.template.spec"
ROWS += [
    (silent.REFERENCE_STAYS_TEXT, runtime({}), trainjob({"env": [{"name": "A", "value": "$HOME/data"}]}), "spec.trainer.env[0].value", ALL),
    (silent.REFERENCE_STAYS_TEXT, runtime({}), trainjob({"env": [{"name": "PATH", "value": "/x:$(PATH)"}]}), "spec.trainer.env[0].value", ALL),
    (silent.REFERENCE_STAYS_TEXT, runtime({}, job(containers=[container(env=NAMING)])), trainjob({}), f"{NODE}.env[0].value", ALL),
    (
        silent.REFERENCE_STAYS_TEXT,
        runtime({}, job(initContainers=[container("first", env=[{"name": "A", "value": "x:$PATH"}])])),
        trainjob({}),
        f"{JOBS}[0].{POD}.initContainers[0].env[0].value",
        ALL,
    ),
    (
        silent.REFERENCE_STAYS_TEXT,
        runtime(TORCH, initializer(), after("dataset-initializer")),
        trainjob({}, initializer={"dataset": {"storageUri": "hf://a/b", "env": [{"name": "A", "value": "$(B)"}]}}),
        "spec.initializer.dataset.env[0].value",
        ALL,
    ),
    (silent.FULL_NAME_TOO_LONG, runtime(TORCH, job(setHostnameAsFQDN=True)), trainjob({}, metadata=LONG), f"{JOBS}[0].{POD}.setHostnameAsFQDN", ALL),
    (silent.MOUNT_MISSES, mounting("/data", "/data/"), trainjob({}), f"{NODE}.volumeMounts[1].mountPath", ALL),
    (silent.MOUNT_MISSES, mounting("/"), trainjob({}), f"{NODE}.volumeMounts[0].mountPath", ALL),
    (silent.MOUNT_MISSES, mounting("~/.cache"), trainjob({}), f"{NODE}.volumeMounts[0].mountPath", ALL),
    (silent.MOUNT_MISSES, mounting("/data", subPath="$(USER)"), trainjob({}), f"{NODE}.volumeMounts[0].subPath", ALL),
    (silent.MOUNT_MISSES, filled(AT_WORKSPACE, own={**AT_WORKSPACE, "mountPath": "/data"}), trainjob({}), f"{NODE}.volumeMounts", ALL),
    (silent.MOUNT_MISSES, filled({"name": "scratch", "mountPath": "/x"}, volumes=(SCRATCH,)), trainjob({}), f"{JOBS}[1].{POD}.containers[0].volumeMounts", ALL),
    (
        silent.MOUNT_MISSES,
        filled(AT_WORKSPACE, {"name": "scratch", "mountPath": "/workspace/dataset"}, volumes=(SCRATCH,)),
        trainjob({}),
        f"{JOBS}[1].{POD}.containers[0].volumeMounts[1].mountPath",
        ALL,
    ),
    (silent.NEVER_ENDS, failing({**CATCHING}, maxRestarts=3), trainjob({}), f"{FAILURES}.rules[0].action", ALL),
    (
        silent.NEVER_ENDS,
        runtime(TORCH, job(spec={"podFailurePolicy": {"rules": IGNORING}}, restartPolicy="Never")),
        trainjob({}),
        f"{JOBS}[0].template.spec.podFailurePolicy.rules[0]",
        ALL,
    ),
    (silent.NEVER_ENDS, runtime(MPI, launcher(), workers(containers=SSHD)), trainjob({}), f"{JOBS}[1]", ALL),
    (silent.NEVER_STARTS, shared("RAM"), trainjob({}), f"{JOBS}[0].{POD}.volumes[0].emptyDir.medium", ALL),
    (silent.NEVER_STARTS, shared("HugePages-many"), trainjob({}), f"{JOBS}[0].{POD}.volumes[0].emptyDir.medium", ALL),
    (silent.NEVER_STARTS, shared("HugePages"), trainjob({}), f"{JOBS}[0].{POD}.volumes[0].emptyDir.medium", ALL),
    (silent.NEVER_STARTS, shared("HugePages", "2Mi", "1Gi"), trainjob({}), f"{JOBS}[0].{POD}.volumes[0].emptyDir.medium", ALL),
    (silent.NEVER_STARTS, shared("HugePages-1Gi", "2Mi"), trainjob({}), f"{JOBS}[0].{POD}.volumes[0].emptyDir.medium", ALL),
    (silent.NEVER_STARTS, shared("HugePages-2Mi", "2Mi"), trainjob({"resourcesPerNode": GPUS}), f"{JOBS}[0].{POD}.volumes[0].emptyDir.medium", BEFORE_2_3),
    (silent.NEVER_STARTS, runtime(TORCH, job(schedulerName="volcano ")), trainjob({}), f"{JOBS}[0].{POD}.schedulerName", ALL),
    (silent.NEVER_STARTS, runtime(TORCH, job(schedulerName="my scheduler")), trainjob({}), f"{JOBS}[0].{POD}.schedulerName", ALL),
    (silent.NEVER_STARTS, shared(""), patched({"volumes": [RAM]}), f"{PATCH.format(0)}.volumes[0].emptyDir.medium", FROM_2_2),
    (silent.NEVER_STARTS, shared(""), patched({"volumes": [HUGE]}), f"{PATCH.format(0)}.volumes[0].emptyDir.medium", FROM_2_2),
    (silent.NEVER_STARTS, runtime(TORCH, job(volumes=[RAM])), patched({"containers": [MOUNTING]}), f"{JOBS}[0].{POD}.volumes[0].emptyDir.medium", FROM_2_2),
    (silent.NEVER_READ, failing(CATCHING, {"name": "late", "action": "FailJobSet"}), trainjob({}), f"{FAILURES}.rules[1]", ALL),
    (silent.NEVER_READ, failing({"name": "a", "action": "RestartJobSet"}), trainjob({}), f"{FAILURES}.rules[0].action", ALL),
    *(
        (
            silent.NEVER_READ,
            failing({"name": "a", "action": "FailJobSet", "onJobFailureMessagePatterns": [pattern]}),
            trainjob({}),
            f"{FAILURES}.rules[0].onJobFailureMessagePatterns[0]",
            FROM_2_1,
        )
        for pattern in ("exit code [1", "(?!OOM)", "*fail")
    ),
    (silent.NEVER_READ, runtime({}, network={"enableDNSHostnames": False, **UNDER}), trainjob({}), "spec.template.spec.network.subdomain", ALL),
    (silent.FIELD_OVERWRITTEN, runtime(TORCH, job(containers=[container(env=[{"name": "PET_NNODES", "value": "9"}])])), trainjob({}), f"{NODE}.env[0]", ALL),
    (
        silent.FIELD_OVERWRITTEN,
        runtime(MPI, launcher(containers=[container(volumeMounts=KEYS)], volumes=[SCRATCH]), workers()),
        trainjob({}),
        f"{NODE}.volumeMounts[0]",
        ALL,
    ),
    (
        silent.FIELD_OVERWRITTEN,
        runtime(MPI, launcher(), workers(volumes=[{"name": "mpi-ssh-auth", "emptyDir": {}}])),
        trainjob({}),
        f"{JOBS}[1].{POD}.volumes[0]",
        ALL,
    ),
    (
        silent.WITHOUT_EFFECT,
        runtime(TORCH),
        trainjob({}, podTemplateOverrides=[{"targetJobs": [{"name": "node"}], "metadata": {"name": "a"}}]),
        "spec.podTemplateOverrides[0].metadata.name",
        ("v2.1",),
    ),
    (
        silent.WITHOUT_EFFECT,
        runtime(TORCH),
        trainjob({}, runtimePatches=[{"manager": "acme.io/x", "trainingRuntimeSpec": {"template": {"metadata": {"name": "a"}}}}]),
        "spec.runtimePatches[0].trainingRuntimeSpec.template.metadata.name",
        FROM_2_2,
    ),
    (silent.MANAGED_ELSEWHERE, runtime(TORCH, job(spec={"managedBy": "acme.io/x"})), trainjob({}), f"{JOBS}[0].template.spec.managedBy", ALL),
    (
        silent.ENDS_EARLY,
        runtime(TORCH, initializer(), after("dataset-initializer", of=job(ancestor=None)), successPolicy={"operator": "Any"}),
        patched(labels={"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}),
        "spec.template.spec.successPolicy",
        FROM_2_2,
    ),
    (
        silent.WITHOUT_EFFECT,
        runtime(TORCH),
        trainjob({"env": [{"name": "A", "value": "x", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]}),
        "spec.trainer.env[0].value",
        ALL,
    ),
    (silent.NEVER_READ, runtime(TORCH, gang={}), trainjob({}), "spec.podGroupPolicy", ALL),
    (
        silent.NAMES_UNRESOLVED,
        runtime({}, network={"enableDNSHostnames": False}, coordinator={"replicatedJob": "node"}),
        trainjob({}),
        "spec.template.spec.coordinator",
        ALL,
    ),
    (silent.WITHOUT_EFFECT, runtime(TORCH), trainjob({}, initializer={}), "spec.initializer", ALL),
    (silent.WITHOUT_EFFECT, runtime(TORCH), trainjob({}, runtimePatches=[{"manager": "acme.io/x"}]), "spec.runtimePatches[0]", FROM_2_2),
    (silent.WITHOUT_EFFECT, runtime(TORCH), patched(), f"{PATCH.format(0).partition('.template.spec.template')[0]}.template", FROM_2_2),
    (silent.WITHOUT_EFFECT, TOLERANT, tolerating(), PATCH.format(0) + ".tolerations", FROM_2_2),
    (
        silent.WITHOUT_EFFECT,
        runtime(TORCH),
        patched({"serviceAccountName": "a"}, {"serviceAccountName": "b"}),
        PATCH.format(0) + ".serviceAccountName",
        FROM_2_2,
    ),
    (
        silent.WITHOUT_EFFECT,
        runtime(TORCH),
        patched({"nodeSelector": {"zone": "a", "disk": "ssd"}}, {"nodeSelector": {"zone": "b"}}),
        PATCH.format(0) + ".nodeSelector.zone",
        FROM_2_2,
    ),
]
CHAIN = [{"name": "dataset-initializer", "status": "Complete"}]
NEAR_MISSES: list[tuple[Code, Tree, Tree]] = [
    (silent.FIELD_OVERWRITTEN, runtime(TORCH, job(subdomain="b", spec={"completionMode": "NonIndexed"}), network={"enableDNSHostnames": False}), trainjob({})),
    (silent.MANAGED_ELSEWHERE, runtime(TORCH, managedBy="kueue.x-k8s.io/multikueue"), trainjob({})),
    (silent.NAMES_UNRESOLVED, runtime(TORCH, job(hostNetwork=True, dnsPolicy="ClusterFirstWithHostNet")), trainjob({})),
    (silent.NAMES_UNRESOLVED, runtime({}, network={"enableDNSHostnames": False}), trainjob({})),
    (
        silent.ENDS_EARLY,
        runtime(TORCH, initializer(), after("dataset-initializer"), successPolicy={"operator": "Any", "targetReplicatedJobs": ["node"]}),
        trainjob({}),
    ),
    (silent.ENDS_EARLY, runtime(TORCH, job("chief", None), job(), successPolicy={"operator": "All", "targetReplicatedJobs": ["chief"]}), trainjob({})),
    (silent.METADATA_STAYS, runtime(TORCH), trainjob({}, metadata={"annotations": {"example.com/a": "b"}, "labels": {"app": "x"}})),
    (
        silent.REFERENCE_STAYS_TEXT,
        runtime(TORCH),
        trainjob({"env": [{"name": "B", "value": "x"}, {"name": "A", "value": "$(B) $$(C) $(KUBERNETES_PORT) $D"}]}),
    ),
    (silent.JOB_WARNED, runtime({}, job(terminationGracePeriodSeconds=0, imagePullSecrets=[{"name": "a"}])), trainjob({})),
    (silent.REFERENCE_STAYS_TEXT, runtime({}), trainjob({"env": [{"name": "A", "value": "pa$Sword $5 a$PATH $$HOME"}]})),
    (silent.REFERENCE_STAYS_TEXT, runtime({}), started("sh", "-c", "$(RUN)", env=[{"name": "RUN", "value": "cd $HOME"}])),
    (silent.REFERENCE_STAYS_TEXT, runtime({}, job(containers=[container(envFrom=[{"secretRef": {"name": "s"}}], env=NAMING)])), trainjob({})),
    (silent.FULL_NAME_TOO_LONG, runtime(TORCH, job(setHostnameAsFQDN=True)), trainjob({})),
    (silent.FULL_NAME_TOO_LONG, runtime(TORCH, job()), trainjob({}, metadata=LONG)),
    (silent.FULL_NAME_TOO_LONG, runtime(TORCH, job(setHostnameAsFQDN=True), network={"enableDNSHostnames": False}), trainjob({}, metadata=LONG)),
    (silent.MOUNT_MISSES, mounting("/workspace", "/workspace/model", "/dev/shm"), trainjob({})),
    (silent.MOUNT_MISSES, mounting("/data", subPathExpr="$(USER)"), trainjob({})),
    (silent.MOUNT_MISSES, filled(AT_WORKSPACE, {"name": "scratch", "mountPath": "/workspace/model"}, volumes=(SCRATCH,)), trainjob({})),
    (silent.MOUNT_MISSES, filled({**AT_WORKSPACE, "mountPath": "/data"}), trainjob({})),
    (silent.MOUNT_MISSES, filled({"name": "scratch", "mountPath": "/x"}, volumes=(SCRATCH,), image="registry.example/own"), trainjob({})),
    (silent.NEVER_ENDS, failing({**CATCHING, "onJobFailureReasons": ["PodFailurePolicy"]}, maxRestarts=3), trainjob({})),
    (silent.NEVER_ENDS, failing({"name": "a", "action": "FailJobSet"}, CATCHING), trainjob({})),
    (
        silent.NEVER_ENDS,
        runtime(MPI, launcher(), workers(containers=SSHD), successPolicy={"operator": "All", "targetReplicatedJobs": ["launcher"]}),
        trainjob({}),
    ),
    (silent.NEVER_ENDS, runtime(MPI, launcher(containers=[container(command=["sh", "-c", "sshd -D & mpirun a"])]), workers()), trainjob({})),
    (silent.NEVER_ENDS, runtime(TORCH, job(spec={"backoffLimit": 2**31 - 1, "activeDeadlineSeconds": 60})), trainjob({})),
    *(
        (silent.NEVER_STARTS, shared(medium, "2Mi", schedulerName="volcano"), trainjob({}))
        for medium in ("", "Memory", "HugePages", "HugePages-2Mi", "HugePages-2048Ki")
    ),
    *((silent.NEVER_STARTS, runtime(TORCH, job(volumes=[{"name": "v", "emptyDir": {"medium": medium}}])), trainjob({})) for medium in ("RAM", "HugePages")),
    (silent.NEVER_STARTS, shared("HugePages-1Gi"), trainjob({"resourcesPerNode": {"limits": {"cpu": 1, "hugepages-1Gi": "2Gi"}}})),
    (silent.NEVER_STARTS, shared("HugePages", initContainers=[container("first", resources=paged("2Mi"))]), trainjob({})),
    (silent.NEVER_STARTS, runtime(TORCH, job(volumes=[{"name": "v", "emptyDir": {}}], schedulingGates=[])), trainjob({})),
    (silent.NEVER_STARTS, runtime(TORCH, job(schedulingGates=[{"name": "kueue.x-k8s.io/topology"}])), trainjob({})),
    (silent.NEVER_READ, failing(maxRestarts=0), trainjob({})),
    (silent.NEVER_READ, failing({"name": "a", "action": "FailJobSet", "onJobFailureReasons": ["DeadlineExceeded"]}, CATCHING, maxRestarts=1), trainjob({})),
    (silent.NEVER_READ, runtime(TORCH, network=UNDER), trainjob({})),
    (silent.FIELD_OVERWRITTEN, runtime(TORCH, job(containers=[container(env=[{"name": "PET_RDZV_BACKEND", "value": "c10d"}])])), trainjob({})),
    (silent.FIELD_OVERWRITTEN, runtime(TORCH, job(containers=[container(env=NAMING)])), trainjob({"env": [{"name": "A", "value": "1"}]})),
    (silent.WITHOUT_EFFECT, runtime(TORCH), tolerating()),
    (silent.WITHOUT_EFFECT, runtime(TORCH), patched({"serviceAccountName": "a"}, {"automountServiceAccountToken": False})),
    (silent.WITHOUT_EFFECT, runtime(TORCH), patched({"serviceAccountName": "a"}, {"serviceAccountName": "a"})),
    (silent.WITHOUT_EFFECT, runtime(TORCH, job(securityContext={"runAsNonRoot": True})), patched({"securityContext": {"runAsNonRoot": False}})),
    (silent.WITHOUT_EFFECT, runtime(TORCH, job(containers=[container(command=["a"], args=["b"])])), trainjob({"command": [], "args": []})),
    (silent.WITHOUT_EFFECT, runtime(TORCH), trainjob({"env": [{"name": "A", "value": "", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]})),
    (silent.MPI_JOB_NAMES, runtime(MPI, launcher(), workers()), trainjob({"numNodes": 4})),
    (silent.MPI_KEY_UNREADABLE, runtime(MPI, launcher(securityContext={"runAsUser": 1000, "fsGroup": 1000}), workers()), trainjob({})),
    (silent.MPI_KEY_UNREADABLE, runtime(MPI, launcher(securityContext={"runAsUser": 0}), workers()), trainjob({})),
    (silent.INITIALIZER_NOT_AWAITED, runtime(TORCH, initializer(), after("dataset-initializer")), trainjob({})),
    (
        silent.INITIALIZER_NOT_AWAITED,
        runtime(TORCH, initializer(), initializer("model-initializer", waits=CHAIN), after("model-initializer")),
        trainjob({}),
    ),
    (silent.INITIALIZER_WITHOUT_VOLUME, runtime(TORCH, initializer(), after("dataset-initializer")), trainjob({})),
    (
        silent.INITIALIZER_WITHOUT_VOLUME,
        runtime(TORCH, initializer(pod={}, env=[{"name": "CACHE_IMAGE", "value": "cache:1"}]), after("dataset-initializer")),
        trainjob({}),
    ),
    (silent.PODS_WITHOUT_INDEX, runtime(None, job("etl", None, spec={"completionMode": "NonIndexed"})), trainjob({})),
    (silent.NO_PROCESSES, runtime(TORCH), trainjob({"numProcPerNode": 1})),
    (silent.NOT_STARTED_BY_TORCHRUN, runtime(TORCH), started("torchrun", "train.py")),
    (silent.NOT_STARTED_BY_TORCHRUN, runtime(TORCH), started("python", "train.py", nodes=1, gpus=False)),
    (silent.NOT_STARTED_BY_TORCHRUN, runtime(TORCH), started("python", "-m", "accelerate.commands.launch", "train.py")),
    (silent.NOT_STARTED_BY_TORCHRUN, runtime(TORCH), started("python", "train.py", env=[{"name": "MASTER_ADDR", "value": "$(PET_MASTER_ADDR)"}])),
    (silent.NOT_STARTED_BY_TORCHRUN, runtime(TORCH), started("bash", "-c", "python prepare.py && torchrun train.py")),
    (silent.NOT_STARTED_BY_TORCHRUN, runtime(TORCH), started("bash", "-c", "python prepare.py; ./train.sh")),
    (silent.NOT_STARTED_BY_TORCHRUN, runtime(TORCH), started("python", "-c", "print(1)")),
    (silent.NOT_STARTED_BY_TORCHRUN, runtime({}), started("python", "train.py")),
    (silent.ARGS_FOR_THE_IMAGE, runtime(TORCH, job(containers=[container(command=["torchrun"])])), started(args=("train.py",))),
    (silent.SEVERAL_WORDS_IN_ONE, runtime({}), started("sh", "-c", "torchrun train.py --epochs 3")),
    (silent.TORCHRUN_FLAG, runtime(TORCH), started("torchrun", "--nnodes=$(PET_NNODES)", "--max-restarts", "3", "t.py", "--nnodes=9")),
    (silent.TORCHRUN_FLAG, runtime(TORCH), started("torchrun", "--rdzv_backend=c10d", "--rdzv_endpoint=job-node-0-0.job:29400", "t.py")),
    (silent.VARIABLE_STAYS_TEXT, runtime(TORCH), started("torchrun", "t.py", "--rank=$(PET_NODE_RANK)", "--re=a$", "--price=$$HOME")),
    (silent.VARIABLE_STAYS_TEXT, runtime({}), started("sh", "-c", "echo $HOME $(date)")),
    (silent.SHELL_IGNORES_WORDS, runtime({}), started("bash", "-c", 'exec "$@"', "--", "python")),
    (silent.SHELL_IGNORES_WORDS, runtime({}), started("bash", "-c", "python train.py", "bash")),
    (silent.CLAIMS_NOT_COUNTED, runtime(TORCH, job(containers=[container(resources=CLAIMS)])), trainjob({"numProcPerNode": 8})),
    (silent.LIST_REPLACED, TOLERANT, tolerating(GPU_TAINT, SPOT_TAINT)),
    (silent.TF_CONFIG_SIZE, runtime({}, job(containers=[container(env=TF_CONFIG)])), trainjob({"numNodes": 2})),
    (silent.TF_CONFIG_HOST, runtime({}, job(containers=[container(env=TF_HOSTS)])), trainjob({"numNodes": 2})),
    (silent.TF_CONFIG_HOST, runtime({}, job(containers=[container(env=TF_CONFIG)]), network=UNDER), trainjob({"numNodes": 2})),
    (silent.TUNE_WITHOUT_COMMAND, TUNE, tuned("epochs=1")),
    (silent.CACHE_URI, CACHE, trainjob({}, initializer={"dataset": {"storageUri": "cache://schema/table"}})),
    (silent.PLACEHOLDER_LEFT, runtime({}), trainjob({"image": "registry.example/a:1", "env": [{"name": "A", "value": "$(B)/x <1>"}]})),
    (silent.PLACEHOLDER_LEFT, runtime({}), started("sh", "-c", "echo ${HOME} {{x}}")),
    (silent.QUANTITY_NOT_CANONICAL, runtime({}), queued(cpu="8", memory="1Gi")),
    (silent.QUANTITY_NOT_CANONICAL, runtime({}), trainjob({"resourcesPerNode": {"limits": {"cpu": 8}}})),
    (silent.IMAGE_UNREADABLE, runtime({}), trainjob({"image": "Registry.example:5000/a__b/c-d:v1.0_X@sha256:" + "0" * 64})),
    (silent.BYTES_FOR_MORE, runtime({}), trainjob({"resourcesPerNode": {"limits": {"memory": "0.5Gi", "cpu": "100m", "ephemeral-storage": "1e9"}}})),
    (silent.BYTES_FOR_MORE, runtime({}), trainjob({"resourcesPerNode": {"limits": {"memory": "0"}}})),
    *(
        (silent.DEVICE_UNKNOWN, runtime({}), trainjob({"resourcesPerNode": {"limits": {name: 1}}}))
        for name in ("nvidia.com/gpu", "amd.com/gpu", "nvidia.com/gpu.shared", "nvidia.com/mig-1g.5gb", "example.com/gpu", "gpu.intel.com/i915")
    ),
]


def found(given: Tree, asked: Tree, profile: str) -> list[tuple[str, str, str]]:
    """(code, severity, place) of the findings of this block."""
    told = [d for d in compiled(given, asked, profile).diagnostics if "JSC700" <= d.code < "JSC800"]
    assert all(d.message and d.hint and d.stage == "advice" for d in told)
    return [(d.code, d.severity, format_path(d.at)) for d in told]


@pytest.mark.parametrize(("code", "given", "asked", "at", "raising"), ROWS, ids=ids(row[0] for row in ROWS))
def test_finding(code: Code, given: Tree, asked: Tree, at: str, raising: tuple[str, ...], snapshot: SnapshotAssertion) -> None:
    """Where and in which releases it is raised; the words, and all that is said besides, stand below `__snapshots__`: read them as a user would."""
    for profile in ALL:
        assert ((code.code, code.severity, at) in found(given, asked, profile)) is (profile in raising), found(given, asked, profile)
    assert by_release(lambda release: compiled(given, asked, release).diagnostics, ALL) == snapshot


FILLED = filled(AT_WORKSPACE)
WORTH_KNOWING: list[tuple[Code, Tree, Tree, str]] = [
    (silent.WITHOUT_EFFECT, runtime(TORCH), trainjob({"command": []}), COMMAND),
    (silent.WITHOUT_EFFECT, runtime(TORCH, job(containers=[container(command=["a"])])), trainjob({"args": []}), ARGS),
    (silent.WITHOUT_EFFECT, FILLED, trainjob({}, initializer={"dataset": {}}), "spec.initializer.dataset"),
    (silent.NEVER_ENDS, runtime(TORCH, job(spec={"backoffLimit": 2**31 - 1})), trainjob({}), f"{JOBS}[0].template.spec.backoffLimit"),
    (silent.NEVER_STARTS, runtime(TORCH, job(schedulingGates=[{"name": "acme.io/hold"}])), trainjob({}), f"{JOBS}[0].{POD}.schedulingGates"),
    (silent.NEVER_READ, failing(), trainjob({}), FAILURES),
    (silent.NEVER_READ, failing(maxRestarts=-1), trainjob({}), f"{FAILURES}.maxRestarts"),
    (silent.NEVER_READ, runtime(TORCH, metadata={"name": "a", "finalizers": ["acme.io/x"]}), trainjob({}), "spec.template.metadata.name"),
    (
        silent.NEVER_READ,
        runtime({}, network={"enableDNSHostnames": False, "publishNotReadyAddresses": True}),
        trainjob({}),
        "spec.template.spec.network.publishNotReadyAddresses",
    ),
]


@pytest.mark.parametrize(("code", "given", "asked", "at"), WORTH_KNOWING, ids=ids(row[0] for row in WORTH_KNOWING))
def test_worth_knowing(code: Code, given: Tree, asked: Tree, at: str, snapshot: SnapshotAssertion) -> None:
    for profile in ALL:
        assert (code.code, "info", at) in found(given, asked, profile), found(given, asked, profile)
    assert by_release(lambda release: compiled(given, asked, release).diagnostics, ALL) == snapshot


@pytest.mark.parametrize(("code", "given", "asked"), NEAR_MISSES, ids=ids(row[0] for row in NEAR_MISSES))
def test_near_miss(code: Code, given: Tree, asked: Tree, snapshot: SnapshotAssertion) -> None:
    for profile in ALL:
        assert code.code not in [told for told, _, _ in found(given, asked, profile)]
    assert by_release(lambda release: compiled(given, asked, release).diagnostics, ALL) == snapshot


def test_every_code_has_a_row() -> None:
    codes = {value for value in vars(silent).values() if isinstance(value, Code)}
    assert codes - {silent.SHARED_SUBDOMAIN} == {row[0] for row in ROWS}  # which takes two TrainJobs


@pytest.mark.parametrize("profile", ALL)
@pytest.mark.parametrize(
    ("names", "namespaces", "network", "told"),
    [
        (("a", "b"), ("x", "x"), {"subdomain": "s"}, ["b"]),
        (("a", "b", "c"), ("x", "x", "x"), {"subdomain": "s"}, ["b", "c"]),
        (("a", "b"), ("x", "y"), {"subdomain": "s"}, []),
        (("a", "a"), ("x", "x"), {"subdomain": "s"}, []),  # the same one in two overlays
        (("a", "b"), ("x", "x"), {}, []),
        (("a", "b"), ("x", "x"), {"subdomain": "s", "enableDNSHostnames": False}, []),
    ],
)
def test_two_trainjobs_of_one_subdomain(names: tuple[str, ...], namespaces: tuple[str, ...], network: Tree, told: list[str], profile: str) -> None:
    jobs = [trainjob({}, metadata={"name": name, "namespace": namespace}) for name, namespace in zip(names, namespaces, strict=True)]
    objects = [runtime({}, network=network), *jobs]
    expected = [(name, f"{JOBS.rpartition('.')[0]}.network.subdomain") for name in told]
    results = [jc.compile_objects(objects, trainer_version=profile), jc.compile_yaml("\n---\n".join(map(json.dumps, objects)), trainer_version=profile)]
    for result in results:
        assert [(d.name, format_path(d.at)) for d in result.diagnostics if d.rule == silent.SHARED_SUBDOMAIN] == expected


@pytest.mark.parametrize("profile", ALL)
def test_shipped_runtimes_raise_none(profile: str) -> None:
    for name in runtimes.names(profile):
        result = jc.compile_yaml(runtimes.text_of(profile, name), trainer_version=profile)
        assert not [d for d in result.diagnostics if d.code >= "JSC700"], name


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_raise_none(path: Path) -> None:
    result = jc.compile_yaml(path.read_text(encoding="utf-8"), trainer_version="v2.3")
    assert not [d.message for d in result.diagnostics if "JSC700" <= d.code < "JSC800"]


def test_the_hint_for_one_dependency_is_a_chain() -> None:
    given = runtime(TORCH, initializer(), initializer("model-initializer"), job())
    hints = {profile: next(d.hint for d in compiled(given, trainjob({}), profile).diagnostics if d.code == "JSC704") for profile in ("v2.0", "v2.3")}
    assert "let model-initializer depend on dataset-initializer" in hints["v2.0"]
    assert hints["v2.3"].startswith("write dependsOn: [{name: dataset-initializer, status: Complete}, {name: model-initializer")
