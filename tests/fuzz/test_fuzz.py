"""A little fuzzing with every run of the tests, always the same; `python -m tests.fuzz` does more of it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.fuzz import __main__ as program
from tests.fuzz import grammar, oracle
from tests.fuzz.cases import KINDS, Case, check, make
from tests.fuzz.commands import VERBS, check_command
from tests.fuzz.reading import check_reading, is_inside
from tests.source.kubectl import needs_kubectl

SEEDS = range(60)
KUBECTL = 120


@pytest.mark.parametrize("seed", SEEDS)
def test_everything_holds_of_any_text(seed: int, tmp_path: Path) -> None:
    """To see the text of a failure: `python -m tests.fuzz --seed N --minimal`."""
    check(make(seed), tmp_path)


@needs_kubectl
def test_kubectl_reads_the_same(tmp_path: Path) -> None:
    texts = {f"p{seed}": grammar.stream(Random(seed), f"p{seed}") for seed in range(KUBECTL)}
    assert oracle.differences(texts, tmp_path) == []


def test_every_verb_and_format_takes_nonsense(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for text in ("", "a: [", "\0", "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata:\n"):
        for file in ("job.yaml", "old.yaml"):
            Path(file).write_text(text)
        for argv in VERBS:
            check_command(argv, "job.yaml", text, Random(0))


def test_a_seed_is_a_text() -> None:
    cases = [make(seed) for seed in SEEDS]
    assert cases == [make(seed) for seed in SEEDS]
    assert {case.kind for case in cases} == set(KINDS)
    assert len({case.text for case in cases}) == len(cases)


def test_a_fault_is_found_named_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found when the two parsers differ, as here by a mark that only one of them is given."""
    monkeypatch.setattr("jobset_compiler.source.pure._DIRECTIVE", __import__("re").compile("(?!)"))
    case = Case(0, "file", "- a\n- b\n%YAML 1.1\nmore: text\n", "")
    fault = program.fault_of(case)
    assert fault is not None
    kind = program.kind_of(fault)
    assert kind.startswith("AssertionError at tests/fuzz/reading.py:") and kind.endswith(": lanes")
    assert program.minimal(case, kind).text.split("\n")[1] == "%YAML 1.1"
    assert program.fault_of(case._replace(text="- a\n")) is None


def test_places_outside_of_a_text_are_noticed() -> None:
    from jobset_compiler.diagnostics.place import Span

    text = "a: b\nc"
    assert is_inside(Span("", 1, 1, 2, 2), text) and is_inside(Span("", 0, 0, 0, 0), text)
    for outside in ((1, 1, 3, 1), (1, 6, 1, 6), (2, 1, 1, 1), (0, 1, 1, 1)[::-1]):
        assert not is_inside(Span("", *outside), text)


def test_reading_takes_any_text() -> None:
    for text in ("", "\ufeff", "\ufeff\ufeffa: b", "---", "---\n", "{", "{}{}", "\x85", "a: \ud800"):
        check_reading(text.encode("utf-8", "replace").decode(), Random(0))
