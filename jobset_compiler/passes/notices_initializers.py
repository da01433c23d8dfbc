"""Notices about initialisers: settings that override each other or reach nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import DATASET_INITIALIZER, MODEL_INITIALIZER
from jobset_compiler.diagnostics.codes.parity import INITIALIZER_NOT_INJECTED, STORAGE_URI_OVERRIDDEN
from jobset_compiler.passes.api import CHECK, Edit, Pass
from jobset_compiler.passes.initializers import STORAGE_URI, applies
from jobset_compiler.passes.notice import on_trainjob

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    for name, ancestor, source in (("dataset", DATASET_INITIALIZER, plan.job.dataset), ("model", MODEL_INITIALIZER, plan.job.model)):
        if source is None:
            continue
        at = ("spec", "initializer", name)
        for index, entry in enumerate(source.env):
            if source.storage_uri is not None and entry["name"] == STORAGE_URI and entry.get("value") != source.storage_uri:
                message = f"{STORAGE_URI} {entry.get('value', '(from elsewhere)')} replaces storageUri {source.storage_uri} (#3955)"
                yield on_trainjob(plan, STORAGE_URI_OVERRIDDEN, message, (*at, "env", index), "keep one of the two")
        if not any(pods.ancestor == ancestor and pods.container(ancestor) is not None for pods in plan.pod_sets):
            yield on_trainjob(
                plan,
                INITIALIZER_NOT_INJECTED,
                f"spec.initializer.{name} reaches no container: none called {ancestor} stands in a Job with the label value {ancestor}",
                at,
                f"label the Job template of the runtime with trainer.kubeflow.org/trainjob-ancestor-step: {ancestor}",
            )


NOTICES = Pass("notices-initializers", CHECK, applies, run)
