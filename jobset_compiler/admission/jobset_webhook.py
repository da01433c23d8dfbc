"""The rules of JobSet's validating webhook for a new JobSet: one predicate each, in the webhook's order.

Source: ValidateCreate in pkg/webhooks/jobset_webhook.go of kubernetes-sigs/jobset 0.8.2 to 0.12.0, with all feature gates at
their defaults (off). What a release has not (groups before 0.9, claims before 0.11) cannot be in a JobSet of it, so that most rules need no
feature. Names are read after defaults (`jobset_defaults`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.admission.jobset_view import Job, View, coordinator_endpoint, last_job_name, last_pod_name, view_of
from jobset_compiler.diagnostics.codes import jobset as codes
from jobset_compiler.kube.names import is_dns1035_label, is_dns1123_subdomain, is_domain_prefixed_path, is_valid_label_value
from jobset_compiler.kube.structural import OMITTED, admit
from jobset_compiler.kube.structural.finding import TITLES, shown
from jobset_compiler.profiles.features import COORDINATOR_LABEL_CHECKED, JOBSET_ERRORS_NAME_FIELDS, JOBSET_ERRORS_STRUCTURED
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.profiles import Feature, Profile

Tree = dict[str, Any]
MOST_PODS = 2**31 - 1
LABEL_LENGTH = 63
RULE_NAME_LENGTH = 128
RULE_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_,:")
TOO_LONG_FOR_A_LABEL = "must be no more than 63 characters"
FAILURE_REASONS = ("BackoffLimitExceeded", "DeadlineExceeded", "FailedIndexes", "MaxFailedIndexesExceeded", "PodFailurePolicy")
RESTART_JOB_ACTIONS = ("RestartJob", "RestartJobAndIgnoreMaxRestarts")
COORDINATOR_LABEL = "jobset.sigs.k8s.io/coordinator"


class Problem(Value):
    """path: the server's, () for an error without a field; at: the place in the JobSet, where that is another one; meant: what that should be."""

    __slots__ = ("also", "at", "hint", "kind", "meant", "message", "path", "value")

    def __init__(
        self,
        message: str,
        path: Path = (),
        value: Any = OMITTED,
        kind: str = "FieldValueInvalid",
        at: Path = (),
        hint: str = "",
        also: Path = (),
        meant: str = "",
    ) -> None:
        self.message: Final = message
        self.path: Final = path
        self.value: Final = value
        self.kind: Final = kind
        self.at: Final = at
        self.hint: Final = hint
        self.also: Final = also
        self.meant: Final = meant


Problems = tuple[Problem, ...] | list[Problem]
NONE: tuple[Problem, ...] = ()


class Rule(Value):
    """A rule on a JobSet that has the `section` of the spec.

    `names_field_since` is the feature since which the error has a path; `since` the one since which there is the rule.
    """

    __slots__ = ("check", "cite", "code", "names_field_since", "section", "since")

    def __init__(
        self, code: Code, section: str, check: Callable[[View], Problems], cite: str, since: Feature | None = None, names_field_since: Feature | None = None
    ) -> None:
        self.code: Final = code
        self.section: Final = section
        self.check: Final = check
        self.cite: Final = cite
        self.since: Final = since
        self.names_field_since: Final = names_field_since


class JobRule(Value):
    """A rule on each replicatedJob."""

    __slots__ = ("check", "cite", "code", "names_field_since", "since")

    def __init__(
        self, code: Code, check: Callable[[View, Job], Problems], cite: str, since: Feature | None = None, names_field_since: Feature | None = None
    ) -> None:
        self.code: Final = code
        self.check: Final = check
        self.cite: Final = cite
        self.since: Final = since
        self.names_field_since: Final = names_field_since


class Refusal(Value):
    """A problem as the release words it: `path` and `message` are the server's, `at` and `also` places in the JobSet."""

    __slots__ = ("also", "at", "code", "hint", "meant", "message", "path")

    def __init__(self, code: Code, path: Path, message: str, at: Path, also: Path, hint: str, meant: str) -> None:
        self.code: Final = code
        self.path: Final = path
        self.message: Final = message
        self.at: Final = at
        self.also: Final = also
        self.hint: Final = hint
        self.meant: Final = meant


