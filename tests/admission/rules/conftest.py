"""What the tests of this folder hear from webhooks, whole."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.admission.rules import cases


@pytest.fixture
def whole_words(snapshot: SnapshotAssertion) -> Iterator[None]:
    """Of all that a test hears, the whole words, the place and the advice stand below `__snapshots__`; `--snapshot-update` writes them."""
    cases.HEARD.clear()
    yield
    heard = list(dict.fromkeys(map(cases.whole, cases.HEARD)))
    if heard:
        assert "\n".join(heard) == snapshot(name="heard")
