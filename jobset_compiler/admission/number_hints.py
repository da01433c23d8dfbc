"""Advice about whole numbers and quantities that the schema refuses: what to write instead."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.hints import Advice
from jobset_compiler.diagnostics.fix import quote, replace
from jobset_compiler.kube.quantity import QuantityError, from_json

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path

LONGEST_INTEGER = 24
LARGEST = {"int32": 2**31 - 1, "int64": 2**63 - 1, "int": 2**63 - 1}
DURATION = re.compile(r"(\d{1,9})\s*(s|m|min|h|d)")
SECONDS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
# A number and what it counts, as people say it.
COUNTED = re.compile(r"(\d+(?:\.\d+)?)\s*(?:cores?|cpus?|vcpus?|gpus?)", re.IGNORECASE)
UNITS = (("GB", "G"), ("MB", "M"), ("KB", "k"), ("K", "k"), ("gb", "G"), ("mb", "M"), ("g", "G"), ("gi", "Gi"), ("mi", "Mi"), ("B", ""))


def for_integer(value: Any, kind: str, path: Path) -> Advice:
    """A whole number is wanted; kind: of the Go type."""
    if isinstance(value, str) and len(value) <= LONGEST_INTEGER and value.isascii() and _is_integer(value):
        return Advice(f"write {int(value)} without quotes", (replace(path, str(int(value)), safe=True, bare=True),))
    if isinstance(value, str) and str(path[-1]).endswith("Seconds") and (match := DURATION.fullmatch(value)):
        seconds = int(match[1]) * SECONDS[match[2]]
        return Advice(f"write the seconds as a number: {seconds}", (replace(path, str(seconds), safe=True, bare=True),))
    if isinstance(value, list) and len(value) == 1 and _is_number(value[0]):
        return Advice(f"write {value[0]}, without the list")
    largest = LARGEST.get(kind, 0)
    if _is_number(value) and largest and abs(value) > largest:
        return Advice(f"the largest number here is {largest}")
    return Advice("write a whole number" if isinstance(value, (float, str)) else "")


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_integer(text: str) -> bool:
    digits = text.strip()
    return digits[digits[:1] in ("+", "-") :].isdecimal()


def for_quantity(value: Any, path: Path) -> Advice:
    if isinstance(value, float) and "/" in str(path[-1]):
        return Advice("devices are counted in whole numbers: write 1, or the resource of a share or a slice, such as nvidia.com/mig-1g.5gb")
    if isinstance(value, float):
        return Advice(f'write it in quotes: "{value}"', (quote(path),))
    if not isinstance(value, str):
        return Advice("")
    for wrong, right in UNITS:
        if value.endswith(wrong):
            candidate = value[: -len(wrong)].rstrip() + right
            if _is_quantity(candidate):
                hint = f"did you mean {candidate}?" + (f" ({candidate}i is the binary unit)" if right in ("G", "M") else "")
                return Advice(hint, (replace(path, candidate, safe=True),))
    if counted := COUNTED.fullmatch(value):
        return Advice(f"write {counted[1]}: the name says what is counted", (replace(path, counted[1], safe=True),))
    if "," in value and _is_quantity(value.replace(",", ".", 1)):
        point = value.replace(",", ".", 1)
        return Advice(f"write {point}, with a point", (replace(path, point, safe=False),))
    if " " in value:
        closed = value.replace(" ", "")
        return Advice("a quantity has no blanks: 16Gi, 500m, 4", (replace(path, closed, safe=True),) if _is_quantity(closed) else ())
    return Advice("a quantity is a number with a unit: 16Gi, 500m, 4")


def _is_quantity(text: str) -> bool:
    try:
        from_json(text)
    except QuantityError:
        return False
    return True
