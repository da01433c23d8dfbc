"""Server-side apply of the JobSet: what cannot be read into the typed form of the schema, before anything is defaulted.

Source: typed.FromUnstructured and its validating walk in sigs.k8s.io/structured-merge-diff (typed/validate.go,
typed/helpers.go), on the types that the API server makes of JobSet's schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.profiles import features
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.table import Field, Struct
    from jobset_compiler.profiles import Profile

Tree = dict[str, Any]
SCALARS = frozenset({"string", "bool", "int", "int32", "int64", "float64", "Quantity", "IntOrString", "Time", "bytes", "FieldsV1"})
# Fields of the type table that JobSet's schema of a release lacks: the feature, the struct, the field.
UNDECLARED = ((features.SCHEDULING_GROUP_UNDECLARED, "core.PodSpec", "schedulingGroup"),)


class ApplyProblem(Value):
    """`where` is the path as apply writes it (`.spec.replicatedJobs[name="node"]`); `key` of a duplicate: its key fields as text."""

    __slots__ = ("key", "message", "path", "where")

    def __init__(self, path: Path, where: str, message: str, key: str = "") -> None:
        self.path: Final = path
        self.where: Final = where
        self.message: Final = message
        self.key: Final = key


def undeclared_fields(profile: Profile) -> frozenset[tuple[str, str]]:
    """(struct, field) that JobSet's type table has and its schema has not."""
    return frozenset((struct, field) for feature, struct, field in UNDECLARED if profile.has(feature))


def apply_problems(jobset: Tree, profile: Profile) -> tuple[ApplyProblem, ...]:
    """Why apply refuses the JobSet, in the order of its lists; fields by name, where apply's own order is random."""
    struct = profile.jobset_types().struct("jobset.JobSet")
    walk = ApplyWalk(undeclared_fields(profile))
    return tuple(walk.fields({"spec": jobset.get("spec", {})}, struct, (), ""))


def apply_message(jobset: Tree, problems: tuple[ApplyProblem, ...]) -> str:
    """The API server's whole message."""
    meta = jobset["metadata"]
    start = f"failed to create typed patch object ({meta.get('namespace', '')}/{meta.get('name', '')}; {jobset['apiVersion']}, Kind={jobset['kind']}): "
    lines = [f"{problem.where}: {problem.message}" for problem in problems]
    return start + (lines[0] if len(lines) == 1 else "errors:\n" + "\n".join(f"  {line}" for line in lines))


class ApplyWalk:
    """One walk over typed values. Its path has two forms: ours, and apply's with the keys of list items."""

    __slots__ = ("undeclared",)

    def __init__(self, undeclared: frozenset[tuple[str, str]]) -> None:
        self.undeclared = undeclared

    def fields(self, value: Tree, struct: Struct, path: Path, where: str) -> Iterator[ApplyProblem]:
        for name in sorted(value):
            item = value[name]
            if item is None:
                continue
            field = struct.fields.get(name)
            if field is None or (struct.name, name) in self.undeclared:
                yield ApplyProblem((*path, name), f"{where}.{name}", "field not declared in schema")
                return  # apply looks at no further field of this object
            if field.kind not in SCALARS:
                yield from self.value(item, field, (*path, name), f"{where}.{name}")

    def value(self, value: Any, field: Field, path: Path, where: str) -> Iterator[ApplyProblem]:
        # A value of another type is passed over: the schema has the words for it.
        if field.kind == "list":
            if isinstance(value, list):
                yield from self.items(value, field, path, where)
        elif isinstance(value, dict):
            if field.kind == "struct":
                yield from self.fields(value, field.struct, path, where)
            elif field.elem is not None and field.elem.kind not in SCALARS:
                for key, item in value.items():
                    yield from self.value(item, field.elem, (*path, key), f"{where}.{key}")

    def items(self, items: list[Any], field: Field, path: Path, where: str) -> Iterator[ApplyProblem]:
        element = field.elem
        assert element is not None
        seen = set()
        for index, item in enumerate(items):
            key = key_of(item, index, field)
            if key in seen:
                yield ApplyProblem((*path, index), where, f"duplicate entries for key {key}", key)
            seen.add(key)
            if element.kind not in SCALARS:
                yield from self.value(item, element, (*path, index), where + key)


def key_of(item: Any, index: int, field: Field) -> str:
    """What apply calls a list item: its keys in order of their names, its value in a set, else its index."""
    from jobset_compiler.emit.json import compact

    kind = field.constraints.get("list")
    if kind == "set":
        return f"[={compact(item)}]"
    if kind != "map":
        return f"[{index}]"
    assert field.elem is not None
    known = field.elem.struct.fields
    keys = {name: item.get(name, known[name].default) for name in sorted(field.constraints["keys"])}
    return "[" + ",".join(f"{name}={compact(value)}" for name, value in keys.items()) + "]"
