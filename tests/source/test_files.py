from __future__ import annotations

import io
from pathlib import Path

import pytest

from jobset_compiler.source.decode import decode_blocks
from jobset_compiler.source.files import is_excluded, iter_files, read_files


def test_folders_are_read_recursively_in_order(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name, text in {"c.yaml": "k: 3", "a.yml": "k: 1", "b/x.json": '{"k": 2}', "b/readme.md": "k: 9", "d.txt": "k: 9"}.items():
        (tmp_path / name).write_text(text)
    documents, problems = read_files([str(tmp_path)])
    assert problems == ()
    assert [document.value["k"] for document in documents] == [1, 2, 3]
    assert [Path(document.file).name for document in documents] == ["a.yml", "x.json", "c.yaml"]


def test_a_file_named_by_the_user_is_read_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "job").write_text("k: 1")
    assert [document.value for document in read_files([str(tmp_path / "job")])[0]] == [{"k": 1}]


def test_a_dash_is_the_standard_input() -> None:
    documents, problems = read_files(["-"], io.BytesIO(b"a: 1\n---\nb: [\n"))
    assert [(document.value, document.file) for document in documents] == [({"a": 1}, "<stdin>")]
    assert [problem.span.file for problem in problems] == ["<stdin>"]


def test_what_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text("k: 1")
    documents, problems = read_files([str(tmp_path / "absent.yaml"), str(tmp_path / "good.yaml")])
    assert len(documents) == 1
    assert [(problem.slug, problem.message) for problem in problems] == [("unreadable", "No such file or directory")]


def test_long_streams_are_read_piece_by_piece() -> None:
    class Endless(io.RawIOBase):
        """A stream without an end: only a reader that yields as it goes gets anything from it."""

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            return b"a: 1\n---\n" * 1000

    stream = iter_files(["-"], Endless())  # type: ignore[arg-type]
    assert [next(stream).value for _ in range(5)] == [{"a": 1}] * 5  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (b"", ""),
        (b"a", "a"),
        ("a: \u00e9\n".encode(), "a: \u00e9\n"),
        (b"a: \xc3", "a: \udcc3"),
        (b"\xc3", "\udcc3"),
        (b"\xe2\x82", "\udce2\udc82"),
        ("a: \u00e9".encode("utf-16"), "a: \u00e9"),
        ("a: \u00e9".encode("utf-16-be"), "\x00a\x00:\x00 \x00\udce9"),
        (b"\xff\xfea\x00b", "a\ufffd"),
        (b"\xfe\xff\x00a", "a"),
    ],
)
def test_bytes_in_blocks_of_any_size_are_one_text(written: bytes, text: str) -> None:
    """Bytes that are no UTF-8, and half a character at the end, stay what they are and are told of later."""
    for size in (1, 2, 3, 100):
        assert "".join(decode_blocks(written[start : start + size] for start in range(0, len(written), size))) == text


def test_a_link_that_leads_out_of_a_folder_is_told_and_not_read(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("k: 9")
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.yaml").write_text("k: 1")
    (folder / "b.yaml").symlink_to(tmp_path / "other.yaml")
    (folder / "c.yaml").symlink_to(folder / "a.yaml")
    (folder / "d.yaml").symlink_to("nowhere.yaml")
    (folder / "deep" / "e.json").write_text('{"k": 5}')
    (folder / ".hidden.yaml").write_text("k: 9")
    documents, problems = read_files([str(folder)])
    assert [(Path(document.file).name, document.value["k"]) for document in documents] == [("a.yaml", 1), ("c.yaml", 1), ("e.json", 5)]
    assert [(problem.slug, problem.message, Path(problem.span.file).name, problem.hint) for problem in problems] == [
        ("link-not-followed", "the link leads to a file that is none of the folder's", "b.yaml", "Name the file itself where it is meant."),
        ("unreadable", "No such file or directory", "d.yaml", ""),
    ]
    assert all((problem.span.line, problem.span.column) == (0, 0) for problem in problems)


def test_files_of_a_mounted_config_map_are_read_once(tmp_path: Path) -> None:
    """Its names are links to ..data, which is a link to the folder of the day."""
    (tmp_path / "..2026").mkdir()
    (tmp_path / "..2026" / "job.yaml").write_text("k: 1")
    (tmp_path / "..data").symlink_to("..2026")
    (tmp_path / "job.yaml").symlink_to("..data/job.yaml")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.yaml").write_text("k: 9")
    (tmp_path / "x.yaml").symlink_to(".git/x.yaml")
    (tmp_path / "y.yaml").symlink_to(tmp_path / "..2026" / "z")
    (tmp_path / "..2026" / "z").write_text("k: 9")
    documents, problems = read_files([str(tmp_path)])
    assert [(Path(document.file).name, document.value["k"]) for document in documents] == [("job.yaml", 1)]
    assert [(problem.slug, Path(problem.span.file).name) for problem in problems] == [("link-not-followed", "x.yaml"), ("link-not-followed", "y.yaml")]


def test_without_a_standard_input_a_dash_is_nothing() -> None:
    assert read_files(["-"]) == ((), ())


@pytest.mark.parametrize(
    ("file", "patterns", "excluded"),
    [
        ("charts/a/b.yaml", ["charts/**"], True),
        ("charts/a/b.yaml", ["charts/"], True),
        ("charts/a/b.yaml", ["charts"], True),
        ("charts/a/b.yaml", ["chart"], False),
        ("charts/a/b.yaml", ["*/b.yaml"], True),
        ("./charts/b.yaml", ["charts/b.yaml"], True),
        ("charts/b.yaml", ["x", "charts/*.yaml"], True),
        ("charts/b.yaml", ["CHARTS/**"], False),
        ("charts.yaml", ["charts/**"], False),
        ("b.yaml", [], False),
    ],
)
def test_patterns_leave_files_out(file: str, patterns: list[str], excluded: bool) -> None:
    assert is_excluded(file, patterns) is excluded
