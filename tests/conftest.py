"""Settings that hold for all tests."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from jobset_compiler.admission import alike

# In CI the same examples every time: what fails there was caused by the change, not by luck. Elsewhere hypothesis explores.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "explore")


@pytest.fixture(autouse=True)
def no_verdict_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has its JobSets looked at, whatever tests came before it."""
    monkeypatch.setattr(alike, "_sound", {})
