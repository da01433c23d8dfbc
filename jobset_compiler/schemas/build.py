"""From the type table to a JSON Schema.

Nulls: the API server drops a null where a field is not required, so the schema allows it there. In the definitions
an object may be null; where it may not (required fields, list items), `type: object` stands beside the reference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.kube.structural.nodes import QUANTITY_PATTERN
from jobset_compiler.schemas import metadata, rules
from jobset_compiler.schemas.descriptions import description, examples
from jobset_compiler.schemas.kinds import KINDS

if TYPE_CHECKING:
    from jobset_compiler.kube.table import Field, TypeTable

DRAFT = "https://json-schema.org/draft/2020-12/schema"
INTEGERS = {"int32": 31, "int64": 63, "int": 63}
# RFC 3339 as the server takes it; editors without format checks still see the pattern.
DATE_TIME_PATTERN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"
QUANTITY_EXAMPLES = ["500m", "16Gi", 8]
COPIED = ("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum", "minProperties", "pattern")


class Builder:
    """Collects the definitions that a schema refers to."""

    def __init__(self, table: TypeTable, strict: bool) -> None:
        self.table = table
        self.strict = strict
        self.definitions: dict[str, dict[str, Any]] = {}

    def root(self, kind: str, release: str) -> dict[str, Any]:
        struct_name, api_version = KINDS[kind]
        body = self.struct(struct_name, nullable=False)
        properties: dict[str, Any] = {
            "apiVersion": {"const": api_version, "description": description("root", "apiVersion")},
            "kind": {"const": kind, "description": description("root", "kind")},
            "metadata": {**metadata.root_reference(self.table.root_rules(struct_name)), "description": description("root", "metadata")},
        }
        self.definitions["meta.ObjectMeta"] = self.struct("meta.ObjectMeta") | metadata.ROOT_KEYWORDS
        metadata.refine(self.definitions["meta.ObjectMeta"]["properties"])
        properties |= {name: schema for name, schema in body.pop("properties").items() if name not in properties}
        body["required"] = ["apiVersion", "kind", "metadata", *(name for name in body.get("required", ()))]
        return {
            "$schema": DRAFT,
            "$id": f"urn:jobset-compiler:schema:{release}:{kind.lower()}",
            **body,
            "title": f"{kind} (Kubeflow Trainer {release})",
            "description": description("kinds", kind),
            "properties": properties,
            "examples": examples("kinds", kind),
            "$defs": dict(sorted(self.definitions.items())),
        }

    def struct(self, name: str, *, nullable: bool = True) -> dict[str, Any]:
        struct = self.table.struct(name)
        # Editors show the description of the definition rather than the one beside a reference, which says more.
        out: dict[str, Any] = {"title": name.partition(".")[2], "type": ["object", "null"] if nullable else "object"}
        out["properties"] = {field.name: self.field(name, field) for field in struct.fields.values()}
        required = [field.name for field in struct.fields.values() if field.required and not field.has_default]
        if required:
            out["required"] = required
        if self.strict:
            out["additionalProperties"] = False
        return out

    def field(self, owner: str, field: Field) -> dict[str, Any]:
        schema = self.value(field, nullable=field.has_default or not field.required)
        for name, _ in field.constraints.get("rules", ()):
            schema = rules.with_rule(schema, name, field)
        text = description(owner, field.name) or description(field.type_name)
        if text:
            schema["description"] = text
        if field.has_default:
            schema["default"] = field.default
        shown = examples(owner, field.name)
        if shown:
            schema["examples"] = shown
        return schema

    def value(self, field: Field, *, nullable: bool) -> dict[str, Any]:
        schema = self.typed(field, nullable)
        schema |= {keyword: field.constraints[keyword] for keyword in COPIED if keyword in field.constraints}
        if "minProperties" in field.constraints:
            schema["not"] = {"type": "object", "additionalProperties": {"type": "null"}}  # a null is as good as no property
        choices = field.constraints.get("enum")
        if choices:
            schema["enum"] = [*choices, None] if nullable else list(choices)
        return schema

    def typed(self, field: Field, nullable: bool) -> dict[str, Any]:
        kind = field.kind
        if kind == "struct":
            return self.reference(field.type_name, nullable)
        if kind == "list":
            return self.list(field, nullable)
        if kind == "map":
            assert field.elem is not None
            return {"type": types("object", nullable), "additionalProperties": self.element(field.elem, nullable=True)}
        if kind in INTEGERS:
            bits = INTEGERS[kind]
            return {"type": types("integer", nullable), "format": f"int{bits + 1}", **limits(bits)}
        if kind == "IntOrString":
            return {"type": types("integer", nullable, "string"), "x-kubernetes-int-or-string": True, **limits(31)}
        if kind == "Quantity":
            return {"type": types("integer", nullable, "string"), "pattern": QUANTITY_PATTERN, **limits(63), "examples": QUANTITY_EXAMPLES}
        if kind == "Time":
            schema: dict[str, Any] = {"type": types("string", nullable)}
            return schema | ({"format": "date-time", "pattern": DATE_TIME_PATTERN} if field.constraints.get("format") == "date-time" else {})
        if kind == "FieldsV1":
            return {"type": types("object", nullable)}
        return {"type": types({"bool": "boolean", "float64": "number"}.get(kind, "string"), nullable)}

    def reference(self, name: str, nullable: bool) -> dict[str, Any]:
        if name not in self.definitions:
            self.definitions[name] = self.struct(name)
        reference: dict[str, Any] = {"$ref": f"#/$defs/{name}"}
        return reference if nullable else {"type": "object", **reference}

    def list(self, field: Field, nullable: bool) -> dict[str, Any]:
        assert field.elem is not None
        schema: dict[str, Any] = {"type": types("array", nullable), "items": self.element(field.elem, nullable=False)}
        kind = field.constraints.get("list")
        if kind:
            # JSON Schema has no word for "no two items with the same key"; equal items it can tell.
            schema |= {"uniqueItems": True, "x-kubernetes-list-type": kind}
            if kind == "map":
                schema["x-kubernetes-list-map-keys"] = list(field.constraints["keys"])
        return schema

    def element(self, field: Field, *, nullable: bool) -> dict[str, Any]:
        schema = self.value(field, nullable=nullable)
        for name, _ in field.constraints.get("rules", ()):
            schema = rules.with_rule(schema, name, field)
        text = description(field.type_name)
        if text:
            schema["description"] = text
        return schema


def limits(bits: int) -> dict[str, int]:
    return {"minimum": -(2**bits), "maximum": 2**bits - 1}


def types(name: str, nullable: bool, *more: str) -> str | list[str]:
    names = [name, *more, *(["null"] if nullable else [])]
    return names if len(names) > 1 else name
