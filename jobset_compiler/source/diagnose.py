"""What the reader found wrong, as diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics.codes.source import BY_SLUG
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.source.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jobset_compiler.source.problems import SourceProblem


def diagnose(problems: Iterable[SourceProblem]) -> tuple[Diagnostic, ...]:
    return tuple(
        Diagnostic(BY_SLUG[problem.slug], problem.message, document=_document(problem), span=problem.span, hint=problem.hint, stage="source")
        for problem in problems
    )


def _document(problem: SourceProblem) -> Document | None:
    """The text that the problem is in, so that its line can be shown; a document without a value."""
    return None if problem.text is None else Document(problem.span.file, 0, None, (), problem.text)
