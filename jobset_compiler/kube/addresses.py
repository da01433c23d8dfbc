"""IP addresses as Kubernetes reads them.

Source: ParseIPSloppy of k8s.io/utils (the reader of Go before 1.17, which takes leading zeros) and net/netip of Go, the strict one.
"""

from __future__ import annotations

from typing import Final

NO_ADDRESS: Final = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
LEADING_ZEROS: Final = "must not have leading 0s"
MAPPED: Final = "must not be an IPv4-mapped IPv6 address"
_DIGITS: Final = frozenset("0123456789")
_HEX_DIGITS: Final = frozenset("0123456789abcdefABCDEF")


def address_problems(text: str, *, strict: bool) -> tuple[str, ...]:
    """What is said against an address; strict: leading zeros and IPv4 in IPv6 are refused as well."""
    groups = _groups(text)
    if groups is None:
        return (NO_ADDRESS,)
    if not strict:
        return ()
    if _has_leading_zeros(text):
        return (LEADING_ZEROS,)
    return (MAPPED,) if groups[:6] == [0, 0, 0, 0, 0, 0xFFFF] else ()


def _groups(text: str) -> list[int] | None:
    """The four bytes of IPv4, or the eight groups of IPv6."""
    if ":" not in text.partition(".")[0]:
        return _four_bytes(text)
    before, elided, after = text.partition("::")
    left, right = _colon_groups(before, is_last=not elided), _colon_groups(after, is_last=True)
    if left is None or right is None or (not elided and not before):
        return None
    missing = 8 - len(left) - len(right)
    if elided:
        return [*left, *([0] * missing), *right] if missing > 0 else None
    return left if not missing else None


def _colon_groups(text: str, *, is_last: bool) -> list[int] | None:
    """Groups between colons; the last may be an IPv4 address, which counts as two."""
    if not text:
        return []
    *others, last = text.split(":")
    out = []
    for group in others:
        if not group or not _HEX_DIGITS.issuperset(group) or int(group, 16) > 0xFFFF:
            return None
        out.append(int(group, 16))
    if "." in last:
        numbers = _four_bytes(last) if is_last else None
        return None if numbers is None else [*out, numbers[0] << 8 | numbers[1], numbers[2] << 8 | numbers[3]]
    if not last or not _HEX_DIGITS.issuperset(last) or int(last, 16) > 0xFFFF:
        return None
    return [*out, int(last, 16)]


def _four_bytes(text: str) -> list[int] | None:
    parts = text.split(".")
    if len(parts) != 4 or not all(part and _DIGITS.issuperset(part) for part in parts):
        return None
    numbers = [part.lstrip("0") or "0" for part in parts]
    return [int(number) for number in numbers] if all(len(number) <= 3 and int(number) < 256 for number in numbers) else None


def _has_leading_zeros(text: str) -> bool:
    """Of a number of IPv4, or more than four digits in a group of IPv6."""
    *groups, last = text.split(":")
    in_bytes = "." in last and any(len(part) > 1 and part[0] == "0" for part in last.split("."))
    return in_bytes or any(len(group) > 4 for group in (groups if "." in last else [*groups, last]))