def refusals(jobset: Tree, profile: Profile) -> list[Refusal]:
    """Why the webhook refuses a JobSet that has its defaults and passed the schema; nothing where it accepts it."""
    view = view_of(jobset)
    out: list[Refusal] = []
    for rule in RULES_BEFORE_JOBS:
        if rule.section in view.spec:
            found = rule.check(view)
            if found:
                out += reported(rule, found, profile)
    for job in view.jobs:
        for job_rule in JOB_RULES:
            found = job_rule.check(view, job)
            if found:
                out += reported(job_rule, found, profile)
    for rule in RULES_AFTER_JOBS:
        if rule.section in view.spec:
            found = rule.check(view)
            if found:
                out += reported(rule, found, profile)
    return out


def reported(rule: Rule | JobRule, problems: Problems, profile: Profile) -> Iterator[Refusal]:
    if rule.since is not None and not profile.has(rule.since):
        return
    for problem in problems:
        path = problem.path
        if rule.names_field_since is not None and not profile.has(rule.names_field_since):
            path = ()
        message = structured(problem, profile) if profile.has(JOBSET_ERRORS_STRUCTURED) else problem.message or TITLES[problem.kind]
        yield Refusal(rule.code, path, message, problem.at or problem.path, problem.also, problem.hint, problem.meant)


def structured(problem: Problem, profile: Profile) -> str:
    """The detail of a cause in a structured error: title, value and message."""
    if not problem.path:
        return f"Internal error: {problem.message}"
    parts = [TITLES[problem.kind]]
    if problem.value is not OMITTED and problem.kind == "FieldValueInvalid":
        parts.append(shown(problem.value) if isinstance(problem.value, str) else replicated_jobs_json(problem.value, profile))
    return ": ".join([*parts, problem.message] if problem.message else parts)


