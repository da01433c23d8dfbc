"""What does not fit Go's types, in the words of Go's decoder: said by whoever reads an object into them first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.subject import subject_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jobset_compiler.kube.retype import DecodeProblem
    from jobset_compiler.source.document import Document


def refusals(document: Document, problems: Iterable[DecodeProblem]) -> list[Diagnostic]:
    """What a controller or webhook cannot read although the schema lets it through."""
    return [
        Diagnostic(codes.schema.UNDECODABLE, problem.message, document=document, at=problem.path, stage="decode", subject=subject_of(document))
        for problem in problems
    ]
