"""The base classes of the models.

Decisions that hold for every model:

* Attributes are snake_case, JSON names camelCase; both are accepted, JSON names are written.
* An unknown field is an error that names it and what was probably meant, as with `kubectl apply`. `from_dict(tree, unknown="ignore")`
  drops unknown fields instead, as the API server does. For `from_dict` and `from_yaml` a snake_case name is an unknown field.
* Nothing is filled in: a default of the API server stands in the description and in the JSON Schema, and what was not set is not
  written. None means "not set", for a null in the input as well; an empty list or mapping is kept.
* Types, limits, keys of lists and the CEL rules of the API are checked, in the server's words. What webhooks check is for
  `compile_objects` to say.
"""

# No `from __future__ import annotations`: pydantic would evaluate the texts of the class variables again for every model.
from typing import Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, ModelWrapValidatorHandler, ValidationError, ValidationInfo, model_validator
from pydantic_core import InitErrorDetails

from jobset_compiler.kube.names import object_meta_problems
from jobset_compiler.kube.table import Struct
from jobset_compiler.models.signature import READABLE
from jobset_compiler.models.unknown import unknown_field
from jobset_compiler.models.values import JSON_TREE, hold, refused

# Types of pydantic's errors: for a field that is given, for an attribute that is set.
UNKNOWN = ("extra_forbidden", "no_such_attribute")


def describe(schema: dict[str, Any], model: "type[Model]") -> None:
    """The description in a JSON Schema is that of the object; the fields that `help()` lists have their own."""
    schema.pop("description", None)
    if model.ABOUT:
        schema["description"] = model.ABOUT


class Model(BaseModel):
    """A part of an object. See the module for how names, unknown fields and absent values are treated."""

    model_config = ConfigDict(
        validate_by_alias=True,
        validate_by_name=True,
        serialize_by_alias=True,
        extra="forbid",
        validate_assignment=True,
        defer_build=True,
        json_schema_extra=describe,
    )

    STRUCT: ClassVar[Struct]
    """The Go type that the model has the fields of."""
    RELEASE: ClassVar[str]
    """The newest release that has exactly this model."""
    ABOUT: ClassVar[str] = ""
    """What the object is for."""

    @classmethod
    def from_dict(cls, tree: Any, *, unknown: Literal["forbid", "ignore"] = "forbid") -> Self:
        """The model of a JSON tree, whose names are camelCase. Raises pydantic's ValidationError, a ValueError."""
        return cls.model_validate(tree, extra=unknown, by_alias=True, by_name=False, context=JSON_TREE)

    def to_dict(self) -> dict[str, Any]:
        """The JSON tree, with what was set and nothing else."""
        return self.model_dump(mode="json")

    def model_dump(self, *, exclude_none: bool = True, **options: Any) -> dict[str, Any]:
        """As pydantic's, but without what is not set, which a manifest has no use for."""
        return super().model_dump(exclude_none=exclude_none, **options)

    def model_dump_json(self, *, exclude_none: bool = True, **options: Any) -> str:
        """As pydantic's, but without what is not set."""
        return super().model_dump_json(exclude_none=exclude_none, **options)

    @model_validator(mode="wrap")
    @classmethod
    def _say_what_was_meant(cls, value: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo) -> Self:
        try:
            return handler(value)
        except ValidationError as error:
            if not any(map(is_own_unknown, error.errors(include_url=False, include_context=False, include_input=False))):
                raise
            raise with_hints(cls, error, info.context is JSON_TREE) from None

    def __repr_args__(self) -> Any:
        """What was set."""
        return [(name, value) for name, value in super().__repr_args__() if value is not None]

    @classmethod
    def model_rebuild(cls, **options: Any) -> bool | None:
        """As pydantic's, which sets a signature of its own when it completes a model."""
        done = super().model_rebuild(**options)
        if "STRUCT" in cls.__dict__:
            cls.__signature__ = READABLE  # type: ignore[assignment]  # a descriptor of one
        return done


class ObjectModel(Model):
    """A whole object: it has a kind and metadata, and can be read from and written as YAML."""

    NAMESPACED: ClassVar[bool] = True
    RULES: ClassVar[tuple[tuple[str, str], ...]] = ()
    """CEL rules on the whole object: (name of the predicate, message)."""

    def __repr_args__(self) -> Any:
        """What was set, less what every object of the kind has."""
        return [(name, value) for name, value in super().__repr_args__() if name not in ("api_version", "kind")]

    def to_yaml(self) -> str:
        """The object as YAML, fields in the order of the Kubernetes types."""
        from jobset_compiler.emit.yaml import to_yaml

        return to_yaml([self.to_dict()])

    @classmethod
    def from_yaml(cls, text: str) -> Self:
        """The one object in a YAML or JSON text, read as kubectl reads it. Raises ValueError (pydantic's, or for broken text)."""
        from jobset_compiler.source.reader import read_text

        documents, problems = read_text(text)
        broken = [problem for problem in problems if problem.is_error]
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
            lines = [InitErrorDetails(type=refused("metadata", problem.message), loc=problem.path, input=problem.value) for problem in problems]
            raise ValidationError.from_exception_data(type(self).__name__, lines)
        for name, message in self.RULES:
            hold(name, message, tree)
        return self


def is_own_unknown(problem: Any) -> bool:
    """Whether an error is about a field that the model itself does not have."""
    return problem["type"] in UNKNOWN and len(problem["loc"]) == 1


def with_hints(model: type[Model], error: ValidationError, json_names: bool) -> ValidationError:
    """The same errors, those about unknown fields of this model with what was probably meant."""
    lines = []
    for problem in error.errors(include_url=False):
        if is_own_unknown(problem):
            name = str(problem["loc"][0])
            if problem["type"] == "extra_forbidden" and not json_names and name in model.model_fields:
                kind = refused("given_twice", f"given twice, as {name} and as {model.model_fields[name].alias}")
            else:
                as_json = json_names or (problem["type"] == "extra_forbidden" and any(map(str.isupper, name)))
                kind = refused("unknown_field", unknown_field(name, model.STRUCT, json_names=as_json))
        else:
            kind = refused(problem["type"], problem["msg"])
        lines.append(InitErrorDetails(type=kind, loc=problem["loc"], input=problem["input"]))
    return ValidationError.from_exception_data(error.title, lines)
