"""What the compiler says of one text among others: its jobs, their outcome, and where that which comes from elsewhere stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jobset_compiler as jc
from jobset_compiler.diagnostics.codes.code import ERROR, WARNING
from jobset_compiler.diagnostics.report import Policy
from jobset_compiler.lsp.actions import all_safe, migrated, repairs
from jobset_compiler.lsp.analysis import Analysis, analyse, read
from jobset_compiler.lsp.memory import Memory
from jobset_compiler.lsp.positions import Lines
from jobset_compiler.lsp.setup import Setup
from jobset_compiler.source.document import Document
from jobset_compiler.source.reader import iter_documents
from tests.lsp.conftest import JOB, RUNTIME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.source.reader import Found

OURS = JOB.replace("torch-distributed", "ours")


def finished(text: str, around: Sequence[Found] = (), setup: Setup | None = None) -> tuple[Analysis, int]:
    """The analysis, and in how many steps."""
    work = analyse("a.yaml", Lines(text), setup or Setup(), read("a.yaml", text), around, Memory())
    steps = 0
    while True:
        try:
            next(work)
            steps += 1
        except StopIteration as done:
            found: Analysis = done.value
            return found, steps


def other(text: str, file: str = "r.yaml") -> list[Found]:
    return list(iter_documents((text,), file))


def test_a_text_with_nothing_of_ours() -> None:
    found, steps = finished("a: 1\n", other(RUNTIME))
    assert (found.documents, found.jobs, found.diagnostics, found.units, steps) == ((), (), (), (), 0)
    assert read("a.yaml", "a: [\n") == []
    assert finished("- TrainJob\n")[0].diagnostics == finished("TrainJob\n")[0].diagnostics == (), "what is no object is not meant"


def test_jobs_of_the_text_in_order_with_what_comes_of_them() -> None:
    refused = JOB.replace("numNodes: 4", "numNodes: x").replace("name: train", "name: refused\n  namespace: ml")
    text = f"{JOB}---\n{RUNTIME}---\na: 1\n---\n{refused}---\n{OURS.replace('name: train', 'generateName: g-')}"
    found, steps = finished(text, other(JOB))
    assert [job.name for job in found.jobs] == ["/train", "ml/refused", "/"]
    assert [job.unit is None for job in found.jobs] == [False, True, False]
    assert [document.value.get("kind") for document in found.documents] == ["TrainJob", "ClusterTrainingRuntime", "TrainJob", "TrainJob"]
    assert found.units == (found.jobs[0].unit, found.jobs[2].unit)
    first, runtime, _, last = found.documents
    assert found.units_of(first) == found.units[:1] and found.units_of(last) == found.units_of(runtime) == found.units[1:]
    assert steps >= 4


@pytest.mark.parametrize("meta", ["4", "{}", "{name: ''}"])
def test_a_job_without_a_name(meta: str) -> None:
    found, _ = finished(f"apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {meta}\n")
    assert [job.name for job in found.jobs] == ["/"]


def test_findings_are_judged_by_the_policy_and_told_by_place() -> None:
    one, two = JOB.replace("name: train", "name: one"), JOB.replace("name: train", "name: two").replace("torch-distributed", "nope")
    found, _ = finished(f"{JOB}---\n{one}  unknown: 1\n---\n{two}")
    assert [(each.code, each.severity) for each in found.diagnostics] == [("JSC103", WARNING), ("JSC201", ERROR)]
    assert [each.line for each in found.diagnostics] == sorted(each.line for each in found.diagnostics)


STRICT = RUNTIME.replace("containers:", "tolerations: [{key: a, operator: Exist}]\n                containers:", 1)


def test_what_is_wrong_with_a_runtime_elsewhere_stands_where_it_is_named() -> None:
    found, _ = finished(OURS, other(STRICT))
    (told,) = found.diagnostics
    assert (told.code, told.file, told.path, told.at) == ("JSC439", "a.yaml", "spec.runtimeRef.name", ("spec", "runtimeRef", "name"))
    assert told.message.startswith("Job train-dataset-initializer-0 would be refused: ") and told.message.endswith(" (r.yaml:22)")
    assert [(note.message, note.span.file) for note in told.notes] == [("it stands here", "r.yaml")]
    assert told.remedies == ()
    assert finished(JOB, other(STRICT))[0].diagnostics == (), "no TrainJob of the text uses it"
    assert finished(OURS, other(RUNTIME))[0].diagnostics == (), "advice about it is told in its own file"


TWO_POLICIES = RUNTIME.replace("torch: {}", "torch: {}\n    mpi: {}")
NO_NUMBER = RUNTIME.replace("numNodes: 2", "numNodes: x")


@pytest.mark.parametrize(
    ("runtime", "code", "message"),
    [
        (TWO_POLICIES, "JSC109", "ClusterTrainingRuntime ours is refused: Only one of the policy can be configured (r.yaml:9)"),
        (NO_NUMBER, "JSC105", 'ClusterTrainingRuntime ours is refused: spec.mlPolicy.numNodes in body must be of type integer: "string" (r.yaml:9)'),
        (
            NO_NUMBER.replace("replicatedJobs:", "suspend: 1\n      replicatedJobs:"),
            "JSC105",
            'ClusterTrainingRuntime ours is refused: spec.mlPolicy.numNodes in body must be of type integer: "string" (r.yaml:9, and 1 further error)',
        ),
        (
            RUNTIME.replace("ancestor-step: trainer", "ancestor-step: model-initializer"),
            "JSC357",
            "ClusterTrainingRuntime ours is refused: must contain the required container for the ancestor: model-initializer (r.yaml:43)",
        ),
    ],
)
def test_a_runtime_elsewhere_that_is_refused_is_told_where_it_is_named(runtime: str, code: str, message: str) -> None:
    two = f"{OURS}---\n{JOB.replace('name: train', 'name: other')}"
    found, _ = finished(two, other(runtime))
    assert [(told.code, told.message, told.file, told.at, told.severity) for told in found.diagnostics] == [
        (code, message, "a.yaml", ("spec", "runtimeRef", "name"), ERROR)
    ]
    assert [(note.message, note.span.file) for told in found.diagnostics for note in told.notes[:1]] == [("it stands here", "r.yaml")]
    assert [job.unit is None for job in found.jobs] == [True, False]


def test_a_runtime_elsewhere_without_a_name_may_be_the_one_that_is_named() -> None:
    nameless = other(RUNTIME.replace("name: ours", "name: ''"))
    (told,) = finished(OURS, nameless)[0].diagnostics
    assert told.message.startswith("ClusterTrainingRuntime ours is refused: ") and "(r.yaml:" in told.message
    wrong = OURS.replace("numNodes: 4", "numNodes: x")
    assert ["r.yaml" in told.message for told in finished(wrong, nameless)[0].diagnostics] == [False]
    assert finished(JOB, nameless)[0].diagnostics == (), "its runtime is there"


def test_a_runtime_that_is_not_found_may_be_in_a_text_elsewhere_that_cannot_be_read() -> None:
    """Its file is named, with the line, those first that speak of the runtime by its name; what speaks of no runtime is no reason."""
    broken = RUNTIME.replace("numNodes: 2", "numNodes: 2: 3")
    of_no_runtime, near = other(f"{JOB}a: [\n", "job.yaml"), other(broken.replace("name: ours", "name: theirs"), "near.yaml")
    around = [
        *of_no_runtime,
        *near,
        *other(f"{RUNTIME.replace('name: ours', 'name: readable')}---\n{broken}", "far.yaml"),
        *other(f"{broken.replace('name: ours', 'name: own')}kind: ClusterTrainingRuntime\n"),
    ]
    (told,) = finished(OURS, around)[0].diagnostics
    why = "mapping values are not allowed in this context"
    assert (told.code, told.severity, told.at) == ("JSC201", ERROR, ("spec", "runtimeRef", "name"))
    assert told.hint == f"mend what cannot be read first: the runtime may be there (far.yaml:54 cannot be read: {why}, nor can 2 others)"
    assert [(note.message, str(note.span)) for note in told.notes] == [
        (f"this cannot be read: {why}", place) for place in ("far.yaml:54:15", "near.yaml:9:15", "r.yaml:9:15")
    ]
    (told,) = finished(OURS.replace("name: ours", "name: torch-distribute"), near)[0].diagnostics
    assert told.hint == f"did you mean torch-distributed? Otherwise give the runtime's file with -r (near.yaml:9 cannot be read: {why})"
    assert finished(JOB, around)[0].diagnostics == (), "its runtime is there"
    (told,) = finished(OURS, of_no_runtime)[0].diagnostics
    assert told.hint.startswith("known: ") and told.notes == ()
    (told,) = finished(OURS.replace("name: ours", "name: r"), other(f"{RUNTIME}kind: ClusterTrainingRuntime\n"))[0].diagnostics
    assert told.hint.startswith("known: ") and ", ours, " in told.hint and told.notes == (), "a key that stands twice hides no runtime"


def test_what_cannot_be_read_elsewhere_is_told_without_its_secrets() -> None:
    secret = "apiVersion: v1\nkind: Secret\nstringData: {token: hunter2: 3}\n# ClusterTrainingRuntime\n"
    (told,) = finished(OURS, other(secret))[0].diagnostics
    assert "(r.yaml:3 cannot be read: " in told.hint and "hunter2" not in f"{told.hint}{told.notes[0].message}"


def test_fixes_at_a_place() -> None:
    text = JOB.replace("numNodes: 4", "numNodes: '4'").replace("  trainer:", "  suspend: 'true'\n  trainer:")
    found, _ = finished(text)
    first, second = text.index("'true'"), text.index("'4'")

    def titles(start: int, end: int) -> list[str]:
        return [repair.fix.title for repair in repairs(found, start, end)]

    both = ["write true without quotes", "write 4 without quotes"]
    assert titles(0, len(text)) == both
    assert titles(first, first) == titles(first + 6, first + 6) == titles(first - 3, first) == both[:1]
    assert titles(first - 3, first - 1) == titles(first + 7, second - 1) == titles(second + 4, len(text)) == []
    assert titles(second + 3, len(text)) == both[1:] and titles(first + 6, second) == both
    assert [(text[edit.start : edit.end], edit.replacement) for edit in all_safe(found)] == [("'true'", "true"), ("'4'", "4")]
    assert all_safe(finished(JOB)[0]) == []


V1 = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: old}
spec:
  pytorchReplicaSpecs:
    Worker: {replicas: 3, template: {spec: {containers: [{name: pytorch, image: a}]}}}
"""


