"""Completion: what the tables offer, and what the scripts hold. The shells themselves are in tests/integrations."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence

import pytest
from syrupy.assertion import SnapshotAssertion

from jobset_compiler.cli import VERBS, shells, verb_of
from jobset_compiler.cli.arguments import Option, Verb
from jobset_compiler.cli.candidates import candidates, for_kubectl, offered, options_of
from jobset_compiler.diagnostics.codes import all_codes
from jobset_compiler.profiles import PROFILES
from tests.cli.conftest import run_here as here

SOME = ("--output-dir", "--trainer-version", "--output", "--check")
RELEASES = {profile.name for profile in PROFILES}


def words(*line: str) -> set[str]:
    *before, word = line
    return {name for name, _ in candidates(before, word).words}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_verb_and_option_is_in_the_script(shell: str) -> None:
    out = here("completion", shell).out
    for name in VERBS:
        assert name in out
        for option in verb_of(name).options:
            assert (f"-l {option.name[2:]}" if shell == "fish" else option.name) in out
    for code in all_codes():
        assert 1 <= out.count(code.code) < 5 and code.slug in out


@pytest.mark.parametrize("shell", [shells.bash, shells.zsh, shells.fish, shells.powershell], ids=lambda shell: shell.__name__)
def test_a_script(shell: Callable[[Sequence[Verb]], str], snapshot: SnapshotAssertion) -> None:
    """Of a few verbs, one option each: with paths, with names of something, with a choice and with nothing behind it."""
    verbs = [verb_of(name) for name in ("render", "schema", "releases")]
    few = [verb._replace(options=tuple(option for option in verb.options if option.name in SOME)) for verb in verbs]
    assert shell(few) == snapshot


def test_every_name_of_values_is_known() -> None:
    for verb in map(verb_of, VERBS):
        for name in (verb.offers, *(option.offers for option in verb.options)):
            assert bool(offered(name)) == bool(name)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (["ren"], {"render"}),
        (["--v"], {"--version"}),
        (["render", "--pass"], {"--passthrough"}),
        (["render", "-o", ""], {"yaml", "json", "name"}),
        (["render", "--output=j"], {"--output=json"}),
        (["job.yaml", "-o", "y"], {"yaml"}),
        (["codes", "ex"], {"explain"}),
        (["codes", "explain", "JSC201"], {"JSC201"}),
        (["codes", "runtime-not-f"], {"runtime-not-found"}),
        (["check", "--ignore", "placeholder-l"], {"placeholder-left"}),
        (["check", "--format", ""], {"text", "json", "sarif", "junit", "github"}),
        (["check", "--fail-on", ""], {"error", "warning"}),
        (["diff", "--from", ""], RELEASES),
        (["releases", ""], RELEASES),
        (["runtimes", "torch-distributed-"], {"torch-distributed-with-cache"}),
        (["runtimes", "show", "torch-distributed-"], {"torch-distributed-with-cache"}),
        (["schema", "Tr"], {"TrainJob", "TrainingRuntime"}),
        (["completion", ""], {"bash", "zsh", "fish", "powershell"}),
        (["render", "--namespace", ""], set()),
    ],
)
def test_candidates(line: list[str], expected: set[str]) -> None:
    assert words(*line) == expected


def test_paths_where_paths_may_stand() -> None:
    assert candidates([], "").files and candidates(["check"], "").files and candidates(["check", "-r"], "").files
    assert not candidates(["codes"], "").files and not candidates(["check", "--ignore"], "").files


def test_an_option_is_no_path() -> None:
    assert [candidates(line, "--o").files for line in (["render"], ["check"], [])] == [False, False, True]
    assert candidates(["render"], "--output=").files is False


def test_words_of_zsh_that_would_end_a_description_are_others() -> None:
    verb = verb_of("schema")._replace(options=(Option(("--x",), "this [or that]: now"),))
    assert "'--x[this (or that); now]'" in shells.zsh([verb])


def test_for_kubectl() -> None:
    assert for_kubectl(["check", "--fail-on", ""]) == "error\nwarning\n:4\n"
    assert for_kubectl(["check", "jo"]) == ":0\n"
    assert for_kubectl(["rend"]) == f"render\t{verb_of('render').summary}\n:0\n"
    assert for_kubectl([]).endswith(":0\n")


def test_what_powershell_asks() -> None:
    """Its script hands on the words before the cursor and prints what it gets; an empty word stays one."""
    asked = re.search(r"& jobset-compiler (completion) \"(--candidates=)\$wordToComplete\" '(--)' @before", here("completion", "powershell").out)
    assert asked
    verb, option, dashes = asked.groups()
    assert here(verb, f"{option}", dashes, "check", "--fail-on") == (0, "error\nwarning\n", "")
    assert here(verb, f"{option}ren", dashes).out == f"render\t{verb_of('render').summary}\n"
    assert here(verb, f"{option}--qu", dashes, "check").out.startswith("--quiet\t")


def test_no_such_shell() -> None:
    code, out, err = here("completion", "powershel")
    assert (code, out) == (2, "") and "did you mean powershell?" in err
    assert here("completion").code == 2


def test_no_option_stands_twice_in_a_verb() -> None:
    for verb in map(verb_of, VERBS):
        names = [name for option in options_of(verb) for name in option.names]
        assert len(set(names)) == len(names), verb.name


@pytest.mark.parametrize(("text", "quoted"), [("a", "'a'"), ("it's", r"'it'\''s'"), ("'", r"''\'''")])
def test_words_of_zsh_are_quoted(text: str, quoted: str) -> None:
    assert shells._quoted(text) == quoted and shlex.split(quoted) == [text]
