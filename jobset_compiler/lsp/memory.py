"""What was found out about documents that are still the same: a keystroke changes one of them, and only that one is compiled anew.

A document is the same only where it is the same object; `kept` makes it so for a text that was read again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.pipeline import compile_trainjob, read_runtime
from jobset_compiler.source.document import Document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.pipeline import RuntimeVerdict
    from jobset_compiler.request.options import Options
    from jobset_compiler.resolve.catalog import Catalog, Key
    from jobset_compiler.source.reader import Found

    Outcome = tuple[Unit | None, list[Diagnostic]]

# Documents of each kind about which something is remembered.
MOST = 1000


class Compiled(NamedTuple):
    """What a TrainJob came to, and among which runtimes."""

    document: Document
    options: Options
    given: dict[Key, Any]
    refused: dict[Key, Any]
    is_whole: bool
    outcome: Outcome


class Memory:
    """Bounded; answers exactly what the functions of `pipeline` would."""

    def __init__(self) -> None:
        self._verdicts: dict[tuple[int, Options], tuple[Document, RuntimeVerdict]] = {}
        self._outcomes: dict[int, Compiled] = {}

    def read_runtime(self, document: Document, options: Options) -> RuntimeVerdict:
        key = (id(document), options)
        known = self._verdicts.get(key)
        if known is None or known[0] is not document:
            if len(self._verdicts) >= MOST:
                self._verdicts.clear()
            known = self._verdicts[key] = (document, read_runtime(document, options))
        return known[1]

    def compile_trainjob(self, document: Document, catalog: Catalog, options: Options) -> Outcome:
        known = self._outcomes.get(id(document))
        if (
            known is None
            or known.document is not document
            or known.options is not options
            or not (_same(known.given, catalog.given) and _same(known.refused, catalog.refused) and known.is_whole is catalog.is_whole)
        ):
            if len(self._outcomes) >= MOST:
                self._outcomes.clear()
            outcome = compile_trainjob(document, catalog, options)
            known = self._outcomes[id(document)] = Compiled(document, options, catalog.given, catalog.refused, catalog.is_whole, outcome)
        unit, diagnostics = known.outcome
        return unit, [*diagnostics]


def _same(one: dict[Key, Any], other: dict[Key, Any]) -> bool:
    return one.keys() == other.keys() and all(one[key] is other[key] for key in one)


def kept(before: Sequence[Found], now: Sequence[Found]) -> list[Found]:
    """What was read now, with the documents from before where they say the same on the same lines. Characters before them may have come or gone: of a
    document that was kept `start` is not to be relied on (`Lines.start_of` is)."""
    known = {_place(found): found for found in before if isinstance(found, Document) and not found.is_json}
    return [known.get(_place(found), found) if isinstance(found, Document) and not found.is_json else found for found in now]


def _place(document: Document) -> tuple[str, str, int, int, tuple[str | int, ...]]:
    return document.file, document.text, document.start_line, document.index, document.prefix
