"""What is known of the files of the workspace that are not open: read again only where they have changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jobset_compiler.lsp.shelf import LONGEST, Shelf
from tests.lsp.conftest import JOB, RUNTIME


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


def test_a_file_of_which_nothing_can_be_read_is_news(tmp_path: Path) -> None:
    shelf, file = Shelf(os.path.basename), tmp_path / "a.yaml"
    for number, (text, change, slugs) in enumerate(((f"{RUNTIME}a: [", 1, ["yaml-syntax"]), (f"a: [ # {RUNTIME}", 1, ["yaml-syntax"]), ("a: [\n", 1, []))):
        file.write_text(text)
        os.utime(file, ns=(1, number))
        assert looked_at(shelf, file) == change
        assert [(problem.slug, problem.span.file) for problem in shelf.problems()] == [(slug, "a.yaml") for slug in slugs]
        assert list(shelf.problems([str(file)])) == [] == list(shelf.documents())
    file.write_text(f"{RUNTIME}a: [")
    assert looked_at(shelf, file) == 1
    file.unlink()
    assert looked_at(shelf, file) == 1 and list(shelf.problems()) == []


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
