"""Upstream's own recorded answers, a sample of them: `.ci/run` compares all. Needs ../shared beside this checkout."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "conformance"
SERVER = FOLDER / "server"
SERVER = FOLDER / "server"
pytestmark = pytest.mark.skipif(not (FOLDER / "run.py").is_file(), reason="the recorded answers (../shared/conformance) are not here")
PROFILES = ("v2.0", "v2.1", "v2.2", "v2.3")
# Its expected message is the stack trace of a crash.
ANSWERED_OTHERWISE = {"x-many/v2.2/s601/00041"}
EVERY = 13


def comparison() -> Any:
    spec = importlib.util.spec_from_file_location("conformance_run", FOLDER / "run.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("profile", PROFILES)
def test_answers_agree(profile: str) -> None:
    run = comparison()
    cases = [case for index, case in enumerate(run.load(SERVER, None, None)) if index % EVERY == PROFILES.index(profile) and profile in case["results"]]
    assert len(cases) > 100
    differing = {
        case["id"]: {column: verdict for column, verdict in run.judge(case, profile)[0].items() if verdict is False}
        for case in cases
        if case["id"] not in ANSWERED_OTHERWISE
    }
    assert {case: columns for case, columns in differing.items() if columns} == {}
