"""The texts of quantities: read by Go's rules, and matched against the pattern of custom resource schemas; and the numbers behind them.

Source of every rule: `resource.ParseQuantity` of k8s.io/apimachinery 0.32 to 0.36; see `quantity`.
"""

from __future__ import annotations

from typing import Final, Literal

Format = Literal["DecimalSI", "BinarySI", "DecimalExponent"]

NOT_A_QUANTITY: Final = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
UNKNOWN_NUMBER: Final = "unable to parse numeric part of quantity"
UNKNOWN_SUFFIX: Final = "unable to parse quantity's suffix"
TOO_MANY_DIGITS: Final = "quantity has too many digits"

_DIGITS: Final = "0123456789"
DECIMAL_EXPONENTS: Final = {"": 0, "n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
BINARY_SHIFTS: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_SCHEMA_SUFFIXES: Final = frozenset((*DECIMAL_EXPONENTS, *BINARY_SHIFTS))

LARGEST: Final = 2**63 - 1
SMALLEST: Final = -(2**63)
_NANO: Final = -9
# Go goes on multiplying until memory or time runs out; nobody means a quantity of this size.
MOST_DIGITS: Final = 100_000


class QuantityError(ValueError):
    """A text that is no quantity; the first argument is the text of Go's error."""


def matches_schema(text: str) -> bool:
    """Whether a text matches the pattern custom resource schemas have for quantities (whole numbers always pass there).

    Not the parser's rule: the pattern refuses `Gi` and takes `1e1.5`, the parser the other way round.
    """
    rest = _after_number(text[1:] if text[:1] in ("+", "-") else text)
    if rest is None:
        return False
    if rest in _SCHEMA_SUFFIXES:
        return True
    if rest[0] not in "eE":
        return False
    power = rest[1:]
    return _after_number(power[1:] if power[:1] in ("+", "-") else power) == ""


def _after_number(text: str) -> str | None:
    """What follows `12`, `1.5`, `1.` or `.5` at the start of a text; None where no such number starts it."""
    rest = text.lstrip(_DIGITS)
    if rest[:1] != ".":
        return rest if len(rest) < len(text) else None
    tail = rest[1:].lstrip(_DIGITS)
    return tail if len(tail) < len(text) - 1 else None


def read(text: str) -> tuple[int, int, bool, Format, str]:
    """Any text, by Go's rules to the letter: the arguments of a Quantity."""
    if not text:
        raise QuantityError(NOT_A_QUANTITY)
    if text == "0":
        return 0, 0, False, "DecimalSI", text
    is_negative = text[0] == "-"
    unsigned = text[1:] if text[0] in "+-" else text
    number = unsigned.lstrip("0")
    if not number:  # also for a sign alone
        return 0, 0, False, "DecimalSI", ""
    rest = number.lstrip(_DIGITS)
    whole = number[: len(number) - len(rest)] or "0"
    fraction = ""
    if rest[:1] == ".":
        tail = rest[1:].lstrip(_DIGITS)
        fraction = rest[1 : len(rest) - len(tail)]
        rest = tail
    digits = whole + fraction
    power, notation = _read_suffix(rest)

    exponent = int32((power if notation != "BinarySI" else 0) - len(fraction))
    if notation == "BinarySI":
        if not fraction and fits_binary(whole, power):
            value = int(whole)
            unscaled = value << power
            return -unscaled if is_negative else unscaled, 0, False, notation, text if value & 7 else ""
    elif len(digits) <= 18 and exponent >= _NANO:
        value = int(digits)
        is_kept = exponent % 3 == 0 and digits[0] != "0" and not digits.endswith("000")
        return -value if is_negative else value, exponent, False, notation, text if is_kept else ""

    if not fraction and (whole == "0" and unsigned[0] not in _DIGITS):
        raise QuantityError(UNKNOWN_NUMBER)  # a suffix without any digit
    unscaled = _number_of(digits)
    if notation == "BinarySI":
        unscaled <<= power
    if unscaled:
        unscaled = _rounded_to_nano(unscaled, exponent)
        exponent = _NANO
        if notation == "BinarySI":
            if unscaled > LARGEST * 10**9:
                unscaled, exponent = LARGEST, 0
            elif unscaled < 10**9:
                notation = "DecimalSI"
    return -unscaled if is_negative else unscaled, exponent, True, notation, ""


def _read_suffix(text: str) -> tuple[int, Format]:
    """The power of ten (of two, for binary suffixes) and the format."""
    tail = text.lstrip("eEinumkKMGTP")
    if tail and (tail[1:] if tail[0] in "+-" else tail).lstrip(_DIGITS):
        raise QuantityError(NOT_A_QUANTITY)
    if text in DECIMAL_EXPONENTS:
        return DECIMAL_EXPONENTS[text], "DecimalSI"
    if text in BINARY_SHIFTS:
        return BINARY_SHIFTS[text], "BinarySI"
    power = text[1:]
    digits = power[1:] if power[:1] in ("+", "-") else power
    significant = digits.lstrip("0")
    if text[0] not in "eE" or not digits or digits.lstrip(_DIGITS) or len(significant) > 19:
        raise QuantityError(UNKNOWN_SUFFIX)
    exponent = int(significant or "0") * (-1 if power[0] == "-" else 1)
    if not is_int64(exponent):
        raise QuantityError(UNKNOWN_SUFFIX)
    return int32(exponent), "DecimalExponent"


def fits_binary(digits: str, shift: int) -> bool:
    """Whether Go keeps a whole number with a binary suffix as a 64-bit number, judged by its length."""
    return len(digits) <= 14 - shift * 3 // 10


def _rounded_to_nano(unscaled: int, exponent: int) -> int:
    """`unscaled * 10**exponent` in units of 10**-9, rounded up; both arguments and the result are positive."""
    shift = exponent - _NANO
    most_digits = unscaled.bit_length() * 31 // 100 + 1
    if shift >= 0:
        if most_digits + shift > MOST_DIGITS:
            raise QuantityError(TOO_MANY_DIGITS)
        return unscaled * ten_to(shift)
    if -shift > most_digits:
        return 1
    return -(-unscaled // ten_to(-shift))


def ten_to(exponent: int) -> int:
    power: int = 10**exponent
    return power


def is_int64(value: int) -> bool:
    return SMALLEST <= value <= LARGEST


def int64(value: int) -> int:
    """The lowest 64 bits, signed."""
    return (value + 2**63) % 2**64 - 2**63


def int32(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


# Python refuses to convert more than 4,300 digits at once.
_CHUNK: Final = 4000


def digits_of(number: int) -> str:
    if number.bit_length() < _CHUNK * 3:
        return str(number)
    sign, number = ("-", -number) if number < 0 else ("", number)
    chunks = []
    while number:
        number, chunk = divmod(number, ten_to(_CHUNK))
        chunks.append(str(chunk).zfill(_CHUNK))
    return sign + "".join(reversed(chunks)).lstrip("0")


def _number_of(digits: str) -> int:
    if len(digits) <= _CHUNK:
        return int(digits)
    if len(digits) > MOST_DIGITS:
        raise QuantityError(TOO_MANY_DIGITS)
    number = 0
    for start in range(0, len(digits), _CHUNK):
        chunk = digits[start : start + _CHUNK]
        number = number * ten_to(len(chunk)) + int(chunk)
    return number
