"""Input and output side by side: the lines of both, and which line of the output comes from which lines of the input.

The answers are those of `provenance`; here they are only put on lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.diagnostics.redaction import hidden, masked_line, secret_places
from jobset_compiler.emit.yaml import document as to_text
from jobset_compiler.explain.origin import as_json
from jobset_compiler.explain.words import came_from
from jobset_compiler.provenance.origins import headings_at, origins_at
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.provenance.origins import Origin
    from jobset_compiler.source.document import Document

Tree = dict[str, Any]


class PageLine(NamedTuple):
    """A line of a text. key: what other lines call it; number: in its file; others: keys of the lines on the other side that it belongs to,
    the nearest first; words: where a line of the output comes from."""

    key: str
    number: int
    text: str
    others: tuple[str, ...]
    words: str = ""


class Text(NamedTuple):
    """A document of the input, or an object of the output (which has no file), with its lines."""

    title: str
    file: str
    lines: tuple[PageLine, ...]


class SideBySide(NamedTuple):
    inputs: tuple[Text, ...]
    outputs: tuple[Text, ...]


def beside(unit: Unit) -> SideBySide:
    """The TrainJob and its runtime on one side, the objects on the other. What is secret is hidden on both."""
    documents = [document.written for document in (unit.plan.job.document, unit.plan.runtime.document)]
    if documents[0] is documents[1]:
        del documents[1]  # a job of another API has its runtime in it
    keys: dict[tuple[str, int], str] = {}
    inputs = [_numbered(document, prefix, keys) for document, prefix in zip(documents, "tr", strict=False)]
    effects: dict[str, list[str]] = {}
    outputs, number = [], 0
    for manifest in unit.objects:
        lines = []
        for place, text, chain in _lines(unit, manifest):
            number += 1
            key = f"o{number}"
            others = tuple(dict.fromkeys(keys[at] for origin in chain if (at := (origin.file, origin.line)) in keys))
            for other in others:
                effects.setdefault(other, []).append(key)
            lines.append(PageLine(key, place, text, others, came_from([as_json(origin) for origin in chain])))
        outputs.append(Text(f"{manifest['kind']} {manifest['metadata']['name']}", "", tuple(lines)))
    linked = [text._replace(lines=tuple(line._replace(others=tuple(effects.get(line.key, ()))) for line in text.lines)) for text in inputs]
    return SideBySide(tuple(linked), tuple(outputs))


def written_input(document: Document) -> Text:
    """A document of the input by itself, where nothing came of it."""
    return _numbered(document.written, "t", {})


def _numbered(document: Document, prefix: str, keys: dict[tuple[str, int], str]) -> Text:
    """The lines of a document; `keys` learns where they are."""
    lines = []
    for number, text in _shown(document):
        key = f"{prefix}{number}"
        keys.setdefault((document.file, number), key)
        lines.append(PageLine(key, number, text, ()))
    meta = document.value.get("metadata")
    name = meta.get("name", "") if isinstance(meta, dict) else ""
    return Text(f"{document.value['kind']} {name}".strip(), document.file, tuple(lines))


def _shown(document: Document) -> Iterator[tuple[int, str]]:
    """The lines of a document, of a member of a List only its own, as they may be shown."""
    text = document.text
    for place in secret_places(document.value):
        start, end = document.offsets(place)
        text = text[:start] + "".join(character if character in "\r\n" else "*" for character in text[start:end]) + text[end:]
    lines = text.split("\n")
    first, last = 0, len(lines)
    if document.prefix:
        start, end = document.offsets(())
        first, last = text.count("\n", 0, start), text.count("\n", 0, end) + 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    for index in range(first, last):
        around = lines[max(index - 2, 0) : index] + lines[index + 1 : index + 3]
        yield document.start_line + index, masked_line(lines[index].rstrip("\r"), around)


def _lines(unit: Unit, manifest: Tree) -> Iterator[tuple[int, str, tuple[Origin, ...]]]:
    """Number, text and origins of each line of an object as it is written out."""
    shown = hidden(manifest)
    text = to_text(shown)
    (written,), _ = read_text(text, "")
    at: dict[int, tuple[Path, bool]] = {}
    _place(written, shown, (), at)
    for number, line in enumerate(text.split("\n")[:-1], 1):
        path, is_value = at.get(number, ((), True))
        chain = (origins_at if is_value else headings_at)(unit, manifest, path) if path else ()
        yield number, line, chain


def _place(written: Document, tree: Any, path: Path, at: dict[int, tuple[Path, bool]]) -> None:
    """Puts the places in `tree`, and whether each is a value or only the heading of some, on the lines of `written`; of several on one line
    the innermost is left."""
    if path:
        at[written.locate_key(path).line] = path, False
    if isinstance(tree, (dict, list)) and tree:
        for step, item in tree.items() if isinstance(tree, dict) else enumerate(tree):
            _place(written, item, (*path, step), at)
    elif path:
        span = written.locate(path)
        for line in range(span.line, span.end_line + (span.end_column > 1)):
            at[line] = path, True
