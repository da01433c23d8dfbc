from __future__ import annotations

import io
from pathlib import Path

import pytest

from jobset_compiler.source.decode import decode_blocks
from jobset_compiler.source.files import iter_files, read_files


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
