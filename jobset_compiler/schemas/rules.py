"""The CEL rules of the CRDs as JSON Schema keywords, where JSON Schema has the words; `admission/cel.py` is the exact form.

Rules on changes ("immutable") say nothing about a single object. The rules on a TrainJob's name stand in `metadata`.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.kube.table import Field

OBJECT: dict[str, Any] = {"type": "object"}
IN_ORDER = {
    "required": ["startupPolicy"],
    "properties": {"startupPolicy": {"type": "object", "required": ["startupPolicyOrder"], "properties": {"startupPolicyOrder": {"const": "InOrder"}}}},
}
NO_DEPENDS_ON = {
    "required": ["replicatedJobs"],
    "properties": {"replicatedJobs": {"type": "array", "items": {"properties": {"dependsOn": {"type": "null"}}}}},
}
CLAIMS_WITHOUT_NAMESPACE = {
    "required": ["templates"],
    "properties": {
        "templates": {
            "type": "array",
            "items": {"required": ["metadata"], "properties": {"metadata": {"type": "object", "properties": {"namespace": {"enum": ["", None]}}}}},
        }
    },
}
ELASTIC_WITH_NODES = {
    "type": "object",
    "required": ["numNodes", "torch"],
    "properties": {
        "numNodes": {"type": "integer"},
        "torch": {"type": "object", "required": ["elasticPolicy"], "properties": {"elasticPolicy": OBJECT}},
    },
}


def one_policy(field: Field) -> dict[str, Any]:
    policies = [name for name in field.struct.fields if name != "numNodes"]
    pairs = [{"required": list(pair), "properties": dict.fromkeys(pair, OBJECT)} for pair in combinations(policies, 2)]
    return {"not": {"type": "object", "anyOf": pairs}}


KEYWORDS: dict[str, Callable[[Field], dict[str, Any]]] = {
    "at-least-one": lambda _: {"minimum": 1},
    "claim-template-without-namespace": lambda _: CLAIMS_WITHOUT_NAMESPACE,
    "immutable": lambda _: {},
    "in-order-excludes-depends-on": lambda _: {"if": IN_ORDER, "then": NO_DEPENDS_ON},
    "last-updated-time-required": lambda _: {"required": ["lastUpdatedTime"]},
    "managed-by": lambda _: {"enum": ["trainer.kubeflow.org/trainjob-controller", "kueue.x-k8s.io/multikueue", None]},
    "not-the-node-container": lambda _: {"not": {"type": "array", "contains": {"const": "node"}}},
    "num-nodes-excludes-elastic-policy": lambda _: {"not": ELASTIC_WITH_NODES},
    "one-policy": one_policy,
    "storage-uri": lambda _: {"pattern": r"^([A-Za-z][A-Za-z0-9+.-]*://.+)?$"},
    "torch-num-proc-per-node": lambda _: {"anyOf": [{"type": "integer", "minimum": 1}, {"enum": ["auto", "cpu", "gpu", None]}]},
}


def with_rule(schema: dict[str, Any], name: str, field: Field) -> dict[str, Any]:
    """The schema with the keywords of a rule added; keywords that are taken already go into `allOf`."""
    keywords = KEYWORDS[name](field)
    if name == "at-least-one":
        return schema | keywords  # stricter than the limits of the integer type
    if schema.keys().isdisjoint(keywords):
        return schema | keywords
    return schema | {"allOf": [*schema.get("allOf", ()), keywords]}
