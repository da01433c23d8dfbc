"""One document's text to nodes with positions, by a YAML parser's events."""

from __future__ import annotations

from typing import Any, NamedTuple

from jobset_compiler.source.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    MarkedYAMLError,
    Parser,
    ReaderError,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
    YAMLError,
    default_parser,
    pure_parser,
)
from jobset_compiler.source.faults import RefusedError, TextFault
from jobset_compiler.source.limits import MAX_DEPTH
from jobset_compiler.source.nodes import AliasNode, MappingNode, Node, ScalarNode, SequenceNode
from jobset_compiler.source.syntax import explain

_COLON_IN_FLOW = "found unexpected ':'"


class Composed(NamedTuple):
    """The root node, None for an empty document and where there is a `fault`; `rest` is where text begins that is not read, -1 for none."""

    root: Node | None
    rest: int = -1
    fault: TextFault | None = None


def compose(text: str, parser: Parser | None = None) -> Composed:
    """The first YAML document of a text; `parser` is one of `events`."""
    if not text.endswith("\n"):
        # kubectl ends every line it reads, so that a block scalar at the end of a file always has its line break.
        text += "\n"
    parser = parser or default_parser
    if "\ufeff" in text:  # libyaml skips the mark at the start of any line, for go-yaml it is a letter
        parser = pure_parser
    try:
        try:
            return _compose(text, parser)
        except MarkedYAMLError as error:
            # libyaml ends a plain scalar of a flow list at any colon; go-yaml takes `[a:b]` as one scalar.
            if error.problem != _COLON_IN_FLOW or parser is pure_parser:
                raise
            return _compose(text, pure_parser)
    except RefusedError as refused:
        return Composed(None, fault=refused.fault)
    except (YAMLError, UnicodeEncodeError) as error:
        return Composed(None, fault=_fault(error, text))


def _compose(text: str, parser: Parser) -> Composed:
    get_event = parser(text)
    get_event()
    event = get_event()
    if type(event) is not DocumentStartEvent:
        return Composed(None)
    if event.version is not None and tuple(event.version) != (1, 1):
        raise RefusedError(TextFault("yaml-syntax", "found incompatible YAML document", event.start_mark.index, event.end_mark.index))
    anchors: dict[str, Node] = {}
    parents: list[SequenceNode | MappingNode] = []
    may_escape_slashes = "\\/" in text
    node: Node
    while True:
        event = get_event()
        kind = type(event)
        if kind is MappingEndEvent or kind is SequenceEndEvent:
            node = closed = parents.pop()
            flow_end = event.end_mark.index if event.end_mark.index > event.start_mark.index else 0
            closed.end = max(flow_end, closed.children[-1].end if closed.children else closed.end)
        else:
            start, end, anchor = event.start_mark.index, event.end_mark.index, event.anchor
            if kind is AliasEvent:
                if anchor not in anchors:
                    raise RefusedError(_unknown_anchor(anchor, start, end, text))
                node = AliasNode(start, end, anchor, anchors[anchor])
            else:
                tag = event.tag
                if anchor is not None or tag is not None:
                    start = _after_properties(text, start)
                    end = max(start, end)
                if kind is ScalarEvent:
                    style = event.style
                    if style == "|" or style == ">":
                        end = _last_of_block(text, start, end)
                    elif may_escape_slashes and style == '"':
                        _refuse_escaped_slash(text, start, end)
                    node = ScalarNode(start, end, event.value, event.implicit[0], tag)
                else:
                    node = MappingNode(start, end) if kind is MappingStartEvent else SequenceNode(start, end)
                if anchor is not None:
                    anchors[anchor] = node
            if parents:
                parents[-1].children.append(node)
            if isinstance(node, (MappingNode, SequenceNode)):
                if len(parents) >= MAX_DEPTH:
                    raise RefusedError(TextFault("too-deep", f"document is nested more than {MAX_DEPTH} levels deep", start, end))
                parents.append(node)
                continue
        if not parents:
            return Composed(node, -1 if _at_end(get_event) else _rest(text, event))


def _at_end(get_event: Any) -> bool:
    """Whether the stream ends with this document; raises ruamel's `YAMLError` where the document's own end is bad."""
    get_event()
    try:
        return type(get_event()) is StreamEndEvent
    except YAMLError:
        return False


def _rest(text: str, last: Any) -> int:
    position: int = last.end_mark.index
    while position < len(text) and text[position] in " \t\r\n#.":
        position = text.find("\n", position) if text[position] in "#." else position + 1
    return position


def _unknown_anchor(name: str, start: int, end: int, text: str) -> TextFault:
    hint = "Anchors hold within one document; `---` ends them."
    if "&" + name not in text:
        hint = f'A value that starts with * needs quotes ("*{name}"), unless &{name} stands before in this document.'
    return TextFault("unknown-anchor", f"unknown anchor '{name}' referenced", start, end, hint)


def _refuse_escaped_slash(text: str, start: int, end: int) -> None:
    """libyaml has JSON's escape `\\/`, the older grammar of go-yaml v2 has not."""
    position = start
    while (position := text.find("\\", position, end)) >= 0:
        if text[position + 1] == "/":
            hint = "Write a plain `/`, or put the document where it is read as JSON: first in its file."
            raise RefusedError(TextFault("yaml-syntax", "found unknown escape character", position, position + 2, hint))
        position += 2


def _last_of_block(text: str, start: int, end: int) -> int:
    """Parsers say of block scalars that they end where the next token starts; the end of their last line says more."""
    while end > start and text[end - 1] in "\r\n ":
        end -= 1
    return end


def _after_properties(text: str, start: int) -> int:
    """Where a node's content starts that has an anchor or a tag in front."""
    end = len(text)
    while start < end and text[start] in "&!":
        while start < end and text[start] not in " \t\r\n":
            start += 1
        while start < end and text[start] in " \t\r\n#":
            start = text.find("\n", start) if text[start] == "#" else start + 1
    return start


def _fault(error: Exception, text: str) -> TextFault:
    if isinstance(error, MarkedYAMLError):
        mark, context = error.problem_mark, error.context_mark
        offset = len(text) if mark is None else mark.index
        return explain(text, offset, None if context is None else context.index, str(error.problem or error.context))
    if isinstance(error, ReaderError):
        return _control_character(text, str(error.reason))
    return _not_utf8(error.start if isinstance(error, UnicodeEncodeError) else 0)


def _not_utf8(offset: int) -> TextFault:
    return TextFault("not-utf8", "invalid Unicode character", offset, offset + 1, "Save the file as UTF-8.")


def _control_character(text: str, reason: str) -> TextFault:
    import re

    surrogate = re.search("[\ud800-\udfff]", text)
    if surrogate is not None:  # libyaml's binding comes upon these first
        return _not_utf8(surrogate.start())
    match = re.search("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)
    start = match.start() if match else 0
    hint = f"U+{ord(text[start]):04X} cannot stand in YAML; in double quotes it can be escaped." if match else ""
    message = "control characters are not allowed" if match else reason
    return TextFault("control-character", message, start, start + 1, hint)
