"""diff on the command line: what the two sides are, and the exit codes."""

from __future__ import annotations

import io
import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jobset_compiler.cli import main
from jobset_compiler.cli.streams import Streams
from jobset_compiler.profiles import NEWEST

if TYPE_CHECKING:
    from collections.abc import Callable

    Here = Callable[..., Any]


def git(folder: Path, *argv: str) -> str:
    name = ("-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *name, *argv], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def files(tmp_path: Path, job: str) -> Path:
    (tmp_path / "a.yaml").write_text(job + "  trainer: {numNodes: 2}\n")
    (tmp_path / "b.yaml").write_text(job + "  trainer: {numNodes: 3}\n")
    return tmp_path


def test_two_files(here: Here, files: Path) -> None:
    result = here("diff", "a.yaml", "b.yaml")
    assert (result.code, result.err) == (3, "")
    assert "a.yaml -> b.yaml: 1 of 1 TrainJob changes" in result.out
    assert "parallelism, completions: 2 -> 3" in result.out


def test_no_difference_is_0(here: Here, files: Path) -> None:
    (files / "b.yaml").write_text("# moved\n\n" + (files / "a.yaml").read_text())
    assert here("diff", "a.yaml", "b.yaml").code == 0


def test_standard_input_is_a_side(here: Here, files: Path) -> None:
    read = here("diff", "a.yaml", "-", stdin=(files / "b.yaml").read_text())
    assert (read.code, read.out.partition(":")[0]) == (3, "a.yaml -> <stdin>")


def test_two_folders_with_runtimes_of_ones_own(here: Here, tmp_path: Path, job_of_mine: str, runtime: str) -> None:
    for name, image in (("old", "image"), ("new", "image:2")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "job.yaml").write_text(job_of_mine)
        (tmp_path / name / "runtime.yaml").write_text(runtime.replace("example.com/image", f"example.com/{image}"))
    result = here("diff", "old", "new", "-o", "json")
    assert result.code == 3
    (field,) = json.loads(result.out)["trainJobs"][0]["objects"][0]["fields"]
    assert field["reasons"][0]["place"] == "new/runtime.yaml:24"


def test_errors_are_1_on_both_streams_even_with_differences(here: Here, files: Path, job: str) -> None:
    (files / "b.yaml").write_text((files / "b.yaml").read_text() + "---\n" + job.replace("torch-distributed", "none").replace("name: train", "name: bad"))
    (files / "a.yaml").write_text((files / "a.yaml").read_text() + "---\n" + job.replace("name: train", "name: bad"))
    result = here("diff", "a.yaml", "b.yaml")
    assert result.code == 1
    assert "TrainJob default/bad cannot be compared" in result.out
    assert "parallelism, completions: 2 -> 3" in result.out
    assert "b.yaml has errors:\nb.yaml:16:11: error JSC201" in result.err


def test_what_cannot_be_read_is_2(here: Here, files: Path) -> None:
    assert here("diff", "a.yaml", "missing.yaml").code == 2


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["a.yaml"], "give two inputs to compare"),
        ([], "give two inputs to compare"),
        (["--from", "v2.2"], "--from and --to need a path"),
        (["a.yaml", "a.yaml"], "both sides are the same input"),
        (["a.yaml", "--from", NEWEST.name], f"both sides are {NEWEST.name}"),
        (["a.yaml", "--from", "v9"], "unknown trainer version 'v9'"),
        (["a.yaml", "--git", "nowhere"], "no revision 'nowhere'"),
        (["a.yaml", "b.yaml", "--max-length", "few"], "--max-length is a number"),
    ],
)
def test_usage(here: Here, files: Path, argv: list[str], message: str) -> None:
    git(files, "init", "-q")
    result = here("diff", *argv)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_releases(here: Here, files: Path) -> None:
    result = here("diff", "--from", "v2.0", "--to", NEWEST.name, "a.yaml")
    assert result.code == 3
    assert result.out.startswith(f"v2.0 -> {NEWEST.name}: 1 of 1 TrainJob changes")
    assert here("diff", "--from", "v2.0", "a.yaml").out == result.out, "the other side is the newest"


def test_between_releases_a_field_that_one_does_not_know_is_dropped_as_a_server_does_it(here: Here, files: Path) -> None:
    (files / "a.yaml").write_text((files / "a.yaml").read_text() + "  runtimePatches: []\n")
    assert here("diff", "--from", "v2.1", "--to", "v2.3", "a.yaml").code == 3
    strict = here("diff", "--from", "v2.1", "--to", "v2.3", "--validate", "strict", "a.yaml")
    assert strict.code == 1 and "JSC103" in strict.err


def test_what_the_settings_leave_out_is_left_out(here: Here, files: Path) -> None:
    unknown = (files / "a.yaml").read_text() + "  nonsense: 1\n"
    (files / "a.yaml").write_text(unknown)
    (files / ".jobset-compiler.yaml").write_text("validate: warn\n")
    assert "gone with b.yaml:\n  warning JSC103" in here("diff", "a.yaml", "b.yaml").out
    (files / ".jobset-compiler.yaml").write_text("validate: warn\nignore: [unknown-field]\n")
    assert "JSC103" not in here("diff", "a.yaml", "b.yaml").out


@pytest.mark.parametrize(("length", "code"), [("1000", 3), ("999", 2), ("0999", 2), ("999999999999", 3), ("9999999999999", 2), ("1e3", 2), ("\u0661000", 2)])
def test_how_long_a_comment_may_be(here: Here, files: Path, length: str, code: int) -> None:
    result = here("diff", "a.yaml", "b.yaml", "-o", "markdown", "--max-length", length)
    assert result.code == code and (code == 3 or f"--max-length is a number of at least 1000, not {length!r}" in result.err)


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Screen(io.BytesIO):
    def isatty(self) -> bool:
        return True


