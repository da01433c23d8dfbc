"""The Job around the pod: counts, policies, selector, and its metadata.

Source: ValidateJob in pkg/apis/batch/validation/validation.go, after SetDefaults_Job and generateSelector of pkg/registry/batch/job.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jobset_compiler.admission.children.checks import NOT_NEGATIVE, elsewhere, labels, qualified_name
from jobset_compiler.admission.children.faults import (
    NONE,
    Fault,
    Faults,
    duplicate,
    fault,
    invalid,
    invalid_of_type,
    invalid_printed,
    invalid_without_value,
    required,
    too_long,
    too_many,
    under,
    unsupported,
)
from jobset_compiler.admission.children.go_types import SUCCESS_POLICY, printed
from jobset_compiler.kube.names import is_domain_prefixed_path
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.admission.children.checks import PodScope, Tree

POD = ("spec", "template", "spec")
INDEXED = "Indexed"
NON_INDEXED = "NonIndexed"
COUNTS = ("parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes")
MOST_PODS = 100_000
MANY_COMPLETIONS = 100_000
MOST_PODS_OF_MANY = 10_000
LONGEST_MANAGER = 63
MOST_RULES = 20
MOST_CONDITIONS = 20
MOST_EXIT_CODES = 255
ACTIONS = ("Count", "FailIndex", "FailJob", "Ignore")
OPERATORS = ("In", "NotIn")
STATES = ("False", "True", "Unknown")
FAILED = "Failed"
REPLACEMENTS = ("Failed", "TerminatingOrFailed")
NEVER_HINT = "write restartPolicy: Never into the pod spec (JobSet fills in OnFailure where there is none)"


annotation_keys = elsewhere("metadata", "annotation_keys")
annotations_of_pods = elsewhere("metadata", "annotations_of_pods")


class Job(Value):
    """A Job as JobSet makes it. spec: its spec; pod: the spec of its pods; metadata: what the template of the Job and that of its pods say."""

    __slots__ = ("metadata", "pod", "pod_metadata", "spec")

    def __init__(self, spec: Tree, pod: Tree, metadata: Tree, pod_metadata: Tree) -> None:
        self.spec: Final = spec
        self.pod: Final = pod
        self.metadata: Final = metadata
        self.pod_metadata: Final = pod_metadata

    @property
    def is_indexed(self) -> bool:
        return self.spec.get("completionMode") == INDEXED

    @property
    def completions(self) -> int | None:
        """Where neither is written, both are 1."""
        count: int | None = self.spec.get("completions")
        return 1 if count is None and "parallelism" not in self.spec else count

    @property
    def parallelism(self) -> int:
        count: int = self.spec.get("parallelism", 1)
        return count


def of_spec(text: str, *path: str | int) -> Fault:
    return fault(text, "spec", *path)


def counts(job: Job, scope: PodScope) -> Faults:
    spec = job.spec
    out: Faults = [of_spec(invalid(spec[name], NOT_NEGATIVE), name) for name in COUNTS if spec.get(name, 0) < 0]
    if "maxFailedIndexes" in spec and "backoffLimitPerIndex" not in spec:
        out = [*out, of_spec(required("when maxFailedIndexes is specified"), "backoffLimitPerIndex")]
    return out


def manager(job: Job, scope: PodScope) -> Faults:
    name = job.spec["managedBy"]
    out = [of_spec(invalid(part, text) if text else required(), "managedBy") for _, text, part in is_domain_prefixed_path(name)]
    if len(name.encode()) > LONGEST_MANAGER:
        out.append(of_spec(too_long(LONGEST_MANAGER), "managedBy"))
    return out


def completion_mode(job: Job, scope: PodScope) -> Faults:
    if job.is_indexed:
        return list(indexed(job))
    mode = job.spec.get("completionMode", NON_INDEXED)
    if mode != NON_INDEXED:
        return (of_spec(unsupported(mode, (NON_INDEXED, INDEXED)), "completionMode"),)
    text = "requires indexed completion mode"
    return [of_spec(invalid(job.spec[name], text), name) for name in ("backoffLimitPerIndex", "maxFailedIndexes") if name in job.spec]


def indexed(job: Job) -> Iterator[Fault]:
    completions, parallelism, failed = job.completions, job.parallelism, job.spec.get("maxFailedIndexes")
    if completions is None:
        yield of_spec(required(f"when completion mode is {INDEXED}"), "completions")
    if parallelism > MOST_PODS:
        yield of_spec(invalid(parallelism, f"must be less than or equal to {MOST_PODS} when completion mode is {INDEXED}"), "parallelism")
    if failed is not None and completions is not None and failed > completions:
        yield of_spec(invalid(failed, "must be less than or equal to completions"), "maxFailedIndexes")
    if failed is not None and failed > MOST_PODS:
        yield of_spec(invalid(failed, f"must be less than or equal to {MOST_PODS}"), "maxFailedIndexes")
    if completions is None or completions <= MANY_COMPLETIONS or "backoffLimitPerIndex" not in job.spec:
        return
    if failed is None:
        yield of_spec(required(f"must be specified when completions is above {MANY_COMPLETIONS}"), "maxFailedIndexes")
    text = f"must be less than or equal to {MOST_PODS_OF_MANY} when completions are above {MANY_COMPLETIONS} and used with backoff limit per index"
    if parallelism > MOST_PODS_OF_MANY:
        yield of_spec(invalid(parallelism, text), "parallelism")
    if failed is not None and failed > MOST_PODS_OF_MANY:
        yield of_spec(invalid(failed, text), "maxFailedIndexes")


def failure_policy(job: Job, scope: PodScope) -> Faults:
    rules = job.spec["podFailurePolicy"]["rules"]
    out: list[Fault] = []
    if len(rules) > MOST_RULES:
        out.append(fault(too_many(len(rules), MOST_RULES)))
    for index, rule in enumerate(rules):
        out.extend(under(failure_rule(rule, job, scope), index))
    return under(out, "spec", "podFailurePolicy", "rules")


def failure_rule(rule: Tree, job: Job, scope: PodScope) -> list[Fault]:
    action, codes, conditions = rule["action"], rule.get("onExitCodes"), rule.get("onPodConditions") or ()
    out: list[Fault] = []
    if not action:
        out.append(fault(required(f"valid values: {listed(ACTIONS)}"), "action"))
    elif action == "FailIndex":
        if "backoffLimitPerIndex" not in job.spec:
            out.append(fault(invalid_of_type(action, "requires the backoffLimitPerIndex to be set"), "action"))
    elif action not in ACTIONS:
        out.append(fault(unsupported(action, ACTIONS), "action"))
    if codes is not None:
        out.extend(under(exit_codes(codes, job), "onExitCodes"))
    if len(conditions) > MOST_CONDITIONS:
        out.append(fault(too_many(len(conditions), MOST_CONDITIONS), "onPodConditions"))
    for index, pattern in enumerate(conditions):
        out.extend(under(condition(pattern, scope), "onPodConditions", index))
    if codes is not None and conditions:
        out.append(fault(invalid_without_value("specifying both OnExitCodes and OnPodConditions is not supported")))
    if codes is None and not conditions:
        out.append(fault(invalid_without_value("specifying one of OnExitCodes and OnPodConditions is required")))
    return out


def exit_codes(codes: Tree, job: Job) -> list[Fault]:
    operator, container, values = codes["operator"], codes.get("containerName"), codes["values"]
    out: list[Fault] = []
    if operator not in OPERATORS:
        out.append(fault(unsupported(operator, OPERATORS) if operator else required(f"valid values: {listed(OPERATORS)}"), "operator"))
    if container is not None and container not in container_names(job):
        text = "must be one of the container or initContainer names in the pod template"
        out.append(fault(invalid(container, text), "containerName"))
    if not values:
        out.append(fault(invalid(values, "at least one value is required"), "values"))
    elif len(values) > MOST_EXIT_CODES:
        out.append(fault(too_many(len(values), MOST_EXIT_CODES), "values"))
    for index, value in enumerate(values):
        if operator == "In" and value == 0:
            out.append(fault(invalid(value, "must not be 0 for the In operator"), "values", index))
        if value in values[:index]:
            out.append(fault(duplicate(value), "values", index))
    if values != sorted(values):
        out.append(fault(invalid(values, "must be ordered"), "values"))
    return out


def condition(pattern: Tree, scope: PodScope) -> list[Fault]:
    """A status that is not written is True."""
    status = pattern.get("status") or "True"
    out = under(qualified_name(pattern["type"], scope), "type")
    return out if status in STATES else [*out, fault(unsupported(status, STATES), "status")]


def container_names(job: Job) -> set[str]:
    return {container["name"] for field in ("containers", "initContainers") for container in job.pod.get(field) or ()}


def listed(values: tuple[str, ...]) -> str:
    """Strings as Go prints a list of them with %q."""
    return "[" + " ".join(f'"{value}"' for value in values) + "]"


def success_policy(job: Job, scope: PodScope) -> Faults:
    policy = job.spec["successPolicy"]
    if not job.is_indexed:
        return (of_spec(invalid_printed(printed(policy, SUCCESS_POLICY), "requires indexed completion mode"), "successPolicy"),)
    from jobset_compiler.admission.children.success import succeeded_indexes

    rules, completions = policy["rules"], job.completions
    out: list[Fault] = []
    if not rules:
        out.append(fault(required("at least one rules must be specified when the successPolicy is specified")))
    if len(rules) > MOST_RULES:
        out.append(fault(too_many(len(rules), MOST_RULES)))
    for index, rule in enumerate(rules):
        out.extend(under(succeeded_indexes(rule, completions), index))
    return under(out, "spec", "successPolicy", "rules")


def replacement_policy(job: Job, scope: PodScope) -> Faults:
    policy = job.spec["podReplacementPolicy"]
    supported = (FAILED,) if "podFailurePolicy" in job.spec else REPLACEMENTS
    return NONE if policy in supported else (of_spec(unsupported(policy, supported), "podReplacementPolicy"),)


def restart_policy(job: Job, scope: PodScope) -> Faults:
    """Pods of Jobs end."""
    policy, path = job.pod.get("restartPolicy") or "Always", ("spec", "template", "spec", "restartPolicy")
    if policy == "Never" or (policy == "OnFailure" and "podFailurePolicy" not in job.spec):
        return NONE
    if policy == "OnFailure":
        text = invalid_of_type(policy, 'only "Never" is supported when podFailurePolicy is specified')
        return (fault(text, *path, at=("spec", "podFailurePolicy"), hint=NEVER_HINT),)
    if policy != "Always":
        return (fault(unsupported(policy, ("OnFailure", "Never")), *path),)
    return (fault(required('valid values: "OnFailure", "Never"'), *path, hint="pods of Jobs end: write OnFailure or Never"),)


def metadata_of_job(job: Job, scope: PodScope) -> Faults:
    out: Faults = NONE
    for field, check in (("labels", labels), ("annotations", annotation_keys)):
        if job.metadata.get(field):
            out = [*out, *under(check(job.metadata[field], scope), "metadata", field)]
    return out


def metadata_of_template(job: Job, scope: PodScope) -> Faults:
    """The API's paths have no `metadata` there."""
    out: Faults = NONE
    for field, check in (("labels", labels), ("annotations", annotation_keys), ("annotations", annotations_of_pods)):
        value = job.pod_metadata.get(field)
        found = check(value, scope) if value else NONE
        if found:
            out = [*out, *(below_template(each, field) for each in found)]
    return out


def below_template(found: Fault, field: str) -> Fault:
    return Fault(("spec", "template", field, *found.path), found.text, ("spec", "template", "metadata", field, *found.place), found.hint)


def profiles_of_template(job: Job) -> Faults:
    value = job.pod_metadata.get("annotations")
    if not value:
        return NONE
    from jobset_compiler.admission.children.metadata import profiles_match_annotations

    return under([*profiles_match_annotations(job.pod, value)], "spec", "template", "spec")


def before_template(job: Job, scope: PodScope) -> Faults:
    """What the API looks at before the template, in its order."""
    out = [*counts(job, scope)]
    for field, check in BEFORE_TEMPLATE:
        if field is None or job.spec.get(field) is not None:
            out += check(job, scope)
    return out


# Policies with the field that calls for them.
BEFORE_TEMPLATE = (
    ("managedBy", manager),
    (None, completion_mode),
    ("podFailurePolicy", failure_policy),
    ("successPolicy", success_policy),
    ("podReplacementPolicy", replacement_policy),
)
