"""What every finding is made of: a diagnostic on the line that causes it, and where things stand in a runtime's document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.resolve.places import where_it_can_be_seen
from jobset_compiler.resolve.plan import replicated_jobs
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.api.trainjob import JobPatch
    from jobset_compiler.diagnostics.codes.code import Code, Severity
    from jobset_compiler.diagnostics.diagnostic import Stage
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan

    # A rule about the template of a runtime, or about what patches have made of it, and the name of the policy.
    TemplateRule = Callable[["Tree", str], Iterator["Found"]]

Tree = dict[str, Any]
TRAINER_SPEC: Path = ("spec", "trainer")
JOBSET_TEMPLATE: Path = ("spec", "template")
TEMPLATE: Path = (*JOBSET_TEMPLATE, "spec")
JOBS: Path = (*TEMPLATE, "replicatedJobs")
# The same in a JobSetSpec.
JOBS_OF_SPEC: Path = ("replicatedJobs",)
# The policies that say how many processes run in a node; xgboost and JAX have their own ways.
COUNTS_PROCESSES = ("torch", "mpi", "flux")
# Below a replicatedJob.
POD_TEMPLATE: Path = ("template", "spec", "template")
POD: Path = (*POD_TEMPLATE, "spec")


def on_trainjob(plan: Plan, code: Code, message: str, at: Path, hint: str, severity: Severity | None = None, **more: Any) -> Diagnostic:
    """A finding about a line of the TrainJob; `severity` where it is another than its code's; more: `notes`, `remedies`."""
    document = plan.job.document
    return Diagnostic(code, message, document=document, at=at, hint=hint, stage=_stage(code), severity=severity, subject=_trainjob(plan), **more)


def on_runtime(plan: Plan, code: Code, message: str, at: Path, hint: str, severity: Severity | None = None) -> Diagnostic:
    """A finding about a line of the runtime, in so far as this TrainJob uses it."""
    document, place, notes = where_it_can_be_seen(plan, plan.runtime.document, at)
    return Diagnostic(code, message, document=document, at=place, hint=hint, stage=_stage(code), severity=severity, notes=notes, subject=_trainjob(plan))


def in_runtime(runtime: Runtime, code: Code, message: str, at: Path, hint: str, severity: Severity | None = None, **more: Any) -> Diagnostic:
    """A finding about a line of a runtime on its own; more: `remedies`."""
    subject = (runtime.kind, runtime.namespace, runtime.name)
    return Diagnostic(code, message, document=runtime.document, at=at, hint=hint, stage=_stage(code), severity=severity, subject=subject, **more)


def on_template(plan: Plan, code: Code, message: str, at: Path, hint: str, severity: Severity | None = None) -> Diagnostic:
    """A finding about a place of the Plan's template (a path in a JobSetSpec): on the line of the patch or of the runtime that has it, for what
    nobody wrote on that of what encloses it."""
    from jobset_compiler.provenance.layers import has

    for depth in range(len(at), 0, -1):
        for spoken in plan.record.spoken(at[:depth]):
            document = plan.runtime.document if spoken.override is None else plan.job.document
            if has(document.value, spoken.path):
                return (on_runtime if spoken.override is None else on_trainjob)(plan, code, message, spoken.path, hint, severity)
    return on_runtime(plan, code, message, TEMPLATE, hint, severity)


class Found(Value):
    """What a rule about a template says; `at` is a path in a JobSetSpec."""

    __slots__ = ("at", "code", "hint", "message", "severity")

    def __init__(self, code: Code, message: str, at: Path, hint: str, severity: Severity | None = None) -> None:
        self.code: Final = code
        self.message: Final = message
        self.at: Final = at
        self.hint: Final = hint
        self.severity: Final = severity


def told_of_runtime(runtime: Runtime, rule: TemplateRule) -> Iterator[Diagnostic]:
    """What a rule says about the template of a runtime on its own."""
    for found in rule(runtime.template, runtime.ml_policy.name if runtime.ml_policy else ""):
        yield in_runtime(runtime, found.code, found.message, (*TEMPLATE, *found.at), found.hint, found.severity)


def told_of_patches(plan: Plan, rule: TemplateRule, fields: tuple[str, ...]) -> Iterator[Diagnostic]:
    """What a rule says about the patched template and not about the runtime alone; it reads those fields of jobs."""
    if any(patch.jobs for patch in plan.job.patches) and may_say(plan.job.document.text, fields):
        after = list(rule(plan.template, plan.policy_name))
        before = {found.message for found in rule(plan.runtime.template, plan.policy_name)} if after else ()
        for found in after:
            if found.message not in before:
                yield on_template(plan, found.code, found.message, found.at, found.hint, found.severity)


def may_say(text: str, words: tuple[str, ...]) -> bool:
    """Whether a document has one of the words, or may have: there is no text of it, or the text has escapes or a directive of a patch."""
    return not text or "$" in text or "\\" in text or any(map(text.__contains__, words))


def _stage(code: Code) -> Stage:
    """Quirks (8xx) are what the controller's build does; everything else is advice."""
    return "build" if code.code >= "JSC800" else "advice"


def _trainjob(plan: Plan) -> tuple[str, str, str]:
    return "TrainJob", plan.job.namespace, plan.job.name


def job_path(plan: Plan, name: str) -> Path:
    """Where the runtime has that replicatedJob; the whole template for one that a patch has added."""
    for index, job in enumerate(replicated_jobs(plan.runtime.template)):
        if job["name"] == name:
            return *JOBS, index
    return TEMPLATE


def pod_path(plan: Plan, job: str) -> Path:
    path = job_path(plan, job)
    return path if path == TEMPLATE else (*path, *POD)


def container_path(plan: Plan, job: str, container: str, field: str = "containers") -> Path:
    """Where the runtime has that container (of `containers` or `initContainers`); its job's pod for one that a patch has added."""
    for entry in replicated_jobs(plan.runtime.template):
        if entry["name"] == job:
            pod: Tree = pod_template_of(entry).get("spec", {})
            for index, have in enumerate(pod.get(field) or ()):
                if have["name"] == container:
                    return *pod_path(plan, job), field, index
    return pod_path(plan, job)


def job_patches(plan: Plan) -> Iterator[JobPatch]:
    for patch in plan.job.patches:
        yield from patch.jobs


def patch_path(patch: JobPatch, path: Path) -> Path:
    """Where the TrainJob has what stands at `path` in the JobTemplateSpec that a patch was decoded into."""
    return *patch.origin, *path[len(patch.at) :]


def pod_template_of(job: Tree) -> Tree:
    template: Tree = job.get("template", {}).get("spec", {}).get("template", {})
    return template


def labels_of(holder: Tree) -> dict[str, str]:
    """metadata.labels of a template."""
    labels: dict[str, str] = holder.get("metadata", {}).get("labels", {})
    return labels


def containers_of(pod: Tree) -> list[Tree]:
    """The containers of a pod spec."""
    return pod.get("containers") or []


def listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names)
