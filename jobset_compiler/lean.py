"""The names of `typing` that this package uses, without importing it: together with what it pulls in, and with the classes that its
NamedTuple compiles one by one, it is half of the time that rendering one file takes.

To a type checker these are the names of `typing` itself. At run time annotations are text (`from __future__ import annotations`), so
that most of them only have to exist; NamedTuple behaves as typing's does.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as Any
    from typing import BinaryIO as BinaryIO
    from typing import Final as Final
    from typing import Literal as Literal
    from typing import NamedTuple as NamedTuple
    from typing import NoReturn as NoReturn
    from typing import Protocol as Protocol
    from typing import Self as Self
    from typing import TextIO as TextIO
    from typing import TypeAlias as TypeAlias
else:
    from _collections import _tuplegetter

    class Any:
        """Stands in aliases such as `dict[str, Any]`."""

    class Literal:
        def __class_getitem__(cls, values):
            return cls

    class Protocol:
        pass

    BinaryIO = Final = NoReturn = Self = TextIO = TypeAlias = Any

    class _Record(type):
        """Turns `class Point(NamedTuple)` into a class of tuples whose fields are the annotations of its body.

        typing's compiles each class when it is defined (100 us); this one when its first instance is made.
        """

        def __new__(cls, name, bases, body):
            if not bases:  # NamedTuple itself
                return type.__new__(cls, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: a field without a default follows one with a default")
            for index, field in enumerate(fields):
                body[field] = _tuplegetter(index, "")
            for common, function in _COMMON.items():
                body.setdefault(common, function)
            body["__slots__"] = ()
            body["_fields"] = body["__match_args__"] = fields
            body["_field_defaults"] = defaults
            body["_places"] = {field: index for index, field in enumerate(fields)}
            return type(name, (tuple,), body)

    def _new(cls, *values, **named):
        """Makes the first instance of a class: compiles its `__new__`, with the fields as parameters."""
        fields, defaults = cls._fields, cls._field_defaults
        parameters = "".join([f", {field}=_defaults[{field!r}]" if field in defaults else f", {field}" for field in fields])
        values_in_order = "".join([f"{field}, " for field in fields])
        names = {"_tuple": tuple.__new__, "_defaults": defaults, "__name__": cls.__module__}
        exec(f"def __new__(_cls{parameters}): return _tuple(_cls, ({values_in_order}))", names)
        cls.__new__ = names["__new__"]
        return cls.__new__(cls, *values, **named)

    def _make(cls, values):
        return cls(*values)

    def _replace(self, /, **changes):
        values = list(self)
        places = self._places
        for field, value in changes.items():
            if field not in places:
                raise ValueError(f"{type(self).__name__} has no field {field}")
            values[places[field]] = value
        return tuple.__new__(type(self), values)

    def _asdict(self):
        return dict(zip(self._fields, self, strict=True))

    def _repr(self):
        listed = ", ".join([f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True)])
        return f"{type(self).__name__}({listed})"

    def _getnewargs(self):
        return tuple(self)

    _COMMON = {
        "__new__": _new,
        "_make": classmethod(_make),
        "_replace": _replace,
        "_asdict": _asdict,
        "__repr__": _repr,
        "__getnewargs__": _getnewargs,
    }

    class NamedTuple(metaclass=_Record):
        """The base of records; no class of its own at run time."""
