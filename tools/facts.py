"""The facts of `upstream/<release>/`: the Go types and the CRD schemas of a release; `upstream/README.md` says what they hold."""

from __future__ import annotations

import gzip
import json
import pathlib
from typing import Any

UPSTREAM = pathlib.Path(__file__).resolve().parent.parent / "upstream"
# What upstream has merged and not released.
UNRELEASED = "next"
TYPES = "types"
CRDS = "crds"


def releases() -> list[str]:
    """The releases that have facts, oldest first; what is not released yet comes last."""
    found = [folder.name for folder in UPSTREAM.iterdir() if (folder / f"{TYPES}.json.gz").is_file()]
    return sorted(found, key=lambda name: (name == UNRELEASED, [int(part) for part in name.removeprefix("v").split(".") if part.isdigit()]))


def released() -> list[str]:
    """The same without what is not released."""
    return [name for name in releases() if name != UNRELEASED]


def load(release: str, what: str) -> dict[str, Any]:
    """TYPES or CRDS of a release."""
    facts: dict[str, Any] = json.loads(gzip.decompress((UPSTREAM / release / f"{what}.json.gz").read_bytes()))
    return facts


def save(release: str, what: str, facts: dict[str, Any]) -> None:
    """The same facts make the same bytes."""
    file = UPSTREAM / release / f"{what}.json.gz"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress((json.dumps(facts, sort_keys=True, separators=(",", ":")) + "\n").encode(), 9, mtime=0))
