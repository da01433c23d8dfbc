"""The complete reader's first half: events of a YAML parser to nodes with positions."""

from __future__ import annotations

from typing import Any

from jobset_compiler.source.events import (
    AliasEvent,
    DocumentStartEvent,
    GetEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    YAMLError,
)
from jobset_compiler.source.limits import MAX_DEPTH
from jobset_compiler.source.nodes import ALIAS, MAPPING, SCALAR, SEQUENCE, Node, Root
from jobset_compiler.source.problems import SourceError


def compose(get_event: GetEvent, text: str) -> Node | None:
    """The root node of the first document, None for an empty one; raises `SourceError` and ruamel's `YAMLError`."""
    get_event()
    event = get_event()
    if type(event) is not DocumentStartEvent:
        return None
    if event.version is not None and tuple(event.version) != (1, 1):
        raise SourceError("yaml-syntax", "found incompatible YAML document", event.start_mark.index, event.end_mark.index)
    anchors: dict[str, Node] = {}
    parents: list[Node] = []
    while True:
        event = get_event()
        kind = type(event)
        if kind is MappingEndEvent or kind is SequenceEndEvent:
            node = parents.pop()
            flow_end = event.end_mark.index if event.end_mark.index > event.start_mark.index else 0
            node.end = max(flow_end, node.children[-1].end if node.children else node.end)
        else:
            node = Node(SCALAR, event.start_mark.index, event.end_mark.index)
            if kind is AliasEvent:
                node.kind = ALIAS
                node.text = event.anchor
                node.target = anchors.get(event.anchor)
                if node.target is None:
                    message = f"unknown anchor '{event.anchor}' referenced"
                    hint = "Anchors hold within one document; `---` ends them." if "&" + event.anchor in text else ""
                    raise SourceError("unknown-anchor", message, node.start, node.end, hint)
            else:
                if event.anchor is not None:
                    anchors[event.anchor] = node
                if event.anchor is not None or event.tag is not None:
                    node.start = _after_properties(text, node.start)
                    node.end = max(node.start, node.end)
                if kind is ScalarEvent:
                    node.text = event.value
                    node.plain = event.implicit[0]
                    node.tag = event.tag
                    node.quoted = event.style == '"'
                    _refuse_escaped_slash(node, text)
                    _trim(node, text)
                else:
                    node.kind = MAPPING if kind is MappingStartEvent else SEQUENCE
            if parents:
                parents[-1].children.append(node)
            if kind is MappingStartEvent or kind is SequenceStartEvent:
                if len(parents) >= MAX_DEPTH:
                    message = f"document is nested more than {MAX_DEPTH} levels deep"
                    raise SourceError("too-deep", message, node.start, node.end)
                parents.append(node)
                continue
        if not parents:
            return node if _at_end(get_event) else _with_rest(node, text, event)


def _at_end(get_event: GetEvent) -> bool:
    """Whether the stream ends with this document; raises ruamel's `YAMLError` where the document's own end is bad."""
    get_event()
    try:
        return type(get_event()) is StreamEndEvent
    except YAMLError:
        return False


def _with_rest(node: Node, text: str, last: Any) -> Node:
    position = last.end_mark.index
    while position < len(text) and text[position] in " \t\r\n#.":
        position = text.find("\n", position) if text[position] in "#." else position + 1
    return Root(node, position)


def _refuse_escaped_slash(node: Node, text: str) -> None:
    """libyaml has JSON's escape `\\/`, the older grammar of go-yaml v2 has not."""
    raw = text[node.start : node.end] if node.quoted else ""
    if "\\/" not in raw:
        return
    position = 0
    while (position := raw.find("\\", position)) >= 0:
        if raw[position + 1] == "/":
            start = node.start + position
            hint = "Write a plain `/`, or put the document where it is read as JSON: first in its file."
            raise SourceError("yaml-syntax", "found unknown escape character", start, start + 2, hint)
        position += 2


def _trim(node: Node, text: str) -> None:
    """Block scalars end where the next token starts; their last line's end says more."""
    end = node.end
    while end > node.start and text[end - 1] in "\r\n ":
        end -= 1
    node.end = end


def _after_properties(text: str, start: int) -> int:
    """Where a node's content starts that has an anchor or a tag in front."""
    end = len(text)
    while start < end and text[start] in "&!":
        while start < end and text[start] not in " \t\r\n":
            start += 1
        while start < end and text[start] in " \t\r\n#":
            start = text.find("\n", start) if text[start] == "#" else start + 1
    return start
