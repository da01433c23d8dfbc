"""Streams: the same objects and diagnostics as the library gives for the whole, and next to no memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jobset_compiler as jc
from jobset_compiler.admission.documents import may_be_runtime
from jobset_compiler.dialects.wishes import Wishes
from jobset_compiler.emit.json import ListWriter, to_json
from jobset_compiler.emit.yaml import document
from jobset_compiler.library.sources import Source
from jobset_compiler.library.streaming import compile_stream
from jobset_compiler.request.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

JOB = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {{name: {name}}}\nspec: {{runtimeRef: {{name: {runtime}}}}}\n"
RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {{name: {name}, labels: {{trainer.kubeflow.org/framework: torch}}}}
spec:
  mlPolicy: {{numNodes: {nodes}, torch: {{}}}}
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata: {{labels: {{trainer.kubeflow.org/trainjob-ancestor-step: trainer}}}}
          spec: {{template: {{spec: {{containers: [{{name: node, image: a}}]}}}}}}
"""
DOCUMENTS = (
    JOB.format(name="bundled", runtime="torch-distributed"),
    JOB.format(name="given", runtime="mine"),
    JOB.format(name="missing", runtime="nothing"),
    JOB.format(name="hidden", runtime="jax-distributed"),
    JOB.format(name="refused", runtime="bad"),
    JOB.format(name="Wrong_Name", runtime="mine"),
    JOB.format(name="unknown", runtime="mine") + "extra: 1\n",
    RUNTIME.format(name="mine", nodes=2),
    RUNTIME.format(name="jax-distributed", nodes=3),
    RUNTIME.format(name="bad", nodes="many"),
    RUNTIME.format(name="mine", nodes=2).replace("ClusterTrainingRuntime", '"Cluster\\x54rainingRuntime"').replace("mine", "escaped"),
    JOB.format(name="escaped", runtime="escaped"),
    "apiVersion: v1\nkind: ConfigMap\n",
    "apiVersion: v1\nkind: List\nitems:\n- apiVersion: trainer.kubeflow.org/v1alpha1\n  kind: TrainJob\n  metadata: {name: listed}\n"
    "  spec: {runtimeRef: {name: mine}}\n",
    "kind: TrainJob\n",
    "a: b\n",
    "a: [b\n",
    "",
    "# comment\n",
    "a: 1\na: 2\nkind: X\n",
)


def settled(diagnostics: Any) -> list[tuple[Any, ...]]:
    return sorted((d.code, d.severity, d.message, d.path, d.hint, repr(d.span), repr([note.span for note in d.notes])) for d in diagnostics)


def blocks_of(text: str, size: int) -> Iterator[bytes]:
    data = text.encode()
    for start in range(0, len(data), size):
        yield data[start : start + size]


def stream(text: str, options: Options = Options(), size: int = 1 << 18) -> tuple[list[dict[str, Any]], list[Diagnostic]]:  # noqa: B008
    objects: list[dict[str, Any]] = []
    diagnostics: list[Diagnostic] = []
    for step in compile_stream([Source("<input>", lambda: blocks_of(text, size))], options):
        diagnostics += step.diagnostics
        if step.unit is not None:
            objects += step.unit.objects
    return objects, diagnostics


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(DOCUMENTS), max_size=8), st.booleans(), st.sampled_from([7, 100, 1 << 18]))
def test_a_stream_gives_what_the_whole_gives(documents: list[str], bundled: bool, size: int) -> None:
    text = "---\n".join(documents)
    whole = jc.compile_yaml(text, bundled_runtimes=bundled)
    objects, diagnostics = stream(text, Options(bundled_runtimes=bundled), size)
    assert settled(diagnostics) == settled(whole.diagnostics)
    if whole.ok:
        assert objects == list(whole.objects)


@given(st.permutations(DOCUMENTS[:2] + DOCUMENTS[6:9] + DOCUMENTS[10:13]))
@settings(max_examples=20, deadline=None)
def test_the_order_of_documents_changes_no_object(documents: list[str]) -> None:
    objects, _ = stream("---\n".join(documents))
    expected, _ = stream("---\n".join(DOCUMENTS[:2] + DOCUMENTS[6:9] + DOCUMENTS[10:13]))
    named = {item["metadata"]["name"]: item for item in objects}
    assert named == {item["metadata"]["name"]: item for item in expected}
    assert set(named) == {"bundled", "given", "unknown", "escaped"}


