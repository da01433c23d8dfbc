"""What the server knows, without an editor: broken and hostile texts, files of the workspace, settings, texts that are long."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from jobset_compiler.diagnostics.codes.code import INFO, WARNING, Code
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.lsp import shelf
from jobset_compiler.lsp.analysis import Analysis
from jobset_compiler.lsp.completion import complete
from jobset_compiler.lsp.cursor import cursor_at
from jobset_compiler.lsp.hover import hover
from jobset_compiler.lsp.memory import kept
from jobset_compiler.lsp.outline import outline
from jobset_compiler.lsp.positions import Lines
from jobset_compiler.lsp.rendered import lenses, rendered
from jobset_compiler.lsp.session import Session
from jobset_compiler.lsp.setup import Setup, SetupError
from jobset_compiler.lsp.told import told
from jobset_compiler.request.options import Options
from jobset_compiler.source.document import Document
from jobset_compiler.source.reader import read_text
from tests.hostile.test_text import JOB as HOSTILE
from tests.hostile.test_text import REFUSED
from tests.lsp.conftest import JOB, RUNTIME

BROKEN = {
    "half a key": JOB.replace("numNodes: 4", "numNod"),
    "no value": JOB.replace("numNodes: 4", "numNodes:"),
    "no colon": JOB.replace("spec:", "spec"),
    "a tab": JOB.replace("    numNodes", "\tnumNodes"),
    "an open quote": JOB.replace("torch-distributed", '"torch'),
    "an open bracket": JOB.replace("numNodes: 4", "args: [a, b"),
    "an open brace": JOB.replace("numNodes: 4", "env: {a: b"),
    "too far left": JOB.replace("    numNodes", " numNodes"),
    "an alias to nothing": JOB.replace("numNodes: 4", "numNodes: *x"),
    "a template": JOB.replace("numNodes: 4", "numNodes: {{ .Values.nodes }}"),
    "a second object": JOB + JOB,
    "a key twice": JOB.replace("  trainer:", "  runtimeRef: {name: a}\n  trainer:"),
    "a control character": JOB.replace("train\n", "tr\x07ain\n"),
}
ABOVE = RUNTIME.replace("name: ours", "name: above") + "---\n"


async def session_with(files: dict[str, str], setup: Setup | None = None, folder: str = "") -> Session:
    session = Session(lambda _: setup or Setup(), pytest.fail)
    session.work_in((folder,) if folder else ())
    await session.look_around()
    for number, (uri, text) in enumerate(files.items()):
        session.put(uri, number, text)
    return session


def said_of(text: str) -> list[str]:
    """Everything that a server says of a text."""

    async def ask() -> list[str]:
        uri = "file:///there/a.yaml"
        session = await session_with({uri: text})
        analysis = await session.analysis(uri)
        assert analysis is not None
        said = []
        for diagnostic in analysis.diagnostics:
            found = told(diagnostic, analysis.lines, session.uri_of)
            said += [found.message, *(place.message for place in found.related_information or ())]
        for offset in range(0, len(text) + 1, 3):
            shown = hover(analysis, offset)
            said += [shown[0]] if shown else []
            proposals = complete(text, offset, session.documents(session.buffers[uri]), analysis.setup.options)
            said += [word for item in (proposals.items if proposals else ()) for word in (item.label, item.text, item.documentation)]
        said += [word for symbol in outline(analysis.documents, analysis.lines) for word in words_of(symbol)]
        for lens in lenses(analysis, uri):
            said += [lens.title, lens.address, *([rendered(analysis, uri, lens.address)] if lens.address else [])]
        return said

    return asyncio.run(ask())


def words_of(symbol: types.DocumentSymbol) -> Iterator[str]:
    yield from (symbol.name, symbol.detail or "")
    for child in symbol.children or ():
        yield from words_of(child)


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_text_keeps_what_is_whole(text: str) -> None:
    said = said_of(ABOVE + text)
    assert "above" in said, "the outline of the document that is whole"
    assert "runtimeRef" in said or "trainer" in said or "numNodes" in said, "fields to choose from"
    assert any("Number of training nodes" in words for words in said), "what a field means"


@pytest.mark.parametrize("text", [HOSTILE, *REFUSED.values(), HOSTILE.replace("\\u001b", "\x1b")], ids=range(len(REFUSED) + 2))
def test_nothing_that_is_said_acts_on_a_terminal(text: str) -> None:
    for words in said_of(text):
        assert words.replace("\n", "").replace("\u200b", "").isprintable(), repr(words)


def test_a_long_text_lets_others_have_their_turn() -> None:
    async def ask() -> None:
        long, short = "file:///there/long.yaml", "file:///there/short.yaml"
        text = "---\n".join(JOB.replace("name: train", f"name: train-{number}") for number in range(400))
        session = await session_with({long: text, short: JOB})
        order: list[str] = []

        async def one(uri: str) -> None:
            found = await session.analysis(uri)
            assert found is not None and all(job.unit is not None for job in found.jobs)
            order.append(uri)

        await asyncio.gather(one(long), one(short))
        assert order == [short, long]
        # A newer text takes the place of one that is being looked at.
        session.put(long, 2, text.replace("numNodes: 4", "numNodes: 5"))
        asked = asyncio.ensure_future(session.analysis(long))
        await asyncio.sleep(0)
        session.put(long, 3, JOB)
        found = await asked
        assert found is not None and len(found.jobs) == 1 and found.lines.text == JOB

    asyncio.run(ask())


def test_what_is_asked_twice_is_worked_out_once() -> None:
    async def ask() -> None:
        uri = "file:///there/a.yaml"
        session = await session_with({uri: JOB})
        first = await session.analysis(uri)
        assert first is await session.analysis(uri)
        session.put("file:///there/other.yaml", 1, JOB)
        assert first is await session.analysis(uri)
        session.put("file:///there/runtime.yaml", 1, RUNTIME)
        assert first is not await session.analysis(uri)

    asyncio.run(ask())


def documents(shelf: shelf.Shelf) -> set[str]:
    return {os.path.basename(document.file) for document in shelf.documents()}


def look(kept: shelf.Shelf, folder: Path, exclude: tuple[str, ...] = ()) -> set[str]:
    for _ in kept.refresh([str(folder)], exclude):
        pass
    return documents(kept)


def test_the_files_of_a_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.yaml", "b.yml", "sub/c.yaml", "sub/.hidden/d.yaml", "e.txt"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(RUNTIME)
    (tmp_path / "values.yaml").write_text("a: 1\n")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff TrainJob \x00")
    (tmp_path / "link.yaml").symlink_to("/etc/hostname")
    kept = shelf.Shelf()
    assert look(kept, tmp_path) == {"a.yaml", "b.yml", "c.yaml"}
    generation = kept.generation
    assert look(kept, tmp_path) == {"a.yaml", "b.yml", "c.yaml"} and kept.generation == generation
    assert look(kept, tmp_path, (f"{tmp_path}/sub/**",)) == {"a.yaml", "b.yml"}
    (tmp_path / "a.yaml").unlink()
    (tmp_path / "b.yml").write_text("nothing: of ours\n")
    assert look(kept, tmp_path) == {"c.yaml"} and kept.generation > generation
    generation = kept.generation
    kept.clear()
    assert kept.generation > generation and look(kept, tmp_path) == {"c.yaml"}
    monkeypatch.setattr(shelf, "LONGEST", 10)
    (tmp_path / "sub" / "c.yaml").write_text(RUNTIME + "\n")
    assert look(kept, tmp_path) == set()


def test_settings_that_cannot_be_used_are_told_once() -> None:
    def refuse(_: str) -> Setup:
        raise SetupError("no such release")

    said: list[str] = []
    session = Session(refuse, said.append)
    for _ in range(3):
        assert session.setup_of("/there/a.yaml") == Setup()
    assert said == ["no such release"]


def test_problems_of_settings_are_told_once_and_hints_are_not() -> None:
    said: list[str] = []
    code = Code("JSC999", "a", WARNING, "A.", "A.")
    problems = (Diagnostic(code, "no such API server"), Diagnostic(code, "by the way", severity=INFO))
    session = Session(lambda _: Setup(Options(problems=problems)), said.append)
    for _ in range(3):
        session.setup_of("/there/a.yaml")
    assert said == ["no such API server"]


@pytest.mark.parametrize(("hint", "said"), [("", "wrong"), ("write it right", "wrong\nwrite it right")])
def test_a_finding_says_its_hint_below(hint: str, said: str) -> None:
    found = told(Diagnostic(Code("JSC103", "a", WARNING, "A.", "A."), "wrong", hint=hint), Lines(JOB, "utf-16"), str)
    assert (found.message, found.severity, found.related_information) == (said, types.DiagnosticSeverity.Warning, None)


@pytest.mark.parametrize(
    "text, words, path",
    [
        (JOB, "numNodes", ("spec", "trainer", "numNodes")),
        (JOB, "4\n", ("spec", "trainer", "numNodes")),
        (JOB, "train\n", ("metadata", "name")),
        ("a: {b: [1, {c: d}]}\n", "d}", ("a", "b", 1, "c")),
        ("a:\n- b: 1\n- c: 2\n", "2\n", ("a", 1, "c")),
        ("a: &x {b: 1}\nc: *x\n", "*x", ("c",)),
        ("a: &x {b: 1}\nc: *x\n", "c:", ("c",)),
        ("a: &x {b: 1}\nc: [1, *x]\n", "*x]", ("c", 1)),
        ("a: &x {b: 1}\nc: *x\n", "1}", ("a", "b")),
        ('{"a": {"b": 1}}', "1}", ("a", "b")),
    ],
)
def test_the_place_under_the_cursor(text: str, words: str, path: tuple[Any, ...]) -> None:
    found = cursor_at(read_text(text)[0], Lines(text), text.index(words))
    assert found is not None and found.path == path


TYPED = RUNTIME + "---\n" + "---\n".join((JOB, JOB.replace("train", "tune").replace("torch-distributed", "ours"), HOSTILE, JOB.replace("train", "last")))


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(0, len(TYPED)), st.sampled_from(("", "x", "4", "\n", "🦊", "- ", "---\n", ": ")), st.integers(0, 2)), max_size=4))
def test_what_is_kept_of_a_text_changes_nothing(edits: list[tuple[int, str, int]]) -> None:
    """However somebody types, what is said of the text is what would be said of it by itself."""

    async def ask() -> None:
        uri, text = "file:///there/a.yaml", TYPED
        typed = await session_with({uri: text})
        await typed.analysis(uri)
        for version, (offset, written, removed) in enumerate(edits, 1):
            text = text[:offset] + written + text[offset + removed :]
            typed.put(uri, version, text)
            await typed.analysis(uri)
        fresh = await session_with({uri: text})
        one, other = await typed.analysis(uri), await fresh.analysis(uri)
        assert one is not None and other is not None
        assert seen(one, uri) == seen(other, uri)

    asyncio.run(ask())


def seen(analysis: Analysis, uri: str) -> list[Any]:
    """All that an editor is shown of a text."""
    found: list[Any] = [told(diagnostic, analysis.lines, str) for diagnostic in analysis.diagnostics]
    found += [analysis.lines.range_of(edit.span) for diagnostic in analysis.diagnostics for fix in diagnostic.fixes for edit in fix.edits]
    found += outline(analysis.documents, analysis.lines)
    found += lenses(analysis, uri)
    found += [hover(analysis, offset) for offset in range(0, len(analysis.lines.text), 40)]
    return found


def test_documents_that_are_the_same_are_kept() -> None:
    before = [*read_text(TYPED, "a.yaml")[0]]
    changed = TYPED.replace("name: tune", "name: tuned")
    now = [*read_text(changed, "a.yaml")[0]]
    found = kept(before, now)
    assert [one is other for one, other in zip(before, found, strict=True)] == [True, True, False, True, True]
    lines = Lines(changed)
    assert [lines.start_of(document) for document in found if isinstance(document, Document)] == [document.start for document in now]
    assert not any(one is other for one, other in zip(before, kept(before, [*read_text("\n" + TYPED, "a.yaml")[0]]), strict=True))
