"""The site has every page; that it builds, and what it is like, is tried in tests/integrations/test_site.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]


def pages_of(nav: list[Any]) -> list[str]:
    found: list[str] = []
    for entry in nav:
        target = next(iter(entry.values())) if isinstance(entry, dict) else entry
        found += pages_of(target) if isinstance(target, list) else [target]
    return found


def test_every_page_has_a_place_in_the_navigation() -> None:
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]
    listed = pages_of(nav)
    assert sorted(listed) == sorted({file.name for file in (ROOT / "docs").glob("*.md")} | {"index.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"}), (
        "each file of docs/ has its line below `nav` in mkdocs.yml"
    )
