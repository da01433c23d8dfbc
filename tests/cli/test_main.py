"""Verbs, streams and exit codes."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from syrupy.assertion import SnapshotAssertion

import jobset_compiler
from jobset_compiler.cli import VERBS, main, verb_of
from jobset_compiler.cli.help import overview, verb_help
from jobset_compiler.cli.streams import Streams

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jobset_compiler.cli.arguments import Option

    Here = Callable[..., Any]


def test_piped_input_without_arguments_is_rendered(here: Here, job: str) -> None:
    assert here(stdin=job) == here("render", "-", stdin=job)
    assert "kind: JobSet" in here(stdin=job).out


def test_nothing_at_all_on_a_terminal_is_a_usage_error_that_teaches(here: Here) -> None:
    code, out, err = here()
    assert (code, out) == (2, "")
    assert "jobset-compiler --help" in err


@pytest.mark.parametrize("verb", ["render", "check", "explain"])
def test_a_verb_without_input_on_a_terminal_does_not_wait(here: Here, verb: str) -> None:
    code, out, err = here(verb)
    assert (code, out) == (2, "")
    assert "no input" in err


def test_a_path_or_an_option_in_the_place_of_a_verb_is_for_render(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(job)
    assert here("job.yaml").out == here("render", "job.yaml").out != ""
    assert here("-o", "name", stdin=job).out == "jobset.jobset.x-k8s.io/train\n"


def test_help_of_the_program_names_every_verb(here: Here) -> None:
    code, out, err = here("--help")
    assert (code, err) == (0, "")
    for verb in VERBS:
        assert f"\n  {verb} " in out


@pytest.mark.parametrize("name", VERBS)
def test_help_of_a_verb_shows_examples_and_every_option(here: Here, name: str) -> None:
    code, out, err = here(name, "--help")
    assert (code, err) == (0, "")
    assert out == here("help", name).out
    assert "Examples:" in out
    for option in verb_of(name).options:
        assert option.name in out
    assert all(len(line) <= 130 for line in out.splitlines())


def test_help_as_it_stands(snapshot: SnapshotAssertion) -> None:
    """Read the text below `__snapshots__` as a user would; `--snapshot-update` writes it. Options of several verbs are shown once."""
    verbs = [verb_of(name) for name in VERBS]
    shown: list[Option] = []
    parts = [overview(verbs)]
    for verb in verbs:
        parts.append(verb_help(verb._replace(options=tuple(option for option in verb.options if option not in shown))))
        shown += verb.options
    assert "\n".join(parts) == snapshot


@pytest.mark.parametrize("name", VERBS)
def test_examples_of_the_help_can_be_parsed(name: str) -> None:
    import shlex

    from jobset_compiler.cli.arguments import parse

    for example, _ in verb_of(name).examples:
        words = shlex.split(example.split(" > ")[0].replace("source <(", "").replace(")", ""))
        if "jobset-compiler" not in words:
            continue  # another program, that calls us
        start = words.index("jobset-compiler")
        end = words.index("|", start) if "|" in words[start:] else len(words)
        verb, *rest = words[start + 1 : end]
        parse(verb_of(verb), rest)


def test_version(here: Here) -> None:
    assert here("--version") == (0, f"jobset-compiler {jobset_compiler.__version__}\n", "")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["rendr"], "unknown command 'rendr'; did you mean render?"),
        (["render", "--trainer-verson", "v2.1", "-"], "unknown option --trainer-verson; did you mean --trainer-version?"),
        (["render", "-o", "yml", "-"], "-o is one of yaml, json, name, not 'yml'; did you mean yaml?"),
        (["render", "-o"], "option -o needs a value"),
        (["render", "--no-config=yes", "-"], "option --no-config takes no value"),
        (["render", "-qx", "-"], "option -q takes no value"),
        (["render", "-", "--trainer-version", "v1.9"], "unknown trainer version 'v1.9'; known: v2.0, v2.1, v2.2, v2.3"),
        (["render", "-", "--feature-gate", "X"], "--feature-gate is NAME=true or NAME=false, not 'X'"),
        (["render", "-", "--check"], "--check needs --output-dir"),
        (["check", "-", "--ignore", "JSC000"], "--ignore: unknown code 'JSC000'"),
        (["check", "-", "--format", "xml"], "--format is one of text, json, sarif, junit, github, not 'xml'"),
        (["check", "-", "--format", "json", "--format", "sarif"], "only one format can go to standard output"),
        (["check", "-", "--format", "json="], "names no file"),
        (["runtimes", "show", "torch-distribted"], "did you mean torch-distributed?"),
        (["runtimes", "show"], "show which one?"),
        (["codes", "explain", "JSC999"], "unknown code 'JSC999'"),
        (["codes", "shout"], "unknown action or code 'shout'"),
        (["releases", "v3"], "unknown trainer version 'v3'"),
        (["passes", "x"], "too many arguments: x"),
        (["schema", "Pod"], "no schema of 'Pod'"),
        (["completion", "tcsh"], "no completion for 'tcsh'"),
        (["explain", "-", "--field", "spec.nothing"], "have such a field"),
        (["render", "-", "--ssh-key", "nokey"], "cannot read nokey: No such file or directory"),
        (["render", "-", "--ssh-key", "x", "--generate-ssh-keys"], "exclude each other"),
        (["render", "-", "--facts", "nofacts.yaml"], "No such file or directory"),
        (["render", "-", "--config", "no.toml"], "No such file or directory"),
    ],
)
def test_a_usage_error_says_what_is_wrong_and_how_to_go_on(here: Here, job: str, argv: list[str], message: str) -> None:
    code, out, err = here(*argv, stdin=job)
    assert (code, out) == (2, "")
    assert message in err
    assert "--help" in err


def test_arguments_after_two_dashes_are_paths(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / "-o").write_text(job)
    assert "kind: JobSet" in here("render", "--", "-o").out


def test_values_of_options_in_every_notation(here: Here, job: str) -> None:
    spellings = (["-o", "name"], ["-oname"], ["-o=name"], ["--output", "name"], ["--output=name"])
    assert {here("render", "-", *spelling, stdin=job) for spelling in spellings} == {here("render", "-oname", "-", stdin=job)}


def test_a_bug_of_ours_is_70_with_a_request_and_no_traceback(here: Here, job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        error = RuntimeError("broken on purpose")
        error.add_note("while it built")
        raise error

    monkeypatch.setattr("jobset_compiler.pipeline.build_plan", broken)
    code, out, err = here("render", "-", stdin=job)
    assert (code, out) == (70, "")
    assert err.startswith("jobset-compiler: error JSC901 internal-error: RuntimeError: broken on purpose")
    assert "\n  while it built\n  while compiling <stdin>:1:1\n  This is a bug of jobset-compiler" in err
    assert "report" in err
    assert "Traceback" not in err
    with pytest.raises(RuntimeError):
        here("render", "-", stdin=job, environment={"JOBSET_COMPILER_DEBUG": "1"})


def test_ctrl_c_is_quiet(here: Here, job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("jobset_compiler.pipeline.build_plan", interrupted)
    assert here("render", "-", stdin=job) == (130, "", "")


def test_a_reader_that_goes_away_is_no_error_of_ours(job: str) -> None:
    class Gone(io.BytesIO):
        def write(self, data: object) -> int:
            raise BrokenPipeError

    err = io.StringIO()
    assert main(["render", "-q", "-"], Streams(io.BytesIO(job.encode()), Gone(), err, {})) == 141
    assert err.getvalue() == ""


def test_a_process_ends_quietly_when_its_reader_closes_early(process: Any, job: str) -> None:
    jobs = "---\n".join(job.replace("name: train", f"name: train-{index}") for index in range(400)).encode()
    with process.start("render", "-q", "-") as running:
        running.stdin.write(jobs)
        running.stdin.close()
        assert running.stdout.readline() == b"apiVersion: jobset.x-k8s.io/v1alpha2\n"
        running.stdout.close()
        assert running.wait(60) == 141
        assert running.stderr.read() == b""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_process_ends_quietly_on_ctrl_c(process: Any) -> None:
    with process.start("render", "-") as running:
        # More than a pipe holds: once it is written the program is reading.
        running.stdin.write(b"# comment\n" * 100_000)
        running.stdin.flush()
        time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 130
        assert (running.stdout.read(), running.stderr.read()) == (b"", b"")


def test_a_real_process_writes_utf_8_whatever_the_locale(process: Any, job: str) -> None:
    environment = {**process.environment(), "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    text = job + "  trainer:\n    env:\n    - name: GREETING\n      value: grüß dich\n"
    done = subprocess.run(process.line("render", "-"), input=text.encode(), capture_output=True, env=environment, check=True)
    assert "grüß dich" in done.stdout.decode()


def test_no_socket_is_opened_and_nothing_but_the_input_is_read(process: Any, tmp_path: Path, job: str) -> None:
    """An audit hook sees every socket, every process and every file that the interpreter opens."""
    (tmp_path / "job.yaml").write_text(job)
    program = """
