"""ruamel.yaml's pure-Python parser bent towards libyaml's rules, wherever tests have found the two to differ."""

from __future__ import annotations

import re
from typing import Any

from ruamel.yaml.events import DocumentEndEvent
from ruamel.yaml.parser import Parser
from ruamel.yaml.reader import Reader
from ruamel.yaml.scanner import Scanner, ScannerError
from ruamel.yaml.tokens import (
    BlockEndToken,
    DirectiveToken,
    DocumentEndToken,
    FlowEntryToken,
    FlowMappingEndToken,
    FlowSequenceEndToken,
    KeyToken,
    ValueToken,
)

_BREAKS = "\r\n\x85\u2028\u2029"
_BREAKS_OR_END = _BREAKS + "\0"
_BLANKS_OR_END = _BREAKS_OR_END + " \t"
_IN_ANCHORS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_DIRECTIVE = re.compile(r"%YAML[ \t]+\d+\.\d+[ \t]*(#.*)?|%TAG[ \t]+!.*")
# Directives, comments and blank lines before a document start.
_STARTS = re.compile(rf"(?:(?:%|[ \t]*#|[ \t]*(?=[{_BREAKS}]))[^{_BREAKS}]*[{_BREAKS}])+---(?=[ \t{_BREAKS}]|\Z)")
_AFTER_ANCHORS = frozenset(_BLANKS_OR_END + "?:,]}%@`")


class _YamlOneOne:
    """Stands for the resolver and the loader that ruamel's parts ask for their version and settings."""

    processing_version = (1, 1)
    comment_handling = None
    top_level_block_style_scalar_no_indent_error_1_1 = True

    def __init__(self, text: str) -> None:
        self._resolver = self
        self._scanner: Any = None
        self._reader: Any = None
        self._parser: Any = None
        _LinesReader(text, loader=self)
        _TabbedScanner(loader=self)
        _FirstDocumentParser(loader=self)


class _LinesReader(Reader):
    # Every line break of YAML 1.1 begins a column anew; ruamel.yaml itself counts by YAML 1.2 even where it scans by 1.1.
    forward = Reader.forward_1_1


class _FirstDocumentParser(Parser):
    def parse_block_mapping_value(self) -> Any:
        """A value that is not there stands behind its colon, not before whatever comes next."""
        if not self.scanner.check_token(ValueToken):
            return super().parse_block_mapping_value()
        colon = self.scanner.get_token()
        if self.scanner.check_token(KeyToken, ValueToken, BlockEndToken):
            self.state = self.parse_block_mapping_key
            return self.process_empty_scalar(colon.end_mark)
        self.states.append(self.parse_block_mapping_key)
        return self.parse_block_node_or_indentless_sequence()

    def parse_flow_mapping_value(self) -> Any:
        """In braces and brackets a value that is not there stands before what comes next."""
        if self.scanner.check_token(ValueToken):
            self.scanner.get_token()
            if not self.scanner.check_token(FlowEntryToken, FlowMappingEndToken):
                self.states.append(self.parse_flow_mapping_key)
                return self.parse_flow_node()
        self.state = self.parse_flow_mapping_key
        return self.process_empty_scalar(self.scanner.peek_token().start_mark)

    def parse_flow_sequence_entry_mapping_value(self) -> Any:
        if self.scanner.check_token(ValueToken):
            self.scanner.get_token()
            if not self.scanner.check_token(FlowEntryToken, FlowSequenceEndToken):
                self.states.append(self.parse_flow_sequence_entry_mapping_end)
                return self.parse_flow_node()
        self.state = self.parse_flow_sequence_entry_mapping_end
        return self.process_empty_scalar(self.scanner.peek_token().start_mark)

    def parse_document_end(self) -> Any:
        """`...` ends the document, whatever follows it: what is not read is not looked at."""
        token = self.scanner.peek_token()
        self.state = self.parse_document_start
        if self.scanner.check_token(DocumentEndToken):
            token = self.scanner.get_token()
        return DocumentEndEvent(token.start_mark, token.end_mark)


class _TabbedScanner(Scanner):
    def scan_directive(self) -> Any:
        """kubectl cuts the text at `---`, so that a directive has the document start that it needs only behind breaks that are none to kubectl.
        Behind a document it ends what is read."""
        mark = self.reader.get_mark()
        length = 0
        while self.reader.peek(length) not in _BREAKS_OR_END:
            length += 1
        if not _DIRECTIVE.fullmatch(self.reader.prefix(length)):
            raise ScannerError("while scanning a directive", mark, "found unknown directive name", mark)
        if self.tokens_taken + len(self.tokens) == 1 and not _STARTS.match(self.reader.buffer, self.reader.pointer):
            raise ScannerError(None, None, "did not find expected <document start>", mark)
        self.reader.forward(length)
        return DirectiveToken("", None, mark, self.reader.get_mark())

    def scan_tag(self) -> Any:
        """A tab may follow a tag, as a blank may; `!!` needs a name."""
        reader, length = self.reader, 0
        while reader.peek(length) not in _BLANKS_OR_END:
            length += 1
        if reader.prefix(length) == "!!":
            raise ScannerError("while parsing a tag", reader.get_mark(), "did not find expected tag URI", reader.get_mark())
        if reader.peek(length) == "\t":
            tab = reader.pointer + length
            reader.buffer = reader.buffer[:tab] + " " + reader.buffer[tab + 1 :]
        return super().scan_tag()

    def scan_anchor(self, TokenClass: Any) -> Any:  # noqa: N803 (ruamel.yaml's name)
        peek, start_mark = self.reader.peek, self.reader.get_mark()
        self.reader.forward()
        length = 0
        while peek(length) in _IN_ANCHORS:
            length += 1
        if not length or peek(length) not in _AFTER_ANCHORS:
            self.reader.forward(length)
            problem = "did not find expected alphabetic or numeric character"
            raise ScannerError("while scanning an anchor or alias", start_mark, problem, self.reader.get_mark())
        name = self.reader.prefix(length)
        self.reader.forward(length)
        return TokenClass(name, start_mark, self.reader.get_mark())

    def scan_block_scalar_indicators(self, start_mark: Any) -> Any:
        """`+` or `-` and a width, in any order; then tabs and a comment may follow as blanks may."""
        peek, forward = self.reader.peek, self.reader.forward
        chomping = increment = None
        while (chomping is None and peek() in "+-") or (increment is None and peek() in "123456789"):
            if peek() in "+-":
                chomping = peek() == "+"
            else:
                increment = int(peek())
            forward()
        while peek() in " \t":
            forward()
        return chomping, increment

    def scan_block_scalar_indentation(self) -> Any:
        """Blank lines before the first line of a block scalar: they may be of any width, but without tabs."""
        peek = self.reader.peek
        breaks: list[str] = []
        widest = 0
        end_mark = self.reader.get_mark()
        while peek() in " " + _BREAKS:
            if peek() == " ":
                self.reader.forward()
                widest = max(widest, self.reader.column)
            else:
                breaks.append(self.scan_line_break())
                end_mark = self.reader.get_mark()
        if peek() == "\t":
            problem = "found a tab character where an indentation space is expected"
            raise ScannerError("while scanning a block scalar", end_mark, problem, self.reader.get_mark())
        return breaks, widest, end_mark

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
