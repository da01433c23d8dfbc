"""`render --passthrough`: the input itself, with the objects in place of the TrainJobs; everything else byte for byte.

Runtimes are left out (a cluster that gets JobSets needs none) unless --keep-runtimes. A TrainJob that nothing is created for here
stays as it is, and so do comments above one that is replaced. A List with TrainJobs in it is written as its single documents.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.documents import TRAIN_JOB, kind_of
from jobset_compiler.cli.arguments import Arguments, UsageError
from jobset_compiler.cli.common import Tally, compile_reported, sources_of
from jobset_compiler.cli.streams import Held
from jobset_compiler.cli.units import objects_of
from jobset_compiler.emit.json import to_json
from jobset_compiler.emit.yaml import Emitter
from jobset_compiler.source.decode import decode_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jobset_compiler.cli.common import Settings
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.diagnostics.report import Report
    from jobset_compiler.library.sources import Source
    from jobset_compiler.library.streaming import Step
    from jobset_compiler.source.document import Document

SEPARATOR = "---"


def run(arguments: Arguments, settings: Settings, streams: Streams, report: Report) -> int:
    if arguments.has("--output"):
        raise UsageError("--passthrough writes what it reads: --output does not go with it")
    held = Held()
    copies = _Copies(held, arguments)
    steps = compile_reported(sources_of(arguments, settings, streams), settings.options, report, Tally(streams.progress))
    for source, of_source in groupby(steps, key=lambda step: step.source):
        if source is None or source.runtimes_only:
            for _ in of_source:
                pass
        else:
            copies.source(source, of_source, report)
    report.finish()
    if report.failed or report.unreadable:
        held.close()
        return report.exit_code
    held.release(streams)
    return report.exit_code


class _Copies:
    """Writes the sources one after another, as one stream of documents."""

    def __init__(self, held: Held, arguments: Arguments) -> None:
        self._held = held
        self._arguments = arguments
        self._emitter = Emitter()
        self._last = ""
        self._separate = False

    def source(self, source: Source, steps: Iterable[Step], report: Report) -> None:
        text = _Text(source)
        self._separate = bool(self._last)
        with_document = ((step.document, step) for step in steps if step.document is not None)
        for start, group in groupby(with_document, key=lambda pair: pair[0].start):
            documents = list(group)
            if report.failed:
                continue  # nothing will be written: only the diagnostics of the rest are still wanted
            before = text.until(start)
            raw = text.until(documents[0][0].end)
            if any(_is_ours(document) for document, _ in documents):
                self._replace(before, raw, documents)
            else:
                self._put(before + raw)
        if not report.failed:
            self._put(text.rest())

    def _put(self, text: str) -> None:
        if not text:
            return
        if self._separate:
            self._separate = False
            if not self._last.endswith("\n"):
                self._held.put("\n")
            if not text.startswith(SEPARATOR):
                self._held.put(f"{SEPARATOR}\n")
        self._held.put(text)
        self._last = text

    def _replace(self, before: str, raw: str, documents: list[tuple[Document, Step]]) -> None:
        own = raw if documents[0][0].prefix == () else None  # members of a List have no text of their own
        written = [text for document, step in documents for text in self._written(document, step, own)]
        if not written:
            self._put(_without_last_separator(before))
        elif documents[0][0].is_json:
            self._put(before + "".join(written))
        else:
            comments = "" if written == [raw] else _leading_comments(raw)
            self._put(before + comments + f"{SEPARATOR}\n".join(written))

    def _written(self, document: Document, step: Step, raw: str | None) -> list[str]:
        """The documents that stand in the place of one; `raw` is its own text where it is not a member of a List."""
        if step.unit is not None:
            return [self._document(manifest, document) for manifest in objects_of(step.unit, self._arguments)]
        if _is_ours(document) and document.value["kind"] != TRAIN_JOB and not self._arguments.has("--keep-runtimes"):
            return []
        return [self._document(document.value, document) if raw is None else raw]

    def _document(self, value: dict[str, Any], document: Document) -> str:
        return to_json((value,)) if document.is_json else self._emitter.document(value)


def _is_ours(document: Document) -> bool:
    return bool(kind_of(document.value))


def _leading_comments(raw: str) -> str:
    """The lines of comments at the beginning of a document: where a chart says which template it comes from.

    The separator is among them where it is the first line of the whole text.
    """
    kept = []
    for line in raw.splitlines(keepends=True):
        if line.strip() and not line.startswith(("#", SEPARATOR)):
            break
        kept.append(line)
    return "".join(kept)


def _without_last_separator(text: str) -> str:
    """What stands before a document that is left out: without the line that began it."""
    head, newline, last = text.removesuffix("\n").rpartition("\n")
    return head + newline if last.startswith(SEPARATOR) else text


class _Text:
    """The decoded text of a source, piece by piece, by offsets that only grow."""

    def __init__(self, source: Source) -> None:
        self._blocks = iter(decode_blocks(source.blocks()))
        self._pending = ""
        self._offset = 0

    def until(self, offset: int) -> str:
        """From where the last piece ended to that offset of the text."""
        length = offset - self._offset
        parts = [self._pending]
        have = len(self._pending)
        while have < length:
            block = next(self._blocks)
            parts.append(block)
            have += len(block)
        text = "".join(parts)
        self._pending = text[length:]
        self._offset = offset
        return text[:length]

    def rest(self) -> str:
        return self._pending + "".join(self._blocks)
