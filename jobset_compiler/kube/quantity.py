"""Resource quantities (`500m`, `16Gi`, `1e3`) read, summed and printed exactly as Kubernetes does.

Source of every rule: `resource.Quantity` of k8s.io/apimachinery 0.32 to 0.36 (the same code in all of them), with its slips:
`5000000000000000000000` prints as `5`, `Gi` alone is zero, binary quantities are capped at 2**63-1, anything smaller than
1n becomes 1n, and the value of a number too large for 64 bits is 0 or wraps, depending on how it came about.

Go keeps a quantity in one of two forms, and which one it is shows in the results: a 64-bit number with a decimal exponent
where that fits, else a decimal of any size. Both are kept here as `unscaled * 10**exponent`, with a flag for the second.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from jobset_compiler.kube.quantity_text import (
    BINARY_SHIFTS,
    DECIMAL_EXPONENTS,
    LARGEST,
    MOST_DIGITS,
    NOT_A_QUANTITY,
    SMALLEST,
    TOO_MANY_DIGITS,
    digits_of,
    fits_binary,
    int32,
    int64,
    is_int64,
    read,
    ten_to,
)
from jobset_compiler.kube.quantity_text import Format as Format
from jobset_compiler.kube.quantity_text import QuantityError as QuantityError

_DECIMAL_SUFFIXES: Final = {exponent: suffix for suffix, exponent in DECIMAL_EXPONENTS.items()}
_BINARY_SUFFIXES: Final = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_MILLI: Final = -3
# Texts longer than this are not worth remembering.
_SHORT: Final = 32
# What Go's strings.TrimSpace takes off, less the control characters, which JSON text never holds bare.
_SPACE: Final = " \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"


class Quantity:
    """An immutable quantity. Equal, ordered and hashed by value: `1Gi` equals `1024Mi`, whatever they print as."""

    __slots__ = ("_exponent", "_format", "_is_decimal", "_text", "_unscaled")

    def __init__(self, unscaled: int, exponent: int, is_decimal: bool, notation: Format, text: str = "") -> None:
        """For this module; others call `parse`, `of` or `from_json`. An empty text means: print the canonical form."""
        self._unscaled = unscaled
        self._exponent = exponent
        self._is_decimal = is_decimal
        self._format: Format = notation
        self._text = text

    @classmethod
    def parse(cls, text: str) -> Quantity:
        """A quantity out of its text, as Go's `resource.ParseQuantity`.

        Raises QuantityError for what Go refuses, and for numbers of more than 100,000 digits.
        """
        return _remembered(text) if len(text) <= _SHORT else _parse(text)

    @classmethod
    def of(cls, value: int, format: Format = "DecimalSI") -> Quantity:  # noqa: A002
        """The quantity of a whole number of at most 64 bits, as Go's `resource.NewQuantity`."""
        return cls(value, 0, False, format)

    @property
    def text(self) -> str:
        """The text Go marshals: the original where Go kept it (`1e3`, `5.`, `1500m`), else the canonical form."""
        if not self._text:
            self._text = self._canonical()
        return self._text

    @property
    def format(self) -> Format:
        """The family of suffixes sums are printed with."""
        return self._format

    @property
    def is_decimal(self) -> bool:
        """Whether Go holds it as an arbitrary decimal, shared by copies, and not in 64 bits."""
        return self._is_decimal

    @property
    def is_zero(self) -> bool:
        return not self._unscaled

    @property
    def sign(self) -> int:
        """-1, 0 or 1."""
        return (self._unscaled > 0) - (self._unscaled < 0)

    def ceil(self) -> int:
        """The value rounded up to a whole number, as Go's `Value()`.

        Like there, the result is 64 bits wide: too large a number gives 0 or wraps around, and negative fractions round away
        from zero or towards it, depending on the form (a parsed `-1500m` is -2, the product of `-500m` and 3 is -1).
        """
        unscaled, exponent = self._unscaled, self._exponent
        if not self._is_decimal:
            if exponent >= 0:
                scaled = _scaled_up(unscaled, exponent)
                if scaled is None:  # Go multiplies without a loop for these powers, and returns what is left of the product
                    wraps = exponent in (1, 2, 3, 6, 9) and unscaled != SMALLEST
                    return int64(unscaled * ten_to(exponent)) if wraps else 0
                return scaled
            whole, rest = divmod(abs(unscaled), ten_to(-exponent))
            return (whole + (rest > 0)) * self.sign
        if exponent >= 0:
            # Beyond 10**18 the factor overflows Go's conversion of a float to an integer (amd64's answer).
            return int64(int64(unscaled) * (ten_to(exponent) if exponent <= 18 else SMALLEST))
        if unscaled < LARGEST and exponent > -19:
            unscaled = int64(unscaled)
            whole, rest = divmod(abs(unscaled), ten_to(-exponent))
            return (whole if unscaled >= 0 else -whole) + (rest > 0)
        whole, rest = divmod(unscaled, ten_to(-exponent))
        return int64(int64(whole) + (rest > 0))

    def milli_value(self) -> int:
        """The value in thousandths, as Go's `MilliValue()`: rounded up, and 64 bits wide with the slips of `ceil`."""
        return Quantity(self._unscaled, self._exponent + 3, self._is_decimal, self._format).ceil()

    def rounded_up_to_milli(self) -> Quantity:
        """Without what is finer than thousandths, away from zero, as the API stores quantities of resources (Go's `RoundUp`)."""
        if self._exponent >= _MILLI:
            return Quantity(self._unscaled, self._exponent, True, self._format) if self._is_decimal else self
        whole, rest = divmod(abs(self._unscaled), ten_to(_MILLI - self._exponent))
        return Quantity((whole + (rest > 0)) * self.sign, _MILLI, self._is_decimal, self._format)

    def __add__(self, other: Quantity) -> Quantity:
        """The exact sum, in the format of the first addend unless that is zero.

        Raises QuantityError where the sum needs more than 100,000 digits.
        """
        if not isinstance(other, Quantity):
            return NotImplemented
        notation = self._format if self._unscaled else other._format
        is_decimal = self._is_decimal or other._is_decimal
        if not is_decimal:
            if not other._unscaled:
                return Quantity(self._unscaled, self._exponent, False, notation)
            if not self._unscaled:
                return Quantity(other._unscaled, other._exponent, False, notation)
        high, low = (self, other) if self._exponent >= other._exponent else (other, self)
        distance = high._exponent - low._exponent
        if distance > MOST_DIGITS:
            raise QuantityError(TOO_MANY_DIGITS)
        raised = high._unscaled * ten_to(distance)
        total = raised + low._unscaled
        if not is_decimal:
            is_decimal = not (is_int64(raised) and is_int64(total))
        return Quantity(total, low._exponent, is_decimal, notation)

    def __mul__(self, factor: int) -> Quantity:
        """The exact product with a whole number, in the same format."""
        if not isinstance(factor, int):
            return NotImplemented
        unscaled, exponent = self._unscaled, self._exponent
        if self._is_decimal or not unscaled:
            return Quantity(unscaled * factor, exponent, self._is_decimal, self._format)
        if not factor:
            return Quantity(0, 0, False, self._format)
        product = unscaled * factor
        if exponent < 0:
            fits = _product_fits(unscaled, factor) and product % ten_to(-exponent) == 0
        else:
            fits = _product_fits(unscaled, factor) and _scaled_up(product, exponent) is not None
        return Quantity(product, exponent, not fits, self._format)

    def __eq__(self, other: object) -> bool:
        return self._compare(other) == 0 if isinstance(other, Quantity) else NotImplemented

    def __lt__(self, other: Quantity) -> bool:
        return self._compare(other) < 0 if isinstance(other, Quantity) else NotImplemented

    def __le__(self, other: Quantity) -> bool:
        return self._compare(other) <= 0 if isinstance(other, Quantity) else NotImplemented

    def __gt__(self, other: Quantity) -> bool:
        return self._compare(other) > 0 if isinstance(other, Quantity) else NotImplemented

    def __ge__(self, other: Quantity) -> bool:
        return self._compare(other) >= 0 if isinstance(other, Quantity) else NotImplemented

    def __hash__(self) -> int:
        if not self._unscaled:
            return 0
        digits = digits_of(self._unscaled)
        significant = digits.rstrip("0")
        return hash((significant, self._exponent + len(digits) - len(significant)))

    def __bool__(self) -> bool:
        return self._unscaled != 0

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Quantity.parse({self.text!r})"

    def _compare(self, other: Quantity) -> int:
        mine, theirs = self._unscaled, other._unscaled
        if self._exponent != other._exponent and self.sign == other.sign and mine:
            # Orders of magnitude first, so that numbers are only brought to one exponent where those are close.
            mine_length = len(digits_of(abs(mine))) + self._exponent
            their_length = len(digits_of(abs(theirs))) + other._exponent
            if mine_length != their_length:
                return self.sign if mine_length > their_length else -self.sign
            lowest = min(self._exponent, other._exponent)
            mine *= ten_to(self._exponent - lowest)
            theirs *= ten_to(other._exponent - lowest)
        return (mine > theirs) - (mine < theirs)

    def _canonical(self) -> str:
        """No fraction, and the largest suffix that allows that."""
        unscaled, exponent = self._unscaled, self._exponent
        if not unscaled:
            return "0"
        if self._format == "BinarySI":
            whole, rest = unscaled * ten_to(max(exponent, 0)), 0
            if exponent < 0:
                whole, rest = divmod(unscaled, ten_to(-exponent))
            if not rest and not -1024 < whole < 1024:
                thousands = ((whole & -whole).bit_length() - 1) // 10
                if whole == SMALLEST and not self._is_decimal:
                    thousands = 0  # its absolute value does not fit 64 bits, so Go finds no factors
                suffix = _BINARY_SUFFIXES[thousands] if thousands < 7 else ""
                return digits_of(whole >> 10 * thousands) + suffix
        digits = digits_of(unscaled)
        significant = digits.rstrip("0")
        exponent = int32(exponent + len(digits) - len(significant))
        padding = exponent % 3
        exponent = int32(exponent - padding)
        number = significant + "0" * padding
        if self._format == "DecimalExponent":
            return f"{number}e{exponent}" if exponent else number
        return number + _DECIMAL_SUFFIXES.get(exponent, "")


