"""What an editor can do about it: the fixes of the findings, all that are safe at once, and `migrate` for the whole text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.diagnostics.fix import chosen_of
from jobset_compiler.diagnostics.settled import settle
from jobset_compiler.dialects.conversion import convert
from jobset_compiler.library.migration import migrate_texts
from jobset_compiler.lsp.analysis import chosen_runtimes
from jobset_compiler.pipeline import target_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.fix import Fix
    from jobset_compiler.diagnostics.place import Edit
    from jobset_compiler.lsp.analysis import Analysis
    from jobset_compiler.source.document import Document


class Repair(NamedTuple):
    """A fix of a finding."""

    diagnostic: Diagnostic
    fix: Fix


def repairs(analysis: Analysis, start: int, end: int) -> Iterator[Repair]:
    """The fixes of what is found between two offsets of the text."""
    for diagnostic in analysis.diagnostics:
        place = analysis.lines.range_of(diagnostic.span)
        if analysis.lines.offset(place.start) <= end and start <= analysis.lines.offset(place.end):
            yield from (Repair(diagnostic, fix) for fix in settle(diagnostic).fixes)


def all_safe(analysis: Analysis) -> list[Edit]:
    """The edits of as many safe fixes as go together, one a finding."""
    fixes = (next((fix for fix in settle(diagnostic).fixes if fix.safe), None) for diagnostic in analysis.diagnostics)
    return [edit for fix in chosen_of(fix for fix in fixes if fix is not None) for edit in fix.edits]


def migrated(analysis: Analysis, around: Iterable[Document]) -> str | None:
    """The whole text as `migrate` rewrites it for the release; None where there is nothing to migrate, or an error is in the way."""
    options = analysis.setup.options
    if all(result.outputs is None for result in convert(analysis.documents, target_of(options))):
        return None
    (migration,) = migrate_texts(((analysis.file, analysis.lines.text),), options, chosen_runtimes(analysis.documents, around))
    return migration.text if migration.ok else None
