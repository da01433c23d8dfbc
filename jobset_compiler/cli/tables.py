"""Small tables for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def table(rows: Iterable[Sequence[str]], pad: str = "") -> str:
    """Columns lined up, the last one as it is."""
    rows = list(rows)
    if not rows:
        return ""
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]) - 1)]
    lines = []
    for row in rows:
        cells = [f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)]
        lines.append("  ".join([*cells, row[-1]]).rstrip())
    return "".join(f"{pad}{line}\n" for line in lines)
