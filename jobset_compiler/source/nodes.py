"""Nodes: a document with positions, and what it means by every rule of go-yaml v2.

Used for the documents that the quick lanes leave, for positions, and for naming what is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.source.limits import MAX_DEPTH
from jobset_compiler.source.problems import Finding, SourceError
from jobset_compiler.source.scalars import Scalar, TagError, is_finite, key_text, resolve, resolve_tagged, through_json

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path

SCALAR, SEQUENCE, MAPPING, ALIAS = "scalar", "sequence", "mapping", "alias"


class Node:
    """A piece of the text: `start` and `end` are character offsets; a mapping's children are key, value, key, value.

    `plain` says that a scalar has no quotes, or the tag `!`; without a tag its text then decides its type. `target` is what an alias stands for.
    """

    __slots__ = ("children", "end", "kind", "plain", "quoted", "start", "tag", "target", "text")

    def __init__(self, kind: str, start: int, end: int) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.text = ""
        self.tag: str | None = None
        self.plain = False
        self.quoted = False
        self.children: list[Node] = []
        self.target: Node | None = None


class Root(Node):
    """The root of a document after which the text goes on; `rest` is where."""

    __slots__ = ("rest",)

    def __init__(self, node: Node, rest: int) -> None:
        for name in Node.__slots__:
            setattr(self, name, getattr(node, name))
        self.rest = rest


def is_merge(key: Node) -> bool:
    if key.kind != SCALAR or key.text != "<<":
        return False
    return key.plain or key.tag == "tag:yaml.org,2002:merge"


def own_key(key: Node) -> Scalar:
    """The value of a scalar key (aliases followed) before it becomes text; raises `SourceError` where there is none."""
    node = key.target if key.kind == ALIAS and key.target is not None else key
    if node.kind != SCALAR:
        raise SourceError("bad-key", f"invalid map key: a {node.kind} cannot be a key", key.start, key.end)
    return _scalar(node)


def _scalar(node: Node) -> Scalar:
    if node.tag is None:
        return resolve(node.text) if node.plain else node.text
    try:
        return resolve_tagged(node.tag, node.text)
    except TagError as error:
        raise SourceError("bad-tag", str(error), node.start, node.end) from None


class Decoded:
    """A value and the findings that did not stop its reading."""

    __slots__ = ("findings", "value")

    def __init__(self, value: Any, findings: tuple[Finding, ...]) -> None:
        self.value = value
        self.findings = findings


def decode(root: Node | None) -> Decoded:
    """The JSON value of a node; raises `SourceError` at the first thing the server could not read."""
    if root is None:
        return Decoded(None, ())
    decoder = _Decoder()
    value = decoder.decode(root)
    decoder.refuse_excessive_aliasing(root, decoder.alias_steps)
    if isinstance(root, Root):
        message = "text after the end of the document is not read"
        hint = "A document starts with `---` on a line of its own."
        decoder.findings.append(Finding("ignored-text", message, root.rest, root.rest + 1, hint))
    return Decoded(value, tuple(decoder.findings))


class _Decoder:
    def __init__(self) -> None:
        self.findings: list[Finding] = []
        # go-yaml counts what it decodes, repeating the work at each alias; we count the same and share the values.
        self.steps = 1
        self.alias_steps = 0
        self.alias_began = -1
        self.known: dict[int, tuple[Any, int, int]] = {}  # an anchored node's value, steps and height
        self.open_targets: set[int] = set()
        self.level = 0
        self.height = 0  # of the value decoded last

    def decode(self, node: Node) -> Any:
        self.steps += 1
        if node.kind == SCALAR:
            self.height = 0
            return _finite(node)
        if node.kind == ALIAS:
            return self.follow(node)
        self.descend(node)
        if node.kind == SEQUENCE:
            items: list[Any] = []
            height = 0
            for child in node.children:
                items.append(self.decode(child))
                height = max(height, self.height)
            self.height = height + 1
            self.level -= 1
            return items
        entries = _Entries()
        self.fill(node, entries, merged=False)
        self.height = entries.height + 1
        self.level -= 1
        return entries.result

    def descend(self, node: Node, levels: int = 1) -> None:
        self.level += levels
        if self.level > MAX_DEPTH:
            raise SourceError("too-deep", f"document is nested more than {MAX_DEPTH} levels deep", node.start, node.end)

    def follow(self, alias: Node) -> Any:
        target = _target(alias)
        before = self.enter(alias, target)
        known = self.known.get(id(target))
        if known is None:
            value = self.decode(target)
            self.known[id(target)] = (value, self.steps - before, self.height)
        else:
            value, steps, self.height = known
            self.descend(alias, self.height)
            self.level -= self.height
            self.steps += steps
        self.leave(alias, target)
        return value

    def enter(self, alias: Node, target: Node) -> int:
        if id(target) in self.open_targets or target.start <= alias.start < target.end:
            raise SourceError("alias-cycle", f"anchor '{alias.text}' value contains itself", alias.start, alias.end)
        if not self.open_targets:
            self.alias_began = self.steps
        self.open_targets.add(id(target))
        return self.steps

    def leave(self, alias: Node, target: Node) -> None:
        self.refuse_excessive_aliasing(alias, self.alias_steps + self.steps - self.alias_began)
        self.open_targets.discard(id(target))
        if not self.open_targets:
            self.alias_steps += self.steps - self.alias_began

    def refuse_excessive_aliasing(self, node: Node, alias_steps: int) -> None:
        """go-yaml's bound: aliases may make up 99 % of a document of 400,000 values and 10 % of one of 4,000,000."""
        if alias_steps <= 100 or self.steps <= 1000:
            return
        allowed = min(0.99, max(0.10, 0.99 - 0.89 * (self.steps - 400_000) / 3_600_000))
        if alias_steps / self.steps > allowed:
            hint = "Aliases that contain aliases multiply; write out less by reference."
            raise SourceError("alias-bomb", "document contains excessive aliasing", node.start, node.end, hint)

    def fill(self, mapping: Node, entries: _Entries, *, merged: bool) -> None:
        """Sets the mapping's entries in the order of the text: a merge overrides the keys before it."""
        children = mapping.children
        for position in range(0, len(children), 2):
            key, value = children[position], children[position + 1]
            if is_merge(key):
                self.merge(value, entries)
                continue
            self.steps += 2 if key.kind == ALIAS else 1
            name = own_key(key)
            text = key_text(name)
            if text is None:
                raise _no_key(key, name)
            earlier = entries.keys.get((type(name), name))
            if earlier is not None:
                slug = "merge-override" if merged or earlier[1] else "duplicate-key"
                shown = f'"{name}"' if isinstance(name, str) else text
                message = f"key {shown} already set in map"
                self.findings.append(Finding(slug, message, key.start, key.end, "", earlier[0].start))
            elif text in entries.result:
                message = f'two keys become "{text}" in JSON, and the server keeps either of them'
                self.findings.append(Finding("colliding-keys", message, key.start, key.end, "Remove one of them."))
            entries.keys[type(name), name] = (key, merged)
            entries.result[text] = self.decode(value)
            entries.height = max(entries.height, self.height)

    def merge(self, node: Node, entries: _Entries) -> None:
        self.descend(node)
        # The first of several sources has the last word.
        for source in reversed(node.children) if node.kind == SEQUENCE else (node,):
            mapping = _target(source) if source.kind == ALIAS else source
            if mapping.kind != MAPPING:
                message = "map merge requires map or sequence of maps as the value"
                raise SourceError("bad-merge", message, source.start, source.end)
            self.steps += 1
            if source.kind == ALIAS:
                self.enter(source, mapping)
                self.steps += 1
            self.fill(mapping, entries, merged=True)
            if source.kind == ALIAS:
                self.leave(source, mapping)
        self.level -= 1


