"""The rules of JobSet's validating webhook for a new JobSet: one predicate each, in the webhook's order.

Source: ValidateCreate in pkg/webhooks/jobset_webhook.go of kubernetes-sigs/jobset 0.8.2 to 0.12.0, with all feature gates at
their defaults (off). What a release has not (groups before 0.9, claims before 0.11) cannot be in a JobSet of it, so that most rules need no
feature. Names are read after defaults (`jobset_defaults`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.admission.jobset_policies import RULES as RULES_ON_POLICIES
from jobset_compiler.admission.jobset_rule import LABEL_LENGTH, NONE, JobRule, JobSetRule, Problem, jobs_that_are, name_hint, near_job
from jobset_compiler.admission.jobset_view import last_job_name, last_pod_name, view_of
from jobset_compiler.diagnostics.codes import jobset as codes
from jobset_compiler.kube.names import is_dns1035_label, is_dns1123_subdomain, is_domain_prefixed_path
from jobset_compiler.kube.structural import OMITTED, admit
from jobset_compiler.kube.structural.errors import TITLES, go_json_in_order, shown
from jobset_compiler.profiles import features
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.admission.jobset_rule import Problems
    from jobset_compiler.admission.jobset_view import ReplicatedJob, View
    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.profiles import Profile

Tree = dict[str, Any]
MOST_PODS = 2**31 - 1
TOO_LONG_FOR_A_LABEL = "must be no more than 63 characters"


class JobSetRefusal(Value):
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


def refusals(jobset: Tree, profile: Profile) -> list[JobSetRefusal]:
    """Why the webhook refuses a JobSet that has its defaults and passed the schema; nothing where it accepts it."""
    view = view_of(jobset)
    out = [*of_spec(RULES_BEFORE_JOBS, view, profile)]
    for job in view.jobs:
        for job_rule in JOB_RULES:
            found = job_rule.check(view, job)
            if found:
                out += reported(job_rule, found, profile)
    return [*out, *of_spec(RULES_ON_POLICIES, view, profile)]


def of_spec(rules: tuple[JobSetRule, ...], view: View, profile: Profile) -> Iterator[JobSetRefusal]:
    for rule in rules:
        if rule.section in view.spec:
            found = rule.check(view)
            if found:
                yield from reported(rule, found, profile)


def reported(rule: JobSetRule | JobRule, problems: Problems, profile: Profile) -> Iterator[JobSetRefusal]:
    if rule.since is not None and not profile.has(rule.since):
        return
    for problem in problems:
        path = problem.path
        if rule.names_field_since is not None and not profile.has(rule.names_field_since):
            path = ()
        message = structured(problem, profile) if profile.has(features.JOBSET_ERRORS_STRUCTURED) else problem.message or TITLES[problem.kind]
        yield JobSetRefusal(rule.code, path, message, problem.at or problem.path, problem.also, problem.hint, problem.meant)


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
    from jobset_compiler.kube.retype import retype

    types = profile.jobset_types()
    stored = admit({"spec": {"replicatedJobs": jobs}}, types, "jobset.JobSet").value
    typed, _ = retype(stored["spec"], types, "jobset.JobSetSpec")
    return go_json_in_order(typed.get("replicatedJobs"))


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


def pods_can_be_counted(view: View, job: ReplicatedJob) -> Problems:
    if job.parallelism * job.replicas <= MOST_PODS:
        return NONE
    message = f"the product of replicas and parallelism must not exceed {MOST_PODS} for replicatedJob '{job.name}'"
    return (Problem(message, at=(*job.path, "replicas")),)


def group_is_a_label(view: View, job: ReplicatedJob) -> Problems:
    group = job.value.get("groupName")
    if group is None:
        return NONE
    messages = renamed_length(is_dns1035_label(group), ".spec.replicatedJob[].groupName is too long, must be less than 63 characters")
    return [Problem(message, (*job.path, "groupName"), group, hint=excess_hint("the group name", group)) for message in messages]


def job_names_are_labels(view: View, job: ReplicatedJob) -> Problems:
    name = last_job_name(view, job)
    messages = is_dns1035_label(name)
    return name_problems(view, job, name, messages, "job") if messages else NONE


def pod_names_are_labels(view: View, job: ReplicatedJob) -> Problems:
    if not job.is_indexed or job.completions is None:
        return NONE
    name = last_pod_name(view, job, job.completions)
    messages = is_dns1035_label(name)
    return name_problems(view, job, name, messages, "pod") if messages else NONE


def name_problems(view: View, job: ReplicatedJob, name: str, messages: tuple[str, ...], what: str) -> Problems:
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


def dependencies_come_before(view: View, job: ReplicatedJob) -> Problems:
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


RULES_BEFORE_JOBS: tuple[JobSetRule, ...] = (
    JobSetRule(codes.IN_PLACE_RESTART_GATED, "failurePolicy", in_place_restart_is_gated, "jobset 0.11"),
    JobSetRule(codes.FIRST_JOB_DEPENDS, "replicatedJobs", first_job_depends_on_nothing, "jobset 0.8.1"),
    JobSetRule(codes.JOBSET_SUBDOMAIN, "network", subdomain_is_a_service_name, "jobset 0.5", names_field_since=features.JOBSET_ERRORS_NAME_FIELDS),
    JobSetRule(codes.MANAGED_BY, "managedBy", manager_is_a_path, "jobset 0.5"),
)
JOB_RULES: tuple[JobRule, ...] = (
    JobRule(codes.TOO_MANY_PODS, pods_can_be_counted, "jobset 0.5"),
    JobRule(codes.GROUP_NAME, group_is_a_label, "jobset 0.9"),
    JobRule(codes.JOB_NAME, job_names_are_labels, "jobset 0.5", names_field_since=features.JOBSET_ERRORS_NAME_FIELDS),
    JobRule(codes.POD_NAME, pod_names_are_labels, "jobset 0.5", names_field_since=features.JOBSET_ERRORS_NAME_FIELDS),
    JobRule(codes.DEPENDENCY, dependencies_come_before, "jobset 0.8"),
)
