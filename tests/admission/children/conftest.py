"""What the tests of this folder hear, whole."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.admission.children import said


@pytest.fixture
def whole_words(snapshot: SnapshotAssertion) -> Iterator[None]:
    """Of all that a test hears, the whole words, the place and the advice stand below `__snapshots__`; `--snapshot-update` writes them."""
    said.HEARD.clear()
    yield
    heard = list(dict.fromkeys(map(said.whole, said.HEARD)))
    if heard:
        assert "\n".join(heard) == snapshot(name="heard")
