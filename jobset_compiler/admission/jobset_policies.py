"""The rules of JobSet's validating webhook on what few JobSets have: policies of success and failure, a coordinator, claims.

Source, and how the releases differ: see `jobset_webhook`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.jobset_rule import COORDINATOR_LABEL, LABEL_LENGTH, NONE, JobSetRule, Problem, jobs_that_are, name_hint, near_job
from jobset_compiler.admission.jobset_view import coordinator_endpoint
from jobset_compiler.diagnostics.codes import jobset as codes
from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.kube.names import is_dns1123_subdomain, is_valid_label_value
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.admission.jobset_rule import Problems
    from jobset_compiler.admission.jobset_view import View
    from jobset_compiler.diagnostics.place import Path

Tree = dict[str, Any]
RULE_NAME_LENGTH = 128
RULE_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_,:")
FAILURE_REASONS = ("BackoffLimitExceeded", "DeadlineExceeded", "FailedIndexes", "MaxFailedIndexesExceeded", "PodFailurePolicy")
RESTART_JOB_ACTIONS = ("RestartJob", "RestartJobAndIgnoreMaxRestarts")


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
        return (Problem(message, at=(*path, "podIndex"), hint=f"the replicatedJob runs {counted(job.completions, 'pod')}, counted from 0"),)
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


RULES: tuple[JobSetRule, ...] = (
    JobSetRule(codes.SUCCESS_TARGET, "successPolicy", success_targets_exist, "jobset 0.5"),
    JobSetRule(codes.RESTART_JOB_GATED, "failurePolicy", job_restart_is_gated, "jobset 0.12"),
    JobSetRule(codes.FAILURE_RULE_NAME, "failurePolicy", failure_rule_names, "jobset 0.6"),
    JobSetRule(codes.FAILURE_TARGET, "failurePolicy", failure_targets_exist, "jobset 0.6"),
    JobSetRule(codes.FAILURE_REASON, "failurePolicy", failure_reasons_are_known, "jobset 0.6"),
    JobSetRule(codes.COORDINATOR, "coordinator", coordinator_exists, "jobset 0.6"),
    JobSetRule(codes.COORDINATOR_LABEL_REFUSED, "coordinator", coordinator_is_a_label_value, "jobset 0.11", since=features.COORDINATOR_LABEL_CHECKED),
    JobSetRule(codes.CLAIM_TEMPLATE, "volumeClaimPolicies", claim_templates_fit, "jobset 0.11"),
)
