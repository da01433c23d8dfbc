"""kubeflow.org/v2alpha1, the preview of Trainer v2 in the training operator v1.9, and what only says so.

Documents are told apart by their words: old ones are converted, new ones (drafts of documentation) get today's version, mixed ones are refused.
Source: kubeflow/trainer v1.9.2 pkg/apis/kubeflow.org/v2alpha1, pkg/runtime.v2, and #2413, #2415, #2523, #2548.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import CLUSTER_KIND, NAMESPACED_KIND
from jobset_compiler.api.trainjob import API_VERSION
from jobset_compiler.diagnostics.diagnostic import Note
from jobset_compiler.dialects.notes import Notes
from jobset_compiler.dialects.preview.relabel import relabel
from jobset_compiler.dialects.preview.runtime import convert_runtime
from jobset_compiler.dialects.preview.trainjob import convert_trainjob
from jobset_compiler.dialects.preview.vocabulary import NEW, OLD, Vocabulary, vocabulary_of
from jobset_compiler.dialects.results import Converted
from jobset_compiler.dialects.settled import outputs_of
from jobset_compiler.dialects.tree import get

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.source.document import Document

TRAIN_JOB = "TrainJob"
KINDS = (TRAIN_JOB, NAMESPACED_KIND, CLUSTER_KIND)


def speaks_preview(document: Document) -> bool:
    """Whether a document of today's version has words that only the preview had: as on master in February and March 2025."""
    value = document.value
    if not isinstance(value, dict) or value.get("apiVersion") != API_VERSION or value.get("kind") not in KINDS:
        return False
    words = vocabulary_of(document)
    return words.first(OLD) is not None and words.first(NEW) is None


def convert_preview(documents: Sequence[Document]) -> list[Converted]:
    """What becomes of each document. A TrainJob and the runtime that it refers to speak one language."""
    words = [vocabulary_of(document) for document in documents]
    runtimes = {_named(document): index for index, document in enumerate(documents) if document.value["kind"] != TRAIN_JOB}
    partners: list[list[int]] = [[] for _ in documents]
    for index, document in enumerate(documents):
        if document.value["kind"] == TRAIN_JOB:
            runtime = runtimes.get(str(get(document.value, "spec", "runtimeRef", "name")))
            if runtime is not None:
                partners[index].append(runtime)
                partners[runtime].append(index)
    return [
        _convert(document, words[index], [(documents[other], words[other]) for other in partners[index]]) for index, document in enumerate(documents)
    ]


def _named(document: Document) -> str:
    return str(get(document.value, "metadata", "name"))


def _convert(document: Document, words: Vocabulary, partners: list[tuple[Document, Vocabulary]]) -> Converted:
    notes = Notes(document)
    old, new = words.first(OLD), words.first(NEW)
    if old is not None and new is not None:
        other = Note(f"{new.text} is of v2.0", document, new.path)
        notes.two_vocabularies(old.path, f"two vocabularies: {old.text} is of v1.9, {new.text} of v2.0", old.mend, other)
        return Converted(document, (), tuple(notes.diagnostics))
    for partner, theirs in partners:
        ours, against = (old, theirs.first(NEW)) if old is not None else (new, theirs.first(OLD))
        if ours is not None and against is not None:
            name = f"{partner.value['kind']} {_named(partner)}"
            releases = ("v1.9", "v2.0") if old is not None else ("v2.0", "v1.9")
            message = f"two vocabularies: {ours.text} is of {releases[0]}, {against.text} of {name} of {releases[1]}"
            notes.two_vocabularies(ours.path, message, (ours if old is not None else against).mend, Note(name, partner, against.path))
            return Converted(document, (), tuple(notes.diagnostics))
    if old is None and not any(theirs.first(OLD) is not None for _, theirs in partners):
        tree = relabel(document, notes, is_sure=new is not None)
    elif document.value["kind"] == TRAIN_JOB:
        tree = convert_trainjob(document, next((partner.value for partner, _ in partners), None), notes)
    else:
        tree = convert_runtime(document, notes)
    if notes.failed:
        return Converted(document, (), tuple(notes.diagnostics))
    return Converted(document, outputs_of(document, [tree], notes, respelt=True), tuple(notes.diagnostics))
