"""What a page says and draws. Read the text below `__snapshots__`; `--snapshot-update` writes it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from jobset_compiler import __version__
from jobset_compiler.report import to_html
from tests.report.test_page import VOID
from tests.report.test_survey import surveyed

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
# What leads from one place to another, is read aloud or is drawn.
KEPT = ("href", "title", "aria-label", "data-to", "d", "x", "y", "width", "height", "points")


class Words(HTMLParser):
    """The texts of a page a line each, with what they lead to; of pictures every shape."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.silent = 0
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("style", "script"):
            self.silent += 1
        told = [f"{name}={value}" for name, value in attrs if name in KEPT and not self.silent]
        if told and tag not in ("html", "meta", "svg"):
            self.lines.append(f"<{tag} {' '.join(told)}>")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("style", "script") and tag not in VOID:
            self.silent -= 1

    def handle_data(self, data: str) -> None:
        if data.strip() and not self.silent:
            self.lines.append(" ".join(data.split()))


@pytest.mark.parametrize("name", ["04-initializers", "05-mpi"])
def test_a_page_of_an_example(name: str, snapshot: SnapshotAssertion) -> None:
    page = to_html(surveyed((EXAMPLES / f"{name}.yaml").read_text()))
    assert "\n".join(Words(page).lines).replace(__version__, "VERSION") == snapshot
