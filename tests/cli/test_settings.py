"""What the command makes of the settings of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Here = Callable[..., Any]


def test_settings_apply_in_folders_below(here: Here, job_of_mine: str, runtime: str, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "runtimes").mkdir()
    (tmp_path / "runtimes" / "mine.yaml").write_text(runtime)
    (tmp_path / "pyproject.toml").write_text('[tool.jobset-compiler]\nruntimes = ["runtimes"]\nnamespace = "team"\ntrainer-version = "v2.1"\n')
    (tmp_path / "jobs").mkdir()
    monkeypatch.chdir(tmp_path / "jobs")
    out = here("render", "-", stdin=job_of_mine).out
    assert "namespace: team" in out
    assert "namespace: other" in here("render", "-", "-n", "other", stdin=job_of_mine).out
    assert here("render", "-", "--no-config", stdin=job_of_mine).code == 1


def test_settings_of_another_file(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / "lenient.yaml").write_text("validate: warn\n")
    assert here("render", "-", "--config", "lenient.yaml", stdin=job + "  unknown: 1\n").code == 0
    assert here("render", "-", stdin=job + "  unknown: 1\n").code == 1


def test_severities_of_settings(here: Here, job: str, tmp_path: Path) -> None:
    text = job + "  unknown: 1\n"
    (tmp_path / ".jobset-compiler.yaml").write_text("validate: warn\nerror-on: [unknown-field]\n")
    assert here("check", "-", stdin=text).code == 1
    assert here("check", "-", "--ignore", "unknown-field", stdin=text).code == 0
    (tmp_path / ".jobset-compiler.yaml").write_text("validate: warn\nfail-on: warning\n")
    assert here("check", "-", stdin=text).code == 1
    assert here("check", "-", "--fail-on", "error", stdin=text).code == 0


def test_wrong_settings_are_a_usage_error(here: Here, job: str, tmp_path: Path) -> None:
    for text, message in (
        ("validate: hard\n", "validate is one of strict, warn, ignore, not 'hard'"),
        ("fail-on: info\n", "fail-on is one of error, warning, not 'info'"),
        ("ignore: [JSC000]\n", "unknown code 'JSC000'"),
        ("trainer-version: v9\n", "unknown trainer version 'v9'"),
        ("trainer: v9\n", "unknown key 'trainer'"),
    ):
        (tmp_path / ".jobset-compiler.yaml").write_text(text)
        code, out, err = here("check", "-", stdin=job)
        assert (code, out) == (2, "")
        assert message in err


def test_the_settings_file_is_no_input(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / ".jobset-compiler.yaml").write_text("ignore: [JSC205]  # TrainJob\n")
    (tmp_path / "job.yaml").write_text(job)
    assert here("check", ".").code == 0
