"""Files: what they are called, where they are, which of them are read, and in what order they count."""

from __future__ import annotations

import asyncio
import itertools
import os
from pathlib import Path
from typing import Any

import pytest

from jobset_compiler import runtimes
from jobset_compiler.lsp import session as module
from jobset_compiler.lsp.session import Session
from jobset_compiler.lsp.setup import Setup, SetupError
from jobset_compiler.lsp.shelf import LONGEST, Shelf
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


# The shelf


def looked_at(shelf: Shelf, file: Path) -> int:
    """How much further the generation is after a look at the file."""
    before = shelf.generation
    shelf.look_at(str(file))
    return shelf.generation - before


def test_a_file_is_read_again_only_where_size_or_time_has_changed(tmp_path: Path) -> None:
    shelf, file = Shelf(), tmp_path / "a.yaml"
    file.write_text(RUNTIME)
    os.utime(file, ns=(1, 1))
    assert looked_at(shelf, file) == 1
    (first,) = shelf.documents()
    file.write_text(RUNTIME.replace("name: ours", "name: mine"))
    os.utime(file, ns=(1, 1))
    assert looked_at(shelf, file) == 0 and next(shelf.documents()) is first
    os.utime(file, ns=(1, 2))
    assert looked_at(shelf, file) == 1 and next(shelf.documents()).value["metadata"]["name"] == "mine"
    file.write_text(RUNTIME.replace("name: ours", "name: longer"))
    os.utime(file, ns=(1, 2))
    assert looked_at(shelf, file) == 1 and next(shelf.documents()).value["metadata"]["name"] == "longer"
    file.unlink()
    assert looked_at(shelf, file) == 1 and list(shelf.documents()) == []
    assert looked_at(shelf, file) == 0


def test_files_without_documents_of_ours_change_nothing(tmp_path: Path) -> None:
    shelf, file = Shelf(), tmp_path / "a.yaml"
    for number, (text, change) in enumerate((("a: 1\n", 0), ("b: 1\n", 0), (RUNTIME, 1), ("a: 1\n", 1), ("b: 1\n", 0))):
        file.write_text(text)
        os.utime(file, ns=(1, number))
        assert looked_at(shelf, file) == change
    file.unlink()
    assert looked_at(shelf, file) == 0


@pytest.mark.parametrize(
    ("name", "text", "number"),
    [
        ("a.yaml", JOB, 1),
        ("a.json", '{"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob"}', 1),
        ("a.yaml", f"{JOB}---\na: 1\n---\n{RUNTIME}", 2),
        ("a.yaml", "kind: TrainingRuntime\n", 1),
        ("a.yaml", "# trainer.kubeflow.org\n", 0),
        ("a.txt", JOB, 0),
        ("a.yaml", "kind: Pod\n", 0),
    ],
)
def test_documents_of_ours_by_what_is_in_them(tmp_path: Path, name: str, text: str, number: int) -> None:
    shelf, file = Shelf(os.path.basename), tmp_path / name
    file.write_text(text)
    shelf.look_at(str(file))
    assert [document.file for document in shelf.documents()] == [name] * number
    assert list(shelf.documents([str(file)])) == []


@pytest.mark.parametrize(("more", "number"), [(0, 1), (1, 0)])
def test_files_that_are_too_long_are_not_read(tmp_path: Path, more: int, number: int) -> None:
    shelf, file = Shelf(), tmp_path / "a.yaml"
    head = JOB.encode() + b"#"
    file.write_bytes(head + b"x" * (LONGEST - len(head) + more))
    shelf.look_at(str(file))
    assert len(list(shelf.documents())) == number


def test_a_shelf_is_looked_through_a_file_a_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abc":
        (tmp_path / f"{name}.yaml").write_text(RUNTIME)
    shelf = Shelf(os.path.basename)
    assert len(list(shelf.refresh([str(tmp_path)]))) == 3
    assert [document.file for document in shelf.documents()] == ["a.yaml", "b.yaml", "c.yaml"]
    assert [document.file for document in shelf.documents([str(tmp_path / "b.yaml")])] == ["a.yaml", "c.yaml"]
    monkeypatch.setattr("jobset_compiler.lsp.shelf.MOST", 2)
    assert len(list(shelf.refresh([str(tmp_path)]))) == 2
    assert [document.file for document in shelf.documents()] == ["a.yaml", "b.yaml"]
    before = shelf.generation
    shelf.clear()
    assert shelf.generation == before + 1 and list(shelf.documents()) == []
