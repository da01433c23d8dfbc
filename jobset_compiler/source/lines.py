"""The quickest lane: plain block YAML read line by line, without a YAML library.

Most manifests are nothing but `key: value`, `- item`, quotes on one line, literal blocks, short flow lists and comments. Reading those
needs no event stream, and above all no import of one, which costs as much as everything else together when one file is rendered.
Whatever is not plainly one of these raises `RareError`, and libyaml decides. Both give the same values and the same positions for a
document that passes here: tests compare them.
"""

from __future__ import annotations

from typing import Any

from jobset_compiler.source.limits import LONGEST_KEY, MAX_DEPTH, MAX_REMEMBERED_SCALARS
from jobset_compiler.source.memory import RareError, ScalarMemory
from jobset_compiler.source.nodes import MAPPING, SCALAR, SEQUENCE, Node
from jobset_compiler.source.scalars import is_finite, resolve, through_json

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_IN_KEYS = _LETTERS + "./-"
_IN_FLOW = _LETTERS + "./-+="
# What a plain scalar cannot start with here; of those that YAML allows before a letter only "-" is understood.
_STARTS = frozenset("?:,]}#&*!>%@`")
_UNSEEN = object()


def read_value(text: str, memory: ScalarMemory) -> Any:
    """The value of a document that is a block mapping; raises `RareError` for any other and for whatever is unusual in it."""
    return _Lines(text, memory, with_nodes=False).document()


def compose_nodes(text: str) -> Node:
    """The same document as nodes with positions; raises `RareError` where `read_value` does."""
    reader = _Lines(text, ScalarMemory(), with_nodes=True)
    reader.document()
    return reader.nodes[0]


