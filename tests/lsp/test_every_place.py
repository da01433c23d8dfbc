"""What is told at every line of a file. Read the text below `__snapshots__`; `--snapshot-update` writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from syrupy.assertion import SnapshotAssertion

from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.lsp.actions import all_safe, repairs
from jobset_compiler.lsp.analysis import MOST_RUNTIMES, Analysis, analyse, chosen_runtimes, named_by, read
from jobset_compiler.lsp.completion import complete
from jobset_compiler.lsp.cursor import cursor_at
from jobset_compiler.lsp.effects import LONGEST
from jobset_compiler.lsp.hover import hover
from jobset_compiler.lsp.marks import definitions, mark_at, references
from jobset_compiler.lsp.memory import Memory
from jobset_compiler.lsp.outline import outline
from jobset_compiler.lsp.positions import Lines
from jobset_compiler.lsp.rendered import lenses, rendered
from jobset_compiler.lsp.setup import Setup
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lsprotocol import types

    from jobset_compiler.lsp.marks import Mark
    from jobset_compiler.source.document import Document

TEXT = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainingRuntime
metadata: {name: mine, namespace: ml, labels: {trainer.kubeflow.org/framework: torch}}
spec:
  mlPolicy:
    numNodes: 2
    torch: {}
  podGroupPolicy:
    coscheduling:
      scheduleTimeoutSeconds: 60
  template:
    spec:
      network: {subdomain: sub}
      successPolicy: {operator: All, targetReplicatedJobs: [node]}
      failurePolicy:
        maxRestarts: 3
        rules:
        - name: once
          action: FailJobSet
          targetReplicatedJobs: [node, dataset-initializer]
      volumeClaimPolicies:
      - templates:
        - metadata: {name: scratch}
          spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
      replicatedJobs:
      - name: dataset-initializer
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer}}
          spec:
            template:
              spec:
                volumes:
                - name: initializer
                  persistentVolumeClaim: {claimName: data}
                containers:
                - name: dataset-initializer
                  image: registry.example/fetch:1
                  volumeMounts:
                  - {name: initializer, mountPath: /workspace}
      - name: node
        dependsOn:
        - {name: dataset-initializer, status: Complete}
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec:
            template:
              spec:
                restartPolicy: Never
                volumes:
                - name: data
                  configMap: {name: c, defaultMode: 256}
                initContainers:
                - {name: wait, image: registry.example/wait:1}
                containers:
                - name: node
                  image: registry.example/train:1
                  command: [torchrun, t.py]
                  volumeMounts:
                  - {name: data, mountPath: /data}
                  - name: scratch
                    mountPath: /scratch
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: speech
  namespace: ml
spec:
  suspend: true
  runtimeRef:
    kind: TrainingRuntime
    name: mine
  initializer:
    dataset:
      storageUri: hf://a/b
  trainer:
    numNodes: 3
    image: registry.example/speech:2
    command: [torchrun, s.py]
    env:
    - name: A
      value: b
    resourcesPerNode:
      limits:
        nvidia.com/gpu: 2
  runtimePatches:
  - manager: example.com/me
    trainingRuntimeSpec:
      template:
        metadata: {labels: {team: a}}
        spec:
          replicatedJobs:
          - name: node
            template:
              spec:
                template:
                  spec:
                    nodeSelector: {pool: a}
                    containers:
                    - name: node
                      volumeMounts:
                      - name: scratch
                        mountPath: /s
"""


def analysis_of(text: str) -> Analysis:
    work = analyse("a.yaml", Lines(text), Setup(), read("a.yaml", text), (), Memory())
    while True:
        try:
            next(work)
        except StopIteration as done:
            found: Analysis = done.value
            return found


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analysis_of(TEXT)


def starts() -> Iterator[tuple[int, str]]:
    """The first word of each line, by its place in the text."""
    at = 0
    for line in TEXT.splitlines(keepends=True):
        words = line.lstrip(" -")
        if words.strip():
            yield at + len(line) - len(words), line.strip()
        at += len(line)


def test_hover(analysis: Analysis, snapshot: SnapshotAssertion) -> None:
    told = []
    for at, line in starts():
        found = hover(analysis, at)
        told.append(f"=== {line}\n" + ("" if found is None else f"{TEXT[found[1] : found[2]].splitlines()[0]} | {found[0]}\n"))
    assert "".join(told) == snapshot


