"""From the type table to pydantic models, each built when it is first asked for, with those below it.

A model that a newer release has as well, down to the last field below it, is that release's: `v2_0.Toleration is v2_3.Toleration`.
"""

from __future__ import annotations

from functools import cache
from threading import RLock
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field as FieldInfo
from pydantic import create_model

from jobset_compiler.models.base import Model, ObjectModel
from jobset_compiler.models.signature import READABLE
from jobset_compiler.models.spelling import attribute_name, class_name, is_optional
from jobset_compiler.models.values import Bool, Int32, Int64, IntOrString, Map, Quantity, Time, not_empty, rule, unique_by, unique_items
from jobset_compiler.profiles import NEWEST, RELEASED, find
from jobset_compiler.schemas.descriptions import description
from jobset_compiler.schemas.kinds import KINDS

if TYPE_CHECKING:
    from jobset_compiler.kube.table import Field, TypeTable
    from jobset_compiler.profiles import Profile

SCALARS: dict[str, Any] = {
    "string": str,
    "bool": Bool,
    "int": Int64,
    "int32": Int32,
    "int64": Int64,
    "IntOrString": IntOrString,
    "Quantity": Quantity,
    "Time": Time,
    "FieldsV1": dict[str, Any],
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
CLUSTER_SCOPED = frozenset({"ClusterTrainingRuntime"})
# One thread builds at a time, so that every thread has the same classes.
BUILDING = RLock()


class Release:
    """The models of one release, as attributes: `models.v2_1.TrainJob`."""

    def __init__(self, profile: Profile, newer: Release | None) -> None:
        self.profile = profile
        self.table = profile.types()
        self.newer = newer
        self.structs = structs_by_class(self.table)
        self._models: dict[str, type[Model]] = {}
        self._shared: dict[str, bool] = {}

    def __getattr__(self, name: str) -> type[Model]:
        if name not in self.structs:
            raise AttributeError(f"{self!r} has no model {name!r}")
        return self.model(name)

    def __dir__(self) -> list[str]:
        return list(self.structs)

    def __repr__(self) -> str:
        return f"<models of Kubeflow Trainer {self.profile.name}>"

    def model(self, name: str) -> type[Model]:
        """The model of that name, built if it is not there yet; KeyError for a name that the release has not."""
        found = self._models.get(name)
        if found is None:
            with BUILDING:
                if name not in self._models:
                    home = self.home(name)
                    self._models[name] = self._build(name) if home is self else home.model(name)
                found = self._models[name]
        return found

    def home(self, name: str) -> Release:
        """The newest release that has exactly this model."""
        return self.newer.home(name) if self.newer is not None and self.is_shared(name) else self

    def is_shared(self, name: str) -> bool:
        """Whether the next newer release has the same model."""
        if name not in self._shared:
            struct, newer = self.structs[name], self.newer
            self._shared[name] = True  # of a struct that holds itself, until the rest is seen
            self._shared[name] = (
                newer is not None
                and newer.structs.get(name) == struct
                and newer.table.rows(struct) == self.table.rows(struct)
                and newer.table.root_rules(struct) == self.table.root_rules(struct)
                and all(self.is_shared(below) for below in classes_below(self.table, struct))
            )
        return self._shared[name]

    def _build(self, name: str) -> type[Model]:
        struct = self.structs[name]
        is_object = name in KINDS
        members: dict[str, Any] = self._identity(name) if is_object else {}
        for field in self.table.struct(struct).fields.values():
            members.setdefault(attribute_name(field.name), (self._annotation(field), field_info(struct, field)))
        about = description("kinds", name) if is_object else description(struct)
        base: type[Model] = ObjectModel if is_object else Model
        model = create_model(name, __base__=base, __module__=__package__, **members)
        model.__qualname__ = name if self.newer is None else f"{attribute_of(self.profile)}.{name}"
        model.__doc__ = documentation(about, {attribute: info.description or "" for attribute, (_, info) in members.items()})
        model.__signature__ = READABLE  # type: ignore[assignment]  # a descriptor of one
        model.STRUCT, model.RELEASE, model.ABOUT = self.table.struct(struct), self.profile.name, about
        if issubclass(model, ObjectModel):
            model.NAMESPACED = name not in CLUSTER_SCOPED
            model.RULES = self.table.root_rules(struct)
        return model

    def _identity(self, kind: str) -> dict[str, Any]:
        """What a whole object has and says: its version and kind by themselves, its metadata always."""
        version = KINDS[kind][1]
        members = {"apiVersion": (Literal[version], version), "kind": (Literal[kind], kind), "metadata": (self.model("ObjectMeta"), ...)}
        return {
            attribute_name(name): (value, FieldInfo(default, alias=name, description=description("root", name))) for name, (value, default) in members.items()
        }

    def _annotation(self, field: Field) -> Any:
        kind = self._value(field)
        return kind | None if is_optional(field) else kind

    def _value(self, field: Field) -> Any:
        """The type of a value with everything that the table says about it."""
        says, notes = field.constraints, []
        limits = {LIMITS[key]: says[key] for key in LIMITS if key in says}
        if limits:
            notes.append(FieldInfo(**limits))
        if says.get("list") == "map":
            notes.append(self._unique(field))
        elif says.get("list") == "set":
            notes.append(unique_items)
        notes += [rule(name, message) for name, message in says.get("rules", ()) if name != "immutable"]
        if says.get("minProperties"):
            notes.append(not_empty)
        kind = self._bare(field)
        for note in notes:
            kind = Annotated[kind, note]
        return kind

    def _bare(self, field: Field) -> Any:
        choices = field.constraints.get("enum")
        if choices:
            return Literal[tuple(choices)]
        if field.kind == "struct":
            return self.model(class_name(field.type_name))
        if field.elem is not None:
            return list[self._value(field.elem)] if field.kind == "list" else Map[self._value(field.elem)]  # type: ignore[misc]  # made at run time
        return SCALARS[field.kind]

    def _unique(self, field: Field) -> Any:
        """List-map keys; a key that the server fills in counts with its default."""
        assert field.elem is not None
        known = field.elem.struct.fields
        keys = field.constraints["keys"]
        return unique_by(tuple(map(attribute_name, keys)), {attribute_name(key): known[key].default for key in keys if known[key].default})


def field_info(struct: str, field: Field) -> Any:
    default: dict[str, Any] = {"default": None} if is_optional(field) else {}
    return FieldInfo(alias=field.name, description=documented(struct, field) or None, **default)


def documented(struct: str, field: Field) -> str:
    """What a field is for, and what the server fills in where it is left out."""
    text = description(struct, field.name)
    if field.has_default and field.default != "":
        return f"{text} The server's default: {shown_default(field.default)}.".strip()
    return text


def shown_default(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def documentation(about: str, fields: dict[str, str]) -> str:
    """The docstring: what the object is for, and its fields."""
    lines = [f"{name}: {text}" for name, text in fields.items() if text]
    return "\n".join([about, *(["", *lines] if lines else [])]).strip()


def attribute_of(profile: Profile) -> str:
    """v2_3 for v2.3."""
    return profile.name.replace(".", "_")


def structs_by_class(table: TypeTable) -> dict[str, str]:
    """The struct of every class: the kinds, and all below them."""
    found: dict[str, str] = {}

    def visit(name: str, struct: str) -> None:
        if name not in found:
            found[name] = struct
            for below in classes_below(table, struct).items():
                visit(*below)

    for kind, (struct, _) in KINDS.items():
        visit(kind, struct)
    return dict(sorted(found.items()))


def classes_below(table: TypeTable, struct: str) -> dict[str, str]:
    """The classes that the fields of a struct are of: name of the class, struct."""
    found = {}
    for field in table.struct(struct).fields.values():
        while field.elem is not None:
            field = field.elem
        if field.kind == "struct":
            found[class_name(field.type_name)] = field.type_name
    return found


@cache
def releases() -> dict[str, Release]:
    """The releases by attribute name ("v2_3"), the newest first."""
    out: dict[str, Release] = {}
    newer = None
    for profile in reversed(RELEASED):
        newer = out[attribute_of(profile)] = Release(profile, newer)
    return out


def model_of(kind: str, trainer_version: str | None = None) -> type[ObjectModel]:
    """The model of a kind ("TrainJob") in a release, the newest by default. ValueError for a kind or release that is not known."""
    profile = NEWEST if trainer_version is None else find(trainer_version)
    if profile is None:
        raise ValueError(f"unknown release {trainer_version!r}; known: {', '.join(known.name for known in RELEASED)}")
    if kind not in KINDS:
        raise ValueError(f"no model for kind {kind!r}; known: {', '.join(KINDS)}")
    model = releases()[attribute_of(profile)].model(kind)
    assert issubclass(model, ObjectModel)
    return model
