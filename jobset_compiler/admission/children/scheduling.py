"""Where a pod may run: tolerations, affinities, spread over topologies.

Source: ValidateTolerations, validateAffinity, validateTopologySpreadConstraints and their neighbours in
pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.checks import all_of, every, fields, if_given, one_of, positive, qualified_name, wording
from jobset_compiler.admission.children.faults import NONE, Fault, Faults, duplicate, fault, forbidden, invalid, invalid_of_type, required, unsupported
from jobset_compiler.admission.children.selectors import label_selector, matched_label_keys, node_selector_term, preferred_node_selector_term
from jobset_compiler.kube.names import is_dns1123_label, is_valid_label_value
from jobset_compiler.profiles.kubernetes import SPREAD_KEYS_MERGED, WORDS_NAME_COMPARISONS

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import PodScope, Tree

REQUIRED_TERMS = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED_TERMS = "preferredDuringSchedulingIgnoredDuringExecution"
EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
COMPARISONS = ("Lt", "Gt")


def toleration(value: Tree, scope: PodScope) -> Faults:
    key, operator, effect = value.get("key", ""), value.get("operator", ""), value.get("effect", "")
    out: list[Fault] = []
    if key:
        out.extend(found.under("key") for found in qualified_name(key, scope))
    elif operator != "Exists":
        out.append(fault(invalid_of_type(operator, 'operator must be Exists when `key` is empty, which means "match all values and all keys"'), "operator"))
    if value.get("tolerationSeconds") is not None and effect != "NoExecute":
        out.append(fault(invalid_of_type(effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"), "effect"))
    out.extend(operator_fits_value(operator, value.get("value", ""), scope))
    if effect and effect not in EFFECTS:
        out.append(fault(unsupported(effect, EFFECTS), "effect"))
    return out


def operator_fits_value(operator: str, value: str, scope: PodScope) -> Faults:
    """What is said of the value has the operator's path."""
    if operator in ("Equal", ""):
        texts = is_valid_label_value(value, wording(scope.kubernetes))
        return (fault(invalid(value, ";".join(texts)), "operator", at=("value",)),) if texts else NONE
    if operator == "Exists":
        return (fault(invalid(value, "value must be empty when `operator` is 'Exists'"), "operator", at=("value",)),) if value else NONE
    named = COMPARISONS if operator in COMPARISONS and scope.kubernetes.has(WORDS_NAME_COMPARISONS) else ()
    return (fault(unsupported(operator, ("Equal", "Exists", *named)), "operator"),)


def weight(value: Tree, scope: PodScope) -> Faults:
    number = value["weight"]
    return NONE if 1 <= number <= 100 else (fault(invalid(number, "must be in the range 1-100"), "weight"),)


def namespaces(term: Tree, scope: PodScope) -> Faults:
    """The API's path is `namespace`, without an index."""
    return [
        fault(invalid(name, text), "namespace", at=("namespaces", index))
        for index, name in enumerate(term.get("namespaces") or ())
        for text in is_dns1123_label(name)
    ]


def topology_key(term: Tree, scope: PodScope) -> Faults:
    key = term["topologyKey"]
    out = [] if key else [fault(required("can not be empty"), "topologyKey")]
    return [*out, *(found.under("topologyKey") for found in qualified_name(key, scope))]


def has_terms(selector: Tree, scope: PodScope) -> Faults:
    terms = selector.get("nodeSelectorTerms")
    return NONE if terms else (fault(required("must have at least one node selector term"), "nodeSelectorTerms"),)


pod_affinity_term = all_of(fields(("labelSelector", label_selector), ("namespaceSelector", label_selector)), namespaces, matched_label_keys, topology_key)
pod_affinity = fields(
    (REQUIRED_TERMS, every(pod_affinity_term)),
    (PREFERRED_TERMS, every(all_of(weight, fields(("podAffinityTerm", pod_affinity_term))))),
)
node_affinity = fields(
    (REQUIRED_TERMS, all_of(has_terms, fields(("nodeSelectorTerms", every(node_selector_term))))),
    (PREFERRED_TERMS, every(all_of(weight, fields(("preference", preferred_node_selector_term))))),
)
affinity = fields(("nodeAffinity", node_affinity), ("podAffinity", pod_affinity), ("podAntiAffinity", pod_affinity))
tolerations = every(toleration)


def least_domains(constraint: Tree, scope: PodScope) -> Faults:
    domains, action = constraint.get("minDomains"), constraint["whenUnsatisfiable"]
    if domains is None:
        return NONE
    out = [found.under("minDomains") for found in positive(domains, scope)]
    if action != "DoNotSchedule":
        text = f"can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {action}"
        out.append(fault(invalid(domains, text), "minDomains"))
    return out


def spread_keys(constraint: Tree, scope: PodScope) -> Faults:
    """Before they were merged into the selector, matchLabelKeys had no key in common with it."""
    if scope.kubernetes.has(SPREAD_KEYS_MERGED):
        return matched_label_keys(constraint, scope)
    keys, selector = constraint.get("matchLabelKeys") or (), constraint.get("labelSelector")
    if not keys:
        return NONE
    out = [] if selector is not None else [fault(forbidden("must not be specified when labelSelector is not set"), "matchLabelKeys")]
    selected = {*(selector or {}).get("matchLabels", ()), *(expression["key"] for expression in (selector or {}).get("matchExpressions", ()))}
    for index, key in enumerate(keys):
        out.extend(found.under("matchLabelKeys", index) for found in qualified_name(key, scope))
        if key in selected:
            out.append(fault(invalid(key, "exists in both matchLabelKeys and labelSelector"), "matchLabelKeys", index))
    return out


def required_of_spread(constraint: Tree, scope: PodScope) -> Faults:
    out = [found.under("maxSkew") for found in positive(constraint["maxSkew"], scope)]
    if not constraint["topologyKey"]:
        out.append(fault(required("can not be empty"), "topologyKey"))
    action = constraint["whenUnsatisfiable"]
    out.extend(found.under("whenUnsatisfiable") for found in one_of("DoNotSchedule", "ScheduleAnyway")(action, scope))
    return out


honoured = one_of("Honor", "Ignore")
spread_constraint = all_of(
    required_of_spread,
    least_domains,
    fields(("nodeAffinityPolicy", honoured), ("nodeTaintsPolicy", honoured)),
    spread_keys,
    fields(("labelSelector", label_selector)),
)


def each_spread_once(constraints: list[Tree], scope: PodScope) -> Faults:
    """Two constraints of one topology key and one action; the first of them is named."""
    pairs = [(constraint["topologyKey"], constraint["whenUnsatisfiable"]) for constraint in constraints]
    return [
        fault(duplicate(f"{{{pair[0]}, {pair[1]}}}"), index, "{topologyKey, whenUnsatisfiable}", at=(index,))
        for index, pair in enumerate(pairs)
        if pair in pairs[index + 1 :]
    ]


topology_spread = if_given(all_of(every(spread_constraint), each_spread_once))
