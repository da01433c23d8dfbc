"""What the reader found wrong, as diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.codes.code import ERROR
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.diagnostics.redaction import has_secret
from jobset_compiler.source.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jobset_compiler.diagnostics.codes.code import Severity
    from jobset_compiler.source.document import SourceProblem

# What these say is the name of a key.
ABOUT_KEYS = frozenset(("duplicate-key", "merge-override", "colliding-keys"))


def diagnose(problems: Iterable[SourceProblem], validate: str = "warn") -> tuple[Diagnostic, ...]:
    """validate: "strict", "warn" or "ignore" values that a later one of the same key overrides, as a server drops them."""
    return tuple(_diagnostic(problem, validate) for problem in problems if validate != "ignore" or problem.slug != codes.source.DUPLICATE_KEY.slug)


def _diagnostic(problem: SourceProblem, validate: str) -> Diagnostic:
    rule, message, hint = codes.source.BY_SLUG[problem.slug], problem.message, problem.hint
    if problem.text is not None and problem.slug not in ABOUT_KEYS and has_secret(problem.text.text):
        # The words of a parser may quote what stands there.
        message, hint = rule.title.rstrip("."), "The text is not shown, since a Secret is in it."
    severity: Severity | None = ERROR if validate == "strict" and rule is codes.source.DUPLICATE_KEY else None
    document = _document(problem)
    return Diagnostic(rule, message, document=document, span=problem.span, hint=hint, stage="source", severity=severity, remedies=problem.fixes)


def _document(problem: SourceProblem) -> Document | None:
    """The text that the problem is in, so that its line can be shown; a document without a value."""
    return None if problem.text is None else Document(problem.span.file, 0, None, (), problem.text)