class _Entries:
    """A mapping while it is filled: its JSON object, and the keys as Go's map tells them apart."""

    __slots__ = ("height", "keys", "result")

    def __init__(self) -> None:
        self.result: dict[str, Any] = {}
        self.keys: dict[Any, tuple[Node, bool]] = {}
        self.height = 0


def _finite(node: Node) -> Scalar:
    value = _scalar(node)
    if is_finite(value):
        return through_json(value)
    word = {"inf": "+Inf", "-inf": "-Inf"}.get(str(value), "NaN")
    hint = "JSON has no such number; put quotes around it if it is text."
    raise SourceError("bad-number", f"json: unsupported value: {word}", node.start, node.end, hint)


def _no_key(key: Node, name: Scalar) -> SourceError:
    kind = "<nil>" if name is None else "uint64"
    hint = f'Put quotes around the key: "{key.text}".' if key.text else "Something is missing before the colon."
    return SourceError("bad-key", f"unsupported map key of type: {kind}", key.start, key.end, hint)


def _target(alias: Node) -> Node:
    assert alias.target is not None, "an alias has a target, or composing has refused it"
    return alias.target


class Place:
    """Where a path leads: the value's node, its key's node (the item itself in a list), the first alias on the way."""

    __slots__ = ("alias", "key", "value")

    def __init__(self, value: Node, key: Node, alias: Node | None) -> None:
        self.value = value
        self.key = key
        self.alias = alias


def find(root: Node, path: Path) -> Place:
    """The place of a path, of its nearest ancestor where the document has no such member."""
    place = Place(root, root, None)
    for step in path:
        following = _member(place, step)
        if following is None:
            return place
        place = following
    return _through_alias(place)


def _through_alias(place: Place) -> Place:
    if place.value.kind == ALIAS and place.value.target is not None:
        return Place(place.value.target, place.key, place.alias or place.value)
    return place


def _member(place: Place, step: str | int) -> Place | None:
    place = _through_alias(place)
    node = place.value
    if isinstance(step, int):
        if node.kind != SEQUENCE or not 0 <= step < len(node.children):
            return None
        child = node.children[step]
        return Place(child, child, place.alias)
    if node.kind != MAPPING:
        return None
    return _entry(node, step, place.alias)


def _entry(mapping: Node, name: str, alias: Node | None) -> Place | None:
    found: Place | None = None
    for position in range(0, len(mapping.children), 2):
        key, value = mapping.children[position], mapping.children[position + 1]
        if is_merge(key):
            for source in value.children if value.kind == SEQUENCE else [value]:
                target = source.target if source.kind == ALIAS else source
                if target is not None and target.kind == MAPPING:
                    inner = _entry(target, name, alias or (source if source.kind == ALIAS else None))
                    if inner is not None:
                        found = inner
                        break
        elif key_text(own_key(key)) == name:
            found = Place(value, key, alias)
    return found
