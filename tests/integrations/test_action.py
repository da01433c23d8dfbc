"""action.yml: valid, and its shell steps run here as a runner would run them, with a stand-in for gh."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = ACTION["runs"]["steps"]

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
# Remembers what it was called with; comments are what the file beside it holds.
GH = """\
#!/bin/sh
echo "$@" >> "$GH_LOG"
case "$*" in *--jq*) cat "$GH_COMMENTS";; esac
"""


def git(folder: Path, *argv: str) -> str:
    name = ("-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *name, *argv], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


class Runner:
    """As much of a runner as the action needs: contexts, outputs of steps, the summary."""

    def __init__(self, folder: Path, environment: dict[str, str], inputs: dict[str, str], event: dict[str, str]) -> None:
        self.folder = folder
        self.temp = folder.parent / "runner-temp"
        self.temp.mkdir(exist_ok=True)
        self.environment = environment
        self.contexts = {f"inputs.{name}": str(spec.get("default", "")) for name, spec in ACTION["inputs"].items()}
        self.contexts |= {f"inputs.{name}": value for name, value in inputs.items()}
        self.contexts |= {"runner.temp": str(self.temp), "github.action_path": str(ROOT), "github.repository": "acme/manifests"}
        self.contexts |= {f"github.event.pull_request.{name}": value for name, value in event.items()}
        # What pip would install is this source tree.
        self.contexts["steps.install.outputs.command"] = "jobset-compiler"
        self.summary = self.temp / "summary"
        self.log = ""

    def value(self, text: str) -> str:
        return re.sub(r"\$\{\{\s*([\w.-]+)\s*\}\}", lambda match: self.contexts.get(match[1], ""), text)

    def holds(self, condition: str) -> bool:
        """Conditions here are comparisons with constants, joined by &&."""
        for part in condition.split("&&"):
            match = re.fullmatch(r"\s*([\w.-]+) (==|!=) '(.*)'\s*", part)
            assert match, f"the test does not understand {part!r}"
            if (self.contexts.get(match[1], "") == match[3]) != (match[2] == "=="):
                return False
        return True

    def run(self) -> int:
        """The shell steps but the installation; the exit code of the first that fails."""
        for step in STEPS:
            if "run" not in step or step.get("id") == "install" or not self.holds(step.get("if", "github.repository != ''")):
                continue
            output = self.temp / "output"
            output.write_text("")
            variables = {name: self.value(str(value)) for name, value in step.get("env", {}).items()}
            files = {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(self.summary)}
            shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
            done = subprocess.run(shell, cwd=self.folder, env={**self.environment, **variables, **files}, capture_output=True, text=True, check=False)
            self.log += done.stdout + done.stderr
            for line in output.read_text().splitlines():
                name, _, value = line.partition("=")
                self.contexts[f"steps.{step['id']}.outputs.{name}"] = value
            if done.returncode:
                return done.returncode
        return 0


@pytest.fixture
def repository(tmp_path: Path, environment: dict[str, str]) -> Path:
    """A pull request as it is checked out: one commit on top of its base."""
    folder = tmp_path / "repository"
    (folder / "jobs").mkdir(parents=True)
    (folder / "jobs" / "train.yaml").write_text(JOB)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "base")
    gh = tmp_path / "bin" / "gh"
    gh.write_text(GH)
    gh.chmod(0o755)
    (tmp_path / "comments").write_text("")
    environment["GH_LOG"] = str(tmp_path / "gh.log")
    environment["GH_COMMENTS"] = str(tmp_path / "comments")
    return folder


def pull_request(repository: Path, text: str) -> dict[str, str]:
    base = git(repository, "rev-parse", "HEAD")
    (repository / "jobs" / "train.yaml").write_text(text)
    (repository / "note").write_text("changed too")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "change")
    return {"base.sha": base, "number": "7"}


def calls(repository: Path) -> list[str]:
    log = repository.parent / "gh.log"
    return log.read_text().splitlines() if log.exists() else []


def test_it_is_valid(environment: dict[str, str]) -> None:
    program = shutil.which("check-jsonschema", path=environment["PATH"])
    if program is None:
        pytest.skip("check-jsonschema is not installed; pip install jobset-compiler[integrations]")
    done = subprocess.run([program, "--builtin-schema", "vendor.github-actions", str(ROOT / "action.yml")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_from_outside_is_put_into_a_script() -> None:
    """Inputs and contexts reach the shell as variables only: a path cannot be a command."""
    for step in STEPS:
        assert "${{" not in step.get("run", "")
        assert set(re.findall(r"\$\{\{\s*(\w+)\.", json.dumps(step))) <= {"inputs", "steps", "github", "runner"}


def test_every_variable_of_a_script_is_given() -> None:
    given_by_shell = {"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"}
    for step in STEPS:
        script = step.get("run", "")
        own = set(re.findall(r"^\s*(\w+)(?:\+?=)", script, re.MULTILINE)) | {"path"}
        used = set(re.findall(r"\$\{?([A-Za-z_]\w*)", script))
        assert used <= own | set(step.get("env", {})) | given_by_shell, used - own - set(step.get("env", {}))


def test_a_push_is_checked_and_not_compared(repository: Path, environment: dict[str, str]) -> None:
    runner = Runner(repository, environment, {"paths": "jobs"}, {})
    assert runner.run() == 0
    assert runner.contexts["steps.check.outputs.exit-code"] == "0"
    assert json.loads((runner.temp / "jobset-compiler.sarif").read_text())["version"] == "2.1.0"
    assert not runner.summary.exists()
    assert calls(repository) == []


def test_a_pull_request_gets_a_comment_and_a_summary(repository: Path, environment: dict[str, str]) -> None:
    runner = Runner(repository, environment, {"paths": "jobs\n"}, pull_request(repository, JOB.replace("numNodes: 2", "numNodes: 5")))
    assert runner.run() == 0, runner.log
    assert "| ml/train | node | 2 → **5** |" in runner.summary.read_text()
    assert runner.contexts["steps.diff.outputs.changed"] == "true"
    file = runner.contexts["steps.diff.outputs.file"]
    assert calls(repository)[1:] == [f"api --silent --method POST repos/acme/manifests/issues/7/comments --field body=@{file}"]


def test_a_later_run_updates_its_comment(repository: Path, environment: dict[str, str]) -> None:
    (repository.parent / "comments").write_text("4711\n")
    runner = Runner(repository, environment, {"paths": "jobs"}, pull_request(repository, JOB + "  suspend: true\n"))
    assert runner.run() == 0, runner.log
    assert " ".join(calls(repository)[1].split()[:5]) == "api --silent --method PATCH repos/acme/manifests/issues/comments/4711"


def test_without_a_change_there_is_no_comment(repository: Path, environment: dict[str, str]) -> None:
    runner = Runner(repository, environment, {"paths": "jobs"}, pull_request(repository, f"# a comment\n{JOB}"))
    assert runner.run() == 0, runner.log
    assert runner.contexts["steps.diff.outputs.changed"] == "false"
    assert len(calls(repository)) == 1, "only looked for an earlier one"


def test_errors_fail_the_job_after_the_comment(repository: Path, environment: dict[str, str]) -> None:
    runner = Runner(repository, environment, {"paths": "jobs"}, pull_request(repository, JOB.replace("torch-distributed", "torch-distribute")))
    assert runner.run() == 1
    assert "::error file=jobs/train.yaml,line=8" in runner.log
    assert "cannot be compared" in runner.summary.read_text()
    assert "POST" in calls(repository)[-1]


def test_a_comment_that_is_not_allowed_is_a_warning(repository: Path, environment: dict[str, str]) -> None:
    (repository.parent / "bin" / "gh").write_text("#!/bin/sh\nexit 1\n")
    runner = Runner(repository, environment, {"paths": "jobs"}, pull_request(repository, JOB + "  suspend: true\n"))
    assert runner.run() == 0, runner.log
    assert "::warning::" in runner.log


def test_paths_with_blanks_runtimes_and_releases(repository: Path, environment: dict[str, str]) -> None:
    (repository / "my jobs").mkdir()
    (repository / "my jobs" / "x; touch injected.yaml").write_text(JOB.replace("torch-distributed", "mine"))
    examples = (ROOT / "examples" / "08-coscheduling.yaml").read_text().split("---")[0].replace("torch-gang", "mine")
    (repository / "platform runtimes.yaml").write_text(examples)
    inputs = {"paths": "my jobs\njobs\n", "runtimes": "platform runtimes.yaml", "trainer-version": "v2.2"}
    event = pull_request(repository, JOB)
    runner = Runner(repository, environment, inputs, event)
    assert runner.run() == 0, runner.log
    assert not (repository / "injected.yaml").exists()
    assert "New: TrainJob **ml/train (number 2)**" in runner.summary.read_text()