import sys
seen = []
def hook(event, arguments):
    if event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "os.fork", "urllib.", "http.")):
        seen.append((event, str(arguments)))
    elif event == "open" and isinstance(arguments[0], str) and not arguments[0].endswith((".py", ".pyc", ".so")):
        seen.append((event, arguments[0]))
sys.addaudithook(hook)
from jobset_compiler.cli import main
for argv in (["render", "job.yaml"], ["check", "job.yaml"], ["explain", "job.yaml"], ["expand", "job.yaml"]):
    assert main(argv) == 0
# Entry points are how installed distributions offer passes.
expected = ("job.yaml", "torch-distributed.yaml", "entry_points.txt")
print([entry for entry in seen if entry[0] != "open" or not entry[1].endswith(expected)], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=tmp_path, env=process.environment(), check=True, text=True)
    assert done.stderr.splitlines()[-1] == "[]", done.stderr


# What must not be imported for one TrainJob with a bundled runtime: each costs milliseconds at every start.
HEAVY = (
    "argparse", "asyncio", "dataclasses", "datetime", "decimal", "difflib", "fractions", "hashlib", "importlib.metadata", "importlib.resources",
    "inspect", "json", "jsonschema", "logging", "pathlib", "pydantic", "random", "ruamel.yaml", "shutil", "socket", "subprocess", "tempfile",
    "tomllib", "traceback",
)  # fmt: skip


def test_rendering_one_trainjob_imports_nothing_heavy(process: Any, tmp_path: Path, job: str) -> None:
    (tmp_path / "job.yaml").write_text(job)
    program = "import sys\nfrom jobset_compiler.cli import main\nassert main(['render', 'job.yaml']) == 0\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, cwd=tmp_path, env=with_site_packages(process.environment()), check=True)
    imported = set(done.stderr.decode().split())
    assert not imported.intersection(HEAVY)
    assert "jobset_compiler.models" not in imported


def with_site_packages(environment: dict[str, str]) -> dict[str, str]:
    """The same without `site`, whose .pth files import whatever an installation has put there."""
    return {**environment, "PYTHONPATH": os.pathsep.join([environment["PYTHONPATH"], *(path for path in sys.path if path)])}


def test_a_reader_of_other_streams_that_goes_away_leaves_the_output_of_the_process_alone(capfd: pytest.CaptureFixture[str]) -> None:
    class Gone(io.BytesIO):
        def write(self, data: Any) -> int:
            raise BrokenPipeError

    assert main(["releases"], Streams(io.BytesIO(), Gone(), io.StringIO(), {})) == 141
    os.write(1, b"still here")
    assert capfd.readouterr().out == "still here"
