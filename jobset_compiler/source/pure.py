"""ruamel.yaml's pure-Python parser with libyaml's rules for tabs and escaped surrogates."""

from __future__ import annotations

from typing import Any

from ruamel.yaml.parser import Parser
from ruamel.yaml.reader import Reader
from ruamel.yaml.scanner import Scanner, ScannerError

_BREAKS = "\r\n\x85\u2028\u2029"
_BREAKS_OR_END = _BREAKS + "\0"
_BLANKS_OR_END = _BREAKS_OR_END + " \t"


class _YamlOneOne:
    """Stands for the resolver and the loader that ruamel's parts ask for their version and settings."""

    processing_version = (1, 1)
    comment_handling = None

    def __init__(self, text: str) -> None:
        self._resolver = self
        self._scanner: Any = None
        self._reader: Any = None
        self._parser: Any = None
        Reader(text, loader=self)
        _TabbedScanner(loader=self)
        Parser(loader=self)


class _TabbedScanner(Scanner):
    def scan_directive(self) -> Any:
        # kubectl cuts the text at `---`, so that a directive never has the document start that it needs.
        raise ScannerError(None, None, "did not find expected <document start>", self.reader.get_mark())

    def scan_to_next_token(self) -> None:
        peek, forward = self.reader.peek, self.reader.forward
        if self.reader.index == 0 and peek() == "\ufeff":
            forward()
        while True:
            # A tab is white space wherever no block collection can start.
            while peek() == " " or (peek() == "\t" and (self.flow_level or not self.allow_simple_key)):
                forward()
            if peek() == "#":
                while peek() not in _BREAKS_OR_END:
                    forward()
            if not self.scan_line_break():
                return
            if not self.flow_level:
                self.allow_simple_key = True

    def scan_plain_spaces(self, indent: Any, start_mark: Any) -> Any:
        peek, forward = self.reader.peek, self.reader.forward
        length = 0
        while peek(length) in " \t":
            length += 1
        blanks = self.reader.prefix(length)
        forward(length)
        if peek() not in _BREAKS:
            return [blanks] if blanks else []
        line_break = self.scan_line_break()
        self.allow_simple_key = True
        if self._at_document_marker():
            return None
        breaks: list[str] = []
        while peek() in " \t" + _BREAKS:
            if peek() in " \t":
                if peek() == "\t" and self.reader.column < indent:
                    raise ScannerError(
                        "while scanning a plain scalar",
                        start_mark,
                        "found a tab character that violate indentation",
                        self.reader.get_mark(),
                    )
                forward()
            else:
                breaks.append(self.scan_line_break())
                if self._at_document_marker():
                    return None
        if line_break != "\n":
            return [line_break, *breaks]
        return breaks or [" "]

    def scan_flow_scalar_non_spaces(self, double: Any, start_mark: Any) -> Any:
        try:
            chunks = super().scan_flow_scalar_non_spaces(double, start_mark)
        except (ValueError, OverflowError):  # an escape beyond U+10FFFF
            chunks = ["\ud800"]
        for chunk in chunks:
            if not chunk.isascii() and any("\ud800" <= character <= "\udfff" for character in chunk):
                raise ScannerError(
                    "while parsing a quoted scalar",
                    start_mark,
                    "found invalid Unicode character escape code",
                    self.reader.get_mark(),
                )
        return chunks

    def _at_document_marker(self) -> bool:
        return self.reader.prefix(3) in ("---", "...") and self.reader.peek(3) in _BLANKS_OR_END


def start(text: str) -> Any:
    return _YamlOneOne(text)._parser.get_event
