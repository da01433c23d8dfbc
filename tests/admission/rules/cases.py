"""Small TrainJobs and runtimes for the tables of the rules, and what a release has against them."""

from __future__ import annotations

from typing import Any

import jobset_compiler as jc

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


def compiled(profile: str, *objects: Tree, **options: Any) -> jc.Compilation:
    return jc.compile_objects(objects, trainer_version=profile, bundled_runtimes=False, **options)


def refusals(profile: str, *objects: Tree, **options: Any) -> Refusals:
    """(code, path, message) of the errors of the webhooks."""
    return [(d.slug, d.path, d.message) for d in compiled(profile, *objects, **options).diagnostics if d.is_error and d.stage == "webhook"]


def slugs(profile: str, *objects: Tree, **options: Any) -> list[str]:
    return [slug for slug, _, _ in refusals(profile, *objects, **options)]
