"""The helpers for users' tests: each fails when it should, with a report that helps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jobset_compiler import testing
from jobset_compiler.passes.api import CHECK, CONTAINERS, Edit, Pass, SetEnv
from jobset_compiler.runtimes import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: train
spec:
  runtimeRef:
    name: torch-distributed
  trainer:
    numNodes: 2
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "train.yaml").write_text(JOB)
    testing.assert_golden([tmp_path / "jobs"], tmp_path / "golden", update=True)
    return tmp_path


def test_a_golden_that_is_up_to_date_is_fine(repository: Path) -> None:
    testing.assert_golden([repository / "jobs"], repository / "golden", update=False)
    testing.assert_golden([str(repository / "jobs" / "train.yaml")], str(repository / "golden"), trainer_version="v2.3", update=False)


def test_a_golden_that_is_not_fails_with_a_diff_and_the_way_out(repository: Path) -> None:
    (repository / "jobs" / "train.yaml").write_text(JOB.replace("numNodes: 2", "numNodes: 3"))
    with pytest.raises(AssertionError, match=r"-        parallelism: 2(?s:.)*\+        parallelism: 3(?s:.)*UPDATE_GOLDEN=1"):
        testing.assert_golden([repository / "jobs"], repository / "golden", update=False)
    with pytest.raises(AssertionError, match="groupName"):
        testing.assert_golden([repository / "jobs"], repository / "golden", trainer_version="v2.0", update=False)


def test_runtimes_beside_the_inputs_are_used(repository: Path) -> None:
    """Files and folders, as for the command line."""
    runtime = text_of("v2.3", "torch-distributed").replace("name: torch-distributed", "name: mine")
    (repository / "runtimes").mkdir()
    (repository / "runtimes" / "mine.yaml").write_text(runtime)
    (repository / "jobs" / "train.yaml").write_text(JOB.replace("torch-distributed", "mine"))
    with pytest.raises(AssertionError, match="JSC201"):
        testing.assert_golden([repository / "jobs"], repository / "golden", update=True)
    for path in (repository / "runtimes", repository / "runtimes" / "mine.yaml"):
        testing.assert_golden([repository / "jobs"], repository / "golden", runtimes=[path], update=False)


def test_the_environment_asks_for_an_update(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "jobs" / "train.yaml").write_text(JOB.replace("numNodes: 2", "numNodes: 3"))
    monkeypatch.setenv(testing.UPDATE, "1")
    testing.assert_golden([repository / "jobs"], repository / "golden")
    monkeypatch.delenv(testing.UPDATE)
    testing.assert_golden([repository / "jobs"], repository / "golden")


def test_inputs_that_are_refused_fail_with_the_reason(repository: Path) -> None:
    with pytest.raises(AssertionError, match="JSC201"):
        testing.assert_golden([repository / "jobs"], repository / "golden", bundled_runtimes=False, update=True)


def test_compiles() -> None:
    assert testing.assert_compiles(JOB).podsets[0].count == 2
    wrong = JOB.replace("torch-distributed", "torch-distribute")
    with pytest.raises(AssertionError, match="did you mean torch-distributed") as caught:
        testing.assert_compiles(f"{wrong}---\n{wrong.replace('name: train', 'name: other')}")
    firsts = [line.partition(" ")[0] for line in str(caught.value).splitlines() if not line.startswith(" ")]
    assert firsts == ["<input>:7:11:", "<input>:17:11:"], "a finding after the other"


def test_refused() -> None:
    job = JOB.replace("torch-distributed", "torch-distribute")
    assert testing.assert_refused(job, "JSC201").line == 7
    assert testing.assert_refused(job, "runtime-not-found", path="spec.RuntimeRef").hint
    with pytest.raises(AssertionError, match=r"^no error JSC201 at spec\.x; there is"):
        testing.assert_refused(job, "JSC201", path="spec.x")
    with pytest.raises(AssertionError, match=r"^no error JSC205; there is:\nnothing"):
        testing.assert_refused(JOB, "JSC205")  # which is said, and no error
    with pytest.raises(AssertionError, match=r"^no error JSC201; there is:\nnothing"):
        testing.assert_refused(JOB, "JSC201")


def a_pass(
    run: Callable[[Plan], Iterator[Edit | Diagnostic]], when: Callable[[Plan], bool] = lambda plan: True, name: str = "acme.x", stage: str = CONTAINERS
) -> Pass:
    return Pass(name, stage, when, run)


def set_env(value: str, name: str = "X") -> Callable[[Plan], Iterator[Edit | Diagnostic]]:
    def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
        yield SetEnv("node", "node", {"name": name, "value": value})

    return run


def test_a_pure_pass_passes() -> None:
    testing.assert_pure(a_pass(set_env("1")), JOB)


def test_a_pass_that_remembers_is_not_pure() -> None:
    runs: list[int] = []

    def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
        runs.append(1)
        yield SetEnv("node", "node", {"name": "X", "value": str(len(runs))})

    with pytest.raises(AssertionError, match="gives something else when it is run again"):
        testing.assert_pure(a_pass(run), JOB)


def test_a_pass_that_writes_to_the_plan_is_not_pure() -> None:
    def in_the_template(plan: Plan) -> Iterator[Edit | Diagnostic]:
        plan.template.setdefault("x", 1)
        return iter(())

    def in_the_document(plan: Plan) -> Iterator[Edit | Diagnostic]:
        plan.job.document.value["spec"]["suspend"] = True
        return iter(())

    for run in (in_the_template, in_the_document):
        with pytest.raises(AssertionError, match="changed the Plan"):
            testing.assert_pure(a_pass(run), JOB)


def test_a_pass_that_never_applies_proves_nothing() -> None:
    with pytest.raises(AssertionError, match="applies to none"):
        testing.assert_pure(a_pass(set_env("1"), when=lambda plan: False), JOB)


def test_order_free() -> None:
    free = [a_pass(set_env("1", name), name=f"acme.{name}") for name in ("A", "B", "C")]
    with pytest.raises(AssertionError, match=r"gives other objects than acme\.A, acme\.B, acme\.C"):
        testing.assert_order_free(free, JOB)  # each appends its variable
    testing.assert_order_free([free[0], a_pass(lambda plan: iter(()), name="acme.check", stage=CHECK)], JOB)


def test_purity_is_asked_of_a_trainjob_that_compiles() -> None:
    with pytest.raises(AssertionError, match=r"^<input>:7:11: error JSC201 runtime-not-found: (?s:.)*\n$"):
        testing.assert_pure(a_pass(set_env("1")), JOB.replace("torch-distributed", "nothing"))


def test_a_pass_that_wins_over_another_has_to_come_behind_it() -> None:
    """The names in `overrides` are those of the passes, whatever they are called meanwhile."""
    first, second = a_pass(set_env("1"), name="acme.a"), a_pass(set_env("2"), name="acme.b")
    with pytest.raises(AssertionError, match=r"^in the order acme\.b, acme\.a:\n"):
        testing.assert_order_free([first, second._replace(overrides=frozenset({"acme.a"}))], JOB)


def test_order_free_reports_conflicts() -> None:
    with pytest.raises(AssertionError, match=r"^in the order acme\.a, acme\.b:\n(?s:.)*JSC301"):
        testing.assert_order_free([a_pass(set_env("1"), name="acme.a"), a_pass(set_env("2"), name="acme.b")], JOB)
