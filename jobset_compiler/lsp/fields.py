"""What a field of the API is: its type, its meaning and the values that it takes, from the type table of the release and its descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.schemas.build import Builder
from jobset_compiler.schemas.descriptions import description, examples
from jobset_compiler.schemas.kinds import KINDS

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.table import Field, Struct, TypeTable

KINDS_OF_TRAINER = ("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime")
SHOWN_TYPES = {"bool": "boolean", "int": "integer", "int32": "integer", "int64": "integer", "float64": "number", "Quantity": "quantity", "Time": "time"}


class Meaning(NamedTuple):
    """owner: the struct that has the field; field: what stands at the place, which may be an item of the list that `owner` has as `name`."""

    owner: str
    name: str
    field: Field

    @property
    def text(self) -> str:
        """What it is for, in our words; "" where there are none."""
        root = "root" if self.owner in ROOTS and self.name in ("apiVersion", "kind", "metadata") else self.owner
        return description(root, self.name) or description(_struct_of(self.field))

    @property
    def type(self) -> str:
        return type_name(self.field)

    @property
    def examples(self) -> list[Any]:
        return examples(self.owner, self.name)


ROOTS = frozenset(struct for struct, _ in KINDS.values())


def meaning_of(table: TypeTable, kind: str, path: Path) -> Meaning | None:
    """The field at a path of a document of that kind; None for the document itself and for what the release does not have."""
    struct: Struct | None = table.struct(KINDS[kind][0])
    found: Meaning | None = None
    for step in path:
        if struct is not None:
            field = struct.fields.get(str(step))
            if field is None:
                return None
            found = Meaning(struct.name, field.name, field)
        elif found is not None and found.field.elem is not None:
            found = found._replace(field=found.field.elem)
        else:
            return None
        struct = found.field.struct if found.field.kind == "struct" else None
    return found


def members_of(table: TypeTable, kind: str, path: Path) -> Struct | None:
    """The struct whose fields stand below a path; None where there is a scalar, a list or a map of anything."""
    if not path:
        return table.struct(KINDS[kind][0])
    found = meaning_of(table, kind, path)
    return found.field.struct if found is not None and found.field.kind == "struct" else None


def values_of(table: TypeTable, meaning: Meaning) -> tuple[str, ...]:
    """The words that a field takes, as far as the API counts them up, as they are written in YAML."""
    if meaning.field.kind == "bool":
        return ("true", "false")
    if meaning.field.kind in ("struct", "list", "map"):
        return ()
    schema = Builder(table, strict=False).field(meaning.owner, meaning.field)
    choices = [schema, *schema.get("anyOf", ()), *schema.get("allOf", ())]
    return tuple(str(value) for choice in choices for value in choice.get("enum", ()) if value not in (None, ""))


def type_name(field: Field) -> str:
    """In words: "list of EnvVar", "integer"."""
    if field.kind == "list":
        assert field.elem is not None
        return f"list of {type_name(field.elem)}"
    if field.kind == "map":
        assert field.elem is not None
        return f"map to {type_name(field.elem)}"
    return field.type_name.partition(".")[2] if field.kind == "struct" else SHOWN_TYPES.get(field.kind, field.kind)


def _struct_of(field: Field) -> str:
    while field.elem is not None:
        field = field.elem
    return field.type_name
