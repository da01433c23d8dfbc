"""The outline: a symbol a document, below it what has members, each with its name, its kind and both of its places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jobset_compiler.lsp import outline as module
from jobset_compiler.lsp.outline import outline
from tests.lsp.conftest import JOB
from tests.lsp.test_every_place import analysis_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lsprotocol import types

TEXT = """\
# TrainJob
kind: TrainJob
metadata: {generateName: g-, labels: {a: b}}
spec:
  '': {x: 1}
  l:
  - name: ''
    manager: m
  - key: k
    name: nn
  - mountPath: /p
  - {other: 1}
  - [1, [2]]
  - name: 3
  - 4
  s: 1
  d: &x {a: [1]}
  e: *x
  "a\\nb": {}
"""
SHOWN = """\
g- (TrainJob) Module 1:0-18:12 1:0-1:0
  metadata () Object 2:0-2:44 2:0-2:8
    labels () Object 2:29-2:43 2:29-2:35
  spec () Object 3:0-18:12 3:0-3:4
      () Object 4:2-4:12 4:2-4:4
    l () Array 5:2-14:5 5:2-5:3
      m () Object 6:4-7:14 6:4-6:4
      nn () Object 8:4-9:12 8:4-8:4
      /p () Object 10:4-10:17 10:4-10:4
      [3] () Object 11:4-11:14 11:4-11:4
      [4] () Array 12:4-12:12 12:4-12:4
        [1] () Array 12:8-12:11 12:8-12:8
      [5] () Object 13:4-13:11 13:4-13:4
    d () Object 16:2-16:16 16:2-16:3
      a () Array 16:9-16:15 16:9-16:10
    e () Object 17:2-17:7 17:2-17:3
    a\\nb () Object 18:2-18:12 18:2-18:8
"""


def place(found: types.Range) -> str:
    return f"{found.start.line}:{found.start.character}-{found.end.line}:{found.end.character}"


def told(symbols: Iterable[types.DocumentSymbol], depth: int = 0) -> Iterator[str]:
    for symbol in symbols:
        yield f"{'  ' * depth}{symbol.name} ({symbol.detail or ''}) {symbol.kind.name} {place(symbol.range)} {place(symbol.selection_range)}\n"
        yield from told(symbol.children or (), depth + 1)


def shown(text: str) -> str:
    analysis = analysis_of(text)
    return "".join(told(outline(analysis.documents, analysis.lines)))


def test_everything_that_has_members() -> None:
    assert shown(TEXT) == SHOWN


@pytest.mark.parametrize(
    ("meta", "title"),
    [
        ("{name: a, generateName: b-}", "a (TrainJob)"),
        ("{name: '', generateName: b-}", "b- (TrainJob)"),
        ("{generateName: b-}", "b- (TrainJob)"),
        ("{name: 4}", "(no name) (TrainJob)"),
        ("{}", "(no name) (TrainJob)"),
        ("4", "(no name) (TrainJob)"),
        ("{name: \"a\\nb\"}", "a\\nb (TrainJob)"),
    ],
)
def test_the_name_of_a_document(meta: str, title: str) -> None:
    assert shown(f"kind: TrainJob\nmetadata: {meta}\n").startswith(f"{title} Module 0:0-1:")


def test_documents_that_are_no_objects_are_left_out() -> None:
    assert shown(f"- TrainJob\n---\n{JOB}---\nTrainJob\n---\nTrainJob: 1\n").splitlines()[0].startswith("train (TrainJob) Module 2:0-")
    assert [line for line in shown(f"- TrainJob\n---\n{JOB}---\nTrainJob: 1\n").splitlines() if " Module " in line] == [
        "train (TrainJob) Module 2:0-13:25 2:0-2:0",
        "(no name) () Module 15:0-15:11 15:0-15:0",
    ]


def test_it_ends_where_it_gets_long_or_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 3)
    assert [line.split()[0] for line in shown(f"{JOB}---\n{JOB}").splitlines()] == ["train", "metadata", "spec", "runtimeRef", "train"]
    monkeypatch.undo()
    monkeypatch.setattr(module, "DEEPEST", 2)
    assert [line.split()[0] for line in shown(JOB).splitlines()] == ["train", "metadata", "spec", "runtimeRef", "trainer"]
