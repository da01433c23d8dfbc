"""What the schema step answers: errors, pruned fields and pending CEL rules, and how the server prints bad values."""

from typing import Any

from jobset_compiler.diagnostics.place import Path, format_path
from jobset_compiler.value import Frozen

# The words that the server puts between path and detail, by error type (apimachinery, util/validation/field/errors.go).
TITLES = {
    "FieldValueRequired": "Required value",
    "FieldValueInvalid": "Invalid value",
    "FieldValueTypeInvalid": "Invalid value",
    "FieldValueNotSupported": "Unsupported value",
    "FieldValueDuplicate": "Duplicate value",
    "FieldValueForbidden": "Forbidden",
    "FieldValueTooLong": "Too long",
    "FieldValueTooMany": "Too many",
}
UNPRINTED = frozenset({"FieldValueRequired", "FieldValueForbidden", "FieldValueTooLong"})
# After one of these the server does not evaluate CEL rules (apiextensions-apiserver, hasBlockingErr).
BLOCKING = frozenset({"FieldValueNotSupported", "FieldValueRequired", "FieldValueTooLong", "FieldValueTooMany", "FieldValueTypeInvalid"})
GO_ESCAPES = {'"': '\\"', "\\": "\\\\", "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}


class Omitted:
    """Stands for a bad value that the server does not print."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "OMITTED"


OMITTED = Omitted()


class Wording(Frozen):
    """How the Kubernetes libraries behind a release word errors."""

    values_as_go_syntax: bool = False
    """Maps and lists are printed in Go syntax rather than JSON: 0.32."""
    names_integer_formats: bool = True
    """A type error of an integer names its format: since 0.36."""
    checks_branches: bool = True
    """A fraction that is nearly an integer is refused by the branches of an int-or-string: since 0.36."""


class FieldError(Frozen):
    """One reason for which the API server refuses an object.

    `kind` is the server's error type ("FieldValueRequired"; "Decode" for an object that its Go type cannot hold), `message`
    the detail after the value, `value` the bad value and `shown` that value in the server's print; `at` is where that stands, which
    for the key or value of a map is more exact than the server's `path`.
    """

    path: Path
    kind: str
    message: str
    value: Any = OMITTED
    shown: str = ""
    at: Path = ()

    @property
    def place(self) -> Path:
        return self.at or self.path

    @property
    def text(self) -> str:
        """The full text of the server: `spec.x: Invalid value: "y": message`."""
        if self.kind == "Decode":
            return self.message
        text = f"{format_path(self.path)}: {TITLES[self.kind]}"
        if self.shown:
            text += f": {self.shown}"
        return f"{text}: {self.message}" if self.message else text

    @property
    def summary(self) -> str:
        """The message, and where the server has none its words for the kind of error: `Duplicate value: "y"`."""
        if self.message:
            return self.message
        return f"{TITLES[self.kind]}: {self.shown}" if self.shown else TITLES[self.kind]


class Pruned(Frozen):
    """A field that the server drops since the schema does not know it; the message is strict validation's."""

    path: Path
    message: str


class PendingRule(Frozen):
    """CEL rules to be evaluated on a value: (predicate name, message) each; `schema_type` is what the schema calls its type."""

    rules: tuple[tuple[str, str], ...]
    path: Path
    schema_type: str
    value: Any


def field_error(path: Path, kind: str, message: str, value: Any = OMITTED, go_syntax: bool = False, at: Path = ()) -> FieldError:
    """An error with its value printed; `go_syntax` is the print of k8s 0.32, which has no JSON for maps and lists."""
    return FieldError(path, kind, message, value, "" if value is OMITTED or kind in UNPRINTED else shown(value, go_syntax), at)


def shown(value: Any, go_syntax: bool = False) -> str:
    """A bad value as the server prints it."""
    if isinstance(value, str):
        return quoted(value)
    if value is None:
        return '"null"' if go_syntax else "null"
    if isinstance(value, (dict, list)):
        return go_literal(value) if go_syntax else go_json(value)
    return go_scalar(value)


def quoted(text: str) -> str:
    """Go's %q."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(GO_ESCAPES.get(c) or (c if c.isprintable() else go_unprintable(c)) for c in text) + '"'


def go_unprintable(char: str) -> str:
    code = ord(char)
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def go_scalar(value: bool | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        text = repr(value)
        return text.removesuffix(".0")
    return str(value)


# What Go's encoder escapes besides what every encoder does: for pages of HTML, and for JavaScript.
_ESCAPED_BY_GO = {character: f"\\u{character:04x}" for character in map(ord, "&<>\u2028\u2029")}


def go_json(value: Any) -> str:
    """Go's json.Marshal of decoded JSON: sorted keys, no spaces, with its escapes."""
    return _go_json(value, sort_keys=True)


def go_json_in_order(value: Any) -> str:
    """Go's json.Marshal of a typed value, whose keys are in the order of its fields."""
    return _go_json(value, sort_keys=False)


def _go_json(value: Any, *, sort_keys: bool) -> str:
    import json

    text = json.dumps(value, sort_keys=sort_keys, ensure_ascii=False, separators=(",", ":"))
    return text.translate(_ESCAPED_BY_GO)


def go_literal(value: Any) -> str:
    """Go's %#v of decoded JSON."""
    if isinstance(value, dict):
        return "map[string]interface {}{" + ", ".join(f"{quoted(k)}:{go_literal(value[k])}" for k in sorted(value)) + "}"
    if isinstance(value, list):
        return "[]interface {}{" + ", ".join(map(go_literal, value)) + "}"
    if value is None:
        return "interface {}(nil)"
    return quoted(value) if isinstance(value, str) else go_scalar(value)
