"""What fuzzing starts from: the inputs of the shipped sample of upstream's answers, of the goldens, and the examples."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import answers
from jobset_compiler.source.reader import read_text
from tests.golden.cases import all_cases

ROOT = Path(__file__).resolve().parents[2]


@cache
def texts() -> tuple[str, ...]:
    """Always in the same order, so that a seed means the same."""
    found = [case["input"] for case in answers.cases("compile")]
    found += [case.text for case in all_cases()]
    found += [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").glob("*.yaml"))]
    return tuple(dict.fromkeys(found))


class Donors(NamedTuple):
    """Parts of manifests by the key that they stand at: where something else may come from that has nearly the right form."""

    keys: tuple[str, ...]
    values: dict[str, tuple[Any, ...]]


@cache
def donors() -> Donors:
    """From goldens and examples, which name every field that means something to us."""
    values: dict[str, dict[str, Any]] = {}
    for case in all_cases():
        for document in read_text(case.text)[0]:
            _collect(document.value, values)
    return Donors(tuple(sorted(values)), {key: tuple(found.values()) for key, found in values.items()})


def _collect(value: Any, values: dict[str, dict[str, Any]]) -> None:
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if isinstance(key, str):
            values.setdefault(key, {}).setdefault(repr(item), item)
        _collect(item, values)
