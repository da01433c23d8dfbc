"""The program around its verbs: which verb is meant, what is said where something breaks, and with which exit code it ends."""

from __future__ import annotations

import io
import platform
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import jobset_compiler
from jobset_compiler import cli
from jobset_compiler.cli import MEANT, VERBS, main
from jobset_compiler.cli.arguments import Option, UsageError, Verb
from jobset_compiler.cli.help import _option, called, paragraphs, verb_help
from jobset_compiler.cli.streams import OutputError, Streams
from tests.cli.conftest import JOB, run_here

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes the verb render fail with an exception."""

    def arrange(error: BaseException) -> None:
        def run(*_: object) -> int:
            raise error

        real = cli._module
        monkeypatch.setattr(cli, "_module", lambda name: SimpleNamespace(VERB=real(name).VERB, run=run))

    return arrange


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (OSError(28, "No space left on device", "/tmp/x"), 2, "jobset-compiler: cannot go on: /tmp/x: No space left on device\n"),
        (OSError(28, "No space left on device"), 2, "jobset-compiler: cannot go on: No space left on device\n"),
        (OSError("odd"), 2, "jobset-compiler: cannot go on: odd\n"),
        (MemoryError(), 2, "jobset-compiler: cannot go on: not enough memory\n"),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 141, ""),
        (OutputError("cannot write x"), 2, "jobset-compiler: cannot write x\n"),
        (UsageError("wrong"), 2, "jobset-compiler: wrong\nTry: jobset-compiler render --help\n"),
    ],
)
def test_what_stops_a_run(failing: Any, error: BaseException, code: int, said: str) -> None:
    failing(error)
    assert run_here("render", "-", stdin="") == (code, "", said)


def test_a_bug_is_reported_in_full(failing: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    error = ValueError("broken")
    error.add_note("while it built")
    failing(error)
    code, out, err = run_here("render", "-", stdin="")
    first, *rest = err.splitlines()
    assert (code, out) == (70, "")
    place = first.removeprefix("jobset-compiler: error JSC901 internal-error: ValueError: broken at ")
    assert place != first and place.rpartition(":")[2].isdecimal() and place.partition(":")[0].endswith("tests/cli/test_program.py")
    assert rest == [
        "  while it built",
        f"  This is a bug of jobset-compiler {jobset_compiler.__version__} (Python {platform.python_version()}), not of your input."
        " Please report it with these lines",
        "  and, if you can, the input. JOBSET_COMPILER_DEBUG=1 shows the traceback.",
    ]
    with pytest.raises(ValueError) as caught:
        run_here("render", "-", stdin="", environment={"JOBSET_COMPILER_DEBUG": "1"})
    assert caught.value is error


def test_a_bug_in_the_package_is_placed_from_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobset_compiler.cli.check.settings_of", int)
    first = run_here("check", "-", stdin=JOB).err.splitlines()[0]
    assert first.startswith("jobset-compiler: error JSC901 internal-error: TypeError: ") and " at cli/check.py:" in first


def test_a_bug_without_a_place() -> None:
    assert cli._bug(ValueError("x")).splitlines()[0] == "jobset-compiler: error JSC901 internal-error: ValueError: x"


def test_what_cannot_even_be_said() -> None:
    class Broken(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(5, "Input/output error")

    class BrokenBytes(io.BytesIO):
        def write(self, _: Any) -> int:
            raise OSError(28, "No space left on device")

    assert main(["--version"], Streams(io.BytesIO(), BrokenBytes(), Broken(), {})) == 2
    said = io.StringIO()
    assert main(["--version"], Streams(io.BytesIO(), BrokenBytes(), said, {})) == 2
    assert said.getvalue() == "jobset-compiler: cannot write standard output: No space left on device\n"


def test_the_name_that_it_is_called_by_is_used() -> None:
    said, out = io.StringIO(), io.BytesIO()
    streams = Streams(io.BytesIO(), out, said, {}, "kubectl trainjob")
    assert main(["rendr"], streams) == 2
    assert said.getvalue() == "kubectl trainjob: unknown command 'rendr'; did you mean render?\nTry: kubectl trainjob --help\n"
    assert main(["--version"], streams) == 0
    assert out.getvalue() == f"jobset-compiler {jobset_compiler.__version__}\n".encode()


@pytest.mark.parametrize("meant", [*MEANT.items(), ("nothing", "")])
def test_what_other_programs_call_it(meant: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a name that is there is a path
    name, verb = meant
    told = f"; did you mean {verb}?" if verb else ""
    assert run_here(name) == (2, "", f"jobset-compiler: unknown command {name!r}{told}\nTry: jobset-compiler --help\n")
    assert not verb or verb in VERBS


@pytest.mark.parametrize(
    ("argv", "same"),
    [
        (["-h"], ["--help"]),
        (["help"], ["--help"]),
        (["help", "nothing"], ["--help"]),
        (["help", "codes"], ["codes", "--help"]),
        (["--help", "codes"], ["codes", "--help"]),
        (["-h", "codes"], ["codes", "-h"]),
        (["-V"], ["--version"]),
        (["version"], ["--version"]),
    ],
)
def test_ways_to_ask_for_the_same(argv: list[str], same: list[str]) -> None:
    found = run_here(*argv)
    assert found == run_here(*same) and (found.code, found.err) == (0, "") and found.out


@pytest.mark.parametrize("name", ["x.yaml", "x.yml", "x.json"])
def test_what_looks_like_a_path_is_rendered(name: str) -> None:
    code, out, err = run_here(name)
    assert (code, out) == (2, "") and err == f"{name}: error JSC001 unreadable: No such file or directory\n"


def test_a_path_that_is_there_is_rendered_whatever_it_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job").write_text(JOB)
    assert run_here("job") == run_here("render", "job") and run_here("job").code == 0
    (tmp_path / "check").write_text(JOB)
    assert run_here("check").code == 2, "a verb stays one"


def test_nothing_to_do() -> None:
    said = "jobset-compiler: nothing to do: give a command, or pipe manifests in\nTry: jobset-compiler --help, or: jobset-compiler render job.yaml\n"
    assert run_here() == (2, "", said)


# Help


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("jobset-compiler render x", "kubectl trainjob render x"),
        ("jobset-compiler --help, or: jobset-compiler <x>", "kubectl trainjob --help, or: kubectl trainjob <x>"),
        ("jobset-compiler .", "kubectl trainjob ."),
        ("a bug of jobset-compiler", "a bug of jobset-compiler"),
        (".jobset-compiler yaml, my-jobset-compiler x, a/jobset-compiler x", ".jobset-compiler yaml, my-jobset-compiler x, a/jobset-compiler x"),
    ],
)
def test_commands_are_written_as_they_are_called(text: str, expected: str) -> None:
    assert called(text, "kubectl trainjob") == expected and called(text, "jobset-compiler") == text


def test_paragraphs_are_wrapped_and_indented_lines_stay() -> None:
    long = "word " * 30
    text = f"\n{long.strip()}\n\n  {long}\nend\n\n"
    assert paragraphs(text) == f"{' '.join(['word'] * 20)}\n{' '.join(['word'] * 10)}\n\n  {long}\nend\n"
    assert paragraphs(f"{'a ' * 49}b-c-d") == f"{'a ' * 48}a\nb-c-d\n", "words with dashes stay whole"


HELP = """\
Usage: jobset-compiler do THIS [OPTIONS]

