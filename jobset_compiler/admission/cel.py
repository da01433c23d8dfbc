"""The CEL rules of the CRDs, as one predicate each; the rules on changes stand in `admission/changes.py`.

The type table names the rule of each place and its message; the names are explained here. Source: the
`x-kubernetes-validations` of the Trainer and JobSet CRDs, and the evaluation of apiextensions-apiserver
(pkg/apiserver/schema/cel/validation.go). The server skips all rules where the schema found a blocking error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.kube.structural import OMITTED, FieldError, PendingRule, field_error
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jobset_compiler.profiles import Profile

NO_OVERLOAD = "'no such overload': call arguments did not match a supported operator, function or macro signature for rule: "
LOWER = frozenset("abcdefghijklmnopqrstuvwxyz")
LOWER_DIGITS_DASH = LOWER | frozenset("0123456789-")


class EvaluationError(Exception):
    """CEL could not evaluate the rule; the server refuses, with a text of its own before the rule's message."""


def rule_errors(pending: Iterable[PendingRule], profile: Profile) -> tuple[FieldError, ...]:
    """The rules that do not hold for the values they are pending on."""
    out = []
    for place in pending:
        for name, message in place.rules:
            try:
                if PREDICATES[name](place.value):
                    continue
                shown = shown_value(place.schema_type, place.value, profile)
            except EvaluationError as error:
                message, shown = f"{error}{message}", place.schema_type
            out.append(field_error(place.path, "FieldValueInvalid", message, shown))
    return tuple(out)


def shown_value(schema_type: str, value: Any, profile: Profile) -> Any:
    """Through k8s 1.34 the server prints the schema type for a value; later the value, but none for objects and lists."""
    if not profile.has(features.CEL_HIDES_OBJECT_VALUES):
        return schema_type
    return OMITTED if schema_type in ("object", "array") else value


def one_policy(policy: dict[str, Any]) -> bool:
    return len(policy.keys() - {"numNodes"}) <= 1  # what a release does not know is gone by now


def num_nodes_excludes_elastic_policy(policy: dict[str, Any]) -> bool:
    return not ("numNodes" in policy and "elasticPolicy" in policy.get("torch", {}))


def torch_num_proc_per_node(number: Any) -> bool:
    """`self > 0 || self in ['auto', 'cpu', 'gpu']`: a text has no `>`, which only matters where the other side is false."""
    if isinstance(number, str):
        if number in ("auto", "cpu", "gpu"):
            return True
        raise EvaluationError(NO_OVERLOAD)
    return bool(number > 0)


def at_least_one(number: float) -> bool:
    return number >= 1


def managed_by(manager: str) -> bool:
    return manager in ("trainer.kubeflow.org/trainjob-controller", "kueue.x-k8s.io/multikueue")


def storage_uri(uri: str) -> bool:
    """`^[A-Za-z][A-Za-z0-9+.-]*://.+$`, or nothing; the dot takes no line break."""
    scheme, separator, rest = uri.partition("://")
    if not uri:
        return True
    letters = scheme.replace("+", "").replace(".", "").replace("-", "")
    return bool(separator and rest and "\n" not in rest and letters.isalnum() and scheme.isascii() and scheme[0].isalpha())


def not_the_node_container(names: list[str]) -> bool:
    return "node" not in names


def in_order_excludes_depends_on(spec: dict[str, Any]) -> bool:
    if spec.get("startupPolicy", {}).get("startupPolicyOrder") != "InOrder":
        return True
    if "replicatedJobs" not in spec:
        raise EvaluationError("no such key: replicatedJobs evaluating rule: ")
    return not any("dependsOn" in job for job in spec["replicatedJobs"])


def claim_template_without_namespace(policy: dict[str, Any]) -> bool:
    if "templates" not in policy:
        raise EvaluationError("no such key: templates evaluating rule: ")
    known = [template["metadata"] for template in policy["templates"] if "metadata" in template]
    if any(metadata.get("namespace") for metadata in known):
        return False
    if len(known) < len(policy["templates"]):
        raise EvaluationError("no such key: metadata evaluating rule: ")
    return True


def last_updated_time_required(status: dict[str, Any]) -> bool:
    return "lastUpdatedTime" in status


def name_is_dns_1035(document: dict[str, Any]) -> bool:
    name = object_name(document)
    return not name or (name[0] in LOWER and name[-1] != "-" and LOWER_DIGITS_DASH.issuperset(name))


def name_length(document: dict[str, Any]) -> bool:
    return len(object_name(document)) <= 63


def object_name(document: dict[str, Any]) -> str:
    """Empty for a name that the server generates."""
    return str(document["metadata"].get("name", ""))


PREDICATES: dict[str, Callable[[Any], bool]] = {
    "at-least-one": at_least_one,
    "claim-template-without-namespace": claim_template_without_namespace,
    "in-order-excludes-depends-on": in_order_excludes_depends_on,
    "last-updated-time-required": last_updated_time_required,
    "managed-by": managed_by,
    "name-is-dns-1035": name_is_dns_1035,
    "name-length": name_length,
    "not-the-node-container": not_the_node_container,
    "num-nodes-excludes-elastic-policy": num_nodes_excludes_elastic_policy,
    "one-policy": one_policy,
    "storage-uri": storage_uri,
    "torch-num-proc-per-node": torch_num_proc_per_node,
}
