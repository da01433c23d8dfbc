"""What the generated models are made of: the base classes, the scalar types, and the rules on lists and objects.

Decisions that hold for every model:

* Attributes are snake_case, JSON names camelCase; both are accepted, JSON names are written.
* An unknown field is an error that names it, as with `kubectl apply`. `from_dict(tree, unknown="ignore")` drops unknown fields
  instead, as the API server does. For `from_dict` and `from_yaml` a snake_case name is an unknown field.
* Nothing is filled in: a default of the API server stands in the description and in the JSON Schema, and what was not set is not
  written. None means "not set", for a null in the input as well; an empty list or mapping is kept.
* Numbers, booleans and texts are not converted into each other: `"2"` is no number of nodes, `1` no value of an environment variable.
* Limits, keys of lists, and the CEL rules of the API are checked, in the server's words. What webhooks check is for `compile_objects` to say.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from jobset_compiler.admission.cel import PREDICATES, EvaluationError
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.kube.names import object_meta_problems
from jobset_compiler.kube.quantity import matches_schema
from jobset_compiler.kube.structural.misfit import is_date_time
from jobset_compiler.kube.structural.nodes import QUANTITY_PATTERN

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from typing import Self

T = TypeVar("T")

# JSON names that do not follow from their attribute names.
SPELLINGS = {
    "dataset_uuid": "datasetUUID",
    "disk_uri": "diskURI",
    "downward_api": "downwardAPI",
    "enable_dns_hostnames": "enableDNSHostnames",
    "host_ip": "hostIP",
    "host_ipc": "hostIPC",
    "host_pid": "hostPID",
    "pd_id": "pdID",
    "scale_io": "scaleIO",
    "set_hostname_as_fqdn": "setHostnameAsFQDN",
    "storage_policy_id": "storagePolicyID",
    "target_wwns": "targetWWNs",
    "volume_id": "volumeID",
}


def json_name(attribute: str) -> str:
    """The JSON name of an attribute: host_pid is hostPID, num_nodes is numNodes."""
    known = SPELLINGS.get(attribute)
    if known is not None:
        return known
    first, *rest = attribute.split("_")
    return first + "".join(word.capitalize() for word in rest)


class Model(BaseModel):
    """A part of an object. See the module for how names, unknown fields and absent values are treated."""

    model_config = ConfigDict(
        alias_generator=json_name,
        validate_by_alias=True,
        validate_by_name=True,
        serialize_by_alias=True,
        extra="forbid",
        validate_assignment=True,
        defer_build=True,
    )

    @classmethod
    def from_dict(cls, tree: Any, *, unknown: Literal["forbid", "ignore"] = "forbid") -> Self:
        """The model of a JSON tree, whose names are camelCase. Raises pydantic's ValidationError, a ValueError."""
        return cls.model_validate(tree, extra=unknown, by_alias=True, by_name=False)

    def to_dict(self) -> dict[str, Any]:
        """The JSON tree, with what was set and nothing else."""
        return self.model_dump(by_alias=True, exclude_none=True, mode="json")


class ObjectModel(Model):
    """A whole object: it has a kind and metadata, and can be read from and written as YAML."""

    NAMESPACED: ClassVar[bool] = True
    RULES: ClassVar[tuple[tuple[str, str], ...]] = ()
    """CEL rules on the whole object: (name of the predicate, message)."""

    def to_yaml(self) -> str:
        """The object as YAML, fields in the order of the Kubernetes types."""
        from jobset_compiler.emit.yaml import to_yaml

        return to_yaml([self.to_dict()])

    @classmethod
    def from_yaml(cls, text: str) -> Self:
        """The one object in a YAML or JSON text, read as kubectl reads it. Raises ValueError (pydantic's, or for broken text)."""
        from jobset_compiler.source.problems import SLUGS
        from jobset_compiler.source.reader import read_text

        documents, problems = read_text(text)
        broken = [problem for problem in problems if (problem.slug, "error") in SLUGS]
        if broken:
            raise ValueError(f"line {broken[0].span.line}: {broken[0].message}")
        if len(documents) != 1:
            raise ValueError(f"one document is wanted, the text has {len(documents)}")
        return cls.from_dict(documents[0].value)

    @model_validator(mode="after")
    def _metadata_and_rules(self) -> Self:
        tree = self.to_dict()
        problems = object_meta_problems(tree.get("metadata", {}), self.NAMESPACED)
        if problems:
            raise ValueError(f"{format_path(problems[0].path)}: {problems[0].message}")
        for name, message in self.RULES:
            hold(name, message, tree)
        return self


