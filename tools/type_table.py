"""Write the type tables `jobset_compiler/kube/tables/` from the facts of `upstream/`.

    python tools/type_table.py            # write them
    python tools/type_table.py --check    # exit status 1 if a file is not up to date

The facts are, per release, the Go struct fields in order (JSON name, type, omitempty, patch strategy and merge key) and what the
CRD schemas add (required, defaults, enums, limits, list keys, CEL rules). The first release is written whole, every later one as
the types that differ from the one before, so that a release's table reads as the list of what that release changed, and a new
release changes no table but its own.

The row format is described in `jobset_compiler/kube/table.py`, which reads it.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
from typing import Any

import facts

# Of a row, beside its indentation and comma.
WIDTH = 160 - 9
TABLES = pathlib.Path(__file__).resolve().parent.parent / "jobset_compiler" / "kube" / "tables"
PACKAGES = {
    "core/v1": "core",
    "batch/v1": "batch",
    "meta/v1": "meta",
    "autoscaling/v2": "autoscaling",
    "jobset/v1alpha2": "jobset",
    "trainer/v1alpha1": "trainer",
    "scheduler-plugins/scheduling/v1alpha1": "coscheduling",
    "volcano/scheduling/v1beta1": "volcano",
}
ROOTS = {
    "TrainJob": "trainer/v1alpha1.TrainJob",
    "TrainingRuntime": "trainer/v1alpha1.TrainingRuntime",
    "JobSet": "jobset/v1alpha2.JobSet",
}
# The fields that a CRD keeps of metadata inside a template (controller-gen's embedded object metadata).
EMBEDDED_METADATA = ("name", "namespace", "labels", "annotations", "finalizers")
# What each CEL rule is about; the predicates stand in jobset_compiler/admission/cel.py under these names, their words of JSON Schema in schemas/rules.py.
RULES = {
    "self == oldSelf": "immutable",
    "StartupPolicy and DependsOn": "in-order-excludes-depends-on",
    "namespace cannot be set": "claim-template-without-namespace",
    "storageUri may be empty": "storage-uri",
    "ManagedBy must be": "managed-by",
    "lastUpdatedTime is required": "last-updated-time-required",
    "must match RFC 1035": "name-is-dns-1035",
    "no more than 63": "name-length",
    "NumProcPerNode must be equal": "torch-num-proc-per-node",
    "NumProcPerNode in fluxPolicy": "at-least-one",
    "NumProcPerNode in mpiPolicy": "at-least-one",
    "numProcPerNode must be greater": "at-least-one",
    "containerNames must not include": "not-the-node-container",
    "Only one of the policy": "one-policy",
    "numNodes should not be set": "num-nodes-excludes-elastic-policy",
    "storageUri": "storage-uri",
}
NAME_IT = (
    "name it in RULES of tools/type_table.py, write what it asks in PREDICATES of jobset_compiler/admission/cel.py, "
    "and what JSON Schema can say of it in KEYWORDS of jobset_compiler/schemas/rules.py"
)
CONSTRAINTS = {
    "default": "default",
    "enum": "enum",
    "minimum": "minimum",
    "maximum": "maximum",
    "minLength": "minLength",
    "maxLength": "maxLength",
    "minItems": "minItems",
    "maxItems": "maxItems",
    "minProperties": "minProperties",
    "format": "format",
}
QUANTITY_PATTERN = "^(\\+|-)?(([0-9]+"


def short(name: str) -> str:
    package, _, base = name.rpartition(".")
    return f"{PACKAGES.get(package) or package.split('/')[0]}.{base}"


class Release:
    """The facts of one release, joined: each field of a Go type with what the CRDs say of it."""

    def __init__(self, name: str) -> None:
        self.go: dict[str, list[dict[str, Any]]] = facts.load(name, facts.TYPES)["types"]
        self.schemas: dict[str, Any] = facts.load(name, facts.CRDS)["schemas"]
        self.constraints: dict[tuple[str, str], dict[str, Any]] = {}
        self.self_rules: dict[str, tuple[Any, ...]] = {}
        self.absent: dict[tuple[str, str], set[str]] = {}
        for kind, root in ROOTS.items():
            self.walk_struct(root, self.schemas[kind], root=kind)

    def fields(self, name: str) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []
        for field in self.go[name]:
            out.extend(self.fields(field["type"][1:]) if field.get("inline") else [field])
        return out

    def walk_struct(self, name: str, schema: dict[str, Any], root: str | None = None) -> None:
        if root:
            rules = rule_names(schema)
            if rules:
                self.self_rules[short(name)] = rules
        properties = schema.get("properties", {})
        for field in self.fields(name):
            key = field["json"]
            if key in properties and not (root and key == "metadata"):
                sub = properties[key]
                found = constraint(sub)
                if key in schema.get("required", []):
                    found["required"] = True
                known = self.constraints.setdefault((name, key), found)
                # The transition rule on a patch's securityContext belongs to that field alone and is recorded there.
                assert known == found, (name, key, known, found)
                self.walk(field["type"], sub)

    def walk(self, type_: Any, schema: dict[str, Any]) -> None:
        if isinstance(type_, str):
            if type_.startswith("#"):
                name = type_[1:]
                if name != "meta/v1.ObjectMeta":
                    self.walk_struct(name, schema)
        elif "list" in type_:
            self.walk(type_["list"], schema.get("items", {}))
        elif "map" in type_:
            self.walk(type_["map"], schema.get("additionalProperties", {}))

    def type_text(self, type_: Any, top: bool) -> str:
        if isinstance(type_, str):
            if not type_.startswith("#"):
                return type_
            if type_ == "#meta/v1.ObjectMeta" and not top:
                return "meta.EmbeddedObjectMeta"
            return short(type_[1:])
        if "list" in type_:
            return "[]" + self.type_text(type_["list"], False)
        if "map" in type_:
            return "{}" + self.type_text(type_["map"], False)
        return str(type_["scalar"])

    def rows(self, name: str) -> tuple[Any, ...]:
        top = name in {"batch/v1.Job", "core/v1.ConfigMap", "core/v1.Secret", "core/v1.Service", *ROOTS.values()} or name.endswith(
            (".PodGroup", ".ClusterTrainingRuntime")
        )
        out = []
        for field in self.fields(name):
            omit = "omitempty" if field.get("omitempty") else ""
            if field.get("omitzero"):
                omit = "omitzero"
            extra = dict(self.constraints.get((name, field["json"]), {}))
            if "patchMergeKey" in field:
                extra["merge"] = field["patchMergeKey"]
            elif "patchStrategy" in field and "merge" in field["patchStrategy"]:
                extra["merge"] = ""
            if "retainKeys" in field.get("patchStrategy", ""):
                extra["retainKeys"] = True
            text = ("*" if field.get("ptr") else "") + self.type_text(field["type"], top)
            out.append((field["json"], text, omit, extra) if extra else (field["json"], text, omit))
        return tuple(out)

    def table(self) -> dict[str, tuple[Any, ...]]:
        table = {short(name): self.rows(name) for name in sorted(self.go) if name != "meta/v1.TypeMeta"}
        table["meta.EmbeddedObjectMeta"] = tuple(
            row for row in table["meta.ObjectMeta"] if row[0] in EMBEDDED_METADATA
        )
        return dict(sorted(table.items()))


def rule_names(schema: dict[str, Any]) -> tuple[Any, ...]:
    out = []
    for rule in schema.get("x-kubernetes-validations", []):
        slug = slug_of(rule)
        if slug is None:
            sys.exit(f"type_table: a rule that we do not know: {rule['rule']!r} ({rule['message']}); {NAME_IT}")
        out.append((slug, rule["message"]))
    return tuple(out)


def slug_of(rule: dict[str, str]) -> str | None:
    """The name in RULES of a rule of a CRD; None for one that has none yet."""
    text = rule["rule"] if rule["rule"] in RULES else rule["message"]
    return next((slug for part, slug in RULES.items() if part in text), None)


def constraint(schema: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, name in CONSTRAINTS.items():
        if key in schema:
            value = schema[key]
            out[name] = tuple(value) if isinstance(value, list) else value
    if out.get("format") in ("int32", "int64"):
        del out["format"]  # follows from the Go type
    pattern = schema.get("pattern", "")
    if pattern and not pattern.startswith(QUANTITY_PATTERN):
        out["pattern"] = pattern
    kind = schema.get("x-kubernetes-list-type")
    if kind in ("map", "set"):
        out["list"] = kind
    if kind == "map":
        out["keys"] = tuple(schema["x-kubernetes-list-map-keys"])
    if schema.get("x-kubernetes-map-type") == "atomic":
        out["atomic"] = True
    rules = rule_names(schema)
    if rules:
        out["rules"] = rules
    for key in ("items", "additionalProperties"):
        element = schema.get(key)
        if isinstance(element, dict):
            inner = constraint(element)
            inner.pop("keys", None)
            if inner:
                out["item"] = inner
    return out


def literal(value: Any) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)


def row_text(row: tuple[Any, ...]) -> str:
    parts = [json.dumps(part) for part in row[:3]]
    if len(row) > 3:
        parts.append("{" + ", ".join(f"{json.dumps(k)}: {python(v)}" for k, v in row[3].items()) + "}")
    return "(" + ", ".join(parts) + ")"


def python(value: Any) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(python(v) for v in value) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {python(v)}" for k, v in value.items()) + "}"
    return literal(value)


def module_text(release: str, before: str | None, table: dict[str, Any], old: dict[str, Any], rules: Any, old_rules: Any) -> str:
    """The module of a release: what differs from the one before."""
    changed = {name: rows for name, rows in table.items() if old.get(name) != rows}
    gone = [name for name in old if name not in table]
    title = f"Types of Kubeflow Trainer {release}, the JobSet release it pins and the Kubernetes API types below them"
    lines = [f'"""{title}{"" if not before else f": what differs from {before}"}.', ""]
    lines += ["Generated by `tools/type_table.py`; the row format is described in `jobset_compiler/kube/table.py`.", '"""', ""]
    is_wide = any(len(row_text(row)) > WIDTH for rows in changed.values() for row in rows)
    lines += ["from __future__ import annotations", "", *(["# ruff: noqa: E501"] if is_wide else []), "from typing import Any", ""]
    module = before.replace(".", "_") if before else ""
    if before:
        lines += [f"from jobset_compiler.kube.tables import {module} as before", ""]
    lines += ["TYPES: dict[str, tuple[tuple[Any, ...], ...]] = {"]
    if before:
        lines += ["    **before.TYPES,"]
    for name, rows in changed.items():
        if not rows:
            lines.append(f"    {json.dumps(name)}: (),")
            continue
        lines.append(f"    {json.dumps(name)}: (")
        lines += [f"        {row_text(row)}," for row in rows]
        lines.append("    ),")
    lines += ["}"]
    for name in gone:
        lines.append(f"del TYPES[{json.dumps(name)}]")
    lines += ["", "# Rules on a whole object: (name of the predicate, message)."]
    if before and rules == old_rules:
        lines.append("ROOT_RULES = before.ROOT_RULES")
    else:
        lines.append(f"ROOT_RULES: dict[str, tuple[tuple[str, str], ...]] = {python(rules)}")
    return "\n".join(lines) + "\n"


def modules() -> dict[pathlib.Path, str]:
    """Every generated module with the text that it should have."""
    out: dict[pathlib.Path, str] = {}
    before: str | None = None
    old: dict[str, Any] = {}
    old_rules: dict[str, Any] = {}
    for name in facts.releases():
        release = Release(name)
        table = release.table()
        out[TABLES / f"{name.replace('.', '_')}.py"] = module_text(name, before, table, old, release.self_rules, old_rules)
        before, old, old_rules = name, table, release.self_rules
    return out


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write the type tables.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is not up to date")
    check = parser.parse_args(arguments).check
    wanted = modules()
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    stale += [path for path in TABLES.glob("[vn]*.py") if path not in wanted]
    for path in stale:
        print(f"{path.name} is not up to date" if check else path.name)
        if not check and path in wanted:
            path.write_text(wanted[path], encoding="utf-8")
        elif not check:
            path.unlink()
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
