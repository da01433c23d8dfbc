"""What a text seems to say around a place: read by its indentation alone, for texts that somebody is in the middle of typing.

Half a line, a tab, an open quote: what cannot be read is passed over, and the rest keeps its place. Only the block style is understood, and flow
collections on one line. Nothing that a cluster is told is ever taken from here: that is for `source`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.lsp.fields import KINDS_OF_TRAINER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path

# What a tab counts where blanks belong, and a key that no text has.
TAB, MARK = 2, "\0"
KEY = re.compile(r"""(?P<key>"[^"]*"|'[^']*'|[^\s#:,\[\]{}&*!|>'"%@`-][^:#,]*?|-[^\s:#,][^:#,]*?)\s*:(?=\s|$)""")
WORD = re.compile(r"[^\s\[\]{},\"']*$")
FLOW = re.compile(r"""(?P<bracket>[\[\]{}])|,|(?P<text>"[^"]*"?|'[^']*'?|[^\s\[\]{},:]+(?::[^\s\[\]{},:]+)*)(?P<colon>\s*:(?=\s|$))?""")


class SketchNode:
    """A key with what stands behind it and below it, an item of a list, or the whole document."""

    __slots__ = ("children", "column", "key", "line", "parent", "value")

    def __init__(self, key: str | int, column: int, line: int, parent: SketchNode | None, value: str = "") -> None:
        self.key = key
        self.column = column
        self.line = line
        self.parent = parent
        self.value = value
        self.children: list[SketchNode] = []
        if parent is not None:
            parent.children.append(self)

    @property
    def path(self) -> Path:
        steps: list[str | int] = []
        node = self
        while node.parent is not None:
            steps.append(node.key)
            node = node.parent
        return tuple(reversed(steps))

    @property
    def is_item(self) -> bool:
        return isinstance(self.key, int)

    def at(self, *path: str | int) -> SketchNode | None:
        """What stands below, by keys and numbers of items."""
        node: SketchNode | None = self
        for step in path:
            node = next((child for child in node.children if child.key == step), None) if node is not None else None
        return node

    def text(self, *path: str | int) -> str:
        """The scalar at a path, "" for none. A flow map on one line is looked into."""
        node, rest = self, path
        while rest and (below := node.at(rest[0])) is not None:
            node, rest = below, rest[1:]
        return _in_flow(node.value, rest)

    def items(self, *path: str | int) -> list[SketchNode]:
        node = self.at(*path)
        return [] if node is None else [child for child in node.children if child.is_item]


class Sketch(NamedTuple):
    """Where the cursor is. kind: of the document, "" unless it is one of ours; path: of the map or list that it is in; key: of that map, where the
    cursor is on it or behind it; in_value: it stands behind the colon; start and end: of the word under it; siblings: keys that are there already."""

    kind: str
    root: SketchNode
    path: Path
    key: str | None
    in_value: bool
    start: int
    end: int
    siblings: frozenset[str]


def sketch_at(text: str, offset: int) -> Sketch | None:
    """None where the place is inside of a comment or a text over several lines."""
    first, last = _document_around(text, offset)
    lines = text[first:last].split("\n")
    number = text.count("\n", first, offset)
    begin = text.rfind("\n", 0, offset) + 1
    before, after = text[begin:offset], text[offset:].partition("\n")[0].rstrip("\r")
    if re.search(r"(^|\s)#", before):
        return None
    word = WORD.search(before)
    start = begin + (word.start() if word else len(before))
    rest = re.match(r"[^\s:\[\]{},\"'#]*", after)
    end = offset + (rest.end() if rest else 0)
    *_, (_, _, content) = _parts(before)
    behind = KEY.match(content)
    if behind is None and not KEY.match(content + after):
        lines[number] = before[: start - begin] + MARK + ":"  # as if a key was there already
    root, by_line = _read(lines)
    kind = root.text("kind")
    kind = kind if kind in KINDS_OF_TRAINER else ""
    nodes = by_line.get(number)
    if not nodes:
        return None
    marked = nodes[-1]
    container = marked.parent or root
    siblings = frozenset(str(child.key) for child in container.children if child is not marked)
    if behind is None:
        key = None if marked.key == MARK else str(marked.key)
        return Sketch(kind, root, container.path, key, False, start, end, siblings)
    value = content[behind.end() :]
    start = start if value else offset  # right behind the colon the word is still to come
    if re.search(r"[\[{]", value) and not value.lstrip().startswith(('"', "'")):
        return _within_flow(Sketch(kind, root, marked.path, None, False, start, end, frozenset()), value)
    return Sketch(kind, root, container.path, str(marked.key), True, start, end, siblings)


def _document_around(text: str, offset: int) -> tuple[int, int]:
    """Start and end of the document that has the offset."""
    first, last = 0, len(text)
    for separator in re.finditer(r"^---(?=\s|$)[^\n]*(\n|$)", text, re.MULTILINE):
        if separator.end() <= offset:
            first = separator.end()
        elif separator.start() >= offset:
            last = separator.start()
            break
    return first, last


def _parts(line: str) -> Iterator[tuple[bool, int, str]]:
    """The dashes of a line, then what is left: (whether it is a dash, its column, the text from there)."""
    shown = line.expandtabs(TAB)
    rest = shown.lstrip(" ")
    while re.match(r"-(\s|$)", rest):
        yield True, len(shown) - len(rest), rest
        rest = rest[1:].lstrip(" ")
    yield False, len(shown) - len(rest), rest


def _read(lines: list[str]) -> tuple[SketchNode, dict[int, list[SketchNode]]]:
    """The tree, and the nodes that begin on each line."""
    root = SketchNode("", -1, 0, None)
    stack = [root]
    by_line: dict[int, list[SketchNode]] = {}
    block = -1  # column of a key with a text over several lines behind it
    for number, line in enumerate(lines):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if block >= 0:
            if len(line.expandtabs(TAB)) - len(line.expandtabs(TAB).lstrip(" ")) > block:
                continue
            block = -1
        for is_dash, column, rest in _parts(line.rstrip("\r")):
            if is_dash:
                while stack[-1].column > column or (stack[-1].column == column and stack[-1].is_item):
                    stack.pop()
                index = sum(child.is_item for child in stack[-1].children)
                stack.append(SketchNode(index, column, number, stack[-1]))
                by_line.setdefault(number, []).append(stack[-1])
                continue
            found = KEY.match(rest)
            if found is None:
                if stack[-1].line == number and stack[-1].is_item:
                    stack[-1].value = rest.strip()
                continue
            while stack[-1].column >= column:
                stack.pop()
            value = rest[found.end() :].strip()
            stack.append(SketchNode(unquoted(found["key"]), column, number, stack[-1], value))
            by_line.setdefault(number, []).append(stack[-1])
            if re.match(r"[|>][-+0-9]*\s*(#.*)?$", value):
                block = column
    return root, by_line


def _within_flow(sketch: Sketch, value: str) -> Sketch:
    """The place in flow collections that are open at the end of `value`."""
    opened: list[Path] = []  # what each bracket that is not closed adds to the path
    key: str | None = None
    for token in FLOW.finditer(WORD.sub("", value)):
        if token["bracket"] in ("[", "{"):
            opened.append((*(() if key is None else (key,)), *((0,) if token["bracket"] == "[" else ())))
        elif token["bracket"]:
            del opened[-1:]
        key = unquoted(token["text"]) if token["colon"] else None
    return sketch._replace(path=(*sketch.path, *(step for steps in opened for step in steps)), key=key, in_value=key is not None)


def _in_flow(value: str, path: Path) -> str:
    for step in path:
        found = re.search(rf"""[{{,]\s*["']?{re.escape(str(step))}["']?\s*:\s*("[^"]*"|'[^']*'|[^,}}\]]*)""", value)
        if found is None:
            return ""
        value = found[1]
    quoted = re.match(r"""("[^"]*"|'[^']*')""", value)
    if quoted is not None:
        return unquoted(quoted[1])
    return re.sub(r"\s+#.*$", "", value).strip()


def unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