def hold(name: str, message: str, value: Any) -> Any:
    """The value, if the CEL rule of that name holds for it; ValueError with the server's message otherwise."""
    tree = value.to_dict() if isinstance(value, Model) else value
    try:
        if PREDICATES[name](tree):
            return value
    except EvaluationError as error:
        message = f"{error}{message}"
    raise ValueError(message)


def rule(name: str, message: str) -> AfterValidator:
    """A CEL rule of the API on a field."""
    return AfterValidator(partial(hold, name, message))


def unique_by(*keys: str, **defaults: str) -> AfterValidator:
    """No two items of the list may have the same values in these attributes; `defaults` are attributes with a default of the server."""

    def check(items: list[Any]) -> list[Any]:
        refuse_repeated(tuple(getattr(item, key) for key in keys) + tuple(getattr(item, key) or text for key, text in defaults.items()) for item in items)
        return items

    return AfterValidator(check)


def check_not_empty(value: Model) -> Model:
    if not value.to_dict():
        raise ValueError("should have at least 1 properties")
    return value


def refuse_repeated(keys: Iterable[Hashable]) -> None:
    seen: set[Hashable] = set()
    for index, key in enumerate(keys):
        if key in seen:
            shown = ", ".join(map(str, key)) if isinstance(key, tuple) else str(key)
            raise ValueError(f"item {index}: Duplicate value: {shown}")
        seen.add(key)


def check_set(items: list[Any]) -> list[Any]:
    refuse_repeated(items)
    return items


def whole(value: Any) -> Any:
    """A float that is a whole number as an integer, which is what it is in JSON."""
    return int(value) if type(value) is float and value.is_integer() else value


def without_nulls(value: Any) -> Any:
    """A mapping without its nulls, which the API server drops."""
    if isinstance(value, dict) and None in value.values():
        return {key: item for key, item in value.items() if item is not None}
    return value


def check_quantity(value: int | str) -> int | str:
    if isinstance(value, str) and not matches_schema(value):
        raise ValueError(f"should match '{QUANTITY_PATTERN}'")
    return value


def time_text(value: Any) -> Any:
    """RFC 3339 for a datetime; one without time zone is taken for UTC."""
    if isinstance(value, datetime):
        moment = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
        return moment.isoformat().replace("+00:00", "Z")
    return value


def check_time(text: str) -> str:
    if not is_date_time(text):
        raise ValueError("must be of type date-time: a time in RFC 3339, such as 2026-01-31T12:00:00Z")
    return text


not_empty = AfterValidator(check_not_empty)
unique_items = AfterValidator(check_set)

Bool = Annotated[bool, Field(strict=True)]
Int32 = Annotated[int, Field(strict=True, ge=-(2**31), le=2**31 - 1), BeforeValidator(whole)]
Int64 = Annotated[int, Field(strict=True, ge=-(2**63), le=2**63 - 1), BeforeValidator(whole)]
_Text = Annotated[str, Field(strict=True)]
IntOrString = Annotated[Int32 | _Text, BeforeValidator(whole), WithJsonSchema({"type": ["integer", "string"]})]
"""A number or a text: a port by number or name."""
Quantity = Annotated[
    Int64 | _Text, BeforeValidator(whole), AfterValidator(check_quantity), WithJsonSchema({"type": ["integer", "string"], "pattern": QUANTITY_PATTERN})
]
"""An amount of a resource: 2, "500m", "16Gi". A fraction is a text: "0.5". `jobset_compiler.kube.quantity` computes with it."""
Map = Annotated[dict[str, T], BeforeValidator(without_nulls)]
Time = Annotated[str, AfterValidator(check_time), BeforeValidator(time_text), Field(json_schema_extra={"format": "date-time"})]
"""A point in time in RFC 3339; a datetime is accepted and becomes text."""