Does it.

More of it.

Examples:
  jobset-compiler do x       # one
  jobset-compiler do --long

Options:
  -a, --all                       all of it
      --each NAME                 each of them (b, c); may be repeated
  -l, --long-name-of-an-option VALUE
                                  what it is, in many words, so that the line would get too long for
                                  the screen that it is on
  -q, --quiet                     only errors, in every format
  -v, --verbose                   also what every valid input gets: bundled runtimes, placeholders,
                                  documents of other kinds
  -h, --help                      show this help
"""


def test_the_help_of_a_verb() -> None:
    options = (
        Option(("-a", "--all"), "all of it"),
        Option(("--each",), "each of them", "NAME", choices=("b", "c"), many=True),
        Option(("-l", "--long-name-of-an-option"), "what it is, in many words, so that the line would get too long for the screen that it is on", "VALUE"),
    )
    verb = Verb("do", "does it", "\nMore of it.\n", options, (("jobset-compiler do x", "one"), ("jobset-compiler do --long", "")), takes="THIS")
    assert verb_help(verb) == HELP
    assert verb_help(verb, "kubectl trainjob").startswith("Usage: kubectl trainjob do THIS [OPTIONS]\n")
    assert "  kubectl trainjob do x       # one\n" in verb_help(verb, "kubectl trainjob")
    bare = verb._replace(text="", examples=(), options=(), takes="")
    assert verb_help(bare).startswith("Usage: jobset-compiler do\n\nDoes it.\n\nOptions:\n  -q, --quiet ")


def test_the_text_of_an_option_stands_beside_it_or_below_a_long_one() -> None:
    fits, long = (Option((f"--{'o' * length}",), "what it is", "VALUE") for length in (18, 19))
    assert _option(fits) == f"      --{'o' * 18} VALUE  what it is\n"
    assert _option(long) == f"      --{'o' * 19} VALUE\n{' ' * 34}what it is\n"


def test_comments_of_examples_line_up_unless_one_is_long() -> None:
    verb = Verb("do", "does it", "", (), (("x" * 62, "a"), ("y", "b")))
    assert f"\n  {'x' * 62}  # a\n  y{' ' * 61}  # b\n" in verb_help(verb)
    verb = Verb("do", "does it", "", (), (("x" * 63, "a"), ("y", "b"), ("z", "c" * 93), ("z", "c" * 94)))
    assert f"\n  {'x' * 63}  # a\n  y  # b\n  z  # {'c' * 93}\n  z\n      # {'c' * 94}\n" in verb_help(verb)