class _Lines:
    """A reading: the current line is `content` without its `indent`; `nodes` is where the node of the value just read went."""

    __slots__ = ("content", "depth", "indent", "lines", "memory", "nodes", "number", "start", "starts", "with_nodes")

    def __init__(self, text: str, memory: ScalarMemory, *, with_nodes: bool) -> None:
        # Tabs, carriage returns, Unicode's other line breaks, byte order marks and bytes that are no UTF-8 are all not printable.
        if not text.replace("\n", "").isprintable():
            raise RareError
        self.lines = text.split("\n")
        self.memory = memory
        self.with_nodes = with_nodes
        self.nodes: list[Node] = []
        self.starts: list[int] = []
        if with_nodes:
            start = 0
            for line in self.lines:
                self.starts.append(start)
                start += len(line) + 1
        self.depth = 0
        self.number = -1
        self.indent = -1
        self.content = ""
        self.start = 0

    def document(self) -> Any:
        if self.lines[0].rstrip(" ") == "---":
            self.number = 0
        self.advance()
        if self.indent < 0 or _is_item(self.content):
            raise RareError
        value = self.mapping()
        if self.indent >= 0:
            raise RareError
        return value

    def advance(self) -> None:
        """To the next line that is neither empty nor a comment; `indent` is -1 after the last one."""
        lines = self.lines
        number = self.number + 1
        while number < len(lines):
            line = lines[number]
            content = line.lstrip(" ")
            if content and content[0] != "#":
                self.number = number
                self.indent = len(line) - len(content)
                self.content = content.rstrip(" ")
                if self.with_nodes:
                    self.start = self.starts[number] + self.indent
                return
            number += 1
        self.number = number
        self.indent = -1
        self.content = ""

    def mapping(self) -> dict[str, Any]:
        indent = self.indent
        result: dict[str, Any] = {}
        known = self.memory.keys
        node = self.open(MAPPING)
        while self.indent == indent:
            content = self.content
            colon = content.find(": ")
            if colon < 0:
                if content[-1] != ":":
                    raise RareError
                colon = len(content) - 1
            key = content[:colon]
            if key not in known:
                self.learn(key)
            if key in result:
                raise RareError
            rest = content[colon + 1 :].lstrip(" ")
            if node is not None:
                self.leaf(node, key, self.start, self.start + colon, plain=True)
            if not rest or rest[0] == "#":
                result[key] = self.below(indent, node, self.start + colon + 1, same_indent=True)
            else:
                result[key] = self.scalar(rest, indent, node, self.start + len(content) - len(rest))
        if self.indent > indent:
            raise RareError
        self.close(node)
        return result

    def sequence(self) -> list[Any]:
        indent = self.indent
        result: list[Any] = []
        node = self.open(SEQUENCE)
        while self.indent == indent and _is_item(self.content):
            content = self.content
            rest = content[1:].lstrip(" ")
            offset = len(content) - len(rest)
            if not rest or rest[0] == "#":
                result.append(self.below(indent, node, self.start + 1, same_indent=False))
            elif rest[0] not in "\"'[{|" and (_is_item(rest) or rest[-1] == ":" or ": " in rest):
                # What follows the dash is a line of its own, further in.
                self.indent = indent + offset
                self.content = rest
                self.start += offset
                result.append(self.nested(node))
            else:
                result.append(self.scalar(rest, indent, node, self.start + offset))
        if self.indent > indent:
            raise RareError
        self.close(node)
        return result

    def below(self, indent: int, parent: Node | None, empty: int, *, same_indent: bool) -> Any:
        """The value of a key or dash with nothing after it: what stands further in below, else null.

        A list may stand at the indentation of its key.
        """
        self.advance()
        if self.indent > indent or (same_indent and self.indent == indent and _is_item(self.content)):
            return self.nested(parent)
        if parent is not None:
            self.leaf(parent, "", empty, empty, plain=True)
        return None

    def nested(self, parent: Node | None) -> Any:
        if self.depth >= MAX_DEPTH - 1:
            raise RareError
        self.depth += 1
        value: Any = self.sequence() if _is_item(self.content) else self.mapping()
        self.depth -= 1
        if parent is not None:
            parent.children.append(self.nodes.pop())
        return value

    def learn(self, key: str) -> None:
        """Whether a key is one that needs no thought; if so it is remembered."""
        if not key or key.strip(_IN_KEYS) or len(key) > LONGEST_KEY or type(resolve(key)) is not str:
            raise RareError
        if key == "-" or key.startswith(("---", "...")):
            raise RareError
        if len(self.memory.keys) < MAX_REMEMBERED_SCALARS:
            self.memory.keys[key] = key

    def scalar(self, rest: str, indent: int, parent: Node | None, start: int) -> Any:
        """The value that begins with `rest`, and on to the next line."""
        first = rest[0]
        if first == '"' or first == "'":
            value, end = _quoted(rest)
            self.only_comment(rest, end)
            if parent is not None:
                self.leaf(parent, value, start, start + end, quoted=first == '"')
        elif first == "|":
            return self.literal(rest, indent, parent, start)
        elif first == "[" or first == "{":
            value, end = self.flow(rest, 0, parent, start)
            self.only_comment(rest, end)
        else:
            hash_sign = rest.find(" #")
            if hash_sign >= 0:
                rest = rest[:hash_sign].rstrip(" ")
            if first in _STARTS or _is_item(rest) or rest[-1] == ":" or ": " in rest:
                raise RareError
            value = self.plain(rest)
            if parent is not None:
                self.leaf(parent, rest, start, start + len(rest), plain=True)
        self.advance()
        return value

    def plain(self, text: str) -> Any:
        values = self.memory.values
        value = values.get(text, _UNSEEN)
        if value is _UNSEEN:
            value = resolve(text)
            if type(value) is not str:
                if not is_finite(value):
                    raise RareError
                value = through_json(value)
            if len(values) < MAX_REMEMBERED_SCALARS:
                values[text] = value
        return value

    def only_comment(self, rest: str, end: int) -> None:
        if end < len(rest) and not (rest[end] == " " and rest[end:].lstrip(" ")[0] == "#"):
            raise RareError

    def literal(self, header: str, indent: int, parent: Node | None, start: int) -> str:
        """A literal block, `|` or `|-`; its lines are those that are indented as far as the first of them."""
        if header not in ("|", "|-"):
            raise RareError
        lines = self.lines
        first = number = self.number + 1
        width = 0
        last = -1
        while number < len(lines):
            line = lines[number]
            content = line.lstrip(" ")
            if content:
                column = len(line) - len(content)
                if not width:
                    width = column
                    if width <= indent:
                        raise RareError
                if column < width:
                    break
                last = number
            elif len(line) > width:
                # Blanks beyond the indentation are part of the text, or an error before its first line.
                raise RareError
            number += 1
        if last < 0:
            raise RareError
        text = "\n".join([line[width:] for line in lines[first : last + 1]])
        if header == "|":
            text += "\n"
        if parent is not None:
            self.leaf(parent, text, start, self.starts[last] + len(lines[last].rstrip(" ")))
        self.number = number - 1
        self.advance()
        return text

    def flow(self, text: str, position: int, parent: Node | None, start: int) -> tuple[Any, int]:
        """The list or mapping in brackets that begins at `position` of `text`, and where it ends, on the same line."""
        if self.depth >= MAX_DEPTH - 1:
            raise RareError
        self.depth += 1
        is_list = text[position] == "["
        closing = "]" if is_list else "}"
        items: list[Any] = []
        mapping: dict[str, Any] = {}
        node = self.open(SEQUENCE if is_list else MAPPING, start + position)
        position = _skip(text, position + 1)
        while text[position : position + 1] != closing:
            if is_list:
                value, position = self.flow_value(text, position, node, start)
                items.append(value)
            else:
                key = text[position : text.find(": ", position)]
                if not key or key in mapping:
                    raise RareError
                self.learn(key)
                if node is not None:
                    self.leaf(node, key, start + position, start + position + len(key), plain=True)
                position = _skip(text, position + len(key) + 1)
                mapping[key], position = self.flow_value(text, position, node, start)
            position = _skip(text, position)
            if text[position : position + 1] == ",":
                position = _skip(text, position + 1)
                if text[position : position + 1] == closing:
                    raise RareError
            elif text[position : position + 1] != closing:
                raise RareError
        self.depth -= 1
        if node is not None:
            node.end = start + position + 1
            if parent is not None:
                parent.children.append(self.nodes.pop())
        return items if is_list else mapping, position + 1

    def flow_value(self, text: str, position: int, parent: Node | None, start: int) -> tuple[Any, int]:
        first = text[position : position + 1]
        if first == "[" or first == "{":
            return self.flow(text, position, parent, start)
        if first == '"' or first == "'":
            value, length = _quoted(text[position:])
            end = position + length
            if parent is not None:
                self.leaf(parent, value, start + position, start + end, quoted=first == '"')
            return value, end
        end = position
        while end < len(text) and text[end] in _IN_FLOW:
            end += 1
        word = text[position:end]
        if not word or word[0] in "=-" or text[end : end + 1] not in (",", "]", "}", " "):
            raise RareError
        if parent is not None:
            self.leaf(parent, word, start + position, start + end, plain=True)
        return self.plain(word), end

    def open(self, kind: str, start: int | None = None) -> Node | None:
        if not self.with_nodes:
            return None
        node = Node(kind, self.start if start is None else start, 0)
        self.nodes.append(node)
        return node

    def close(self, node: Node | None) -> None:
        if node is not None:
            node.end = node.children[-1].end

    def leaf(self, parent: Node, text: str, start: int, end: int, *, plain: bool = False, quoted: bool = False) -> None:
        node = Node(SCALAR, start, end)
        node.text = text
        node.plain = plain
        node.quoted = quoted
        parent.children.append(node)


def _is_item(content: str) -> bool:
    return content == "-" or content.startswith("- ")


def _skip(text: str, position: int) -> int:
    while text[position : position + 1] == " ":
        position += 1
    return position


def _quoted(text: str) -> tuple[str, int]:
    """The text in the quotes that `text` begins with, and where they end; they must end on the same line."""
    quote = text[0]
    end = text.find(quote, 1)
    if quote == "'":
        while text[end + 1 : end + 2] == "'" and end > 0:
            end = text.find("'", end + 2)
    if end < 0:
        raise RareError
    inner = text[1:end]
    if quote == "'":
        return inner.replace("''", "'"), end + 1
    if "\\" in inner:
        raise RareError
    return inner, end + 1
