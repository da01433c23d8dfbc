"""Models, type table and JSON Schemas agree with each other and with upstream's recorded answers.

The models leave out what `tests/schemas/test_conformance.py` lists, but for list-map keys, which they check. Numbers within
1e-9 of a whole number are refused by both.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from jobset_compiler.models import model_of
from jobset_compiler.profiles import RELEASED
from jobset_compiler.schemas import KINDS
from tests.schemas import upstream

if TYPE_CHECKING:
    from jobset_compiler.kube.table import Field, TypeTable

SAMPLE = 1 if os.environ.get("JOBSET_COMPILER_ALL_CASES") else 5
TABLES: dict[str, TypeTable] = {profile.name: profile.types() for profile in RELEASED}


def pruned(value: Any, field: Field) -> Any:
    """The value without unknown fields and nulls, as the type table has it."""
    if field.kind == "struct" and isinstance(value, dict):
        known = field.struct.fields
        return {key: pruned(item, known[key]) for key, item in value.items() if key in known and item is not None}
    if field.kind == "map" and isinstance(value, dict):
        assert field.elem is not None
        return {key: pruned(item, field.elem) for key, item in value.items() if item is not None}
    if field.kind == "list" and isinstance(value, list):
        assert field.elem is not None
        return [pruned(item, field.elem) for item in value]
    return value


def known_part(document: dict[str, Any], release: str) -> dict[str, Any]:
    fields = TABLES[release].struct(KINDS[document["kind"]][0]).fields
    return {key: pruned(item, fields[key]) for key, item in document.items() if key in fields and item is not None}


def as_json(tree: Any) -> str:
    """Text that is equal only for equal types as well: 1, true and 1.0 differ."""
    return json.dumps(tree, sort_keys=True)


def test_accepts_what_the_api_server_accepts_and_writes_it_back() -> None:
    accepted = [answer for answer in upstream.answers() if not answer.error_types and not upstream.holds_a_fraction(answer.document)]
    assert accepted
    for answer in accepted[::SAMPLE]:
        model = model_of(answer.kind, answer.release)
        try:
            written = model.from_dict(answer.document, unknown="ignore").to_dict()
        except ValidationError as error:
            raise AssertionError((answer.case, answer.release)) from error
        assert as_json(written) == as_json(known_part(answer.document, answer.release)), (answer.case, answer.release)


def test_refuses_what_the_api_server_refuses() -> None:
    refused = [answer for answer in upstream.answers() if answer.error_types]
    assert refused
    for answer in refused:
        try:
            model_of(answer.kind, answer.release).from_dict(answer.document, unknown="ignore")
        except ValidationError:
            continue
        pytest.fail(f"{answer.case} {answer.release}: accepted, but upstream says {answer.messages}")


def test_reads_and_writes_the_job_sets_that_upstream_makes() -> None:
    made = upstream.job_sets()
    assert made
    for release, item in made[:: SAMPLE * 3]:
        assert as_json(model_of("JobSet", release).from_dict(item).to_dict()) == as_json(item), (release, item["metadata"]["name"])
