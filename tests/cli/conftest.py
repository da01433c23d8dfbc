"""Running the command: in this process for most tests, as a real process for what only a process shows."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from jobset_compiler.cli import main
from jobset_compiler.cli.streams import Streams

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]

JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: train
spec:
  runtimeRef:
    name: torch-distributed
"""

RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: mine
  labels:
    trainer.kubeflow.org/framework: torch
spec:
  mlPolicy:
    numNodes: 2
    torch: {}
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata:
            labels:
              trainer.kubeflow.org/trainjob-ancestor-step: trainer
          spec:
            template:
              spec:
                containers:
                - name: node
                  image: example.com/image
"""


class Result(NamedTuple):
    code: int
    out: str
    err: str


class _Stdin(io.BytesIO):
    def __init__(self, data: bytes | None) -> None:
        super().__init__(data or b"")
        self._terminal = data is None

    def isatty(self) -> bool:
        return self._terminal


def run_here(*argv: str, stdin: bytes | str | None = None, environment: dict[str, str] | None = None) -> Result:
    """The command in this process; without `stdin` that is a terminal."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    out, err = io.BytesIO(), io.StringIO()
    code = main(argv, Streams(_Stdin(data), out, err, environment or {}))
    return Result(code, out.getvalue().decode("utf-8", "surrogateescape"), err.getvalue())


class Process:
    """The command as a process of its own."""

    @staticmethod
    def line(*argv: str) -> list[str]:
        return [sys.executable, "-m", "jobset_compiler", *argv]

    @staticmethod
    def environment() -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}

    def start(self, *argv: str, cwd: Path | None = None) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        return subprocess.Popen(self.line(*argv), stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env=self.environment())

    def __call__(self, *argv: str, stdin: bytes | str = b"", cwd: Path | None = None) -> Result:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(self.line(*argv), input=data, capture_output=True, cwd=cwd, env=self.environment(), check=False, timeout=120)
        return Result(done.returncode, done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode())


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """`run_here` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return run_here


@pytest.fixture
def process() -> Process:
    return Process()


@pytest.fixture
def job() -> str:
    """A TrainJob that needs nothing but a bundled runtime."""
    return JOB


@pytest.fixture
def runtime() -> str:
    """A ClusterTrainingRuntime called mine."""
    return RUNTIME


@pytest.fixture
def job_of_mine() -> str:
    """A TrainJob that needs that runtime."""
    return JOB.replace("torch-distributed", "mine").replace("name: train", "name: train-mine")
