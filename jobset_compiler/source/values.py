"""Nodes to a JSON value, by every rule of go-yaml v2, and what Go's JSON then makes of it.

Two steps, as in `sigs.k8s.io/yaml`: go-yaml makes maps whose keys may be of any type, of equal keys the last one counts; what is left
then becomes JSON. So a number or a key that JSON does not have is no fault where a later value takes its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.source.faults import RefusedError, TextFault
from jobset_compiler.source.limits import MAX_DEPTH
from jobset_compiler.source.nodes import AliasNode, MappingNode, ScalarNode, SequenceNode, is_merge, key_value, scalar_value, target_of
from jobset_compiler.source.scalars import is_finite, through_json
from jobset_compiler.source.tags import key_text
from jobset_compiler.source.typography import curly_quote, odd_blank_in_scalar

if TYPE_CHECKING:
    from jobset_compiler.source.nodes import Node
    from jobset_compiler.source.scalars import Scalar


class Decoded(NamedTuple):
    """A value and what was found on the way; where there is a `fault` the server could not read it, and there is no value."""

    value: Any
    remarks: tuple[TextFault, ...] = ()
    fault: TextFault | None = None


def decode(root: Node) -> Decoded:
    """The JSON value of a node, or the first thing for which the server could not read it."""
    decoder = _Decoder()
    try:
        value = decoder.decode(root)
        decoder.refuse_excessive_aliasing(root, decoder.alias_steps)
    except RefusedError as refused:
        return Decoded(None, (), refused.fault)
    except RecursionError:  # the caller has used up nearly all of Python's stack
        return Decoded(None, (), TextFault("too-deep", "document is nested too deeply", 0, 1))
    fault = _first_unfit(value) if decoder.has_unfit else None
    return Decoded(None, (), fault) if fault else Decoded(value, tuple(decoder.remarks))


class _Unfit:
    """Stands in a value for something that has no JSON form."""

    __slots__ = ("fault",)

    def __init__(self, fault: TextFault) -> None:
        self.fault = fault


class _Decoder:
    def __init__(self) -> None:
        self.remarks: list[TextFault] = []
        self.has_unfit = False
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
        if isinstance(node, ScalarNode):
            self.height = 0
            return self.scalar(node)
        if isinstance(node, AliasNode):
            return self.follow(node)
        self.descend(node)
        if isinstance(node, SequenceNode):
            items: list[Any] = []
            height = 0
            for child in node.children:
                items.append(self.decode(child))
                height = max(height, self.height)
            self.height = height + 1
            self.level -= 1
            return items
        assert isinstance(node, MappingNode)
        entries = _Entries()
        self.fill(node, entries, merged=False)
        self.height = entries.height + 1
        self.level -= 1
        return entries.as_json()

    def scalar(self, node: ScalarNode) -> Any:
        value = scalar_value(node)
        if type(value) is str:
            if node.plain and not value.isascii():
                self.look_at(node)
            return value
        if isinstance(value, TextFault):
            raise RefusedError(value)
        if is_finite(value):
            return through_json(value)
        word = {"inf": "+Inf", "-inf": "-Inf"}.get(str(value), "NaN")
        hint = "JSON has no such number; put quotes around it if it is text."
        return self.unfit(TextFault("bad-number", f"json: unsupported value: {word}", node.start, node.end, hint))

    def look_at(self, node: ScalarNode) -> None:
        """Says so of letters outside ASCII that are probably meant as blanks or quotes."""
        from jobset_compiler.source.mending import INVISIBLE, curly_quotes, instead

        is_one_line = node.end - node.start == len(node.text)
        hint = curly_quote(node.text)
        if hint:
            mendings = curly_quotes(node.text, 0, len(node.text), at=node.start) if is_one_line else ()
            self.remarks.append(TextFault("curly-quotes", f"{node.text[0]} is part of the text", node.start, node.start + 1, hint, mendings=mendings))
        odd = odd_blank_in_scalar(node.text)
        if odd is not None:
            position, character = node.start + odd.position, node.text[odd.position]
            mendings = instead("write an ordinary blank", position, position + 1, "" if character in INVISIBLE else " ") if is_one_line else ()
            self.remarks.append(TextFault("odd-blank", f"U+{ord(character):04X} is part of the text", position, position + 1, odd.hint, mendings=mendings))

    def unfit(self, fault: TextFault) -> _Unfit:
        self.has_unfit = True
        return _Unfit(fault)

    def descend(self, node: Node, levels: int = 1) -> None:
        self.level += levels
        if self.level > MAX_DEPTH:
            raise RefusedError(TextFault("too-deep", f"document is nested more than {MAX_DEPTH} levels deep", node.start, node.end))

    def follow(self, alias: AliasNode) -> Any:
        target = alias.target
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

    def enter(self, alias: AliasNode, target: Node) -> int:
        if id(target) in self.open_targets or target.start <= alias.start < target.end:
            raise RefusedError(TextFault("alias-cycle", f"anchor '{alias.name}' value contains itself", alias.start, alias.end))
        if not self.open_targets:
            self.alias_began = self.steps
        self.open_targets.add(id(target))
        return self.steps

    def leave(self, alias: AliasNode, target: Node) -> None:
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
            raise RefusedError(TextFault("alias-bomb", "document contains excessive aliasing", node.start, node.end, hint))

    def fill(self, mapping: MappingNode, entries: _Entries, *, merged: bool) -> None:
        """Sets the mapping's entries in the order of the text: a merge overrides the keys before it."""
        children = mapping.children
        for position in range(0, len(children), 2):
            key, value = children[position], children[position + 1]
            if is_merge(key):
                self.merge(value, entries)
                continue
            self.steps += 2 if isinstance(key, AliasNode) else 1
            name = key_value(key)
            if isinstance(name, TextFault):
                raise RefusedError(name)
            if isinstance(key, ScalarNode) and key.plain and not key.text.isascii():
                self.look_at(key)
            fault = entries.claim(name, key, merged)
            if fault is not None:
                self.remarks.append(fault)
            item = self.decode(value)
            if type(name) is str:
                entries.members[name] = item
            else:
                entries.members[type(name), name] = self.unfit(_no_key(key, name)) if key_text(name) is None else item
            if self.height > entries.height:
                entries.height = self.height

    def merge(self, node: Node, entries: _Entries) -> None:
        self.descend(node)
        # The first of several sources has the last word.
        for source in reversed(node.children) if isinstance(node, SequenceNode) else (node,):
            mapping = target_of(source)
            if not isinstance(mapping, MappingNode):
                message = "map merge requires map or sequence of maps as the value"
                raise RefusedError(TextFault("bad-merge", message, source.start, source.end))
            self.steps += 1
            if isinstance(source, AliasNode):
                self.enter(source, mapping)
                self.steps += 1
            self.fill(mapping, entries, merged=True)
            if isinstance(source, AliasNode):
                self.leave(source, mapping)
        self.level -= 1


