"""Each parity notice: an input that raises it, in which releases, at which place, and a near miss that does not."""

from __future__ import annotations

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from jobset_compiler.diagnostics.codes import parity
from jobset_compiler.diagnostics.codes.code import Code
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.findings import of_plan
from jobset_compiler.passes.driver import run_passes
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.resolve.facts import NO_FACTS, Facts
from tests.findings.said import by_release, ids
from tests.passes.plans import container, job, plan_of, runtime, trainjob

Tree = dict[str, Any]
ALL = ("v2.0", "v2.1", "v2.2", "v2.3")
FROM_2_1 = ALL[1:]
FROM_2_2 = ALL[2:]
BEFORE_2_2 = ALL[:2]
BEFORE_2_3 = ALL[:3]
POD = "template.spec.template.spec"
NODE = f"spec.template.spec.replicatedJobs[0].{POD}.containers[0]"
GPU = {"limits": {"nvidia.com/gpu": 2}}
TORCH: Tree = {"torch": {}}
COSCHEDULING: Tree = {"coscheduling": {}}
VOLCANO: Tree = {"volcano": {}}
STATUS = Facts(feature_gates=frozenset({"TrainJobStatus"}))
FIELD = {"fieldRef": {"fieldPath": "spec.nodeName"}}
TUNE = ["tune", "run"]


def node(policy: Tree | None = TORCH, *, gang: Tree | None = None, **fields: Any) -> Tree:
    return runtime(policy, job(containers=[container(**fields)]), gang=gang)


def mpi(*, as_node: bool = False, nodes: int = 1, worker: Tree | None = None, **policy: Any) -> Tree:
    workers = job("node", None, containers=[container(**(worker or {}))])
    return runtime({"numNodes": nodes, "mpi": {"runLauncherAsNode": as_node, **policy}}, job("launcher"), workers)


def env(name: str, value: str = "x") -> list[Tree]:
    return [{"name": name, "value": value}]