def replicated_jobs_json(jobs: list[Tree], profile: Profile) -> str:
    """spec.replicatedJobs as Go prints it: with the defaults of the schema, keys in the order of the structs."""
    import json

    from jobset_compiler.kube.retype import retype

    types = profile.jobset_types()
    stored = admit({"spec": {"replicatedJobs": jobs}}, types, "jobset.JobSet").value
    typed, _ = retype(stored["spec"], types, "jobset.JobSetSpec")
    assert isinstance(typed, dict)
    text = json.dumps(typed.get("replicatedJobs"), ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


# ---------------------------------------------------------------------------------------------- the rules


def in_place_restart_is_gated(view: View) -> Problems:
    if view.spec["failurePolicy"].get("restartStrategy") != "InPlaceRestart":
        return NONE
    message = "InPlaceRestart restart strategy cannot be set when InPlaceRestart feature gate is disabled"
    at = ("spec", "failurePolicy", "restartStrategy")
    return (Problem(message, at=at, hint="write Recreate or BlockingRecreate, or enable the feature gate InPlaceRestart of JobSet (alpha)"),)


def first_job_depends_on_nothing(view: View) -> Problems:
    if not view.jobs or "dependsOn" not in view.jobs[0].value:
        return NONE
    hint = "leave dependsOn out of the first replicatedJob, or move that job behind those it depends on"
    return (Problem("DependsOn can't be set for the first ReplicatedJob", at=("spec", "replicatedJobs", 0, "dependsOn"), hint=hint),)


def subdomain_is_a_service_name(view: View) -> Problems:
    subdomain = view.spec["network"].get("subdomain", "")
    if not subdomain:
        return NONE
    too_long = ".spec.network.subdomain is too long, must be less than 63 characters"
    messages = is_dns1123_subdomain(subdomain) + renamed_length(is_dns1035_label(subdomain), too_long)
    return [Problem(message, ("spec", "network", "subdomain"), subdomain, hint=excess_hint("the subdomain", subdomain)) for message in messages]


def renamed_length(messages: tuple[str, ...], too_long: str) -> tuple[str, ...]:
    return tuple([too_long if message == TOO_LONG_FOR_A_LABEL else message for message in messages])


def excess_hint(what: str, name: str) -> str:
    excess = len(name.encode()) - LABEL_LENGTH
    if excess <= 0:
        return f"write {what} in lower case letters, digits and dashes, beginning with a letter"
    return f"shorten {what} by {excess} character" + "s" * (excess > 1)


def manager_is_a_path(view: View) -> Problems:
    manager, path = view.spec["managedBy"], ("spec", "managedBy")
    problems = [Problem(message, path, part, kind) for kind, message, part in is_domain_prefixed_path(manager)]
    if len(manager.encode()) > LABEL_LENGTH:
        problems.append(Problem(f"may not be more than {LABEL_LENGTH} bytes", path, manager, "FieldValueTooLong"))
    return problems


def pods_can_be_counted(view: View, job: Job) -> Problems:
    if job.parallelism * job.replicas <= MOST_PODS:
        return NONE
    message = f"the product of replicas and parallelism must not exceed {MOST_PODS} for replicatedJob '{job.name}'"
    return (Problem(message, at=(*job.path, "replicas")),)


def group_is_a_label(view: View, job: Job) -> Problems:
    group = job.value.get("groupName")
    if group is None:
        return NONE
    messages = renamed_length(is_dns1035_label(group), ".spec.replicatedJob[].groupName is too long, must be less than 63 characters")
    return [Problem(message, (*job.path, "groupName"), group, hint=excess_hint("the group name", group)) for message in messages]


def job_names_are_labels(view: View, job: Job) -> Problems:
    name = last_job_name(view, job)
    messages = is_dns1035_label(name)
    return name_problems(view, job, name, messages, "job") if messages else NONE


def pod_names_are_labels(view: View, job: Job) -> Problems:
    if not job.is_indexed or job.completions is None:
        return NONE
    name = last_pod_name(view, job, job.completions)
    messages = is_dns1035_label(name)
    return name_problems(view, job, name, messages, "pod") if messages else NONE


def name_problems(view: View, job: Job, name: str, messages: tuple[str, ...], what: str) -> Problems:
    """Both kinds of names are told of at the replicatedJob, with the Job's name as the value."""
    too_long = f"JobSet name is too long, {what} names generated for this JobSet will exceed {LABEL_LENGTH} characters"
    path, root = (*job.path, "name"), ("metadata", "name")
    out = []
    for message in messages:
        if message == TOO_LONG_FOR_A_LABEL:
            out.append(Problem(too_long, path, last_job_name(view, job), at=root, hint=name_hint(view), also=path))
        else:
            whose, at = ("TrainJob", root) if is_dns1035_label(view.name) else ("replicatedJob", path)
            hint = f"the name of the {whose} goes into those of Jobs, pods and a Service: lower case letters, digits and dashes, the first a letter"
            out.append(Problem(message, path, last_job_name(view, job), at=at, hint=hint))
    return out


def name_hint(view: View) -> str:
    """How much the TrainJob's name must become shorter, for all that is made of it."""
    from jobset_compiler.admission.room import shorten

    return shorten(view)


def dependencies_come_before(view: View, job: Job) -> Problems:
    targets = job.value.get("dependsOn")
    if not targets:
        return NONE
    out = []
    for position, target in enumerate(targets):
        name = target["name"]
        if view.names.get(name, len(view.jobs)) > job.position:
            hint = "a replicatedJob can only wait for one that stands before it: " + (f'move "{name}" up' if name in view.names else jobs_that_are(view, name))
            at = (*job.path, "dependsOn", position, "name")
            close = "" if name in view.names else near_job(view, name)
            out.append(Problem(f"replicatedJob: {job.name} cannot depend on replicatedJob: {name}", at=at, hint=hint, meant=close))
    return out


def success_targets_exist(view: View) -> Problems:
    targets = view.spec["successPolicy"].get("targetReplicatedJobs", ())
    return [
        Problem(
            f"invalid replicatedJob name '{name}' does not appear in .spec.ReplicatedJobs",
            at=("spec", "successPolicy", "targetReplicatedJobs", index),
            hint=jobs_that_are(view, name),
            meant=near_job(view, name),
        )
        for index, name in enumerate(targets)
        if name not in view.names
    ]


def near_job(view: View, name: str) -> str:
    """The replicatedJob that a name without one probably means."""
    from jobset_compiler.resolve.catalog import near

    return near(name, view.names) or ""


def jobs_that_are(view: View, name: str) -> str:
    """The advice for a name that no replicatedJob has."""
    close = near_job(view, name)
    known = ", ".join(f'"{known}"' for known in view.names) or "no replicatedJobs"
    return (f"did you mean {close}? " if close else "") + f"the JobSet has {known}"


def failure_rules(view: View) -> list[Tree]:
    """The failure policy's rules; none where one of them is refused for its gated action, which the webhook then leaves it at."""
    rules: list[Tree] = view.spec["failurePolicy"].get("rules", [])
    return [] if any(rule.get("action") in RESTART_JOB_ACTIONS for rule in rules) else rules


def failure_path(index: int, *rest: str | int) -> Path:
    return ("spec", "failurePolicy", "rules", index, *rest)


def job_restart_is_gated(view: View) -> Problems:
    rules = view.spec["failurePolicy"].get("rules", ())
    gated = [index for index, rule in enumerate(rules) if rule.get("action") in RESTART_JOB_ACTIONS]
    message = "RestartJob and RestartJobAndIgnoreMaxRestarts failure policy actions are not allowed when RestartJob feature gate is disabled"
    hint = "write RestartJobSet or RestartJobSetAndIgnoreMaxRestarts, or enable the feature gate RestartJob of JobSet (alpha)"
    return (Problem(message, at=failure_path(gated[0], "action"), hint=hint),) if gated else NONE


def failure_rule_names(view: View) -> Problems:
    out = []
    holders: dict[str, list[int]] = {}
    for index, rule in enumerate(failure_rules(view)):
        name: str = rule["name"]
        holders.setdefault(name, []).append(index)
        length = len(name.encode())
        if length > RULE_NAME_LENGTH:
            message = (
                f"invalid failure policy rule name of length {length}, the rule name must be at least 1 characters long and at most "
                f"{RULE_NAME_LENGTH} characters long"
            )
            out.append(Problem(message, at=failure_path(index, "name")))
        if not is_rule_name(name):
            message = (
                f"invalid failure policy rule name '{name}', a failure policy rule name must start with an alphabetic character, optionally followed "
                "by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'"
            )
            out.append(Problem(message, at=failure_path(index, "name")))
    for name, indices in holders.items():
        if len(indices) > 1:
            message = f"rule names are not unique, rules with indices [{' '.join(map(str, indices))}] all have the same name '{name}'"
            out.append(Problem(message, at=failure_path(indices[1], "name"), also=failure_path(indices[0], "name")))
    return out


def is_rule_name(name: str) -> bool:
    return RULE_NAME_CHARACTERS.issuperset(name) and name[0].isalpha() and name[-1] not in ",:"


def failure_targets_exist(view: View) -> Problems:
    return [
        Problem(
            f"invalid replicatedJob name '{name}' in failure policy does not appear in .spec.ReplicatedJobs",
            at=failure_path(index, "targetReplicatedJobs", position),
            hint=jobs_that_are(view, name),
            meant=near_job(view, name),
        )
        for index, rule in enumerate(failure_rules(view))
        for position, name in enumerate(rule.get("targetReplicatedJobs", ()))
        if name not in view.names
    ]


def failure_reasons_are_known(view: View) -> Problems:
    return [
        Problem(
            f"invalid job failure reason '{reason}' in failure policy is not a recognized job failure reason",
            at=failure_path(index, "onJobFailureReasons", position),
            hint=f"reasons are {', '.join(FAILURE_REASONS)}",
        )
        for index, rule in enumerate(failure_rules(view))
        for position, reason in enumerate(rule.get("onJobFailureReasons", ()))
        if reason not in FAILURE_REASONS
    ]


def coordinator_exists(view: View) -> Problems:
    """One error at most."""
    coordinator = view.spec["coordinator"]
    path = ("spec", "coordinator")
    name, job_index, pod_index = coordinator["replicatedJob"], coordinator.get("jobIndex", 0), coordinator.get("podIndex", 0)
    job = view.job(name)
    if job is None:
        message, close = f"coordinator replicatedJob {name} does not exist", near_job(view, name)
        return (Problem(message, at=(*path, "replicatedJob"), hint=jobs_that_are(view, name), meant=close),)
    if not 0 <= job_index < job.replicas:
        return (Problem(f"coordinator job index {job_index} is invalid for replicatedJob {job.name}", at=(*path, "jobIndex")),)
    if not job.is_indexed or job.completions is None:
        message = "job for coordinator pod must be indexed completion mode, and completions number must be set"
        return (Problem(message, at=(*job.path, "template", "spec", "completionMode"), also=path),)
    if not 0 <= pod_index < job.completions:
        message = f"coordinator pod index {pod_index} is invalid for replicatedJob {name} job index {job_index}"
        return (Problem(message, at=(*path, "podIndex"), hint=f"the replicatedJob runs {job.completions} pods, counted from 0"),)
    return NONE


def coordinator_is_a_label_value(view: View) -> Problems:
    endpoint = coordinator_endpoint(view.name, view.spec)
    messages = is_valid_label_value(endpoint)
    if not messages:
        return NONE
    message = (
        f'spec will lead to invalid label value "{endpoint}" for coordinator label "{COORDINATOR_LABEL}" '
        f"(long JobSet / ReplicatedJob / SubDomain name?): {', '.join(messages)}"
    )
    hint = name_hint(view) or "the names of TrainJob, replicatedJob and subdomain make the coordinator's host name"
    return (Problem(message, at=("metadata", "name"), hint=hint, also=("spec", "coordinator")),)


def claim_templates_fit(view: View) -> Problems:
    out: list[Problem] = []
    seen: set[str] = set()
    for index, policy in enumerate(view.spec["volumeClaimPolicies"]):
        for position, template in enumerate(policy.get("templates", ())):
            name = template.get("metadata", {}).get("name", "")
            # The webhook's path says template where the field is called templates.
            path = ("spec", "volumeClaimPolicies", index, "template", position, "name")
            at = ("spec", "volumeClaimPolicies", index, "templates", position, "metadata", "name")
            if name in seen:
                out.append(Problem("names must be unique for VolumeClaimPolicies template", path, name, at=at))
            out.extend(Problem(message, path, name, at=at) for message in is_dns1123_subdomain(name))
            if len(f"{name}-{view.name}".encode()) > LABEL_LENGTH:
                out.append(Problem("VolumeClaimPolicies template name is too long", path, name, at=at, hint=name_hint(view), also=("metadata", "name")))
            out.extend(claim_is_used_by_name(view, name, at))
            seen.add(name)
    return out


def claim_is_used_by_name(view: View, name: str, at: Path) -> Iterator[Problem]:
    for job in view.jobs:
        for index, volume in enumerate(job.pod_spec.get("volumes", ())):
            if volume["name"] == name:
                path = (*job.path, "template", "spec", "template", "spec", "volumes", index, "name")
                hint = "the claim template makes a volume of that name in every Job that mounts it: remove or rename this one"
                yield Problem(f"volume name conflicts with VolumeClaimPolicy template name: {name}", path, name, hint=hint, also=at)
    if not any(mount["name"] == name for job in view.jobs for mount in mounts_of(job.pod_spec)):
        jobs = view.spec.get("replicatedJobs")
        message = f"replicatedJob containers don't have a matching volumeMount: {name} from VolumeClaimPolicies"
        hint = f'mount "{name}" in a container (volumeMounts), or remove the claim template'
        yield Problem(message, ("spec", "replicatedJobs"), jobs, at=at, hint=hint)


def mounts_of(pod_spec: Tree) -> Iterator[Tree]:
    for field in ("initContainers", "containers"):
        for container in pod_spec.get(field, ()):
            yield from container.get("volumeMounts", ())


RULES_BEFORE_JOBS: tuple[Rule, ...] = (
    Rule(codes.IN_PLACE_RESTART_GATED, "failurePolicy", in_place_restart_is_gated, "jobset 0.11"),
    Rule(codes.FIRST_JOB_DEPENDS, "replicatedJobs", first_job_depends_on_nothing, "jobset 0.8.1"),
    Rule(codes.JOBSET_SUBDOMAIN, "network", subdomain_is_a_service_name, "jobset 0.5", names_field_since=JOBSET_ERRORS_NAME_FIELDS),
    Rule(codes.MANAGED_BY, "managedBy", manager_is_a_path, "jobset 0.5"),
)
JOB_RULES: tuple[JobRule, ...] = (
    JobRule(codes.TOO_MANY_PODS, pods_can_be_counted, "jobset 0.5"),
    JobRule(codes.GROUP_NAME, group_is_a_label, "jobset 0.9"),
    JobRule(codes.JOB_NAME, job_names_are_labels, "jobset 0.5", names_field_since=JOBSET_ERRORS_NAME_FIELDS),
    JobRule(codes.POD_NAME, pod_names_are_labels, "jobset 0.5", names_field_since=JOBSET_ERRORS_NAME_FIELDS),
    JobRule(codes.DEPENDENCY, dependencies_come_before, "jobset 0.8"),
)
RULES_AFTER_JOBS: tuple[Rule, ...] = (
    Rule(codes.SUCCESS_TARGET, "successPolicy", success_targets_exist, "jobset 0.5"),
    Rule(codes.RESTART_JOB_GATED, "failurePolicy", job_restart_is_gated, "jobset 0.12"),
    Rule(codes.FAILURE_RULE_NAME, "failurePolicy", failure_rule_names, "jobset 0.6"),
    Rule(codes.FAILURE_TARGET, "failurePolicy", failure_targets_exist, "jobset 0.6"),
    Rule(codes.FAILURE_REASON, "failurePolicy", failure_reasons_are_known, "jobset 0.6"),
    Rule(codes.COORDINATOR, "coordinator", coordinator_exists, "jobset 0.6"),
    Rule(codes.COORDINATOR_LABEL_REFUSED, "coordinator", coordinator_is_a_label_value, "jobset 0.11", since=COORDINATOR_LABEL_CHECKED),
    Rule(codes.CLAIM_TEMPLATE, "volumeClaimPolicies", claim_templates_fit, "jobset 0.11"),
)