def test_what_migrate_makes_of_it() -> None:
    text = migrated(finished(V1)[0], ())
    assert text == jc.migrate(V1).text
    mixed = f"{JOB}---\n{V1}"
    assert migrated(finished(mixed)[0], ()) == jc.migrate(mixed).text, "one of them is enough"
    assert migrated(finished(JOB)[0], ()) is None, "there is nothing to migrate"
    assert migrated(finished("a: 1\n")[0], ()) is None
    assert migrated(finished(V1.replace("replicas: 3", "replicas: x"))[0], ()) is None, "an error is in the way"
    older = OURS.replace("  trainer:", "  podTemplateOverrides: [{targetJobs: [{name: node}], spec: {hostNetwork: true}}]\n  trainer:")
    renamed = [each for each in other(RUNTIME.replace("- name: node\n        dep", "- name: nodes\n        dep")) if isinstance(each, Document)]
    assert "runtimePatches" in (migrated(finished(older)[0], ()) or "")
    assert "runtimePatches" in (migrated(finished(older)[0], [each for each in other(RUNTIME) if isinstance(each, Document)]) or "")
    assert migrated(finished(older)[0], renamed) is None, "a runtime in another file is in the way"


def test_the_policy_may_silence_a_finding() -> None:
    assert [each.code for each in finished(f"{OURS}---\n{RUNTIME}")[0].diagnostics] == ["JSC705"]
    silent = Setup(policy=Policy(ignore=frozenset({"JSC705"})))
    assert finished(f"{OURS}---\n{RUNTIME}", setup=silent)[0].diagnostics == ()