def test_completion(analysis: Analysis, snapshot: SnapshotAssertion) -> None:
    """Behind the colon of each line that has a scalar there, and in its place."""
    told = []
    setup = analysis.setup
    for at, line in starts():
        for place in (at, TEXT.index("\n", at)):
            found = complete(TEXT, place, analysis.documents, setup.options)
            if found is not None:
                items = ", ".join(f"{item.label} ({item.detail})" if item.kind == "name" else f"{item.label}" for item in found.items)
                told.append(f"=== {line} | {TEXT[found.start : found.end]}\n{items}\n")
    assert "".join(told) == snapshot


def test_proposals(analysis: Analysis, snapshot: SnapshotAssertion) -> None:
    text = TEXT + "  \n"
    found = complete(text, len(text) - 1, analysis.documents, analysis.setup.options)
    assert found is not None
    assert "\n".join(f"{item.kind} {item.label}: {item.text!r} ({item.detail}) {item.documentation}" for item in found.items) == snapshot


def shown(marks: Iterable[Mark]) -> str:
    return ", ".join(f"{mark.document.value['kind']} {format_path(mark.path)}" for mark in marks)


def test_names(analysis: Analysis, snapshot: SnapshotAssertion) -> None:
    told = []
    for at in range(len(TEXT)):
        if at and not TEXT[at - 1].isalnum() and TEXT[at].isalnum():
            cursor = cursor_at(analysis.documents, analysis.lines, at)
            mark = None if cursor is None else mark_at(cursor.document, cursor.path)
            if mark is not None:
                given = shown(definitions(mark, analysis.documents, analysis.setup.options))
                used = shown(references(mark, analysis.documents, declaration=False))
                told.append(f"{format_path(mark.path)} {'gives' if mark.gives else 'uses'} {mark.name}\n  given: {given}\n  used: {used}")
    assert "\n".join(dict.fromkeys(told)) == snapshot


def indented(symbols: Iterable[types.DocumentSymbol], depth: int = 0) -> Iterator[str]:
    for symbol in symbols:
        place = symbol.selection_range.start
        yield f"{'  ' * depth}{symbol.name} {symbol.detail or ''} {symbol.kind.name} {place.line}:{place.character} to {symbol.range.end.line}"
        yield from indented(symbol.children or (), depth + 1)


