"""What JobSet's own admission and controller made of upstream's JobSets: the cases of ../shared/conformance/admitted."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES = Path(__file__).resolve().parents[3] / "shared" / "conformance"
ABSENT = "the conformance cases (../shared/conformance) are not there"


class Admitted(NamedTuple):
    """A JobSet as submitted, and after its own admission; `children` with the key `waits` where they wait."""

    case: str
    profile: str
    submitted: dict[str, Any]
    defaulted: dict[str, Any]
    children: list[dict[str, Any]]


def admitted(every: int) -> Iterator[Admitted]:
    """One accepted case out of `every`."""
    for file in sorted((CASES / "admitted").glob("*.jsonl.gz")):
        with gzip.open(CASES / file.name, "rt", encoding="utf-8", newline="") as main, gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
            sampled = {case["id"]: case for case in map(json.loads, (line for number, line in enumerate(lines) if number % every == 0))}
            for case in filter(lambda case: case["id"] in sampled, map(json.loads, main)):
                for profile, answers in sampled[case["id"]]["jobset"].items():
                    result = case["results"][profile]
                    if result["stage"] == "ok":
                        jobsets = [manifest for manifest in result["objects"] if manifest["kind"] == "JobSet"]
                        for submitted, answer in zip(jobsets, answers, strict=True):
                            yield Admitted(case["id"], profile, submitted, answer["defaulted"], answer["children"])
