"""The documents of a text with what is in them, for the outline of an editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from jobset_compiler.diagnostics.inert import one_line
from jobset_compiler.dialects.tree import get

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.lsp.positions import Lines
    from jobset_compiler.source.document import Document

# By what an item of a list is known, and how deep and long an outline gets.
NAMES = ("name", "manager", "key", "mountPath")
DEEPEST, MOST = 14, 2000
KINDS = {dict: types.SymbolKind.Object, list: types.SymbolKind.Array}


def outline(documents: Iterable[Document], lines: Lines) -> list[types.DocumentSymbol]:
    """A symbol a document; below it collections, and items of lists by their names. Values are not told."""
    left = [MOST]
    found = []
    for document in documents:
        value = document.value
        extent = lines.extent_of(document, ())
        if extent is None or not isinstance(value, dict):
            continue
        kind, name = value.get("kind"), get(value, "metadata", "name") or get(value, "metadata", "generateName")
        whole = lines.range(*extent)
        children = list(_below(document, value, (), lines, left))
        title = one_line(name) if isinstance(name, str) and name else "(no name)"
        first = types.Range(whole.start, whole.start)
        found.append(types.DocumentSymbol(title, types.SymbolKind.Module, whole, first, one_line(str(kind or "")), children=children))
    return found


def _below(document: Document, value: Any, path: Path, lines: Lines, left: list[int]) -> Iterator[types.DocumentSymbol]:
    """The members that have members themselves, or a name; `left`: how many more there may be."""
    if len(path) >= DEEPEST:
        return
    for step, item in value.items() if isinstance(value, dict) else enumerate(value):
        here = (*path, step)
        key, extent = lines.extent_of(document, here, on_key=True), lines.extent_of(document, here)
        if left[0] <= 0 or key is None or extent is None or not isinstance(item, (dict, list)):
            continue
        left[0] -= 1
        start, end = min(key[0], extent[0]), max(key[1], extent[1])
        name = next((found for field in NAMES if isinstance(found := get(item, field), str) and found), f"[{step}]") if isinstance(step, int) else step
        marked = lines.range(*key) if isinstance(step, str) else lines.range(start, start)
        children = list(_below(document, item, here, lines, left))
        yield types.DocumentSymbol(one_line(name) or " ", KINDS[type(item)], lines.range(start, end), marked, children=children)