def test_outline(analysis: Analysis, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(indented(outline(analysis.documents, analysis.lines))) == snapshot


def test_lines_above(analysis: Analysis) -> None:
    (lens,) = lenses(analysis, "file:///a.yaml")
    assert (TEXT[lens.start :].splitlines()[0], lens.title) == ("apiVersion: trainer.kubeflow.org/v1alpha1", "4 pods, 6 GPUs: show JobSet")
    (lens,) = lenses(analysis_of(TEXT.replace("numNodes: 3", "numNodes: many")), "file:///a.yaml")
    assert (lens.title, lens.address) == ("refused: no JobSet", "")
    (lens,) = lenses(analysis_of(TEXT.replace("numNodes: 2", "numNodes: many")), "file:///a.yaml")
    assert (lens.title, lens.address) == ("no JobSet: its runtime is refused", "")


def test_the_text_behind_the_line_above(analysis: Analysis) -> None:
    (lens,) = lenses(analysis, "file:///a.yaml")
    first = rendered(analysis, "file:///a.yaml", lens.address).splitlines()[0]
    assert first == "# What Kubeflow Trainer 2.3.0 submits for TrainJob speech in a.yaml. Secrets are hidden."


def test_nothing_of_ours(analysis: Analysis) -> None:
    assert analysis_of("a: 1\n").documents == ()
    assert hover(analysis_of("a: 1\n"), 0) is None
    assert hover(analysis, len(TEXT) + 5) is None


def test_long_values_are_cut() -> None:
    full, long = "x" * LONGEST, "x" * (LONGEST + 1)
    for word, shown in ((full, full), (long, full[:-3] + "...")):
        text = TEXT.replace("registry.example/speech:2", word)
        found = hover(analysis_of(text), text.index(f"image: {word}"))
        assert found is not None and f"`image: {shown}`" in found[0]


def test_only_what_is_safe_is_mended_unasked() -> None:
    text = TEXT.replace("nvidia.com/gpu: 2", "nvidia.com/gpus: 2")
    assert [repair.fix.safe for repair in repairs(analysis_of(text), 0, len(text)) if "gpu" in repair.fix.title] == [False]
    assert all_safe(analysis_of(text)) == []


def test_a_text_over_several_lines_has_no_fields() -> None:
    text = TEXT.partition("  initializer:")[0] + "  trainer:\n    args:\n    - |\n      a: 1\n      numNodes:\n    command: |-\n      b: 2\n    "
    found = complete(text, len(text), (), Setup().options)
    assert found is not None
    labels = [item.label for item in found.items]
    assert "numNodes" in labels and "args" not in labels and "command" not in labels


def runtime_of(name: str, namespace: str = "", file: str = "r.yaml") -> Document:
    kind = "TrainingRuntime" if namespace else "ClusterTrainingRuntime"
    meta = f"{{name: {name}" + (f", namespace: {namespace}}}" if namespace else "}")
    return read_text(f"apiVersion: trainer.kubeflow.org/v1alpha1\nkind: {kind}\nmetadata: {meta}\nspec: {{}}\n", file)[0][0]


def job_of(reference: str, namespace: str = "") -> Document:
    meta = "{name: j" + (f", namespace: {namespace}}}" if namespace else "}")
    return read_text(f"apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {meta}\nspec: {{runtimeRef: {reference}}}\n", "j.yaml")[0][0]


@pytest.mark.parametrize(
    ("reference", "namespace", "key"),
    [
        ("{name: a}", "", ("ClusterTrainingRuntime", "", "a")),
        ("{name: a}", "ml", ("ClusterTrainingRuntime", "", "a")),
        ("{name: a, kind: TrainingRuntime}", "ml", ("TrainingRuntime", "ml", "a")),
        ("{name: a, kind: TrainingRuntime}", "", ("TrainingRuntime", "default", "a")),
        ("[]", "", ("", "", "")),
    ],
)
def test_the_runtime_that_a_trainjob_names(reference: str, namespace: str, key: tuple[str, str, str]) -> None:
    assert named_by(job_of(reference, namespace)) == key


def test_runtimes_of_other_files() -> None:
    """Of each name the first; none that is here; as many as may be, those that are named first."""
    a, other_a, b, in_ml = runtime_of("a", file="1"), runtime_of("a", file="2"), runtime_of("b"), runtime_of("a", "ml")
    assert chosen_runtimes([], [a, other_a, job_of("{name: a}"), b, in_ml]) == [a, b, in_ml]
    assert chosen_runtimes([runtime_of("a")], [a, other_a, b]) == [b]
    many = [runtime_of(f"r{number}") for number in range(MOST_RUNTIMES + 5)]
    assert chosen_runtimes([], many[:MOST_RUNTIMES]) == many[:MOST_RUNTIMES]
    named = chosen_runtimes([job_of("{name: r32}"), job_of("{name: nothing}"), job_of("[]")], many)
    assert named == [many[32], *many[: MOST_RUNTIMES - 1]]


def test_trainjobs_of_other_files_say_what_a_runtime_comes_to() -> None:
    text = TEXT.partition("---\n")[0]
    around = [document.document for name in "abcd" for document in analysis_of(TEXT.replace("name: speech", f"name: {name}")).jobs]
    found = hover(analysis_of(text), text.index("image: registry.example/fetch"), around)
    assert found is not None
    assert [line for line in found[0].splitlines() if "Comes to" in line] == [f"Comes to, for TrainJob `ml/{name}`:" for name in "abc"]
    assert "other TrainJobs" not in found[0]


@pytest.mark.parametrize(("names", "others"), [("abcd", "1 other TrainJob"), ("abcde", "2 other TrainJobs")])
def test_some_of_many_trainjobs_are_told(names: str, others: str) -> None:
    runtime, _, job = TEXT.partition("---\n")
    text = "---\n".join([runtime, *(job.replace("name: speech", f"name: {name}") for name in names)])
    found = hover(analysis_of(text), text.index("image: registry.example/fetch"))
    assert found is not None and found[0].endswith(f"\n\nand {others}")
    assert [line for line in found[0].splitlines() if "Comes to" in line] == [f"Comes to, for TrainJob `ml/{name}`:" for name in "abc"]
