"""Advice about a value that the schema refuses: what to write instead. Nothing here changes a verdict."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.hints import Advice, about_null, field_at, is_sure
from jobset_compiler.admission.number_hints import for_integer, for_quantity
from jobset_compiler.admission.rules.name import NAME, advise_name, advised
from jobset_compiler.diagnostics.fix import quote, replace
from jobset_compiler.diagnostics.place import value_at
from jobset_compiler.diagnostics.redaction import is_credential
from jobset_compiler.dialects.wishes import MPI_HYDRA
from jobset_compiler.emit.json import compact
from jobset_compiler.source.scalars import resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.structural import FieldError
    from jobset_compiler.kube.table import Field
    from jobset_compiler.profiles import Profile
    from jobset_compiler.source.document import Document

TRAIN_JOB = "TrainJob"
NUM_PROC_PER_NODE = ("spec", "trainer", "numProcPerNode")
INTEGERS = ("int", "int32", "int64")
PLAIN_NAME = re.compile(r"[A-Za-z][\w.-]*")
# What only a shell understands.
SHELL = re.compile(r"[|&;<>$`*?~]")
# (field, value in small letters): the value that an extension admits, and the extension.
BY_EXTENSION = {("mpiImplementation", "intel"): ("Intel", MPI_HYDRA), ("mpiImplementation", "mpich"): ("MPICH", MPI_HYDRA)}
# How a message ends that is about a value which nobody wrote.
NULL = ': "null"'
# And one about a value of metadata that is to be a text.
TEXT = "of type string"
NAMESPACE = ("metadata", "namespace")
GENERATE_NAME = ("metadata", "generateName")
LABELS = (("metadata", "labels"),)
LABEL_MAPS = (*LABELS, ("metadata", "annotations"))
SHAPES = {"struct": "a mapping (key: value)", "map": "a mapping (key: value)", "list": "a list (- item)"}


def advise_value(error: FieldError, document: Document, kind: str, profile: Profile, renamed: Mapping[Path, str] | None = None) -> Advice:
    """What to write at the place of an error; nothing where the message says it all.

    renamed: fields that are there under another name, which is told already.
    """
    field = field_at(profile.types(), kind, error.path)
    value = value_at(document.value, error.path)
    if error.kind == "FieldValueRequired" and renamed:
        for length in range(1, len(error.path) + 1):
            if error.path[:length] in renamed:
                return Advice(f"{error.path[length - 1]} is probably what {renamed[error.path[:length]]} is meant to be")
    if error.kind == "FieldValueRequired" and error.message.startswith("name or generateName"):
        return Advice("add metadata.name")
    if error.kind == "FieldValueRequired":
        return Advice(f"add {error.path[-1]}" if error.path and error.path[-1] != "name" else "")
    if error.kind == "Decode":
        held = value_at(document.value, error.place)
        if error.place in LABEL_MAPS:
            return Advice(_for_mapping(str(error.place[-1]), held))
        if not error.message.endswith(TEXT):
            return Advice("")
        return _quoted(held, document, error.place) if isinstance(held, (bool, int, float)) else Advice(f"{error.place[-1]} is a single value")
    if error.kind == "FieldValueNotSupported":
        return _near_choice(value, field, error)
    if error.kind == "FieldValueDuplicate" and error.shown == "{}":
        return Advice("it follows from what is missing in both: the key")
    if error.kind == "FieldValueDuplicate":
        return Advice("keep one of the two: a key may occur once in this list")
    if kind == TRAIN_JOB and (is_about_the_name(error) or (error.path == NAME and isinstance(value, str))):
        name = str(value_at(document.value, NAME))
        return Advice(_placeholder(name) or advise_name(name))
    if error.path in LABELS:
        held = _placeholder(value_at(document.value, error.place)) or _placeholder(error.place[-1])
        return Advice(held or "letters, digits, dashes, underscores and points only, at most 63; other text goes into annotations")
    if error.path in (NAMESPACE, GENERATE_NAME) and isinstance(value, str):
        better = advised(value) + "-" * (error.path == GENERATE_NAME)
        return Advice(_placeholder(value) or f"write {better}: lower case letters, digits and dashes")
    if error.path[-1:] == ("storageUri",) and isinstance(value, str) and "://" not in value:
        return Advice(f"write hf://{value} for the Hugging Face hub; other places have their own scheme, such as s3://" if value.count("/") == 1 else "")
    if error.kind == "FieldValueInvalid" and error.message.endswith("immutable"):
        return Advice("it cannot change after creation, not even while suspended: give the new object another name, or delete the old one first")
    if value is None and error.message.endswith(NULL):
        holder = value_at(document.value, error.path[:-1])
        if isinstance(holder, dict) and error.path[-1] not in holder:
            return Advice(about_null(field, error.path))
        return _quoted(value, document, error.path) if field is not None and field.kind == "string" else Advice("")
    return Advice(_placeholder(value)) or (Advice("") if field is None else _for_type(value, field, document, error, profile))


def is_about_the_name(error: FieldError) -> bool:
    """Whether a rule of the whole object is about its name: rules cannot have metadata.name for their place."""
    return not error.path and error.message.startswith("metadata.name must ")


def _placeholder(value: Any) -> str:
    from jobset_compiler.source.syntax import stands_for_something

    if isinstance(value, list) and len(value) == 1 and value[0] == "...":
        return stands_for_something("[...]")
    return stands_for_something(value) if isinstance(value, str) else ""


def _near_choice(value: Any, field: Field | None, error: FieldError) -> Advice:
    path = error.path
    admitted, extension = BY_EXTENSION.get((str(path[-1]), value.lower()), ("", "")) if path and isinstance(value, str) else ("", "")
    if extension and f'"{admitted}"' in error.message:  # it is on
        return Advice(f"write {admitted}: case counts", (replace(path, admitted, safe=True),))
    if extension:
        return Advice(f"--extension {extension} renders {admitted}, which no release does")
    choices = [choice for choice in (field.constraints.get("enum", ()) if field else ()) if choice]
    same = [choice for choice in choices if isinstance(value, str) and choice.lower() == value.lower()]
    if same:
        return Advice(f"write {same[0]}: case counts", (replace(path, same[0], safe=True),))
    from difflib import get_close_matches

    near = get_close_matches(str(value), choices, 1)
    return Advice(f"did you mean {near[0]}?", (replace(path, near[0], safe=is_sure(str(value), near[0])),)) if near else Advice("")


def _for_type(value: Any, field: Field, document: Document, error: FieldError, profile: Profile) -> Advice:
    if field.kind in INTEGERS and error.path == NUM_PROC_PER_NODE and value in ("auto", "gpu"):
        what = "auto is what the torch policy does without it" if value == "auto" else "where GPUs are asked for, each of them gets a process"
        return Advice(f"leave it out: {what}; this release takes a number only")
    if field.kind in INTEGERS and error.path == NUM_PROC_PER_NODE and value == "cpu":
        return Advice("write the number of CPUs: this release takes a number only")
    if field.kind in INTEGERS or field.kind == "IntOrString":
        return for_integer(value, field.kind, error.path)
    if field.kind == "string" and isinstance(value, (bool, int, float)):
        return _quoted(value, document, error.path)
    if field.kind == "bool":
        if isinstance(value, str) and value.lower() in ("true", "false"):
            return Advice(f"write {value.lower()} without quotes", (replace(error.path, value.lower(), safe=True, bare=True),))
        return Advice("write true or false")
    if field.kind == "Quantity" and isinstance(value, dict) and len(value) == 1:
        ((name, amount),) = value.items()
        return Advice("" if isinstance(amount, (dict, list)) else f"the name is one word: write {error.path[-1]}/{name}: {_json(amount)}")
    if field.kind == "Quantity":
        return for_quantity(value, error.path)
    return _for_words(value, field, error.path) or Advice(_for_shape(value, field))


def _quoted(value: float | None, document: Document, path: Path) -> Advice:
    start, end = document.offsets(path)
    written = document.text[start:end] or _json(value)
    taken = "nothing" if value is None else "a boolean" if isinstance(value, bool) else "a number"
    return Advice(f'put it in quotes: "{written}" (YAML takes it for {taken})', (quote(path),))


def _for_words(value: Any, field: Field, path: Path) -> Advice:
    """A text where a list or a mapping is meant, or the other way round, as far as that is mechanical."""
    if field.kind == "struct" and isinstance(value, str) and "name" in field.struct.fields and PLAIN_NAME.fullmatch(value):
        meant = f"{{name: {value if resolve(value) == value else compact(value)}}}"
        return Advice(f"{field.name or 'each item'} is {SHAPES[field.kind]}: write {meant}", (replace(path, meant, safe=True, bare=True),))
    if field.kind == "struct" and isinstance(value, str) and value in field.struct.fields and field.struct.fields[value].kind == "struct":
        meant = f"{{{value}: {{}}}}"
        return Advice(f"{field.name or 'each item'} is {SHAPES[field.kind]}: write {meant}", (replace(path, meant, safe=True, bare=True),))
    if field.kind == "string" and isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return Advice(f"{field.name or 'each item'} is a single value: write it without the list")
    if field.kind == "list" and path[-1] in ("command", "args") and isinstance(value, str) and "\n" not in value:
        words = in_shell(value) if SHELL.search(value) else taken_apart(value)
        return Advice(f"{field.name} is a list: write {compact(words)}", (replace(path, compact(words), safe=False, bare=True),)) if words else Advice("")
    return Advice("")


def in_shell(line: str) -> list[str]:
    return ["sh", "-c", line]


def taken_apart(line: str) -> list[str]:
    """The words that a shell would make of a line; none where it could not."""
    import shlex

    try:
        return shlex.split(line)
    except ValueError:
        return []


def _for_mapping(name: str, value: Any) -> str:
    """Texts where a mapping is meant: `- team=ml`, `- team: ml`."""
    item = value[0] if isinstance(value, list) and value else value
    if isinstance(item, str) and "=" in item:
        key, _, text = item.partition("=")
        return f"{name} is a mapping: write {key}: {text}, without the dash" if item is not value else f"{name} is a mapping: write {{{key}: {text}}}"
    return f"{name} is {SHAPES['map']}" + (": write it without the dash" if isinstance(value, list) else "")


def _for_shape(value: Any, field: Field) -> str:
    if field.kind in ("struct", "map") and isinstance(value, list):
        return f"{field.name or 'each item'} is {SHAPES[field.kind]}: write it without the dash"
    if field.kind == "struct" and isinstance(value, str) and field.type_name == "core.EnvVar" and "=" in value:
        name, _, text = value.partition("=")
        return f'each item is {SHAPES["struct"]}: write {{name: {name}, value: "{_shown(name, text)}"}}'
    if field.kind == "string" and isinstance(value, (dict, list)):
        return f"{field.name or 'each item'} is a single value"
    if field.kind == "list" and isinstance(value, str) and field.elem is not None and field.elem.type_name == "core.EnvVar" and "=" in value:
        name, _, text = value.partition("=")
        return f'{field.name} is {SHAPES["list"]}: write - {{name: {name}, value: "{_shown(name, text)}"}}'
    if field.kind in SHAPES and not isinstance(value, (dict, list)):
        return f"{field.name or 'each item'} is {SHAPES[field.kind]}"
    if field.kind == "list" and isinstance(value, dict) and field.elem is not None and field.elem.type_name == "core.EnvVar" and "name" not in value:
        name, text = next(iter(value.items()), ("NAME", ""))
        if not isinstance(text, (dict, list)):
            return f"{field.name} is a list: write - {{name: {name}, value: {_shown(name, _json(text))}}}"
    if field.kind == "list" and isinstance(value, dict):
        return f"{field.name} is a list: put `- ` before the item"
    return ""


def _shown(name: object, text: str) -> str:
    """The value of a variable, as far as it may be shown."""
    return "..." if is_credential(name) else text


def _json(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
