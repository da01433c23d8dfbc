"""Silent failures: an input that raises each, in which releases and at which place, and a near miss that does not."""

from __future__ import annotations

from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler import runtimes
from jobset_compiler.diagnostics.codes import silent
from jobset_compiler.diagnostics.codes.code import Code
from jobset_compiler.diagnostics.place import format_path
from tests.passes.plans import compiled, container, job, runtime, trainjob

Tree = dict[str, Any]
ALL = ("v2.0", "v2.1", "v2.2", "v2.3")
FROM_2_1, FROM_2_2, BEFORE_2_3 = ALL[1:], ALL[2:], ALL[:3]
TORCH: Tree = {"torch": {}}
MPI: Tree = {"mpi": {"sshAuthMountPath": "/home/mpiuser/.ssh"}}
JOBS = "spec.template.spec.replicatedJobs"
POD = "template.spec.template.spec"
NODE = f"{JOBS}[0].{POD}.containers[0]"
GPUS = {"limits": {"nvidia.com/gpu": 4}, "requests": {"nvidia.com/gpu": 4}}
CLAIM: Tree = {"volumes": [{"name": "initializer", "persistentVolumeClaim": {"claimName": "data"}}]}
MOUNTS: Tree = {"volumeMounts": [{"name": "initializer", "mountPath": "/workspace"}]}


def initializer(name: str = "dataset-initializer", *, waits: list[Tree] | None = None, pod: Tree | None = None, **fields: Any) -> Tree:
    """An initializer that keeps what it downloads, unless told otherwise."""
    tree = job(name, name, containers=[container(name, **(fields or MOUNTS))], **(CLAIM if pod is None else pod))
    return {**tree, "dependsOn": waits} if waits else tree


def after(name: str, status: str = "Complete", *, of: Tree | None = None) -> Tree:
    return {**(of or job()), "dependsOn": [{"name": name, "status": status}]}


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
CHAIN = [{"name": "dataset-initializer", "status": "Complete"}]
NEAR_MISSES: list[tuple[Code, Tree, Tree]] = [
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
]


def found(given: Tree, asked: Tree, profile: str) -> list[tuple[str, str, str]]:
    """(code, severity, place) of the findings of this block."""
    told = [d for d in compiled(given, asked, profile).diagnostics if "JSC700" <= d.code < "JSC800"]
    assert all(d.message and d.hint and d.stage == "advice" for d in told)
    return [(d.code, d.severity, format_path(d.at)) for d in told]


@pytest.mark.parametrize("profile", ALL)
@pytest.mark.parametrize(("code", "given", "asked", "at", "raising"), ROWS, ids=[f"{row[0].slug}-{index}" for index, row in enumerate(ROWS)])
def test_finding(code: Code, given: Tree, asked: Tree, at: str, raising: tuple[str, ...], profile: str) -> None:
    assert ((code.code, code.severity, at) in found(given, asked, profile)) is (profile in raising), found(given, asked, profile)


@pytest.mark.parametrize("profile", ALL)
@pytest.mark.parametrize(("code", "given", "asked"), NEAR_MISSES, ids=[f"{row[0].slug}-{index}" for index, row in enumerate(NEAR_MISSES)])
def test_near_miss(code: Code, given: Tree, asked: Tree, profile: str) -> None:
    assert code.code not in [told for told, _, _ in found(given, asked, profile)]


def test_every_code_has_a_row() -> None:
    codes = {value for value in vars(silent).values() if isinstance(value, Code)}
    assert codes == {row[0] for row in ROWS}


@pytest.mark.parametrize("profile", ALL)
def test_shipped_runtimes_raise_none(profile: str) -> None:
    for name in runtimes.names(profile):
        result = jc.compile_yaml(runtimes.text_of(profile, name), trainer_version=profile)
        assert not [d for d in result.diagnostics if d.code >= "JSC700"], name


def test_the_hint_for_one_dependency_is_a_chain() -> None:
    given = runtime(TORCH, initializer(), initializer("model-initializer"), job())
    hints = {profile: next(d.hint for d in compiled(given, trainjob({}), profile).diagnostics if d.code == "JSC704") for profile in ("v2.0", "v2.3")}
    assert "let model-initializer depend on dataset-initializer" in hints["v2.0"]
    assert hints["v2.3"].startswith("write dependsOn: [{name: dataset-initializer, status: Complete}, {name: model-initializer")
