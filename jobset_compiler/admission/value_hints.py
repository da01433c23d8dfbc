"""Advice about a value that the schema refuses: what to write instead. Nothing here changes a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.hints import field_at
from jobset_compiler.kube.quantity import QuantityError, from_json

if TYPE_CHECKING:
    from jobset_compiler.kube.structural import Finding
    from jobset_compiler.kube.table import Field
    from jobset_compiler.profiles import Profile
    from jobset_compiler.source.document import Document

INTEGERS = ("int", "int32", "int64")
LONGEST_NAME = 63
LONGEST_INTEGER = 24
SHAPES = {"struct": "a mapping (key: value)", "map": "a mapping (key: value)", "list": "a list (- item)"}


def hint_for_value(finding: Finding, document: Document, kind: str, profile: Profile) -> str:
    """What to write at the place of a finding; empty where the message says it all."""
    field = field_at(profile.types(), kind, finding.path)
    value = _value_at(document.value, finding.path)
    if finding.kind == "FieldValueRequired":
        return f"add {finding.path[-1]}" if finding.path and finding.path[-1] != "name" else ""
    if finding.kind == "FieldValueNotSupported":
        return _near_choice(value, field)
    if finding.kind == "FieldValueDuplicate":
        return "keep one of the two: a key may occur once in this list"
    if is_about_the_name(finding):
        over = len(str(_value_at(document.value, ("metadata", "name")))) - LONGEST_NAME
        if over > 0:
            return f"cut {over} character{'' if over == 1 else 's'} off; names of Jobs and pods leave less room: see `explain --names`"
        return "write lower case letters, digits and dashes, with a letter first and no dash last"
    if finding.kind == "FieldValueInvalid" and finding.message.endswith("immutable"):
        return "it cannot change after creation, not even while suspended: give the new object another name, or delete the old one first"
    return _placeholder(value) or (_for_type(value, field, document, finding) if field is not None else "")


def is_about_the_name(finding: Finding) -> bool:
    """Whether a rule of the whole object is about its name: rules cannot have metadata.name for their place."""
    return not finding.path and finding.message.startswith("metadata.name must ")


def _value_at(tree: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        try:
            tree = tree[step]
        except (KeyError, IndexError, TypeError):
            return None
    return tree


def _placeholder(value: Any) -> str:
    from jobset_compiler.source.syntax import stands_for_something

    if isinstance(value, list) and len(value) == 1 and value[0] == "...":
        return stands_for_something("[...]")
    return stands_for_something(value) if isinstance(value, str) else ""


def _near_choice(value: Any, field: Field | None) -> str:
    choices = [choice for choice in (field.constraints.get("enum", ()) if field else ()) if choice]
    same = [choice for choice in choices if isinstance(value, str) and choice.lower() == value.lower()]
    if same:
        return f"write {same[0]}: case counts"
    from difflib import get_close_matches

    near = get_close_matches(str(value), choices, 1)
    return f"did you mean {near[0]}?" if near else ""


def _for_type(value: Any, field: Field, document: Document, finding: Finding) -> str:
    if field.kind in INTEGERS or field.kind == "IntOrString":
        return _for_integer(value)
    if field.kind == "string" and isinstance(value, (bool, int, float)):
        start, end = document.offsets(finding.path)
        written = document.text[start:end] or _json(value)
        why = " (YAML takes it for a boolean)" if isinstance(value, bool) else " (YAML takes it for a number)"
        return f'put it in quotes: "{written}"{why}'
    if field.kind == "bool":
        return f"write {value.lower()} without quotes" if isinstance(value, str) and value.lower() in ("true", "false") else "write true or false"
    if field.kind == "Quantity":
        return _for_quantity(value)
    if field.kind == "struct" and isinstance(value, str) and "name" in field.struct.fields:
        return f"{field.name or 'each item'} is {SHAPES[field.kind]}: write {{name: {value}}}"
    if field.kind in SHAPES and not isinstance(value, (dict, list)):
        return f"{field.name or 'each item'} is {SHAPES[field.kind]}"
    if field.kind == "list" and isinstance(value, dict):
        return f"{field.name} is a list: put `- ` before the item"
    return ""


def _is_integer(text: str) -> bool:
    digits = text.strip()
    return digits[digits[:1] in ("+", "-") :].isdecimal()


def _for_integer(value: Any) -> str:
    if isinstance(value, str) and len(value) <= LONGEST_INTEGER and value.isascii() and _is_integer(value):
        return f"write {int(value)} without quotes"
    if isinstance(value, float):
        return "write a whole number"
    return ""


def _for_quantity(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    for wrong, right in (("GB", "G"), ("MB", "M"), ("KB", "k"), ("K", "k"), ("gb", "G"), ("mb", "M"), ("g", "G"), ("gi", "Gi"), ("mi", "Mi"), ("B", "")):
        if value.endswith(wrong):
            candidate = value[: -len(wrong)].rstrip() + right
            try:
                from_json(candidate)
            except QuantityError:
                continue
            return f"did you mean {candidate}?" + (f" ({candidate}i is the binary unit)" if right in ("G", "M") else "")
    if " " in value:
        return "a quantity has no blanks: 16Gi, 500m, 4"
    return "a quantity is a number with a unit: 16Gi, 500m, 4"


def _json(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
