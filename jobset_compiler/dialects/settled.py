"""Trees and notes as documents with comments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.document import ConvertedDocument
from jobset_compiler.dialects.notes import CARRIED, JOB, RUNTIME
from jobset_compiler.dialects.results import Comment, Output
from jobset_compiler.dialects.tree import arrived, settle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.source.document import Document


def outputs_of(document: Document, trees: Sequence[Any], notes: Notes, *, respelt: bool = False) -> tuple[Output, ...]:
    """The new documents of an old one. Comments for a document that there is not (a runtime that was not needed) go to the one that there is."""
    settled = [settle(tree, document.value) for tree in trees]
    kinds = [JOB if value["kind"] == JOB else RUNTIME for value, _ in settled]
    comments: list[list[Comment]] = [[] for _ in trees]
    for where, comment in notes.comments:
        if where.output == CARRIED:
            found = ((number, arrived(places, where.path)) for number, (_, places) in enumerate(settled))
            number, path = next(((number, path) for number, path in found if path is not None), (len(trees) - 1, ()))
            if trees:
                comments[number].append(comment._replace(path=path))
        elif where.output in kinds:
            comments[kinds.index(where.output)].append(comment)
        elif not comment.inline and kinds:
            comments[0].append(comment._replace(path=("spec", "runtimeRef") if kinds[0] == JOB else ()))
    return tuple(
        Output(ConvertedDocument(document, value, places), tuple(said), respelt) for (value, places), said in zip(settled, comments, strict=True)
    )
