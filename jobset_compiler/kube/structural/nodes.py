"""The kinds of nodes; each is made from the type table when a document first reaches its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.kube.structural import misfit
from jobset_compiler.kube.structural.lists import check_list_map, check_set
from jobset_compiler.kube.structural.node import SchemaNode
from jobset_compiler.kube.table import Field, Struct, TypeTable

if TYPE_CHECKING:
    from jobset_compiler.kube.structural.walk import Trail, Walk

QUANTITY_PATTERN = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)
# A whole number beyond these is a float to the server.
LEAST, GREATEST = -(2**63), 2**63 - 1
VALUE_RULES = frozenset({"enum", "minLength", "maxLength", "pattern", "format"})


class TextNode(SchemaNode):
    """A string, or a boolean without further rules."""

    __slots__ = ("has_format", "has_value_rules", "least", "most", "python_type")

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        self.python_type: type[Any] = bool if field.kind == "bool" else str
        self.has_value_rules = not VALUE_RULES.isdisjoint(field.constraints)
        self.has_format = "format" in field.constraints or "pattern" in field.constraints
        self.least: int = field.constraints.get("minLength", 0)
        self.most: int = field.constraints.get("maxLength", GREATEST)
        if not self.rules and not self.has_value_rules:
            self.plain = self.python_type

    def walk(self, value: Any, trail: Trail, out: Walk) -> Any:
        if type(value) is not self.python_type:
            return misfit.refuse_type(self, value, trail, out)
        if self.has_value_rules and (
            self.has_format or not self.least <= len(value) <= self.most or (self.enum and value not in self.enum)
        ):
            misfit.check_text(self, value, trail, out)
        if self.rules:
            self.remember_rules(value, trail, out)
        return value


class NumberNode(SchemaNode):
    """An integer or a number. That an int32 is in range is for the Go type to say, not for the schema."""

    __slots__ = ("has_limits",)

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        self.has_limits = "minimum" in field.constraints or "maximum" in field.constraints

    def walk(self, value: Any, trail: Trail, out: Walk) -> Any:
        if type(value) is not int or not LEAST <= value <= GREATEST:
            value = misfit.refuse_type(self, value, trail, out)
            if isinstance(value, bool) or not isinstance(value, int | float):
                return value
        if self.has_limits:
            misfit.check_number(self, value, trail, out)
        if self.rules:
            self.remember_rules(value, trail, out)
        return value


class IntOrStringNode(SchemaNode):
    """An int-or-string; a quantity is one with a pattern for its texts."""

    __slots__ = ("is_quantity",)

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        self.is_quantity = field.kind == "Quantity"

    def walk(self, value: Any, trail: Trail, out: Walk) -> Any:
        if type(value) is str:
            if self.is_quantity:
                self.check_quantity(value, trail, out)
        elif type(value) is not int or not LEAST <= value <= GREATEST:
            value = misfit.refuse_type(self, value, trail, out)
        if self.rules:
            self.remember_rules(value, trail, out)
        return value

    def check_quantity(self, text: str, trail: Trail, out: Walk) -> None:
        if text.isdigit() and text.isascii():
            return
        from jobset_compiler.kube.quantity_text import matches_schema

        if not matches_schema(text):
            out.invalid(trail, f"should match '{QUANTITY_PATTERN}'", text)


class OpaqueNode(SchemaNode):
    """apiVersion, kind and metadata of a whole object, which the server treats apart."""

    __slots__ = ()

    def walk(self, value: Any, trail: Trail, out: Walk) -> Any:
        return value


class ListNode(SchemaNode):
    __slots__ = ("_nodes", "elem", "elem_field", "keys", "kind", "most")

    def __init__(self, field: Field, nodes: Nodes) -> None:
        super().__init__(field)
        assert field.elem is not None
        self._nodes = nodes
        self.elem_field = field.elem
        self.elem: SchemaNode | None = None
        self.kind: str = field.constraints.get("list", "")
        self.keys: tuple[str, ...] = field.constraints.get("keys", ())
        self.most: int | None = field.constraints.get("maxItems")

    def walk(self, value: Any, trail: Trail, out: Walk) -> Any:
        if type(value) is not list:
            return misfit.refuse_type(self, value, trail, out)
        elem = self.elem
        if elem is None:
            elem = self.elem = self._nodes.make(self.elem_field)
        plain, walk, changed = elem.plain, elem.walk, None
        for index, item in enumerate(value):
            if type(item) is plain:
                continue
            kept = walk(item, (trail, index), out)
            if kept is not item:
                if changed is None:
                    changed = list(value)
                changed[index] = kept
        if changed is not None:
            value = changed
        if self.kind:
            if self.kind == "map":
                check_list_map(self.keys, value, trail, out)
            elif len(value) > 1:
                check_set(value, trail, out)
        if self.most is not None and len(value) > self.most:
            out.refuse(trail, "FieldValueTooMany", f"must have at most {self.most} items", len(value))
        if "minItems" in self.constraints and len(value) < self.constraints["minItems"]:
            out.invalid(trail, f"should have at least {self.constraints['minItems']} items", len(value))
        if self.rules:
            self.remember_rules(value, trail, out)
        return value


class MapNode(SchemaNode):
    __slots__ = ("_nodes", "elem", "elem_field")

    def __init__(self, field: Field, nodes: Nodes) -> None:
        super().__init__(field)
        assert field.elem is not None
        self._nodes = nodes
        self.elem_field = field.elem
        self.elem: SchemaNode | None = None

    def walk(self, value: Any, trail: Trail, out: Walk) -> Any:
        if type(value) is not dict:
            return misfit.refuse_type(self, value, trail, out)
        elem = self.elem
        if elem is None:
            elem = self.elem = self._nodes.make(self.elem_field)
        plain, walk, changed = elem.plain, elem.walk, None
        for key, item in value.items():
            if type(item) is plain:
                continue
            if item is None and out.drops_nulls:
                if changed is None:
                    changed = dict(value)
                del changed[key]
                continue
            kept = walk(item, (trail, key), out)
            if kept is not item:
                if changed is None:
                    changed = dict(value)
                changed[key] = kept
        return value if changed is None else changed


class StructNode(SchemaNode):
    """An object with known fields; the nodes of its fields are made when a document first has them."""

    __slots__ = ("_nodes", "defaults", "field", "fields", "least", "required", "struct")

    def __init__(self, field: Field, nodes: Nodes) -> None:
        super().__init__(field)
        self._nodes = nodes
        self.field = field
        self.least: int = field.constraints.get("minProperties", 0)
        self.struct: Struct | None = None
        self.fields: dict[str, SchemaNode] = {}
        self.defaults: tuple[tuple[str, Any], ...] = ()
        self.required: tuple[str, ...] = ()

    def learn(self) -> None:
        """Look up the struct, on the first walk: most of the types below a pod are never used.

        `struct` is set last, since another thread takes it for a sign that the rest is there.
        """
        struct = self.field.struct
        self.defaults = tuple((name, field.default) for name, field in struct.fields.items() if field.has_default)
        self.required = struct.required
        self.struct = struct

    def walk(self, value: Any, trail: Trail, out: Walk) -> Any:
        if type(value) is not dict:
            return misfit.refuse_type(self, value, trail, out)
        if self.struct is None:
            self.learn()
        fields, changed = self.fields, None
        for key, item in value.items():
            node = fields.get(key)
            if node is None:
                node = self.meet(key)
                if node is None:
                    out.prune((trail, key))
                    if changed is None:
                        changed = dict(value)
                    del changed[key]
                    continue
            if type(item) is node.plain:
                continue
            if item is None and (out.drops_nulls or node.has_default) and not isinstance(node, OpaqueNode):
                if changed is None:
                    changed = dict(value)
                del changed[key]  # a default is filled in below
                continue
            kept = node.walk(item, (trail, key), out)
            if kept is not item:
                if changed is None:
                    changed = dict(value)
                changed[key] = kept
        for name, default in self.defaults:
            if name not in value or value[name] is None:
                if changed is None:
                    changed = dict(value)
                changed[name] = default  # defaults satisfy the rules on them
        if changed is not None:
            value = changed
        for name in self.required:
            if name not in value:
                out.refuse((trail, name), "FieldValueRequired", "")
        if self.least and len(value) < self.least:
            out.invalid(trail, f"should have at least {self.least} properties", len(value))
        if self.rules:
            self.remember_rules(value, trail, out)
        return value

    def meet(self, key: str) -> SchemaNode | None:
        """The node of a field, made on first sight; None for a field that the schema does not know."""
        node = self.fields.get(key)
        if node is None and self.struct is not None and key in self.struct.fields:
            node = self.fields[key] = self._nodes.make(self.struct.fields[key])
        return node


class Nodes:
    """Makes the nodes of one type table. Threads share them: two may make a node for one place at once, which are alike, and no node is
    found before it is whole."""

    __slots__ = ("_roots", "_table")

    def __init__(self, table: TypeTable) -> None:
        self._table = table
        self._roots: dict[str, StructNode] = {}

    def root(self, name: str) -> StructNode:
        """The node of a whole object (`trainer.TrainJob`): its type and object metadata are passed through."""
        node = self._roots.get(name)
        if node is None:
            field = Field(self._table, "", name, "", {"rules": self._table.root_rules(name)})
            node = StructNode(field, self)
            node.learn()
            for key, child in self._table.struct(name).fields.items():
                if key in ("apiVersion", "kind", "metadata"):
                    node.fields[key] = OpaqueNode(child)
            self._roots[name] = node  # when it is whole: other threads find it here
        return node

    def make(self, field: Field) -> SchemaNode:
        kind = field.kind
        if kind == "struct":
            return StructNode(field, self)
        if kind == "list":
            return ListNode(field, self)
        if kind == "map":
            return MapNode(field, self)
        if kind in ("int32", "int64", "int", "float64"):
            return NumberNode(field)
        if kind in ("Quantity", "IntOrString"):
            return IntOrStringNode(field)
        return TextNode(field)
