"""One document's text to its value, by a YAML parser: the fast lane where it suffices, the complete reader where not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.source import event_nodes, nodes
from jobset_compiler.source.events import MarkedYAMLError, Parser, ReaderError, YAMLError, default_parser, pure_parser
from jobset_compiler.source.memory import RareError, ScalarMemory
from jobset_compiler.source.plain_values import read_first_document
from jobset_compiler.source.problems import SourceError
from jobset_compiler.source.syntax import explain, helm_template

if TYPE_CHECKING:
    from jobset_compiler.source.document import DocumentText

_COLON_IN_FLOW = "found unexpected ':'"


def read_yaml(text: str, parser: Parser | None, memory: ScalarMemory) -> nodes.Decoded:
    """The value of the first YAML document of a text and what was found on the way; raises `SourceError`."""
    text = _terminated(text)
    parser = parser or default_parser
    try:
        if "\\/" in text or (not text.isascii() and "\ufeff" in text):
            raise RareError
        return nodes.Decoded(read_first_document(parser(text), memory), ())
    except (RareError, MarkedYAMLError):
        return _read_completely(text, parser)
    except (YAMLError, UnicodeEncodeError) as error:
        raise _explained(error, text) from None


def _read_completely(text: str, parser: Parser) -> nodes.Decoded:
    try:
        return nodes.decode(compose_yaml(text, parser))
    except SourceError as error:
        # `{{ x }}` is a mapping with a mapping as its key, so that no grammar complains.
        if error.slug == "bad-key" and "{{" in text[max(error.start - 1, 0) : error.start + 2]:
            raise helm_template(text.index("{{", max(error.start - 1, 0)), error.message) from None
        raise
    except RecursionError:  # the caller has used up nearly all of Python's stack
        raise SourceError("too-deep", "document is nested too deeply", 0, 1) from None


def compose_yaml(text: str, parser: Parser) -> nodes.Node | None:
    """The node tree of the first YAML document of a text; raises `SourceError`."""
    text = _terminated(text)
    if "\ufeff" in text:  # libyaml skips the mark at the start of any line, for go-yaml it is a letter
        parser = pure_parser
    try:
        try:
            return event_nodes.compose(parser(text), text)
        except MarkedYAMLError as error:
            # libyaml ends a plain scalar of a flow list at any colon; go-yaml takes `[a:b]` as one scalar.
            if error.problem != _COLON_IN_FLOW or parser is pure_parser:
                raise
            return event_nodes.compose(pure_parser(text), text)
    except (YAMLError, UnicodeEncodeError) as error:
        raise _explained(error, text) from None


def _terminated(text: str) -> str:
    """kubectl ends every line it reads, so that a block scalar at the end of a file always has its line break."""
    return text if text.endswith("\n") else text + "\n"


def _explained(error: Exception, text: str) -> SourceError:
    if isinstance(error, MarkedYAMLError):
        mark, context = error.problem_mark, error.context_mark
        offset = len(text) if mark is None else mark.index
        return explain(text, offset, None if context is None else context.index, str(error.problem or error.context))
    if isinstance(error, ReaderError):
        return _control_character(text, str(error.reason))
    offset = error.start if isinstance(error, UnicodeEncodeError) else 0
    return SourceError("not-utf8", "invalid Unicode character", offset, offset + 1, "Save the file as UTF-8.")


def _control_character(text: str, reason: str) -> SourceError:
    import re

    match = re.search("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)
    start = match.start() if match else 0
    hint = f"U+{ord(text[start]):04X} cannot stand in YAML; in double quotes it can be escaped." if match else ""
    message = "control characters are not allowed" if match else reason
    return SourceError("control-character", message, start, start + 1, hint)


def compose_again(source: DocumentText) -> nodes.Node | None:
    """The node tree of a text that has been read before, None where it cannot be had."""
    if source.is_json:
        from jobset_compiler.source import json_text

        return json_text.compose(source.text, json_text.skip_space(source.text, 0))
    try:
        return compose_yaml(source.text, source.parser or default_parser)
    except SourceError:
        return None
