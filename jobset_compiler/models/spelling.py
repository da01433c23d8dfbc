"""How the types of the table are spelled in Python: names of classes and attributes, and types as a signature shows them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.kube.table import Field

# Before a capital that follows a small letter or digit, and before the last capital of an acronym that a word follows; "WWNs" is one word.
BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s$)")
# batch has types of the same names as jobset.
CLASS_NAMES = {"batch.SuccessPolicy": "JobSuccessPolicy", "batch.SuccessPolicyRule": "JobSuccessPolicyRule"}
SCALARS = {
    "string": "str",
    "bool": "bool",
    "int": "int",
    "int32": "int",
    "int64": "int",
    "IntOrString": "int | str",
    "Quantity": "int | str",
    "Time": "str",
    "FieldsV1": "dict[str, Any]",
}


def attribute_name(json_name: str) -> str:
    """num_nodes for numNodes, host_ipc for hostIPC, enable_dns_hostnames for enableDNSHostnames."""
    return BOUNDARY.sub("_", json_name).lower()


def class_name(struct: str) -> str:
    """Trainer for trainer.Trainer."""
    return CLASS_NAMES.get(struct) or struct.partition(".")[2]


def is_optional(field: Field) -> bool:
    """Whether it may be left out: what the server fills in need not be said."""
    return field.has_default or not field.required


def shown_type(field: Field, names: Callable[[str], str] = class_name) -> str:
    """The type of a field's value, without what the table says about limits: `list[EnvVar]`. `names` gives the class of a struct."""
    choices = field.constraints.get("enum")
    if choices:
        return f"Literal[{', '.join(json.dumps(choice) for choice in choices)}]"
    if field.kind == "struct":
        return names(field.type_name)
    if field.elem is not None:
        return f"{'list[' if field.kind == 'list' else 'dict[str, '}{shown_type(field.elem, names)}]"
    return SCALARS[field.kind]
