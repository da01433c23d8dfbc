"""Signatures that people can read: `Trainer(*, image: str | None = None, ...)`, with the names of attributes."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Any

from jobset_compiler.models.spelling import shown_type


class Shown(str):
    """A type as text; inspect prints annotations by their repr."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class ReadableSignature:
    """`__signature__` of the models (classes below `models.base.Model`), made when somebody looks."""

    def __get__(self, instance: object, model: Any) -> Signature:
        if instance is not None:
            raise AttributeError("__signature__")  # a model is callable, an object is not
        parameters = []
        for name, info in model.model_fields.items():
            shown = shown_type(model.STRUCT.fields[str(info.alias)])
            if info.default is None:
                shown += " | None"
            default = Parameter.empty if info.is_required() else info.default
            parameters.append(Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Shown(shown)))
        # apiVersion and kind, which nobody has to give, come last.
        return Signature(sorted(parameters, key=lambda parameter: isinstance(parameter.default, str)))


READABLE = ReadableSignature()
