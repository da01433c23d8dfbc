"""When a container is started again: its own restartPolicy and rules.

Source: validateContainerRestartPolicy and validateInitContainerRestartPolicy in pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.checks import ALWAYS
from jobset_compiler.admission.children.faults import NONE, Fault, Faults, fault, forbidden, required, too_long, too_many, unsupported
from jobset_compiler.profiles.kubernetes import RESTART_RULES, RULES_FOR_SIDECARS, WORDS_COUNT_RULES

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import PodScope, Tree

POLICIES = ("Always", "Never", "OnFailure")
OPERATORS = ("In", "NotIn")
RESTART = "Restart"
RESTART_ALL = "RestartAllContainers"
MOST_RULES = 20
MOST_VALUES = 255
NEEDS_POLICY = required("must specify restartPolicy when restart rules are used")


def restarts_of_container(container: Tree, scope: PodScope) -> Faults:
    policy, rules = container.get("restartPolicy"), container.get("restartPolicyRules") or []
    if policy is None and not rules:
        return NONE
    if not scope.kubernetes.has(RESTART_RULES):
        return (fault(forbidden("may not be set for non-init containers"), "restartPolicy"),)
    return policy_and_rules(policy, rules, scope)


def restarts_of_init_container(container: Tree, scope: PodScope) -> Faults:
    policy, rules = container.get("restartPolicy"), container.get("restartPolicyRules") or []
    if policy is None:
        return (fault(NEEDS_POLICY, "restartPolicy"),) if rules else NONE
    if not scope.kubernetes.has(RESTART_RULES):
        return NONE if policy == ALWAYS else (fault(unsupported(policy, (ALWAYS,)), "restartPolicy"),)
    if policy == ALWAYS and not scope.kubernetes.has(RULES_FOR_SIDECARS):
        text = forbidden("restartPolicyRules are not allowed for init containers with restart policy Always")
        return (fault(text, "restartPolicyRules"),) if rules else NONE
    return policy_and_rules(policy, rules, scope)


def policy_and_rules(policy: str | None, rules: list[Tree], scope: PodScope) -> Faults:
    out: list[Fault] = []
    if policy is None:
        out.append(fault(NEEDS_POLICY, "restartPolicy"))
    elif policy not in POLICIES:
        out.append(fault(unsupported(policy, POLICIES), "restartPolicy"))
    if len(rules) > MOST_RULES:
        out.append(fault(too_many_items(len(rules), MOST_RULES, scope), "restartPolicyRules"))
    for index, rule in enumerate(rules):
        out.extend(found.under("restartPolicyRules", index) for found in rule_faults(rule, scope))
    return out


def rule_faults(rule: Tree, scope: PodScope) -> list[Fault]:
    action, codes = rule["action"], rule.get("exitCodes")
    actions = (RESTART, RESTART_ALL) if scope.kubernetes.has(RULES_FOR_SIDECARS) else (RESTART,)
    out = [] if action in actions else [fault(unsupported(action, actions), "action")]
    if codes is None:
        return [*out, fault(required("must be specified"), "exitCodes")]
    operator, values = codes["operator"], codes.get("values") or ()
    if operator not in OPERATORS:
        out.append(fault(unsupported(operator, OPERATORS), "exitCodes", "operator"))
    if len(values) > MOST_VALUES:
        out.append(fault(too_many_items(len(values), MOST_VALUES, scope), "exitCodes", "values"))
    return out


def too_many_items(count: int, most: int, scope: PodScope) -> str:
    return too_many(count, most) if scope.kubernetes.has(WORDS_COUNT_RULES) else too_long(most)
