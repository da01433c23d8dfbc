"""The notation of arguments."""

from __future__ import annotations

import pytest

from jobset_compiler.cli import VERBS, verb_of
from jobset_compiler.cli.arguments import Arguments, Option, UsageError, Verb, parse

VERB = Verb(
    "test",
    "",
    "",
    (
        Option(("-o", "--output"), "", "FORMAT", choices=("yaml", "json")),
        Option(("-r", "--runtime"), "", "PATH", many=True),
        Option(("-q", "--quiet"), ""),
        Option(("--strict",), ""),
    ),
    (),
    takes="PATH",
    least=1,
    most=2,
)


def parsed(*argv: str) -> Arguments:
    return parse(VERB, list(argv))


@pytest.mark.parametrize("argv", [["-o", "json"], ["-ojson"], ["-o=json"], ["--output", "json"], ["--output=json"], ["-o", "yaml", "-o", "json"]])
def test_values(argv: list[str]) -> None:
    assert parsed("a", *argv).get("--output") == "json"
    assert parsed(*argv, "a").words == ("a",)


def test_flags_and_repeated_options() -> None:
    arguments = parsed("-q", "-r", "a", "x", "--runtime=b", "-rc")
    assert arguments.has("--quiet")
    assert not arguments.has("--strict")
    assert arguments.all("--runtime") == ("a", "b", "c")
    assert arguments.words == ("x",)


def test_what_was_not_given() -> None:
    arguments = parsed("a")
    assert (arguments.get("--output"), arguments.get("--output", "yaml"), arguments.all("--runtime")) == ("", "yaml", ())


def test_a_value_may_look_like_an_option_or_be_empty() -> None:
    assert parsed("a", "-r", "-q").all("--runtime") == ("-q",)
    assert parsed("a", "--runtime=").all("--runtime") == ("",)


def test_words() -> None:
    assert parsed("-", "--", "-q").words == ("-", "-q")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "PATH is missing"),
        (["a", "b", "c"], "too many arguments: c"),
        (["a", "--quite"], "unknown option --quite; did you mean --quiet?"),
        (["a", "-x"], "unknown option -x"),
        (["a", "-xy"], "unknown option -xy"),
        (["a", "--quiet=1"], "option --quiet takes no value"),
        (["a", "-qo"], "option -q takes no value; write -o on its own"),
        (["a", "-r"], "option -r needs a value: -r PATH"),
        (["a", "-o", "yamll"], "-o is one of yaml, json, not 'yamll'; did you mean yaml?"),
        (["a", "--out", "json"], "unknown option --out"),
    ],
)
def test_what_cannot_be_understood(argv: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parsed(*argv)
    assert message in str(caught.value)


def test_help_asks_for_nothing_else() -> None:
    assert parsed("--help").has("--help")


@pytest.mark.parametrize("name", VERBS)
def test_no_verb_has_two_options_of_one_name(name: str) -> None:
    names = [spelled for option in verb_of(name).options for spelled in option.names]
    assert len(names) == len(set(names))
    assert all(option.name.startswith("--") for option in verb_of(name).options)


@pytest.mark.parametrize("name", VERBS)
def test_common_options_mean_the_same_everywhere(name: str) -> None:
    spelled = {short: option.name for verb in VERBS for option in verb_of(verb).options for short in option.names[:-1]}
    for option in verb_of(name).options:
        for short in option.names[:-1]:
            assert spelled[short] == option.name or {spelled[short], option.name} in ({"--output", "--format"}, {"--runtime", "--runtimes"})
