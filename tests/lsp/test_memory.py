"""What the server remembers of documents makes no difference, and is little."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jobset_compiler import pipeline
from jobset_compiler.lsp import memory as module
from jobset_compiler.lsp.memory import Memory, kept
from jobset_compiler.profiles import find
from jobset_compiler.request.options import Options
from jobset_compiler.source.document import Document
from jobset_compiler.source.reader import read_text
from tests.lsp.conftest import JOB, RUNTIME

if TYPE_CHECKING:
    from jobset_compiler.resolve.catalog import Catalog

OPTIONS = Options()


def document(text: str) -> Document:
    return read_text(text, "a.yaml")[0][0]


def catalog(*texts: Document, options: Options = OPTIONS) -> Catalog:
    return pipeline.catalog_of([pipeline.read_runtime(each, options) for each in texts], options)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was worked out, in order."""
    found: list[str] = []

    def noting(name: str) -> None:
        work = getattr(pipeline, name)

        def noted(*arguments: object) -> object:
            found.append(name)
            return work(*arguments)

        monkeypatch.setattr(module, name, noted)

    noting("read_runtime")
    noting("compile_trainjob")
    return found


def test_a_runtime_is_read_once_for_each_document_and_options(asked: list[str]) -> None:
    memory, runtime, other = Memory(), document(RUNTIME), document(RUNTIME)
    older = find("v2.0")
    assert older is not None
    first = memory.read_runtime(runtime, OPTIONS)
    assert memory.read_runtime(runtime, OPTIONS) is first and len(asked) == 1
    assert memory.read_runtime(other, OPTIONS) is not first and len(asked) == 2
    assert memory.read_runtime(runtime, Options(profile=older)) is not first and len(asked) == 3
    assert first.key == pipeline.read_runtime(runtime, OPTIONS).key


def test_a_trainjob_is_compiled_anew_where_something_it_was_given_is_another(asked: list[str]) -> None:
    memory, job, runtime = Memory(), document(JOB.replace("torch-distributed", "ours")), document(RUNTIME)
    given = catalog(runtime)
    unit, diagnostics = memory.compile_trainjob(job, given, OPTIONS)
    again, also = memory.compile_trainjob(job, given, OPTIONS)
    assert again is unit and also == diagnostics and also is not diagnostics
    assert asked.count("compile_trainjob") == 1
    memory.compile_trainjob(job, given, Options())
    assert asked.count("compile_trainjob") == 2, "other options"
    changed, _ = memory.compile_trainjob(job, catalog(document(RUNTIME.replace("numNodes: 2", "numNodes: 3"))), OPTIONS)
    assert asked.count("compile_trainjob") == 3 and changed is not unit, "another runtime of that name"
    memory.compile_trainjob(job, catalog(), OPTIONS)
    assert asked.count("compile_trainjob") == 4, "no runtime"
    memory.compile_trainjob(document(JOB), catalog(), OPTIONS)
    assert asked.count("compile_trainjob") == 5, "another document"
    lost, known = (pipeline.catalog_of((), OPTIONS, is_whole=is_whole) for is_whole in (False, True))
    hints = [[each.hint for each in memory.compile_trainjob(job, where, OPTIONS)[1]] for where in (lost, known, lost)]
    assert asked.count("compile_trainjob") == 8 and hints[0] == hints[2] != hints[1], "a text that cannot be read"


def test_it_is_bounded(monkeypatch: pytest.MonkeyPatch, asked: list[str]) -> None:
    monkeypatch.setattr(module, "MOST", 3)
    memory = Memory()
    runtimes = [document(RUNTIME) for _ in range(4)]
    jobs = [document(JOB) for _ in range(4)]
    for _ in range(2):
        for runtime in runtimes[:3]:
            memory.read_runtime(runtime, OPTIONS)
    assert len(asked) == 3, "all are known"
    memory.read_runtime(runtimes[3], OPTIONS)
    memory.read_runtime(runtimes[0], OPTIONS)
    assert len(asked) == 5, "the fourth took the place of all"
    given = catalog()
    asked.clear()
    for _ in range(2):
        for job in jobs[:3]:
            memory.compile_trainjob(job, given, OPTIONS)
    assert len(asked) == 3
    memory.compile_trainjob(jobs[3], given, OPTIONS)
    memory.compile_trainjob(jobs[0], given, OPTIONS)
    assert len(asked) == 5


def test_documents_that_say_the_same_on_the_same_lines_are_kept() -> None:
    before = read_text(f"{JOB}---\n{RUNTIME}---\n{JOB}")[0]
    now = read_text(f"{JOB}---\n{RUNTIME.replace('numNodes: 2', 'numNodes: 3')}---\n{JOB}")[0]
    found = kept(before, now)
    assert [new is old for new, old in zip(found, before, strict=True)] == [True, False, True]
    moved = read_text(f"\n{JOB}")[0]
    assert kept(before, moved)[0] is moved[0], "it stands on other lines"
    as_json = read_text('{"kind": "TrainJob"}')[0]
    again = read_text('{"kind": "TrainJob"}')[0]
    assert kept(as_json, again)[0] is again[0]
