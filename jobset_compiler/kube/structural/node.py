"""The schema as objects that walk a value: prune, fill in defaults and check, in one pass.

A node stands for a place of the schema: a field, list element or map value. `walk` returns the value as the server would store it: the
very same object where nothing changes, a changed copy of the containers on the way where something does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.kube.structural.errors import PendingRule
from jobset_compiler.kube.structural.walk import path_of

if TYPE_CHECKING:
    from jobset_compiler.kube.structural.walk import Trail, Walk
    from jobset_compiler.kube.table import Field

SCHEMA_TYPES = {
    "string": "string", "bool": "boolean", "int": "integer", "int32": "integer", "int64": "integer", "float64": "number",
    "bytes": "string", "Time": "string", "struct": "object", "list": "array", "map": "object",
    "IntOrString": "", "Quantity": "",
}  # fmt: skip


class SchemaNode:
    """A place of the schema. `plain` is the Python type whose values need no look at all; None where there is none."""

    __slots__ = ("constraints", "default", "enum", "has_default", "plain", "rules", "schema_format", "schema_type")

    plain: type | None

    def __init__(self, field: Field) -> None:
        self.constraints = field.constraints
        self.has_default = field.has_default
        self.default = field.default
        self.enum: tuple[Any, ...] = field.constraints.get("enum", ())
        self.schema_type = SCHEMA_TYPES[field.kind]
        self.schema_format: str = field.kind if field.kind in ("int32", "int64") else field.constraints.get("format", "")
        # Transition rules compare with an old object; see admission/cel.py.
        self.rules = tuple(rule for rule in field.constraints.get("rules", ()) if rule[0] != "immutable")
        self.plain = None

    def walk(self, value: Any, trail: Trail, out: Walk) -> Any:
        """The value as stored; errors, pruned fields and rules to evaluate go to `out`."""
        raise NotImplementedError

    def remember_rules(self, value: Any, trail: Trail, out: Walk) -> None:
        out.rules.append(PendingRule(self.rules, path_of(trail), self.schema_type, value))
