"""What every pass writes, in which order and on account of what. Read the text below `__snapshots__`; `--snapshot-update` writes it."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.passes.driver import run_passes
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.resolve.facts import Facts, SSHKeys
from tests.passes.plans import container, job, plan_of, runtime, trainjob

Tree = dict[str, Any]
RELEASES = ("v2.0", "v2.1", "v2.2", "v2.3")
FROM_2_1, FROM_2_2, LAST = RELEASES[1:], RELEASES[2:], RELEASES[3:]
TORCH: Tree = {"torch": {}}
GPUS: Tree = {"limits": {"nvidia.com/gpu": 2}, "requests": {"nvidia.com/gpu": 2}}
CPUS: Tree = {"limits": {"cpu": 4}, "requests": {"cpu": "3500m"}}
GATE = Facts(feature_gates=frozenset({"TrainJobStatus"}))
# claim, runtime, TrainJob, releases, facts
Case = tuple[str, Tree, Tree, tuple[str, ...], Facts]


def case(claim: str, given: Tree, asked: Tree, releases: tuple[str, ...] = RELEASES, **facts: Any) -> Case:
    return claim, given, asked, releases, Facts(**facts)


def variables(*names: str) -> list[Tree]:
    return [{"name": name, "value": name.lower()} for name in names]


def mpi(*jobs: Tree, **policy: Any) -> Tree:
    return runtime({"mpi": {"sshAuthMountPath": "/home/mpiuser/.ssh", **policy}}, *(jobs or (job("launcher"), job("node", None))))


def gang(*jobs: Tree, metadata: Tree | None = None, **policy: Any) -> Tree:
    return runtime({"numNodes": 2}, *jobs, gang=policy, metadata=metadata)


def flux(*jobs: Tree, **policy: Any) -> Tree:
    return runtime({"flux": policy}, *jobs)


def tuned(model: str, *words: str, nodes: int = 1, args: tuple[str, ...] = (), command: tuple[str, ...] = (), **trainer: Any) -> Case:
    given = runtime(TORCH, job(containers=[container() | ({"command": list(command)} if command else {})]))
    given["metadata"]["name"] = f"torchtune-{model}"
    asked = trainjob({"command": ["tune", "run", *words], "args": list(args), "numNodes": nodes, **trainer}, runtime_name=given["metadata"]["name"])
    return case(f"{' '.join(('tune run', *words))} of {model} on {nodes} with {' '.join(args) or 'nothing'}, {trainer or 'as it is'}", given, asked)


INITIALIZERS = [job(f"{name}-initializer", f"{name}-initializer", containers=[container(f"{name}-initializer")]) for name in ("dataset", "model")]
TARGETS = [{"jobName": "node", "containerNames": ["side", "fetch"]}, {"jobName": "logger", "containerNames": ["log"]}]
KEPT = ("tune", "run", "--config", "x", "output_dir=/o", "tokenizer.path=/t", "tokenizer.merges_file=/m", "checkpointer.checkpoint_dir=/c", "other=1")
QLORA, LORA = "model.quantize_base=True", "model.lora_attn_modules=[q]"
CASES: list[Case] = [
    case("torch, nothing asked", runtime(TORCH), trainjob({})),
    case("torch without spec.trainer", runtime(TORCH), trainjob()),
    case("torch without the container", runtime(TORCH, job(containers=[container("main")])), trainjob({"numNodes": 2})),
    case("torch without the label", runtime(TORCH, job("node", None)), trainjob({"numNodes": 2, "image": "i:2", "env": variables("A")})),
    case(
        "torch, everything asked",
        runtime(TORCH, job(), job("b")),
        trainjob({"numNodes": 3, "image": "i:2", "command": ["a"], "args": ["b", "c"], "env": variables("A", "B"), "resourcesPerNode": GPUS}),
    ),
    case("torch, resources of the runtime", runtime(TORCH, job(containers=[container(resources=CPUS)])), trainjob({})),
    case(
        "torch, resources of a job that is called node",
        runtime(
            TORCH,
            job("first", None, containers=[container(resources=GPUS)]),
            job("node", None, containers=[container("a"), container(resources=CPUS)]),
            job("b"),
        ),
        trainjob({}),
    ),
    case("torch, limits alone", runtime(TORCH), trainjob({"resourcesPerNode": {"limits": {"cpu": 3}}})),
    case("torch, requests alone, and a number", runtime(TORCH), trainjob({"numProcPerNode": 5, "resourcesPerNode": {"requests": {"cpu": 3}}})),
    case("torch, CPUs of both lists", runtime(TORCH), trainjob({"resourcesPerNode": {"limits": {"cpu": 5}, "requests": {"cpu": 3}}})),
    case("torch, GPUs in one list", runtime(TORCH), trainjob({"resourcesPerNode": {"limits": {"cpu": 5, "nvidia.com/gpu": 1}, "requests": {"cpu": 3}}})),
    case("torch, lists without CPUs", runtime(TORCH), trainjob({"resourcesPerNode": {"limits": {"memory": "1Gi"}, "requests": {"memory": "1Gi"}}})),
    *(
        case(f"torch, {word} processes of the runtime", runtime({"torch": {"numProcPerNode": word}}), trainjob({"resourcesPerNode": CPUS}), RELEASES[:2])
        for word in ("auto", "cpu", "gpu", 4)
    ),
    *(
        case(
            f"torch, {word} processes of the TrainJob",
            runtime({"torch": {"numProcPerNode": 7}}),
            trainjob({"numProcPerNode": word, "resourcesPerNode": {"limits": {"cpu": 2}, "requests": {"memory": 1}}}),
            RELEASES[:2],
        )
        for word in ("auto", "cpu", "gpu")
    ),
    case("variables of the policy by the user", runtime(TORCH), trainjob({"env": variables("PET_NNODES", "A")})),
    case(
        "variables are injected elsewhere",
        runtime(
            {"torch": {"envInjection": {"targets": TARGETS}}},
            job("logger", None, containers=[container("log")]),
            job(containers=[container(), container("side")], initContainers=[container("fetch")]),
        ),
        trainjob({"numNodes": 2}),
        LAST,
    ),
    *(
        tuned("llama3.2-1b", args=args, resourcesPerNode=GPUS)
        for args in ((), (LORA,), (QLORA, LORA), (QLORA, "model.use_dora=True"), (" model.quantize_base = TRUE ",), ("model.quantize_base",))
    ),
    *(tuned("llama3.3-70b", nodes=nodes, args=args, command=KEPT) for nodes in (1, 2) for args in ((), (LORA, QLORA))),
    *(tuned("qwen2.5-1.5b", numProcPerNode=count) for count in (1, 2)),
    tuned("llama3.2-1b", resourcesPerNode={"limits": {"nvidia.com/gpu": 1}, "requests": {"nvidia.com/gpu": 1}}, args=(LORA,)),
    case(
        "tune run, words of others",
        runtime(
            TORCH,
            job("other", None, containers=[container(command=["output_dir=/other"])]),
            job(containers=[container("side", command=["output_dir=/side"]), container(command=["output_dir=/mine", "output_dirs=/x"])]),
            job("last", containers=[container(command=["tokenizer.path=/last"])]),
        ),
        trainjob({"command": ["tune", "run"]}),
    ),
    tuned("llama3.2-1b", "more"),
    tuned("a-b-c"),
    case("mpi, nothing asked", mpi(), trainjob({})),
    case("mpi without spec.trainer", mpi(), trainjob()),
    case(
        "mpi, everything asked",
        mpi(),
        trainjob({"numNodes": 3, "numProcPerNode": 2, "image": "i:2", "command": ["a"], "args": ["b"], "env": variables("A"), "resourcesPerNode": GPUS}),
    ),
    *(
        case(
            f"mpi, the launcher is one of {nodes}", mpi(runLauncherAsNode=True), trainjob({"numNodes": nodes, "env": variables("A"), "resourcesPerNode": GPUS})
        )
        for nodes in (0, 1, 2, 3)
    ),
    *(
        case(
            f"mpi, {count} GPUs of the node",
            mpi(job("node", None, containers=[container(resources={"limits": {"nvidia.com/gpu": count}})]), job("launcher")),
            trainjob({"numNodes": 2}),
        )
        for count in (1, 2)
    ),
    *(
        case(f"mpi, {word} slots", mpi(), trainjob({"numProcPerNode": word}), RELEASES[:2])
        for word in ("auto", "3", "+3", "-3", "4294967298", "x3", "", "\u0663", "+")
    ),
    case("mpi, slots of the runtime", mpi(numProcPerNode=3), trainjob({"resourcesPerNode": GPUS})),
    case(
        "mpi without the containers",
        mpi(job("launcher", containers=[container("a")]), job("node", None, containers=[container("b")]), job("c", None)),
        trainjob({"numNodes": 2}),
    ),
    case("mpi, one of them", mpi(job("launcher")), trainjob({"numNodes": 2})),
    case("mpi, replicas", mpi(job("launcher"), {**job("node", None), "replicas": 2}), trainjob({"numNodes": 2})),
    case("mpi, too many hosts", mpi(), trainjob({"numNodes": 1_000_001}), LAST),
    case("mpi, a key", mpi(), trainjob({}), LAST, ssh_keys=SSHKeys(private="p", public="q")),
    case("jax", runtime({"jax": {}}), trainjob({"numNodes": 2, "env": variables("A", "JAX_PROCESS_ID")}), FROM_2_2),
    case("jax without spec.trainer", runtime({"jax": {}}), trainjob(), FROM_2_2),
    case("jax without the label", runtime({"jax": {}}, job("node", None)), trainjob({}), FROM_2_2),
    case("jax without the container", runtime({"jax": {}}, job(containers=[container("a")])), trainjob({}), FROM_2_2),
    case("xgboost", runtime({"xgboost": {}}), trainjob({"numNodes": 3, "env": variables("A")}), FROM_2_2),
    case("xgboost, GPUs", runtime({"xgboost": {}}), trainjob({"numNodes": 3, "resourcesPerNode": GPUS}), FROM_2_2),
    case("xgboost without the container", runtime({"xgboost": {}}, job(containers=[container("a")])), trainjob({}), FROM_2_2),
    case("xgboost without spec.trainer", runtime({"xgboost": {}}), trainjob(), FROM_2_2),
    case("flux", flux(numProcPerNode=2), trainjob({"numNodes": 2, "command": ["a", " b "], "args": ["c "], "env": variables("A")}), FROM_2_2),
    case("flux, GPUs and a number", flux(), trainjob({"numNodes": 1, "numProcPerNode": 3, "resourcesPerNode": GPUS}), FROM_2_2),
    case("flux, the runtime's command", flux(job(containers=[container(command=["r"], args=["s"])])), trainjob({"numNodes": 2}), FROM_2_2),
    case(
        "flux, its variables",
        flux(job(containers=[container(env=variables("FLUX_VIEW_IMAGE", "FLUX_NETWORK_DEVICE"))])),
        trainjob({"numNodes": 2, "env": [*variables("FLUX_QUEUE_POLICY"), {"name": "FLUX_VIEW_IMAGE", "value": ""}]}),
        FROM_2_2,
    ),
    case("flux without a number of nodes", flux(), trainjob({}), FROM_2_2),
    case("flux without spec.trainer", flux(), trainjob(), FROM_2_2),
    case("flux without the job", flux(job("main")), trainjob({"numNodes": 2}), FROM_2_2),
    case(
        "flux, words of others",
        flux(
            job("other", None, containers=[container(command=["other"])]),
            job(containers=[container("side", command=["side"]), container(command=["mine"])]),
            job("last", containers=[container(command=["last"])]),
        ),
        trainjob({"numNodes": 2}),
        FROM_2_2,
    ),
    case("flux without a UID", flux(), trainjob({"numNodes": 2}, uid=""), FROM_2_2),
    case("flux, a UID from the cluster", flux(), trainjob({"numNodes": 2}, uid=""), FROM_2_2, uid="u"),
    case(
        "progress is reported",
        runtime({"jax": {}}, job(containers=[container(), container("side")])),
        trainjob({"numNodes": 2}),
        FROM_2_2,
        feature_gates=GATE.feature_gates,
    ),
    case(
        "progress, and the authority is known",
        runtime(None),
        trainjob(),
        FROM_2_2,
        feature_gates=GATE.feature_gates,
        certificate_authority="CA",
        operator_namespace="ops",
    ),
    case("gates that nobody knows", runtime(TORCH), trainjob({}), feature_gates=frozenset({"TrainJobStatus", "A", "B"})),
    case(
        "initializers",
        runtime(None, *INITIALIZERS, job()),
        trainjob(
            initializer={"dataset": {"storageUri": "hf://a/b", "env": variables("A"), "secretRef": {"name": "s"}}, "model": {"env": variables("STORAGE_URI")}}
        ),
    ),
    case("one initializer", runtime(None, *INITIALIZERS, job()), trainjob(initializer={"model": {"secretRef": {}}})),
    case(
        "initializers without their containers",
        runtime(None, job("a", "dataset-initializer"), job("b", None, containers=[container("model-initializer")]), job()),
        trainjob(initializer={"dataset": {"storageUri": "hf://a/b"}, "model": {"storageUri": "hf://a/b"}}),
    ),
    case(
        "no policy",
        runtime(None),
        trainjob({"numNodes": 3, "image": "i:2", "env": variables("A"), "resourcesPerNode": {"claims": [{"name": "c"}], "limits": {"cpu": 1}}}),
    ),
    case("no policy, empty words", runtime({}), trainjob({"numNodes": 0, "command": [], "args": [], "resourcesPerNode": {}})),
    case("coscheduling", gang(coscheduling={"scheduleTimeoutSeconds": 9}), trainjob({"resourcesPerNode": CPUS})),
    case(
        "coscheduling of several",
        gang(
            *INITIALIZERS,
            {**job("log", None, containers=[container(resources=CPUS)], spec={"parallelism": 3}), "replicas": 2},
            job(containers=[container(resources={"requests": {"memory": "0.5Gi", "a/gpu": 1}})]),
            coscheduling={},
        ),
        trainjob({}),
    ),
    case(
        "coscheduling, all that is counted",
        gang(
            job("one", None, overhead={"cpu": "250m"}, containers=[container(resources=CPUS)]),
            job(
                initContainers=[container("first", resources={"requests": {"cpu": 8}}), container("beside", restartPolicy="Always", resources=CPUS)],
                containers=[container("side", resources=CPUS), container()],
            ),
            coscheduling={},
        ),
        trainjob({}),
        LAST,
    ),
    case("volcano", gang(volcano={}), trainjob({"resourcesPerNode": CPUS}), FROM_2_1),
    case(
        "volcano, all that it reads",
        gang(
            job("a", None, priorityClassName="low"),
            job("b", None),
            job(priorityClassName="high"),
            volcano={"networkTopology": {"mode": "hard", "highestTierAllowed": 2}},
            metadata={"annotations": {"scheduling.volcano.sh/queue-name": "q"}},
        ),
        trainjob({}),
        FROM_2_1,
    ),
    case("volcano, a topology without mode", gang(volcano={"networkTopology": {}}), trainjob({}), FROM_2_1),
    case(
        "both gangs",
        gang(job(containers=[container(resources={"requests": {"memory": "0.5Gi", "cpu": 1}})]), coscheduling={}, volcano={}),
        trainjob({}),
        FROM_2_1,
    ),
    case("a gang of neither", gang(), trainjob({})),
]


LONGEST = 600


def short(value: Any) -> str:
    """What is written; of scripts and certificates, which the goldens have, the beginning."""
    text = repr(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."


def written(given: Tree, asked: Tree, release: str, facts: Facts) -> str:
    """A write a line: who, where, what and why; then what is said, with its place."""
    outcome = run_passes(plan_of(given, asked, release, facts), BUILTIN)
    lines = [f"{write.pass_name}: {' '.join(write.slot)} = {short(write.value)}  <- {write.because!r}" for write in outcome.plan.writes]
    lines += [f"{found.severity} {found.code} {format_path(found.at)}: {found.message}; {found.hint}" for found in outcome.diagnostics]
    return "\n".join(lines) or "nothing"


@pytest.mark.parametrize(("given", "asked", "releases", "facts"), [pytest.param(*rest, id=claim) for claim, *rest in CASES])
def test_writes(given: Tree, asked: Tree, releases: tuple[str, ...], facts: Facts, snapshot: SnapshotAssertion) -> None:
    texts = [(release, written(given, asked, release, facts)) for release in releases]
    same = groupby(texts, key=lambda pair: pair[1])
    assert "\n".join(f"in {', '.join(release for release, _ in pairs)}:\n{text}" for text, pairs in same) == snapshot