class _Entries:
    """A mapping while it is filled. `members` is Go's map: its keys are told apart by their types too, so that those that are no strings
    stand with theirs. `texts` is made when there is the first of these.
    """

    __slots__ = ("height", "keys", "members", "texts")

    def __init__(self) -> None:
        self.members: dict[Any, Any] = {}
        self.keys: dict[Any, tuple[Node, bool]] = {}
        self.texts: set[str | None] | None = None
        self.height = 0

    def claim(self, name: Scalar, key: Node, merged: bool) -> TextFault | None:
        """Takes note of a key; what is to be said about it if it was there before, or if it becomes the text of another."""
        is_text = type(name) is str
        identity = name if is_text else (type(name), name)
        earlier = self.keys.get(identity)
        self.keys[identity] = (key, merged)
        if earlier is None and is_text and self.texts is None:
            return None
        text = name if isinstance(name, str) else key_text(name)
        if earlier is not None:
            slug = "merge-override" if merged or earlier[1] else "duplicate-key"
            shown = f'"{name}"' if is_text else text
            return TextFault(slug, f"key {shown} already set in map", key.start, key.end, "", earlier[0].start)
        if self.texts is None:
            self.texts = set(self.members)
        if text is None or text not in self.texts:
            self.texts.add(text)
            return None
        message = f'two keys become "{text}" in JSON, and the server keeps either of them'
        return TextFault("colliding-keys", message, key.start, key.end, "Remove one of them.")

    def as_json(self) -> dict[str, Any]:
        """With texts for keys; a key that has none is left as it is, and its value is unfit."""
        if self.texts is None:
            return self.members
        return {_json_key(identity): value for identity, value in self.members.items()}


def _json_key(identity: Any) -> Any:
    if isinstance(identity, str):
        return identity
    text = key_text(identity[1])
    return identity if text is None else text


def _no_key(key: Node, name: Scalar) -> TextFault:
    kind = "<nil>" if name is None else "uint64"
    node = target_of(key)
    text = node.text if isinstance(node, ScalarNode) else ""
    hint = f'Put quotes around the key: "{text}".' if text else "Something is missing before the colon."
    return TextFault("bad-key", f"unsupported map key of type: {kind}", key.start, key.end, hint)


def _first_unfit(value: Any) -> TextFault | None:
    """The first thing in a value that has no JSON form: keys before numbers, as Go comes upon them."""
    found: list[TextFault] = []
    seen: set[int] = set()  # aliases share their values
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, _Unfit):
            found.append(item.fault)
        elif isinstance(item, (dict, list)) and id(item) not in seen:
            seen.add(id(item))
            pending += item.values() if isinstance(item, dict) else item
    return min(found, key=lambda fault: (fault.slug, fault.start), default=None)
