"""What each policy and gang refuses of a TrainJob, on both sides of every bound."""

from __future__ import annotations

import pytest

from jobset_compiler.passes.mpi import RESERVED_ENV as MPI_NAMES
from jobset_compiler.passes.torch import RESERVED_ENV as TORCH_NAMES
from jobset_compiler.passes.xgboost import RESERVED_ENV as XGBOOST_NAMES
from tests.admission.rules.cases import Tree, compiled, runtime, slugs, trainjob

pytestmark = pytest.mark.usefixtures("whole_words")


def told(profile: str, *objects: Tree) -> list[tuple[str, str]]:
    """(code, advice) of what the webhooks refuse."""
    return [(d.slug, d.hint) for d in compiled(profile, *objects).diagnostics if d.is_error and d.stage == "webhook"]


@pytest.mark.parametrize(
    ("policy", "slug", "words"),
    [({"torch": {}}, "processes-not-a-number", "write a number, auto, cpu or gpu"), ({"mpi": {}}, "mpi-processes-not-a-number", "write a number")],
)
@pytest.mark.parametrize("text", ["4", "4x", "x", "٤", "-4"])
def test_a_number_of_processes_in_quotes(policy: Tree, slug: str, words: str, text: str) -> None:
    given = trainjob(trainer={"numProcPerNode": text})
    assert told("v2.1", runtime(policy=policy), given) == [(slug, "write 4 without quotes" if text == "4" else words)]


@pytest.mark.parametrize(("number", "refused"), [(-1, True), (0, True), (1, False), (2, False)])
def test_flux_runs_one_process_a_node_at_least(number: int, refused: bool) -> None:
    assert bool(slugs("v2.3", runtime(policy={"flux": {}}), trainjob(trainer={"numProcPerNode": number}))) is refused
    assert slugs("v2.3", runtime(policy={"flux": {}}), trainjob()) == []


@pytest.mark.parametrize("policy", ["torch", "mpi", "xgboost", "jax", "flux"])
def test_each_policy_reserves_its_own_variables(policy: str) -> None:
    slug_of = {"torch": "torch-reserved-env", "mpi": "mpi-reserved-env", "xgboost": "xgboost-reserved-env"}
    for owner, name in (("torch", TORCH_NAMES[0]), ("mpi", MPI_NAMES[0]), ("xgboost", XGBOOST_NAMES[0])):
        assert slugs("v2.3", runtime(policy={policy: {}}), trainjob(trainer={"env": [{"name": name, "value": "1"}]})) == (
            [slug_of[owner]] if owner == policy else []
        )
    assert slugs("v2.3", runtime(policy={policy: {}}), trainjob()) == []


def test_a_runtime_without_jobs() -> None:
    empty = runtime()
    empty["spec"]["template"]["spec"] = {}
    ((slug, hint),) = told("v2.3", empty, trainjob(initializer={"dataset": {"storageUri": "hf://a/b"}}))
    assert slug == "initializer-job-missing" and hint.startswith("the runtime's jobs are none: use a runtime")


QUEUE = "scheduling.volcano.sh/queue-name"


@pytest.mark.parametrize(
    ("group", "refused"), [({"volcano": {}}, True), ({"coscheduling": {}}, False), ({"volcano": {}, "coscheduling": {}}, True), (None, False)]
)
def test_only_volcano_wants_a_queue_with_a_name(group: Tree | None, refused: bool) -> None:
    spec: Tree = {} if group is None else {"podGroupPolicy": group}
    given = runtime(template={"metadata": {"annotations": {QUEUE: ""}}}, **spec)
    assert slugs("v2.3", given, trainjob()) == (["volcano-queue-empty"] if refused else [])


def test_an_empty_queue_is_shown_where_the_last_patch_sets_it() -> None:
    def patched(manager: str, **annotations: str) -> Tree:
        return {"manager": manager, "trainingRuntimeSpec": {"template": {"metadata": {"annotations": annotations}}}}

    given = runtime(podGroupPolicy={"volcano": {}}, template={"metadata": {"annotations": {QUEUE: "q"}}})
    patches = [patched("a.io/b", **{QUEUE: "r"}), patched("a.io/c", **{QUEUE: ""}), patched("a.io/d", other="")]
    (found,) = [d for d in compiled("v2.3", given, trainjob(runtimePatches=patches)).diagnostics if d.is_error]
    assert found.slug == "volcano-queue-empty" and found.notes == ()
    assert found.at == ("spec", "runtimePatches", 1, "trainingRuntimeSpec", "template", "metadata", "annotations", QUEUE)
