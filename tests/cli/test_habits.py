"""What people type out of habit does what they mean, or names the command that does."""

from __future__ import annotations

import pytest

from tests.cli.conftest import run_here as here


def test_a_code_alone_is_explained() -> None:
    assert here("codes", "JSC201") == here("codes", "explain", "JSC201")
    assert here("codes", "unknown-field", "201") == here("codes", "explain", "unknown-field", "JSC201")
    code, out, err = here("codes", "unknown-fild")
    assert (code, out) == (2, "") and "did you mean unknown-field?" in err


def test_runtimes_alone_lists_and_a_name_shows() -> None:
    assert here("runtimes") == here("runtimes", "list")
    assert here("runtimes", "torch-distributed") == here("runtimes", "show", "torch-distributed")
    code, out, err = here("runtimes", "torch-distribute")
    assert (code, out) == (2, "") and "did you mean torch-distributed?" in err
    assert here("runtimes", "torch-distributed", "list").code == 2


@pytest.mark.parametrize(("typed", "meant"), [("validate", "check"), ("lint", "check"), ("apply", "render"), ("dry-run", "render"), ("convert", "migrate")])
def test_the_verb_of_another_program_names_ours(typed: str, meant: str) -> None:
    code, out, err = here(typed, "job.yaml")
    assert (code, out) == (2, "") and f"unknown command '{typed}'; did you mean {meant}?" in err
