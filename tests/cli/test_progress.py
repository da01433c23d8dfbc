"""Progress on a terminal: a line after two seconds, gone before anything else is said and at the end; nowhere else."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

import pytest

from jobset_compiler.cli import main
from jobset_compiler.cli.progress import Progress
from jobset_compiler.cli.streams import Streams
from jobset_compiler.library.sources import Source
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


class Screen(io.StringIO):
    """Notes what was shown whenever something is flushed."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def flush(self) -> None:
        if self.getvalue():
            self.shown.append(self.getvalue())
            self.seek(0)
            self.truncate()


def times(*seconds: float) -> Callable[[], float]:
    left = iter(seconds)
    return lambda: next(left)


def test_a_line_after_two_seconds_then_one_every_tenth_of_a_second() -> None:
    screen = Screen()
    progress = Progress(screen, times(10, 11.99, 12, 12.05, 12.1, 12.15, 12.3, 12.31))
    lines = ["", "\r2 TrainJobs done ...\x1b[K", "", "\r4 TrainJobs done ...\x1b[K", "", "\r6 TrainJobs done ...\x1b[K", ""]
    for line in lines:
        progress.trainjob()
        assert screen.shown == ([line] if line else [])
        screen.shown.clear()
    for expected in ([ERASE], []):
        progress.hide()
        assert screen.shown == expected, "once"
        screen.shown.clear()


@pytest.mark.parametrize(("files", "line"), [(1, "1,234 TrainJobs done: a.yaml"), (1200, "1,234 TrainJobs done, file 1,200 of 1,200: a.yaml")])
def test_the_words_of_the_line(files: int, line: str) -> None:
    screen = Screen()
    progress = Progress(screen, times(0, *[1] * 1234, 2))
    sources = progress.watched([Source(f"{number}.yaml" if number + 1 < files else "a.yaml", lambda: (b"x", b"y")) for number in range(files)])
    for _ in range(1234):
        progress.trainjob()
    assert screen.shown == []
    blocks = iter(sources[-1].blocks())
    assert next(blocks) == b"x" and screen.shown == [f"\r{line}\x1b[K"]
    assert [source.file for source in sources[-1:]] == ["a.yaml"]


def test_one_trainjob_and_a_name_that_acts_on_terminals() -> None:
    screen = Screen()
    progress = Progress(screen, times(0, 1, 3))
    progress.trainjob()
    (source,) = progress.watched([Source("a\x1b.yaml", lambda: (b"x",))])
    assert list(source.blocks()) == [b"x"] and screen.shown == ["\r1 TrainJob done: a\\x1b.yaml\x1b[K"]


def test_a_line_is_cut_at_the_width_of_the_terminal() -> None:
    screen = Screen()
    progress = Progress(screen, times(0, 3))
    (source,) = progress.watched([Source("x" * 200, lambda: (b"x",))])
    assert list(source.blocks()) == [b"x"]
    assert screen.shown == ["\r" + f"0 TrainJobs done: {'x' * 200}"[:79] + "\x1b[K"]