def from_json(value: object) -> Quantity:
    """The quantity in a JSON document, as Go's `UnmarshalJSON`: a text, or a number taken by its text; null is zero.

    Raises QuantityError.
    """
    if isinstance(value, str):
        return Quantity.parse(value.strip(_SPACE))
    if isinstance(value, bool):
        raise QuantityError(NOT_A_QUANTITY)
    if isinstance(value, int | float):
        return Quantity.parse(json_number_text(value))
    if value is None:
        return Quantity(0, 0, False, "DecimalExponent")
    raise QuantityError(NOT_A_QUANTITY)


def json_number_text(value: float) -> str:
    """A number as Go's encoding/json prints it; whole numbers beyond 64 bits become floating point, as in the API server."""
    if isinstance(value, int):
        if is_int64(value):
            return str(value)
        try:
            value = float(value)
        except OverflowError:
            raise QuantityError(NOT_A_QUANTITY) from None
    shortest = repr(value)
    if not shortest.lstrip("-")[0].isdigit():
        raise QuantityError(NOT_A_QUANTITY)  # inf and nan have no JSON text
    sign = "-" if shortest[0] == "-" else ""
    mantissa, _, power = shortest.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(power or "0") - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if not digits:
        return sign + "0"
    # `point` is where the decimal point stands, counted from the first significant digit.
    if -5 <= point <= 21:
        if point <= 0:
            return sign + "0." + "0" * -point + digits
        if point >= len(digits):
            return sign + digits + "0" * (point - len(digits))
        return sign + digits[:point] + "." + digits[point:]
    scientific = point - 1
    tail = f"e{'-' if scientific < 0 else '+'}{abs(scientific):0{1 if scientific < 0 else 2}d}"
    return sign + digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + tail


