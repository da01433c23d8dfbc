"""What the pages say of codes and releases is what the catalogues say. To have them show what it says now: UPDATE_DOCS=1 python -m pytest tests/docs."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest

from jobset_compiler.cli import main, releases
from jobset_compiler.cli.codes import escaped, markdown
from jobset_compiler.cli.streams import Streams
from jobset_compiler.diagnostics.codes import all_codes, of_block
from jobset_compiler.diagnostics.codes.code import Code
from tests.golden import quirks

DOCS = Path(__file__).resolve().parents[2] / "docs"


def expect(file: Path, text: str, current: str) -> None:
    if text != current and os.environ.get("UPDATE_DOCS"):
        file.write_text(text)
    else:
        assert current == text, f"{file.name} is out of date; UPDATE_DOCS=1 repairs it"


def test_the_page_of_codes_is_the_catalogue() -> None:
    file = DOCS / "codes.md"
    expect(file, markdown(), file.read_text() if file.exists() else "")


def test_the_page_of_releases_is_the_profiles() -> None:
    file = DOCS / "releases.md"
    expect(file, releases.markdown(), file.read_text() if file.exists() else "")


def test_the_page_of_quirks_is_the_notices_and_the_goldens() -> None:
    file = DOCS / "quirks.md"
    expect(file, quirks.page(), file.read_text() if file.exists() else "")


def table(block: str, first: str, last: str) -> str:
    rows = [
        f"| [{code.code}](codes.md#{code.code.lower()}-{code.slug}) | {code.slug} | {code.severity} | {escaped(code.title)} |\n"
        for code in of_block(block)
        if first <= code.code <= last
    ]
    assert len(rows) > 2
    return "| Code | Name | Severity | |\n|---|---|---|---|\n" + "".join(rows)


PAGES = [
    ("advice", "advice", "JSC370", "JSC389"),
    ("silent failures", "silent", "JSC700", "JSC799"),
    ("update rules", "webhook", "JSC360", "JSC369"),
]


@pytest.mark.parametrize(("name", "block", "first", "last"), PAGES)
def test_the_page_of_check_lists(name: str, block: str, first: str, last: str) -> None:
    file = DOCS / "check.md"
    current = file.read_text()
    found = re.search(rf"(<!-- {name}: generated -->\n)(.*?)(<!-- end -->)", current, re.DOTALL)
    assert found is not None
    expect(file, current[: found.end(1)] + "\n" + table(block, first, last) + "\n" + current[found.start(3) :], current)


@pytest.mark.parametrize("code", all_codes(), ids=lambda code: code.code)
def test_explain_says_what_the_page_says(code: Code) -> None:
    page = (DOCS / "codes.md").read_text()
    section = page.partition(f"### {code.code} {code.slug}\n")[2].partition("\n##")[0]
    told = section.replace("&lt;", "<").replace("\\*", "*").replace("\\_", "_").split()
    out = io.BytesIO()
    assert main(["codes", "explain", code.slug], Streams(io.BytesIO(), out, io.StringIO(), {})) == 0
    heading, _, explained = out.getvalue().decode().partition("\n")
    assert heading == f"{code.code} {code.slug} ({code.severity})"
    assert told == [f"*{code.severity}*:", *explained.split()]
