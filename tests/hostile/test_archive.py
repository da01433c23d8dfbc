"""The whole program in one file: what comes with it is read by whatever has loaded it."""

from __future__ import annotations

import os
import subprocess
import sys
import zipapp
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import ROOT, Process

Here = Callable[..., Any]
# Modules, runtimes, and the templates of the report.
SUFFIXES = (".py", ".yaml", ".j2", ".css", ".js")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("archive") / "jobset-compiler.pyz"
    source = tmp_path_factory.mktemp("source")
    subprocess.run(["cp", "-r", str(ROOT / "jobset_compiler"), str(source)], check=True)
    zipapp.create_archive(source, target, main="jobset_compiler.__main__:main", filter=lambda path: path.suffix in SUFFIXES)
    return target


def outside(command: list[str], cwd: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, timeout=120, check=False)


def test_a_program_in_one_file_does_the_same(archive: Path, tmp_path: Path, job: str, process: Process) -> None:
    (tmp_path / "job.yaml").write_text(job)
    wanted = process("render", "job.yaml", cwd=tmp_path)
    found = outside([sys.executable, str(archive), "render", "job.yaml"], tmp_path)
    assert (found.returncode, found.stdout) == (wanted.code, wanted.out), found.stderr


def test_an_archive_on_the_path_is_an_installation(archive: Path, tmp_path: Path, job: str) -> None:
    program = f"""
import jobset_compiler as jc, json
assert ".pyz" in jc.__file__, jc.__file__
from jobset_compiler import runtimes
from jobset_compiler.profiles import PROFILES
for profile in PROFILES:
    for name in runtimes.names(profile.name):
        assert "kind: ClusterTrainingRuntime" in runtimes.text_of(profile.name, name)
result = jc.compile_yaml({job!r})
assert result.ok, result.diagnostics
jc.TrainJob.model_validate({{"metadata": {{"name": "a"}}, "spec": {{"runtimeRef": {{"name": "torch-distributed"}}}}}})
from jobset_compiler.cli import main
for line in (
    "runtimes show jax-distributed", "schema TrainJob", "releases", "codes list", "explain job.yaml", "diff --from v2.0 --to v2.3 job.yaml", "passes",
    "migrate job.yaml",
):
    assert main(line.split()) in (0, 3), line
try:
    import jinja2
except ImportError:
    pass
else:
    assert main("report job.yaml -o report.html".split()) == 0
print("complete")
"""
    (tmp_path / "job.yaml").write_text(job)
    found = outside([sys.executable, "-c", program], tmp_path, str(archive))
    assert found.stdout.splitlines()[-1] == "complete", found.stderr


def test_nothing_in_the_package_is_read_but_by_its_loader(archive: Path) -> None:
    """Every file that is no module is in the archive, and only two parts have any."""
    with zipfile.ZipFile(archive) as content:
        data = {name for name in content.namelist() if not name.endswith((".py", "/"))}
    assert {name.split("/")[1] for name in data} == {"report", "runtimes"}
    files = (path for path in (ROOT / "jobset_compiler").rglob("*") if path.is_file())
    assert data == {str(path.relative_to(ROOT)) for path in files if path.suffix not in (".py", ".pyi", ".pyc", ".typed")}
