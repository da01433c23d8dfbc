"""A document with positions: a tree of nodes, and where a path of its value leads in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.source.faults import TextFault
from jobset_compiler.source.places import Place
from jobset_compiler.source.scalars import Scalar, resolve
from jobset_compiler.source.tags import WrongTag, key_text, resolve_tagged

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path

_MERGE_TAG = "tag:yaml.org,2002:merge"


class Node:
    """A piece of the text; `start` and `end` are character offsets."""

    __slots__ = ("end", "start")

    start: int
    end: int


class ScalarNode(Node):
    """`plain` says that it has no quotes, or the tag `!`; without a tag its text then decides its type."""

    __slots__ = ("plain", "tag", "text")

    def __init__(self, start: int, end: int, text: str, plain: bool, tag: str | None) -> None:
        self.start = start
        self.end = end
        self.text = text
        self.plain = plain
        self.tag = tag


class SequenceNode(Node):
    __slots__ = ("children",)

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.children: list[Node] = []


class MappingNode(Node):
    """The children are key, value, key, value."""

    __slots__ = ("children", "members")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.children: list[Node] = []
        self.members: dict[str, _Member] | None = None


class AliasNode(Node):
    __slots__ = ("name", "target")

    def __init__(self, start: int, end: int, name: str, target: Node) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.target = target


def is_merge(key: Node) -> bool:
    return isinstance(key, ScalarNode) and key.text == "<<" and (key.plain or key.tag == _MERGE_TAG)


def scalar_value(node: ScalarNode) -> Scalar | TextFault:
    """What go-yaml makes of a scalar."""
    if node.tag is None:
        return resolve(node.text) if node.plain else node.text
    value = resolve_tagged(node.tag, node.text)
    return TextFault("bad-tag", value.message, node.start, node.end) if isinstance(value, WrongTag) else value


def key_value(key: Node) -> Scalar | TextFault:
    """The value of a key before it becomes text; aliases are followed."""
    node = target_of(key)
    if isinstance(node, ScalarNode):
        return scalar_value(node)
    kind = "sequence" if isinstance(node, SequenceNode) else "mapping"
    return TextFault("bad-key", f"invalid map key: a {kind} cannot be a key", key.start, key.end)


def target_of(node: Node) -> Node:
    """What an alias stands for; any other node stands for itself."""
    return node.target if isinstance(node, AliasNode) else node


class _Member(NamedTuple):
    """A member of a collection: its value, its key (the item itself in a list), and the alias by which a merge brought it."""

    value: Node
    key: Node
    alias: AliasNode | None


def find(root: Node, path: Path) -> Place:
    """The place of a path, of its nearest ancestor where the document has no such member.

    For a value that came through an alias this is the anchored text.
    """
    value, key, alias = root, root, None
    for step in path:
        member = _member(target_of(value), step)
        if member is None:
            break
        alias = alias or (value if isinstance(value, AliasNode) else member.alias)
        value, key = member.value, member.key
    else:
        alias = alias or (value if isinstance(value, AliasNode) else None)
        value = target_of(value)
    return Place((value.start, value.end), (key.start, key.end), None if alias is None else (alias.start, alias.end))


def _member(node: Node, step: str | int) -> _Member | None:
    if isinstance(step, str):
        return _members(node).get(step) if isinstance(node, MappingNode) else None
    if not isinstance(node, SequenceNode) or not 0 <= step < len(node.children):
        return None
    return _Member(node.children[step], node.children[step], None)


def _members(mapping: MappingNode) -> dict[str, _Member]:
    """A mapping's members by key, found once: later keys override earlier ones, merges the keys before them."""
    if mapping.members is None:
        mapping.members = {}
        for key, value in zip(mapping.children[::2], mapping.children[1::2], strict=True):
            if not is_merge(key):
                name = key_value(key)
                text = None if isinstance(name, TextFault) else key_text(name)
                if text is not None:
                    mapping.members[text] = _Member(value, key, None)
                continue
            for source in reversed(value.children) if isinstance(value, SequenceNode) else (value,):
                merged = target_of(source)
                if isinstance(merged, MappingNode):
                    alias = source if isinstance(source, AliasNode) else None
                    mapping.members |= {name: member._replace(alias=alias or member.alias) for name, member in _members(merged).items()}
    return mapping.members
