"""`check --was` and `--was-git`: which edits a server would refuse, and why."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Here = Callable[..., Any]

TRAINER = "  trainer:\n    numNodes: {}\n"
PATCHED = """\
  suspend: {suspend}
  runtimePatches:
  - manager: acme.io/placement
    trainingRuntimeSpec:
      template:
        spec:
          replicatedJobs:
          - name: node
            template:
              spec:
                template:
                  spec:
                    nodeSelector: {{zone: {zone}}}
"""


AUTHOR = ("-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false")


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *AUTHOR, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, job: str) -> Path:
    """A repository with a TrainJob in jobs/, committed; the working directory of `here`."""
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "train.yaml").write_text(job + TRAINER.format(2))
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path


def findings(here: Here, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    """(exit code, errors and warnings)."""
    result = here("check", "--format", "json", *arguments)
    return result.code, [found for found in json.loads(result.out)["findings"] if found["severity"] != "info"]


def test_an_edit_of_a_field_that_cannot_change_is_shown_in_both_versions(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / "old.yaml").write_text(job + TRAINER.format(2))
    (tmp_path / "new.yaml").write_text("# a comment moves every line\n" + job + TRAINER.format(4))
    code, (found,) = findings(here, "--was", "old.yaml", "new.yaml")
    assert code == 1
    assert (found["code"], found["path"], found["message"]) == ("JSC109", "spec.trainer", "field is immutable")
    assert (found["file"], found["line"]) == ("new.yaml", 10)
    assert found["notes"] == [{"message": "as it was", "file": "old.yaml", "line": 9, "column": 5}]
    assert "delete the old one" in found["hint"]


def test_what_cannot_be_read_of_the_new_version_is_told_as_everywhere(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / "old.yaml").write_text(job)
    (tmp_path / "new.yaml").write_text(f"{job}---\na: [\n---\n{job.replace('name: train', 'name: two')}kind: TrainJob\n")
    code, found = findings(here, "--was", "old.yaml", "new.yaml", "--validate", "strict")
    assert (code, [(each["code"], each["severity"], each["line"]) for each in found]) == (1, [("JSC004", "error", 9), ("JSC021", "error", 18)])
    code, found = findings(here, "--was", "old.yaml", "new.yaml", "--validate", "ignore")
    assert (code, [each["code"] for each in found]) == (1, ["JSC004"])


def test_the_release_decides(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / "old.yaml").write_text(job + TRAINER.format(2))
    (tmp_path / "new.yaml").write_text(job + TRAINER.format(4))
    code, (found,) = findings(here, "--was", "old.yaml", "new.yaml", "--trainer-version", "v2.1")
    assert (code, found["slug"]) == (0, "edit-without-effect")
    assert findings(here, "--was", "old.yaml", "new.yaml", "--trainer-version", "v2.1", "--fail-on", "warning")[0] == 1


def test_nothing_changed_is_nothing_to_say(here: Here, repository: Path) -> None:
    assert findings(here, "--was-git", "HEAD", "jobs/") == (0, [])
    assert findings(here, "--was", "jobs/train.yaml", "jobs/") == (0, [])


def test_the_earlier_version_from_git(here: Here, repository: Path, job: str) -> None:
    file = repository / "jobs" / "train.yaml"
    file.write_text(job + TRAINER.format(8))
    git(repository, "commit", "-q", "-a", "-m", "second")
    assert findings(here, "--was-git", "HEAD", "jobs/") == (0, [])
    code, (found,) = findings(here, "--was-git", "HEAD~1", "jobs/")
    assert (code, found["path"]) == (1, "spec.trainer")
    assert found["file"] == "jobs/train.yaml"
    assert found["notes"] == [{"message": "as it was", "file": "HEAD~1:jobs/train.yaml", "line": 9, "column": 5}]


def test_git_is_read_from_below_its_root_and_for_one_file(here: Here, repository: Path, job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "jobs" / "train.yaml").write_text(job + TRAINER.format(8))
    monkeypatch.chdir(repository / "jobs")
    for path in ("train.yaml", "."):
        code, (found,) = findings(here, "--was-git", "main", path)
        assert (code, found["path"]) == (1, "spec.trainer")


def test_a_document_is_the_same_wherever_it_stands(here: Here, repository: Path, job: str) -> None:
    """Objects are known by kind, namespace and name: a moved file is no new TrainJob."""
    (repository / "jobs" / "train.yaml").unlink()
    (repository / "jobs" / "moved.yaml").write_text("---\n" + job + TRAINER.format(8))
    code, (found,) = findings(here, "--was-git", "HEAD", "jobs/")
    assert (code, found["file"]) == (1, "jobs/moved.yaml")


def test_a_new_document_is_checked_as_such(here: Here, repository: Path, job: str) -> None:
    (repository / "jobs" / "other.yaml").write_text(job.replace("name: train", "name: other").replace("torch-distributed", "torch-distribted"))
    code, (found,) = findings(here, "--was-git", "HEAD", "jobs/")
    assert (code, found["slug"], found["file"]) == (1, "runtime-not-found", "jobs/other.yaml")


def test_an_earlier_version_that_no_server_took_is_none(here: Here, tmp_path: Path, job: str) -> None:
    (tmp_path / "new.yaml").write_text(job + TRAINER.format(4))
    for broken in (job + TRAINER.format("many"), job + "  trainer: {", job.replace("TrainJob", "Trainjob"), ""):
        (tmp_path / "old.yaml").write_text(broken)
        assert findings(here, "--was", "old.yaml", "new.yaml") == (0, [])


def test_patches_change_only_while_suspended_and_idle(here: Here, tmp_path: Path, job: str) -> None:
    def write(name: str, suspend: str, zone: str) -> None:
        (tmp_path / name).write_text(job + PATCHED.format(suspend=suspend, zone=zone))

    write("old.yaml", "false", "a")
    write("new.yaml", "false", "b")
    code, (found,) = findings(here, "--was", "old.yaml", "new.yaml")
    assert (code, found["slug"], found["path"], found["line"]) == (1, "overrides-while-running", "spec.runtimePatches", 10)
    assert found["notes"][0]["file"] == "old.yaml" and "suspend" in found["hint"]
    write("new.yaml", "true", "b")
    assert findings(here, "--was", "old.yaml", "new.yaml") == (0, [])
    (tmp_path / "facts.yaml").write_text("activeReplicatedJobs: [node]\n")
    for known in (("--active", "node"), ("--facts", "facts.yaml"), ("--facts", "facts.yaml", "--active", "node")):
        code, (found,) = findings(here, "--was", "old.yaml", "new.yaml", *known)
        assert (code, found["slug"]) == (1, "overrides-while-active")
        assert found["message"] == "RuntimePatches cannot be modified when the JobSet's ReplicatedJob node is still active"


def test_an_edited_runtime_is_the_cause_that_is_shown(here: Here, tmp_path: Path, runtime: str, job_of_mine: str) -> None:
    (tmp_path / "old.yaml").write_text(runtime)
    (tmp_path / "new.yaml").write_text(runtime.replace("example.com/image", "example.com/other"))
    (tmp_path / "job.yaml").write_text(job_of_mine + "  suspend: true\n  trainer: {}\n")
    code, (found,) = findings(here, "--was", "old.yaml", "--was", "job.yaml", "new.yaml", "job.yaml", "--trainer-version", "v2.2")
    assert (code, found["slug"], found["file"]) == (1, "jobset-change-refused", "job.yaml")
    notes = [(note["message"], note["file"], note["line"]) for note in found["notes"]]
    assert notes == [("the runtime was edited here", "new.yaml", 24), ("as it was", "old.yaml", 24)]


def test_runtimes_given_with_r_count_on_both_sides(here: Here, tmp_path: Path, runtime: str, job_of_mine: str) -> None:
    (tmp_path / "rt.yaml").write_text(runtime)
    (tmp_path / "old.yaml").write_text(job_of_mine + TRAINER.format(2))
    (tmp_path / "new.yaml").write_text(job_of_mine + TRAINER.format(3))
    code, (found,) = findings(here, "--was", "old.yaml", "new.yaml", "-r", "rt.yaml", "--trainer-version", "v2.1")
    assert (code, found["slug"]) == (0, "edit-without-effect")


def test_what_stands_beside_the_documents_is_not_compared(here: Here, repository: Path, tmp_path: Path, runtime: str, job_of_mine: str) -> None:
    """A TrainJob in a file given for its runtimes, and what is no object in a folder."""
    (tmp_path / "rt.yaml").write_text(runtime + "---\n" + job_of_mine.replace("name: train", "name: beside"))
    (repository / "jobs" / "values.yaml").write_text("replicas: 3\n")
    summary = json.loads(here("check", "--was-git", "HEAD", "jobs/", "-r", "rt.yaml", "--format", "json").out)["summary"]
    assert {name: summary[name] for name in ("documents", "trainJobs", "runtimes")} == {"documents": 2, "trainJobs": 1, "runtimes": 1}


def test_the_summary_and_the_other_formats_know_what_was_looked_at(here: Here, repository: Path) -> None:
    assert here("check", "--was-git", "HEAD", "jobs/").out.endswith("1 TrainJob in 1 file: no errors or warnings\n")
    assert 'testcase name="TrainJob default/train"' in here("check", "--was-git", "HEAD", "jobs/", "--format", "junit").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--was-git", "HEAD", "job.yaml"], "this is no git repository"),
        (["--was", "gone.yaml", "job.yaml"], "cannot read gone.yaml: No such file or directory"),
        (["--was", "job.yaml", "--was-git", "HEAD", "job.yaml"], "exclude each other"),
        (["--active", "node", "job.yaml"], "it needs --was or --was-git"),
        (["--was", "-", "-"], "standard input is either the old or the new version"),
    ],
)
def test_usage(here: Here, tmp_path: Path, job: str, arguments: list[str], message: str) -> None:
    (tmp_path / "job.yaml").write_text(job)
    code, out, err = here("check", *arguments, stdin=job)
    assert (code, out) == (2, "") and message in err


def test_usage_with_git(here: Here, repository: Path, job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = here("check", "--was-git", "gone", "jobs/")
    assert (code, out) == (2, "") and "git has no revision 'gone' here; a shallow clone may lack it" in err
    code, out, err = here("check", "--was-git", "HEAD", "-", stdin=job)
    assert (code, out) == (2, "") and "standard input" in err
    code, out, err = here("check", "--was-git", "HEAD", "/")
    assert (code, out) == (2, "") and "outside of the git repository" in err
    monkeypatch.setenv("PATH", "")
    code, out, err = here("check", "--was-git", "HEAD", "jobs/")
    assert (code, out) == (2, "") and "the command git is needed for this" in err


def test_one_version_may_come_from_a_pipe(here: Here, tmp_path: Path, job: str) -> None:
    (tmp_path / "job.yaml").write_text(job + TRAINER.format(2))
    for arguments in (("--was", "-", "job.yaml"), ("--was", "job.yaml", "-"), ("--was", "job.yaml")):
        code, out, _ = here("check", *arguments, "--format", "json", stdin=job + TRAINER.format(3))
        assert code == 1 and "field is immutable" in out
