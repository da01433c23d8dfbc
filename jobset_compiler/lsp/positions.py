"""Places in a text as the protocol counts them: lines from 0 that end with \\n, \\r\\n or \\r, and columns in units of the encoding agreed upon.

The compiler counts characters. The two differ behind any emoji (UTF-16), and behind any umlaut (UTF-8).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path, Span
    from jobset_compiler.source.document import Document

UTF8, UTF16, UTF32 = types.PositionEncodingKind.Utf8, types.PositionEncodingKind.Utf16, types.PositionEncodingKind.Utf32
LINE_END = re.compile(r"\r\n|\r|\n")


def units(text: str, encoding: str) -> int:
    """How many units a piece of a line has."""
    if encoding == UTF32 or text.isascii():
        return len(text)
    # A lone half of a character, which JSON can bring, counts as one unit of UTF-16 and as three bytes.
    return len(text.encode("utf-8", "surrogatepass")) if encoding == UTF8 else len(text.encode("utf-16-le", "surrogatepass")) // 2


class Lines:
    """A text with the places of its lines."""

    def __init__(self, text: str, encoding: str = UTF16) -> None:
        self.text = text
        self.encoding = encoding
        self.starts = [0, *(found.end() for found in LINE_END.finditer(text))]
        # Spans count lines by \n alone.
        self._line_feeds = [0, *(index + 1 for index, character in enumerate(text) if character == "\n")] if "\r" in text else self.starts

    def line(self, number: int) -> str:
        """The text of a line without its end, "" for one that is not there."""
        if not 0 <= number < len(self.starts):
            return ""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[number] : end].rstrip("\r\n")

    def position(self, offset: int) -> types.Position:
        """Of a number of characters from the beginning of the text."""
        offset = min(max(offset, 0), len(self.text))
        number = bisect_right(self.starts, offset) - 1
        return types.Position(number, units(self.text[self.starts[number] : offset], self.encoding))

    def offset(self, position: types.Position) -> int:
        """The other way round; a column behind the end of its line is that end, one inside of a character its beginning."""
        if position.line >= len(self.starts):
            return len(self.text)
        line = self.line(position.line)
        column = min(position.character, len(line))
        if not line.isascii() and self.encoding != UTF32:
            column = left = 0
            for character in line:
                left += units(character, self.encoding)
                if left > position.character:
                    break
                column += 1
        return self.starts[position.line] + column

    def range(self, start: int, end: int) -> types.Range:
        return types.Range(self.position(start), self.position(max(start, end)))

    def range_of(self, span: Span) -> types.Range:
        """Of a place that the compiler tells; the first line for one that is unknown."""
        if not span.line:
            return self.range(0, len(self.line(0)))
        return self.range(self._offset_of(span.line, span.column), self._offset_of(span.end_line, span.end_column))

    def _offset_of(self, line: int, column: int) -> int:
        starts = self._line_feeds
        return starts[min(line, len(starts)) - 1] + column - 1

    def start_of(self, document: Document) -> int:
        """Where the text of a document begins; one that was kept from an earlier text knows only its line."""
        return document.start if document.is_json or document.start_line <= 1 else self._line_feeds[document.start_line - 1]

    def extent_of(self, document: Document, path: Path, *, on_key: bool = False) -> tuple[int, int] | None:
        """As `Document.extent`, from the beginning of the file; of a value that an alias stands for, the alias."""
        extent = document.extent(path, on_key=on_key)
        if extent is not None:
            start = self.start_of(document)
            return start + extent[0], start + extent[1]
        site = document.alias_site(path)
        if site is None or document.alias_site(path[:-1]) is not None:
            return None
        span = document.locate_key(path) if on_key and isinstance(path[-1], str) else site
        return self._offset_of(span.line, span.column), self._offset_of(span.end_line, span.end_column)

    @property
    def whole(self) -> types.Range:
        return self.range(0, len(self.text))
