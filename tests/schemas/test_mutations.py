"""Wherever a document is damaged, the type table, the JSON Schema and the model say the same about it."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from jobset_compiler.admission.schema import admit_document
from jobset_compiler.kube.retype import retype
from jobset_compiler.models import model_of
from jobset_compiler.profiles import RELEASED, Profile
from jobset_compiler.schemas import KINDS, json_schema
from jobset_compiler.source.reader import read_text

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))
REPLACEMENTS: tuple[Any, ...] = (
    None,
    "",
    "text",
    "1",
    "hf://a/b",
    0,
    1,
    -1,
    2**31,
    2**63,
    0.5,
    True,
    [],
    {},
    [None],
    ["a"],
    ["a", "b"],
    [{}],
    {"a": "b"},
    {"name": "x"},
)


@cache
def documents() -> list[dict[str, Any]]:
    texts = [path.read_text(encoding="utf-8") for path in EXAMPLES]
    texts += [path.read_text(encoding="utf-8") for path in sorted((ROOT / "jobset_compiler" / "runtimes" / "v2.3").glob("*.yaml"))]
    return [document.value for text in texts for document in read_text(text)[0]]


@cache
def validator(kind: str, release: str) -> Draft202012Validator:
    return Draft202012Validator(json_schema(kind, release))


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Paths of everything below the root but type, and the status that the server drops."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [path] if path else []
    return found + [place for key, item in items if path or key not in ("apiVersion", "kind", "status") for place in places(item, (*path, key))]


def server_faults(document: dict[str, Any], profile: Profile) -> set[str]:
    """What strict validation by the type table finds, and what the Go types cannot hold."""
    kind = document["kind"]
    verdict = admit_document(document, kind, profile)
    faults = {finding.kind for finding in verdict.errors} | {"unknown" for _ in verdict.pruned}
    return faults or {"unfit" for _ in retype(verdict.value, profile.types(), KINDS[kind][0])[1]}


def model_refuses(document: dict[str, Any], profile: Profile) -> bool:
    try:
        model_of(document["kind"], profile.name).from_dict(document)
    except ValidationError:
        return True
    return False


@pytest.mark.parametrize("profile", RELEASED, ids=lambda profile: profile.name)
@given(data=st.data())
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_all_three_agree_on_damaged_documents(profile: Profile, data: st.DataObject) -> None:
    document = copy.deepcopy(data.draw(st.sampled_from(documents())))
    for _ in range(data.draw(st.integers(1, 2))):
        *path, last = data.draw(st.sampled_from(places(document)))
        holder: Any = document
        for step in path:
            holder = holder[step]
        action = data.draw(st.sampled_from(("replace", "delete", "add")))
        if action == "delete":
            del holder[last]
        elif action == "replace":
            holder[last] = copy.deepcopy(data.draw(st.sampled_from(REPLACEMENTS)))
        elif isinstance(holder, dict):
            holder[data.draw(st.sampled_from(("unknown", "labels", "name", "env", "image", "num_nodes")))] = copy.deepcopy(
                data.draw(st.sampled_from(REPLACEMENTS))
            )
        if not places(document):
            break
    faults = server_faults(document, profile)
    assert model_refuses(document, profile) == bool(faults), (faults, document)
    if faults != {"FieldValueDuplicate"}:  # JSON Schema cannot tell items with the same key
        complaints = [f"{error.json_path}: {error.message}" for error in validator(document["kind"], profile.name).iter_errors(document)]
        assert bool(complaints) == bool(faults), (faults, complaints, document)
