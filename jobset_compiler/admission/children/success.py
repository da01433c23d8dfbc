"""Which indexes of a Job make it succeed: `1,3-5`.

Source: validateSuccessPolicyRule, validateIndexesFormat and parseIndexInterval in pkg/apis/batch/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.checks import NOT_NEGATIVE
from jobset_compiler.admission.children.faults import Fault, fault, invalid, required, too_long
from jobset_compiler.kube.structural.errors import quoted

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import Tree

LONGEST_LIST = 64 * 1024
# Of a number of 64 bits.
MOST_DIGITS = 19


class IndexListError(ValueError):
    """Indexes that are none; the first argument is the server's text."""


def succeeded_indexes(rule: Tree, completions: int | None) -> list[Fault]:
    """A rule of a successPolicy. Where completions are missing nothing is measured by them."""
    count, indexes = rule.get("succeededCount"), rule.get("succeededIndexes")
    if count is None and indexes is None:
        return [fault(required("at least one of succeededCount or succeededIndexes must be specified"))]
    out: list[Fault] = []
    if completions is None:
        return out
    listed = 0
    if indexes is not None:
        if len(indexes.encode()) > LONGEST_LIST:
            out.append(fault(too_long(LONGEST_LIST), "succeededIndexes"))
        try:
            listed = count_of(indexes, completions)
        except IndexListError as problem:
            out.append(fault(invalid(indexes, f"error parsing succeededIndexes: {problem}"), "succeededIndexes"))
    if count is not None:
        if count < 0:
            out.append(fault(invalid(count, NOT_NEGATIVE), "succeededCount"))
        if count > completions:
            text = f"must be less than or equal to {completions} (the number of specified completions)"
            out.append(fault(invalid(count, text), "succeededCount"))
        if indexes is not None and count > listed:
            text = f"must be less than or equal to {listed} (the number of indexes in the specified succeededIndexes field)"
            out.append(fault(invalid(count, text), "succeededCount"))
    return out


def count_of(indexes: str, completions: int) -> int:
    """How many indexes a list names. Raises IndexListError."""
    total, last = 0, None
    for part in indexes.split(",") if indexes else ():
        first, end = interval(part, completions)
        if last is not None and last >= first:
            raise IndexListError(f"non-increasing order, previous: {last}, current: {first}")
        total += end - first + 1
        last = end
    return total


def interval(text: str, completions: int) -> tuple[int, int]:
    parts = text.split("-")
    if len(parts) > 2:
        raise IndexListError(f"the fragment {quoted(text)} violates the requirement that an index interval can have at most two parts separated by '-'")
    numbers = [index_of(part, completions) for part in parts]
    first, last = numbers[0], numbers[-1]
    if len(numbers) > 1 and first >= last:
        raise IndexListError(f"non-increasing order, previous: {first}, current: {last}")
    return first, last


def index_of(text: str, completions: int) -> int:
    digits = text.removeprefix("+")
    significant = digits.lstrip("0") or "0"
    if not (digits.isascii() and digits.isdigit()) or len(significant) > MOST_DIGITS or int(significant) >= 2**63:
        raise IndexListError(f"cannot convert string to integer for index: {quoted(text)}")
    if int(significant) >= completions:
        raise IndexListError(f"too large index: {quoted(text)}")
    return int(significant)
