"""Selectors of labels and nodes, and the keys of labels that affinities and spread constraints match.

Source: ValidateLabelSelector in pkg/apis/meta/v1/validation of k8s.io/apimachinery; ValidateNodeSelectorTerm, validateLabelKeys and their
neighbours in pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.children.checks import all_of, every, fields, label_value, labels, qualified_name
from jobset_compiler.admission.children.faults import NONE, Fault, Faults, fault, forbidden, invalid, invalid_of_type, required
from jobset_compiler.kube.names import is_dns1123_subdomain
from jobset_compiler.profiles.kubernetes import NODE_AFFINITY_VALUES

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.admission.children.checks import Check, PodScope, Tree

# How many values an operator takes, and what is said of another number.
Arity = tuple["Callable[[int], bool]", str]
SOME: Arity = (bool, required("must be specified when `operator` is 'In' or 'NotIn'"))
NO_VALUES: Arity = (lambda count: not count, forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
ONE: Arity = (lambda count: count == 1, required("must be specified single value when `operator` is 'Lt' or 'Gt'"))
ONE_FIELD: Arity = (lambda count: count == 1, required("must be only one value when `operator` is 'In' or 'NotIn' for node field selector"))
OF_LABELS = {"In": SOME, "NotIn": SOME, "Exists": NO_VALUES, "DoesNotExist": NO_VALUES}
OF_NODES = {**OF_LABELS, "Gt": ONE, "Lt": ONE}
OF_NODE_FIELDS = {"In": ONE_FIELD, "NotIn": ONE_FIELD}
NODE_NAME_FIELD = "metadata.name"


def operator_takes(arities: dict[str, Arity]) -> Check:
    def check(requirement: Tree, scope: PodScope) -> Faults:
        operator = requirement["operator"]
        if operator not in arities:
            return (fault(invalid_of_type(operator, "not a valid selector operator"), "operator"),)
        suits, text = arities[operator]
        return NONE if suits(len(requirement.get("values") or ())) else (fault(text, "values"),)

    return check


def key_is_a_label(requirement: Tree, scope: PodScope) -> Faults:
    return [found.under("key") for found in qualified_name(requirement["key"], scope)]


def only_since(check: Check) -> Check:
    def check_if(value: Any, scope: PodScope) -> Faults:
        return check(value, scope) if scope.kubernetes.has(NODE_AFFINITY_VALUES) else NONE

    return check_if


def node_field(requirement: Tree, scope: PodScope) -> Faults:
    """The only field of nodes that can be selected is their name."""
    key = requirement["key"]
    if key != NODE_NAME_FIELD:
        return (fault(invalid(key, "not a valid field selector key"), "key"),)
    return [fault(invalid(value, text), "values", index) for index, value in enumerate(requirement.get("values") or ()) for text in is_dns1123_subdomain(value)]


VALUES_ARE_LABELS = fields(("values", every(label_value)))
label_selector = fields(
    ("matchLabels", labels),
    ("matchExpressions", every(all_of(operator_takes(OF_LABELS), key_is_a_label, VALUES_ARE_LABELS))),
)
MATCH_FIELDS = ("matchFields", every(all_of(operator_takes(OF_NODE_FIELDS), node_field)))
preferred_node_selector_term = fields(("matchExpressions", every(all_of(operator_takes(OF_NODES), key_is_a_label))), MATCH_FIELDS)
node_selector_term = fields(("matchExpressions", every(all_of(operator_takes(OF_NODES), key_is_a_label, only_since(VALUES_ARE_LABELS)))), MATCH_FIELDS)


def matched_label_keys(term: Tree, scope: PodScope) -> Faults:
    """matchLabelKeys and mismatchLabelKeys of a pod affinity term (and, since they are merged, of a spread constraint)."""
    matched, mismatched = term.get("matchLabelKeys") or [], term.get("mismatchLabelKeys") or []
    if not matched and not mismatched:
        return NONE
    selector = term.get("labelSelector")
    out: list[Fault] = []
    for field, keys in (("matchLabelKeys", matched), ("mismatchLabelKeys", mismatched)):
        if keys and selector is None:
            out.append(fault(forbidden("must not be specified when labelSelector is not set"), field))
        else:
            out.extend(found.under(field) for found in every(qualified_name)(keys, scope))
    if selector is not None:
        out.extend(keys_selected_twice(matched, selector))
    out.extend(
        fault(invalid(key, "exists in both matchLabelKeys and mismatchLabelKeys"), "matchLabelKeys", index)
        for index, key in enumerate(matched)
        if key in mismatched
    )
    return out


def keys_selected_twice(matched: list[str], selector: Tree) -> list[Fault]:
    """A key of matchLabelKeys that the selector names a second time. The API prints the key's index after the term."""
    position = {key: index for index, key in enumerate(matched)}
    seen = set(selector.get("matchLabels") or ())
    out: list[Fault] = []
    for expression in selector.get("matchExpressions") or ():
        key = expression["key"]
        if key in position and key in seen:
            text = invalid(key, "exists in both matchLabelKeys and labelSelector")
            out.append(fault(text, position[key], at=("matchLabelKeys", position[key])))
        seen.add(key)
    return out
