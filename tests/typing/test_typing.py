"""The library as mypy and pyright see it in the program of somebody else: no complaint about what is right, one about each mistake."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

import jobset_compiler as jc
from jobset_compiler.runtimes import text_of
from tests.typing import consumer

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CONSUMER, MISTAKES = HERE / "consumer.py", HERE / "mistakes.py"


def lines_of_mistakes() -> set[int]:
    return {number for number, line in enumerate(MISTAKES.read_text().splitlines(), 1) if line.endswith("# mistake")}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of somebody else: what is in the repository's own settings does not count there."""
    folder = tmp_path_factory.mktemp("project")
    for file in (CONSUMER, MISTAKES):
        shutil.copy(file, folder)
    return folder


def test_the_program_runs() -> None:
    job = consumer.trainjob("mnist", 8, {"NCCL_DEBUG": "WARN"})
    assert consumer.run([job], [], "v2.3", ["high"]).startswith("2 ['ConfigMap default/mnist-runtime-snapshot'] 0 True ['v2.0'")
    refused = consumer.run(consumer.from_mappings(job.to_dict(), datetime(2026, 1, 31)), [], "v2.3", [])
    assert refused.startswith("{'error': ['<object 1>:0 webhook JSC201 ")
    assert consumer.of_another_release().to_dict()["spec"]["podTemplateOverrides"] == [{"targetJobs": [{"name": "node"}]}]
    runtime = jc.ClusterTrainingRuntime.from_yaml(text_of("v2.3", "torch-distributed"))
    assert consumer.check(job, runtime).total["nvidia.com/gpu"] == "16"


def test_mypy_strict(project: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull, "--cache-dir", str(tmp_path), "--no-error-summary", "."]
    done = subprocess.run(command, cwd=project, env={**os.environ, "MYPYPATH": str(ROOT)}, capture_output=True, text=True, check=False)
    found = re.findall(r"^(\w+)\.py:(\d+): error: (.*)$", done.stdout, re.MULTILINE)
    assert [error for error in found if error[0] != MISTAKES.stem] == [], done.stdout + done.stderr
    assert {int(line) for _, line, _ in found} == lines_of_mistakes(), done.stdout


def test_pyright_strict(project: Path) -> None:
    pytest.importorskip("pyright", reason="pyright is among the integrations")
    # It is a program for node, which its package may have to fetch.
    if subprocess.run([sys.executable, "-m", "pyright", "--version"], capture_output=True, check=False).returncode:
        pytest.skip("pyright does not run here")
    settings = {"typeCheckingMode": "strict", "extraPaths": [str(ROOT)], "pythonVersion": "3.11"}
    (project / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "."]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, timeout=300)
    found = [(Path(entry["file"]).stem, entry["range"]["start"]["line"] + 1, entry["message"]) for entry in json.loads(done.stdout)["generalDiagnostics"]]
    assert [entry for entry in found if entry[0] != MISTAKES.stem] == []
    assert {line for _, line, _ in found} == lines_of_mistakes(), found
