"""ome.io/v1beta1 TrainingRuntime, ClusterTrainingRuntime and TrainingJob, as documented in May 2025.

No release of OME has this API. Documents are read as its pages and types described them, with the behaviour of Kubeflow Trainer where nothing is
described; never call the result compatible with OME. Source: sgl-project/ome, pull request 5 (closed) and the pages of its site of 2025-05-24 to 05-27.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.dialects.notes import Notes
from jobset_compiler.dialects.ome.runtime import OmeRuntime, convert_runtime, read_runtime
from jobset_compiler.dialects.ome.trainjob import convert_trainingjob
from jobset_compiler.dialects.results import Converted
from jobset_compiler.dialects.settled import outputs_of
from jobset_compiler.dialects.tree import get

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.dialects.wishes import Target
    from jobset_compiler.source.document import Document

TRAINING_JOB = "TrainingJob"


def convert_ome(documents: Sequence[Document], target: Target) -> list[Converted]:
    """What becomes of each document. A TrainingJob brings its initialisers only where its runtime is among them and has some."""
    runtimes: dict[tuple[str, str], OmeRuntime] = {}
    results: list[Converted | None] = []
    for document in documents:
        if document.value["kind"] == TRAINING_JOB:
            results.append(None)
            continue
        notes = Notes(document)
        _say_what_it_is(document, notes)
        runtime = read_runtime(document, notes)
        trees = [] if runtime is None else [convert_runtime(runtime, target, notes)]
        if runtime is not None:
            runtimes[document.value["kind"], runtime.name] = runtime
        results.append(_settled(document, trees, notes))
    return [result or _job(document, runtimes, target) for document, result in zip(documents, results, strict=True)]


def _job(document: Document, runtimes: dict[tuple[str, str], OmeRuntime], target: Target) -> Converted:
    notes = Notes(document)
    _say_what_it_is(document, notes)
    reference = get(document.value, "spec", "runtimeRef")
    key = str(get(reference, "kind") or "ClusterTrainingRuntime"), str(get(reference, "name"))
    tree = convert_trainingjob(document, runtimes.get(key), target, notes)
    return _settled(document, [] if tree is None else [tree], notes)


def _say_what_it_is(document: Document, notes: Notes) -> None:
    notes.documented_only(("apiVersion",), "ome.io/v1beta1 training was documented in May 2025 and is in no release of OME; read as it was documented")


def _settled(document: Document, trees: Sequence[object], notes: Notes) -> Converted:
    if notes.failed:
        return Converted(document, (), tuple(notes.diagnostics))
    return Converted(document, outputs_of(document, trees, notes, respelt=True), tuple(notes.diagnostics))
