"""What the reader found wrong, as diagnostics."""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.source import BY_SLUG
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jobset_compiler.source.problems import SourceProblem


def diagnose(problems: Iterable[SourceProblem]) -> tuple[Diagnostic, ...]:
    return tuple(
        Diagnostic(BY_SLUG[problem.slug], problem.message, span=problem.span, hint=problem.hint, stage="source") for problem in problems
    )
