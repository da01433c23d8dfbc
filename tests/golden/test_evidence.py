"""Goldens that say "ran upstream" say it of an input that upstream has answered, and give that answer."""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from functools import cache
from typing import Any

import pytest

from jobset_compiler.source.reader import read_text
from tests.golden.cases import GOLDEN, Case, all_cases

CORPUS = GOLDEN.parents[1] / "shared" / "conformance" / "server"
RAN = [case for case in all_cases() if case.settings["evidence"] == "ran upstream"]

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the conformance corpus (../shared/conformance) is not here")


def cited(case: Case) -> str:
    return str(case.settings["cites"][0]).removeprefix("conformance ")


@cache
def answers() -> dict[str, dict[str, Any]]:
    """The cited cases of the corpus by id."""
    wanted = defaultdict(set)
    for case in RAN:
        wanted[cited(case).split("/")[1]].add(cited(case))
    found = {}
    for family, ids in wanted.items():
        with gzip.open(CORPUS / f"{family}.jsonl.gz", "rt", encoding="utf-8", newline="") as lines:
            for line in lines:
                answer = json.loads(line)
                if answer["id"] in ids:
                    found[answer["id"]] = answer
    return found


def same(expected: Any, got: Any) -> bool:
    """Equal, where "<random>" stands for any text and {"$contains": [...]} for one with all these parts."""
    if expected == "<random>":
        return isinstance(got, str) and got != ""
    if isinstance(expected, dict):
        if set(expected) == {"$contains"}:
            return all(part in got for part in expected["$contains"])
        return isinstance(got, dict) and expected.keys() == got.keys() and all(same(expected[key], got[key]) for key in expected)
    if isinstance(expected, list):
        return isinstance(got, list) and len(expected) == len(got) and all(map(same, expected, got))
    return type(expected) is type(got) and bool(expected == got)


def key(thing: dict[str, Any]) -> str:
    return f"{thing['apiVersion']} {thing['kind']} {thing['metadata']['name']} {thing['metadata'].get('namespace')}"


def test_conformance_is_cited_by_its_id() -> None:
    for case in RAN:
        assert re.fullmatch(r"conformance named/[a-z]+/\S+", case.settings["cites"][0]), case.id


@pytest.mark.parametrize("case", RAN, ids=lambda case: case.id)
def test_upstream_answered_this_input(case: Case) -> None:
    answer = answers()[cited(case)]
    if case.area == "runtimes" and case.text != answer["input"]:
        # The runtime comes with us; a sibling release has its own entry in the corpus.
        documents = [document.value for document in read_text(answer["input"])[0]]
        assert [document.value for document in read_text(case.text)[0]] == documents[-1:]
    else:
        assert case.text == answer["input"]
    for profile in case.releases:
        if profile not in answer["results"]:
            continue
        result, wanted = case.compile(profile), answer["results"][profile]
        assert result.ok is (wanted["stage"] == "ok"), profile
        if result.ok:
            got = sorted(json.loads(json.dumps(result.objects)), key=key)
            assert any(same(sorted(objects, key=key), got) for objects in (wanted["objects"], *wanted.get("alternatives", ()))), profile
