"""What a pass can bring beside edits: values of the schema, runtimes, reserved variables, a place in stage `policy`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import jobset_compiler as jc
from jobset_compiler.emit.yaml import to_yaml
from jobset_compiler.passes.api import CHECK, CONTAINERS, POLICY, AddDNSSearch, Admits, Brings, Edit, InsertEnv, Pass, SetEnv
from jobset_compiler.passes.registry import BUILTIN
from tests.passes.plans import compiled, container, env_of, job, pods_of, runtime, trainjob

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]
OTHER = Admits("trainer.MPIMLPolicySource", "mpiImplementation", ("Other",))


def acme(*edits: Edit, stage: str = POLICY, when: Callable[[Plan], bool] = lambda plan: True, **brought: Any) -> Pass:
    return Pass("acme.pass", stage, when, lambda plan: iter(edits), distribution="acme", **brought)


def compile_with(step: Pass, given: Tree, asked: Tree, **options: Any) -> jc.Compilation:
    return compiled(given, asked, passes=(*BUILTIN, step), **options)


def told(result: jc.Compilation) -> list[tuple[str, str]]:
    return [(diagnostic.code, diagnostic.message) for diagnostic in result.diagnostics if diagnostic.code.startswith(("JSC1", "JSC2", "JSC3", "JSC65"))]


MPI = runtime({"mpi": {"mpiImplementation": "Other"}}, job("node", None), job("launcher"))


def test_a_value_that_a_pass_admits_is_let_through_and_told() -> None:
    result = compile_with(acme(admits=(OTHER,)), MPI, trainjob({}))
    assert result.is_submitted
    assert ("JSC651", 'spec.mlPolicy.mpi.mpiImplementation: no release of Trainer accepts "Other"; pass acme.pass renders it') in told(result)


def test_other_faults_of_the_same_document_are_still_found() -> None:
    given = runtime({"numNodes": "x", "mpi": {"mpiImplementation": "Other"}}, job("node", None), job("launcher"))
    result = compile_with(acme(admits=(OTHER,)), given, trainjob({}))
    assert [diagnostic.path for diagnostic in result.diagnostics if diagnostic.is_error] == ["spec.mlPolicy.numNodes"]


def test_a_verdict_on_a_runtime_that_was_seen_before_hangs_on_the_passes() -> None:
    for _ in range(2):
        assert compile_with(acme(admits=(OTHER,)), MPI, trainjob({})).is_submitted
        assert not compiled(MPI, trainjob({})).ok


def test_a_field_that_the_release_has_not_admits_nothing() -> None:
    nothing = (Admits("trainer.NoSuchType", "mpiImplementation", ("Other",)), Admits("trainer.MLPolicy", "numNodes", ("Other",)))
    assert not compile_with(acme(admits=nothing), MPI, trainjob({})).ok


BROUGHT = Brings("acme-train", "What Acme trains with.", to_yaml([{**runtime(None), "metadata": {"name": "acme-train"}}]))


def compile_alone(step: Pass, asked: Tree, **options: Any) -> jc.Compilation:
    return jc.compile_objects([asked], passes=(*BUILTIN, step), **options)


def test_a_runtime_that_a_pass_brings_is_found() -> None:
    result = compile_alone(acme(brings=(BROUGHT,)), trainjob(runtime_name="acme-train"))
    assert result.ok, result.diagnostics
    assert ("JSC653", "ClusterTrainingRuntime acme-train comes with pass acme.pass: no release of Trainer ships it") in told(result)


def test_a_runtime_of_the_input_wins() -> None:
    given = runtime(None, job(containers=[container(image="mine:1")]))
    given["metadata"]["name"] = "acme-train"
    result = jc.compile_objects([given, trainjob(runtime_name="acme-train")], passes=(*BUILTIN, acme(brings=(BROUGHT,))))
    assert pods_of(result, "node")["containers"][0]["image"] == "mine:1"
    assert "JSC653" not in [diagnostic.code for diagnostic in result.diagnostics]


def test_it_is_not_found_where_only_given_runtimes_count_nor_without_the_pass() -> None:
    asked = trainjob(runtime_name="acme-train")
    assert [diagnostic.code for diagnostic in compile_alone(acme(brings=(BROUGHT,)), asked, bundled_runtimes=False).diagnostics] == ["JSC201"]
    assert [diagnostic.code for diagnostic in jc.compile_objects([asked]).diagnostics] == ["JSC201"]


def test_a_near_name_is_proposed() -> None:
    (missing,) = compile_alone(acme(brings=(BROUGHT,)), trainjob(runtime_name="acme-trian")).diagnostics
    assert "did you mean acme-train?" in missing.hint


@pytest.mark.parametrize("text", ["a: [", "kind: Other\n", BROUGHT.text.replace("acme-train", "another"), BROUGHT.text + "---\n" + BROUGHT.text, "[]", ""])
def test_a_text_that_is_no_such_runtime_is_told(text: str) -> None:
    result = compile_alone(acme(brings=(BROUGHT._replace(text=text),)), trainjob(runtime_name="acme-train"))
    assert result.objects == () and "JSC658" in [diagnostic.code for diagnostic in result.diagnostics]


def test_a_runtime_that_a_server_refuses_is_refused() -> None:
    wrong = BROUGHT._replace(text=BROUGHT.text.replace("name: node", "name: Node_"))
    assert not compile_alone(acme(brings=(wrong,)), trainjob(runtime_name="acme-train")).ok


def reserving(when: Callable[[Plan], bool] = lambda plan: True) -> jc.Compilation:
    asked = trainjob({"env": [{"name": "B", "value": "1"}, {"name": "ACME", "value": "1"}, {"name": "A", "value": "1"}]})
    return compile_with(acme(reserves=("A", "B"), when=when), runtime(None), asked)


def test_a_variable_that_a_pass_reserves_is_refused() -> None:
    (error,) = [diagnostic for diagnostic in reserving().diagnostics if diagnostic.is_error]
    assert (error.code, error.path, error.stage) == ("JSC652", "spec.trainer.env", "webhook")
    assert error.message == "must not have reserved envs, invalid envs configured: [A B]"
    assert error.hint == "leave them out: pass acme.pass sets them itself"


def test_it_reserves_nothing_where_it_does_not_act() -> None:
    assert reserving(lambda plan: False).ok


def test_a_pass_that_fails_while_it_is_asked_is_told_as_such() -> None:
    def fails(plan: Plan) -> bool:
        raise RuntimeError("no luck")

    assert [diagnostic.code for diagnostic in reserving(fails).diagnostics if diagnostic.is_error] == ["JSC302"]


TORCH = runtime({"torch": {}})
ENV = [{"name": "USER", "value": "1"}]


def names(step: Pass, given: Tree = TORCH) -> list[str]:
    return [name for name, _ in env_of(compile_with(step, given, trainjob({"env": ENV})), "node")]


def test_stage_policy_comes_before_the_values_of_the_trainjob_which_win() -> None:
    given = runtime({"jax": {}})
    step = acme(SetEnv("node", "node", {"name": "USER", "value": "0"}), SetEnv("node", "node", {"name": "ACME", "value": "0"}))
    assert names(step, given)[-2:] == ["USER", "ACME"]
    result = compile_with(step, given, trainjob({"env": ENV}))
    assert result.ok and dict(env_of(result, "node"))["USER"] == "1"
    late = compile_with(step._replace(stage=CONTAINERS), given, trainjob({"env": ENV}))
    assert [diagnostic.code for diagnostic in late.diagnostics if diagnostic.is_error] == ["JSC301"]


def test_a_pass_may_replace_what_a_whole_stage_has_written() -> None:
    step = acme(SetEnv("node", "node", {"name": "PET_NNODES", "value": "7"}), stage=CONTAINERS)
    assert not compile_with(step, TORCH, trainjob({})).ok
    assert compile_with(step._replace(overrides=frozenset({POLICY})), TORCH, trainjob({})).ok


def test_variables_are_inserted_first_or_behind_another() -> None:
    first = InsertEnv("node", "node", {"name": "FIRST", "value": "1"})
    second = InsertEnv("node", "node", {"name": "SECOND", "value": "$(FIRST)"}, after="FIRST")
    assert names(acme(first, second))[:3] == ["FIRST", "SECOND", "USER"]
    assert names(acme(InsertEnv("node", "node", {"name": "LOST", "value": "1"}, after="NOBODY")))[0] == "LOST"
    again = acme(InsertEnv("node", "node", {"name": "USER", "value": "1"}))
    assert names(again) == names(acme())
    has_two = runtime({"torch": {}}, job(containers=[container(env=[{"name": "A", "value": "1"}, {"name": "B", "value": "2"}])]))
    replaced = compile_with(acme(InsertEnv("node", "node", {"name": "B", "value": "3"}, after="NOBODY")), has_two, trainjob({}))
    assert env_of(replaced, "node")[:2] == [("A", "1"), ("B", "3")]
    result = compile_with(acme(first), TORCH, trainjob({}))
    path = "spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node].env[name=FIRST].value"
    assert result.origin_of(result.objects[0], path)[0].by == "acme.pass"


def test_a_check_may_still_change_nothing() -> None:
    result = compile_with(acme(AddDNSSearch("node", "example.org"), stage=CHECK), TORCH, trainjob({}))
    assert [diagnostic.code for diagnostic in result.diagnostics if diagnostic.is_error] == ["JSC304"]