def test_at_a_terminal_lines_are_wrapped_and_errors_coloured(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)

    def shown(*argv: str, **environment: str) -> tuple[str, str]:
        out, err = Screen(), Terminal()
        main(["diff", *argv], Streams(io.BytesIO(), out, err, environment))
        return out.getvalue().decode(), err.getvalue()

    out, err = shown("a.yaml", "b.yaml")
    assert "\x1b[" in out and err == ""
    (files / "b.yaml").write_text((files / "b.yaml").read_text().replace("numNodes: 3", f"numNodes: 3, args: [{', '.join(['word'] * 30)}]"))
    assert max(map(len, shown("a.yaml", "b.yaml", NO_COLOR="1")[0].splitlines())) <= 80
    assert max(map(len, shown("a.yaml", "b.yaml", NO_COLOR="1", COLUMNS="300")[0].splitlines())) > 80
    (files / "b.yaml").write_text((files / "b.yaml").read_text().replace("torch-distributed", "nope"))
    assert "\x1b[" in shown("a.yaml", "b.yaml")[1] and "\x1b[" not in shown("a.yaml", "b.yaml", NO_COLOR="1")[1]


def test_an_output_file(here: Here, files: Path) -> None:
    result = here("diff", "a.yaml", "b.yaml", "-o", "markdown", "--output-file", "comment.md")
    assert (result.code, result.out) == (3, "")
    assert (files / "comment.md").read_text().startswith("<!-- jobset-compiler diff -->")


@pytest.fixture
def repository(tmp_path: Path, job_of_mine: str, runtime: str) -> Path:
    """Two commits, of which the second changes the runtime; then a change that is not committed."""
    (tmp_path / "jobs").mkdir()
    (tmp_path / "runtimes").mkdir()
    (tmp_path / "jobs" / "job.yaml").write_text(job_of_mine)
    (tmp_path / "runtimes" / "mine.yaml").write_text(runtime)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    git(tmp_path, "checkout", "-q", "-b", "branch")
    (tmp_path / "runtimes" / "mine.yaml").write_text(runtime.replace("numNodes: 2", "numNodes: 4"))
    git(tmp_path, "commit", "-q", "-a", "-m", "second")
    return tmp_path


RUNTIMES = ("-r", "runtimes")


def test_two_revisions(here: Here, repository: Path) -> None:
    result = here("diff", "--git", "main..branch", *RUNTIMES, "--", "jobs")
    assert result.code == 3
    assert "main -> branch: 1 of 1 TrainJob changes" in result.out
    assert "because spec.mlPolicy.numNodes of the runtime mine changed from 2 to 4  (runtimes/mine.yaml:9)" in result.out


def test_a_revision_against_the_working_tree(here: Here, repository: Path) -> None:
    assert here("diff", "--git", "HEAD", *RUNTIMES, "--", "jobs").code == 0
    (repository / "jobs" / "job.yaml").write_text((repository / "jobs" / "job.yaml").read_text() + "  suspend: true\n")
    result = here("diff", "--git", "HEAD", *RUNTIMES, "--", "jobs")
    assert "HEAD -> working tree: 1 of 1 TrainJob changes" in result.out
    assert "~ JobSet spec.suspend: false -> true" in result.out


def test_three_dots_are_from_where_the_branch_left(here: Here, repository: Path, job: str) -> None:
    git(repository, "checkout", "-q", "main")
    (repository / "jobs" / "later.yaml").write_text(job.replace("name: train", "name: later"))
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "third")
    assert "TrainJob default/later is gone" in here("diff", "--git", "main..branch", *RUNTIMES, "--", "jobs").out
    assert "later" not in here("diff", "--git", "main...branch", *RUNTIMES, "--", "jobs").out


def test_files_that_only_one_revision_has(here: Here, repository: Path, job: str) -> None:
    (repository / "jobs" / "new").mkdir()
    (repository / "jobs" / "new" / "train.yaml").write_text(job)
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "third")
    result = here("diff", "--git", "main..branch", "--", "jobs/new")
    assert result.code == 3
    assert "+ TrainJob default/train is new: JobSet train (node 1 pod)  (jobs/new/train.yaml:1)" in result.out
    assert "neither main nor main has a manifest" in here("diff", "--git", "main..main", "--", "jobs/new").err
    gone = here("diff", "--git", "branch..main", "--", "jobs/new")
    assert gone.code == 3 and "TrainJob default/train is gone" in gone.out


def test_from_a_folder_of_the_repository(here: Here, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "jobs")
    result = here("diff", "--git", "main..branch", "-r", "../runtimes", "--", ".")
    assert here("diff", "--git", "main..branch", "-r", "../runtimes") == result, "without paths: the folder"
    assert result.code == 3
    assert "../runtimes/mine.yaml:9" in result.out


def test_hidden_files_and_other_files_of_a_revision_are_passed_over(here: Here, repository: Path, job: str) -> None:
    for name in (".hidden.yaml", ".github/x.yaml", "notes.md"):
        (repository / name).parent.mkdir(exist_ok=True)
        (repository / name).write_text(job.replace("name: train", "name: hidden"))
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "third")
    assert "hidden" not in here("diff", "--git", "main..branch", "--", ".").out


def test_no_repository_is_a_usage_error(here: Here, files: Path) -> None:
    result = here("diff", "--git", "HEAD", "a.yaml")
    assert result.code == 2
