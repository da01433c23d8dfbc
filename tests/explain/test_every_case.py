"""An explanation can be made of every case of the goldens, of every line of it, and fits where it is read."""

from __future__ import annotations

import json

import pytest

from jobset_compiler.diagnostics.text import columns
from jobset_compiler.explain import explanation
from jobset_compiler.explain.fields import line_of, lines
from jobset_compiler.explain.layout import lay_out
from jobset_compiler.explain.text import names, story
from tests.golden.cases import Case, all_cases

CASES = [case for case in all_cases() if case.accepting and not case.is_migration]


@pytest.mark.parametrize("case", CASES[::9], ids=lambda case: case.id)
def test_it_can_be_told(case: Case) -> None:
    for unit in case.compile(case.accepting[-1]).units:
        told = explanation(unit)
        assert json.loads(json.dumps(told)) == told
        shown = [*lay_out(story(told, gitops=True)), *lay_out(names(told))]
        for number in range(1, case.text.count("\n") + 1):
            shown += lay_out(lines(unit, line_of(unit, "input.yaml", number)))
        for line in shown:
            label, _, rest = line.strip().removeprefix("<- ").partition(" ")
            assert columns(line) <= 80 or not rest or " " not in rest.strip() or len(label) > 40, line
