"""Codes lead to their pages: the address is that of pyproject.toml, in SARIF, on terminals and in the report."""

from __future__ import annotations

import io
import json
import tomllib
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jobset_compiler.cli.streams import Streams
from jobset_compiler.diagnostics import pages
from jobset_compiler.diagnostics.codes import find
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.diagnostics.report import Summary
from jobset_compiler.diagnostics.sarif import SarifWriter
from jobset_compiler.diagnostics.settled import settle
from jobset_compiler.diagnostics.text import COLOURED, TextWriter, information, render

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = "https://docs.example.com/jsc/codes/JSC201/"
LINK = f"\x1b]8;;{PAGE}\x1b\\JSC201\x1b]8;;\x1b\\"
ROOT = Path(__file__).resolve().parents[2]


class Metadata:
    """Of an installed distribution, as far as it is asked for."""

    def __init__(self, *urls: str) -> None:
        self._urls = urls

    def get_all(self, name: str) -> list[str] | None:
        assert name == "Project-URL"
        return list(self._urls) or None


@pytest.fixture
def _installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    pages.site.cache_clear()
    monkeypatch.setattr(metadata, "metadata", lambda name: Metadata("Homepage, https://example.com", "Documentation, https://docs.example.com/jsc"))
    yield
    pages.site.cache_clear()


def not_found() -> Diagnostic:
    rule = find("JSC201")
    assert rule is not None
    return Diagnostic(rule, "not found")


def test_the_label_is_that_of_pyproject() -> None:
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]
    assert urls[pages.LABEL].endswith("/")


@pytest.mark.usefixtures("_installed")
def test_the_address_of_a_page() -> None:
    assert pages.page_of("JSC201") == PAGE


@pytest.mark.parametrize("urls", [(), ("Homepage, https://example.com",)])
def test_without_an_address_there_are_no_links(monkeypatch: pytest.MonkeyPatch, urls: tuple[str, ...]) -> None:
    pages.site.cache_clear()
    monkeypatch.setattr(metadata, "metadata", lambda name: Metadata(*urls))
    assert pages.page_of("JSC201") == ""
    assert render(settle(not_found()), COLOURED._replace(links=True)) == render(settle(not_found()), COLOURED)
    pages.site.cache_clear()


def test_a_copy_that_was_not_installed_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Metadata:
        raise metadata.PackageNotFoundError(name)

    pages.site.cache_clear()
    monkeypatch.setattr(metadata, "metadata", missing)
    assert pages.page_of("JSC201") == ""
    pages.site.cache_clear()


@pytest.mark.usefixtures("_installed")
def test_sarif_names_the_page_of_a_rule() -> None:
    parts: list[str] = []
    writer = SarifWriter(parts.append, version="1")
    writer.add(not_found())
    writer.finish(Summary(1, 0, 0))
    driver = json.loads("".join(parts))["runs"][0]["tool"]["driver"]
    assert (driver["informationUri"], driver["rules"][0]["helpUri"]) == ("https://docs.example.com/jsc/", PAGE)


@pytest.mark.usefixtures("_installed")
def test_codes_are_links_on_a_terminal_only() -> None:
    finding = settle(not_found())
    assert LINK in render(finding, COLOURED._replace(links=True)) and LINK in information(finding, 2, COLOURED._replace(links=True))
    assert "\x1b]8" not in render(finding, COLOURED)
    written: list[str] = []
    writer = TextWriter(written.append, links=True)
    for _ in range(60):
        writer.add(not_found())
    writer.finish(Summary(60, 0, 0))
    assert written[-1] == f"error {LINK}: 10 more like these, not shown\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stderr", "environment", "choice", "links"),
    [
        (Terminal(), {"TERM": "xterm"}, "auto", True),
        (Terminal(), {"TERM": "xterm"}, "never", False),
        (Terminal(), {"TERM": "xterm", "NO_COLOR": "1"}, "auto", False),
        (Terminal(), {"TERM": "linux"}, "always", False),
        (Terminal(), {"TERM": "dumb"}, "auto", False),
        (io.StringIO(), {"TERM": "xterm"}, "always", False),
    ],
)
def test_where_links_are_written(stderr: io.StringIO, environment: dict[str, str], choice: str, links: bool) -> None:
    assert Streams(io.BytesIO(), io.BytesIO(), stderr, environment).links(choice) is links
