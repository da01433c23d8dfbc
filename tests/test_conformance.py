"""Upstream's own recorded answers (`upstream/README.md`): we agree with each, but for those that a list names, which only gets shorter."""

from __future__ import annotations

import pathlib

import pytest

import answers
import compare

FILES = [pytest.param(kind, file, id=f"{kind}-{file.name.partition('.')[0]}") for kind in compare.KINDS for file in answers.files(kind)]


@pytest.mark.parametrize(("kind", "file"), FILES)
def test_answers_agree(kind: str, file: pathlib.Path) -> None:
    runs = list(compare.runs_of(kind, file))
    assert runs
    differing = {run.name: problems for run in runs if (problems := compare.judge(run))}
    known = compare.known()
    assert {name: problems for name, problems in differing.items() if name not in known} == {}
    mended = known & ({run.name for run in runs} - differing.keys())
    assert not mended, "these agree by now: run `python tools/compare.py --forget`"


def test_the_list_of_known_differences_is_in_order() -> None:
    lines = compare.DIFFERING.read_text().splitlines()
    assert lines == sorted(set(lines))
