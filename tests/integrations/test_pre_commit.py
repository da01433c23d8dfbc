"""The hooks, run by pre-commit itself in a new repository, from a clone of this one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]

JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: train
  namespace: ml
spec:
  runtimeRef:
    name: torch-distributed
  trainer:
    numNodes: 2
"""


def git(folder: Path, *argv: str) -> str:
    name = ("-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *name, *argv], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with what this source tree has, committed or not: pre-commit installs hooks from commits only."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone: nothing that pre-commit could install from")
    folder = tmp_path_factory.mktemp("hooks") / "jobset-compiler"
    folder.mkdir()
    listed = git(
        ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "jobset_compiler", "pyproject.toml", "README.md", ".pre-commit-hooks.yaml"
    )
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "state")
    return folder


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """pre-commit's own folder: the hook is installed once for all tests."""
    return tmp_path_factory.mktemp("pre-commit")


@pytest.fixture
def repository(tmp_path: Path, hooks: Path) -> Path:
    folder = tmp_path / "manifests"
    (folder / "jobs").mkdir(parents=True)
    (folder / "jobs" / "train.yaml").write_text(JOB)
    (folder / "other.yaml").write_text("services:\n  web: {image: nginx}\n")
    revision = git(hooks, "rev-parse", "HEAD").strip()
    render = {"id": "jobset-compiler-render", "args": ["--output-dir", "rendered", "jobs"]}
    config = {"repos": [{"repo": str(hooks), "rev": revision, "hooks": [{"id": "jobset-compiler-check"}, render]}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    return folder


def hook(run: Callable[..., Any], repository: Path, cache: Path, name: str) -> Any:
    return run("pre-commit", "run", "--all-files", "--color", "never", name, cwd=repository, PRE_COMMIT_HOME=str(cache))


def test_check_accepts_what_is_right_and_leaves_other_yaml_alone(run: Callable[..., Any], repository: Path, cache: Path) -> None:
    result = hook(run, repository, cache, "jobset-compiler-check")
    assert result.code == 0, result.out + result.err
    assert "check TrainJobs and runtimes" in result.out


def test_check_refuses_what_a_server_would(run: Callable[..., Any], repository: Path, cache: Path) -> None:
    (repository / "jobs" / "train.yaml").write_text(JOB.replace("numNodes: 2", "numNodes: two"))
    result = hook(run, repository, cache, "jobset-compiler-check")
    assert result.code == 1
    assert "jobs/train.yaml:10:15: error" in result.out


def test_check_does_not_ask_for_runtimes_of_other_files(run: Callable[..., Any], repository: Path, cache: Path) -> None:
    (repository / "jobs" / "train.yaml").write_text(JOB.replace("torch-distributed", "platform"))
    assert hook(run, repository, cache, "jobset-compiler-check").code == 0


def test_render_fails_with_a_diff_and_repairs(run: Callable[..., Any], repository: Path, cache: Path) -> None:
    first = hook(run, repository, cache, "jobset-compiler-render")
    rendered = repository / "rendered" / "ml" / "train" / "jobset-train.yaml"
    assert first.code == 1
    assert "+kind: JobSet" in first.out
    assert yaml.safe_load(rendered.read_text())["kind"] == "JobSet"
    git(repository, "add", "-A")
    assert hook(run, repository, cache, "jobset-compiler-render").code == 0
    (repository / "jobs" / "train.yaml").write_text(JOB.replace("numNodes: 2", "numNodes: 3"))
    changed = hook(run, repository, cache, "jobset-compiler-render")
    assert changed.code == 1
    assert "-        parallelism: 2\n-        completions: 2\n+        parallelism: 3\n" in changed.out
    assert "parallelism: 3" in rendered.read_text()
