"""What the API server asks of the metadata of a new object, as JSON Schema keywords; `kube/names.py` is the exact form.

Source: k8s.io/apimachinery, pkg/api/validation/objectmeta.go and pkg/util/validation/validation.go.
"""

from __future__ import annotations

from typing import Any

LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
SUBDOMAIN = rf"{LABEL}(\.{LABEL})*"
NAME_PART = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
QUALIFIED_NAME = f"^({SUBDOMAIN}/)?{NAME_PART}$"
# Annotation keys are lowered before they are checked.
ANNOTATION_KEY = QUALIFIED_NAME.replace("a-z0-9", "A-Za-z0-9")
LABEL_VALUE = f"^({NAME_PART})?$"
NOT_EMPTY = {"type": "string", "minLength": 1}

# A name or the start of one.
ROOT_KEYWORDS: dict[str, Any] = {
    "anyOf": [
        {"required": ["name"], "properties": {"name": NOT_EMPTY}},
        {"required": ["generateName"], "properties": {"generateName": NOT_EMPTY}},
    ]
}
NAME_RULES: dict[str, dict[str, Any]] = {
    "name-is-dns-1035": {"pattern": "^([a-z]([-a-z0-9]*[a-z0-9])?)?$"},
    "name-length": {"maxLength": 63},
}


def root_reference(root_rules: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """The reference of a root object to its metadata, with the CEL rules on its name."""
    name: dict[str, Any] = {}
    for rule, _ in root_rules:
        name |= NAME_RULES[rule]
    return {"type": "object", "$ref": "#/$defs/meta.ObjectMeta"} | ({"properties": {"name": name}} if name else {})


def refine(properties: dict[str, Any]) -> None:
    """Add the rules on names, labels and annotations to the properties of the object metadata."""
    properties["name"] |= {"maxLength": 253, "pattern": f"^({SUBDOMAIN})?$"}
    properties["generateName"] |= {"maxLength": 253, "pattern": r"^([a-z0-9]([-a-z0-9.]*))?$"}
    properties["namespace"] |= {"maxLength": 63, "pattern": f"^({LABEL})?$"}
    properties["labels"] |= {
        "propertyNames": {"pattern": QUALIFIED_NAME},
        "additionalProperties": {"type": ["string", "null"], "pattern": LABEL_VALUE},
    }
    properties["annotations"] |= {"propertyNames": {"pattern": ANNOTATION_KEY}}
    properties["finalizers"]["items"] |= {"pattern": QUALIFIED_NAME}
