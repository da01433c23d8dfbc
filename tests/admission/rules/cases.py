"""Small TrainJobs and runtimes for the tables of the rules, and what a release has against them."""

from __future__ import annotations

from typing import Any

import jobset_compiler as jc
from jobset_compiler.diagnostics.place import format_path

Tree = dict[str, Any]
Refusals = list[tuple[str, str, str]]
ALL = ("v2.0", "v2.1", "v2.2", "v2.3")
ANCESTOR = "trainer.kubeflow.org/trainjob-ancestor-step"


def job(name: str = "node", ancestor: str | None = None, containers: list[Tree] | None = None, **pod: Any) -> Tree:
    """A replicatedJob; its one container is called node unless others are given."""
    template: Tree = {"spec": {"template": {"spec": {"containers": containers or [{"name": "node", "image": "registry.example/a"}], **pod}}}}
    if ancestor:
        template["metadata"] = {"labels": {ANCESTOR: ancestor}}
    return {"name": name, "template": template}


NODE = job("node", "trainer")


def runtime(*jobs: Tree, policy: Tree | None = None, kind: str = "ClusterTrainingRuntime", labels: dict[str, str] | None = None, **spec: Any) -> Tree:
    meta: Tree = {"name": "rt", "labels": labels or {}}
    template = spec.pop("template", {})
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": kind,
        "metadata": meta,
        "spec": {**({} if policy is None else {"mlPolicy": policy}), "template": {**template, "spec": {"replicatedJobs": list(jobs) or [NODE]}}, **spec},
    }


def trainjob(*, ref: str = "rt", name: str = "job", metadata: Tree | None = None, **spec: Any) -> Tree:
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": name, **(metadata or {})},
        "spec": {"runtimeRef": {"name": ref}, **spec},
    }


# What the tests of a module with the fixture `whole_words` have heard from webhooks so far.
HEARD: list[jc.Diagnostic] = []


def compiled(profile: str, *objects: Tree, **options: Any) -> jc.Compilation:
    result = jc.compile_objects(objects, trainer_version=profile, bundled_runtimes=False, **options)
    HEARD.extend(d for d in result.diagnostics if d.stage == "webhook")
    return result


def whole(d: jc.Diagnostic) -> str:
    """A diagnostic with its place, all its words, and its advice."""
    assert d.document is not None
    lines = [f"{d.code} {d.severity} {d.object_kind} {d.namespace}/{d.name} {d.path} (at {format_path(d.at)} of the {d.document.value['kind']})"]
    lines += [f"  {d.message}", *([f"  hint: {d.hint}"] if d.hint else [])]
    lines += [f"  {note.message} (at {format_path(note.at)})" for note in d.notes]
    return "\n".join([*lines, *(f"  fix: {remedy.title} ({'safe' if remedy.safe else 'unsafe'})" for remedy in d.remedies)])


def refusals(profile: str, *objects: Tree, **options: Any) -> Refusals:
    """(code, path, message) of the errors of the webhooks."""
    return [(d.slug, d.path, d.message) for d in compiled(profile, *objects, **options).diagnostics if d.is_error and d.stage == "webhook"]


def slugs(profile: str, *objects: Tree, **options: Any) -> list[str]:
    return [slug for slug, _, _ in refusals(profile, *objects, **options)]
