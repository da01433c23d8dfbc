"""The example distribution: its passes by themselves, and installed with pip beside the compiler, with a golden of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import jobset_compiler as jc
from jobset_compiler import testing
from jobset_compiler.passes.registry import BUILTIN

if TYPE_CHECKING:
    from jobset_compiler.passes.api import Pass

HERE = Path(__file__).resolve().parent
JOB = (HERE / "jobs" / "train.yaml").read_text()


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> tuple[Pass, ...]:
    """The passes as the source tree has them."""
    monkeypatch.syspath_prepend(str(HERE))
    module = __import__("acme_passes")
    found: tuple[Pass, ...] = module.PASSES
    return found


def test_the_passes_are_pure(passes: tuple[Pass, ...]) -> None:
    for step in passes:
        testing.assert_pure(step, JOB)


def test_their_order_does_not_matter(passes: tuple[Pass, ...]) -> None:
    testing.assert_order_free(passes, JOB)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has installed the distribution."""
    folder = tmp_path_factory.mktemp("site")
    source = tmp_path_factory.mktemp("source")
    subprocess.run(["cp", "-r", str(HERE / "acme_passes"), str(HERE / "pyproject.toml"), str(source)], check=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), str(source)]
    done = subprocess.run(pip, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    if done.returncode and "setuptools" in done.stderr:
        pytest.skip(f"pip cannot build here: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    return folder


def command(installed: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(HERE.parents[1]), str(installed)))
    line = [sys.executable, "-m", "jobset_compiler", *argv]
    return subprocess.run(line, capture_output=True, text=True, check=False, cwd=HERE, env={**os.environ, "PYTHONPATH": path})


def test_its_golden(installed: Path) -> None:
    """To change it on purpose: install the distribution, then jobset-compiler render jobs --output-dir rendered."""
    done = command(installed, "render", "jobs", "--output-dir", "rendered", "--check")
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_object_is_like_those_of_built_in_policies(passes: tuple[Pass, ...]) -> None:
    """Owned by the TrainJob, and its fields go back to the pass and to the line on account of which it was added."""
    result = jc.compile_yaml(JOB.replace("  name: train\n", "  name: train\n  uid: 11111111-2222-3333-4444-555555555555\n"), passes=(*BUILTIN, *passes))
    assert result.ok, result.diagnostics
    added = result.objects[-1]
    assert [added["kind"], added["metadata"]["name"], added["metadata"]["namespace"]] == ["NetworkPolicy", "train-own", "ml"]
    assert added["metadata"]["ownerReferences"] == result.objects[0]["metadata"]["ownerReferences"]
    written, reason = result.origin_of(added, "spec.policyTypes[0]")
    assert (written.by, reason.path) == ("acme.network-policy", "spec.mlPolicy")


def test_without_plugins_the_golden_is_another(installed: Path) -> None:
    done = command(installed, "render", "jobs", "--output-dir", "rendered", "--check", "--no-plugins")
    assert done.returncode == 3
    assert "-              - name: NCCL_SOCKET_IFNAME" in done.stdout


def test_passes_are_listed_at_the_end_of_their_stage_with_their_distribution(installed: Path) -> None:
    lines = [line.split() for line in command(installed, "passes").stdout.splitlines()]
    names = [line[1] for line in lines]
    stages = [line[0] for line in lines]
    for name, stage in (("acme.nccl-interface", "containers"), ("acme.cost-center", "scheduling"), ("acme.network-policy", "companions")):
        position = names.index(name)
        assert stages[position] == stage
        assert stages[position + 1] != stage
        assert lines[position][2:4] == ["acme-jobset-passes", "1.2.0"]
    assert not any(name.startswith("acme") for name in command(installed, "passes", "--no-plugins").stdout.split())


def test_its_diagnostics_are_those_of_a_pass(installed: Path, tmp_path: Path) -> None:
    job = tmp_path / "job.yaml"
    job.write_text(JOB.replace("  labels:\n    acme.example.com/cost-center: vision\n", ""))
    done = command(installed, "check", str(job))
    assert done.returncode == 0
    assert "warning ACME001 no-cost-center: no cost center" in done.stdout
    assert "hint: set the label acme.example.com/cost-center" in done.stdout
