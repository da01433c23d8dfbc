"""Which place to show for something about a Plan, so that the user can open it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics.diagnostic import Note

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.source.document import Document

RUNTIME_REF: Path = ("spec", "runtimeRef", "name")


def where_it_can_be_seen(plan: Plan, document: Document, at: Path) -> tuple[Document, Path, tuple[Note, ...]]:
    """A place that the user can open and comment on: for a runtime that comes with the compiler the reference to it, with a note of the line."""
    if plan.runtime.bundled and document is plan.runtime.document:
        return plan.job.document, RUNTIME_REF, (Note("in the runtime that comes with the compiler", document, at),)
    return document, at, ()
