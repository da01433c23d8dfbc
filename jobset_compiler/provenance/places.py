"""Where a place of an output object was written: for diagnostics, which show the user's own line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.provenance.layers import has, layers_of

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.source.document import Document

RUNTIME_REF: Path = ("spec", "runtimeRef")
# That there is a trainer at all is why policies inject something; any other line says more.
PRESENCE: Path = ("spec", "trainer")


def written_at(plan: Plan, manifest: dict[str, Any], path: Path) -> tuple[Document, Path]:
    """The document and the path in it that a place of `manifest`, made from the finished Plan, comes from.

    For what nobody wrote (a default, a field that is missing) it is what encloses it; in the end the reference to the runtime.
    """
    depth = len(path)
    while depth:
        if has(manifest, path[:depth]):
            places = [(layer.document, layer.path) for layer in layers_of(plan, manifest, path[:depth]) if layer.document is not None]
            if places:
                return next((place for place in places if place[1] != PRESENCE), places[0])
        depth -= 1
    return plan.job.document, RUNTIME_REF
