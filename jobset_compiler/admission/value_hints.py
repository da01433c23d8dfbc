"""Advice about a value that the schema refuses: what to write instead. Nothing here changes a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.hints import Advice, field_at, is_sure
from jobset_compiler.admission.rules.name import NAME, advise_name
from jobset_compiler.diagnostics.fix import quote, replace
from jobset_compiler.kube.quantity import QuantityError, from_json

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.structural import Finding
    from jobset_compiler.kube.table import Field
    from jobset_compiler.profiles import Profile
    from jobset_compiler.source.document import Document

TRAIN_JOB = "TrainJob"
INTEGERS = ("int", "int32", "int64")
LONGEST_INTEGER = 24
SHAPES = {"struct": "a mapping (key: value)", "map": "a mapping (key: value)", "list": "a list (- item)"}


def advise_value(finding: Finding, document: Document, kind: str, profile: Profile) -> Advice:
    """What to write at the place of a finding; nothing where the message says it all."""
    field = field_at(profile.types(), kind, finding.path)
    value = _value_at(document.value, finding.path)
    if finding.kind == "FieldValueRequired" and finding.message.startswith("name or generateName"):
        return Advice("add metadata.name")
    if finding.kind == "FieldValueRequired":
        return Advice(f"add {finding.path[-1]}" if finding.path and finding.path[-1] != "name" else "")
    if finding.kind == "Decode":
        held = _value_at(document.value, finding.place)
        return _quoted(held, document, finding.place) if isinstance(held, (bool, int, float)) else Advice("")
    if finding.kind == "FieldValueNotSupported":
        return _near_choice(value, field, finding.path)
    if finding.kind == "FieldValueDuplicate":
        return Advice("keep one of the two: a key may occur once in this list")
    if kind == TRAIN_JOB and (is_about_the_name(finding) or (finding.path == NAME and isinstance(value, str))):
        name = str(_value_at(document.value, NAME))
        return Advice(_placeholder(name) or advise_name(name))
    if finding.kind == "FieldValueInvalid" and finding.message.endswith("immutable"):
        return Advice("it cannot change after creation, not even while suspended: give the new object another name, or delete the old one first")
    return Advice(_placeholder(value)) or (Advice("") if field is None else _for_type(value, field, document, finding))


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


def _near_choice(value: Any, field: Field | None, path: Path) -> Advice:
    choices = [choice for choice in (field.constraints.get("enum", ()) if field else ()) if choice]
    same = [choice for choice in choices if isinstance(value, str) and choice.lower() == value.lower()]
    if same:
        return Advice(f"write {same[0]}: case counts", (replace(path, same[0], safe=True),))
    from difflib import get_close_matches

    near = get_close_matches(str(value), choices, 1)
    return Advice(f"did you mean {near[0]}?", (replace(path, near[0], safe=is_sure(str(value), near[0])),)) if near else Advice("")


def _for_type(value: Any, field: Field, document: Document, finding: Finding) -> Advice:
    if field.kind in INTEGERS or field.kind == "IntOrString":
        return _for_integer(value, finding.path)
    if field.kind == "string" and isinstance(value, (bool, int, float)):
        return _quoted(value, document, finding.path)
    if field.kind == "bool":
        if isinstance(value, str) and value.lower() in ("true", "false"):
            return Advice(f"write {value.lower()} without quotes", (replace(finding.path, value.lower(), safe=True, bare=True),))
        return Advice("write true or false")
    if field.kind == "Quantity":
        return _for_quantity(value, finding.path)
    return Advice(_for_shape(value, field))


def _quoted(value: float, document: Document, path: Path) -> Advice:
    start, end = document.offsets(path)
    written = document.text[start:end] or _json(value)
    why = " (YAML takes it for a boolean)" if isinstance(value, bool) else " (YAML takes it for a number)"
    return Advice(f'put it in quotes: "{written}"{why}', (quote(path),))


def _for_shape(value: Any, field: Field) -> str:
    if field.kind == "struct" and isinstance(value, str) and "name" in field.struct.fields:
        return f"{field.name or 'each item'} is {SHAPES[field.kind]}: write {{name: {value}}}"
    if field.kind == "struct" and isinstance(value, list):
        return f"{field.name or 'each item'} is {SHAPES[field.kind]}: write it without the dash"
    if field.kind in SHAPES and not isinstance(value, (dict, list)):
        return f"{field.name or 'each item'} is {SHAPES[field.kind]}"
    if field.kind == "list" and isinstance(value, dict) and field.elem is not None and field.elem.type_name == "core.EnvVar" and "name" not in value:
        name, text = next(iter(value.items()), ("NAME", ""))
        if not isinstance(text, (dict, list)):
            return f"{field.name} is a list: write - {{name: {name}, value: {_json(text)}}}"
    if field.kind == "list" and isinstance(value, dict):
        return f"{field.name} is a list: put `- ` before the item"
    return ""


def _is_integer(text: str) -> bool:
    digits = text.strip()
    return digits[digits[:1] in ("+", "-") :].isdecimal()


def _for_integer(value: Any, path: Path) -> Advice:
    if isinstance(value, str) and len(value) <= LONGEST_INTEGER and value.isascii() and _is_integer(value):
        return Advice(f"write {int(value)} without quotes", (replace(path, str(int(value)), safe=True, bare=True),))
    return Advice("write a whole number" if isinstance(value, float) else "")


def _for_quantity(value: Any, path: Path) -> Advice:
    if isinstance(value, float) and "/" in str(path[-1]):
        return Advice("devices are counted in whole numbers: write 1, or the resource of a share or a slice, such as nvidia.com/mig-1g.5gb")
    if isinstance(value, float):
        return Advice(f'write it in quotes: "{_json(value)}"', (quote(path),))
    if not isinstance(value, str):
        return Advice("")
    for wrong, right in (("GB", "G"), ("MB", "M"), ("KB", "k"), ("K", "k"), ("gb", "G"), ("mb", "M"), ("g", "G"), ("gi", "Gi"), ("mi", "Mi"), ("B", "")):
        if value.endswith(wrong):
            candidate = value[: -len(wrong)].rstrip() + right
            if _is_quantity(candidate):
                hint = f"did you mean {candidate}?" + (f" ({candidate}i is the binary unit)" if right in ("G", "M") else "")
                return Advice(hint, (replace(path, candidate, safe=True),))
    if " " in value:
        closed = value.replace(" ", "")
        return Advice("a quantity has no blanks: 16Gi, 500m, 4", (replace(path, closed, safe=True),) if _is_quantity(closed) else ())
    return Advice("a quantity is a number with a unit: 16Gi, 500m, 4")


def _is_quantity(text: str) -> bool:
    try:
        from_json(text)
    except QuantityError:
        return False
    return True


def _json(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
