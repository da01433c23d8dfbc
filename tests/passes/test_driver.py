"""The driver: who wrote what, conflicts, third-party failures, and the order that must not matter."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jobset_compiler as jc
from jobset_compiler.passes.api import (
    COMPANIONS,
    CONTAINERS,
    SCHEDULING,
    SIZE,
    STAGES,
    AddInitContainer,
    AddObject,
    AddVolume,
    Edit,
    OfCount,
    OfFeature,
    OfMetadata,
    OfRuntime,
    OfTemplate,
    Parts,
    Pass,
    SetCount,
    SetEnv,
    SetImage,
    SetPodLabel,
    Several,
    in_stages,
)
from jobset_compiler.passes.driver import run_passes
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.passes.upsert import same_name, upsert
from jobset_compiler.profiles import NEWEST
from jobset_compiler.resolve.plan import Plan
from jobset_compiler.resolve.record import Because

JOB = """
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: job}
spec:
  runtimeRef: {name: torch-distributed}
  trainer: {numNodes: 2, env: [{name: A, value: "1"}]}
"""


def with_pass(step: Pass) -> jc.Compilation:
    return jc.compile_yaml(JOB, passes=(*BUILTIN, step))


def setting(name: str, value: str) -> Pass:
    def run(plan: Plan) -> Iterator[Edit]:
        yield SetEnv("node", "node", {"name": name, "value": value}, because=("metadata", "name"))

    return Pass("acme.env", CONTAINERS, lambda plan: True, run, distribution="acme")


def test_a_third_party_pass_adds_what_it_wants() -> None:
    result = with_pass(setting("ACME", "yes"))
    env = result.objects[0]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"][0]["env"]
    assert env[-1] == {"name": "ACME", "value": "yes"}
    origin = result.origin_of(result.objects[0], "spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node].env[name=ACME].value")
    assert (origin[0].by, origin[1].path, origin[1].line) == ("acme.env", "metadata.name", 4)


def test_two_writers_of_one_slot_are_refused() -> None:
    result = with_pass(setting("PET_NNODES", "7"))
    assert not result.ok and result.objects == ()
    (conflict,) = [d for d in result.diagnostics if d.severity == "error"]
    assert conflict.code == "JSC301"
    assert conflict.message == (
        "pass acme.env wants node containers node env PET_NNODES to be {'name': 'PET_NNODES', 'value': '7'}, "
        "but pass torch has set it to {'name': 'PET_NNODES', 'value': '2'}"
    )
    assert conflict.hint == "let acme.env name torch in its `overrides` if it is meant to win"
    assert [note.message for note in conflict.notes] == ["set by torch on account of this"]
    assert conflict.line == 4 and conflict.notes[0].span.line == 7, "both places are shown"


def test_the_same_value_twice_is_no_conflict() -> None:
    assert with_pass(setting("PET_NNODES", "2")).ok


def test_a_pass_may_say_what_it_overrides() -> None:
    step = setting("PET_NNODES", "7")._replace(overrides=frozenset({"torch"}))
    result = with_pass(step)
    assert result.ok and "'PET_NNODES', 'value': '7'" in str(result.objects[0])


def test_a_broken_third_party_pass_is_a_diagnostic() -> None:
    def run(plan: Plan) -> Iterator[Edit]:
        raise RuntimeError("no luck")
        yield

    result = with_pass(Pass("acme.broken", CONTAINERS, lambda plan: True, run, distribution="acme-passes"))
    (failed,) = [d for d in result.diagnostics if d.severity == "error"]
    assert (failed.code, failed.stage) == ("JSC302", "passes")
    assert failed.message == "pass acme.broken of distribution acme-passes failed: RuntimeError: no luck"
    assert failed.hint == "report it to acme-passes, or leave its passes out with --no-plugins"


def yielding(*edits: Edit, distribution: str = "acme") -> Pass:
    return Pass("acme.any", CONTAINERS, lambda plan: True, lambda plan: iter(edits), distribution=distribution)


@pytest.mark.parametrize(
    ("edit", "slug", "words"),
    [
        (SetEnv("node", "node", {"name": "ACME", "value": 5}), "jobset-schema", "env[6].value in body must be of type string"),
        (SetEnv("node", "node", {"name": "ACME", "bogus": "x"}), "jobset-undeclared-field", '.env[name="ACME"].bogus: field not declared in schema'),
        (SetEnv("node", "node", {"name": "ACME", "valueFrom": "x"}), "jobset-schema", "env[6].valueFrom in body must be of type object"),
        (AddVolume("node", {"name": "A", "configMap": {"items": 7}}), "jobset-schema", "configMap.items in body must be of type array"),
        (AddVolume("node", {"name": "A", "nope": {}}), "jobset-undeclared-field", '.volumes[name="A"].nope: field not declared in schema'),
    ],
)
@pytest.mark.parametrize("distribution", ["acme", ""])
def test_what_a_third_party_pass_writes_is_judged_by_the_whole_schema_of_jobset(edit: Edit, slug: str, words: str, distribution: str) -> None:
    """The shortcut of the JobSet's admission trusts values that went through a schema. A pass handed over by a caller who did not say
    whose it is counts as a third party's too."""
    result = with_pass(yielding(edit, distribution=distribution))
    (error,) = [d for d in result.diagnostics if d.is_error]
    assert error.slug == slug and words in error.message


