"""How one number is written, in YAML and in JSON alike."""

from __future__ import annotations


def number(value: float) -> str:
    """A float as Go's encoding/json writes it: an integral one as an integer below 1e21, no exponent from 1e-6 on.

    An exponent keeps a decimal point and a sign in front of it ("1.0e-07"), without which PyYAML reads a string.
    Raises ValueError for an infinity or NaN, which JSON (and so Kubernetes) does not have.
    """
    if not float("-inf") < value < float("inf"):
        raise ValueError(f"{value} is not a JSON number")
    size = abs(value)
    if size < 1e21 and value == int(value):
        return str(int(value))
    text = repr(value)
    if "e" not in text:
        return text
    mantissa, _, exponent = text.partition("e")
    if 1e-6 <= size < 1:
        sign = "-" if value < 0 else ""
        digits = mantissa.lstrip("-").replace(".", "")
        return f"{sign}0.{'0' * (-int(exponent) - 1)}{digits}"
    if "." not in mantissa:
        mantissa += ".0"
    return f"{mantissa}e{exponent}"
