"""podSpecOverrides, podTemplateOverrides, runtimePatches: targets, managers, and variables that have a field of their own.

Source: Validate in pkg/runtime/framework/plugins/jobset/jobset.go. Upstream looks for targets in the *merged* template:
a container always exists there once a patch names it, and from 2.3 on (#3709) so does a job. Those rules are dead; the
same lookup here makes them so without saying it (JSC810, JSC811).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.rules.rule import Plugin, Refusal, Rule, listed, runtime_note
from jobset_compiler.api.runtime import DATASET_INITIALIZER, MODEL_INITIALIZER, NODE
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Note
from jobset_compiler.kube.names import is_domain_prefixed_path
from jobset_compiler.profiles import features
from jobset_compiler.resolve.catalog import near
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.trainjob import JobPatch
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan

CITES = ("pkg/runtime/framework/plugins/jobset/jobset.go",)
POD_SPEC = ("spec", "template", "spec")
FIELD_OF = {NODE: "spec.trainer.env", DATASET_INITIALIZER: "spec.initializer.dataset.env", MODEL_INITIALIZER: "spec.initializer.model.env"}


def managers(plan: Plan) -> Iterator[Refusal]:
    """Since 2.2: runtimePatches[].manager is a domain and a path."""
    for patch in plan.job.patches:
        for _, message, _ in is_domain_prefixed_path(patch.manager):
            at = (*patch.origin, "manager")
            yield Refusal(codes.webhook.PATCH_MANAGER, message, "spec.runtimePatches.manager", at, "write a domain and a path, such as example.com/my-team")


def targets_named_twice(plan: Plan) -> Iterator[Refusal]:
    """2.0: one override a job (#2880)."""
    seen: dict[str, Path] = {}
    for patch in plan.job.patches:
        for index, job_patch in enumerate(patch.jobs):
            at = _name_place(job_patch, index)
            if job_patch.job in seen:
                yield Refusal(
                    codes.webhook.TARGET_TWICE,
                    f'Duplicate value: "{job_patch.job}"',
                    _field(plan),
                    at,
                    f"put everything for the job {job_patch.job} into one override",
                    (Note("named first here", plan.job.document, seen[job_patch.job]),),
                )
            else:
                seen[job_patch.job] = at


def targets(plan: Plan) -> Iterator[Refusal]:
    """Every target is a job of the (merged) template, and its reserved containers get no variables here."""
    known = [job["name"] for job in replicated_jobs(plan.template)]
    for patch in plan.job.patches:
        for index, job_patch in enumerate(patch.jobs):
            if job_patch.job in known:
                yield from _variables(plan, job_patch)
            else:
                yield from _unknown_job(plan, job_patch, _name_place(job_patch, index), known)


def _unknown_job(plan: Plan, job_patch: JobPatch, at: Path, known: list[str]) -> Iterator[Refusal]:
    by_target_list = bool(job_patch.at)
    close = near(job_patch.job, known)
    yield Refusal(
        codes.webhook.TARGET_UNKNOWN,
        f"must not have {'targetJob' if by_target_list else 'replicated job'} that doesn't exist in the runtime job template",
        _field(plan),
        at,
        f"did you mean {close}?" if close else f"the runtime's jobs are {listed(known)}",
        runtime_note(plan, "the runtime's jobs", ("spec", "template", "spec", "replicatedJobs")),
        close or "",
    )
    if by_target_list:
        # The two older spellings are then searched for containers as well, none of which can be found.
        for kind, word in (("initContainers", "initContainer"), ("containers", "container")):
            for index in range(len(_containers(job_patch, kind))):
                yield Refusal(
                    codes.webhook.CONTAINER_OF_UNKNOWN_TARGET,
                    f"must not have {word} that doesn't exist in the runtime job {job_patch.job}",
                    _field(plan),
                    (*_pod_place(job_patch), kind, index, "name"),
                    "correct the name of the target job",
                )


def _containers(job_patch: JobPatch, kind: str) -> list[dict[str, Any]]:
    pod: dict[str, Any] = (job_patch.template or {}).get("spec", {}).get("template", {}).get("spec", {})
    containers: list[dict[str, Any]] = pod.get(kind, [])
    return containers


def _variables(plan: Plan, job_patch: JobPatch) -> Iterator[Refusal]:
    for index, container in enumerate(_containers(job_patch, "containers")):
        name = container["name"]
        if name in FIELD_OF and container.get("env"):
            yield Refusal(
                codes.webhook.ENV_ON_RESERVED_CONTAINER,
                f"must not have envs for the {DATASET_INITIALIZER}, {MODEL_INITIALIZER}, {NODE} containers",
                _field(plan),
                (*_pod_place(job_patch), "containers", index, "env"),
                f"move these variables to {FIELD_OF[name]}",
            )


def _field(plan: Plan) -> str:
    return f"spec.{plan.profile.override_field}"


def _pod_place(job_patch: JobPatch) -> Path:
    """Where the document has the pod spec of a patch, whatever its spelling."""
    return (*job_patch.origin, *POD_SPEC[len(job_patch.at) :])


def _name_place(job_patch: JobPatch, index: int) -> Path:
    """Where the document names the target: in targetJobs, or in the patch's own list of jobs."""
    if job_patch.at:
        return (*job_patch.origin, "targetJobs", index, "name")
    return (*job_patch.origin[:-1], "name")


OVERRIDES = Plugin(
    "JobSet: overrides",
    (
        Rule(managers, (*CITES, "#3309"), features.PATCH_MANAGER_CHECKED),
        Rule(targets_named_twice, (*CITES, "#2880"), features.DUPLICATE_TARGETS_REFUSED),
        Rule(targets, CITES),
    ),
)
