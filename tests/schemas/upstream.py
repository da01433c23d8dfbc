"""What upstream's API server answered about single documents: the conformance cases, one document and release at a time."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, NamedTuple

from answers import cases
from jobset_compiler.schemas import KINDS
from jobset_compiler.source.reader import read_text

# The server asks the schema about what a webhook of its own wrote: null or "" for what its Go types do not leave out.
WRITTEN_BY_A_WEBHOOK = r'runtimePatches.*(must be of type \w+: "null"|Duplicate value: {"name":""})'
API_VERSION = "trainer.kubeflow.org/v1alpha1"


class Answer(NamedTuple):
    """A document, and whether the API server (types, schema, CEL) or the Go types of a release refuse it; why, if they do."""

    case: str
    release: str
    kind: str
    document: dict[str, Any]
    error_types: tuple[str, ...]
    """Empty where it is accepted."""
    messages: tuple[str, ...]


@cache
def answers() -> tuple[Answer, ...]:
    """Every answer that is certain, equal documents once. Documents after a refused one were never looked at upstream."""
    found: dict[tuple[str, str], Answer] = {}
    for case in cases("compile"):
        for answer in of_case(case):
            key = (answer.release, json.dumps(answer.document, sort_keys=True))
            if len(answer.error_types) >= len(found.get(key, answer).error_types):
                found[key] = answer
    return tuple(found.values())


def of_case(case: dict[str, Any]) -> list[Answer]:
    documents = [document.value for document in read_text(case["input"])[0] if isinstance(document.value, dict)]
    documents = [document for document in documents if document.get("kind") in KINDS and document.get("apiVersion") == API_VERSION]
    out = []
    for release, result in case["results"].items():
        stage = result["stage"]
        if stage in ("yaml", "decode"):
            continue
        for document in documents:
            kind = document["kind"]
            if stage != "ok" and sum(other["kind"] == kind for other in documents) > 1:
                continue  # the stage is that of one of them
            errors: list[dict[str, Any]] = []
            if stage.startswith(("crd:", "decode:")):
                # Errors about other kinds may come from later stages.
                if stage.partition(":")[2] == kind:
                    errors = [error for error in result["errors"] if (error["kind"], error["name"] or "") == (kind, name_of(document))]
                if not errors or any(re.search(WRITTEN_BY_A_WEBHOOK, error["text"]) for error in errors):
                    continue
            out.append(
                Answer(case["id"], release, kind, document, tuple(str(error["type"]) for error in errors), tuple(str(error["text"]) for error in errors))
            )
    return out


def name_of(document: dict[str, Any]) -> str:
    metadata = document.get("metadata")
    if not isinstance(metadata, dict):
        return ""
    name = metadata.get("name") or metadata.get("generateName") or ""
    return name if isinstance(name, str) else ""


def job_sets() -> list[tuple[str, dict[str, Any]]]:
    """(release, JobSet) for every JobSet that a controller submits, but for those whose owner has no UID, which no server accepts."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for case in cases("compile"):
        for release, result in case["results"].items():
            for item in result["objects"]:
                owned = all(owner["uid"] for owner in item["metadata"].get("ownerReferences", ()))
                if item["kind"] == "JobSet" and owned and "$contains" not in json.dumps(item):
                    found[release, json.dumps(item, sort_keys=True)] = item
    return [(release, item) for (release, _), item in found.items()]


def holds_a_fraction(value: object) -> bool:
    """Whether a number in it is not whole. Upstream takes one within 1e-9 of a whole number for an integer."""
    if isinstance(value, dict):
        return any(map(holds_a_fraction, value.values()))
    if isinstance(value, list):
        return any(map(holds_a_fraction, value))
    return isinstance(value, float) and not value.is_integer()