def test_the_shortcut_is_taken_unless_a_third_party_pass_ran(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(plan: Plan, jobset: dict[str, object]) -> bool:
        asked.append(plan)
        return True

    asked: list[Plan] = []
    monkeypatch.setattr("jobset_compiler.admission.jobset.is_plain", counted)
    idle = Pass("acme.idle", CONTAINERS, lambda plan: False, lambda plan: iter(()), distribution="acme")
    assert with_pass(idle).ok and len(asked) == 1
    assert with_pass(yielding(SetPodLabel("a", "b"))).ok and len(asked) == 1


@pytest.mark.parametrize(
    ("edit", "stage", "words"),
    [
        (AddInitContainer("node", {"image": "x"}), CONTAINERS, "KeyError: 'name'"),
        (SetImage("nobody", "node", "x"), CONTAINERS, "LookupError: there is no PodSet nobody to edit"),
        (SetImage("node", "nobody", "x"), CONTAINERS, "LookupError: PodSet node has no container nobody to edit"),
        (SetEnv("node", "nobody", {"name": "A"}, init=True), CONTAINERS, "LookupError: PodSet node has no container nobody to edit"),
        (SetEnv("node", "node", {"name": "A"}, init=True), CONTAINERS, "LookupError: PodSet node has no container node to edit"),
        (
            AddObject({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": 1}}),
            COMPANIONS,
            "TypeError: an object needs texts as its kind, name and namespace, not 'ConfigMap', 1 and ''",
        ),
        (
            AddObject({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "namespace": None}}),
            COMPANIONS,
            "TypeError: an object needs texts as its kind, name and namespace, not 'ConfigMap', 'x' and None",
        ),
        *(
            (
                AddObject({"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": metadata}),
                COMPANIONS,
                "ValueError: JobSet job is what the TrainJob comes to, and no further object",
            )
            for metadata in ({"name": "job"}, {"name": "job", "namespace": "default"})
        ),
    ],
)
def test_an_edit_that_cannot_be_applied_is_a_diagnostic_too(edit: Edit, stage: str, words: str) -> None:
    (failed,) = [d for d in with_pass(yielding(edit)._replace(stage=stage)).diagnostics if d.is_error]
    assert (failed.code, failed.message) == ("JSC302", f"pass acme.any of distribution acme failed: {words}")


@pytest.mark.parametrize(
    ("api", "kind", "metadata"),
    [
        ("jobset.x-k8s.io/v1alpha2", "JobSet", {"name": "other"}),
        ("jobset.x-k8s.io/v1alpha2", "JobSet", {"name": "job", "namespace": "other"}),
        ("example.com/v1", "JobSet", {"name": "job"}),
        ("jobset.x-k8s.io/v1alpha2", "Other", {"name": "job"}),
    ],
)
def test_an_object_that_looks_like_the_jobset_is_another(api: str, kind: str, metadata: dict[str, str]) -> None:
    step = yielding(AddObject({"apiVersion": api, "kind": kind, "metadata": metadata, "spec": {}}))._replace(stage=COMPANIONS)
    assert not [d for d in with_pass(step).diagnostics if d.code == "JSC302"]


@pytest.mark.parametrize(
    ("because", "line", "of_other"),
    [
        ((), 2, 7),
        (("spec", "trainer", "env", 0), 7, 7),
        (Several((("spec", "runtimeRef", "name"), ("metadata", "name"))), 6, 7),
        (Several(()), 2, 7),
        (Parts((), ("spec", "runtimeRef", "name")), 6, 7),
        (OfCount("node"), 7, 7),
        (OfFeature("x"), 2, 7),
        (OfTemplate(("network",)), 2, 7),
        (OfMetadata(("labels", "a")), 2, 7),
    ],
)
def test_a_conflict_is_shown_where_the_value_goes_back_to(because: Because, line: int, of_other: int) -> None:
    step = yielding(SetEnv("node", "node", {"name": "PET_NNODES", "value": "7"}, because=because))
    (conflict,) = [d for d in with_pass(step).diagnostics if d.is_error]
    assert (conflict.line, conflict.notes[-1].span.line) == (line, of_other)


def test_a_conflict_over_a_number_of_the_runtime_is_shown_at_the_reference_to_it() -> None:
    text = JOB.replace("numNodes: 2, ", "")
    step = yielding(SetEnv("node", "node", {"name": "PET_NNODES", "value": "7"}, because=OfCount("node")))
    (conflict,) = [d for d in jc.compile_yaml(text, passes=(*BUILTIN, step)).diagnostics if d.is_error]
    assert conflict.line == 6
    assert (conflict.notes[0].span.file, conflict.notes[0].span.line > 1) == (f"<bundled {NEWEST.name}/torch-distributed.yaml>", True)
    assert conflict.notes[0].at == ("spec", "mlPolicy", "numNodes")


ONE_A_STAGE: dict[str, Edit] = {
    SIZE: SetCount("node", 3),
    CONTAINERS: SetEnv("node", "node", {"name": "ACME", "value": "x"}),
    SCHEDULING: SetPodLabel("acme", "x"),
    COMPANIONS: AddObject({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}),
}


@pytest.mark.parametrize("settled", ONE_A_STAGE)
@pytest.mark.parametrize("stage", STAGES)
def test_what_a_stage_has_settled_no_later_one_changes(stage: str, settled: str) -> None:
    step = yielding(ONE_A_STAGE[settled])._replace(stage=stage, overrides=frozenset({"sizing"}))
    result = with_pass(step)
    errors = [d for d in result.diagnostics if d.is_error]
    if STAGES.index(stage) <= STAGES.index(settled):
        assert not errors and result.objects != jc.compile_yaml(JOB).objects
    else:
        (error,) = errors
        assert (error.slug, error.severity, error.stage) == ("pass-out-of-stage", "error", "passes") and result.objects == ()
        kind = type(ONE_A_STAGE[settled]).__name__
        assert error.message == f"pass acme.any of distribution acme yields {kind}, which a pass of stage {stage} may not"
        assert error.hint == "report it to acme, or leave its passes out with --no-plugins"


@pytest.mark.parametrize("nonsense", [None, "x", ("node", "node")])
def test_what_is_no_edit_is_refused_too(nonsense: Any) -> None:
    (error,) = [d for d in with_pass(yielding(nonsense)).diagnostics if d.is_error]
    assert error.slug == "pass-out-of-stage"


def test_passes_act_stage_by_stage_in_whatever_order_they_are_given() -> None:
    assert in_stages(BUILTIN) == BUILTIN
    assert jc.compile_yaml(JOB, passes=tuple(sorted(BUILTIN, key=lambda step: STAGES.index(step.stage), reverse=True))).objects == jc.compile_yaml(JOB).objects
    seen: list[int] = []

    def run(plan: Plan) -> Iterator[Edit]:
        seen.extend(pods.count for pods in plan.pod_sets)
        return iter(())

    assert jc.compile_yaml(JOB, passes=(Pass("acme.look", CONTAINERS, lambda plan: True, run), *BUILTIN)).ok
    assert seen == [2], "sizing came first"


MAP: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}


@pytest.mark.parametrize(
    ("stage", "first", "second", "written"),
    [
        (COMPANIONS, AddObject(MAP), AddObject({**MAP, "data": {"a": "b"}}), lambda plan: plan.objects),
        (
            CONTAINERS,
            AddInitContainer("node", {"name": "x"}),
            AddInitContainer("node", {"name": "x", "image": "y"}),
            lambda plan: plan.pod_sets[0].added_init_containers,
        ),
    ],
)
def test_who_overrides_replaces_what_is_added_as_well(stage: str, first: Edit, second: Edit, written: Any) -> None:
    (unit,) = jc.compile_yaml(JOB).units
    one, other = (Pass(name, stage, lambda plan: True, lambda plan, edit=edit: iter((edit,))) for name, edit in (("acme.one", first), ("acme.other", second)))  # type: ignore[misc]
    (conflict,) = run_passes(unit.plan, (one, other)).diagnostics
    assert conflict.slug == "pass-conflict"
    outcome = run_passes(unit.plan, (one, other._replace(overrides=frozenset({"acme.one"}))))
    assert not outcome.diagnostics and written(outcome.plan) == (second.value,)
    assert written(run_passes(unit.plan, (one, one._replace(name="acme.same"))).plan) == (first.value,), "two that agree add it once"


def test_objects_of_one_name_in_two_namespaces_are_two() -> None:
    edits = [AddObject({**MAP, "metadata": {"name": "x", "namespace": namespace}}) for namespace in ("one", "two")]
    result = with_pass(Pass("acme.maps", COMPANIONS, lambda plan: True, lambda plan: iter(edits)))
    added = result.objects[1:]
    assert [manifest["metadata"]["namespace"] for manifest in added] == ["one", "two"]
    assert [result.origin_of(manifest, "metadata.namespace")[0].by for manifest in added] == ["acme.maps"] * 2


def test_a_stage_that_does_not_exist_is_told_at_the_call() -> None:
    with pytest.raises(TypeError, match=r"^pass acme\.any has the stage 'last'; known are size, policy, containers"):
        with_pass(yielding(SetPodLabel("acme", "x"))._replace(stage="last"))


def test_a_reason_can_be_a_place_of_the_runtime() -> None:
    def run(plan: Plan) -> Iterator[Edit]:
        yield SetEnv("node", "node", {"name": "PET_NNODES", "value": "7"}, because=OfRuntime(("spec", "mlPolicy")))
        yield SetEnv("node", "node", {"name": "ACME", "value": "x"}, because=OfRuntime(("spec", "mlPolicy")))

    step = Pass("acme.env", CONTAINERS, lambda plan: True, run, distribution="acme")
    (conflict,) = [d for d in with_pass(step).diagnostics if d.is_error]
    assert (conflict.line, conflict.notes[0].span.file) == (6, f"<bundled {NEWEST.name}/torch-distributed.yaml>"), "at the reference to a runtime of ours"
    result = with_pass(step._replace(overrides=frozenset({"torch"})))
    origin = result.origin_of(result.objects[0], "spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node].env[name=ACME].value")
    assert (origin[0].by, origin[1].by, origin[1].path) == ("acme.env", "torch-distributed", "spec.mlPolicy")


NAMES = st.sampled_from(["A", "B", "C", "D"])
ENTRIES = st.lists(st.builds(lambda name, value: {"name": name, "value": value}, NAMES, st.sampled_from(["1", "2"])), max_size=8)


@given(ENTRIES, ENTRIES)
def test_variables_are_upserted_one_by_one_by_name(before: list[dict[str, Any]], entries: list[dict[str, Any]]) -> None:
    """Also where the template has a name twice: the first is replaced."""
    (unit,) = jc.compile_yaml(JOB).units
    start = unit.plan.pod_sets[0].containers[0]._replace(env=tuple(before))
    plan = unit.plan._replace(pod_sets=(unit.plan.pod_sets[0]._replace(containers=(start,)),))
    step = Pass("acme.env", CONTAINERS, lambda plan: True, lambda plan: (SetEnv("node", "node", entry) for entry in entries), overrides=frozenset({"acme.env"}))
    (pods,) = run_passes(plan, (step,)).plan.pod_sets
    expected = tuple(before)
    for entry in entries:
        expected = upsert(expected, entry, same_name)
    assert pods.containers == (start._replace(env=expected),)


def test_two_passes_of_one_name_are_refused() -> None:
    with pytest.raises(TypeError, match=r"^passes have names of their own; several are called torch$"):
        with_pass(Pass("torch", CONTAINERS, lambda plan: True, lambda plan: iter(())))


def test_what_a_pass_without_distribution_may_not_yield_is_said_to_its_author() -> None:
    late: Iterator[Edit] = iter([SetImage("node", "node", "late")])
    result = with_pass(Pass("mine.image", SCHEDULING, lambda plan: True, lambda plan: late))
    (found,) = [diagnostic for diagnostic in result.diagnostics if diagnostic.is_error]
    assert found.message == "pass mine.image yields SetImage, which a pass of stage scheduling may not"
    assert found.hint == "give it an earlier stage, or split it in two"


def test_a_broken_pass_of_nobodys_distribution_raises() -> None:
    def run(plan: Plan) -> Iterator[Edit]:
        raise RuntimeError("bug")
        yield

    with pytest.raises(RuntimeError):
        with_pass(Pass("ours", CONTAINERS, lambda plan: True, run))


# Passes between which nothing may depend on the order.
COMMUTING = (
    ("initializers", "torch"),
    ("initializers", "user-env"),
    ("initializers", "user"),
    ("coscheduling", "volcano"),
)
INPUTS = {
    "torch": JOB,
    "jax": JOB.replace("torch-distributed", "jax-distributed"),
    "xgboost": JOB.replace("torch-distributed", "xgboost-distributed"),
    "initializers": JOB.replace("torch-distributed", "torchtune-llama3.2-1b").replace(
        "  trainer:", "  initializer: {dataset: {storageUri: 'hf://a/b'}, model: {storageUri: 'hf://c/d'}}\n  trainer:"
    ),
}


@pytest.mark.parametrize("text", INPUTS.values(), ids=INPUTS)
@pytest.mark.parametrize("pair", COMMUTING, ids="-".join)
def test_independent_passes_commute(pair: tuple[str, str], text: str) -> None:
    swapped = list(BUILTIN)
    mover = next(step for step in BUILTIN if step.name == pair[0])
    swapped.remove(mover)
    swapped.insert([step.name for step in swapped].index(pair[1]) + (BUILTIN.index(mover) < [s.name for s in BUILTIN].index(pair[1])), mover)
    assert swapped != list(BUILTIN)
    assert jc.compile_yaml(text, passes=tuple(swapped)).objects == jc.compile_yaml(text).objects


def test_the_order_of_the_user_and_the_policy_matters() -> None:
    """The guard of the one before: swapping passes that do depend on each other shows."""
    swapped = [step for step in BUILTIN if step.name != "user-env"]
    user_env = next(step for step in BUILTIN if step.name == "user-env")
    swapped.insert([step.name for step in swapped].index("torch") + 1, user_env)
    assert jc.compile_yaml(JOB, passes=tuple(swapped)).objects != jc.compile_yaml(JOB).objects


def test_running_the_passes_twice_from_one_plan_gives_the_same() -> None:
    (unit,) = jc.compile_yaml(JOB).units
    start = unit.plan._replace(pod_sets=unit.plan.pod_sets)
    runs = [run_passes(start, BUILTIN) for _ in range(2)]
    one, other = (run.plan for run in runs)
    assert one._replace(writes=()) == other._replace(writes=())
    assert [(write.slot, write.value, write.pass_name) for write in one.writes] == [(write.slot, write.value, write.pass_name) for write in other.writes]
    assert repr(runs[0].diagnostics) == repr(runs[1].diagnostics)


def test_pass_names_are_unique() -> None:
    for a, b in itertools.combinations(BUILTIN, 2):
        assert a.name != b.name
