"""What a YAML scalar means to Kubernetes: go-yaml v2's resolution (YAML 1.1 with exceptions), seen through Go's JSON.

Source of the rules: `resolve.go` and `decode.go` of go-yaml v2, `strconv`, `encoding/json` and the number reading of
`sigs.k8s.io/json`: an integer that fits 64 bits is an integer, every other number a float.
"""

from __future__ import annotations

Scalar = str | int | float | bool | None

INT64_MIN = -(1 << 63)
INT64_MAX = (1 << 63) - 1
UINT64_MAX = (1 << 64) - 1

_WORDS: dict[str, Scalar] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
}  # fmt: skip
# A plain scalar that starts with any other character is text without a further look.
_SPECIAL_STARTS = frozenset("yYnNtTfFoO~+-.0123456789")
_NUMERIC_STARTS = frozenset("+-0123456789")
_RADIX = {"0x": 16, "0X": 16, "0o": 8, "0O": 8, "0b": 2, "0B": 2}
_HEX_DIGITS = frozenset("0123456789abcdefABCDEF")


class YamlFloat(float):
    """A YAML float before it goes through JSON: only keys still see the difference between `1` and `1.0`."""


def resolve(text: str) -> Scalar:
    """The value of a plain scalar, as Go's YAML sees it: floats come as `YamlFloat`, infinities and NaN included."""
    if text and text[0] not in _SPECIAL_STARTS:
        return text
    value = _WORDS.get(text, text)
    if value is not text:
        return YamlFloat(value) if type(value) is float else value
    first = text[0]
    if first in _NUMERIC_STARTS:
        return _number(text)
    if first == ".":
        number = _go_float(text, underscores=True)
        return text if number is None else YamlFloat(number)
    return text


def through_json(value: Scalar) -> Scalar:
    """What the API server reads when Go has printed that value as JSON: `1.0` is `1`, integers beyond 64 bits are floats.

    The value must be finite; JSON has no infinities (`is_finite`).
    """
    if type(value) is YamlFloat or type(value) is float:
        return plain_number(value)
    if type(value) is int and not INT64_MIN <= value <= INT64_MAX:
        return float(value)
    return value


def is_finite(value: Scalar) -> bool:
    return not isinstance(value, float) or value - value == 0.0


def plain_number(number: float) -> int | float:
    """A finite float as it comes back from Go's JSON: integral values within 64 bits are printed without a point.

    Go prints the shortest digits that identify the float, filled up with zeros, which beyond 2^53 is not always the
    float's exact value.
    """
    number = float(number)
    if number != number // 1 or not -9.3e18 < number < 9.3e18:
        return number
    if -(1 << 53) <= number <= 1 << 53:
        return int(number)
    digits, _, exponent = repr(number).partition("e")
    whole, _, fraction = digits.partition(".")
    shown = int(whole + fraction) * 10 ** (int(exponent) - len(fraction)) if exponent else int(whole)
    return shown if INT64_MIN <= shown <= INT64_MAX else number


def _number(text: str) -> Scalar:
    plain = text.replace("_", "") if "_" in text else text
    if plain[0] in "123456789" and plain.isdecimal() and plain.isascii() and len(plain) < 19:  # nearly all of them
        return int(plain)
    integer = _go_integer(plain)
    if integer is not None:
        return integer
    number = _go_float(plain, underscores=False)
    return text if number is None else YamlFloat(number)


def _go_integer(text: str) -> int | None:
    """`strconv.ParseInt(text, 0, 64)`, or `ParseUint` where it is positive and too large for that."""
    digits = text[1:] if text[0] in "+-" else text
    base = _RADIX.get(digits[:2], 0)
    if base:
        digits = digits[2:]
    elif digits[:1] == "0" and len(digits) > 1:
        base, digits = 8, digits[1:]
    else:
        base = 10
    if not digits or (len(digits) > 70 and digits.strip("0")):
        return None
    if not (_HEX_DIGITS.issuperset(digits) if base == 16 else digits.isdecimal() and digits.isascii()):
        return None
    try:
        value = int(digits, base)
    except ValueError:  # a digit too large for the base: 08
        return None
    if text[0] == "-":
        return -value if value <= -INT64_MIN else None
    # ParseUint takes no sign.
    return value if value <= (INT64_MAX if text[0] == "+" else UINT64_MAX) else None


def _go_float(text: str, *, underscores: bool) -> float | None:
    """`strconv.ParseFloat` of decimal text; None where it is no such number or overflows (Go calls that an error)."""
    body = text[1:] if text[0] in "+-" else text
    mantissa, mark, exponent = body.replace("E", "e").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    if underscores and "_" in text:
        digits = digits.replace("_", "")
        exponent = exponent.replace("_", "")
    if not (digits.isdecimal() and digits.isascii()):
        return None
    if mark:
        exponent = exponent[1:] if exponent[:1] in ("+", "-") else exponent
        if not (exponent.isdecimal() and exponent.isascii()):
            return None
    try:
        number = float(text)  # an underscore that is not between digits is refused here, as in Go
    except ValueError:
        return None
    return number if is_finite(number) else None


def replace_surrogates(text: str) -> str:
    """Text with U+FFFD for every surrogate code point, which UTF-8 cannot carry."""
    if text.isascii():
        return text
    return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
