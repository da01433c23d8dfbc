"""Values whose JSON type the schema does not expect, and the rules on single values, in the words of the OpenAPI validator.

Source: k8s.io/kube-openapi, pkg/validation/validate (type.go, values.go, validator.go) and strfmt. Only reached where
something is wrong, or a field has a rule of this kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.kube.structural.errors import FieldError, go_json, go_scalar, quoted
from jobset_compiler.kube.structural.walk import body_path, path_of

if TYPE_CHECKING:
    from jobset_compiler.kube.structural.node import SchemaNode
    from jobset_compiler.kube.structural.walk import Trail, Walk

INTEGER_FORMATS = ("int32", "int64")
LARGEST_SAFE_FLOAT = float(2**53 - 1)


def json_type(value: Any) -> tuple[str, str]:
    """The schema type of a value and, for numbers, the Go format behind it."""
    if isinstance(value, str):
        return "string", ""
    if isinstance(value, bool):
        return "boolean", ""
    if isinstance(value, int):
        # A whole number beyond 64 bits is a float64 once the server has decoded it.
        return ("integer", "int64") if -(2**63) <= value < 2**63 else ("number", "float64")
    if isinstance(value, float):
        return "number", "float64"
    if isinstance(value, list):
        return "array", ""
    return ("object", "") if isinstance(value, dict) else ("null", "")


def is_whole(number: float) -> bool:
    """Whether the validator takes a float for an integer: one that is exact, or positive and within 1e-9, and safe in JSON."""
    if not -LARGEST_SAFE_FLOAT <= number <= LARGEST_SAFE_FLOAT:
        return False
    whole = float(int(number))
    if number == whole:
        return True
    return whole > 0 and (number - whole) / (number + whole) < 1e-9


def type_complaint(types: str, schema_format: str, value: Any) -> str:
    """What the type check says about a value: `must be of type integer: "string"`; empty where it fits."""
    if value is None:
        return f'must be of type {types}: "null"'
    actual, actual_format = json_type(value)
    expected = types.split(",")
    fits = actual in expected or ("number" in expected and actual == "integer")
    if actual == "number" and "integer" in expected and is_whole(float(value)):
        fits = True
    if schema_format:
        if actual not in ("string", "array"):
            if not fits and actual_format != schema_format:
                return f'must be of type {schema_format}: "{actual_format}"'
        elif "integer" not in expected and "number" not in expected:
            return ""
    return "" if fits else f'must be of type {types}: "{actual}"'


def refuse_type(node: SchemaNode, value: Any, trail: Trail, out: Walk) -> Any:
    """Report a value of another type than the schema's; what the server would keep of it."""
    kept = out.prune_all(value, trail)
    schema_format = node.schema_format
    if schema_format in INTEGER_FORMATS and not out.wording.names_integer_formats:
        schema_format = ""  # up to 0.34 the server strips formats other than those of strings
    complaint = type_complaint(node.schema_type or "integer,string", schema_format, value)
    if complaint:
        out.invalid(trail, complaint, bad_type(complaint), "FieldValueTypeInvalid")
    if not node.schema_type and value is not None:
        # The schema of an int-or-string is "any of integer, string", and has branches of its own for the two.
        check_branches(value, trail, out, repeats=bool(complaint))
    check_enum(node, kept, trail, out)
    return kept


def check_branches(value: Any, trail: Trail, out: Walk, *, repeats: bool) -> None:
    """What the branches of "any of integer, string" say: where the type itself is wrong the server repeats the error of the first."""
    if repeats:
        complaint = type_complaint("integer", "", value)
        out.invalid(trail, complaint, bad_type(complaint), "FieldValueTypeInvalid")
    elif out.wording.checks_branches and isinstance(value, float) and not value.is_integer():
        # Near enough to an integer for the type check, but not for a branch, whose complaints have no place.
        place = body_path(path_of(trail))
        for complaint in (f'"{place}" must validate at least one schema (anyOf)', f"Checked value must be of type integer (default format) in {place}"):
            out.errors.append(FieldError((), "FieldValueInvalid", complaint, "", '""', path_of(trail)))


def bad_type(complaint: str) -> str:
    return complaint.rsplit('"', 2)[1]


def check_enum(node: SchemaNode, value: Any, trail: Trail, out: Walk) -> None:
    if node.enum and value not in node.enum:
        values = ", ".join(f'"{choice}"' if isinstance(choice, str) else go_json(choice) for choice in node.enum)
        out.refuse(trail, "FieldValueNotSupported", f"supported values: {values}", value)


def check_number(node: SchemaNode, value: float, trail: Trail, out: Walk) -> None:
    constraints = node.constraints
    most, least = constraints.get("maximum"), constraints.get("minimum")
    if most is not None and value > most:
        out.invalid(trail, f"should be less than or equal to {go_scalar(most)}", value)
    if least is not None and value < least:
        out.invalid(trail, f"should be greater than or equal to {go_scalar(least)}", value)


def check_text(node: SchemaNode, value: str, trail: Trail, out: Walk) -> None:
    """Length, pattern, date-time and enum; of length and pattern the server reports the first only."""
    constraints = node.constraints
    most = constraints.get("maxLength")
    if most is not None and len(value) > most:
        out.refuse(trail, "FieldValueTooLong", f"may not be more than {most} bytes", "")
    elif len(value) < constraints.get("minLength", 0):
        out.invalid(trail, f"should be at least {constraints['minLength']} chars long", value)
    elif "pattern" in constraints and not matches(constraints["pattern"], value):
        out.invalid(trail, f"should match '{constraints['pattern']}'", value)
    if constraints.get("format") == "date-time" and not is_date_time(value):
        out.invalid(trail, f"must be of type date-time: {quoted(value)}", value, "FieldValueTypeInvalid")
    check_enum(node, value, trail, out)


def matches(pattern: str, value: str) -> bool:
    import re

    # RE2's "$" without flags is the very end of the text.
    return re.search(pattern.replace("$", r"\Z") if pattern.endswith("$") else pattern, value, re.ASCII) is not None


def is_date_time(text: str) -> bool:
    """strfmt.IsDateTime: a calendar date, T, a time with Z or an offset; letters in either case."""
    import re

    date, t, time = text.lower().partition("t")
    clock = re.match(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))\Z", time.partition("t")[0])
    if not t or clock is None or not is_date(date):
        return False
    return clock[1] <= "23" and clock[2] <= "59" and clock[3] <= "59"


def is_date(text: str) -> bool:
    import re

    match = re.match(r"([0-9]{4})-([0-9]{2})-([0-9]{2})\Z", text)
    if match is None:
        return False
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return 1 <= month <= 12 and 1 <= day <= days[month - 1]
