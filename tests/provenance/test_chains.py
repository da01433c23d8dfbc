"""The whole chain of origins of every field that comes out. Read the text below `__snapshots__`; `--snapshot-update` writes it."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from jobset_compiler.diagnostics import addresses
from jobset_compiler.provenance.origins import headings_at, origins_at
from tests.explain.inputs import INPUTS, compiled


@pytest.mark.parametrize("name", [name for name in INPUTS if name not in ("everything, before the runtime was kept", "another JobSet")])
def test_every_chain(name: str, snapshot: SnapshotAssertion) -> None:
    (unit,) = compiled(name).units
    lines = []
    for manifest in unit.objects:
        lines.append(f"{manifest['kind']} {manifest['metadata']['name']}")
        for leaf in addresses.leaves(manifest):
            lines.append(f"  {addresses.text(addresses.keyed(manifest, leaf))}")
            lines += [f"    {origin}" for origin in origins_at(unit, manifest, leaf)]
    assert "\n".join(lines) == snapshot


def test_headings_stand_on_keys(snapshot: SnapshotAssertion) -> None:
    (unit,) = compiled("three patches").units
    jobset = unit.objects[0]
    places = dict.fromkeys(leaf[:depth] for leaf in addresses.leaves(jobset) for depth in range(1, len(leaf)))
    lines = [f"{addresses.text(addresses.keyed(jobset, place))}: {' | '.join(map(str, headings_at(unit, jobset, place)))}" for place in places]
    assert "\n".join(lines) == snapshot
