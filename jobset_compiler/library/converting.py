"""Compiling inputs with documents of older APIs: all of it is read first, since what one document becomes depends on others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.dialects.conversion import convert
from jobset_compiler.library.sources import Reader
from jobset_compiler.pipeline import target_of
from jobset_compiler.source.document import Document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.library.sources import Source
    from jobset_compiler.request.options import Options
    from jobset_compiler.source.reader import Found


class ConvertingReader(Reader):
    """The documents of the sources after conversion. What there is to say about a document is said with the first one that takes its place."""

    def __init__(self, sources: Sequence[Source], options: Options, reader: Reader) -> None:
        texts = [list(reader.read(source)) for source in sources]
        documents = [found for text in texts for found in text if isinstance(found, Document)]
        results = iter(convert(documents, target_of(options)))
        self._found: dict[int, list[Found]] = {}
        self._notes: dict[int, tuple[Diagnostic, ...]] = {}
        for source, text in zip(sources, texts, strict=True):
            found: list[Found] = []
            for item in text:
                if not isinstance(item, Document):
                    found.append(item)
                    continue
                result = next(results)
                taking = result.documents or (result.old,)
                found += taking
                self._notes[id(taking[0])] = result.diagnostics
            self._found[id(source)] = found

    def read(self, source: Source, *, only_runtimes: bool = False) -> Sequence[Found]:
        return self._found[id(source)]

    def notes(self, document: Document) -> Sequence[Diagnostic]:
        return self._notes.get(id(document), ())
