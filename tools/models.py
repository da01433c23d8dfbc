"""Write `jobset_compiler/models/v2_*.py`, the pydantic models of each release, from the type tables and the descriptions.

    python tools/models.py            # write them
    python tools/models.py --check    # exit status 1 if a file is not up to date

The newest release is written whole, every older one as the classes that differ from the next newer one in themselves or
in something below them; the rest it imports. What models have in common is written by hand in `jobset_compiler/models/base.py`.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import sys
import textwrap
from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.models import base
from jobset_compiler.profiles import PROFILES
from jobset_compiler.schemas import KINDS
from jobset_compiler.schemas.descriptions import description

if TYPE_CHECKING:
    from jobset_compiler.kube.table import Field, TypeTable

MODELS = pathlib.Path(__file__).resolve().parent.parent / "jobset_compiler" / "models"
SCALARS = {
    "string": "str",
    "bool": "Bool",
    "int": "Int64",
    "int32": "Int32",
    "int64": "Int64",
    "IntOrString": "IntOrString",
    "Quantity": "Quantity",
    "Time": "Time",
    "FieldsV1": "dict[str, Any]",
}
LIMITS = {
    "minimum": "ge",
    "maximum": "le",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_length",
    "maxItems": "max_length",
    "pattern": "pattern",
}
# batch has a type of the same name as jobset.
NAMES = {"batch.SuccessPolicy": "JobSuccessPolicy", "batch.SuccessPolicyRule": "JobSuccessPolicyRule"}
PACKAGES = ("meta", "core", "autoscaling", "batch", "jobset", "volcano", "trainer")
BASE_NAMES = ("Bool", "Int32", "Int64", "IntOrString", "Map", "Model", "ObjectModel", "Quantity", "Time", "rule", "unique_by", "unique_items")
CLUSTER_SCOPED = ("ClusterTrainingRuntime",)
WIDTH = 140


class Model(NamedTuple):
    """A class to write: the structs it refers to, and its text."""

    name: str
    below: tuple[str, ...]
    text: str


class Release:
    """The models of one release by struct name, those below first."""

    def __init__(self, table: TypeTable) -> None:
        self.table = table
        self.models: dict[str, Model] = {}
        self.below: list[str] = []
        for kind, (struct, _) in KINDS.items():
            self.visit(struct, kind)

    def visit(self, struct: str, kind: str = "") -> None:
        key = kind or struct
        if key in self.models:
            return
        below = [leaf(field).type_name for field in self.table.struct(struct).fields.values() if leaf(field).kind == "struct"]
        if kind:
            below = [name for name in below if name != "meta.ObjectMeta"]
            self.visit("meta.ObjectMeta")
        for name in below:
            self.visit(name)
        if kind:
            below.insert(0, "meta.ObjectMeta")
        self.models[key] = Model(key if kind else class_name(struct), tuple(dict.fromkeys(below)), self.text(struct, kind))

    def text(self, struct: str, kind: str) -> str:
        name = kind or class_name(struct)
        about = description("kinds", kind) if kind else description(struct)
        lines = [f"class {name}({'ObjectModel' if kind else 'Model'}):"]
        body: list[str] = []
        if about:
            body += [docstring(about), ""]
        if kind:
            body += self.head(struct, kind)
        for field in self.table.struct(struct).fields.values():
            if not (kind and field.name in ("apiVersion", "kind", "metadata")):
                body += attribute(struct, field)
        while body and not body[-1]:
            body.pop()
        return "\n".join(lines + [f"    {line}" if line else "" for line in body or ["pass"]])

    def head(self, struct: str, kind: str) -> list[str]:
        out = []
        if kind in CLUSTER_SCOPED:
            out.append("NAMESPACED = False")
        if self.table.root_rules(struct):
            out += ["RULES = (", *(f"    ({quoted(name)}, {quoted(message)})," for name, message in self.table.root_rules(struct)), ")"]
        if out:
            out.append("")
        version = KINDS[kind][1]
        return [
            *out,
            f"api_version: Literal[{quoted(version)}] = {quoted(version)}",
            f"kind: Literal[{quoted(kind)}] = {quoted(kind)}",
            "metadata: ObjectMeta",
        ]


def leaf(field: Field) -> Field:
    while field.elem is not None:
        field = field.elem
    return field


def class_name(struct: str) -> str:
    return NAMES.get(struct) or struct.partition(".")[2]


def attribute_name(name: str) -> str:
    """numNodes is num_nodes; names with acronyms stand in `models/base.py`."""
    for attribute, json_name in base.SPELLINGS.items():
        if json_name == name:
            return attribute
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    assert base.json_name(snake) == name, f"add the spelling of {name} to models/base.py"
    return snake


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def docstring(text: str) -> str:
    return f'"""{text}"""'


def annotation(field: Field) -> str:
    """The type of a field with everything that the table says about its values."""
    inner, notes = bare_type(field), []
    limits = {LIMITS[key]: field.constraints[key] for key in LIMITS if key in field.constraints}
    if limits:
        notes.append("Field(" + ", ".join(f"{key}={quoted(value) if isinstance(value, str) else value}" for key, value in limits.items()) + ")")
    if field.constraints.get("list") == "map":
        notes.append(unique(field))
    elif field.constraints.get("list") == "set":
        notes.append("unique_items")
    notes += [f"rule({quoted(name)}, {quoted(message)})" for name, message in field.constraints.get("rules", ()) if name != "immutable"]
    if field.constraints.get("minProperties"):
        notes.append("not_empty")
    return f"Annotated[{', '.join([inner, *notes])}]" if notes else inner


def bare_type(field: Field) -> str:
    if field.constraints.get("enum"):
        return f"Literal[{', '.join(map(quoted, field.constraints['enum']))}]"
    if field.kind == "struct":
        return class_name(field.type_name)
    if field.elem is not None:
        return f"{'list' if field.kind == 'list' else 'Map'}[{annotation(field.elem)}]"
    return SCALARS[field.kind]


def unique(field: Field) -> str:
    """List-map keys; a key that the server fills in counts with its default."""
    assert field.elem is not None
    known = field.elem.struct.fields
    plain = [quoted(attribute_name(key)) for key in field.constraints["keys"] if not known[key].default]
    filled = [f"{attribute_name(key)}={quoted(known[key].default)}" for key in field.constraints["keys"] if known[key].default]
    return f"unique_by({', '.join(plain + filled)})"


def attribute(struct: str, field: Field) -> list[str]:
    is_required = field.required and not field.has_default
    name = attribute_name(field.name)
    text = description(struct, field.name)
    if field.has_default and field.default != "":
        text = f"{text} The server's default: {field.default if isinstance(field.default, str) else json.dumps(field.default)}.".strip()
    kind = annotation(field) if is_required else f"{annotation(field)} | None"
    if not text:
        return [f"{name}: {kind}" if is_required else f"{name}: {kind} = None"]
    arguments = [] if is_required else ["default=None"]
    line = f"{name}: {kind} = Field({', '.join([*arguments, f'description={quoted(text)}'])})"
    if len(line) <= WIDTH:
        return [line]
    parts = [quoted(part) for part in textwrap.wrap(text, WIDTH - 20, drop_whitespace=False)]
    last = [f"    description={parts[0]}", *(f"    {part}" for part in parts[1:])]
    last[-1] += ","
    return [f"{name}: {kind} = Field(", *(f"    {argument}," for argument in arguments), *last, ")"]


def same(name: str, old: Release, new: Release) -> bool:
    """Whether a model and everything below it is the same in both releases."""
    if name not in old.models or name not in new.models or old.models[name] != new.models[name]:
        return False
    return all(same(below, old, new) for below in old.models[name].below)


def module_text(release: str, own: list[Model], imported: dict[str, list[str]], newer: str) -> str:
    body = "\n\n\n".join(model.text for model in own)
    title = f"Models of Kubeflow Trainer {release}" + (f": what differs from {newer}" if newer else "") + "."
    used = [name for name in BASE_NAMES if re.search(rf"\b{name}\b", body)]
    if "not_empty" in body:
        used.append("not_empty")
    lines = [docstring_block(title, "Generated by `tools/models.py` from the type table and the descriptions; do not edit."), ""]
    lines += ["# ruff: noqa: E501", "", "from __future__ import annotations", ""]
    typing = [name for name in ("Annotated", "Any", "Literal") if re.search(rf"\b{name}\b", body)]
    lines += [f"from typing import {', '.join(typing)}", "", "from pydantic import Field", ""]
    lines += [f"from jobset_compiler.models.base import {', '.join(sorted(used, key=sort_key))}"]
    for module, names in sorted(imported.items()):
        lines += [f"from jobset_compiler.models.{module} import (", *(f"    {name}," for name in sorted(names, key=sort_key)), ")"]
    names = sorted([model.name for model in own] + [name for names in imported.values() for name in names])
    lines += ["", "__all__ = [", *(f"    {quoted(name)}," for name in names), "]", "", "", body, ""]
    return "\n".join(lines)


def docstring_block(title: str, rest: str) -> str:
    return f'"""{title}\n\n{rest}\n"""'


def sort_key(name: str) -> tuple[int, str]:
    """ruff's order of imported names: classes before functions."""
    return (0 if name[0].isupper() else 1), name.lower()