def patch(pod: Tree | None = None, *, name: str = "node", metadata: Tree | None = None) -> list[Tree]:
    """runtimePatches of v2.2 and v2.3."""
    template: Tree = {"spec": {"template": {"spec": pod}}} if pod is not None else {}
    if metadata is not None:
        template["metadata"] = metadata
    return [{"manager": "acme.io/x", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": [{"name": name, "template": template}]}}}}]


PATCHED = "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template"


class Row:
    """code, runtime, TrainJob, releases that raise it among `among`, severity, place."""

    def __init__(
        self,
        code: Code,
        given: Tree,
        asked: Tree,
        at: str,
        raising: tuple[str, ...] = ALL,
        among: tuple[str, ...] = ALL,
        severity: str = "",
        facts: Facts | None = None,
    ) -> None:
        self.code, self.given, self.asked, self.at = code, given, asked, at
        self.raising, self.among = raising, among
        self.severity = severity or code.severity
        self.facts = facts or Facts()


RPN = "spec.trainer.resourcesPerNode"
ROWS = (
    Row(parity.PORTS_COLLAPSE, node(ports=[{"containerPort": 8080}]), trainjob({}), f"{NODE}.ports[0]"),
    Row(parity.PORTS_COLLAPSE, node({}, ports=[{"containerPort": 8080}, {"containerPort": 9090}]), trainjob(), f"{NODE}.ports[0]"),
    Row(parity.PORTS_COLLAPSE, node(ports=[{"name": "x", "containerPort": 29500}]), trainjob({}), f"{NODE}.ports[0]"),
    Row(
        parity.PORTS_COLLAPSE,
        runtime({}, job(initContainers=[container("wait", ports=[{"containerPort": 1}, {"containerPort": 2}])])),
        trainjob(),
        f"spec.template.spec.replicatedJobs[0].{POD}.initContainers[0].ports[0]",
        ("v2.3",),
    ),
    Row(parity.NO_TRAINER_SECTION, node({"numNodes": 2, "torch": {}}), trainjob(), "spec"),
    Row(parity.NO_TRAINER_SECTION, node(), trainjob(), "spec", severity="info"),
    Row(parity.NO_TRAINER_SECTION, node({"numNodes": 2, "jax": {}}), trainjob(), "spec", FROM_2_2, FROM_2_2),
    Row(parity.LIMITS_COUNT_ONE, node(), trainjob({"resourcesPerNode": GPU}), RPN, ("v2.0",)),
    Row(parity.LIMITS_COUNT_ONE, node(), trainjob({"numProcPerNode": 4, "resourcesPerNode": {"limits": {"cpu": 2}}}), RPN, ("v2.0",)),
    Row(parity.ONE_PROCESS_WITHOUT_RESOURCES, node(), trainjob({}), "spec.trainer", FROM_2_1),
    Row(parity.ACCELERATOR_NOT_COUNTED, node(resources={"limits": {"google.com/tpu": 4}}), trainjob({}), "spec.trainer"),
    Row(parity.ACCELERATOR_NOT_COUNTED, node(), trainjob({"resourcesPerNode": {"limits": {"nvidia.com/mig-1g.5gb": 4, "cpu": 2}}}), RPN),
    Row(parity.MERGED_RESOURCES_NOT_COUNTED, node(resources=GPU), trainjob({"resourcesPerNode": {"requests": {"cpu": 8}}}), RPN, ("v2.3",)),
    Row(parity.MERGED_RESOURCES_NOT_COUNTED, node(resources={"requests": {"cpu": 4}}), trainjob({"resourcesPerNode": {}}), RPN, ("v2.3",)),
    Row(parity.RUNTIME_RESOURCES_REPLACED, node(resources=GPU), trainjob({"resourcesPerNode": {"requests": {"cpu": 8}}}), RPN, BEFORE_2_3),
    Row(
        parity.RUNTIME_RESOURCES_REPLACED,
        node(resources={"limits": {"cpu": 1}}),
        trainjob({"resourcesPerNode": {"requests": {"cpu": 8}}}),
        RPN,
        BEFORE_2_3,
        severity="info",
    ),
    Row(parity.RESOURCES_IGNORED, node(None), trainjob({"resourcesPerNode": GPU}), RPN, ("v2.3",)),
    Row(parity.CLAIMS_DROPPED, node(), trainjob({"resourcesPerNode": {"claims": [{"name": "c"}]}}), f"{RPN}.claims"),
    Row(parity.CLAIMS_DROPPED, node(resources={"claims": [{"name": "c"}]}), trainjob({"resourcesPerNode": GPU}), f"{NODE}.resources.claims"),
    Row(parity.CLAIMS_DROPPED, node(resources={"claims": [{"name": "c"}]}), trainjob({"resourcesPerNode": {}}), f"{NODE}.resources.claims", ("v2.3",)),
    Row(parity.GHOST_JOB, node(), trainjob({}, runtimePatches=patch({"nodeSelector": {"a": "b"}}, name="ghost")), PATCHED, ("v2.3",), FROM_2_2),
    Row(
        parity.GHOST_CONTAINER,
        node(),
        trainjob({}, runtimePatches=patch({"containers": [{"name": "node"}, {"name": "ghost"}]})),
        f"{PATCHED}.spec.template.spec.containers[1].name",
        FROM_2_2,
        FROM_2_2,
    ),
    Row(
        parity.GHOST_CONTAINER,
        node(),
        trainjob({}, podSpecOverrides=[{"targetJobs": [{"name": "node"}], "initContainers": [{"name": "ghost"}]}]),
        "spec.podSpecOverrides[0].initContainers[0].name",
        ("v2.0",),
        ("v2.0",),
    ),
    Row(
        parity.GHOST_CONTAINER,
        node(),
        trainjob({}, podTemplateOverrides=[{"targetJobs": [{"name": "node"}], "spec": {"containers": [{"name": "ghost"}]}}]),
        "spec.podTemplateOverrides[0].spec.containers[0].name",
        ("v2.1",),
        ("v2.1",),
    ),
    Row(
        parity.COMPLETIONS_OVERWRITTEN,
        runtime(None, job("etl", None, spec={"completions": 9})),
        trainjob(),
        "spec.template.spec.replicatedJobs[0].template.spec.completions",
    ),
    Row(
        parity.COMPLETIONS_OVERWRITTEN,
        runtime(None, job("etl", None, spec={"parallelism": 0})),
        trainjob(),
        "spec.template.spec.replicatedJobs[0].template.spec.parallelism",
        severity="info",
    ),
    Row(
        parity.COMPLETIONS_OVERWRITTEN,
        runtime({"torch": {}}, job(spec={"parallelism": 4})),
        trainjob({}),
        "spec.template.spec.replicatedJobs[0].template.spec.parallelism",
    ),
    Row(parity.COMPLETIONS_OVERWRITTEN, runtime(None, {**job("etl", None), "replicas": 0}), trainjob(), "spec.template.spec.replicatedJobs[0].replicas"),
    Row(
        parity.REPLICAS_COUNTED_ONCE,
        runtime(None, {**job("etl", None), "replicas": 2}, gang=COSCHEDULING),
        trainjob(),
        "spec.template.spec.replicatedJobs[0].replicas",
    ),
    Row(
        parity.REPLICAS_COUNTED_ONCE,
        runtime({"mpi": {}}, job("launcher"), {**job("node", None), "replicas": 2}),
        trainjob({}),
        "spec.template.spec.replicatedJobs[1].replicas",
        BEFORE_2_3,
    ),
    Row(
        parity.GANG_DEADLOCK,
        runtime({}, job("a", None), {**job("node"), "dependsOn": [{"name": "a", "status": "Complete"}]}, gang=COSCHEDULING),
        trainjob({}),
        "spec.template.spec.replicatedJobs[1].dependsOn",
    ),
    Row(
        parity.GANG_DEADLOCK,
        runtime({}, job("a", None), job(), gang=COSCHEDULING, startupPolicy={"startupPolicyOrder": "InOrder"}),
        trainjob({}),
        "spec.template.spec.startupPolicy",
    ),
    Row(parity.GANG_IGNORES_LIMITS, node({}, gang=COSCHEDULING, resources=GPU), trainjob({}), f"{NODE}.resources.limits"),
    Row(parity.GANG_IGNORES_LIMITS, node({}, gang=COSCHEDULING), trainjob({"resourcesPerNode": GPU}), f"{RPN}.limits", FROM_2_2),
    Row(parity.GANG_IGNORES_RESOURCES, node({}, gang=COSCHEDULING), trainjob({"resourcesPerNode": {"requests": {"cpu": 1}}}), RPN, BEFORE_2_2),
    Row(parity.SCHEDULER_NAME_UNSET, node({}, gang=COSCHEDULING), trainjob({}), f"spec.template.spec.replicatedJobs[0].{POD}"),
    Row(parity.SCHEDULER_NAME_UNSET, node({}, gang=VOLCANO), trainjob({}), f"spec.template.spec.replicatedJobs[0].{POD}", FROM_2_1, FROM_2_1),
    Row(parity.SEVERAL_LAUNCHERS, mpi(nodes=3), trainjob({}), "spec.mlPolicy.numNodes"),
    Row(parity.TWO_HOSTS_FOR_ONE_NODE, mpi(as_node=True), trainjob({"numNodes": 1}), "spec.trainer.numNodes"),
    Row(parity.TWO_HOSTS_FOR_ONE_NODE, mpi(as_node=True), trainjob({}), "spec.trainer", severity="info"),
    Row(parity.WORKER_NOT_OVERRIDDEN, mpi(), trainjob({"image": "other:1"}), "spec.trainer.image"),
    Row(parity.WORKER_NOT_OVERRIDDEN, mpi(), trainjob({"env": env("A")}), "spec.trainer.env", severity="info"),
    Row(parity.WORKER_NOT_OVERRIDDEN, mpi(), trainjob({"resourcesPerNode": GPU}), RPN),
    Row(parity.WORKER_NOT_OVERRIDDEN, mpi(as_node=True), trainjob({"resourcesPerNode": GPU}), RPN, ("v2.0",)),
    Row(parity.WORKER_NOT_OVERRIDDEN, mpi(as_node=True), trainjob({"env": env("A")}), "spec.trainer.env", ("v2.0",), severity="info"),
    Row(
        parity.WORKER_NOT_OVERRIDDEN,
        runtime({"mpi": {}}, job("launcher"), job("node")),
        trainjob({"command": ["mpirun"]}),
        "spec.trainer.command",
    ),
    Row(parity.SLOTS_BY_ORDER, mpi(worker={"resources": GPU}), trainjob({}), f"{NODE.replace('Jobs[0]', 'Jobs[1]')}.resources", FROM_2_1),
    Row(parity.FLUX_ARGUMENTS, node({"flux": {}}, command=["lmp"]), trainjob({"numNodes": 1}), f"{NODE}.command", ("v2.2",), FROM_2_2),
    Row(parity.FLUX_ARGUMENTS, node({"flux": {}}, args=["-in"]), trainjob({"numNodes": 1}), f"{NODE}.args", FROM_2_2, FROM_2_2),
    Row(parity.FLUX_MEMORY, node({"flux": {}}), trainjob({"numNodes": 1}), "spec.mlPolicy.flux", ("v2.3",), FROM_2_2),
    Row(parity.FLUX_KEY_DERIVABLE, node({"flux": {}}), trainjob({"numNodes": 1}), "metadata.uid", FROM_2_2, FROM_2_2),
    Row(parity.FLUX_EXIT_STATUS, node({"flux": {}}), trainjob({"numNodes": 1}), "spec.mlPolicy.flux", FROM_2_2, FROM_2_2),
    Row(parity.OPEN_MPI_FIVE, mpi(), trainjob({"numNodes": 2}), "spec.mlPolicy.mpi"),
    Row(parity.JAX_VARIABLES_OVERRIDDEN, node({"jax": {}}), trainjob({"env": env("JAX_PROCESS_ID")}), "spec.trainer.env[0]", FROM_2_2, FROM_2_2),
    Row(parity.FIXED_ADDRESSES, runtime(TORCH, job("trainer")), trainjob({}), "spec.template.spec.replicatedJobs[0].name"),
    Row(parity.FIXED_ADDRESSES, runtime(TORCH, network={"subdomain": "pods"}), trainjob({}), "spec.template.spec.network.subdomain"),
    Row(parity.FIXED_ADDRESSES, runtime({"flux": {}}, job("a")), trainjob({"numNodes": 1}), "spec.template.spec.replicatedJobs[0].name", FROM_2_2, FROM_2_2),
    Row(parity.SECOND_TRAINER_JOB, runtime(TORCH, job(), job("b")), trainjob({}), "spec.template.spec.replicatedJobs[1].name"),
    Row(parity.RESERVED_ENV_UNCHECKED, node(), trainjob({"env": env("PET_NNODES")}), "spec.trainer.env[0]"),
    Row(parity.TUNE_OLD_LIST, node(), trainjob({"command": TUNE}, runtime_name="torchtune-llama3.2-3b"), "spec.runtimeRef.name", ("v2.0",)),
    Row(parity.TUNE_MODEL_FROM_NAME, node(), trainjob({"command": TUNE}), "spec.runtimeRef.name"),
    Row(
        parity.QUANTIZE_BASE_FALSE,
        node(resources={"limits": {"nvidia.com/gpu": 1}}),
        trainjob({"command": TUNE, "args": ["model.lora_attn_modules=[q]", "model.quantize_base=False"]}),
        "spec.trainer.args[1]",
        ("v2.1", "v2.2"),
    ),
    Row(parity.LORA_IGNORED, node(), trainjob({"numNodes": 2, "command": TUNE, "args": ["model.lora_attn_modules=[q]"]}), "spec.trainer.args[0]"),
    Row(parity.LORA_IGNORED, node(), trainjob({"command": TUNE, "args": ["a=1", "model.quantize_base=True"]}), "spec.trainer.args[1]", ("v2.0",)),
    Row(parity.LORA_IGNORED, node(), trainjob({"command": TUNE, "args": ["model.lora_attn_modules=[q]"]}), "spec.trainer.args[0]", ("v2.0",)),
    Row(
        parity.STORAGE_URI_OVERRIDDEN,
        runtime(None, job("dataset-initializer", "dataset-initializer", containers=[container("dataset-initializer")])),
        trainjob(initializer={"dataset": {"storageUri": "hf://a", "env": env("STORAGE_URI", "hf://b")}}),
        "spec.initializer.dataset.env[0]",
    ),
    Row(
        parity.INITIALIZER_NOT_INJECTED,
        runtime(None, job("model-initializer", None, containers=[container("model-initializer")])),
        trainjob(initializer={"model": {"storageUri": "hf://a"}}),
        "spec.initializer.model",
    ),
    Row(
        parity.TWO_SOURCES,
        runtime(TORCH, job(volumes=[{"name": "v", "emptyDir": {}}])),
        trainjob({}, runtimePatches=patch({"volumes": [{"name": "v", "hostPath": {"path": "/x"}}]})),
        f"{PATCHED}.spec.template.spec.volumes[0]",
        FROM_2_2,
        FROM_2_2,
    ),
    Row(
        parity.TWO_SOURCES,
        runtime(TORCH, job(containers=[container(), container("side", env=env("A"))])),
        trainjob({}, runtimePatches=patch({"containers": [{"name": "side", "env": [{"name": "A", "valueFrom": FIELD}]}]})),
        f"{PATCHED}.spec.template.spec.containers[0].env[0]",
        FROM_2_2,
        FROM_2_2,
    ),
    Row(parity.PATCH_METADATA_PASSED, node(), trainjob({}, runtimePatches=patch(metadata={"name": "x"})), f"{PATCHED}.metadata.name", FROM_2_2, FROM_2_2),
    Row(
        parity.PATCH_METADATA_PASSED,
        node(),
        trainjob({}, runtimePatches=patch(metadata={"finalizers": ["a/b"]})),
        f"{PATCHED}.metadata.finalizers",
        FROM_2_2,
        FROM_2_2,
    ),
    Row(parity.NO_NODES, node(), trainjob({"numNodes": 0}), "spec.trainer.numNodes"),
    Row(parity.NO_NODES, node({"numNodes": 0, "torch": {}}), trainjob({}), "spec.mlPolicy.numNodes", severity="info"),
    Row(parity.RANDOM_ORDER, node({"xgboost": {}}), trainjob({"env": env("A")}), "spec.trainer.env", FROM_2_2, FROM_2_2),
    Row(parity.RANDOM_ORDER, node(), trainjob({"resourcesPerNode": {"limits": {"a/gpu": 1, "b/gpu": 2}}}), f"{RPN}.limits"),
    Row(parity.RANDOM_ORDER, node(), trainjob({}), "spec.trainer", FROM_2_2, FROM_2_2, facts=STATUS),
    Row(
        parity.RANDOM_ORDER,
        node({}, gang={**COSCHEDULING, **VOLCANO}, resources={"requests": {"memory": "0.5Gi"}}),
        trainjob({"numNodes": 2}),
        "spec.podGroupPolicy",
        FROM_2_1,
        FROM_2_1,
    ),
    Row(
        parity.STATUS_OVERWRITES,
        node(env=env("KUBEFLOW_TRAINER_SERVER_URL")),
        trainjob({}),
        f"{NODE}.env[0]",
        FROM_2_2,
        FROM_2_2,
        facts=STATUS,
    ),
    Row(
        parity.VOLCANO_SETTINGS,
        runtime({}, job(priorityClassName="a", schedulerName="volcano"), job("b", None, priorityClassName="b", schedulerName="volcano"), gang=VOLCANO),
        trainjob({}),
        f"spec.template.spec.replicatedJobs[0].{POD}.priorityClassName",
        FROM_2_1,
        FROM_2_1,
    ),
    Row(
        parity.VOLCANO_SETTINGS,
        node({}, gang=VOLCANO),
        trainjob({}, metadata={"annotations": {"scheduling.volcano.sh/queue-name": "q"}}),
        "metadata.annotations.scheduling.volcano.sh/queue-name",
        FROM_2_1,
        FROM_2_1,
    ),
    Row(parity.ELASTIC_POLICY_IGNORED, node({"torch": {"elasticPolicy": {"minNodes": 1}}}), trainjob({}), "spec.mlPolicy.torch.elasticPolicy", BEFORE_2_2),
    Row(parity.MULTIKUEUE_IGNORED, node(), trainjob({}, managedBy="kueue.x-k8s.io/multikueue"), "spec.managedBy", BEFORE_2_3),
    Row(
        parity.FILE_KEY_REF_LOST,
        node(),
        trainjob({"env": [{"name": "X", "valueFrom": {"fileKeyRef": {"volumeName": "v", "path": "p", "key": "k"}}}]}),
        "spec.trainer.env[0].valueFrom.fileKeyRef",
        FROM_2_1,
    ),
    Row(parity.TRAINER_SECTION_UNUSED, runtime({}, job("node", None)), trainjob({"image": "other:1"}), "spec.trainer.image"),
    Row(parity.TRAINER_SECTION_UNUSED, runtime({}, job("node", None)), trainjob({"numNodes": 2}), "spec.trainer.numNodes"),
    Row(parity.TRAINER_SECTION_UNUSED, runtime({}, job("node", None)), trainjob({"resourcesPerNode": GPU}), RPN),
    Row(parity.TRAINER_SECTION_UNUSED, runtime({"mpi": {}}, job("launcher")), trainjob({"numNodes": 2}), "spec.trainer.numNodes"),
    Row(parity.TRAINER_SECTION_UNUSED, node({"jax": {}}), trainjob({"numProcPerNode": 2}), "spec.trainer.numProcPerNode", FROM_2_2, FROM_2_2),
    Row(parity.TRAINER_SECTION_UNUSED, runtime(TORCH, job("node", None)), trainjob({"numProcPerNode": 2}), "spec.trainer.numProcPerNode"),
    Row(parity.GPU_LIKE_NAME, node(), trainjob({"resourcesPerNode": {"limits": {"nvidia.com/gpumem": 4000}}}), RPN),
)


def found(given: Tree, asked: Tree, profile: str, facts: Facts = NO_FACTS) -> list[Diagnostic]:
    return of_plan(run_passes(plan_of(given, asked, profile, facts), BUILTIN).plan)


def notices(row: Row, profile: str) -> list[tuple[str, str, str]]:
    told = [d for d in found(row.given, row.asked, profile, row.facts) if d.code >= "JSC800"]
    assert all(d.message and d.hint and d.document is not None and d.name == "job" for d in told)
    return [(d.code, d.severity, format_path(d.at)) for d in told]


@pytest.mark.parametrize("row", ROWS, ids=ids(row.code for row in ROWS))
def test_notice(row: Row, snapshot: SnapshotAssertion) -> None:
    """Where and in which releases it is raised; the words, and all that is said besides, stand below `__snapshots__`: read them as a user would."""
    wanted = (row.code.code, row.severity, row.at)
    for profile in row.among:
        assert (wanted in notices(row, profile)) is (profile in row.raising), notices(row, profile)
    assert by_release(lambda release: found(row.given, row.asked, release, row.facts), row.among) == snapshot


def test_every_notice_has_a_row() -> None:
    codes = {value for value in vars(parity).values() if isinstance(value, Code)}
    assert codes == {row.code for row in ROWS}


def test_numbers_are_those_of_the_quirks() -> None:
    """801 to 856 repeat the numbering of the quirks; what has no number there starts at 870."""
    for row in ROWS:
        number = int(row.code.code[3:])
        assert 801 <= number <= 856 or number >= 870


QUIET = {"limits": {"nvidia.com/gpu": 2}, "requests": {"nvidia.com/gpu": 2}}
NEAR_MISSES: tuple[tuple[Code, Tree, Tree], ...] = (
    (parity.PORTS_COLLAPSE, node(ports=[{"name": "a", "containerPort": 8080}, {"name": "b", "containerPort": 9090}]), trainjob({})),
    (parity.PORTS_COLLAPSE, node(ports=[{"containerPort": 29500}]), trainjob({})),
    (parity.NO_TRAINER_SECTION, node(), trainjob({})),
    (parity.NO_TRAINER_SECTION, node({}), trainjob()),
    (parity.LIMITS_COUNT_ONE, node(), trainjob({"resourcesPerNode": QUIET})),
    (parity.ONE_PROCESS_WITHOUT_RESOURCES, node(resources=QUIET), trainjob({})),
    (parity.ONE_PROCESS_WITHOUT_RESOURCES, node(), trainjob({"numProcPerNode": 1})),
    (parity.ACCELERATOR_NOT_COUNTED, node(resources={"limits": {"example.com/input": 1}}), trainjob({})),
    (parity.ACCELERATOR_NOT_COUNTED, node(resources={"limits": {"google.com/tpu": 4}}), trainjob({"numProcPerNode": 4})),
    (parity.MERGED_RESOURCES_NOT_COUNTED, node(resources=QUIET), trainjob({"resourcesPerNode": QUIET})),
    (parity.RUNTIME_RESOURCES_REPLACED, node(resources=QUIET), trainjob({"resourcesPerNode": QUIET})),
    (parity.RESOURCES_IGNORED, node({}), trainjob({"resourcesPerNode": QUIET})),
    (parity.GHOST_CONTAINER, node(), trainjob({})),
    (parity.COMPLETIONS_OVERWRITTEN, runtime(None, job("etl", None, spec={"parallelism": 2, "completions": 2})), trainjob()),
    (parity.COMPLETIONS_OVERWRITTEN, runtime({"torch": {}}, job(spec={"parallelism": 4})), trainjob({"numNodes": 2})),
    (parity.COMPLETIONS_OVERWRITTEN, runtime({"numNodes": 4, "torch": {}}, job(spec={"parallelism": 4})), trainjob({})),
    (parity.COMPLETIONS_OVERWRITTEN, runtime({"torch": {}}, job("fit", spec={"parallelism": 4})), trainjob({"numNodes": 2})),
    (parity.COMPLETIONS_OVERWRITTEN, runtime({"mpi": {}}, job("launcher"), job("node", None, spec={"parallelism": 4})), trainjob({"numNodes": 2})),
    (parity.REPLICAS_COUNTED_ONCE, runtime(None, {**job("etl", None), "replicas": 2}), trainjob()),
    (parity.REPLICAS_COUNTED_ONCE, runtime({}, {**job(), "replicas": 2}, gang=COSCHEDULING), trainjob()),
    (parity.GANG_DEADLOCK, runtime({}, job("a", None), {**job(), "dependsOn": [{"name": "a", "status": "Ready"}]}), trainjob({})),
    (parity.GANG_IGNORES_LIMITS, node({}, gang=COSCHEDULING, resources=QUIET), trainjob({})),
    (parity.SCHEDULER_NAME_UNSET, runtime({}, job(schedulerName="s"), gang=COSCHEDULING), trainjob({})),
    (parity.SEVERAL_LAUNCHERS, mpi(), trainjob({"numNodes": 3})),
    (parity.TWO_HOSTS_FOR_ONE_NODE, mpi(as_node=True), trainjob({"numNodes": 2})),
    (parity.TWO_HOSTS_FOR_ONE_NODE, mpi(), trainjob({"numNodes": 1})),
    (parity.WORKER_NOT_OVERRIDDEN, mpi(), trainjob({"image": "example/train:1"})),
    (parity.SLOTS_BY_ORDER, mpi(worker={"resources": GPU}), trainjob({"numProcPerNode": 2})),
    (parity.SLOTS_BY_ORDER, mpi(worker={"resources": GPU}, numProcPerNode=2), trainjob({})),
    (parity.OPEN_MPI_FIVE, mpi(), trainjob({"numNodes": 1})),
    (parity.FIXED_ADDRESSES, runtime(TORCH, network={"subdomain": "job"}), trainjob({})),
    (parity.FIXED_ADDRESSES, runtime(TORCH, job("trainer")), trainjob()),
    (parity.SECOND_TRAINER_JOB, runtime(TORCH, job(), job("b", None)), trainjob({})),
    (parity.RESERVED_ENV_UNCHECKED, node({}), trainjob({"env": env("PET_NNODES")})),
    (parity.TUNE_MODEL_FROM_NAME, node(), trainjob({"command": TUNE}, runtime_name="torchtune-llama3.2-1b")),
    (parity.NO_NODES, node(), trainjob({"numNodes": 1})),
    (parity.RANDOM_ORDER, node(), trainjob({"resourcesPerNode": {"limits": {"a/gpu": 1, "b/gpu": 1}}})),
    (parity.TRAINER_SECTION_UNUSED, node({}), trainjob({"image": "other:1"})),
    (parity.TRAINER_SECTION_UNUSED, runtime({}, job("node", None)), trainjob({})),
    (parity.TRAINER_SECTION_UNUSED, mpi(), trainjob({"numNodes": 2, "numProcPerNode": 2, "resourcesPerNode": GPU})),
    (parity.TRAINER_SECTION_UNUSED, node(), trainjob({"numNodes": 2, "numProcPerNode": 2, "resourcesPerNode": GPU})),
    (parity.GPU_LIKE_NAME, node(), trainjob({"resourcesPerNode": QUIET})),
)


@pytest.mark.parametrize(("code", "given", "asked"), NEAR_MISSES, ids=ids(row[0] for row in NEAR_MISSES))
def test_near_miss(code: Code, given: Tree, asked: Tree, snapshot: SnapshotAssertion) -> None:
    for profile in ALL:
        assert code.code not in [d.code for d in found(given, asked, profile)]
    assert by_release(lambda release: found(given, asked, release), ALL) == snapshot
