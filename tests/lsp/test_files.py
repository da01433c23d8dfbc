"""Files: what they are called, where they are, which of them are read, and in what order they count."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path
from typing import Any

import pytest

from jobset_compiler import runtimes
from jobset_compiler.lsp import session as module
from jobset_compiler.lsp.session import Session
from jobset_compiler.lsp.setup import Setup, SetupError
from jobset_compiler.profiles import NEWEST
from jobset_compiler.source.document import Document
from tests.lsp.conftest import JOB, RUNTIME


def session(*folders: str, setup: Setup | None = None) -> Session:
    made = Session(lambda _: setup or Setup(), pytest.fail)
    made.work_in(folders)
    return made


@pytest.mark.parametrize(
    ("folders", "uri", "file"),
    [
        ((), "file:///w/a.yaml", "/w/a.yaml"),
        (("/w",), "file:///w/sub/a%20b.yaml", "sub/a b.yaml"),
        (("/w",), "file:///w/sub/../a.yaml", "a.yaml"),
        (("/w",), "file:///w2/a.yaml", "/w2/a.yaml"),
        (("/w",), "file:///w", "/w"),
        (("/w", "/v"), "file:///w/a.yaml", "/w/a.yaml"),
        (("/w",), "untitled:a.yaml", "untitled:a.yaml"),
    ],
)
def test_what_a_file_is_called(folders: tuple[str, ...], uri: str, file: str) -> None:
    assert session(*folders).file_of(uri) == file


@pytest.mark.parametrize(
    ("folders", "file", "path"),
    [((), "a.yaml", "a.yaml"), (("/w", "/v"), "a.yaml", "/w/a.yaml"), (("/w",), "/v/a.yaml", "/v/a.yaml"), ((), "/v/a.yaml", "/v/a.yaml")],
)
def test_where_a_file_is(folders: tuple[str, ...], file: str, path: str) -> None:
    assert session(*folders).path_of(file) == path


def test_the_address_of_a_file() -> None:
    found = session("/w")
    found.put("untitled:a", 1, JOB)
    found.put("file:///w/a.yaml", 1, JOB)
    assert found.uri_of("untitled:a") == "untitled:a"
    assert found.uri_of("a.yaml") == "file:///w/a.yaml"
    assert found.uri_of("b c.yaml") == "file:///w/b%20c.yaml"
    assert found.uri_of("/v/b.yaml") == "file:///v/b.yaml"
    assert found.uri_of("<stdin>") == ""
    path = runtimes.path_of(NEWEST.name, "torch-distributed")
    assert found.uri_of(f"<bundled {NEWEST.name}/torch-distributed.yaml>") == Path(str(path)).as_uri()
    assert found.uri_of(f"<bundled {NEWEST.name}/no-such.yaml>") == ""


@pytest.mark.parametrize(
    ("uri", "language", "is_ours"),
    [
        ("file:///a.yaml", "", True),
        ("file:///a", "", True),
        ("file:///a.yaml", "plaintext", True),
        ("file:///a.yml", "plaintext", True),
        ("file:///a.json", "plaintext", True),
        ("file:///a", "plaintext", False),
        ("file:///a", "YAML", True),
        ("file:///a", "yaml.ansible", True),
        ("file:///a", "jsonc", True),
        ("file:///a.yaml", "helm", False),
        ("file:///a.yaml", "yaml.gotmpl", False),
        ("file:///a.yaml", "Jinja-YAML", False),
    ],
)
def test_texts_that_are_ours(uri: str, language: str, is_ours: bool) -> None:
    found = session()
    found.put(uri, 3, JOB, language)
    assert [(buffer.uri, buffer.version, buffer.text) for buffer in found.buffers.values()] == ([(uri, 3, JOB)] if is_ours else [])


def test_only_texts_with_runtimes_matter_to_others() -> None:
    found, uri = session(), "file:///a.yaml"
    stamps = [found.stamp()]
    for text in (JOB, "a: 1\n", RUNTIME, "a: 1\n", "b: 1\n"):
        found.put(uri, 1, text)
        stamps.append(found.stamp())
    changed = [one != other for one, other in itertools.pairwise(stamps)]
    assert changed == [False, False, True, True, False]
    before = found.stamp()
    found.drop(uri)
    assert found.buffers == {} and found.stamp() != before


def names(documents: list[Document]) -> list[tuple[str, str]]:
    return [(document.file, document.value["metadata"]["name"]) for document in documents]


def named(name: str) -> str:
    return RUNTIME.replace("name: ours", f"name: {name}")


def test_the_nearer_files_count_first_and_what_is_open_instead_of_what_is_stored(tmp_path: Path) -> None:
    for file in ("far/a/b/x.yaml", "far/x.yaml", "near/y.yaml", "near/x.yaml", "named/deep/er/x.yaml", "named2/x.yaml"):
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(named("stored"))
    setup = Setup(runtimes=(str(tmp_path / "named"),))

    async def ask() -> None:
        found = session(str(tmp_path), setup=setup)
        await found.look_around()
        uri = (tmp_path / "near" / "job.yaml").as_uri()
        found.put(uri, 1, f"{JOB}---\n{named('here')}")
        found.put((tmp_path / "near" / "y.yaml").as_uri(), 1, named("open"))
        found.put((tmp_path / "z.yaml").as_uri(), 1, f"{named('one')}---\na: [\n---\n{named('two')}")
        around = [
            ("named/deep/er/x.yaml", "stored"),
            ("near/x.yaml", "stored"),
            ("near/y.yaml", "open"),
            ("z.yaml", "one"),
            ("z.yaml", "two"),
            ("far/x.yaml", "stored"),
            ("named2/x.yaml", "stored"),
            ("far/a/b/x.yaml", "stored"),
        ]
        assert names(found.around(found.buffers[uri])) == around
        assert names(found.documents(found.buffers[uri])) == [("near/job.yaml", "train"), ("near/job.yaml", "here"), *around]
        assert found.around(found.buffers[uri]) is found.around(found.buffers[uri])
        found.drop((tmp_path / "z.yaml").as_uri())
        assert names(found.around(found.buffers[uri])) == [each for each in around if each[0] != "z.yaml"]

    asyncio.run(ask())


def test_a_file_that_the_settings_name_counts_before_nearer_ones(tmp_path: Path) -> None:
    for file in ("far/a.yaml", "far/a.yaml2/x.yaml", "near/b.yaml"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(named("stored"))

    async def ask() -> None:
        found = session(str(tmp_path), setup=Setup(runtimes=(str(tmp_path / "far" / "a.yaml"),)))
        await found.look_around()
        uri = (tmp_path / "near" / "job.yaml").as_uri()
        found.put(uri, 1, JOB)
        assert [file for file, _ in names(found.around(found.buffers[uri]))] == ["far/a.yaml", "near/b.yaml", "far/a.yaml2/x.yaml"]

    asyncio.run(ask())


def test_what_cannot_be_read_of_other_files_is_told_until_it_is_mended(tmp_path: Path) -> None:
    """The nearest first; of a text that is open, what is wrong with that."""
    broken = RUNTIME.replace("numNodes: 2", "numNodes: 2: 3")
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "a.yaml").write_text(broken)
    (tmp_path / "b.yaml").write_text(RUNTIME)

    async def ask() -> None:
        found = session(str(tmp_path))
        uri, other = ((tmp_path / name).as_uri() for name in ("job.yaml", "b.yaml"))

        async def hint() -> str:
            await found.look_around()
            analysis = await found.analysis(uri)
            assert analysis is not None
            return next((each.hint for each in analysis.diagnostics if each.code == "JSC201"), "found")

        found.put(uri, 1, JOB.replace("torch-distributed", "ours"))
        assert await hint() == "found"
        found.put(other, 1, RUNTIME.replace("torch: {}", "torch: {"))
        assert "(b.yaml:10 cannot be read: did not find expected ',' or '}', nor can 1 other)" in await hint()
        (tmp_path / "b.yaml").unlink()
        found.drop(other)
        assert "(far/a.yaml:9 cannot be read: mapping values are not allowed in this context)" in await hint()
        (tmp_path / "far" / "a.yaml").write_text(f"{broken}# and more\n".replace("kind: ", "kind : ", 1).replace("labels:", "labels: {", 1))
        assert "(far/a.yaml:5 cannot be read: " in await hint()
        (tmp_path / "far" / "a.yaml").write_text(RUNTIME.replace("name: ours", "name: theirs"))
        assert ", theirs, " in await hint()
        (tmp_path / "far" / "a.yaml").write_text(RUNTIME)
        assert await hint() == "found"

    asyncio.run(ask())


def test_files_that_the_settings_name_are_read_and_excluded_ones_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for file in ("w/a.yaml", "w/b.yaml", "elsewhere/c.yaml", "elsewhere/d.yaml"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(named(file[-6]))
    asked: list[str] = []

    def configure(folder: str) -> Setup:
        asked.append(folder)
        return Setup(runtimes=("elsewhere/c.yaml",), exclude=(f"{tmp_path}/w/b.yaml",))

    found = Session(configure, pytest.fail)
    found.work_in([str(tmp_path / "w")])
    asyncio.run(found.look_around())
    assert {document.file for document in found.shelf.documents()} == {"a.yaml", str(tmp_path / "elsewhere" / "c.yaml")}
    assert asked == [str(tmp_path / "w")]


@pytest.mark.parametrize(
    ("folders", "file", "folder"),
    [
        (("/w",), "a.yaml", "/w"),
        (("/w",), "sub/a.yaml", "/w/sub"),
        (("/w",), "/v/a.yaml", "/v"),
        (("/w", "/v"), "untitled:1", "/w"),
        ((), "untitled:1", ""),
        ((), "/v/a.yaml", "/v"),
    ],
)
def test_the_folder_whose_settings_hold(folders: tuple[str, ...], file: str, folder: str) -> None:
    asked: list[str] = []

    def configure(folder: str) -> Setup:
        asked.append(folder)
        return Setup(runtimes=(folder,))

    found = Session(configure, pytest.fail)
    found.work_in(folders)
    for _ in range(2):
        assert found.setup_of(file) == Setup(runtimes=(folder,))
    assert asked == [folder]
    found.forget_setups()
    found.setup_of(file)
    assert asked == [folder] * 2


def test_settings_that_changed_are_asked_for_again() -> None:
    """What was found out with those from before is gone."""
    setups = [Setup(), Setup(runtimes=("x",))]

    async def ask() -> None:
        found = Session(lambda _: setups[0], pytest.fail)
        await found.look_around()
        found.put("untitled:1", 1, JOB)
        first = await found.analysis("untitled:1")
        del setups[0]
        found.forget_setups()
        second = await found.analysis("untitled:1")
        assert first is not None and second is not None and (first.setup, second.setup) == (Setup(), setups[0])

    asyncio.run(ask())


def test_what_was_begun_with_settings_from_before_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TURN", 0)
    setups = [Setup(), Setup(runtimes=("x",))]

    async def ask() -> None:
        found = Session(lambda _: setups[0], pytest.fail)
        await found.look_around()
        found.put("untitled:1", 1, JOB)
        asked = asyncio.ensure_future(found.analysis("untitled:1"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not asked.done()
        del setups[0]
        found.forget_setups()
        analysis = await asked
        assert analysis is not None and analysis.setup == setups[0] and await found.analysis("untitled:1") is analysis

    asyncio.run(ask())


def test_other_folders_are_another_workspace(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(RUNTIME)
    found = session(str(tmp_path))
    asyncio.run(found.look_around())
    assert [document.file for document in found.shelf.documents()] == ["a.yaml"]
    found.work_in([])
    assert list(found.shelf.documents()) == [] and found.folders == ()
    found.work_in([str(tmp_path), "/other"])
    asyncio.run(found.look_around())
    assert [document.file for document in found.shelf.documents()] == [str(tmp_path / "a.yaml")]


def test_a_look_that_fails_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> None:
        found = session()
        found.put("untitled:1", 1, JOB)
        monkeypatch.setattr(found.shelf, "refresh", lambda *_: iter([1 / 0]))
        with pytest.raises(ZeroDivisionError):
            await found.look_around()
        assert await found.analysis("untitled:1") is not None

    asyncio.run(ask())


def test_migration_of_the_same_text_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def counting(analysis: Any, _: Any) -> str:
        asked.append(analysis)
        return str(len(asked))

    monkeypatch.setattr(module, "migrated", counting)

    async def ask() -> None:
        found = session()
        await found.look_around()
        for version, answers in enumerate((["1", "1"], ["2", "2"])):
            found.put("untitled:1", version, JOB)
            analysis = await found.analysis("untitled:1")
            assert analysis is not None
            assert [found.migrated(found.buffers["untitled:1"], analysis) for _ in range(2)] == answers

    asyncio.run(ask())


def test_the_text_of_a_file_that_is_not_open(tmp_path: Path) -> None:
    (tmp_path / "a b.yaml").write_bytes("ä: 1\r\n".encode())
    assert session().text_of((tmp_path / "a b.yaml").as_uri()) == "ä: 1\r\n"
    assert session().text_of((tmp_path / "none.yaml").as_uri()) == session().text_of("untitled:1") == session().text_of(tmp_path.as_uri()) == ""


def test_a_text_that_is_closed_is_forgotten() -> None:
    async def ask() -> None:
        found = session()
        await found.look_around()
        found.put("untitled:1", 1, JOB)
        first = await found.analysis("untitled:1")
        found.drop("untitled:1")
        assert await found.analysis("untitled:1") is None
        found.put("untitled:1", 1, JOB)
        again = await found.analysis("untitled:1")
        assert first is not None and again is not None and again.documents[0] is not first.documents[0]

    asyncio.run(ask())


def test_settings_that_cannot_be_used_leave_those_without_settings() -> None:
    def refuse(folder: str) -> Setup:
        raise SetupError(f"not in {folder}")

    said: list[str] = []
    found = Session(refuse, said.append)
    found.work_in(["/w"])
    assert [found.setup_of(file) for file in ("a.yaml", "b.yaml", "sub/c.yaml")] == [Setup()] * 3
    assert said == ["not in /w", "not in /w/sub"]
