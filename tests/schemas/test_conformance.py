"""The JSON Schemas against upstream's recorded answers.

What JSON Schema cannot express, and these tests leave out:

* list-map keys: two items that differ but have the same key (items that are equal are refused by `uniqueItems`)
* numbers within 1e-9 of a whole number, which the API server takes for integers
* rules on changes ("immutable"), which need the object before; the cases are all new objects
"""

from __future__ import annotations

import os
from functools import cache

from jsonschema import Draft202012Validator

from jobset_compiler.schemas import json_schema
from tests.schemas import upstream

# Of several thousand documents one in so many is checked; JOBSET_COMPILER_ALL_CASES=1 checks each.
SAMPLE = 1 if os.environ.get("JOBSET_COMPILER_ALL_CASES") else 7


@cache
def validator(kind: str, release: str) -> Draft202012Validator:
    return Draft202012Validator(json_schema(kind, release, strict=False))


def test_accepts_what_the_api_server_accepts() -> None:
    accepted = [answer for answer in upstream.answers() if not answer.error_types and not upstream.holds_a_fraction(answer.document)]
    assert accepted
    for answer in accepted[::SAMPLE]:
        found = [(error.json_path, error.message) for error in validator(answer.kind, answer.release).iter_errors(answer.document)]
        assert not found, (answer.case, answer.release)


def test_refuses_what_the_api_server_refuses() -> None:
    refused = [answer for answer in upstream.answers() if set(answer.error_types) - {"FieldValueDuplicate"}]
    assert refused
    for answer in refused:
        assert not validator(answer.kind, answer.release).is_valid(answer.document), (answer.case, answer.release, answer.messages)


def test_accepts_the_job_sets_that_upstream_makes() -> None:
    made = upstream.job_sets()
    assert made
    for release, item in made[:: SAMPLE * 3]:
        found = [(error.json_path, error.message) for error in validator("JobSet", release).iter_errors(item)]
        assert not found, (release, item["metadata"]["name"])
