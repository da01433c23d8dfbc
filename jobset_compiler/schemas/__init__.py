"""JSON Schemas (2020-12) of TrainJob, TrainingRuntime, ClusterTrainingRuntime and JobSet, made from the type table of a release.

`schemas/<release>/<kind>.json` at the root of the repository is the output of this package (`tools/json_schemas.py`
writes it), and `jobset-compiler schema KIND` prints the same text, so that nothing has to be shipped twice.

What the schemas say is what the API server checks when an object is created: types, required fields, enums, limits,
and the CEL rules (`rules`). They are strict: an unknown field is an error, as with `kubectl apply`, where the server alone would
only drop it. Descriptions are our own words (`descriptions`).
"""

from __future__ import annotations

from typing import Any

from jobset_compiler.schemas.kinds import KINDS, UnknownKindError, proper_kind

__all__ = ["KINDS", "UnknownKindError", "json_schema", "schema_text"]


def json_schema(kind: str, profile: str | None = None, *, strict: bool = True) -> dict[str, Any]:
    """The JSON Schema of a kind (any capitalisation) in a release, the newest by default.

    `strict` refuses unknown fields. Raises UnknownKindError, and ValueError for a release that is not known.
    """
    from jobset_compiler.library.calls import resolve_profile
    from jobset_compiler.schemas.build import Builder

    name, release = proper_kind(kind), resolve_profile(profile)
    return Builder(release.types(), strict).root(name, release.name)


def schema_text(kind: str, profile: str | None = None, *, strict: bool = True) -> str:
    """The schema as the text of a file of `schemas/`."""
    import json

    return json.dumps(json_schema(kind, profile, strict=strict), indent=1, ensure_ascii=False) + "\n"
