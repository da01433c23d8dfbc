"""The complete lane: any YAML document's text to its value, with every rule and whatever there is to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.source.compose import compose
from jobset_compiler.source.faults import TextFault
from jobset_compiler.source.nodes import MappingNode, ScalarNode
from jobset_compiler.source.syntax import helm_template
from jobset_compiler.source.values import Decoded, decode

if TYPE_CHECKING:
    from jobset_compiler.source.events import Parser
    from jobset_compiler.source.nodes import Node


def read_completely(text: str, parser: Parser | None = None) -> Decoded:
    """The value of the first YAML document of a text and what was found on the way; `parser` is one of `events`."""
    root, rest, fault = compose(text, parser)
    if fault is not None:
        return Decoded(None, (), fault)
    if root is None:
        return Decoded(None)
    fault = _second_object(root, text)
    if fault is not None:
        return Decoded(None, (), fault)
    decoded = decode(root)
    fault = decoded.fault
    if fault is not None:
        # `{{ x }}` is a mapping with a mapping as its key, so that no grammar complains.
        if fault.slug == "bad-key" and "{{" in text[max(fault.start - 1, 0) : fault.start + 2]:
            return decoded._replace(fault=helm_template(text.index("{{", max(fault.start - 1, 0)), fault.message))
        return decoded
    if 0 <= rest < len(text):
        ignored = TextFault("ignored-text", "text after the end of the document is not read", rest, rest + 1, _why_ignored(text, rest))
        decoded = decoded._replace(remarks=(*decoded.remarks, ignored))
    return decoded


def _second_object(root: Node, text: str) -> TextFault | None:
    """Two objects in one document, of which kubectl would read a mixture: whatever only the first has, and all of the second."""
    if not isinstance(root, MappingNode):
        return None
    seen: set[str] = set()
    again: dict[str, ScalarNode] = {}
    for key in root.children[::2]:
        if isinstance(key, ScalarNode) and key.text in ("apiVersion", "kind"):
            if key.text in seen:
                again.setdefault(key.text, key)
            seen.add(key.text)
    if len(again) < 2:
        return None
    first = min(again.values(), key=lambda key: key.start)
    hint = "Write --- on a line of its own before this one, so that a new document begins."
    from jobset_compiler.source.mending import separator

    message = "a second object begins in the same document: it has apiVersion and kind twice"
    return TextFault("missing-separator", message, first.start, first.end, hint, mendings=separator(text, first.start))


def _why_ignored(text: str, rest: int) -> str:
    before = text[:rest].rstrip().rpartition("\n")[2]
    if before == "...":
        return "The ... before it ends the document: take it away, or write out what it stands for; a new document begins with ---."
    return "A document starts with `---` on a line of its own."
