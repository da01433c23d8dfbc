"""A repository that means harm: its configuration, its names, its missing objects."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Here = Callable[..., Any]


@pytest.fixture
def repository(tmp_path: Path, job: str) -> Path:
    """A git repository with one commit, in the working directory of the test."""
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "job.yaml").write_text(job)
    (folder / ":(top)*.yaml").write_text(job.replace("name: train", "name: magic"))
    git(folder, "init", "-q", "-b", "main")
    commit(folder)
    return folder


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True, text=True).stdout


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-qm", "x")


# Commands that a configuration of git can name, each of which would leave a trace.
TRAPS = ("core.fsmonitor", "core.sshCommand", "core.pager", "core.askPass", "core.gitProxy", "credential.helper", "diff.external", "uploadpack.packObjectsHook")


def test_git_runs_nothing_that_a_repository_configures(here: Here, repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    trap, trace = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {trace}\nexit 1\n")
    trap.chmod(0o755)
    for name in TRAPS:
        git(repository, "config", name, str(trap))
    for hook in ("post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc", "fsmonitor-watchman"):
        (repository / ".git" / "hooks" / hook).write_text(trap.read_text())
        (repository / ".git" / "hooks" / hook).chmod(0o755)
    git(repository, "config", "filter.x.smudge", str(trap))
    git(repository, "config", "filter.x.clean", str(trap))
    git(repository, "config", "diff.x.textconv", str(trap))
    (repository / ".git" / "info" / "attributes").write_text("*.yaml filter=x diff=x\n")
    (repository / "job.yaml").write_text((repository / "job.yaml").read_text() + "  suspend: true\n")
    trace.unlink(missing_ok=True)
    monkeypatch.chdir(repository)
    assert here("diff", "--git", "HEAD", "--", ".").code == 3
    assert here("diff", "--git", "HEAD...HEAD", "--", "job.yaml").code == 0
    assert here("check", "--was-git", "HEAD", "job.yaml").code == 0
    assert not trace.exists()


def test_git_fetches_nothing(here: Here, repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    trap, trace = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {trace}\nexec git-upload-pack \"$@\"\n")
    trap.chmod(0o755)
    blob = git(repository, "rev-parse", "HEAD:job.yaml").strip()
    git(repository, "config", "extensions.partialClone", "origin")
    git(repository, "config", "remote.origin.url", str(repository))
    git(repository, "config", "remote.origin.promisor", "true")
    git(repository, "config", "remote.origin.uploadpack", str(trap))
    git(repository, "config", "protocol.file.allow", "always")
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    monkeypatch.chdir(repository)
    result = here("diff", "--git", "HEAD", "--", ".")
    assert (result.code, result.out) == (2, "")
    assert not trace.exists()


def test_objects_that_are_missing_are_no_bug(here: Here, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blob = git(repository, "rev-parse", "HEAD:job.yaml").strip()
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    monkeypatch.chdir(repository)
    for argv in (("diff", "--git", "HEAD", "--", "."), ("check", "--was-git", "HEAD", ".")):
        code, out, err = here(*argv)
        assert (code, out) == (2, "") and "git does not have all files of that revision" in err


@pytest.mark.parametrize("revision", ["--output=x", "--help", "-h", "--upload-pack=x", "HEAD --output=x", "@{-1}", "HEAD^{tree}", ":/x", "\udcff"])
def test_a_revision_is_no_option(here: Here, repository: Path, monkeypatch: pytest.MonkeyPatch, revision: str) -> None:
    monkeypatch.chdir(repository)
    for argv in (("diff", f"--git={revision}", "--", "."), ("diff", f"--git={revision}...{revision}", "--", "."), ("check", f"--was-git={revision}", ".")):
        code, out, _ = here(*argv)
        assert (code, out) == (2, "")
    assert sorted(path.name for path in repository.iterdir()) == [".git", ":(top)*.yaml", "job.yaml"]


def test_a_path_is_no_pattern(here: Here, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository)
    (repository / "-x.yaml").write_text((repository / "job.yaml").read_text())
    commit(repository)
    for path in (":(top)*.yaml", "-x.yaml"):
        (repository / path).write_text((repository / path).read_text() + "  suspend: true\n")
        out = here("diff", "--git", "HEAD", "--", path).out
        assert "1 of 1 TrainJob changes" in out
    assert "neither" in here("diff", "--git", "HEAD..HEAD", "--", ":(glob)*").err


def test_a_repository_inside_of_the_repository_is_not_believed(here: Here, repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder that has the files of a bare repository, as anybody can commit one, with a configuration of its own."""
    trap, trace = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {trace}\n")
    trap.chmod(0o755)
    inner = repository / "inner"
    for folder in ("objects", "refs"):
        (inner / folder).mkdir(parents=True)
    (inner / "HEAD").write_text("ref: refs/heads/main\n")
    (inner / "config").write_text(f"[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = {repository}\n\tfsmonitor = {trap}\n")
    monkeypatch.chdir(inner)
    assert here("diff", "--git", "HEAD", "--", ".").code == 2
    assert not trace.exists()