def test_a_runtime_after_its_trainjob_and_in_a_later_source() -> None:
    sources = [
        Source("a.yaml", lambda: [JOB.format(name="given", runtime="mine").encode()]),
        Source("b.yaml", lambda: [RUNTIME.format(name="mine", nodes=5).encode()]),
    ]
    units = [step.unit for step in compile_stream(sources, Options()) if step.unit is not None]
    assert units[0].objects[0]["spec"]["replicatedJobs"][0]["template"]["spec"]["parallelism"] == 5


def test_sources_that_are_only_for_runtimes_compile_nothing() -> None:
    text = JOB.format(name="left", runtime="mine") + "---\n" + RUNTIME.format(name="mine", nodes=2)
    sources = [Source("r.yaml", lambda: [text.encode()], runtimes_only=True), Source("a.yaml", lambda: [JOB.format(name="given", runtime="mine").encode()])]
    assert [step.unit.plan.job.name for step in compile_stream(sources, Options()) if step.unit is not None] == ["given"]


def test_a_source_that_cannot_be_read_is_said_once() -> None:
    def missing() -> Iterator[bytes]:
        yield b"kind: X\n"
        raise OSError(5, "Input/output error")

    diagnostics = [d for step in compile_stream([Source("a.yaml", missing)], Options()) for d in step.diagnostics if d.slug == "unreadable"]
    assert [(d.file, d.message) for d in diagnostics] == [("a.yaml", "Input/output error")]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_examples(path: Path) -> None:
    whole = jc.compile_yaml(path.read_text())
    objects, diagnostics = stream(path.read_text())
    assert objects == list(whole.objects)
    assert settled(diagnostics) == settled(whole.diagnostics)


@pytest.mark.parametrize("document", DOCUMENTS[7:11])
def test_runtimes_are_never_passed_over_in_the_first_pass(document: str) -> None:
    assert may_be_runtime(document)


def test_most_trainjobs_are_read_once() -> None:
    assert not may_be_runtime(DOCUMENTS[0])


def test_memory_does_not_grow_with_the_stream() -> None:
    """The peak of many TrainJobs is that of few: of everything that Python allocates."""
    import tracemalloc

    def peak(count: int) -> int:
        def blocks() -> Iterator[bytes]:
            for index in range(count):
                yield f"---\n{JOB.format(name=f'job-{index}', runtime='torch-distributed')}".encode()

        tracemalloc.start()
        try:
            for step in compile_stream([Source("<input>", blocks)], Options()):
                assert not any(diagnostic.is_error for diagnostic in step.diagnostics)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(10)
    few = peak(50)
    assert peak(400) < few + (1 << 19)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from([*DOCUMENTS[:10], "kind: X\n"]), min_size=1, max_size=6),
    st.sampled_from([1, 7, 100]),
    st.sampled_from(["", "\n", " \n\n"]),
    st.booleans(),
)
def test_a_stream_of_json_in_blocks(documents: list[str], size: int, space: str, cut: bool) -> None:
    from jobset_compiler.source.reader import read_text

    text = space.join(json.dumps(read_text(document)[0][0].value, indent=1 if len(space) > 1 else None) for document in documents)
    if cut:
        text = text[:-1]
    whole = jc.compile_yaml(text)
    objects, diagnostics = stream(text, size=size)
    assert settled(diagnostics) == settled(whole.diagnostics)
    assert objects == list(whole.objects) or not whole.ok


OLD = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: old}
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 2
      template: {spec: {containers: [{name: pytorch, image: a, command: [torchrun, t.py]}]}}
