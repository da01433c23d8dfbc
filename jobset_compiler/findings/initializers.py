"""Initialisers: settings that override each other or reach nothing, URIs that nothing reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import DATASET_INITIALIZER, MODEL_INITIALIZER, ancestor_of, pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.words import containers_of, on_trainjob
from jobset_compiler.passes.initializers import STORAGE_URI, applies
from jobset_compiler.profiles import features
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

IMAGES = "ghcr.io/kubeflow/trainer/"
# The initializer image starts a cache where it is told the cache's image, and keeps no files.
CACHE_IMAGE = "CACHE_IMAGE"


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    if not applies(plan):
        return
    for name, ancestor, source in (("dataset", DATASET_INITIALIZER, plan.job.dataset), ("model", MODEL_INITIALIZER, plan.job.model)):
        if source is None:
            continue
        at = ("spec", "initializer", name)
        for index, entry in enumerate(source.env):
            if source.storage_uri is not None and entry["name"] == STORAGE_URI and entry.get("value") != source.storage_uri:
                message = f"{STORAGE_URI} {entry.get('value', '(from elsewhere)')} replaces storageUri {source.storage_uri} (#3955)"
                yield on_trainjob(plan, codes.parity.STORAGE_URI_OVERRIDDEN, message, (*at, "env", index), "keep one of the two")
        if not any(pods.ancestor == ancestor and pods.container(ancestor) is not None for pods in plan.pod_sets):
            yield on_trainjob(
                plan,
                codes.parity.INITIALIZER_NOT_INJECTED,
                f"spec.initializer.{name} reaches no container: none called {ancestor} stands in a Job with the label value {ancestor}",
                at,
                f"label the Job template of the runtime with trainer.kubeflow.org/trainjob-ancestor-step: {ancestor}",
            )
    yield from _schemes(plan)


def _schemes(plan: Plan) -> Iterator[Diagnostic]:
    """storageUri against what upstream's images of the release can read (pkg/initializers/{dataset,model}/__main__.py)."""
    job = plan.job
    more = plan.profile.has(features.INITIALIZERS_READ_S3)
    for source, ancestor, field, known in (
        (job.dataset, DATASET_INITIALIZER, "dataset", ("hf", "s3", "cache") if more else ("hf",)),
        (job.model, MODEL_INITIALIZER, "model", ("hf", "s3") if more else ("hf",)),
    ):
        if source is None or source.storage_uri is None or not _runs_upstream_image(plan, ancestor):
            continue
        scheme, separator, _ = source.storage_uri.partition("://")
        if not separator or scheme not in known:
            words = " or ".join(f"{name}://" for name in known)
            message = f"the {field} initializer of Kubeflow Trainer {plan.profile.trainer} reads {words}, not {source.storage_uri or 'an empty text'}"
            yield on_trainjob(plan, codes.advice.STORAGE_SCHEME, message, ("spec", "initializer", field, "storageUri"), f"write a URI that starts with {words}")
        elif scheme == "cache":
            parts = source.storage_uri.removeprefix("cache://").split("/")
            if len(parts) != 2 or not all(parts):
                outcome = "only the first two parts are read" if len(parts) > 2 and all(parts[:2]) else "the initializer fails"
                message = f"{source.storage_uri} is not cache://SCHEMA/TABLE: {outcome}"
                yield on_trainjob(plan, codes.silent.CACHE_URI, message, ("spec", "initializer", field, "storageUri"), "write cache://SCHEMA/TABLE")


def _runs_upstream_image(plan: Plan, ancestor: str) -> bool:
    return any(
        container["name"] == ancestor and container.get("image", "").startswith(IMAGES)
        for entry in replicated_jobs(plan.template)
        if ancestor_of(entry) == ancestor
        for container in containers_of(pod_spec_of(entry))
    )
