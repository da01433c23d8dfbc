"""From a number to a text, and everything that must hold of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

from jobset_compiler.source.reader import read_text
from tests.fuzz import grammar, mutate, trees
from tests.fuzz.commands import check_commands
from tests.fuzz.compiling import check_compile
from tests.fuzz.corpus import texts
from tests.fuzz.reading import check_reading


class Case(NamedTuple):
    """kind: how the text was made; before: what it was made from, or another text that may be its earlier version."""

    seed: int
    kind: str
    text: str
    before: str


def make(seed: int) -> Case:
    """The case of a seed: always the same while corpus and mutations are."""
    rng = Random(seed)
    kind = rng.choice(tuple(KINDS))
    before = rng.choice(texts())
    return Case(seed, kind, well_formed(KINDS[kind](before, rng)), before)


def _of_text(before: str, rng: Random) -> str:
    return mutate.mutate(before, rng.choice(texts()), rng)


def _of_tree(before: str, rng: Random) -> str:
    documents = [document.value for document in read_text(before)[0]]
    return trees.write(trees.mutate(documents, rng), rng)


def _of_both(before: str, rng: Random) -> str:
    return _of_text(_of_tree(before, rng), rng)


def _of_grammar(_: str, rng: Random) -> str:
    """Documents of a grammar, which are read; some have the head of a TrainJob."""
    text = grammar.stream(rng, "p")
    if rng.random() < 0.3:
        text = text.replace("example.dev/v1\nkind: Probe", "trainer.kubeflow.org/v1alpha1\nkind: TrainJob")
        text = text.replace("value:", rng.choice(("spec:", "spec:", "metadata:", "value:")))
    return text if rng.random() < 0.7 else mutate.mutate(text, "a: b\n", rng)


KINDS: dict[str, Callable[[str, Random], str]] = {"text": _of_text, "tree": _of_tree, "tree, then text": _of_both, "grammar": _of_grammar}


def well_formed(text: str) -> str:
    """The text as a file may have it: halves of characters, which no UTF-8 has, are gone."""
    return text.encode("utf-8", "ignore").decode()


def check(case: Case, folder: Path) -> None:
    """Raises where something does not hold, in particular AssertionError."""
    rng = Random(f"{case.seed} checks")
    check_reading(case.text, rng)
    check_compile(case.text, case.before, rng)
    check_commands(case.text, case.before, folder, rng)