"""


def steps_of(text: str, options: Options, **source: Any) -> list[tuple[str, bool, list[str]]]:
    """(kind of the document, whether something came of it, slugs) of the steps that say something."""
    steps = compile_stream([Source("a.yaml", lambda: [text.encode()], **source)], options)
    told = [(step.document.value["kind"] if step.document else "", step.unit is not None, sorted({d.slug for d in step.diagnostics})) for step in steps]
    return [step for step in told if step[0] or step[2]]


@pytest.mark.parametrize("source", [{}, {"runtimes_only": True}, {"from_folder": True}])
def test_documents_of_older_apis_are_told_once(source: dict[str, Any]) -> None:
    assert steps_of(f"{OLD}---\nkind: Service\n", Options(), **source)[0] == ("PyTorchJob", False, ["older-api"])
    told = steps_of(f"a: [b\n---\n{OLD}", Options(convert=Wishes()), **source)
    errors = [step for step in told if "yaml-syntax" in step[2]]
    assert len(errors) == (0 if source.get("from_folder") else 1), "in a folder what is not ours is passed over"
    if not source.get("runtimes_only"):
        (job,) = (step for step in told if step[0] == "TrainJob")
        assert job[1] and "ends-otherwise" in job[2], "what the conversion says stands with the first document that it made"


def test_a_stream_converts_as_the_whole_does() -> None:
    text = f"{RUNTIME.format(name='mine', nodes=2)}---\n{OLD}---\n{JOB.format(name='given', runtime='mine')}"
    whole = jc.compile_yaml(text, convert=True)
    objects, diagnostics = stream(text, Options(convert=Wishes()))
    assert objects == list(whole.objects) and len(objects) == 2
    assert settled(diagnostics) == settled(whole.diagnostics)


def test_what_breaks_says_at_which_document() -> None:
    def build(*_: object) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as error:
        list(compile_stream([Source("a.yaml", lambda: [b"\n" + JOB.format(name="a", runtime="b").encode()])], Options(), build=build))
    assert error.value.__notes__ == ["while compiling a.yaml:2:1"]


def test_what_is_wrong_with_the_choice_comes_first() -> None:
    problem = jc.compile_yaml("", trainer_version="next").diagnostics
    assert problem
    first, *others = compile_stream([Source("a.yaml", lambda: [b"kind: X\n"])], Options(problems=problem))
    assert first.diagnostics == problem and first.document is None
    assert all(step.diagnostics != problem for step in others)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_a_stream_of_json_is_a_list_once_there_are_two(count: int) -> None:
    items = [{"kind": "X", "n": number, "more": {"a": [1]}} for number in range(count)]
    written: list[str] = []
    stream = ListWriter(written.append)
    for item in items:
        stream.add(item)
    stream.finish()
    assert "".join(written) == to_json(items)


FULL = RUNTIME.replace(
    "[{{name: node, image: a}}]",
    "[{{name: node, image: a, volumeMounts: [{{name: v, mountPath: /v}}], resources: {{limits: {{cpu: 1}}}}, securityContext: {{runAsUser: 1}}}}], "
    "volumes: [{{name: v, emptyDir: {{medium: Memory}}}}], tolerations: [{{key: a, operator: Exists}}]",
)
PATCH = """\
  runtimePatches:
  - manager: example.com/one
    trainingRuntimeSpec: {template: {spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec: SPEC}}}}]}}}
"""


@pytest.mark.parametrize(
    "spec",
    [
        "{nodeSelector: {a: b}}",
        "{volumes: [{name: w, emptyDir: {}}]}",
        "{containers: [{name: node, volumeMounts: [{name: v, mountPath: /w}], securityContext: {runAsUser: 2}}]}",
        "{serviceAccountName: other}",
    ],
)
def test_the_text_of_many_objects_is_that_of_each(spec: str) -> None:
    """What the JobSets of a runtime have in common is written once; half of these have an override that changes something of it."""
    jobs = [
        JOB.format(name=f"job-{number}", runtime="mine").replace("spec: {runtimeRef: {name: mine}}", "spec:\n  runtimeRef: {name: mine}") for number in range(6)
    ]
    patched = [job + PATCH.replace("SPEC", spec) if number % 2 else job for number, job in enumerate(jobs)]
    result = jc.compile_yaml("---\n".join([FULL.format(name="mine", nodes=2), *patched]))
    assert result.ok, result.diagnostics
    assert len(result.objects) == 6
    assert result.to_yaml() == "---\n".join(map(document, result.objects)) == result.to_yaml()
    assert len({document(manifest["spec"]) for manifest in result.objects}) > 1