def module_of(release: str) -> str:
    return release.replace(".", "_")


def files() -> dict[pathlib.Path, str]:
    """Every generated module with the text that it should have."""
    out: dict[pathlib.Path, str] = {}
    # Where a struct of the release before (the next newer one) is defined.
    home: dict[str, str] = {}
    newer: Release | None = None
    newer_name = ""
    for profile in reversed(PROFILES):
        release = Release(profile.types())
        shared = {name for name in release.models if newer is not None and same(name, release, newer)}
        own = [model for name, model in sorted(release.models.items(), key=lambda item: package_order(item[0])) if name not in shared]
        imported: dict[str, list[str]] = {}
        for name in shared:
            imported.setdefault(home[name], []).append(release.models[name].name)
        out[MODELS / f"{module_of(profile.name)}.py"] = module_text(profile.name, own, imported, newer_name)
        home = {name: home[name] if name in shared else module_of(profile.name) for name in release.models}
        newer, newer_name = release, profile.name
    return out


def package_order(name: str) -> int:
    """Packages from the bottom up; whole objects last. Within a package the order of the walk is kept, those below first."""
    package, dot, _ = name.partition(".")
    return PACKAGES.index(package) if dot else len(PACKAGES)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write the pydantic models.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is not up to date")
    check = parser.parse_args(arguments).check
    stale = [(path, text) for path, text in files().items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    for path, text in stale:
        print(f"{path.name} is not up to date" if check else path.name)
        if not check:
            path.write_text(text, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
