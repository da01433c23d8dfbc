"""A full disk, a closed stream, a reader that has gone, Ctrl-C: one line or none, and an exit code that says so."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jobset_compiler.cli import main
from jobset_compiler.cli.streams import Streams
from tests.cli.conftest import ROOT, Process
from tests.hostile.shell import shell

Here = Callable[..., Any]
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")


@needs_full
@pytest.mark.parametrize("command", ["render job.yaml 1>&-", "check job.yaml 1>&-", "--help 1>&-", "render job.yaml >/dev/full", "schema TrainJob >/dev/full"])
def test_a_product_that_cannot_be_written(tmp_path: Path, job: str, command: str) -> None:
    (tmp_path / "job.yaml").write_text(job)
    code, out, err = shell(f"$JC {command}", cwd=tmp_path)
    assert (code, out) == (2, "")
    last = err.splitlines()[-1]
    assert last.startswith("jobset-compiler: cannot write standard output: ") and "Traceback" not in err
    assert err.count("cannot write") == 1


@needs_full
@pytest.mark.parametrize("how", ["2>/dev/full", "2>&-"])
@pytest.mark.parametrize("option", ["", "--nonsense"])
def test_messages_that_cannot_be_written(tmp_path: Path, job: str, how: str, option: str) -> None:
    (tmp_path / "job.yaml").write_text(job)
    code, out, err = shell(f"$JC render job.yaml {option} {how}", cwd=tmp_path)
    assert (code, out, err) == (2, "", "")
    # What has nothing to say does not mind.
    assert shell(f"$JC render -q job.yaml {how}", cwd=tmp_path)[0] == 0


def test_standard_input_that_is_closed(tmp_path: Path) -> None:
    for command in ("$JC", "$JC fn"):
        code, out, err = shell(f"{command} <&-", cwd=tmp_path)
        assert (code, out) == (2, "") and "standard input: it is closed" in err


@needs_full
@pytest.mark.parametrize("arguments", ["check job.yaml --format sarif=/dev/full", "diff job.yaml other.yaml --output-file /dev/full"])
def test_a_report_on_a_full_device(tmp_path: Path, job: str, arguments: str) -> None:
    (tmp_path / "job.yaml").write_text(job)
    (tmp_path / "other.yaml").write_text(job + "  suspend: true\n")
    code, out, err = shell(f"$JC {arguments}", cwd=tmp_path)
    assert (code, out) == (2, "") and "cannot write /dev/full: No space left on device" in err


class Full(io.BytesIO):
    """A disk with so much room."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    def write(self, data: Any) -> int:
        self.room -= len(data)
        if self.room < 0:
            raise OSError(28, os.strerror(28))
        return super().write(data)


@pytest.mark.parametrize("room", [0, 1, 100])
@pytest.mark.parametrize("verb", ["render", "check --format json", "check --format sarif", "explain", "expand", "diff --from v2.2 --to v2.3"])
def test_a_stream_that_fills_up_in_the_middle(tmp_path: Path, job: str, verb: str, room: int) -> None:
    (tmp_path / "job.yaml").write_text(job)
    err = io.StringIO()
    assert main([*verb.split(), str(tmp_path / "job.yaml")], Streams(io.BytesIO(), Full(room), err, {})) == 2
    assert err.getvalue().endswith("jobset-compiler: cannot write standard output: No space left on device\n")
    assert err.getvalue().count("cannot write") == 1


def test_a_full_disk_for_temporary_files(here: Here, job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobset_compiler.cli.streams.HELD", 100)
    monkeypatch.setattr("tempfile.TemporaryFile", lambda *_: Full(1000))
    many = "---\n".join(job.replace("name: train", f"name: train-{number}") for number in range(20))
    code, out, err = here("render", "-", stdin=many)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1] == "jobset-compiler: cannot go on: No space left on device"


def test_too_little_memory_is_no_bug(here: Here, job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr("jobset_compiler.cli.render.Held.put", fail)
    assert here("render", "-", stdin=job) == (2, "", "jobset-compiler: cannot go on: not enough memory\n")


@pytest.mark.parametrize("verb", ["render", "check", "schema TrainJob"])
def test_nobody_reads_any_more(tmp_path: Path, job: str, verb: str) -> None:
    (tmp_path / "jobs.yaml").write_text("---\n".join(job.replace("name: train", f"name: train-{number}\n  unknown: 1") for number in range(200)))
    paths = "" if "schema" in verb else "jobs.yaml"
    code, _, err = shell(f"($JC {verb} {paths} 2>err.txt; echo $? >&3) 3>&2 | true; cat err.txt >&2", cwd=tmp_path)
    assert code == 0 and "Traceback" not in err and "BrokenPipe" not in err
    assert err.splitlines()[0] in ("141", "1", "0")  # what fits into the pipe is written before it is closed


# Presses Ctrl-C when a module is about to be imported.
INTERRUPT = """
import sys
module = sys.argv[1]
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Finder())
sys.argv[:2] = ["jobset-compiler"]
from jobset_compiler import __main__
sys.exit(__main__.SCRIPT())
"""
MODULES = (
    "jobset_compiler.cli",
    "jobset_compiler.cli.arguments",
    "jobset_compiler.cli.streams",
    "jobset_compiler.cli.render",
    "jobset_compiler.pipeline",
    "jobset_compiler.kube.tables.v2_3",
    "jobset_compiler.emit.yaml",
)


@pytest.mark.parametrize("module", MODULES)
def test_an_interrupt_while_modules_load(tmp_path: Path, job: str, module: str) -> None:
    (tmp_path / "job.yaml").write_text(job)
    command = [sys.executable, "-c", INTERRUPT.replace("SCRIPT", "main"), module, "render", "job.yaml"]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, env=Process.environment(), timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.parametrize(("script", "module"), [("kubectl", "jobset_compiler.cli"), ("kubectl_complete", "jobset_compiler.cli.candidates")])
def test_an_interrupt_of_the_plugin_of_kubectl(tmp_path: Path, script: str, module: str) -> None:
    command = [sys.executable, "-c", INTERRUPT.replace("SCRIPT", script), module, ""]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, env=Process.environment(), timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_the_console_script_is_the_one_that_is_quiet() -> None:
    import tomllib

    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts == {
        "jobset-compiler": "jobset_compiler.__main__:main",
        "kubectl-trainjob": "jobset_compiler.__main__:kubectl",
        "kubectl_complete-trainjob": "jobset_compiler.__main__:kubectl_complete",
    }


def test_an_interrupt_while_it_waits(tmp_path: Path) -> None:
    process = Process().start("render", "-", cwd=tmp_path)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")