def _parse(text: str) -> Quantity:
    # The everyday texts: a whole number without leading zeros, then one of the short suffixes or none.
    if text.isdigit():
        digits, exponent = text, 0
    elif (short := DECIMAL_EXPONENTS.get(text[-1:])) is not None:
        digits, exponent = text[:-1], short
    else:
        shift = BINARY_SHIFTS.get(text[-2:], 0)
        digits = text[:-2]
        if shift and fits_binary(digits, shift) and digits.isdigit() and digits[0] != "0" and digits.isascii():
            number = int(digits)
            return Quantity(number << shift, 0, False, "BinarySI", text if number & 7 else "")
        return Quantity(*read(text))
    if len(digits) <= 18 and digits.isdigit() and digits[0] != "0" and digits.isascii():
        return Quantity(int(digits), exponent, False, "DecimalSI", "" if digits.endswith("000") else text)
    return Quantity(*read(text))


# Quantities are immutable, and the same few stand in all manifests.
_remembered = lru_cache(maxsize=1024)(_parse)


def _scaled_up(value: int, exponent: int) -> int | None:
    """`value * 10**exponent`, None where that needs more than 64 bits."""
    if not value or not exponent:
        return value
    scaled = value * ten_to(exponent) if exponent < 19 else LARGEST + 1
    return scaled if is_int64(scaled) else None


def _product_fits(left: int, right: int) -> bool:
    """Whether Go multiplies two numbers of 64 bits without leaving them; -2**63 it trusts with the factor 1 only."""
    if left == 1 or right == 1:
        return True
    return SMALLEST not in (left, right) and is_int64(left * right)


