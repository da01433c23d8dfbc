"""Files that nobody named: settings and links of a hostile clone bring in nothing else."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Here = Callable[..., Any]

# A file that somebody else on this machine has, of a format that would end in messages.
FOREIGN = "apiVersion: hunter2\nkind: TrainJob\nmetadata: {hunter2: [}\n"


@pytest.fixture
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outside")
    (folder / "foreign.yaml").write_text(FOREIGN)
    return folder / "foreign.yaml"


def plant(kind: str, outside: Path) -> str:
    """Put a way to that file into the working directory; returns the path that settings name."""
    if kind == "absolute":
        return str(outside)
    if kind == "relative":
        return os.path.relpath(outside)
    if kind == "link":
        Path("link.yaml").symlink_to(outside)
        return "link.yaml"
    if kind == "folder-link":
        Path("linked").symlink_to(outside.parent, target_is_directory=True)
        return "linked"
    if kind == "link-in-a-folder":
        Path("folder").mkdir()
        Path("folder/a.yaml").symlink_to(outside)
        return "folder"
    if kind == "hidden":
        Path(".git").mkdir()
        Path(".git/config.yaml").write_text(FOREIGN)
        return ".git/config.yaml"
    if kind == "no-yaml":
        Path("credentials").write_text(FOREIGN)
        return "credentials"
    os.mkfifo("pipe.yaml")
    return "pipe.yaml"


@pytest.mark.parametrize("kind", ["absolute", "relative", "link", "folder-link", "link-in-a-folder", "hidden", "no-yaml", "pipe"])
@pytest.mark.parametrize("key", ["runtimes", "facts"])
@pytest.mark.parametrize("name", ["pyproject.toml", ".jobset-compiler.yaml"])
def test_settings_name_only_files_beside_them(here: Here, job: str, outside: Path, kind: str, key: str, name: str) -> None:
    path = json.dumps(plant(kind, outside))
    value = f"[{path}]" if key == "runtimes" else path
    Path(name).write_text(f"[tool.jobset-compiler]\n{key} = {value}\n" if name.endswith("toml") else f"{key}: {value}\n")
    Path("job.yaml").write_text(job)
    for argv in (("check", "job.yaml"), ("check", "job.yaml", "--format", "sarif"), ("check", "job.yaml", "--format", "junit"), ("render", "job.yaml")):
        result = here(*argv)
        assert "hunter2" not in result.out + result.err
        if kind == "link-in-a-folder" and key == "runtimes":
            assert "hunter" not in result.out and result.code == 0
        else:
            assert result.code == 2 and result.out == ""
            assert f"{name}: " in result.err


@pytest.mark.parametrize("name", ["pyproject.toml", ".jobset-compiler.yaml"])
def test_settings_that_are_a_link_are_not_followed(here: Here, job: str, tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    target = tmp_path_factory.mktemp("outside") / name
    target.write_text("[tool.jobset-compiler]\nhunter2 = 1\n" if name.endswith("toml") else "hunter2: 1\n")
    Path(name).symlink_to(target)
    result = here("check", "-", stdin=job)
    assert result.code == 2 and "leads out of the folder" in result.err and "hunter2" not in result.err


def test_a_folder_of_somebody_else_brings_in_only_its_own_files(here: Here, job: str, outside: Path) -> None:
    Path("jobs/..data").mkdir(parents=True)
    Path("jobs/.git").mkdir()
    Path("jobs/..data/mounted.yaml").write_text(job.replace("train", "mounted", 1).replace("name: train", "name: mounted"))
    Path("jobs/.git/config").write_text(FOREIGN)
    Path("jobs/mounted.yaml").symlink_to("..data/mounted.yaml")
    Path("jobs/a.yaml").symlink_to(outside)
    Path("jobs/b.yaml").symlink_to(".git/config")
    Path("jobs/c.yaml").symlink_to("/proc/self/environ")
    Path("jobs/job.yaml").write_text(job)
    for argv in (("check", "jobs"), ("check", "jobs", "--format", "json"), ("render", "jobs", "--fail-on", "warning")):
        result = here(*argv)
        assert result.code in (0, 1) and "hunter2" not in result.out + result.err
    out = here("check", "jobs").out
    assert "2 TrainJobs" not in out or "link-not-followed" in out
    assert "info JSC025 link-not-followed" in out and "(jobs/a.yaml:" not in out
    # Whoever means that file can name it.
    assert "hunter2" in here("check", "jobs", str(outside)).out
