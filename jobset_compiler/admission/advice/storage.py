"""storageUri against what upstream's initializer images of the release can read.

Source: pkg/initializers/{dataset,model}/__main__.py of every release.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.advice.words import containers_of, on_trainjob
from jobset_compiler.api.runtime import DATASET_INITIALIZER, MODEL_INITIALIZER, ancestor_of, pod_spec_of
from jobset_compiler.diagnostics.codes.advice import STORAGE_SCHEME
from jobset_compiler.profiles import features
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

IMAGES = "ghcr.io/kubeflow/trainer/"


def storage_schemes(plan: Plan) -> Iterator[Diagnostic]:
    job = plan.job
    if job.dataset is None and job.model is None:
        return
    more = plan.profile.has(features.INITIALIZERS_READ_S3)
    for source, ancestor, field, known in (
        (job.dataset, DATASET_INITIALIZER, "dataset", ("hf", "s3", "cache") if more else ("hf",)),
        (job.model, MODEL_INITIALIZER, "model", ("hf", "s3") if more else ("hf",)),
    ):
        if source is None or not source.storage_uri or not _runs_upstream_image(plan, ancestor):
            continue
        scheme, separator, _ = source.storage_uri.partition("://")
        if not separator or scheme not in known:
            words = " or ".join(f"{name}://" for name in known)
            message = f"the {field} initializer of Kubeflow Trainer {plan.profile.trainer} reads {words}, not {source.storage_uri}"
            yield on_trainjob(plan, STORAGE_SCHEME, message, ("spec", "initializer", field, "storageUri"), f"write a URI that starts with {words}")


def _runs_upstream_image(plan: Plan, ancestor: str) -> bool:
    return any(
        container["name"] == ancestor and container.get("image", "").startswith(IMAGES)
        for entry in replicated_jobs(plan.template)
        if ancestor_of(entry) == ancestor
        for container in containers_of(pod_spec_of(entry))
    )
