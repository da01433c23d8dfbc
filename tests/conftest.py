"""Settings that hold for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# In CI the same examples every time: what fails there was caused by the change, not by luck. Elsewhere hypothesis explores.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "explore")
