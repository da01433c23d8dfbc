"""The command in a shell, for what only a shell does with streams and folders."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import Process


def shell(command: str, stdin: bytes = b"", cwd: Path | None = None) -> tuple[int, str, str]:
    """A command of a shell in which $JC is ours."""
    environment = {**Process.environment(), "JC": f"{sys.executable} -m jobset_compiler", "CLICOLOR": "0"}
    done = subprocess.run(["sh", "-c", command], input=stdin, capture_output=True, env=environment, cwd=cwd, timeout=120, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()
