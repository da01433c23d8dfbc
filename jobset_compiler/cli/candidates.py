"""What may stand where the cursor is: for completion in shells that ask the program itself, and for kubectl, which asks its plugins."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.cli import VERBS, verb_of
from jobset_compiler.cli.arguments import EVERYWHERE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.cli.arguments import Option, Verb

# Directives of kubectl's completion (cobra's): files too, or nothing else.
FILES = 0
NO_FILES = 4


class Candidates(NamedTuple):
    """(word, what it is) pairs that begin with the word at the cursor, and whether a path may stand there."""

    words: tuple[tuple[str, str], ...]
    files: bool


def offered(name: str) -> tuple[str, ...]:
    """The values of `Option.offers` and `Verb.offers`; () for ""."""
    if name == "releases":
        from jobset_compiler.profiles import PROFILES

        return tuple(profile.name for profile in PROFILES)
    if name == "jobsets":
        from jobset_compiler.profiles import JOBSETS

        return tuple(jobset.version for jobset in JOBSETS)
    if name == "kubernetes":
        from jobset_compiler.profiles.kubernetes import MINORS

        return tuple(minor.name for minor in MINORS)
    if name == "codes":
        from jobset_compiler.diagnostics.codes import all_codes

        codes = all_codes()
        return (*(code.code for code in codes), *(code.slug for code in codes))
    if name == "formats":
        from jobset_compiler.cli.check import FORMATS

        return FORMATS
    if name == "runtimes":
        from jobset_compiler import runtimes
        from jobset_compiler.profiles import NEWEST

        return runtimes.names(NEWEST.name)
    assert not name, name
    return ()


def options_of(verb: Verb) -> tuple[Option, ...]:
    return (*verb.options, *EVERYWHERE)


def values_of(option: Option) -> tuple[str, ...]:
    return option.choices or offered(option.offers)


def takes_paths(verb: Verb) -> bool:
    return "PATH" in verb.takes


def candidates(before: Sequence[str], word: str) -> Candidates:
    """What may stand at `word`, after the words `before`, of which the first is the verb: render where it is none."""
    if not before:
        verbs = [(name, verb_of(name).summary) for name in VERBS]
        return _matching([*verbs, ("--help", "show help"), ("--version", "show the version")], word, files=True)
    verb = verb_of(before[0] if before[0] in VERBS else "render")
    options = {name: option for option in options_of(verb) for name in option.names}
    last = options.get(before[-1])
    if last is not None and last.value:
        return _matching([(value, "") for value in values_of(last)], word, files=last.paths)
    name, equals, _ = word.partition("=")
    if equals and name in options:
        return _matching([(f"{name}={value}", "") for value in values_of(options[name])], word, files=False)
    if word.startswith("-"):
        return _matching([(option.name, option.help) for option in options_of(verb)], word, files=False)
    return _matching([(value, "") for value in (*verb.words, *offered(verb.offers))], word, files=takes_paths(verb))


def _matching(pairs: Sequence[tuple[str, str]], word: str, *, files: bool) -> Candidates:
    return Candidates(tuple(pair for pair in pairs if pair[0].startswith(word)), files)


def lines(found: Candidates) -> str:
    """A line each: the word, a tab and what it is, if that is known."""
    return "".join(f"{word}\t{what}\n" if what else f"{word}\n" for word, what in found.words)


def for_kubectl(words: Sequence[str]) -> str:
    """What kubectl_complete-trainjob prints for the words of the command line, of which the last is at the cursor: candidates, then a directive."""
    *before, word = words or ("",)
    found = candidates(before, word)
    return f"{lines(found)}:{FILES if found.files else NO_FILES}\n"
