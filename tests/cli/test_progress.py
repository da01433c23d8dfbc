"""Progress on a terminal: a line after two seconds, gone before anything else is said and at the end; nowhere else."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

import pytest

from jobset_compiler.cli import main
from jobset_compiler.cli.streams import Streams
from tests.cli.conftest import JOB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pty = pytest.importorskip("pty", reason="there are pseudo-terminals on POSIX only")

ERASE = "\r\x1b[K"


def clock(step: float) -> Callable[[], float]:
    """Seconds that go by from look to look."""
    times: Iterator[float] = (step * number for number in range(1_000_000))
    return lambda: next(times)


def on_a_terminal(*argv: str, step: float, environment: dict[str, str] | None = None) -> str:
    """What stderr shows, as a terminal of its own."""
    ours, theirs = pty.openpty()
    with open(theirs, "w", encoding="utf-8", newline="") as stderr:
        main(argv, Streams(io.BytesIO(b""), io.BytesIO(), stderr, environment or {}, clock=clock(step)))
        stderr.flush()
        os.set_blocking(ours, False)
        seen = b""
        try:
            while block := os.read(ours, 1 << 16):
                seen += block
        except BlockingIOError:
            pass
    os.close(ours)
    return seen.decode()


@pytest.fixture
def jobs(tmp_path: Path) -> Path:
    for number in range(5):
        (tmp_path / f"{number}.yaml").write_text(JOB.replace("name: train", f"name: train-{number}"))
    return tmp_path


@pytest.mark.parametrize("verb", ["check", "render", "explain", "expand"])
def test_a_run_that_takes_long_says_how_far_it_is_and_clears_the_line(jobs: Path, verb: str) -> None:
    seen = on_a_terminal(verb, str(jobs), step=1)
    assert f"file 3 of 5: {jobs}/2.yaml"[:40] in seen
    assert "\r3 TrainJobs done" in seen
    last = seen.rpartition(" done")[2]
    assert ERASE in last and "\n" not in last.partition(ERASE)[0]


def test_of_a_diff(jobs: Path) -> None:
    seen = on_a_terminal("diff", "--from", "v2.2", "--to", "v2.3", str(jobs), step=1)
    assert "file 5 of 5" in seen and "\r5 TrainJobs done" in seen and seen.endswith(ERASE)


def test_a_short_run_says_nothing(jobs: Path) -> None:
    assert on_a_terminal("check", str(jobs), step=0.001) == ""


def test_not_with_q_and_not_on_a_dumb_terminal(jobs: Path) -> None:
    assert on_a_terminal("check", str(jobs), "-q", step=1) == ""
    assert on_a_terminal("check", str(jobs), step=1, environment={"TERM": "dumb"}) == ""


def test_never_in_a_pipe(jobs: Path) -> None:
    err = io.StringIO()
    main(("check", str(jobs)), Streams(io.BytesIO(), io.BytesIO(), err, {}, clock=clock(1)))
    assert err.getvalue() == ""


def test_messages_do_not_run_into_the_line(jobs: Path) -> None:
    (jobs / "6.yaml").write_text(JOB.replace("torch-distributed", "nothing"))
    seen = on_a_terminal("render", str(jobs), step=1)
    before, place, _ = seen.partition(f"\x1b[1m{jobs}/6.yaml:7:11\x1b[0m: ")
    assert place and before.endswith(ERASE)


def test_the_line_fits_on_the_terminal(jobs: Path) -> None:
    folder = jobs / ("long" * 40)
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.yaml").write_text(JOB)
    seen = on_a_terminal("check", str(folder), step=1)
    lines = [part.partition("\x1b")[0] for part in seen.split("\r") if "done" in part]
    assert lines and all(len(line) < 80 for line in lines)
