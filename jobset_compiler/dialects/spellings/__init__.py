"""Spellings of trainer.kubeflow.org/v1alpha1 that a later release writes otherwise: only forward in time.

Source: kubeflow/trainer #2880 (podTemplateOverrides), #3309 (runtimePatches), #3235 and #3239 (torch.numProcPerNode and elasticPolicy of runtimes),
#3714 (the mount of initialisers).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import CLUSTER_KIND, NAMESPACED_KIND
from jobset_compiler.api.trainjob import API_VERSION, DEFAULT_NAMESPACE
from jobset_compiler.dialects.results import Converted
from jobset_compiler.dialects.spellings.runtime import processes_of, respell_runtime
from jobset_compiler.dialects.spellings.trainjob import respell_trainjob
from jobset_compiler.dialects.tree import get

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.dialects.wishes import Target
    from jobset_compiler.source.document import Document

KINDS = ("TrainJob", NAMESPACED_KIND, CLUSTER_KIND)


def is_ours(document: Document) -> bool:
    value = document.value
    return isinstance(value, dict) and value.get("apiVersion") == API_VERSION and value.get("kind") in KINDS and isinstance(value.get("spec"), dict)


def respell(documents: Sequence[Document], target: Target) -> list[Converted]:
    """What becomes of each document; those that are spelled as the release wants stay as they are."""
    runtimes = {key: document for document in documents if is_ours(document) and (key := _key(document)) is not None}
    users: dict[int, list[str]] = {}
    results: list[Converted | None] = []
    for document in documents:
        if not is_ours(document) or document.value["kind"] != "TrainJob":
            results.append(None)
            continue
        runtime = runtimes.get(_reference(document))
        processes = None if runtime is None or target.has_runtime_processes else processes_of(runtime.value)
        results.append(respell_trainjob(document, target, processes))
        trainer = get(document.value, "spec", "trainer")
        if runtime is not None and trainer is not None and get(trainer, "numProcPerNode") is None:
            users.setdefault(id(runtime), []).append(str(get(document.value, "metadata", "name")))
    return [
        result or (respell_runtime(document, target, users.get(id(document), [])) if is_ours(document) else Converted(document))
        for document, result in zip(documents, results, strict=True)
    ]


def _key(document: Document) -> tuple[str, str, str] | None:
    """What a runtimeRef finds a runtime by; None for a TrainJob."""
    value = document.value
    if value["kind"] == "TrainJob":
        return None
    namespace = "" if value["kind"] == CLUSTER_KIND else str(get(value, "metadata", "namespace") or DEFAULT_NAMESPACE)
    return value["kind"], namespace, str(get(value, "metadata", "name"))


def _reference(document: Document) -> tuple[str, str, str]:
    kind = str(get(document.value, "spec", "runtimeRef", "kind") or CLUSTER_KIND)
    namespace = "" if kind == CLUSTER_KIND else str(get(document.value, "metadata", "namespace") or DEFAULT_NAMESPACE)
    return kind, namespace, str(get(document.value, "spec", "runtimeRef", "name"))

