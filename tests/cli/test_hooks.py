"""The options that are there for hooks: `check --skip-unrelated` and `render --update`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Here = Callable[..., Any]


def test_named_files_without_our_kinds_are_passed_over(here: Here, tmp_path: Path, job: str) -> None:
    (tmp_path / "compose.yaml").write_text("services: {web: {image: nginx}}\n")
    (tmp_path / "template.yaml").write_text("{{ include x }}\n")
    (tmp_path / "job.yaml").write_text(job)
    assert here("check", "compose.yaml", "template.yaml", "job.yaml").code == 1
    result = here("check", "--skip-unrelated", "compose.yaml", "template.yaml", "job.yaml")
    assert result.code == 0
    assert "1 TrainJob in 3 files" in result.out


def test_what_is_wrong_with_ours_is_still_said(here: Here, tmp_path: Path, job: str) -> None:
    (tmp_path / "job.yaml").write_text(job.replace("torch-distributed", "none"))
    assert here("check", "--skip-unrelated", "job.yaml").code == 1


def test_an_update_shows_and_writes(here: Here, tmp_path: Path, job: str) -> None:
    (tmp_path / "job.yaml").write_text(job)
    first = here("render", "job.yaml", "--output-dir", "out", "--update")
    assert first.code == 3
    assert "+kind: JobSet" in first.out
    assert "out was not up to date: 1 file changed" in first.err
    assert (tmp_path / "out" / "default" / "train" / "jobset-train.yaml").exists()
    again = here("render", "job.yaml", "--output-dir", "out", "--update")
    assert (again.code, again.out) == (0, "")


def test_an_update_removes_what_is_stale(here: Here, tmp_path: Path, job: str) -> None:
    (tmp_path / "job.yaml").write_text(job)
    here("render", "job.yaml", "--output-dir", "out", "--update")
    (tmp_path / "job.yaml").write_text(job.replace("name: train", "name: other"))
    result = here("render", "job.yaml", "--output-dir", "out", "--update")
    assert result.code == 3
    assert not (tmp_path / "out" / "default" / "train" / "jobset-train.yaml").exists()
    assert (tmp_path / "out" / "default" / "other" / "jobset-other.yaml").exists()


def test_an_update_of_a_refused_input_changes_nothing(here: Here, tmp_path: Path, job: str) -> None:
    (tmp_path / "job.yaml").write_text(job.replace("torch-distributed", "none"))
    assert here("render", "job.yaml", "--output-dir", "out", "--update").code == 1
    assert not (tmp_path / "out").exists()


def test_an_update_needs_a_folder(here: Here, tmp_path: Path, job: str) -> None:
    (tmp_path / "job.yaml").write_text(job)
    result = here("render", "job.yaml", "--update")
    assert result.code == 2
    assert "--update needs --output-dir" in result.err
