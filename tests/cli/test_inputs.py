"""What can be read only once is read once, and kept: a little in memory, much in a file."""

from __future__ import annotations

import io
import os
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jobset_compiler.cli import inputs


@pytest.fixture
def spools(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The temporary files that were made; a block is of 4 bytes, and 10 are held."""
    made: list[Any] = []
    real = tempfile.TemporaryFile

    def noted(*arguments: Any) -> Any:
        made.append(real(*arguments))
        return made[-1]

    monkeypatch.setattr(tempfile, "TemporaryFile", noted)
    monkeypatch.setattr(inputs, "BLOCK", 4)
    monkeypatch.setattr(inputs, "HELD", 10)
    yield made
    for file in made:
        file.close()


@pytest.mark.parametrize(("length", "files"), [(0, 0), (3, 0), (8, 0), (9, 0), (12, 1), (50, 1)])
def test_a_stream_can_be_read_again(length: int, files: int, spools: list[Any]) -> None:
    data = bytes(range(length))
    replay = inputs._replayed(io.BytesIO(data))
    for _ in range(3):
        assert b"".join(replay()) == data
    assert len(spools) == files


@pytest.mark.skipif(os.name == "nt", reason="named pipes of POSIX")
def test_a_pipe_is_opened_once(tmp_path: Path, spools: list[Any]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"x" * 30,))
    writer.start()
    blocks = inputs._once(str(pipe))
    assert b"".join(blocks()) == b"".join(blocks()) == b"x" * 30
    writer.join()
    assert len(spools) == 1
