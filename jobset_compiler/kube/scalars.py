"""Times and bytes in JSON, as Go reads and prints them.

Sources: `metav1.Time` of k8s.io/apimachinery over time.Parse with the RFC3339 layout; encoding/base64's StdEncoding.
"""

from __future__ import annotations

import binascii
from typing import Final


class ScalarError(ValueError):
    """A text that is no time, or not base64; the first argument is the text of Go's error."""


_LAYOUT: Final = "2006-01-02T15:04:05Z07:00"
_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTHS_AND_SO_ON: Final = (
    # literal before it, name in the layout, both digits needed, lowest, one over the highest, word
    ("-", "01", True, 1, 13, "month"),
    ("-", "02", True, 0, 100, "day"),
    ("T", "15", False, 0, 24, "hour"),
    (":", "04", True, 0, 60, "minute"),
    (":", "05", True, 0, 60, "second"),
)
_BASE64: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def normalized_time(text: str) -> str | None:
    """An RFC 3339 time as Kubernetes prints it: in UTC, whole seconds; None for Go's zero time. Raises ScalarError."""
    if len(text) < 4 or not _are_digits(text[:4]):
        raise _unreadable(text, text, "2006")
    year, rest = int(text[:4]), text[4:]
    numbers = []
    for literal, name, needs_both, lowest, end, word in _MONTHS_AND_SO_ON:
        if rest[:1] != literal:
            raise _unreadable(text, rest, literal)
        rest = rest[1:]
        length = 2 if _are_digits(rest[1:2]) else 1
        if not _are_digits(rest[:1]) or (length == 1 and needs_both):
            raise _unreadable(text, rest, name)
        number, rest = int(rest[:length]), rest[length:]
        if not lowest <= number < end:
            raise ScalarError(f"parsing time {_quoted(text)}: {word} out of range")
        numbers.append(number)
    month, day, hour, minute, second = numbers
    fraction = ""
    if rest[:1] in (".", ",") and _are_digits(rest[1:2]):
        tail = rest[1:].lstrip("0123456789")
        fraction = rest[1 : len(rest) - len(tail)][:9].strip("0")
        rest = tail
    offset, rest = _read_offset(text, rest)
    if rest:
        raise ScalarError(f"parsing time {_quoted(text)}: extra text: {_quoted(rest)}")
    if not 1 <= day <= _days_in(year, month):
        raise ScalarError(f"parsing time {_quoted(text)}: day out of range")

    days, seconds = divmod((hour * 60 + minute) * 60 + second - offset, 86_400)
    year, month, day = _days_later(year, month, day, days)
    hour, minute, second = seconds // 3600, seconds // 60 % 60, seconds % 60
    if (year, month, day, seconds) == (1, 1, 1, 0) and not fraction:
        return None
    sign = "-" if year < 0 else ""
    return f"{sign}{abs(year):04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"


def _read_offset(text: str, rest: str) -> tuple[int, str]:
    """The seconds east of UTC, and what follows."""
    if rest[:1] == "Z":
        return 0, rest[1:]
    if len(rest) < 6 or rest[3] != ":":
        raise _unreadable(text, rest, "Z07:00")
    hours, minutes = rest[1:3], rest[4:6]
    is_number = _are_digits(hours)
    if is_number and int(hours) > 24:
        raise ScalarError(f"parsing time {_quoted(text)}: time zone offset hour out of range")
    if is_number and _are_digits(minutes) and int(minutes) > 60:
        raise ScalarError(f"parsing time {_quoted(text)}: time zone offset minute out of range")
    if rest[0] not in "+-" or not is_number or not _are_digits(minutes):
        raise _unreadable(text, rest, "Z07:00")
    offset = (int(hours) * 60 + int(minutes)) * 60
    return -offset if rest[0] == "-" else offset, rest[6:]


def _days_in(year: int, month: int) -> int:
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and is_leap else _DAYS[month - 1]


def _days_later(year: int, month: int, day: int, days: int) -> tuple[int, int, int]:
    """The date some days later, at most two; a negative number is earlier."""
    day += days
    if day < 1:
        year, month = (year - 1, 12) if month == 1 else (year, month - 1)
        day += _days_in(year, month)
    elif day > _days_in(year, month):
        day -= _days_in(year, month)
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return year, month, day


def _are_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _unreadable(text: str, rest: str, element: str) -> ScalarError:
    return ScalarError(f'parsing time {_quoted(text)} as "{_LAYOUT}": cannot parse {_quoted(rest)} as "{element}"')


def _quoted(text: str) -> str:
    """As package time quotes: everything that is not printable ASCII becomes the hexadecimal of its bytes."""
    parts = []
    for char in text:
        if char in '"\\':
            parts.append("\\" + char)
        elif " " <= char < "\x80":
            parts.append(char)
        else:
            parts.extend(f"\\x{byte:02x}" for byte in char.encode())
    return '"' + "".join(parts) + '"'


def normalized_base64(text: str) -> str:
    """Padded base64, read and written: line breaks and the loose bits of the last group vanish. Raises ScalarError."""
    data = text.encode()
    kept = [(place, chr(byte)) for place, byte in enumerate(data) if byte not in b"\r\n"]
    for index, (place, char) in enumerate(kept):
        if char in _BASE64:
            continue
        if char != "=" or index % 4 < 2:
            raise _corrupt(place)
        last = index
        if index % 4 == 2:
            last = index + 1
            if last >= len(kept):
                raise _corrupt(len(data))
            if kept[last][1] != "=":
                raise _corrupt(kept[last][0])
        if last + 1 < len(kept):
            raise _corrupt(kept[last + 1][0])
        break
    if len(kept) % 4:
        raise _corrupt(len(data) - len(kept) % 4)
    decoded = binascii.a2b_base64("".join(char for _, char in kept))
    return binascii.b2a_base64(decoded, newline=False).decode("ascii")


def _corrupt(place: int) -> ScalarError:
    return ScalarError(f"illegal base64 data at input byte {place}")
