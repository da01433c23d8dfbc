"""Arguments of the command line: a verb says what it takes as data, from which parsing, help and completion are made.

Not argparse, because importing it and building its parsers costs a third of the start of the interpreter; the notation is the
same: `--name VALUE`, `--name=VALUE`, `-n VALUE`, `-nVALUE`, flags joined as `-ab`, `--` before paths that start with a dash.
"""

from jobset_compiler.value import Frozen


class UsageError(Exception):
    """The command line cannot be understood; the message says why, in one line."""


class Option(Frozen):
    """`names` begin with the dashes, the one that it is known by last ("-o", "--output").

    value: what is said of its value in the help, "" for a flag; choices: the only values it takes; many: may be repeated;
    paths: the value is a path; offers: the name of the values that completion offers (`completion.offered`);
    is_word: each value counts as a positional argument.
    """

    names: tuple[str, ...]
    help: str
    value: str = ""
    choices: tuple[str, ...] = ()
    many: bool = False
    paths: bool = False
    offers: str = ""
    is_word: bool = False

    @property
    def name(self) -> str:
        return self.names[-1]


class Verb(Frozen):
    """One command: `takes` is what is said of its positional arguments, `least` and `most` how many there may be (-1: any number).

    Completion offers `words`, and the values whose name is in `offers`.
    """

    name: str
    summary: str
    text: str
    options: tuple[Option, ...]
    examples: tuple[tuple[str, str], ...]
    takes: str = ""
    least: int = 0
    most: int = 0
    words: tuple[str, ...] = ()
    offers: str = ""


class Arguments:
    """What was given: positional arguments in `words`, and the values of the options by name."""

    __slots__ = ("_values", "words")

    def __init__(self, words: tuple[str, ...], values: dict[str, tuple[str, ...]]) -> None:
        self.words = words
        self._values = values

    def with_words(self, words: tuple[str, ...]) -> "Arguments":
        """The same options with other positional arguments."""
        return Arguments(words, self._values)

    def has(self, name: str) -> bool:
        return name in self._values

    def all(self, name: str) -> tuple[str, ...]:
        """Every value that an option was given, in order."""
        return self._values.get(name, ())

    def get(self, name: str, default: str = "") -> str:
        """The last value that an option was given."""
        values = self._values.get(name)
        return values[-1] if values else default


HELP = Option(("-h", "--help"), "show this help")
# What every verb takes.
EVERYWHERE = (
    Option(("-q", "--quiet"), "only errors, in every format"),
    Option(("-v", "--verbose"), "also what every valid input gets: bundled runtimes, placeholders, documents of other kinds"),
    HELP,
)
# Options of kubectl and others that people have in their hands.
FOREIGN = {
    **dict.fromkeys(("-R", "--recursive"), ": leave it out, folders are read with all that is below them"),
    **dict.fromkeys(("--dry-run", "--server-side"), ": leave it out, nothing is sent to a cluster"),
    "--strict": ": write --validate strict",
    **dict.fromkeys(("--context", "--kubeconfig", "--cluster"), ": leave it out, no cluster is asked"),
}


def parse(verb: Verb, argv: list[str]) -> Arguments:
    """The arguments after the verb; raises UsageError."""
    options = {name: option for option in (*verb.options, *EVERYWHERE) for name in option.names}
    words: list[str] = []
    values: dict[str, tuple[str, ...]] = {}
    rest = iter(argv)
    for argument in rest:
        if argument == "--":
            words += rest
        elif argument == "-" or not argument.startswith("-"):
            words.append(argument)
        else:
            name, value = _split(argument, options)
            option = options.get(name)
            if option is None:
                raise UsageError(f"unknown option {name}{FOREIGN.get(name) or _near(name, options)}")
            if option.value:
                if value is None:
                    value = next(rest, None)
                if value is None:
                    raise UsageError(f"option {name} needs a value: {name} {option.value}")
                _check_choice(name, value, option.choices)
                if option.paths and not value:
                    raise UsageError(f"option {name} needs a path, not an empty text")
            elif value is not None:
                raise UsageError(f"option {name} takes no value")
            if option.is_word:
                words.append(value or "")
                continue
            given = values.get(option.name, ())
            values[option.name] = (*given, value or "") if option.many else (value or "",)
    if HELP.name not in values:
        _check_count(verb, words)
    return Arguments(tuple(words), values)


def _split(argument: str, options: dict[str, Option]) -> tuple[str, str | None]:
    """The option of an argument and the value that stands in it, None for none."""
    if argument.startswith("--"):
        name, equals, value = argument.partition("=")
        return name, value if equals else None
    name, value = argument[:2], argument[2:]
    option = options.get(name)
    if option is None or not value:
        return (name, value or None) if option else (argument, None)
    if not option.value:
        raise UsageError(f"option {name} takes no value; write -{value} on its own")
    return name, value.removeprefix("=")


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if choices and value not in choices:
        raise UsageError(f"{name} is one of {', '.join(choices)}, not {value!r}{_near(value, choices)}")


def _check_count(verb: Verb, words: list[str]) -> None:
    if len(words) < verb.least:
        raise UsageError(f"{verb.takes} is missing")
    if 0 <= verb.most < len(words):
        raise UsageError(f"too many arguments: {' '.join(words[verb.most :])}")


def _near(name: str, names: object) -> str:
    from difflib import get_close_matches

    assert isinstance(names, (dict, tuple))
    found = get_close_matches(name, list(names), n=1, cutoff=0.6)
    return f"; did you mean {found[0]}?" if found else ""


def near(name: str, names: tuple[str, ...]) -> str:
    """ "; did you mean X?" where one of the names is close, else nothing."""
    return _near(name, names)
