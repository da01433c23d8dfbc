"""The text of an old document, asked for its parts: what stands at a path, the comments around it, the habits of whoever wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.source.compose import compose
from jobset_compiler.source.nodes import AliasNode, MappingNode, ScalarNode, SequenceNode

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.source.document import Document
    from jobset_compiler.source.nodes import Node

BLANKS = " \t\r"


class Indents(NamedTuple):
    """step: how far a mapping is indented below its key; dash: how far a list is."""

    step: int = 2
    dash: int = 0


class Spot(NamedTuple):
    """One member of a mapping or item of a list. key: its node, that of the item itself in a list; before: where what precedes it ends."""

    key: Node
    value: Node
    parent: Node
    before: int

    @property
    def is_item(self) -> bool:
        return self.key is self.value


class OldText:
    """The text of a document; of one without text, or in JSON, nothing can be had, and of an item of a List what stands around that alone."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.source = "" if document.is_json else document.text
        whole = compose(self.source).root if self.source else None
        self.whole = whole
        self.root: MappingNode | None = whole if isinstance(whole, MappingNode) and not self.is_flow(whole) and not document.prefix else None

    def is_flow(self, node: Node) -> bool:
        return self.source[node.start : node.start + 1] in ("{", "[")

    @property
    def head(self) -> str:
        """What stands before the first key: a separator, comments."""
        return "" if self.whole is None else self.source[: self.line_start(self.whole.start)]

    @property
    def tail(self) -> str:
        """What stands below the last value."""
        if self.whole is None:
            return ""
        end = self.line_end(self.whole.end)
        behind = "" if self.root is not None else self.source[self.whole.end : end].strip(BLANKS)
        return (f"{behind}\n" if behind.startswith("#") else "") + self.source[end + 1 :]

    def lines(self, start: int, end: int) -> str:
        """A piece of the text, with plain line breaks."""
        return self.source[start:end].replace("\r\n", "\n")

    def line_start(self, offset: int) -> int:
        return self.source.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        end = self.source.find("\n", offset)
        return len(self.source) if end < 0 else end

    def column(self, node: Node) -> int:
        return node.start - self.line_start(node.start)

    def spot(self, path: Path) -> Spot | None:
        """What stands at exactly that path, without going through an alias; None for anything else."""
        node: Node | None = self.root
        before, spot = 0, None
        for step in path:
            if node is None:
                return None
            spot = _member(node, step, before)
            if spot is None or isinstance(spot.value, AliasNode):
                return None
            node, before = spot.value, spot.key.start if spot.is_item else spot.key.end
        return spot

    def value_text(self, spot: Spot, column: int) -> str:
        """The text of the value up to the end of its line, moved so that its key or item begins at `column`."""
        delta = column - self.column(spot.key)
        if self.is_flow(spot.parent):
            return moved(self.lines(spot.value.start, spot.value.end), delta) + "\n"
        start = spot.value.start if spot.is_item else self.source.index(":", spot.key.end) + 1
        return moved(self.lines(start, self.end_of(spot)).rstrip(BLANKS) + "\n", delta).removeprefix(" ")

    def end_of(self, spot: Spot) -> int:
        """Where a member or item ends: with the last comment below it that is indented as what is in it. Below the last value of a
        document everything is `tail`."""
        end = self.line_end(spot.value.end)
        if self.whole is None or end >= self.line_end(self.whole.end):
            return end
        column, last = self.margin(spot), end
        while end < len(self.source):
            start, end = end + 1, self.line_end(end + 1)
            text = self.source[start:end].strip(BLANKS)
            if text and not (text.startswith("#") and self.indent(start) > column):
                break
            last = end if text else last
        return last

    def margin(self, spot: Spot) -> int:
        """The column of a member's key or of an item's dash."""
        return self.indent(spot.key.start) if spot.is_item else self.column(spot.key)

    def indent(self, offset: int) -> int:
        """How far the line is indented that an offset is on."""
        start = self.line_start(offset)
        line = self.source[start : self.line_end(start)]
        return len(line) - len(line.lstrip(" "))

    def above(self, spot: Spot, column: int, *, with_blank_lines: bool) -> str:
        """The comments on the lines above a member or item, moved to `column`; not those that belong to what ends there (`end_of`)."""
        if self.is_flow(spot.parent):
            return ""
        start = self.line_start(spot.key.start)
        first = self.line_end(spot.before) + 1 if spot.before else start
        lines = self.source[first:start].split("\n")[:-1] if first < start else []
        kept: list[str] = []
        assert isinstance(spot.parent, MappingNode | SequenceNode)
        if spot.key is not spot.parent.children[0]:
            lines = lines[_deeper(lines, self.margin(spot)) :]
        for line in reversed(lines):
            text = line.strip(BLANKS)
            if text and not text.startswith("#"):
                break
            if text or with_blank_lines:
                kept.insert(0, f"{' ' * column}{text}" if text else "")
        return "".join(f"{line}\n" for line in kept)

    def behind(self, spot: Spot) -> str:
        """The comment behind a member's value or, for a block, behind its colon; "" where there is none."""
        if self.is_flow(spot.parent):
            return ""
        is_block = isinstance(spot.value, MappingNode | SequenceNode) and not self.is_flow(spot.value)
        if is_block and spot.is_item:
            return ""  # what stands there is behind its first member
        start = spot.key.end if is_block else spot.value.end
        rest = self.source[start : self.line_end(start)].strip(BLANKS)
        rest = rest.removeprefix(":").strip(BLANKS) if is_block else rest
        return rest if rest.startswith("#") else ""

    def style(self) -> Indents:
        """The indentation that the text uses, as its first nested mapping and its first list show it."""
        step = dash = -1
        pending: list[Node] = [] if self.root is None else [self.root]
        while pending and (step < 0 or dash < 0):
            node = pending.pop(0)
            if not isinstance(node, MappingNode) or self.is_flow(node):
                continue
            column = self.column(node)
            for child in node.children[1::2]:
                if not isinstance(child, MappingNode | SequenceNode) or self.is_flow(child) or not child.children:
                    continue
                if isinstance(child, SequenceNode):
                    dash = self.column(child) - column if dash < 0 else dash
                    pending += child.children
                else:
                    step = self.column(child) - column if step < 0 else step
                    pending.append(child)
        return Indents(step if 0 < step <= 8 else 2, dash if 0 <= dash <= 8 else 0)


