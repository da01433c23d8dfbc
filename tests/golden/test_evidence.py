"""Goldens that say "ran upstream" say it of an input that upstream has answered, and give that answer."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from functools import cache
from typing import Any

import pytest

import answers
from compare import same
from jobset_compiler.source.reader import read_text
from tests.golden.cases import Case, all_cases

RAN = [case for case in all_cases() if case.settings["evidence"] == "ran upstream"]


def cited(case: Case) -> str:
    return str(case.settings["cites"][0]).removeprefix("conformance ")


@cache
def cited_answers() -> dict[str, dict[str, Any]]:
    """The cited cases of the corpus by id."""
    wanted = defaultdict(set)
    for case in RAN:
        wanted[cited(case).split("/")[1]].add(cited(case))
    found = {}
    for family, ids in wanted.items():
        found.update({answer["id"]: answer for answer in answers.cases("compile", family) if answer["id"] in ids})
    return found


def key(thing: dict[str, Any]) -> str:
    return f"{thing['apiVersion']} {thing['kind']} {thing['metadata']['name']} {thing['metadata'].get('namespace')}"


def test_conformance_is_cited_by_its_id() -> None:
    for case in RAN:
        assert re.fullmatch(r"conformance named/[a-z]+/\S+", case.settings["cites"][0]), case.id


@pytest.mark.parametrize("case", RAN, ids=lambda case: case.id)
def test_upstream_answered_this_input(case: Case) -> None:
    answer = cited_answers()[cited(case)]
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
        assert result.is_submitted is (wanted["stage"] == "ok"), profile
        if result.is_submitted:
            got = sorted(json.loads(json.dumps(result.objects)), key=key)
            assert any(same(sorted(objects, key=key), got) for objects in (wanted["objects"], *wanted.get("alternatives", ()))), profile
