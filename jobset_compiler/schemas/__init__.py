"""JSON Schemas (2020-12) of TrainJob, TrainingRuntime, ClusterTrainingRuntime and JobSet, made from the type table of a release.

`schemas/<release>/<kind>.json` at the root of the repository is the output of this package (`tools/json_schemas.py`
writes it), and `jobset-compiler schema KIND` prints the same text, so that nothing has to be shipped twice.

What the schemas say is what the API server checks when an object is created: types, required fields, enums, limits,
and the CEL rules (`rules`). They are strict: an unknown field is an error, as with `kubectl apply`, where the server alone would
only drop it. Descriptions are our own words (`descriptions`).
"""

from __future__ import annotations

from jobset_compiler.schemas.build import KINDS, UnknownKindError, json_schema, schema_text

__all__ = ["KINDS", "UnknownKindError", "json_schema", "schema_text"]
