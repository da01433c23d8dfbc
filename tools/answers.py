"""The recorded answers of `upstream/answers/`, for tools and tests; what they hold is said in `upstream/README.md`."""

from __future__ import annotations

import gzip
import json
import os
import pathlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

UPSTREAM = pathlib.Path(__file__).resolve().parent.parent / "upstream"
# Another folder of the same layout, such as one that holds a whole corpus (`tools/sample.py --all`).
FOLDER = pathlib.Path(os.environ.get("JOBSET_COMPILER_ANSWERS") or UPSTREAM / "answers")

Case = dict[str, Any]


def read(file: pathlib.Path) -> Iterator[Case]:
    """The cases of one file, a line each."""
    with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
        yield from map(json.loads, lines)


def files(kind: str, folder: pathlib.Path = FOLDER) -> list[pathlib.Path]:
    """Where the cases of a kind are: `KIND/FAMILY.jsonl.gz`, or the one file `KIND.jsonl.gz`."""
    return sorted((folder / kind).glob("*.jsonl.gz")) or [folder / f"{kind}.jsonl.gz"]


def cases(kind: str, family: str = "*") -> Iterator[Case]:
    for file in files(kind):
        if family in ("*", file.name.partition(".")[0]):
            yield from read(file)
