"""What only the complete lane asks about a scalar: explicit tags, and the text that a key has in JSON.

Source of the rules: `resolve.go` and `decode.go` of go-yaml v2, the key texts of `sigs.k8s.io/yaml`.
"""

from __future__ import annotations

from typing import NamedTuple

from jobset_compiler.source.scalars import INT64_MAX, Scalar, YamlFloat, is_finite, replace_surrogates, resolve

_LONG = "tag:yaml.org,2002:"


class WrongTag(NamedTuple):
    """The scalar does not have the type that its tag claims; the text is go-yaml's."""

    message: str


def resolve_tagged(tag: str, text: str) -> Scalar | WrongTag:
    """The value of a scalar with an explicit tag, or why go-yaml cannot decode it.

    Tags that YAML does not define are dropped; `!!binary` gives the decoded bytes as text.
    """
    if tag == _LONG + "str":
        return text
    if tag == _LONG + "binary":
        return _decode_binary(text)
    if tag not in (_LONG + "bool", _LONG + "int", _LONG + "float", _LONG + "null", _LONG + "timestamp"):
        return text
    wanted = tag[len(_LONG) :]
    if wanted == "timestamp":
        if _is_timestamp(text):
            return text
        value = resolve(text)
    else:
        value = text if _is_date_like(text) else resolve(text)
    found = _type_name(value)
    if found == wanted:
        return value
    if wanted == "float" and type(value) is int and value <= INT64_MAX:
        return YamlFloat(value)
    return WrongTag(f"cannot decode !!{found} `{text}` as a !!{wanted}")


def _type_name(value: Scalar) -> str:
    if value is None:
        return "null"
    return {bool: "bool", int: "int", YamlFloat: "float"}.get(type(value), "str")


def _decode_binary(text: str) -> str | WrongTag:
    from binascii import Error, a2b_base64

    packed = text.replace("\n", "").replace("\r", "")
    try:
        if not packed.isascii() or len(packed) % 4 or packed.strip("=").count("="):
            raise ValueError
        data = a2b_base64(packed, strict_mode=True)
    except (Error, ValueError):
        return WrongTag("!!binary value contains invalid base64 data")
    # Go's JSON writes U+FFFD for every byte that is no UTF-8.
    return replace_surrogates(data.decode("utf-8", "surrogateescape"))


def _is_date_like(text: str) -> bool:
    return len(text) > 4 and text[4] == "-" and text[:4].isdecimal()


def _is_timestamp(text: str) -> bool:
    """Whether one of go-yaml's four timestamp layouts fits (it has no zone but `Z` and `+hh:mm`, and no leap seconds)."""
    import re

    match = re.fullmatch(
        r"(\d{4})-(\d{1,2})-(\d{1,2})"
        r"(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)|[ ](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?",
        text,
        re.ASCII,
    )
    if match is None:
        return False
    year, month, day = (int(part) for part in match.group(1, 2, 3))
    clock = [int(part) for part in match.group(4, 5, 6, 7, 8, 9) if part is not None]
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return 1 <= month <= 12 and 1 <= day <= days[month - 1] and all(part < end for part, end in zip(clock, (24, 60, 60), strict=False))


def key_text(value: Scalar) -> str | None:
    """The JSON key for a YAML key, None where the server refuses it (null, integers beyond 64 bits)."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, YamlFloat):
        return _float32_text(value)
    if isinstance(value, int):
        return str(value) if value <= INT64_MAX else None
    return None


def _float32_text(number: float) -> str:
    """Go's `FormatFloat(number, 'g', -1, 32)`, with go-yaml's names for what is not finite."""
    from struct import pack, unpack

    if str(number) == "nan":
        return ".nan"
    try:
        (narrow,) = unpack("<f", pack("<f", number))
    except OverflowError:
        narrow = float("inf") if number > 0 else float("-inf")
    if not is_finite(narrow):
        return ".inf" if narrow > 0 else "-.inf"
    if narrow == 0:
        return "-0" if str(narrow)[0] == "-" else "0"
    shortest = next(
        text for places in range(9) if unpack("<f", pack("<f", float(text := f"{narrow:.{places}e}")))[0] == narrow
    )
    mantissa, _, exponent = shortest.partition("e")
    power = int(exponent)
    digits = mantissa.lstrip("-").replace(".", "").rstrip("0") or "0"
    sign = "-" if narrow < 0 else ""
    if power < -4 or power >= 6:
        fraction = "." + digits[1:] if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{'-' if power < 0 else '+'}{abs(power):02d}"
    if power < 0:
        return f"{sign}0.{'0' * (-power - 1)}{digits}"
    whole = digits[: power + 1].ljust(power + 1, "0")
    fraction = digits[power + 1 :]
    return f"{sign}{whole}.{fraction}" if fraction else sign + whole
