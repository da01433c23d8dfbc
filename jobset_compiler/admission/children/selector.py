"""The selector of a Job, and the labels that it must find on the pods.

Kubernetes makes both, unless manualSelector is set. The names of their values are known offline, the UIDs are not: constants of `labels` stand for them.

Source: generateSelector in pkg/registry/batch/job/strategy.go; validateGeneratedSelector and ValidateJobSpec in pkg/apis/batch/validation/validation.go;
LabelSelectorAsSelector of k8s.io/apimachinery.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.faults import NONE, Fault, Faults, fault, invalid, invalid_printed, required, under
from jobset_compiler.admission.children.go_types import printed_selector
from jobset_compiler.admission.children.labels import CONTROLLER_UID, JOB_UID, LABELS, generated_labels
from jobset_compiler.admission.children.selectors import label_selector
from jobset_compiler.diagnostics.place import Key
from jobset_compiler.kube.names import is_qualified_name, is_valid_label_value

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import PodScope, Tree

HINT = "leave selector and manualSelector out: Kubernetes makes a selector for every Job"
OUR_LABEL_HINT = "leave the label out: Kubernetes writes it"


def before_spec(name: str, spec: Tree, labels: Tree) -> list[Fault]:
    """Labels of the pods and the selector as they were generated; labels: with those that JobSet writes."""
    if spec.get("manualSelector"):
        return []
    expected = generated_labels(name)
    full = {**expected, **labels}
    at = ("spec", "template", "metadata", "labels")
    out = [
        fault(invalid(full, f"must be '{expected[label]}'"), *at, Key(label), at=(*at, label), hint=OUR_LABEL_HINT)
        for label in LABELS
        if full[label] != expected[label]
    ]
    selector = with_uid(spec.get("selector") or {})
    if is_readable(selector) and not matches(selector, expected):
        out.append(fault(invalid_printed(printed_selector(selector), "`selector` not auto-generated"), "spec", "selector", hint=HINT))
    return out


def with_uid(selector: Tree) -> Tree:
    """The selector with the UID that Kubernetes puts into it."""
    return {**selector, "matchLabels": {CONTROLLER_UID: JOB_UID, **(selector.get("matchLabels") or {})}}


def after_spec(name: str, spec: Tree, labels: Tree, scope: PodScope) -> Faults:
    """The selector itself, and whether it finds the pods."""
    is_manual, selector = bool(spec.get("manualSelector")), spec.get("selector")
    if is_manual and selector is None:
        # No selector at all matches nothing, and so not the labels either.
        return (fault(required(), "spec", "selector", hint=HINT), of_labels(labels))
    full = labels if is_manual else {**generated_labels(name), **labels}
    selector = (selector or {}) if is_manual else with_uid(selector or {})
    out = under(label_selector(selector, scope), "spec", "selector")
    if is_readable(selector) and not matches(selector, full):
        out.append(of_labels(full))
    return out or NONE


def of_labels(labels: Tree) -> Fault:
    return fault(invalid(labels, "`selector` does not match template `labels`"), "spec", "template", "metadata", "labels", at=("spec", "selector"), hint=HINT)


def is_readable(selector: Tree) -> bool:
    """Whether the server makes a selector of it at all."""
    return all(not is_qualified_name(key) and not is_valid_label_value(value) for key, value in (selector.get("matchLabels") or {}).items()) and all(
        is_readable_requirement(requirement) for requirement in selector.get("matchExpressions") or ()
    )


def is_readable_requirement(requirement: Tree) -> bool:
    operator, values = requirement.get("operator"), requirement.get("values") or ()
    takes = {"In": bool(values), "NotIn": bool(values), "Exists": not values, "DoesNotExist": not values}
    return takes.get(operator or "", False) and not is_qualified_name(requirement["key"]) and not any(map(is_valid_label_value, values))


def matches(selector: Tree, labels: Tree) -> bool:
    return all(labels.get(key) == value for key, value in (selector.get("matchLabels") or {}).items()) and all(
        meets(requirement, labels) for requirement in selector.get("matchExpressions") or ()
    )


def meets(requirement: Tree, labels: Tree) -> bool:
    operator, value = requirement["operator"], labels.get(requirement["key"])
    if operator == "In":
        return bool(value in requirement["values"])
    if operator == "NotIn":
        return value is None or value not in requirement["values"]
    return bool((value is not None) == (operator == "Exists"))
