"""Runtimes, TrainJobs and Plans made by hand, for tests of passes and objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jobset_compiler as jc
from jobset_compiler.admission.documents import admit, type_check
from jobset_compiler.api import runtime as api_runtime
from jobset_compiler.api import trainjob as api_trainjob
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.profiles import find
from jobset_compiler.request.options import Options
from jobset_compiler.resolve.build import build_plan
from jobset_compiler.resolve.facts import NO_FACTS, Facts
from jobset_compiler.source.document import Document

if TYPE_CHECKING:
    from jobset_compiler.passes.api import Edit, Pass
    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]
GROUP = "trainer.kubeflow.org/v1alpha1"
ANCESTOR = "trainer.kubeflow.org/trainjob-ancestor-step"
UID = "3f0c8a52-6d1b-4e57-9a34-0b7d1c2e9f10"


def container(name: str = "node", **fields: Any) -> Tree:
    return {"name": name, "image": "example/train:1", **fields}


def job(name: str = "node", ancestor: str | None = "trainer", *, containers: list[Tree] | None = None, spec: Tree | None = None, **pod: Any) -> Tree:
    """A replicatedJob; `spec` goes into the Job, `pod` into the pod."""
    template: Tree = {"spec": {**(spec or {}), "template": {"spec": {"containers": containers or [container()], **pod}}}}
    if ancestor is not None:
        template["metadata"] = {"labels": {ANCESTOR: ancestor}}
    return {"name": name, "template": template}


def runtime(policy: Tree | None, *jobs: Tree, gang: Tree | None = None, metadata: Tree | None = None, **spec: Any) -> Tree:
    """A ClusterTrainingRuntime called rt; `spec` goes into the JobSet spec, `metadata` into its template's metadata."""
    template: Tree = {"spec": {"replicatedJobs": list(jobs) or [job()], **spec}}
    if metadata:
        template["metadata"] = metadata
    out: Tree = {"template": template}
    if policy is not None:
        out["mlPolicy"] = policy
    if gang is not None:
        out["podGroupPolicy"] = gang
    return {"apiVersion": GROUP, "kind": "ClusterTrainingRuntime", "metadata": {"name": "rt"}, "spec": out}


def trainjob(trainer: Tree | None = None, *, uid: str = UID, metadata: Tree | None = None, runtime_name: str = "rt", **spec: Any) -> Tree:
    """A TrainJob called job in namespace ns."""
    body: Tree = {"runtimeRef": {"name": runtime_name}, **spec}
    if trainer is not None:
        body["trainer"] = trainer
    meta: Tree = {"name": "job", "namespace": "ns", **({"uid": uid} if uid else {}), **(metadata or {})}
    return {"apiVersion": GROUP, "kind": "TrainJob", "metadata": meta, "spec": body}


def plan_of(given: Tree, asked: Tree, profile: str = "v2.3", facts: Facts = NO_FACTS) -> Plan:
    """The Plan before any pass."""
    release = find(profile)
    assert release is not None
    admitted = [admit(Document.from_object(value, "<test>"), Options(profile=release)) for value in (given, asked)]
    assert not [diagnostic for document in admitted for diagnostic in document.diagnostics if diagnostic.is_error]
    (typed_runtime, _), (typed_job, _) = (type_check(document, release) for document in admitted)
    decoded = api_runtime.decode(admitted[0].document, typed_runtime, bundled=False)
    return build_plan(api_trainjob.decode(admitted[1].document, admitted[1].value, typed_job, release.override_field), decoded, release, facts)


def compiled(given: Tree, asked: Tree, profile: str = "v2.3", **options: Any) -> jc.Compilation:
    return jc.compile_objects([given, asked], trainer_version=profile, bundled_runtimes=False, **options)


def yielded(step: Pass, plan: Plan) -> list[Edit | Diagnostic]:
    return list(step.run(plan)) if step.when(plan) else []


def step(name: str) -> Pass:
    """The built-in pass of that name."""
    return next(step for step in BUILTIN if step.name == name)


def edits(step: Pass, plan: Plan) -> list[Edit]:
    return [item for item in yielded(step, plan) if not isinstance(item, Diagnostic)]


def messages(step: Pass, plan: Plan) -> list[tuple[str, str, str]]:
    """(code, severity, message) of what a pass says."""
    return [(item.code, item.severity, item.message) for item in yielded(step, plan) if isinstance(item, Diagnostic)]


def the(result: jc.Compilation, kind: str) -> Tree:
    """The one object of that kind, which may be `Kind/name`."""
    kind, _, name = kind.partition("/")
    found = [item for item in result.objects if item["kind"] == kind and name in ("", item["metadata"]["name"])]
    assert len(found) == 1, [diagnostic for diagnostic in result.diagnostics if diagnostic.is_error]
    return found[0]


def pods_of(result: jc.Compilation, name: str) -> Tree:
    """The pod spec of one replicatedJob in the JobSet."""
    jobset = the(result, "JobSet")
    pod: Tree = next(entry for entry in jobset["spec"]["replicatedJobs"] if entry["name"] == name)["template"]["spec"]["template"]["spec"]
    return pod


def env_of(result: jc.Compilation, job_name: str, container_name: str = "node") -> list[tuple[str, Any]]:
    found = next(entry for entry in pods_of(result, job_name)["containers"] if entry["name"] == container_name)
    return [(entry["name"], entry.get("value", entry.get("valueFrom"))) for entry in found.get("env", ())]
