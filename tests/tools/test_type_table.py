"""The type tables are what the recorded facts say."""

from __future__ import annotations

import type_table


def test_tables_are_what_the_tool_writes() -> None:
    stale = [path.name for path, text in type_table.modules().items() if path.read_text(encoding="utf-8") != text]
    assert not stale, "python tools/type_table.py writes them"
