"""Documents of older APIs into documents of ours.

Each dialect is a pure function from documents of its API to documents of ours, with what there is to say and with where every part comes from. Two users:
`migrate` writes what comes out, `--convert` compiles it. Nothing here is imported by a compile that was not asked to convert, but for `known`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.dialects.known import is_known
from jobset_compiler.dialects.results import Comment, Converted, Output
from jobset_compiler.dialects.wishes import Target, Wishes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.source.document import Document

__all__ = ["Comment", "Converted", "Output", "Target", "Wishes", "convert", "is_known"]


def convert(documents: Sequence[Document], target: Target) -> list[Converted]:
    """What becomes of each document, in order. They are looked at together: a runtime is told from the jobs that use it, and the other way round."""
    return [_convert(document, target) for document in documents]


def _convert(document: Document, target: Target) -> Converted:
    if is_known(document.value):
        from jobset_compiler.dialects.v1 import convert_job

        return convert_job(document, target)
    return Converted(document)
