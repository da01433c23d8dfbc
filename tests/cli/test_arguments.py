"""The notation of arguments."""

from __future__ import annotations

import pytest

from jobset_compiler.cli import VERBS, verb_of
from jobset_compiler.cli.arguments import Arguments, Option, UsageError, Verb, near, parse

VERB = Verb(
    "test",
    "",
    "",
    (
        Option(("-o", "--output"), "", "FORMAT", choices=("yaml", "json")),
        Option(("-r", "--runtime"), "", "PATH", many=True),
        Option(("-q", "--quiet"), ""),
        Option(("--strict",), ""),
        Option(("-p", "--path"), "", "FILE", paths=True),
        Option(("-f", "--filename"), "", "PATH", is_word=True),
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
        (["a", "--out", "json"], "unknown option --out; did you mean --output?"),
        (["a", "-R"], "unknown option -R: leave it out, folders are read with all that is below them"),
        (["a", "--dry-run=client"], "unknown option --dry-run: leave it out, nothing is sent to a cluster"),
        (["a", "b", "c", "d"], "too many arguments: c d"),
        (["a", "-p"], "option -p needs a value: -p FILE"),
        (["a", "--path="], "option --path needs a path, not an empty text"),
        (["a", "-p", ""], "option -p needs a path, not an empty text"),
        (["a", "-qqx"], "option -q takes no value; write -qx on its own"),
    ],
)
def test_what_cannot_be_understood(argv: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parsed(*argv)
    assert str(caught.value) == message


def test_the_last_of_several_values_counts_where_only_one_is_wanted() -> None:
    arguments = parsed("a", "-o", "yaml", "--output", "json", "-p", "x", "-py")
    assert (arguments.all("--output"), arguments.all("--path"), arguments.get("--path")) == (("json",), ("y",), "y")
    other = arguments.with_words(("b", "c"))
    assert (other.words, other.all("--output")) == (("b", "c"), ("json",)) and arguments.words == ("a",)


def test_an_option_may_be_a_word() -> None:
    arguments = parsed("-f", "x", "--filename=y")
    assert arguments.words == ("x", "y") and not arguments.has("--filename")
    with pytest.raises(UsageError, match=r"^too many arguments: z$"):
        parsed("a", "b", "-fz")


def test_any_number_of_words_and_none() -> None:
    assert parse(VERB._replace(least=0, most=-1), list("abcde")).words == tuple("abcde")
    assert parse(VERB._replace(least=0, most=0), []).words == ()
    with pytest.raises(UsageError, match=r"^too many arguments: a b$"):
        parse(VERB._replace(least=0, most=0), ["a", "b"])


@pytest.mark.parametrize(("name", "told"), [("verify", ""), ("rendr", "; did you mean render?"), ("", ""), ("render", "; did you mean render?")])
def test_what_is_near(name: str, told: str) -> None:
    assert near(name, ("render", "check")) == told


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
