"""What is wrong with a value, in the API server's words.

Source of the words: pkg/util/validation/field/errors.go of k8s.io/apimachinery.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jobset_compiler.kube.structural.errors import go_json, quoted, shown
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jobset_compiler.diagnostics.place import Path

REQUIRED = "Required value"
UNSUPPORTED = "Unsupported value: "


class Fault(Value):
    """Something that an API refuses.

    path: where, as the API prints it, from the value on that was looked at; text: the API's, with the kind of error;
    at: the place in the manifest, where the API prints another (None: it is path); hint: our advice.
    """

    __slots__ = ("at", "hint", "path", "text")

    def __init__(self, path: Path, text: str, at: Path | None = None, hint: str = "") -> None:
        self.path: Final = path
        self.text: Final = text
        self.at: Final = at
        self.hint: Final = hint

    @property
    def place(self) -> Path:
        return self.path if self.at is None else self.at

    def under(self, *steps: str | int) -> Fault:
        """The fault as seen from further up."""
        return Fault(steps + self.path, self.text, None if self.at is None else steps + self.at, self.hint)

    def placed(self, at: Path | None, path: Path | None = None) -> Fault:
        """The same about another place of the manifest, and with another path where one is given."""
        return Fault(self.path if path is None else path, self.text, at, self.hint)


Faults = tuple[Fault, ...] | list[Fault]
NONE: tuple[Fault, ...] = ()


def under(faults: Faults, *steps: str | int) -> list[Fault]:
    return [fault.under(*steps) for fault in faults]


def fault(text: str, *path: str | int, at: Path | None = None, hint: str = "") -> Fault:
    return Fault(path, text, at, hint)


def required(text: str = "") -> str:
    return f"{REQUIRED}: {text}" if text else REQUIRED


def forbidden(text: str) -> str:
    return f"Forbidden: {text}"


def invalid(value: object, text: str) -> str:
    """value: a string, number, list or map of the API; see `invalid_of_type` for strings of a named type."""
    return f"Invalid value: {shown(value)}: {text}"


def invalid_of_type(value: object, text: str) -> str:
    """A string of a named Go type, or behind a pointer: printed as JSON, which escapes more than Go's quotes."""
    return f"Invalid value: {go_json(value)}: {text}"


def invalid_printed(value: str, text: str) -> str:
    """A value that is printed already (see `go_types`)."""
    return f"Invalid value: {value}: {text}"


def invalid_without_value(text: str) -> str:
    return f"Invalid value: {text}"


def unsupported(value: str, supported: Iterable[str]) -> str:
    """A string of a named type; nearly all enumerations have one."""
    return f"{UNSUPPORTED}{go_json(value)}: {among(supported)}"


def unsupported_text(value: str, supported: Iterable[str]) -> str:
    return f"{UNSUPPORTED}{shown(value)}: {among(supported)}"


def among(supported: Iterable[str]) -> str:
    return "supported values: " + ", ".join(map(quoted, supported))


def duplicate(value: str | int) -> str:
    return f"Duplicate value: {shown(value)}"


def not_found(value: str) -> str:
    return f"Not found: {shown(value)}"


def too_long(most: int) -> str:
    return f"Too long: may not be more than {most} bytes"


def too_many(count: int, most: int) -> str:
    return f"Too many: {count}: must have at most {most} items"