def _deeper(lines: list[str], margin: int) -> int:
    """How many lines there are up to the last comment in a row, blank lines aside, that is indented deeper than a column."""
    count = 0
    for index, line in enumerate(lines):
        text = line.lstrip(" ")
        if text.startswith("#") and len(line) - len(text) > margin:
            count = index + 1
        elif text.strip(BLANKS):
            break
    return count


def _member(node: Node, step: str | int, before: int) -> Spot | None:
    if isinstance(step, int):
        if not isinstance(node, SequenceNode) or not 0 <= step < len(node.children):
            return None
        child = node.children[step]
        return Spot(child, child, node, node.children[step - 1].end if step else before)
    if not isinstance(node, MappingNode):
        return None
    for position in range(0, len(node.children), 2):
        key = node.children[position]
        if isinstance(key, ScalarNode) and key.text == step:
            return Spot(key, node.children[position + 1], node, node.children[position - 1].end if position else before)
    return None


def moved(text: str, delta: int) -> str:
    """The text with all lines but the first moved by `delta` columns, to the right or, as far as there are blanks, to the left."""
    first, *rest = text.split("\n")
    if delta >= 0:
        lines = [f"{' ' * delta}{line}" if line.strip() else line for line in rest]
    else:
        lines = [line[min(-delta, len(line) - len(line.lstrip(" "))) :] for line in rest]
    return "\n".join([first, *lines])

